/// The agreement of several raters beyond chance (Fleiss 1971).
package enum FleissKappa {
  /// Returns the agreement.
  ///
  /// - Parameter counts: For each item, the number of raters who chose each category. Every item
  ///   has the same number of raters, but the raters may differ from item to item.
  /// - Returns: 1 if agreement is perfect, 0 if no better than chance; nil if there are fewer than
  ///   two raters, or if all ratings name the same category.
  package static func value(_ counts: [[Int]]) -> Double? {
    guard let first = counts.first else { return nil }
    let raters = first.reduce(0, +)
    precondition(
      counts.allSatisfy { row in
        row.count == first.count && row.allSatisfy { $0 >= 0 } && row.reduce(0, +) == raters
      },
      "all items must have the same number of raters and of categories"
    )
    guard raters > 1 else { return nil }
    let all = counts.count * raters
    let totals = first.indices.map { category in counts.reduce(0) { $0 + $1[category] } }
    guard !totals.contains(all) else { return nil }
    let chance = totals.reduce(0) { $0 + Double($1) / Double(all) * (Double($1) / Double(all)) }
    let agreeing = counts.reduce(0) { sum, row in sum + row.reduce(0) { $0 + $1 * ($1 - 1) } }
    let agreed = Double(agreeing) / (Double(all) * Double(raters - 1))
    return (agreed - chance) / (1 - chance)
  }
}
