import SluiceGating

/// The requests that a command sent, in words.
package enum SendingText {
  /// Returns the numbers of requests and answers, with retries, cost and tokens.
  ///
  /// An example is "520 requests for 500 answers: 20 sent again (12 rate-limited, 8 server-error),
  /// 3 repeated without streaming; $0.12; 210,340 tokens".
  package static func text(_ count: SendingTally.Count) -> String {
    let used = count.used
    var text = "\(counted(used.requests, "request")) for \(counted(count.answers, "answer"))"
    if count.verdicts > 0 { text += " and \(counted(count.verdicts, "verdict"))" }
    var reasons: [String] = []
    let again = count.sentAgain.values.reduce(0, +)
    if again > 0 {
      let kinds = count.sentAgain.sorted {
        ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
      }.map { "\($0.value.withThousands) \($0.key.rawValue)" }
      reasons.append("\(again.withThousands) sent again (\(kinds.joined(separator: ", ")))")
    }
    if used.fallbacks > 0 {
      reasons.append("\(used.fallbacks.withThousands) repeated without streaming")
    }
    if count.unanswered > 0 {
      reasons.append("\(count.unanswered.withThousands) without an answer")
    }
    if count.unsent > 0 { reasons.append("\(count.unsent.withThousands) not sent") }
    if !reasons.isEmpty { text += ": \(reasons.joined(separator: ", "))" }
    if let cost = cost(used) { text += "; \(cost)" }
    if used.tokens > 0 { text += "; \(counted(used.tokens, "token"))" }
    return text
  }

  /// Returns the cost of all answers, or `nil` if there are no answers.
  private static func cost(_ used: Meter.Count) -> String? {
    let answers = used.requests - used.failures
    if answers <= 0 { return nil }
    if used.unpriced >= answers { return "cost unknown" }
    let cost = sum(used)
    if used.unpriced == 0 { return cost }
    return "\(cost) and the unknown cost of \(counted(used.unpriced, "answer"))"
  }

  /// Returns the cost of the answers so far in a short form: `$0.012`.
  ///
  /// The text is `over $0.012` if some costs are unknown. It is `nil` if nothing has been paid yet.
  static func briefCost(_ used: Meter.Count) -> String? {
    if used.unpriced > 0 { return used.cost == 0 ? "cost unknown" : "over \(sum(used))" }
    return used.cost == 0 ? nil : sum(used)
  }

  private static func sum(_ used: Meter.Count) -> String {
    var cost = Substring(NumberText.text(used.cost, .money))
    // Remove trailing zeros, but keep two decimals for the cents.
    while cost.hasSuffix("0"), let point = cost.firstIndex(of: "."), cost[point...].count > 3 {
      cost.removeLast()
    }
    return String(cost)
  }

  private static func counted(_ number: Int, _ noun: String) -> String {
    "\(number.withThousands) \(noun)\(number == 1 ? "" : "s")"
  }
}
