import SluiceReporting

/// The judge of pending answers, and of the accepted answers that they would replace.
///
/// It uses the current scorers.
package struct ReviewJudge: Sendable {
  private let suites: [ResolvedSuite]
  private let surroundings: Surroundings

  /// Creates a judge.
  ///
  /// - Parameters:
  ///   - suites: The suites whose datasets have pending answers.
  ///   - surroundings: The project's files and the environment.
  package init(_ suites: [ResolvedSuite], surroundings: Surroundings) {
    self.suites = suites
    self.surroundings = surroundings
  }

  /// The suite and the prompt for which a pending answer was recorded.
  private struct Source: Hashable {
    var suite: String
    var prompt: String
  }

  /// Judges the answers of a review.
  ///
  /// - Parameter review: The pending answers.
  /// - Returns: Each entry of the review with its scores.
  package func judged(_ review: RecordingReview) async -> [JudgedAnswer] {
    var places: [Source: [Int]] = [:]
    var judged = review.entries.map { entry in
      JudgedAnswer(question: Self.question(entry))
    }
    for (place, entry) in review.entries.enumerated() {
      guard let hints = entry.exchange?.hints else { continue }
      places[Source(suite: hints.suite, prompt: hints.prompt), default: []].append(place)
    }
    for (source, places) in places {
      let most = places.map { review.entries[$0].repetition }.max() ?? 1
      guard let plan = plan(of: source, backend: review.backend, repetitions: most) else {
        continue
      }
      await judge(review.entries, at: places, plan, &judged)
    }
    return judged
  }

  private func judge(
    _ entries: [RecordingReview.Entry],
    at places: [Int],
    _ plan: SuitePlan,
    _ judged: inout [JudgedAnswer]
  ) async {
    let maker = CaseViewMaker(plan)
    let indices = Dictionary(
      zip(plan.cases.lazy.map(\.stored.id), 0...),
      uniquingKeysWith: { first, _ in first }
    )
    var slots: [Int: SuitePlan.TrialIndex] = [:]
    for place in places {
      guard let exchange = entries[place].exchange, let index = indices[exchange.hints.testCase]
      else { continue }
      let slot = SuitePlan.TrialIndex(
        testCase: index,
        prompt: 0,
        backend: 0,
        repetition: entries[place].repetition
      )
      // If the prompt or the case was edited since, this is the answer to another request, so do
      // not score it.
      guard let request = maker.request(slot),
        Recording.Slot(key: RequestIdentity.key(of: request), repetition: slot.repetition)
          == exchange.slot
      else { continue }
      slots[place] = slot
    }
    let stores = RecordingStore.all(
      of: plan,
      in: surroundings.files,
      kinds: [.pending, .accepted]
    )
    let runner = await runner(
      plan,
      about: slots.flatMap { place, slot in
        let exchange = entries[place].exchange
        return [exchange?.response, exchange?.earlier].compactMap(\.self).map { ($0, slot) }
      }
    )
    for (place, slot) in slots {
      guard let exchange = entries[place].exchange else { continue }
      let view = maker.view(slot.testCase, columns: [])
      judged[place] = JudgedAnswer(
        question: view.question,
        expected: view.expected,
        now: runner.judged(exchange.response, at: slot, stores),
        before: exchange.earlier.flatMap { runner.judged($0, at: slot, stores) }
      )
    }
  }

  /// Returns a runner for a plan.
  ///
  /// If scorers need programs, the programs are run on the answers first.
  private func runner(
    _ plan: SuitePlan,
    about answers: [(ModelResponse, SuitePlan.TrialIndex)]
  ) async -> Runner {
    guard plan.scorers.contains(where: { $0.scorer is ProgramScorer }) else { return Runner(plan) }
    let replies = await RunningPrograms.during { programs in
      let host = ProgramHost(plan, surroundings: surroundings, programs: programs)
      return await Runner(plan, host: host).askPrograms(
        about: answers.map { (response: $0.0, slot: $0.1) }
      )
    }
    return Runner(plan, programReplies: replies)
  }

  /// Returns a suite's plan, reduced to the prompt and the backend for which answers were recorded.
  ///
  /// Returns `nil` if the prompt does not exist anymore.
  private func plan(of source: Source, backend: String, repetitions: Int) -> SuitePlan? {
    guard let suite = suites.first(where: { $0.plan.name == source.suite }) else { return nil }
    var plan = suite.plan
    let prompts = plan.prompts.filter { $0.name == source.prompt }
    let backends = plan.backends.filter { $0.name == backend }
    if prompts.isEmpty || backends.isEmpty {
      guard let tried = tried(source, backend, plan) else { return nil }
      plan = tried
    } else {
      (plan.prompts, plan.backends) = (prompts, backends)
    }
    plan.repetitions = repetitions
    return plan
  }

  /// Returns the suite's plan with another prompt or backend, as with `--prompt` and `--backend`.
  private func tried(_ source: Source, _ backend: String, _ plan: SuitePlan) -> SuitePlan? {
    let files = surroundings.files
    let prompt =
      plan.prompts.first { $0.name == source.prompt }?.path
      ?? PromptReader.extensions.sorted()
      .map { plan.path.folder.resolvingChild("\(source.prompt).\($0)") }
      .first { files.kind(of: $0) == .file }
    guard let prompt else { return nil }
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(
        suites: [plan.path.description],
        prompts: [prompt],
        backends: [backend]
      ),
      from: files,
      today: surroundings.now(),
      environment: surroundings.environment
    )
    return loaded.hasErrors ? nil : loaded.suites.first?.plan
  }

  /// Returns the question in the recorded request.
  private static func question(_ entry: RecordingReview.Entry) -> [CaseView.Field] {
    guard let request = (entry.exchange?.request).map(SentRequest.init) else { return [] }
    return request.question.map { [CaseView.Field("", $0.text)] } ?? request.messages
  }
}
