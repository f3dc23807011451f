internal import Sluice

/// The recording of answers for the selected suites: the forecast, the requests and the next steps.
final class RecordingRun {
  private let project: Project
  private let isScratch: Bool
  private let options: RecordingOptions
  let plan: RecordingPlan
  private var failed: [String] = []
  private var unsent = 0
  private var recorded = 0

  /// The number of answers and verdicts recorded so far.
  var recordedCount: Int { recorded }

  /// Collects the requests to send.
  ///
  /// - Parameters:
  ///   - project: The project.
  ///   - options: The answers to record.
  ///   - isScratch: True to store the answers as scratch answers, separately from the committed
  ///     ones.
  ///   - asksJudges: True to also record the judges' verdicts on the answers.
  /// - Throws: ``ExitCode/usage`` after reporting damaged lines in recordings. Rewriting a file
  ///   would lose its damaged lines.
  init(
    _ project: Project,
    _ options: RecordingOptions,
    isScratch: Bool,
    asksJudges: Bool = true
  ) throws {
    self.project = project
    self.isScratch = isScratch
    self.options = options
    plan = RecordingPlan(
      project.loaded.suites,
      options.selection(now: project.surroundings.now()),
      project.surroundings,
      isScratch: isScratch,
      asksJudges: asksJudges
    )
    project.printDiagnostics(plan.diagnostics)
    if plan.hasErrors { throw Sluice.ExitCode.usage }
  }

  var isEmpty: Bool { plan.forecast.isEmpty }
  var hasFailures: Bool { missedCount > 0 }

  /// The text of the forecast: the requests of each suite, with their cost.
  var forecast: String { TerminalSending.text(plan.forecast) }

  /// Checks that the forecast cost is known and within the limit.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting the problem.
  func requireWithinBudget() throws {
    guard let limit = options.maxCost, !isEmpty,
      let fault = TerminalSending.budgetFault(plan.forecast, limit: limit)
    else { return }
    throw project.refusal(fault.message, fault.fix)
  }

  /// Sends all requests.
  ///
  /// - Throws: ``ExitCode/interrupted`` after Ctrl-C, or an error if an answer could not be stored.
  ///   After an error, no further request is sent.
  func send() async throws {
    if isEmpty {
      for entry in plan.entries {
        Console.output(TerminalSending.nothingToSend(entry.suite.plan))
      }
      return
    }
    try await project.keepingPrograms { try await send($0) }
  }

  private func send(_ programs: RunningPrograms) async throws {
    let meter = project.meter(cost: options.maxCost)
    let backends = try project.connect(meter, programs)
    var unanswered: [Int] = []
    for entry in plan.entries {
      let before = missedCount
      try await send(entry.suite, "answer", entry.answers, backends, meter)
      unanswered.append(missedCount - before)
    }
    // Plan the judges' requests only now, since they include the new answers.
    for (place, draft) in plan.verdicts() {
      let suite = plan.entries[place].suite
      try await send(suite, "verdict", draft, backends, meter, unanswered: unanswered[place])
    }
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
      let reason = TerminalSending.nothingToAsk(noun, unanswered: unanswered)
      return Console.output("\(name): \(reason)\n")
    }
    let session = plan.session(suite)
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
      Console.error("sluice: interrupted; the answers received so far were saved\n")
      throw Sluice.ExitCode.interrupted
    }
    Console.error(
      TerminalSending.failures(
        recorder.failures,
        of: draft.requests.count,
        unsent: recorder.unsent,
        isOption: options.maxCost != nil
      )
    )
  }

  /// The options of the command that records the missing answers.
  ///
  /// If the user set `--all` and at most 10 requests failed, the options name only the cases of
  /// these requests.
  private var again: RecordingOptions {
    var again = options
    if options.all, unsent == 0, failed.count <= 10 {
      again.selection.cases = failed.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      (again.selection.tags, again.selection.first) = ([], nil)
    }
    return again
  }

  /// The number of answers and verdicts that were requested and not recorded.
  var missedCount: Int { failed.count + unsent }

  /// Returns the text of the next steps, with commands to copy.
  ///
  /// - Parameter command: The command to repeat after a failure.
  /// - Returns: The text.
  func next(after command: String = "sluice record") -> String {
    TerminalSending.next(
      TerminalSending.Ending(
        command: command,
        hasFailures: hasFailures,
        recorded: recorded,
        isScratch: isScratch,
        suites: project.suiteNames,
        overrides: project.overrides.options,
        again: again.text,
        filter: options.selection.filter
      )
    )
  }
}

extension Project {
  /// Prints the reason why recordings cannot be changed, and returns the exit code.
  func refusal(_ refusal: PendingRecordings.Refusal) -> any Error {
    switch refusal {
    case .busy(let path):
      return Console.refusal(
        "another sluice process is using \(path)",
        "wait until it ends, then run the command again",
        code: .failure
      )
    case .halfAccepted(let path):
      return Console.refusal(
        "an earlier command was stopped while it accepted the set; the set's answers are already in "
          + "\(path)",
        "finish with 'sluice recordings accept'; to reject the set, first restore that file from "
          + "version control"
      )
    case .damaged(let diagnostics):
      printDiagnostics(diagnostics)
      return Sluice.ExitCode.usage
    case .file(let error): return error
    }
  }

  /// In CI, checks that there are no pending answers.
  ///
  /// Elsewhere, warns of sets that were accepted only in part.
  ///
  /// - Throws: ``ExitCode/usage`` after printing an error and its fix.
  func requireNothingPendingInCI() throws {
    guard surroundings.isContinuousIntegration else {
      for pending in pendingRecordings where pending.isHalfAccepted {
        Console.error(
          "\(TerminalText.visible(pending.path.description)): warning: \(Self.halfAccepted)\n"
        )
      }
      return
    }
    try requireNothingPending(because: "CI judges only accepted recordings")
  }

  /// Checks that no set of recordings is pending.
  ///
  /// - Throws: ``ExitCode/usage`` after printing an error and its fix.
  func requireNothingPending(because reason: String) throws {
    let waiting = pendingRecordings.filter(\.exists)
    if waiting.isEmpty { return }
    for pending in waiting {
      let path = TerminalText.visible(pending.path.description)
      Console.error(
        pending.isHalfAccepted
          ? "\(path): error: \(Self.halfAccepted)\n"
          : """
          \(path): error: a set of recordings is pending; \(reason)
            fix: read it with 'sluice recordings review', then accept or reject it

          """
      )
    }
    throw Sluice.ExitCode.usage
  }

  private static let halfAccepted =
    "accepting was interrupted\n  fix: finish with: sluice recordings accept"

  /// The sets of pending recordings for the loaded suites' datasets, without duplicates.
  ///
  /// This includes sets of backends that no loaded suite uses.
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
