import SluiceGating

/// The output of the commands that record: forecast, failures and next steps.
package enum TerminalSending {
  // MARK: Before

  /// Returns the forecast by suite.
  package static func text(_ forecast: RecordingForecast) -> String {
    var text = ""
    for suite in forecast.suites {
      let name = TerminalText.visible(suite.name)
      for (backend, path) in suite.outputs {
        text +=
          TerminalText.visible(
            "\(suite.name): answers of \(backend) come from \(path); nothing is sent for them"
          ) + "\n"
      }
      if suite.answers.isEmpty, suite.judges.isEmpty {
        if !suite.hasOnlyOutputs { text += "\(name): nothing to send\n" }
        continue
      }
      if !suite.answers.isEmpty {
        text += "\(name): \(TerminalLines.count(suite.answers.known, "request")), "
        text += cost(suite.answers.cost, suite.answers.unknown) + "\n" + places(suite.answers)
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
      text += "\(name), judges: \(counts.joined(separator: " and ")), "
      text += cost(suite.judges.cost, suite.judges.unknown) + "\n" + places(suite.judges)
    }
    if forecast.suites.count > 1 {
      text += "In total: \(forecast.isUpperBound ? "up to " : "")"
      text += "\(TerminalLines.count(forecast.total, "request")), "
      text += cost(forecast.cost, forecast.unknown) + "\n"
    }
    return text
  }

  /// Returns the cases to send, by backend.
  private static func places(_ part: RecordingForecast.Part) -> String {
    part.places.map { backend, cases in
      let shown = cases.prefix(5).map { TerminalText.visible($0) }.joined(separator: ", ")
      let rest = cases.count > 5 ? " and \(cases.count - 5) more" : ""
      return "  to \(TerminalText.visible(backend)): \(shown)\(rest)\n"
    }.joined()
  }

  private static func cost(_ cost: Double?, _ unknown: String?) -> String {
    if let unknown { return "cost unknown: \(unknown)" }
    return "about \(NumberText.text(cost ?? 0, .money)) at today's prices"
  }

  /// Returns the message and fix for a forecast beyond a limit, or `nil` if it is within the limit.
  ///
  /// - Parameters:
  ///   - forecast: The requests that would be sent.
  ///   - limit: The limit on the cost in US dollars.
  /// - Returns: The message and its fix.
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

  /// Returns the reason why nothing is sent for a suite, in a line for each file, or for all.
  package static func nothingToSend(_ plan: SuitePlan) -> String {
    var lines = plan.outputPaths.map { backend, path in
      "\(plan.name): answers of \(backend) come from \(path), so there is nothing to record"
    }
    if !plan.hasOnlyOutputs { lines.append("\(plan.name): \(nothingToAsk("answer"))") }
    return lines.map { TerminalText.visible($0) + "\n" }.joined()
  }

  /// Returns the reason why no request is needed.
  ///
  /// - Parameters:
  ///   - noun: The kind of request: for an answer, or for a verdict about one.
  ///   - unanswered: The number of answers that the call could not get.
  /// - Returns: The reason, without a full stop.
  package static func nothingToAsk(_ noun: String, unanswered: Int = 0) -> String {
    if noun == "answer" { return "nothing is missing" }
    if unanswered == 0 { return "no verdict is missing" }
    return "no verdicts to record: \(TerminalLines.count(unanswered, "answer")) missing"
  }

  /// The numbers of failures, and of cases for each, to show.
  private static let shownFailures = 5

  /// Returns the missing answers by reason.
  ///
  /// - Parameters:
  ///   - failures: The requests without an answer.
  ///   - total: The number of requests.
  ///   - unsent: The number of requests that were not sent.
  ///   - isOption: True if the command line limits the cost, not only `sluice.yaml`.
  /// - Returns: The lines.
  package static func failures(
    _ failures: [(request: RecordingRequest, error: BackendError)],
    of total: Int,
    unsent: Int,
    isOption: Bool
  ) -> String {
    // Requests that were no longer sent follow from earlier failures.
    let first = failures.filter { $0.error.kind != .endpointDown }
    let skipped = first.isEmpty ? 0 : failures.count - first.count
    var messages: [String] = []
    var cases: [String: [String]] = [:]
    for (request, error) in first.isEmpty ? failures : first {
      if cases[error.message] == nil { messages.append(error.message) }
      cases[error.message, default: []].append(request.hints.testCase)
    }
    var text = ""
    for message in messages.prefix(shownFailures) {
      let names = cases[message] ?? []
      let subject =
        names.count == 1
        ? TerminalText.visible(names[0])
        : "\(names.count) of \(TerminalLines.count(total, "request"))"
      text += "  \(subject): \(TerminalText.visible(message))\n"
      if names.count > 1 {
        let more = names.count > shownFailures ? " and \(names.count - shownFailures) more" : ""
        let list = names.prefix(shownFailures).map(TerminalText.visible).joined(separator: ", ")
        text += "    \(list)\(more)\n"
      }
    }
    let others = messages.dropFirst(shownFailures).reduce(0) { $0 + (cases[$1]?.count ?? 0) }
    if others > 0 { text += "  and \(others) more\n" }
    if skipped > 0 { text += "  \(skipped) not sent after these failures\n" }
    if let error = (first.first ?? failures.first)?.error {
      text += "  fix: \(TerminalText.visible(error.wayOut))\n"
    }
    let budget = isOption ? "--max-cost" : "the budget in sluice.yaml"
    if unsent > 0 { text += "  \(unsent) not sent: \(budget) is used up\n" }
    return text
  }

  // MARK: After

  /// The outcome of a recording, which decides the next steps.
  package struct Ending {
    package var hasFailures: Bool
    package var recorded: Int
    package var isScratch: Bool
    /// The suites as named on the command line.
    package var suites: [String]
    /// The options that override the suites, with a space before each.
    package var overrides: String
    /// The options to record the missing answers, with a space before each.
    package var again: String
    /// The filter on the recorded cases.
    package var filter: CaseFilter

    package init(
      hasFailures: Bool,
      recorded: Int,
      isScratch: Bool,
      suites: [String],
      overrides: String,
      again: String,
      filter: CaseFilter = CaseFilter()
    ) {
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
      text += "  \(command("sluice record"))\(ending.overrides)\(ending.again)"
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
