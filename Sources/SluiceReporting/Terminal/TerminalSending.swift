import SluiceGating

/// The output of commands that send requests to record answers: forecast, failures and next steps.
package enum TerminalSending {
  // MARK: Before

  /// Returns the forecast, with a line for each suite.
  package static func text(_ forecast: RecordingForecast) -> String {
    var lines: [String] = []
    var complete: [String] = []
    func add(_ line: String) { lines += TerminalLines.wrap(line, indent: 0) }
    for suite in forecast.suites {
      let name = suite.name
      for (backend, path) in suite.outputs {
        add("\(name): answers of \(backend) come from \(path); nothing is sent for them")
      }
      if suite.answers.isEmpty, suite.judges.isEmpty {
        if !suite.hasOnlyOutputs { complete.append(name) }
        continue
      }
      if !suite.answers.isEmpty {
        let cost = cost(suite.answers.cost, suite.answers.unknown)
        add("\(name): \(TerminalLines.count(suite.answers.known, "request")), \(cost)")
        lines += places(suite.answers)
      }
      if suite.judges.isEmpty { continue }
      var counts: [String] = []
      if suite.judges.known > 0 {
        counts.append(TerminalLines.count(suite.judges.known, "request"))
      }
      if suite.judges.coming > 0 {
        let coming = TerminalLines.count(suite.judges.coming, "request")
        counts.append("up to \(coming) for answers still to come")
      }
      let cost = cost(suite.judges.cost, suite.judges.unknown)
      add("\(name), judges: \(counts.joined(separator: " and ")), \(cost)")
      lines += places(suite.judges)
    }
    if !complete.isEmpty { add("\(complete.joined(separator: ", ")): nothing to send") }
    if forecast.suites.count > 1, forecast.total > 0 {
      let total = TerminalLines.count(forecast.total, "request")
      let cost = cost(forecast.cost, forecast.unknown)
      add("In total: \(forecast.isUpperBound ? "up to " : "")\(total), \(cost)")
    }
    return TerminalLines.text(lines)
  }

  /// Returns lines that list, for each backend, the cases whose requests would be sent to it.
  private static func places(_ part: RecordingForecast.Part) -> [String] {
    part.places.flatMap { backend, cases in
      let shown = cases.prefix(5).joined(separator: ", ")
      let rest = cases.count > 5 ? " and \(cases.count - 5) more" : ""
      return TerminalLines.wrap("to \(backend): \(shown)\(rest)", indent: 2)
    }
  }

  private static func cost(_ cost: Double?, _ unknown: String?) -> String {
    if let unknown { return "cost unknown: \(unknown)" }
    return "about \(NumberText.text(cost ?? 0, .money)) at today's prices"
  }

  /// Returns an error if the forecast exceeds a cost limit, or `nil` if the cost is within the
  /// limit.
  ///
  /// - Parameters:
  ///   - forecast: The requests that would be sent.
  ///   - limit: The limit on the cost in US dollars.
  /// - Returns: The message and the fix.
  package static func budgetFault(_ forecast: RecordingForecast, limit: Double) -> (
    message: String, fix: String
  )? {
    if let reason = forecast.unknown {
      return (
        "the cost of the answers is unknown, so --max-cost cannot be enforced: \(reason)",
        "add the model to the price file, or record a single case first: --case ID"
      )
    }
    guard let cost = forecast.cost, cost > limit else { return nil }
    let (shown, limit) = (NumberText.text(cost, .money), NumberText.text(limit, .money))
    return (
      "the answers would cost about \(shown), more than \(limit)",
      "raise --max-cost, or record fewer cases: --case ID, --tag TAG"
    )
  }

  // MARK: Meanwhile

  /// Returns the reasons why no request is sent for a suite: its output files, or complete
  /// recordings.
  package static func nothingToSend(_ plan: SuitePlan) -> String {
    var lines = plan.outputPaths.map { backend, path in
      "\(plan.name): answers of \(backend) come from \(path), so there is nothing to record"
    }
    if !plan.hasOnlyOutputs { lines.append("\(plan.name): \(nothingToAsk("answer"))") }
    return TerminalLines.text(lines.flatMap { TerminalLines.wrap($0, indent: 0) })
  }

  /// Returns the reason why no request is needed.
  ///
  /// - Parameters:
  ///   - noun: The kind of request: for an answer or for a judge's verdict.
  ///   - unanswered: The number of answers that the command could not get.
  /// - Returns: The reason, without a period.
  package static func nothingToAsk(_ noun: String, unanswered: Int = 0) -> String {
    if noun == "answer" { return "no answer is missing" }
    if unanswered == 0 { return "no verdict is missing" }
    return "no verdicts to record: \(TerminalLines.count(unanswered, "answer")) missing"
  }

  /// The maximum number of failures to show, and the maximum number of cases to name for each
  /// failure.
  private static let shownFailures = 5

  /// Returns the missing answers by reason.
  ///
  /// - Parameters:
  ///   - failures: The requests without an answer.
  ///   - total: The number of requests.
  ///   - unsent: The number of requests that were not sent.
  ///   - isOption: True if the cost limit is set on the command line, and not only in
  ///     `sluice.yaml`.
  /// - Returns: The lines.
  package static func failures(
    _ failures: [(request: RecordingRequest, error: BackendError)],
    of total: Int,
    unsent: Int,
    isOption: Bool
  ) -> String {
    // Ignore requests that were not sent anymore because of earlier failures.
    let first = failures.filter { $0.error.kind != .endpointDown }
    let skipped = first.isEmpty ? 0 : failures.count - first.count
    var messages: [String] = []
    var cases: [String: [String]] = [:]
    for (request, error) in first.isEmpty ? failures : first {
      if cases[error.message] == nil { messages.append(error.message) }
      cases[error.message, default: []].append(request.hints.testCase)
    }
    var lines: [String] = []
    func add(_ line: String, indent: Int = 2) {
      lines += TerminalLines.wrap(line, indent: indent)
    }
    for message in messages.prefix(shownFailures) {
      let names = cases[message] ?? []
      let subject =
        names.count == 1 ? names[0] : "\(names.count) of \(TerminalLines.count(total, "request"))"
      add("\(subject): \(message)")
      if names.count > 1 {
        let more = names.count > shownFailures ? " and \(names.count - shownFailures) more" : ""
        add("\(names.prefix(shownFailures).joined(separator: ", "))\(more)", indent: 4)
      }
    }
    let others = messages.dropFirst(shownFailures).reduce(0) { $0 + (cases[$1]?.count ?? 0) }
    if others > 0 { add("and \(others) more") }
    if skipped > 0 { add("\(skipped) not sent after these failures") }
    if let error = (first.first ?? failures.first)?.error { add("fix: \(error.fix)") }
    let budget = isOption ? "--max-cost" : "the budget in sluice.yaml"
    if unsent > 0 { add("\(unsent) not sent: \(budget) is used up") }
    return TerminalLines.text(lines)
  }

  // MARK: After

  /// The outcome of a recording, which determines the next steps.
  package struct Ending {
    package var hasFailures: Bool
    package var recorded: Int
    package var isScratch: Bool
    /// The suites as named on the command line.
    package var suites: [String]
    /// The options that override settings of the suites, each preceded by a space.
    package var overrides: String
    /// The options of the command that records the missing answers, each preceded by a space.
    package var again: String
    /// The filter on the cases that were recorded.
    package var filter: CaseFilter
    /// The command that failed, to repeat.
    package var command: String

    package init(
      command: String = "sluice record",
      hasFailures: Bool,
      recorded: Int,
      isScratch: Bool,
      suites: [String],
      overrides: String,
      again: String,
      filter: CaseFilter = CaseFilter()
    ) {
      self.command = command
      self.hasFailures = hasFailures
      self.recorded = recorded
      self.isScratch = isScratch
      self.suites = suites
      self.overrides = overrides
      self.again = again
      self.filter = filter
    }
  }

  /// Returns the next steps, with commands to copy.
  package static func next(_ ending: Ending) -> String {
    let names = ending.suites.map(ShellText.quoted)
    func command(_ words: String) -> String { ([words] + names).joined(separator: " ") }
    var text = ""
    if ending.hasFailures {
      text += "Next: fix the failures, then run:\n"
      text += "  \(command(ending.command))\(ending.overrides)\(ending.again)"
      text += ending.isScratch ? " --scratch\n" : "\n"
    }
    if ending.recorded == 0 { return text }
    var run = command("sluice run") + ending.overrides
    if !ending.filter.isEmpty {
      run += ending.filter.words.map { " " + ShellText.quoted($0) }.joined() + " --show"
    }
    if ending.isScratch {
      text += "Next: judge the answers, which are in reports/scratch/:\n"
      return text + "  \(run) --scratch\n"
    }
    let plural = ending.recorded == 1 ? "" : "s"
    text +=
      "PENDING: \(ending.recorded.withThousands) recording\(plural), until you accept or reject "
      + "the whole set\n"
    text += "Next: read and judge them:\n"
    text += "  \(command("sluice recordings review"))\n"
    text += "  \(run)\n"
    text += "Then accept or reject the set:\n"
    text += "  \(command("sluice recordings accept"))\n"
    text += "  \(command("sluice recordings reject"))\n"
    return text
  }
}
