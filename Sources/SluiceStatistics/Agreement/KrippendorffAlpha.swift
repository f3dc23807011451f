/// The agreement of several raters who need not rate everything (Krippendorff 1970; "Content
/// analysis", 2004, chapter 11).
public enum KrippendorffAlpha {
  /// What kind of numbers the ratings are, and with that how much two of them disagree.
  public enum Level: Sendable {
    /// Names: different ratings disagree all the same.
    case nominal
    /// Places in an order: by how many ratings lie between.
    case ordinal
    /// Numbers on a scale: by the square of their distance.
    case interval
  }

  /// Returns the agreement.
  ///
  /// - Parameters:
  ///   - ratings: For each rater the ratings, of the same things in the same order; nil where there is
  ///     none.
  ///   - level: What kind of numbers the ratings are.
  /// - Returns: 1 where it is perfect, 0 where chance would do as well; nil where nothing has two
  ///   ratings, and where all ratings are the same.
  public static func value(_ ratings: [[Double?]], level: Level) -> Double? {
    let count = ratings.first?.count ?? 0
    precondition(ratings.allSatisfy { $0.count == count }, "all raters look at the same things")
    // A rating without another one of the same thing says nothing.
    var units = (0..<count).map { unit in ratings.compactMap { $0[unit] } }.filter { $0.count > 1 }
    let all = units.flatMap(\.self)
    guard let first = all.first, all.contains(where: { $0 != first }) else { return nil }
    if level == .ordinal {
      // Distances on the ordinal scale are those of the mean ranks.
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

  /// How many ordered pairs of ratings differ.
  private static func differingPairs(_ ratings: [Double]) -> Double {
    var counts: [Double: Int] = [:]
    for rating in ratings { counts[rating, default: 0] += 1 }
    let agreeing = counts.values.reduce(0) { $0 + $1 * $1 }
    return Double(ratings.count * ratings.count - agreeing)
  }

  /// The sum of squared distances over ordered pairs of ratings.
  private static func squaredDistances(_ ratings: [Double]) -> Double {
    let n = Double(ratings.count)
    let mean = ratings.reduce(0, +) / n
    return 2 * n * ratings.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
