import SluiceReporting

/// The requests to record for several suites: requests for answers, and requests to judges.
package struct RecordingPlan: Sendable {
  /// The requests of a suite.
  package struct Entry: Sendable {
    package var suite: ResolvedSuite
    package var answers: RecordingSession.Draft
    package var judges: RecordingSession.JudgeDraft
  }

  package let entries: [Entry]
  /// The errors in the existing recordings.
  package let diagnostics: [Diagnostic]
  private let surroundings: Surroundings
  private let selection: RecordingRequest.Selection
  private let isScratch: Bool

  /// Collects the requests to send.
  ///
  /// - Parameters:
  ///   - suites: The suites.
  ///   - selection: The answers to record.
  ///   - surroundings: The project's files, the clock and the environment.
  ///   - isScratch: True to store the answers as scratch answers, separately from the committed
  ///     ones.
  ///   - asksJudges: True to also record the judges' verdicts on the answers.
  package init(
    _ suites: [ResolvedSuite],
    _ selection: RecordingRequest.Selection,
    _ surroundings: Surroundings,
    isScratch: Bool,
    asksJudges: Bool = true
  ) {
    self.surroundings = surroundings
    self.selection = selection
    self.isScratch = isScratch
    let diagnostics = DiagnosticCollector()
    // If several suites of a dataset have the same request, send it only once.
    var asked: [ProjectPath: Set<Recording.Slot>] = [:]
    let drafts = suites.map { suite in
      let session = Self.session(suite, surroundings, isScratch: isScratch)
      let dataset = suite.plan.datasetPath
      let draft = session.draft(selection, besides: asked[dataset] ?? [])
      diagnostics.report(draft.faults)
      asked[dataset, default: []].formUnion(draft.requests.map(\.slot))
      return (suite, draft)
    }
    entries = drafts.map { suite, draft in
      guard asksJudges else { return Entry(suite: suite, answers: draft, judges: .none) }
      let dataset = suite.plan.datasetPath
      let judges = Self.session(suite, surroundings, isScratch: isScratch).judgeDraft(
        selection,
        after: draft.requests,
        besides: asked[dataset] ?? []
      )
      asked[dataset, default: []].formUnion(judges.known.requests.map(\.slot))
      return Entry(suite: suite, answers: draft, judges: judges)
    }
    self.diagnostics = diagnostics.diagnostics
  }

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The requests by suite, with their cost.
  package var forecast: RecordingForecast {
    RecordingForecast(
      entries.map { entry in
        RecordingForecast.Suite(
          name: entry.suite.plan.name,
          answers: .init(
            entry.answers.requests,
            cost: entry.answers.cost,
            unknown: entry.answers.unknown
          ),
          judges: .init(
            entry.judges.known.requests,
            coming: entry.judges.coming,
            cost: entry.judges.cost,
            unknown: entry.judges.unknown
          ),
          outputs: entry.suite.plan.outputPaths,
          hasOnlyOutputs: entry.suite.plan.hasOnlyOutputs
        )
      }
    )
  }

  /// Returns the session that records a suite.
  package func session(_ suite: ResolvedSuite) -> RecordingSession {
    Self.session(suite, surroundings, isScratch: isScratch)
  }

  private static func session(
    _ suite: ResolvedSuite,
    _ surroundings: Surroundings,
    isScratch: Bool
  ) -> RecordingSession {
    RecordingSession(suite.plan, surroundings: surroundings, isScratch: isScratch)
  }

  /// Returns the requests to judges.
  ///
  /// Call it after the answers were recorded.
  ///
  /// - Returns: A draft for each suite that has requests to judges, with the index of the suite's
  ///   entry.
  package func verdicts() -> [(place: Int, draft: RecordingSession.Draft)] {
    var asked: [ProjectPath: Set<Recording.Slot>] = [:]
    return entries.indices.filter { !entries[$0].judges.isEmpty }.map { place in
      let suite = entries[place].suite
      let dataset = suite.plan.datasetPath
      let draft = session(suite).judgeDraft(
        selection,
        besides: asked[dataset] ?? []
      ).known
      asked[dataset, default: []].formUnion(draft.requests.map(\.slot))
      return (place, draft)
    }
  }
}
