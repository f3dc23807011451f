internal import Sluice

/// A recording of the selected suites: what it would send, the sending, and what to do next.
final class RecordingRun {
  private let project: Project
  private let isScratch: Bool
  private let limit: Double?
  private let options: RecordingOptions
  let drafts: [(suite: ResolvedSuite, draft: RecordingSession.Draft)]
  /// What judges are asked, suite by suite.
  private let judgeDrafts: [RecordingSession.JudgeDraft]
  private let selection: RecordingRequest.Selection
  private var failed: [String] = []
  private var unsent = 0
  private var recorded = 0

  /// Finds out what is to be sent.
  ///
  /// - Throws: ``ExitCode/usage`` after saying which lines of recordings are damaged: those would be
  ///   lost by writing a file anew.
  ///
  /// - Parameters:
  ///   - project: The project.
  ///   - options: Which answers are meant.
  ///   - isScratch: Whether answers are kept apart from what is committed.
  ///   - asksJudges: Whether verdicts on the answers are recorded, too.
  init(
    _ project: Project,
    _ options: RecordingOptions,
    isScratch: Bool,
    asksJudges: Bool = true
  ) throws {
    self.project = project
    self.isScratch = isScratch
    limit = options.maxCost
    self.options = options
    let diagnostics = DiagnosticCollector()
    let selection = options.selection(now: project.surroundings.now())
    self.selection = selection
    // Suites of one dataset may ask the same: it is sent once.
    var asked: [ProjectPath: Set<Recording.Slot>] = [:]
    drafts = project.loaded.suites.map { suite in
      let session = project.recording(suite, isScratch: isScratch)
      let dataset = suite.plan.datasetPath
      let draft = session.draft(selection, besides: asked[dataset] ?? [], diagnostics)
      asked[dataset, default: []].formUnion(draft.requests.map(\.slot))
      return (suite, draft)
    }
    judgeDrafts = drafts.map { suite, draft in
      guard asksJudges else { return .none }
      let session = project.recording(suite, isScratch: isScratch)
      let dataset = suite.plan.datasetPath
      let judges = session.judgeDraft(
        selection,
        after: draft.requests,
        besides: asked[dataset] ?? [],
        diagnostics
      )
      asked[dataset, default: []].formUnion(judges.known.requests.map(\.slot))
      return judges
    }
    project.printDiagnostics(diagnostics.diagnostics)
    if diagnostics.hasErrors { throw Sluice.ExitCode.usage }
  }

  var isEmpty: Bool {
    drafts.allSatisfy(\.draft.requests.isEmpty) && judgeDrafts.allSatisfy(\.isEmpty)
  }
  var hasFailures: Bool { !failed.isEmpty || unsent > 0 }

  // MARK: Before

  /// What would be sent, suite by suite, and what it would cost.
  var forecast: String {
    var text = ""
    for ((suite, draft), judges) in zip(drafts, judgeDrafts) {
      let name = TerminalText.visible(suite.plan.name)
      if draft.requests.isEmpty, judges.isEmpty {
        text += "\(name): nothing to send\n"
        continue
      }
      if !draft.requests.isEmpty {
        text += "\(name): \(TerminalLines.count(draft.requests.count, "request")), "
        text += Self.cost([Self.estimate(draft)]) + "\n" + Self.places(draft)
      }
      if judges.isEmpty { continue }
      var counts: [String] = []
      let known = judges.known.requests.count
      if known > 0 { counts.append(TerminalLines.count(known, "request")) }
      if judges.coming > 0 {
        counts.append("up to \(TerminalLines.count(judges.coming, "request")) on answers to come")
      }
      text += "\(name), judges: \(counts.joined(separator: " and ")), "
      text += Self.cost([Self.estimate(judges)]) + "\n" + Self.places(judges.known)
    }
    let coming = judgeDrafts.reduce(0) { $0 + $1.coming }
    let total =
      drafts.reduce(coming) { $0 + $1.draft.requests.count }
      + judgeDrafts.reduce(0) { $0 + $1.known.requests.count }
    if drafts.count > 1 {
      text += "In all: \(coming > 0 ? "up to " : "")\(TerminalLines.count(total, "request")), "
      text += Self.cost(estimates) + "\n"
    }
    return text
  }

  /// Which cases are sent where.
  private static func places(_ draft: RecordingSession.Draft) -> String {
    var text = ""
    for (backend, requests) in Dictionary(grouping: draft.requests, by: \.request.backend)
      .sorted(by: { $0.key < $1.key })
    {
      let cases = requests.map(\.hints.testCase)
      let shown = cases.prefix(5).map { TerminalText.visible($0) }.joined(separator: ", ")
      let rest = cases.count > 5 ? " and \(cases.count - 5) more" : ""
      text += "  to \(TerminalText.visible(backend)): \(shown)\(rest)\n"
    }
    return text
  }

  /// What something would cost in US dollars, or why that cannot be told.
  private typealias CostEstimate = (cost: Double?, unknown: String?)

  private static func estimate(_ draft: RecordingSession.Draft) -> CostEstimate {
    (draft.cost, draft.unknown)
  }

  private static func estimate(_ draft: RecordingSession.JudgeDraft) -> CostEstimate {
    (draft.cost, draft.unknown)
  }

  private var estimates: [CostEstimate] {
    drafts.map { Self.estimate($0.draft) } + judgeDrafts.map { Self.estimate($0) }
  }

  private static func cost(_ estimates: [CostEstimate]) -> String {
    if let reason = estimates.lazy.compactMap(\.unknown).first { return "cost unknown: \(reason)" }
    let sum = estimates.compactMap(\.cost).reduce(0, +)
    return "about \(NumberText.text(sum, .money)) at today's prices"
  }

  /// Refuses to send what would cost more than was allowed, or nobody knows how much.
  func requireWithinBudget() throws {
    guard let limit, !isEmpty else { return }
    let shown = NumberText.text(limit, .money)
    if let reason = estimates.lazy.compactMap(\.unknown).first {
      Console.error(
        """
        sluice: error: what the answers would cost is unknown, so --max-cost cannot be kept: \(reason)
          fix: add the model to the price file, or record a case first: --case ID

        """
      )
      throw Sluice.ExitCode.usage
    }
    let sum = estimates.compactMap(\.cost).reduce(0, +)
    if sum > limit {
      Console.error(
        """
        sluice: error: the answers would cost about \(NumberText.text(sum, .money)), more than \(shown)
          fix: raise --max-cost, or record less: --case ID, --tag TAG

        """
      )
      throw Sluice.ExitCode.usage
    }
  }

  // MARK: Sending

  /// Sends everything.
  ///
  /// - Throws: ``ExitCode/interrupted`` after Ctrl-C, or why nothing could be kept.
  func send() async throws {
    if isEmpty {
      for (suite, _) in drafts {
        let name = TerminalText.visible(suite.plan.name)
        Console.output("\(name): \(Self.nothingToAsk("answer", unanswered: 0))\n")
      }
      return
    }
    let meter = project.meter(cost: limit)
    let backends = try project.connect(meter)
    var unanswered: [Int] = []
    for (suite, draft) in drafts {
      let before = failed.count + unsent
      try await send(suite, "answer", draft, backends, meter)
      unanswered.append(failed.count + unsent - before)
    }
    // Judges are asked about what came, too.
    var asked: [ProjectPath: Set<Recording.Slot>] = [:]
    for (index, ((suite, _), planned)) in zip(drafts, judgeDrafts).enumerated()
    where !planned.isEmpty {
      let session = project.recording(suite, isScratch: isScratch)
      let dataset = suite.plan.datasetPath
      let draft = session.judgeDraft(
        selection,
        besides: asked[dataset] ?? [],
        DiagnosticCollector()
      ).known
      asked[dataset, default: []].formUnion(draft.requests.map(\.slot))
      try await send(suite, "verdict", draft, backends, meter, unanswered: unanswered[index])
    }
  }

  /// Says why nothing has to be asked.
  ///
  /// - Parameters:
  ///   - noun: What is asked for: an answer, or a verdict about one.
  ///   - unanswered: The number of answers that the call could not get.
  /// - Returns: The reason, without a full stop.
  static func nothingToAsk(_ noun: String, unanswered: Int) -> String {
    if noun == "answer" { return "nothing is missing" }
    if unanswered == 0 { return "no verdict is missing" }
    return "no verdicts to record: \(TerminalLines.count(unanswered, "answer")) missing"
  }

  private func send(
    _ suite: ResolvedSuite,
    _ noun: String,
    _ draft: RecordingSession.Draft,
    _ backends: [String: any Backend],
    _ meter: Meter,
    unanswered: Int = 0
  ) async throws {
    let name = TerminalText.visible(suite.plan.name)
    if draft.requests.isEmpty {
      return Console.output("\(name): \(Self.nothingToAsk(noun, unanswered: unanswered))\n")
    }
    let session = project.recording(suite, isScratch: isScratch)
    let what = suite.plan.name + (noun == "verdict" ? ", judges" : "")
    let line = LiveLine(what, of: draft.requests.count, meter)
    let (result, wasInterrupted) = await Interruption.guarding {
      () async -> Result<RecordingSession.Outcome, PendingRecordings.Refusal> in
      do throws(PendingRecordings.Refusal) {
        return .success(
          try await session.record(
            draft,
            backends: backends,
            onProgress: { now in line.update { $0 = now } }
          )
        )
      } catch {
        return .failure(error)
      }
    }
    line.finish()
    let outcome: RecordingSession.Outcome
    switch result {
    case .success(let success): outcome = success
    case .failure(let refusal): throw project.refusal(refusal)
    }
    let recorder = outcome.recorder
    recorded += recorder.recorded
    failed += recorder.failures.map(\.request.hints.testCase)
    unsent += recorder.unsent
    Console.output(
      "\(name): recorded \(recorder.recorded) of \(TerminalLines.count(draft.requests.count, noun))"
        + (recorder.cost.map { $0 > 0 ? ", cost \(NumberText.text($0, .money))" : "" } ?? "") + "\n"
    )
    if let error = recorder.fileError { throw error }
    if wasInterrupted {
      Console.error("sluice: interrupted; what came is kept\n")
      throw Sluice.ExitCode.interrupted
    }
    Self.tell(
      recorder.failures,
      of: draft.requests.count,
      unsent: recorder.unsent,
      isOption: limit != nil
    )
  }

  /// The numbers of failures, and of cases of one, that are shown.
  private static let shownFailures = 5

  /// Says which answers did not come, and why: each reason once.
  ///
  /// - Parameters:
  ///   - failures: The requests without an answer.
  ///   - total: How many requests there were.
  ///   - unsent: How many were not sent.
  ///   - isOption: Whether the command line limits the cost, and not only `sluice.yaml`.
  static func tell(
    _ failures: [(request: RecordingRequest, error: BackendError)],
    of total: Int,
    unsent: Int,
    isOption: Bool
  ) {
    // Requests that were no longer sent follow from earlier failures.
    let first = failures.filter { $0.error.kind != .endpointDown }
    let skipped = first.isEmpty ? 0 : failures.count - first.count
    var messages: [String] = []
    var cases: [String: [String]] = [:]
    for (request, error) in first.isEmpty ? failures : first {
      if cases[error.message] == nil { messages.append(error.message) }
      cases[error.message, default: []].append(request.hints.testCase)
    }
    for message in messages.prefix(shownFailures) {
      let names = cases[message] ?? []
      let subject =
        names.count == 1
        ? TerminalText.visible(names[0])
        : "\(names.count) of \(TerminalLines.count(total, "request"))"
      Console.error("  \(subject): \(TerminalText.visible(message))\n")
      if names.count > 1 {
        let more = names.count > shownFailures ? " and \(names.count - shownFailures) more" : ""
        let list = names.prefix(shownFailures).map(TerminalText.visible).joined(separator: ", ")
        Console.error("    \(list)\(more)\n")
      }
    }
    let others = messages.dropFirst(shownFailures).reduce(0) { $0 + (cases[$1]?.count ?? 0) }
    if others > 0 { Console.error("  and \(others) more\n") }
    if skipped > 0 { Console.error("  \(skipped) not sent after that\n") }
    if let error = (first.first ?? failures.first)?.error {
      Console.error("  fix: \(TerminalText.visible(error.wayOut))\n")
    }
    let budget = isOption ? "--max-cost" : "the budget in sluice.yaml"
    if unsent > 0 { Console.error("  \(unsent) not sent: \(budget) is used up\n") }
  }

  // MARK: After

  /// The options that record what is left: of all answers those that did not come.
  private var again: RecordingOptions {
    var again = options
    if options.all, unsent == 0, failed.count <= 10 {
      again.cases = failed.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      again.tags = []
    }
    return again
  }

  /// What to do next, with commands to copy.
  var next: String {
    let names = project.suiteNames.map(ShellText.quoted)
    func command(_ words: String) -> String {
      "\(([words] + names).joined(separator: " "))"
    }
    var text = ""
    if hasFailures {
      text += "Next: put right what failed, then run the command again:\n"
      text += "  \(command("sluice record"))\(project.trying.options)\(again.text)"
      text += isScratch ? " --scratch\n" : "\n"
    }
    if recorded == 0 { return text }
    if isScratch {
      text += "Next: judge the answers, which are in reports/scratch/:\n"
      return text + "  \(command("sluice run"))\(project.trying.options) --scratch\n"
    }
    text += "The answers are pending until the set is accepted or rejected as a whole.\n"
    text += "Next: read them, and judge them:\n"
    text += "  \(command("sluice recordings review"))\n"
    text += "  \(command("sluice run"))\(project.trying.options)\n"
    text += "Then accept or reject the set:\n"
    text += "  \(command("sluice recordings accept"))\n"
    text += "  \(command("sluice recordings reject"))\n"
    return text
  }
}

extension Project {
  /// Says why recordings cannot be changed.
  func refusal(_ refusal: PendingRecordings.Refusal) -> any Error {
    switch refusal {
    case .busy(let path):
      Console.error(
        """
        sluice: error: another sluice is at work on \(TerminalText.visible(path.description))
          fix: wait until it has ended, then run the command again

        """
      )
      return Sluice.ExitCode.failure
    case .halfAccepted(let path):
      let name = TerminalText.visible(path.description)
      Console.error(
        """
        sluice: error: the set was being accepted when sluice was stopped: its answers are in \(name)
          fix: finish it with 'sluice recordings accept'; to undo it, restore that file from version \
        control first

        """
      )
      return Sluice.ExitCode.usage
    case .damaged(let diagnostics):
      printDiagnostics(diagnostics)
      return Sluice.ExitCode.usage
    case .file(let error): return error
    }
  }

  /// Refuses to judge answers that nobody has accepted, in CI.
  ///
  /// - Throws: ``ExitCode/usage`` after saying what to do.
  func requireNothingPendingInCI() throws {
    guard surroundings.isContinuousIntegration else { return }
    try requireNothingPending(because: "CI judges accepted recordings only")
  }

  /// Refuses to go on while a set of recordings is pending.
  ///
  /// - Throws: ``ExitCode/usage`` after saying what to do.
  func requireNothingPending(because reason: String) throws {
    let waiting = pendingRecordings.filter(\.exists)
    if waiting.isEmpty { return }
    for pending in waiting {
      Console.error(
        """
        \(TerminalText.visible(pending.path.description)): error: a pending set of recordings: \(reason)
          fix: read it with 'sluice recordings review', then accept or reject it

        """
      )
    }
    throw Sluice.ExitCode.usage
  }

  /// The places where answers of the loaded suites' datasets may wait, each once: through the suites'
  /// backends, and through any other that something was recorded through.
  var pendingRecordings: [PendingRecordings] {
    var seen: Set<ProjectPath> = []
    return loaded.suites.map(\.plan).flatMap { plan in
      let others = PendingRecordings.backends(of: plan.datasetPath, in: surroundings.files)
      return (plan.backends.map(\.name) + others).map { backend in
        PendingRecordings(dataset: plan.datasetPath, backend: backend, files: surroundings.files)
      }
    }.filter { seen.insert($0.path).inserted }
  }
}

extension Project {
  /// What records a suite of the project.
  fileprivate func recording(_ suite: ResolvedSuite, isScratch: Bool) -> RecordingSession {
    RecordingSession(suite.plan, surroundings: surroundings, isScratch: isScratch)
  }
}
