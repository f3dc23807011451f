import SluiceGating

/// The first sentences of a comparison: which gates do not pass, or which configuration is better and what it
/// takes.
struct ComparisonHeadline {
  private let result: ComparisonResult
  private let plain: (String) -> String
  private let code: (String) -> String
  private static let shownSuites = 3

  init(
    _ result: ComparisonResult,
    _ plain: @escaping (String) -> String = { $0 },
    _ code: @escaping (String) -> String = { $0 }
  ) {
    self.result = result
    self.plain = plain
    self.code = code
  }

  /// The sentences; empty where nothing was compared.
  var text: String {
    let summary = ComparisonSummaryText(result, plain, code)
    if result.comparisons.contains(where: { $0.verdict != nil && $0.filtered == nil }) {
      return summary.reason
    }
    let comparisons = summary.order.map { result.comparisons[$0] }
    var sentences = result.filteredPhrase.map { ["No verdict: \(plain($0))."] } ?? []
    sentences += comparisons.prefix(Self.shownSuites).map { comparison in
      let sentence =
        TradeoffText(comparison).sentence ?? "nothing that both answered can be compared."
      return "\(plain(comparison.suite)): \(plain(sentence))"
    }
    let more = comparisons.count - Self.shownSuites
    if more > 0 { sentences.append("And \(TerminalLines.count(more, "more suite")).") }
    return sentences.joined(separator: " ")
  }
}
