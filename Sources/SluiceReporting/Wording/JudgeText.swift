import SluiceGating

/// The wording about judges in all reports.
enum JudgeText {
  /// Returns a line about a judge, such as "judge (advisory): 8 requests, 1240 tokens, $0.0042;
  /// verdicts of …".
  static func line(_ judge: JudgeSummary) -> String {
    var text = "\(judge.backend) (advisory): \(TerminalLines.count(judge.requests, "request"))"
    if judge.requests > 0 {
      text += judge.tokens.map { ", \(TerminalLines.count($0, "token"))" } ?? ", tokens unknown"
      text += judge.cost.map { ", \(NumberText.text($0, .money))" } ?? ", cost unknown"
    }
    if !judge.provenances.isEmpty {
      text += "; verdicts of \(judge.provenances.map(\.phrase).joined(separator: "; "))"
    }
    if judge.missing > 0 {
      text += "; \(TerminalLines.count(judge.missing, "answer")) without a recorded verdict"
    }
    return text
  }

  /// Returns a warning about a judge with unreadable replies.
  ///
  /// An example is "the judge 'rubric' gave no readable verdict for 3 of 4 answers; first reply
  /// (case a): …".
  static func warning(_ verdicts: UnreadableVerdicts) -> String {
    var text =
      "the judge '\(verdicts.scorer)' gave no readable verdict for \(verdicts.count) of "
      + TerminalLines.count(verdicts.asked, "answer")
    guard let first = verdicts.first else { return text }
    text += "; first reply (case \(verdicts.caseID)): "
    if let reply = first.text { text += reply.isEmpty ? "nothing; " : "\"\(reply)\"; " }
    return text + first.reason
  }

  /// Returns the fix for unreadable replies, with the command to run afterwards.
  static func fix(_ suite: SuiteResult) -> (advice: String, command: String) {
    let name = [suite].words
    return (
      "tell the judge in its prompt to reply with one JSON object and nothing else, then run:",
      suite.source == .live ? "sluice run --live \(name)" : "sluice record \(name)"
    )
  }

  /// Returns a sentence with the fix for each judge that gave unreadable replies.
  static func notes(_ suite: SuiteResult) -> [String] {
    let (advice, command) = fix(suite)
    return suite.unreadableVerdicts.map { "\(warning($0)). Fix: \(advice) \(command)" }
  }
}

extension UnreadableVerdicts {
  /// The object for `report.json`.
  var json: JSONValue {
    var object: JSONObject = [
      "scorer": .string(scorer), "unreadable": .number(Double(count)),
      "asked": .number(Double(asked)), "case": .string(caseID),
    ]
    for member in first?.json.members ?? [] { object[member.name] = member.value }
    return .object(object)
  }
}

extension JudgeSummary {
  /// The object for `report.json`.
  var json: JSONValue {
    [
      "backend": .string(backend), "advisory": true, "requests": .number(Double(requests)),
      "tokens": tokens.map { .number(Double($0)) } ?? .null,
      "cost": cost.map(JSONValue.number) ?? .null, "missing": .number(Double(missing)),
      "answered-by": .array(provenances.map { .object($0.json) }),
    ]
  }
}
