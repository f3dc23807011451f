import SluiceGating

/// The backends of a project and the results of checking them, for a terminal that is 80 characters
/// wide.
package struct TerminalBackends {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  // MARK: The list

  /// Returns a table of the backends: name, type, address, model and key.
  ///
  /// If a row does not fit into a line, each backend has several lines instead.
  ///
  /// - Parameters:
  ///   - backends: The backends.
  ///   - environment: The environment variables, in which the keys are looked up.
  /// - Returns: The lines.
  package func list(_ backends: [BackendDefinition], environment: [String: String]) -> String {
    let rows = backends.map { backend in
      let isSent = !backend.isAskedThroughFiles
      return [
        backend.name, backend.typeName, isSent ? backend.place : "through files",
        backend.model ?? "not given", isSent ? Self.key(of: backend, environment) : "not needed",
      ]
    }
    let columns = ["name", "type", "where", "model", "key"].map { ScreenTable.Column(title: $0) }
    return TerminalLines.text(ScreenTable(columns, rows, style).lines)
  }

  private static func key(of backend: BackendDefinition, _ environment: [String: String]) -> String
  {
    switch backend.key?.source {
    case .variable(let variable):
      let isSet = environment[variable].map { !$0.isEmpty } ?? false
      return "\(variable) is \(isSet ? "set" : "not set")"
    // A list does not run the command that returns the key.
    case .command(let command): return "from the command \(command.program)"
    case nil: return "none"
    }
  }

  // MARK: A check

  /// Returns the result of checking a backend.
  package func text(_ check: BackendCheck) -> String {
    let name = TerminalText.visible(check.backend.name)
    var lines: [String]
    switch check.outcome {
    case .success(let answer):
      lines = ["\(style.bold(name))  \(style.verdict("answers", .pass))"]
      lines += facts(check, answer)
    case .failure(let error):
      lines = ["\(style.bold(name))  \(style.verdict("no answer", .fail))"]
      lines += fact("where", check.backend.place)
      lines += fact("asked", question(check))
      lines += fact("error", "\(error.message) (\(error.kind.rawValue))")
      lines += fact("fix", error.fix)
      if let wait = error.retryAfter {
        lines += fact(
          "wait",
          "\(NumberText.text(wait.milliseconds, .time)), according to the server"
        )
      } else if error.canRetry {
        lines += fact("again", "may be temporary: a run would retry")
      }
      // A server that sent no answer usually sent no limits, so do not report them as missing.
      if !check.limits.isEmpty { lines += limits(check) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the numbers of rows in a backend's output file for the suites that use it.
  package func text(of backend: BackendDefinition, for plans: [SuitePlan]) -> String {
    let missing = plans.map { $0.missingRows(of: backend.name) }
    let isWhole = !plans.isEmpty && missing.allSatisfy { $0 == 0 }
    let word = isWhole ? "answers" : plans.isEmpty ? "not used" : "rows are missing"
    let name = style.bold(TerminalText.visible(backend.name))
    var lines = ["\(name)  \(style.verdict(word, isWhole ? .pass : .noVerdict))"]
    lines += fact("file", backend.place)
    lines += fact("asked", "nothing, because the answers are in a file")
    guard let file = plans.lazy.compactMap({ $0.outputs[backend.name] }).first else {
      lines += fact("fix", "name the backend under 'backend' in a suite.yaml")
      return lines.map { $0 + "\n" }.joined()
    }
    lines += fact("digest", "SHA-256 \(file.digest)")
    lines += fact("rows", file.count.withThousands)
    for (plan, missing) in zip(plans, missing) {
      let answers = TerminalLines.count(plan.trialCount / plan.backends.count, "answer")
      let lacking = missing == 0 ? "none missing" : "\(missing) missing"
      lines += fact("suite", "\(plan.name): \(answers) needed, \(lacking)")
    }
    if !isWhole {
      lines += fact("fix", "add a row for each case; sluice run lists the cases without one")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func facts(_ check: BackendCheck, _ answer: ModelResponse) -> [String] {
    var lines = fact("where", answer.provenance.host ?? check.backend.place)
    lines += fact("asked", question(check))
    var ended = answer.finishReason.map { " (ending: \($0))" } ?? ""
    if !answer.toolCalls.isEmpty { ended += ", with function calls" }
    let said = answer.text.map { "\"\(TerminalText.cut(TerminalText.visible($0), to: 40))\"" }
    lines += fact("answer", (said ?? answer.refusal.map { "refused: \($0)" } ?? "no text") + ended)
    if let standIn = answer.provenance.standIn {
      lines += fact("by", "\(standIn), which reports that it is a stand-in, not a model")
    }
    lines += fact("model", model(check, answer))
    lines += fact("usage", Self.usage(answer.usage))
    lines += fact("price", price(check, answer))
    if let again = probe(.again, check) { lines += fact("again", Self.again(again, answer)) }
    lines += fact("pieces", pieces(check))
    if let schema = probe(.schema, check) { lines += fact("schema", Self.schema(schema)) }
    lines += fact("time", Self.times(answer.timings))
    return lines + limits(check)
  }

  private func question(_ check: BackendCheck) -> String {
    "\(check.backend.typeName), \(check.question)"
  }

  private func model(_ check: BackendCheck, _ answer: ModelResponse) -> String {
    switch (answer.provenance.model, check.backend.model) {
    case (let said?, let asked?) where said == asked: "\(said), as requested"
    case (let said?, let asked?): "\(said); requested: \(asked)"
    case (let said?, nil): said
    case (nil, let asked?): "not given; requested: \(asked)"
    case (nil, nil): "not given"
    }
  }

  private static func usage(_ usage: TokenUsage?) -> String {
    guard let usage, usage.input != nil || usage.output != nil else {
      return "none sent, so tokens and cost stay unknown"
    }
    func count(_ tokens: Int?, _ word: String) -> String? { tokens.map { "\($0) \(word)" } }
    return [
      "tokens: " + (count(usage.input, "in") ?? "in unknown"), count(usage.cachedInput, "cached"),
      count(usage.output, "out") ?? "out unknown", count(usage.reasoning, "for reasoning"),
    ]
    .compactMap(\.self).joined(separator: ", ")
  }

  private func price(_ check: BackendCheck, _ answer: ModelResponse) -> String {
    var words: String
    switch check.pricing {
    case .cost(let cost): words = "known: this answer cost \(NumberText.text(cost, .money))"
    case .unknown(.usage), nil: words = "unknown, because no usage was sent"
    case .unknown(.model):
      words = "unknown: the price file of sluice.yaml has no price for the model"
    case .unknown(let lack): words = "unknown: \(lack.reason)"
    }
    if let reported = answer.reportedCost {
      words += "; the server reports \(NumberText.text(reported, .money))"
    }
    return words
  }

  private func probe(_ kind: BackendCheck.Probe.Kind, _ check: BackendCheck)
    -> BackendCheck.Probe?
  {
    check.probes.first { $0.kind == kind }
  }

  /// Returns a sentence on the result of sending the same request again.
  private static func again(_ probe: BackendCheck.Probe, _ first: ModelResponse) -> String {
    switch probe.outcome {
    case .failure(let error): refusal(error)
    case .success(let second) where second.text == first.text: "the same request, the same answer"
    case .success(let second):
      "the same request, another answer: "
        + (second.text.map { "\"\(TerminalText.cut(TerminalText.visible($0), to: 40))\"" }
          ?? "no text")
    }
  }

  private static func schema(_ probe: BackendCheck.Probe) -> String {
    switch probe.outcome {
    case .failure(let error): refusal(error)
    case .success where probe.fitsSchema: "accepted, and the answer matches it"
    case .success(let answer):
      "accepted, but the answer does not match it: "
        + "\"\(TerminalText.cut(TerminalText.visible(answer.text ?? ""), to: 40))\""
    }
  }

  private static func refusal(_ error: BackendError) -> String {
    "\(error.message) (\(error.kind.rawValue))"
  }

  private func pieces(_ check: BackendCheck) -> String {
    if let probe = probe(.pieces, check) {
      switch (probe.outcome, probe.pieces) {
      case (.failure(let error), _): return Self.refusal(error)
      case (_, let count?): return "streaming works: \(TerminalLines.count(count, "piece"))"
      case (_, nil): return "requested, but the answer came as a whole"
      }
    }
    return askedPieces(check)
  }

  private func askedPieces(_ check: BackendCheck) -> String {
    switch (check.isStreamed, check.pieces) {
    case (true, let count?): "streaming works: \(TerminalLines.count(count, "piece"))"
    case (true, nil): "requested, but the answer came as a whole"
    case (false, .some): "not requested, but the answer was streamed"
    case (false, nil):
      check.backend.canStream ? "not tested; to test it, add --stream" : "programs do not stream"
    }
  }

  private static func times(_ timings: ResponseTimings) -> String {
    let phases: [(String, Double?)] = [
      ("connect", timings.connect), ("TLS", timings.tls), ("first byte", timings.firstByte),
      ("first text", timings.firstText), ("longest gap", timings.longestGap),
      ("total", timings.total), ("the server's own", timings.server),
    ]
    let known = phases.compactMap { name, time in
      time.map { "\(name) \(NumberText.text($0, .time))" }
    }
    return known.isEmpty ? "unknown" : known.joined(separator: ", ")
  }

  private func limits(_ check: BackendCheck) -> [String] {
    if !check.backend.isServer { return [] }
    if check.limits.isEmpty { return fact("limits", "the server sent none") }
    return check.limits.enumerated().flatMap { index, header in
      fact(index == 0 ? "limits" : "", "\(header.name): \(header.value)")
    }
  }

  private static let indent = 10

  /// Returns a name, followed by a wrapped text.
  private func fact(_ name: String, _ text: String) -> [String] {
    let wrapped = TerminalLines.wrap(TerminalText.visible(text), indent: Self.indent)
    return wrapped.enumerated().map { index, line in
      guard index == 0 else { return line }
      let label = "  " + name
      let space = String(repeating: " ", count: max(1, Self.indent - label.count))
      return style.dim(label) + space + line.drop { $0 == " " }
    }
  }
}
