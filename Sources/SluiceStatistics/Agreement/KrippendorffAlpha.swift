/// The agreement of several raters with missing ratings (Krippendorff 1970; "Content analysis",
/// 2004, chapter 11).
package enum KrippendorffAlpha {
  /// The level of measurement, which determines the distance between two ratings.
  package enum Level: Sendable {
    /// Names: all differences weigh the same.
    case nominal
    /// Ranks: the distance is the squared difference of the mean ranks.
    case ordinal
    /// Numbers on a scale: the distance is the squared difference.
    case interval
  }

  /// Returns the agreement.
  ///
  /// - Parameters:
  ///   - ratings: For each rater, the ratings of the same items in the same order; nil for a
  ///     missing rating.
  ///   - level: The level of measurement.
  /// - Returns: 1 if agreement is perfect, 0 if no better than chance; nil if no item has two
  ///   ratings, or if all ratings are the same.
  package static func value(_ ratings: [[Double?]], level: Level) -> Double? {
    let count = ratings.first?.count ?? 0
    precondition(ratings.allSatisfy { $0.count == count }, "all raters must rate the same items")
    // An item with a single rating carries no information.
    var units = (0..<count).map { unit in ratings.compactMap { $0[unit] } }.filter { $0.count > 1 }
    let all = units.flatMap(\.self)
    guard let first = all.first, all.contains(where: { $0 != first }) else { return nil }
    if level == .ordinal {
      // Ordinal distances are computed from mean ranks.
      let ranks = Correlation.ranks(all)
      var next = 0
      units = units.map { unit in
        defer { next += unit.count }
        return Array(ranks[next..<next + unit.count])
      }
    }
    func disagreement(_ ratings: [Double]) -> Double {
      level == .nominal ? differingPairs(ratings) : squaredDistances(ratings)
    }
    let observed = units.reduce(0.0) { $0 + disagreement($1) / Double($1.count - 1) }
    let expected = disagreement(units.flatMap(\.self)) / Double(all.count - 1)
    return 1 - observed / expected
  }

  /// Returns the number of ordered pairs of ratings that differ.
  private static func differingPairs(_ ratings: [Double]) -> Double {
    var counts: [Double: Int] = [:]
    for rating in ratings { counts[rating, default: 0] += 1 }
    let agreeing = counts.values.reduce(0) { $0 + $1 * $1 }
    return Double(ratings.count * ratings.count - agreeing)
  }

  /// Returns the sum of squared distances over ordered pairs of ratings.
  private static func squaredDistances(_ ratings: [Double]) -> Double {
    let n = Double(ratings.count)
    let mean = ratings.reduce(0, +) / n
    return 2 * n * ratings.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
