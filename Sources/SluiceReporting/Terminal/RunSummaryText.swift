import SluiceGating

/// The result of a run in a sentence or two, for the terminal and for Markdown.
struct RunSummaryText {
  private let result: RunResult
  /// A closure that escapes names, numbers and sentences for the output format.
  private let plain: (String) -> String
  /// A closure that formats a text from a file, such as a condition, as code for the output format.
  private let code: (String) -> String
  private static let shownGates = 3
  private static let shownChanges = 10
  private static let longestName = 100

  init(
    _ result: RunResult,
    _ plain: @escaping (String) -> String = { $0 },
    _ code: @escaping (String) -> String = { $0 }
  ) {
    self.result = result
    self.plain = plain
    self.code = code
  }

  /// The candidates' columns, which determine the verdict, with their suites.
  private var columns: [(suite: SuiteResult, column: ColumnResult)] {
    result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).map { (suite, $0) }
    }
  }

  /// Returns the title of a column: the suite, and the backend if the suite has several.
  static func title(_ suite: SuiteResult, _ column: ColumnResult, _ plain: (String) -> String)
    -> String
  {
    let name = plain(Excerpt.cut(suite.name, to: longestName))
    // All backends of a suite have the same gates, so name the backend if there are several.
    guard suite.columns.count(where: \.isCandidate) > 1 else { return name }
    return "\(name) on \(plain(Excerpt.cut(column.backend, to: longestName)))"
  }

  // MARK: Changes

  /// The credible changes since the baselines, in words; `nil` if there are no baselines.
  var change: String? {
    let compared = columns.filter { $0.column.comparison != nil }
    if compared.isEmpty { return nil }
    let different = compared.filter { $0.column.comparison?.isIdentical == false }
    // Without any answer, there are no pairs to compare.
    let apart = different.filter { $0.column.comparison?.hasPairs == false }
    let changed = different.filter { $0.column.comparison?.hasPairs == true }
    let others = columns.count - compared.count
    var rest = others == 0 ? "" : " \(others) of \(columns.count) have no baseline."
    if apart.count == compared.count {
      return "No answers can be compared with the baseline.\(rest)"
    }
    if !apart.isEmpty {
      let names = apart.prefix(Self.shownGates).map { Self.title($0.suite, $0.column, plain) }
      let more = apart.count - names.count
      rest =
        " No answers of \(names.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "") "
        + "can be compared.\(rest)"
    }
    if changed.isEmpty {
      let all = apart.isEmpty ? "All answers" : "All other answers"
      return "\(all) are identical to the baseline.\(rest)"
    }
    func count(_ flip: OutcomeFlip) -> Int {
      changed.reduce(0) { $0 + ($1.column.comparison?.count(flip) ?? 0) }
    }
    let (worse, better) = (count(.harmful), count(.beneficial))
    var text = "Since the baseline: "
    if worse + better == 0 {
      text += "some answers changed, but no case newly fails or passes."
    } else {
      text += "\(TerminalLines.count(worse, "case")) newly failing, \(better) newly passing."
    }
    // For gates, a change is credible if its 90% interval excludes 0; see docs/gates.md.
    let losses = credible(changed) { $0.interval.high < 0 }
    let gains = credible(changed) { $0.interval.low > 0 }
    if !losses.isEmpty { text += " The loss is credible: \(losses)." }
    if losses.isEmpty, worse > 0 { text += " No loss is credible." }
    if !gains.isEmpty { text += " The gain is credible: \(gains)." }
    return text + rest
  }

  /// Returns phrases with one change per column: the first change that satisfies a condition.
  private func credible(
    _ columns: [(suite: SuiteResult, column: ColumnResult)],
    where isMeant: (PairedChange) -> Bool
  ) -> String {
    let all = columns.compactMap { suite, column -> String? in
      let first = column.comparison?.changes.first { isMeant($0.change) }
      return first.map { named in
        let figures = ChangeText.difference(named.change, named.quantity)
        return "\(Self.title(suite, column, plain)) \(code(named.name)) \(plain(figures))"
      }
    }
    let more = all.count > Self.shownChanges ? "; and \(all.count - Self.shownChanges) more" : ""
    return all.prefix(Self.shownChanges).joined(separator: "; ") + more
  }
}
