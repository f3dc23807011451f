import SluiceSupport

/// What answers of unknown cost lack.
package struct UnknownCost {
  package static let noPrice = "no price for the model"
  private static let noUsage = "the server sent no usage"
  private static let partOfUsage = "the server sent only a part of the usage"
  private var withoutPrice = 0
  private var withoutUsage = 0
  private var withPartOfUsage = 0

  /// Counts what each of some answers lacks, none of which has a known cost.
  ///
  /// - Parameter usages: What the server says of each that it used.
  init(_ usages: some Sequence<TokenUsage?>) {
    for usage in usages {
      switch (usage?.input, usage?.output) {
      case (_?, _?): withoutPrice += 1
      case (nil, nil): withoutUsage += 1
      default: withPartOfUsage += 1
      }
    }
  }

  /// Why the cost is unknown, with how often where there are several reasons.
  var reason: String {
    let reasons = [
      (withoutPrice, Self.noPrice), (withoutUsage, Self.noUsage),
      (withPartOfUsage, Self.partOfUsage),
    ].filter { $0.0 > 0 }
    if reasons.count < 2 { return reasons.first?.1 ?? Self.noPrice }
    return reasons.map { "\($0.1) (\($0.0) \($0.0 == 1 ? "answer" : "answers"))" }
      .joined(separator: ", ")
  }
}
