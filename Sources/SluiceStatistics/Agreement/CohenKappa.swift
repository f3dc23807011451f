/// The agreement of two raters beyond chance (Cohen 1960).
package struct CohenKappa: Hashable, Sendable {
  /// The agreement: 1 if perfect, 0 if no better than chance.
  package let value: Double
  /// The asymptotic standard error of the agreement (Fleiss, Cohen & Everitt 1969).
  package let standardError: Double

  /// Compares two raters; nil if there are no ratings, or if all ratings of both raters are the
  /// same.
  ///
  /// - Parameters:
  ///   - first: The ratings of the first rater.
  ///   - second: The ratings of the second rater, for the same items in the same order.
  package init?<Rating: Hashable>(_ first: [Rating], _ second: [Rating]) {
    let table = RatingTable(first, second)
    let n = Double(table.n)
    // Whole numbers make the test for perfect chance agreement exact.
    let chance = zip(table.firsts, table.seconds).reduce(0) { $0 + $1.0 * $1.1 }
    guard table.n > 0, chance < table.n * table.n else { return nil }
    let agreed = table.cells.reduce(0) { $0 + ($1.key.first == $1.key.second ? $1.value : 0) }
    let expected = Double(chance) / (n * n)
    let rest = Double(table.n * table.n - chance) / (n * n)
    value = Double(table.n * agreed - chance) / Double(table.n * table.n - chance)
    let doubt = Double(table.n * (table.n - agreed)) / Double(table.n * table.n - chance)
    var (onDiagonal, offDiagonal) = (0.0, 0.0)
    for (pair, count) in table.cells {
      let share = Double(count) / n
      if pair.first == pair.second {
        let sums = Double(table.firsts[pair.first] + table.seconds[pair.first]) / n
        onDiagonal += share * (1 - sums * doubt) * (1 - sums * doubt)
      } else {
        let sums = Double(table.seconds[pair.first] + table.firsts[pair.second]) / n
        offDiagonal += share * sums * sums * doubt * doubt
      }
    }
    let mean = value - expected * doubt
    let variance = onDiagonal + offDiagonal - mean * mean
    // A difference of equal numbers leaves only rounding error.
    let isRounding = variance < 1e-14 * (onDiagonal + offDiagonal)
    standardError = isRounding ? 0 : (variance / n).squareRoot() / rest
  }

  /// Returns the two-sided confidence interval by the normal approximation.
  ///
  /// - Parameter confidence: The confidence level, between 0 and 1.
  /// - Returns: The interval, whose ends may lie outside of -1 to 1.
  package func interval(confidence: Double = 0.95) -> Interval {
    let half = NormalDistribution.criticalValue(confidence: confidence) * standardError
    return Interval(low: value - half, high: value + half)
  }

  /// The weight of a disagreement that spans several steps of a scale.
  package enum Weights: Sendable {
    /// The number of steps.
    case linear
    /// The square of the number of steps.
    case quadratic
  }

  /// Returns the agreement of two raters on a scale (Cohen 1968).
  ///
  /// - Parameters:
  ///   - first: The ratings of the first rater.
  ///   - second: The ratings of the second rater, for the same items in the same order.
  ///   - scale: All possible ratings, in order.
  ///   - weights: The weighting of disagreements.
  /// - Returns: The agreement; nil if there are no ratings, or if the raters could not disagree
  ///   even by chance.
  package static func weighted<Rating: Hashable>(
    _ first: [Rating],
    _ second: [Rating],
    scale: [Rating],
    weights: Weights
  ) -> Double? {
    let table = RatingTable(first, second, scale: scale)
    func weight(_ one: Int, _ other: Int) -> Double {
      let steps = Double(one - other)
      return weights == .linear ? abs(steps) : steps * steps
    }
    let seen = table.cells.reduce(0.0) {
      $0 + weight($1.key.first, $1.key.second) * Double($1.value)
    }
    var chance = 0.0
    for (one, count) in table.firsts.enumerated() where count > 0 {
      for (other, otherCount) in table.seconds.enumerated() {
        chance += weight(one, other) * Double(count) * Double(otherCount)
      }
    }
    guard chance > 0 else { return nil }
    return 1 - seen * Double(table.n) / chance
  }
}

/// The joint counts of two raters' ratings.
private struct RatingTable {
  struct Pair: Hashable {
    var first: Int
    var second: Int
  }

  let n: Int
  /// The count of each pair of ratings, by the indices of the ratings.
  private(set) var cells: [Pair: Int] = [:]
  /// The count of each rating by the first rater.
  private(set) var firsts: [Int]
  /// The count of each rating by the second rater.
  private(set) var seconds: [Int]

  init<Rating: Hashable>(_ first: [Rating], _ second: [Rating], scale: [Rating]? = nil) {
    precondition(first.count == second.count, "both raters must rate the same items")
    n = first.count
    var places: [Rating: Int] = [:]
    for rating in scale ?? first + second where places[rating] == nil {
      places[rating] = places.count
    }
    firsts = Array(repeating: 0, count: places.count)
    seconds = firsts
    for (one, other) in zip(first, second) {
      guard let one = places[one], let other = places[other] else {
        preconditionFailure("a rating is not on the scale")
      }
      cells[Pair(first: one, second: other), default: 0] += 1
      firsts[one] += 1
      seconds[other] += 1
    }
  }
}
