/// What judges did, in the words that all reports share.
enum JudgeText {
  /// A judge in a line, such as "judge (advisory): 8 requests, 1240 tokens, $0.0042; verdicts of …".
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
}

extension JudgeSummary {
  /// What `report.json` has of it.
  var json: JSONValue {
    [
      "backend": .string(backend), "advisory": true, "requests": .number(Double(requests)),
      "tokens": tokens.map { .number(Double($0)) } ?? .null,
      "cost": cost.map(JSONValue.number) ?? .null, "missing": .number(Double(missing)),
      "answered-by": .array(provenances.map { .object($0.json) }),
    ]
  }
}
