/// The reasons why the costs of answers are unknown.
package struct UnknownCost {
  package static let noPrice = "no price for the model"
  private var counts: [PriceList.Lack: Int] = [:]

  /// Counts the reasons why the costs of some answers are unknown.
  ///
  /// - Parameter lacks: For each answer, the reason.
  init(_ lacks: some Sequence<PriceList.Lack>) {
    // Consecutive answers mostly have the same reason.
    var (latest, count) = (PriceList.Lack?.none, 0)
    for lack in lacks {
      if lack != latest {
        if let latest { counts[latest, default: 0] += count }
        (latest, count) = (lack, 0)
      }
      count += 1
    }
    if let latest { counts[latest, default: 0] += count }
  }

  /// The reason as a clause.
  ///
  /// If there are several reasons, the clause lists each of them with the number of answers that it
  /// concerns.
  var reason: String {
    let reasons = counts.map { (rank: $0.key.rank, text: $0.key.reason, count: $0.value) }
      .sorted { ($0.rank, $0.text) < ($1.rank, $1.text) }
    if reasons.count < 2 { return reasons.first?.text ?? Self.noPrice }
    return reasons.map { "\($0.text) (\($0.count) \($0.count == 1 ? "answer" : "answers"))" }
      .joined(separator: ", ")
  }
}

extension PriceList.Lack {
  /// The order in which reasons are listed.
  ///
  /// Missing prices, which the project can add, come before missing usage.
  fileprivate var rank: Int {
    switch self {
    case .model: 0
    case .tier: 1
    case .part: 2
    case .usage: 3
    case .partOfUsage: 4
    case .doubt: 5
    }
  }
}
