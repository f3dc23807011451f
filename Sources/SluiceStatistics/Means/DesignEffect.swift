import SluiceSystem

/// The design effect of clustered measurements: the variance of their mean, divided by the variance
/// that independent measurements would have (Kish 1965, "Survey sampling").
///
/// Even if the cases are not clustered, the repeats of a case form a cluster. The effect is the
/// larger of two estimates:
///
/// - The sandwich estimate with the correction of Bell and McCaffrey (2002, "Bias reduction in
///   standard errors for linear regression with multi-stage samples"). This estimate assumes
///   nothing about the clusters. But if one cluster dominates, only that cluster counts.
/// - The intraclass correlation by analysis of variance (Donner 1986). This estimate uses all
///   clusters, but assumes that they are alike.
package struct DesignEffect: Hashable, Sendable {
  /// The number of cases in each cluster, which is fractional if some cases weigh less than 1.
  package let sizes: [Double]
  /// The number of cases.
  package let cases: Double
  /// The number of judged trials.
  package let judged: Double
  /// The mean size of a cluster in trials, weighted by size: Σn²/Σn, where n is the size of a
  /// cluster.
  private let meanSize: Double

  /// Creates the design of a sample.
  ///
  /// - Parameters:
  ///   - sizes: The number of cases in each cluster, each above 0.
  ///   - judged: The number of judged trials, at least the number of cases.
  package init(sizes: [Double], judged: Double) {
    self.sizes = sizes
    self.judged = judged
    cases = sizes.reduce(0, +)
    meanSize = cases > 0 ? judged * sizes.reduce(0) { $0 + $1 * $1 } / (cases * cases) : 0
  }

  /// Creates the design of cases with one trial each, from their cluster numbers.
  package init(_ clusters: [Int32]) {
    var sizes: [Int32: Double] = [:]
    for cluster in clusters { sizes[cluster, default: 0] += 1 }
    // The sizes are sorted because the order of addition affects the last digit of a sum.
    self.init(sizes: sizes.values.sorted(), judged: Double(clusters.count))
  }

  /// The number of clusters.
  package var clusters: Int { sizes.count }

  /// The equivalent number of equally large clusters: (Σn)²/Σn², where n is the size of a cluster.
  package var effectiveClusters: Double { meanSize > 0 ? judged / meanSize : 0 }

  /// The degrees of freedom of the sandwich estimate for a mean (Bell & McCaffrey 2002, with
  /// independence as the working model).
  ///
  /// They are G - 1 for G equal clusters, and fewer if the sizes differ.
  var degreesOfFreedom: Double {
    guard clusters > 1 else { return 1 }
    var (squares, sum, sumOfSquares) = (0.0, 0.0, 0.0)
    for size in sizes {
      let weight = size / cases
      let part = weight * weight / (1 - weight)
      squares += weight * weight
      sum += part
      sumOfSquares += part * part
    }
    return 1 / (squares + sum * sum - sumOfSquares)
  }

  /// Two weighted sums of the clusters' squared residuals.
  struct Spread: Hashable, Sendable {
    /// The sum of squared residuals, each divided by 1 minus the cluster's share of all cases.
    var sandwich = 0.0
    /// The sum of squared residuals, each divided by the number of cases in the cluster.
    var between = 0.0

    /// Adds clusters that have the same size and residual.
    mutating func add(_ residual: Double, size: Double, of cases: Double, count: Int = 1) {
      let square = Double(count) * residual * residual
      sandwich += square * Weight.sandwich.factor(size: size, of: cases)
      between += square * Weight.between.factor(size: size, of: cases)
    }
  }

  /// The weighting of clusters in a sum of squares.
  enum Weight: CaseIterable {
    case sandwich, between

    /// Returns the factor of a cluster's squared residual.
    func factor(size: Double, of cases: Double) -> Double {
      switch self {
      case .sandwich: size < cases ? 1 / (1 - size / cases) : 1
      case .between: 1 / size
      }
    }
  }

  /// Returns the effective number of trials: the number of judged trials divided by the design
  /// effect, which is at least 1.
  ///
  /// - Parameters:
  ///   - spread: The spread of the clusters' residuals.
  ///   - variance: The variance of single trials, with the number of trials in the denominator. If
  ///     the variance is 0, each cluster counts as one case, because the similarity of the cases is
  ///     unknown.
  /// - Returns: The number, from 1 to the number of judged trials.
  func effectiveTrials(_ spread: Spread, variance: Double) -> Double {
    if Double(clusters) >= judged { return judged }
    guard variance > 1e-12, clusters > 1 else { return Double(clusters) }
    let groups = Double(clusters)
    let sandwich = spread.sandwich / cases * (cases - 1) / cases * judged / cases / variance
    let between = judged / cases * spread.between
    let meanSquareBetween = between / (groups - 1)
    let meanSquareWithin = max(0, judged * variance - between) / (judged - groups)
    let size = (judged - meanSize) / (groups - 1)
    let total = meanSquareBetween + (size - 1) * meanSquareWithin
    let correlation = total > 0 ? (meanSquareBetween - meanSquareWithin) / total : 0
    let model = 1 + min(max(correlation, 0), 1) * (meanSize - 1)
    return judged / max(1, sandwich, model)
  }

  /// Returns the factor by which clusters widen one side of an interval.
  ///
  /// A spread estimated from few clusters is uncertain. The factor is a ratio of two quantiles of
  /// Student's t: with the degrees of freedom of the clusters, and with the number of cases minus 1
  /// (Korn & Graubard 1998, "Confidence intervals for proportions with small expected number of
  /// positive counts estimated from survey data").
  ///
  /// - Parameter tail: The probability beyond the end, between 0 and 0.5.
  /// - Returns: The ratio, at least 1; 1 if each cluster has only one case.
  func stretch(tail: Double) -> Double {
    guard Double(clusters) < cases, cases > 2 else { return 1 }
    let few = StudentT.quantile(tail, degreesOfFreedom: max(degreesOfFreedom, 1))
    return max(1, few / StudentT.quantile(tail, degreesOfFreedom: cases - 1))
  }

  /// Returns the one-sided p-value of a score, consistent with the stretched interval.
  ///
  /// The p-value is below a level exactly if the stretched interval at that level excludes the
  /// tested value.
  ///
  /// - Parameter score: The score in standard deviations, negative if the sample lies below the
  ///   tested value.
  /// - Returns: The probability of a score at most this large.
  package func p(_ score: Double) -> Double {
    let plain = NormalDistribution.cumulative(score)
    guard Double(clusters) < cases, cases > 2, plain < 0.5, plain > 0 else { return plain }
    // The p-value is the tail whose stretched quantile is the score. The search uses a log scale,
    // because tails span many powers of ten.
    let exponent = FallingRoot.between(log(plain), log(0.5)) { exponent in
      let tail = exp(exponent)
      return score - NormalDistribution.quantile(tail) * stretch(tail: tail)
    }
    return exp(exponent)
  }
}

/// The largest spread that clusters could show if some of the counted events had not occurred.
///
/// One more failure must never improve a bound. But failures spread over many clusters show that
/// the cases of a cluster differ, which can raise the effective number of cases. A bound therefore
/// also considers all smaller numbers of failures, and removes failures in the worst possible way.
///
/// The worst way maximizes a convex function. Chords of the function give an upper limit of the
/// maximum. The limit is exact if each cluster keeps all or none of its failures.
struct ThinnedSpread: Sendable {
  /// A cluster.
  struct Row: Hashable, Sendable {
    /// The number of cases in the cluster.
    package var size: Double
    /// The amount of events in the cluster that cannot be removed.
    package var rest: Double
    /// The amount of events that can be removed from the cluster.
    var removable: Double
  }

  private let rows: [(row: Row, count: Int)]
  private let cases: Double
  /// The total amount of events that can be removed.
  let total: Double
  private let step: Double

  /// The maximum number of steps into which the total is divided.
  private static let most = 400

  /// Creates the search for the largest spread.
  ///
  /// - Parameters:
  ///   - rows: The clusters.
  ///   - unit: The smallest step in which events can be removed: 1, or 1/n if a case has n
  ///     repeats.
  init(_ rows: [Row], unit: Double) {
    var numbers: [Row: Int] = [:]
    var distinct: [(row: Row, count: Int)] = []
    for row in rows {
      if let place = numbers[row] {
        distinct[place].count += 1
      } else {
        numbers[row] = distinct.count
        distinct.append((row, 1))
      }
    }
    self.rows = distinct
    cases = rows.reduce(0) { $0 + $1.size }
    total = rows.reduce(0) { $0 + $1.removable }
    let steps = (total / unit).rounded(.up)
    step = steps > Double(Self.most) ? total / Double(Self.most) : unit
  }

  /// The amounts to try, in ascending order.
  ///
  /// The last amount is ``total``.
  var amounts: [Double] {
    var amounts = stride(from: 0, to: total - step / 1_000, by: step).map { $0 }
    amounts.append(total)
    return amounts
  }

  /// Returns the largest possible spread if only `kept` of the removable events remain.
  ///
  /// The residual of a cluster is its `rest`, minus the amount that it keeps, minus the product of
  /// the mean and the size of the cluster.
  ///
  /// - Parameters:
  ///   - kept: The amount kept over all clusters.
  ///   - mean: The resulting mean of a case.
  /// - Returns: The spread.
  func spread(keeping kept: Double, mean: Double) -> DesignEffect.Spread {
    var spread = DesignEffect.Spread()
    spread.sandwich = largest(.sandwich, kept, mean)
    spread.between = largest(.between, kept, mean)
    return spread
  }

  private func largest(_ weight: DesignEffect.Weight, _ kept: Double, _ mean: Double) -> Double {
    var sum = 0.0
    var slopes: [(slope: Double, room: Double)] = []
    for place in rows.indices {
      let (row, count) = rows[place]
      let factor = weight.factor(size: row.size, of: cases)
      let residual = row.rest - mean * row.size
      sum += Double(count) * factor * residual * residual
      if row.removable > 0, kept > 0 {
        slopes.append((factor * (row.removable - 2 * residual), Double(count) * row.removable))
      }
    }
    var left = kept
    if left < total { slopes.sort { $0.slope > $1.slope } }
    for place in slopes.indices where left > 0 {
      let part = min(left, slopes[place].room)
      sum += slopes[place].slope * part
      left -= part
    }
    return max(0, sum)
  }
}
