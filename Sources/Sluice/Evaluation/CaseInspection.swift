import SluiceReporting

/// The inspection of one case: its recorded answers, judged by the current scorers.
package struct CaseInspection: Sendable {
  private let suite: ResolvedSuite
  private let surroundings: Surroundings
  private let layers: [RecordingStore.Kind]

  /// Creates an inspection.
  ///
  /// - Parameters:
  ///   - suite: The suite, reduced to one case.
  ///   - surroundings: The project's files, the clock and the environment.
  ///   - layers: The layers of recordings to use, in order of precedence.
  package init(
    _ suite: ResolvedSuite,
    surroundings: Surroundings,
    layers: [RecordingStore.Kind] = RecordingSession.layers(isScratch: false)
  ) {
    self.suite = suite
    self.surroundings = surroundings
    self.layers = layers
  }

  /// A case with its recorded answers and scores.
  package struct Outcome: Sendable {
    package var views: [CaseView]
    /// The trials without a recorded answer.
    package var misses: [Trial]
    /// True if none of the case's requests is recorded.
    package var isUnrecorded: Bool
    /// The errors in the recordings files.
    package var diagnostics: [Diagnostic]
  }

  /// Judges the recorded answers.
  ///
  /// Scorer programs are run, but nothing is sent or written.
  package func look() async -> Outcome {
    let plan = suite.plan
    let evaluation = Evaluation(suite, surroundings: surroundings, keepsLog: false, layers: layers)
    let (stores, judged) = await evaluation.judged()
    let trials = judged.map(\.trial)
    let maker = CaseViewMaker(plan)
    var columns: [Int: [AnswerColumn]] = [:]
    for (index, judged) in judged.enumerated() {
      let slot = plan.slot(index)
      let answer = answer(judged, at: index, stores)
      if slot.repetition > 1, let last = columns[slot.testCase]?.indices.last {
        columns[slot.testCase]?[last].answers.append(answer)
        continue
      }
      columns[slot.testCase, default: []].append(
        AnswerColumn(
          prompt: plan.prompts[slot.prompt].name,
          backend: plan.backends[slot.backend].name,
          request: maker.request(slot).map { SentRequest($0) },
          answers: [answer]
        )
      )
    }
    return Outcome(
      views: plan.cases.indices.map { maker.view($0, columns: columns[$0] ?? []) },
      misses: trials.filter(\.isMiss),
      isUnrecorded: trials.allSatisfy(\.isMiss),
      diagnostics: stores.faults
    )
  }

  private func answer(
    _ judged: JudgedTrial,
    at index: Int,
    _ stores: [String: RecordingStore]
  ) -> ShownAnswer {
    let trial = judged.trial
    let slot = Recording.Slot(key: trial.requestKey, repetition: trial.repetition)
    let miss = trial.isMiss ? RecordingSummary.group(of: trial, at: index, suite.plan, stores) : nil
    let places = suite.plan.backends.first { $0.name == trial.backend }?.places
    let stored = trial.isAnswered ? try? stores[trial.backend]?.answer(slot) : nil
    let response = try? stored?.response(places: places)
    return ShownAnswer(
      trial: trial,
      text: judged.text,
      refusal: judged.refusal,
      toolCalls: (response?.toolCalls ?? []).map { CaseView.Field($0.name, $0.arguments) },
      source: trial.isAnswered ? stores[trial.backend]?.layer(slot)?.kind : nil,
      miss: miss
    )
  }
}
