import SluiceGating

/// The figures that could not be measured, described once for a whole run.
enum UnmeasuredText {
  private static let shownSuites = 3

  /// Returns a sentence for each reason why figures are unknown.
  ///
  /// An example is "Latency, tokens and cost unknown: the answers came through files".
  static func notes(_ suites: [SuiteResult]) -> [String] {
    var order: [String] = []
    var figures: [String: [String]] = [:]
    var names: [String: [String]] = [:]
    func note(_ figure: String, _ reason: String, _ suite: SuiteResult) {
      if figures[reason] == nil { order.append(reason) }
      if figures[reason]?.contains(figure) != true { figures[reason, default: []].append(figure) }
      if names[reason]?.contains(suite.name) != true {
        names[reason, default: []].append(suite.name)
      }
    }
    for suite in suites {
      for column in suite.columns where column.lost < column.trials.count {
        for (figure, reason) in reasons(column) { note(figure, reason, suite) }
      }
    }
    return order.map { reason in
      let suitesOf = names[reason] ?? []
      var text = "\(list(figures[reason] ?? [])) unknown: \(reason)"
      text = text.prefix(1).uppercased() + text.dropFirst()
      guard suites.count > 1, suitesOf.count < suites.count else { return text }
      return suitesOf.count > shownSuites
        ? "\(text) (\(suitesOf.count) of \(suites.count) suites)"
        : "\(text) (\(suitesOf.joined(separator: ", ")))"
    }
  }

  /// Returns the unknown figures of a column, with the reasons.
  private static func reasons(_ column: ColumnResult) -> [(figure: String, reason: String)] {
    let cost = column.metrics.first { $0.name == "sum(cost)" }?.estimate
    let tokens = column.metrics.first { $0.name == "mean(tokens)" }?.estimate
    let lacks = [
      column.unmeasuredTimes.map { ("latency", $0) },
      tokens?.value == nil ? tokens?.unknown.map { ("tokens", $0) } : nil,
      cost?.value == nil ? cost?.unknown.map { ("cost", $0) } : nil,
    ].compactMap(\.self)
    let isThroughFiles = column.provenances.contains { $0.via == .files }
    return lacks.map { figure, reason in
      let isElsewhere = reason == column.unmeasuredTimes || figure == "tokens"
      return (figure, isThroughFiles && isElsewhere ? "the answers came through files" : reason)
    }
  }

  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " and \(words[words.count - 1])"
  }
}
