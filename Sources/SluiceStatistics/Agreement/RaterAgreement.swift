/// The agreement of several raters on the same items, with intervals.
///
/// The measures are those of ``CohenKappa``, ``FleissKappa`` and ``KrippendorffAlpha``. They are
/// computed from counts, because an interval needs thousands of resamples.
package struct RaterAgreement: Sendable {
  /// A measure of agreement.
  package enum Measure: Hashable, Sendable {
    /// The share of items that two raters rate alike.
    case rate(Int, Int)
    /// The share of items that all raters rate alike.
    case unanimity
    /// The agreement of two raters beyond chance (Cohen 1960).
    case kappa(Int, Int)
    /// The weighted agreement of two raters: distant ratings count more (Cohen 1968).
    case weightedKappa(Int, Int, CohenKappa.Weights)
    /// The agreement of all raters beyond chance, on items that all of them rated (Fleiss 1971).
    case fleiss
    /// The agreement of raters with missing ratings (Krippendorff 1970).
    case alpha(KrippendorffAlpha.Level)
  }

  /// The distinct ratings on the scale, ascending.
  private let positions: [Double]
  /// For each item, the index in ``positions`` of each rater's rating; -1 for a missing rating.
  private let units: [[Int32]]
  /// For each item, the indices in ``positions`` of its ratings, without missing ratings.
  private let given: [[Int]]
  /// For each item, the number of ordered pairs of its ratings that differ.
  private let differing: [Int]
  /// The cluster number of each item.
  private let clusters: [Int]
  private let clusterCount: Int
  private let raters: Int

  /// Creates the ratings.
  ///
  /// - Parameters:
  ///   - ratings: For each rater, the ratings of the same items in the same order; nil for a
  ///     missing rating. On a nominal scale, equal numbers represent equal names.
  ///   - clusters: The cluster of each item; nil if each item is independent.
  package init(_ ratings: [[Double?]], clusters: [Int]? = nil) {
    let count = ratings.first?.count ?? 0
    precondition(ratings.allSatisfy { $0.count == count }, "all raters must rate the same items")
    precondition(clusters.map { $0.count == count } ?? true, "each item must have a cluster")
    let positions = Set(ratings.joined().compactMap(\.self)).sorted()
    let places = Dictionary(uniqueKeysWithValues: positions.enumerated().map { ($1, Int32($0)) })
    units = (0..<count).map { unit in
      ratings.map { rater in rater[unit].flatMap { places[$0] } ?? -1 }
    }
    given = units.map { $0.filter { $0 >= 0 }.map(Int.init) }
    differing = given.map { ratings in
      ratings.reduce(0) { sum, rating in sum + ratings.count { $0 != rating } }
    }
    var numbers: [Int: Int] = [:]
    self.clusters = (clusters ?? Array(0..<count)).map { cluster in
      if let number = numbers[cluster] { return number }
      numbers[cluster] = numbers.count
      return numbers.count - 1
    }
    clusterCount = numbers.count
    self.positions = positions
    raters = ratings.count
  }

  /// Returns the value of a measure; nil if there are no ratings, or if the raters could not
  /// disagree even by chance.
  package func value(_ measure: Measure) -> Double? { value(measure, nil) }

  /// Returns the number of items that a measure is computed from.
  package func count(_ measure: Measure) -> Int { places(measure).count }

  /// Returns a measure with its 95% interval.
  ///
  /// - Parameter measure: The measure.
  /// - Returns: The estimate, without an interval if there are too few items or too little
  ///   disagreement. If the value is nil, `unknown` gives the reason.
  package func estimate(_ measure: Measure) -> Estimate { estimate(measure, resamples: 2_000) }

  func estimate(_ measure: Measure, resamples: Int) -> Estimate {
    let places = places(measure)
    let clusters = Set(places.map { self.clusters[$0] }).count
    guard !places.isEmpty else { return Estimate(unknown: "there is nothing to compare") }
    guard let value = value(measure, nil) else {
      return Estimate(unknown: "all ratings are the same", n: places.count)
    }
    switch measure {
    case .rate, .unanimity: return rate(places) { agrees($0, measure) }
    // Perfect agreement has no spread from which an interval could be estimated.
    case _ where value == 1: return Estimate(value, n: places.count, clusters: clusters)
    case .kappa(let first, let second) where clusters == places.count:
      return Estimate(
        value,
        interval: asymptotic(first, second, places),
        n: places.count,
        clusters: clusters
      )
    default:
      return Estimate(
        value,
        interval: resampled(measure, places, clusters, resamples),
        n: places.count,
        clusters: clusters
      )
    }
  }

  /// The minimum number of clusters for the interval of a kappa or an alpha; an item without a
  /// cluster counts as a cluster.
  package static let fewestClusters = 10

  // MARK: Rates

  private func agrees(_ unit: Int, _ measure: Measure) -> Bool {
    let ratings = units[unit]
    switch measure {
    case .rate(let first, let second): return ratings[first] == ratings[second]
    default: return ratings.allSatisfy { $0 == ratings[0] }
    }
  }

  private func rate(_ places: [Int], _ agrees: (Int) -> Bool) -> Estimate {
    RateSample(
      places.map { place in
        RateSample.Row(
          trial: Int32(place),
          cluster: Int32(clusters[place]),
          holding: agrees(place) ? 1 : 0,
          weight: 1,
          repeats: 1
        )
      }
    ).estimate
  }

  /// Returns the indices of the items that a measure is computed from.
  private func places(_ measure: Measure) -> [Int] {
    units.indices.filter { unit in
      let ratings = units[unit]
      switch measure {
      case .rate(let first, let second), .kappa(let first, let second),
        .weightedKappa(let first, let second, _):
        return ratings[first] >= 0 && ratings[second] >= 0
      case .unanimity, .fleiss: return ratings.count > 1 && ratings.allSatisfy { $0 >= 0 }
      case .alpha: return ratings.count { $0 >= 0 } > 1
      }
    }
  }

  // MARK: Intervals

  /// Returns the interval by the asymptotic standard error (Fleiss, Cohen & Everitt 1969).
  ///
  /// Nil if there are few items, or if the raters agree on every item.
  private func asymptotic(_ first: Int, _ second: Int, _ places: [Int]) -> Interval? {
    guard places.count >= Self.fewestClusters else { return nil }
    let kappa = CohenKappa(places.map { units[$0][first] }, places.map { units[$0][second] })
    guard let kappa, kappa.standardError > 0 else { return nil }
    return Self.clipped(kappa.interval())
  }

  /// Returns the percentile interval from resampling the clusters (Efron 1979); nil if there are
  /// few clusters, or if the resamples hardly differ.
  ///
  /// This interval has the right coverage for these measures (Zapf and others 2016, "Measuring
  /// inter-rater reliability for nominal data").
  private func resampled(_ measure: Measure, _ places: [Int], _ count: Int, _ most: Int)
    -> Interval?
  {
    guard count >= Self.fewestClusters else { return nil }
    let used = Array(Set(places.map { clusters[$0] })).sorted()
    var generator = SeededGenerator(seed: 0)
    var weights = Array(repeating: 0, count: clusterCount)
    let resamples = max(400, min(most, 40_000_000 / max(1, places.count * raters)))
    var values: [Double] = []
    values.reserveCapacity(resamples)
    for _ in 0..<resamples {
      for cluster in used { weights[cluster] = 0 }
      for _ in used { weights[used[generator.uniform(below: used.count)]] += 1 }
      if let value = value(measure, weights) { values.append(value) }
    }
    // If many resamples have no value, because they contain only one distinct rating, the others
    // are biased.
    guard values.count * 20 > resamples * 19 else { return nil }
    values.sort()
    func quantile(_ share: Double) -> Double {
      let place = Double(values.count - 1) * share
      let index = min(Int(place), values.count - 1)
      let next = min(index + 1, values.count - 1)
      return values[index] + (place - Double(index)) * (values[next] - values[index])
    }
    let interval = Interval(low: quantile(0.025), high: quantile(0.975))
    return interval.low < interval.high ? interval : nil
  }

  private static func clipped(_ interval: Interval) -> Interval {
    Interval(low: max(-1, interval.low), high: min(1, interval.high))
  }

  // MARK: Weighted measures

  /// Returns the value of a measure.
  ///
  /// `weights` gives the number of times that each cluster counts; without weights, each cluster
  /// counts once.
  private func value(_ measure: Measure, _ weights: [Int]?) -> Double? {
    switch measure {
    case .rate, .unanimity:
      let places = places(measure)
      let agreed = places.count { agrees($0, measure) }
      return places.isEmpty ? nil : Double(agreed) / Double(places.count)
    case .kappa(let first, let second): return kappa(first, second, weights)
    case .weightedKappa(let first, let second, let kind):
      return weightedKappa(first, second, kind, weights)
    case .fleiss: return fleiss(weights)
    case .alpha(let level): return alpha(level, weights)
    }
  }

  /// Returns how often two raters gave each rating, over the items that both of them rated.
  private func margins(_ first: Int, _ second: Int, _ weights: [Int]?)
    -> (n: Int, agreed: Int, firsts: [Int], seconds: [Int])
  {
    var firsts = Array(repeating: 0, count: positions.count)
    var seconds = firsts
    var (n, agreed) = (0, 0)
    for unit in units.indices {
      let weight = weights?[clusters[unit]] ?? 1
      if weight == 0 { continue }
      let (one, other) = (Int(units[unit][first]), Int(units[unit][second]))
      guard one >= 0, other >= 0 else { continue }
      n += weight
      firsts[one] += weight
      seconds[other] += weight
      if one == other { agreed += weight }
    }
    return (n, agreed, firsts, seconds)
  }

  private func kappa(_ first: Int, _ second: Int, _ weights: [Int]?) -> Double? {
    let (n, agreed, firsts, seconds) = margins(first, second, weights)
    let chance = zip(firsts, seconds).reduce(0) { $0 + $1.0 * $1.1 }
    guard n > 0, chance < n * n else { return nil }
    return Double(n * agreed - chance) / Double(n * n - chance)
  }

  private func weightedKappa(
    _ first: Int,
    _ second: Int,
    _ kind: CohenKappa.Weights,
    _ weights: [Int]?
  ) -> Double? {
    let (n, _, firsts, seconds) = margins(first, second, weights)
    guard n > 0 else { return nil }
    var seen = 0.0
    for unit in units.indices {
      let weight = weights?[clusters[unit]] ?? 1
      if weight == 0 { continue }
      let (one, other) = (Int(units[unit][first]), Int(units[unit][second]))
      guard one >= 0, other >= 0, one != other else { continue }
      let distance = positions[one] - positions[other]
      seen += Double(weight) * (kind == .linear ? abs(distance) : distance * distance)
    }
    let chance = kind == .linear ? linearChance(firsts, seconds) : squaredChance(firsts, seconds)
    guard chance > 0 else { return nil }
    return 1 - seen * Double(n) / chance
  }

  /// Returns the sum of distances over all pairs that combine a rating of one rater with a rating
  /// of the other.
  ///
  /// Each gap between neighbors on the scale counts once for every pair that spans it.
  private func linearChance(_ firsts: [Int], _ seconds: [Int]) -> Double {
    let (allFirsts, allSeconds) = (firsts.reduce(0, +), seconds.reduce(0, +))
    var (below, belowOther, sum) = (0, 0, 0.0)
    for place in positions.indices.dropLast() {
      below += firsts[place]
      belowOther += seconds[place]
      let around = below * (allSeconds - belowOther) + belowOther * (allFirsts - below)
      sum += Double(around) * (positions[place + 1] - positions[place])
    }
    return sum
  }

  /// Returns the sum of squared distances over all pairs that combine a rating of one rater with a
  /// rating of the other.
  private func squaredChance(_ firsts: [Int], _ seconds: [Int]) -> Double {
    // The origin of the scale does not affect distances, and numbers near 0 have exact squares.
    let middle = positions.isEmpty ? 0 : positions[positions.count / 2]
    func moments(_ counts: [Int]) -> (n: Double, sum: Double, squares: Double) {
      var moments = (n: 0.0, sum: 0.0, squares: 0.0)
      for (place, count) in counts.enumerated() where count > 0 {
        let position = positions[place] - middle
        moments.n += Double(count)
        moments.sum += Double(count) * position
        moments.squares += Double(count) * position * position
      }
      return moments
    }
    let (one, other) = (moments(firsts), moments(seconds))
    return max(0, one.squares * other.n - 2 * one.sum * other.sum + other.squares * one.n)
  }

  private func fleiss(_ weights: [Int]?) -> Double? {
    guard raters > 1 else { return nil }
    var totals = Array(repeating: 0, count: positions.count)
    var (n, agreeing) = (0, 0)
    for unit in units.indices {
      let weight = weights?[clusters[unit]] ?? 1
      if weight == 0 || given[unit].count < raters { continue }
      n += weight
      for rating in given[unit] { totals[rating] += weight }
      agreeing += weight * (raters * (raters - 1) - differing[unit])
    }
    let all = n * raters
    guard n > 0, !totals.contains(all) else { return nil }
    let chance = totals.reduce(0) { $0 + Double($1) / Double(all) * (Double($1) / Double(all)) }
    let agreed = Double(agreeing) / (Double(all) * Double(raters - 1))
    return (agreed - chance) / (1 - chance)
  }

  private func alpha(_ level: KrippendorffAlpha.Level, _ weights: [Int]?) -> Double? {
    var totals = Array(repeating: 0, count: positions.count)
    // An item with a single rating carries no information.
    let used = units.indices.filter { (weights?[clusters[$0]] ?? 1) > 0 && given[$0].count > 1 }
    for unit in used {
      let weight = weights?[clusters[unit]] ?? 1
      for rating in given[unit] { totals[rating] += weight }
    }
    let all = totals.reduce(0, +)
    guard all > 1, !totals.contains(all) else { return nil }
    if level == .nominal {
      var observed = 0.0
      for unit in used {
        let weight = weights?[clusters[unit]] ?? 1
        observed += Double(differing[unit] * weight) / Double(given[unit].count - 1)
      }
      let agreeing = totals.reduce(0.0) { $0 + Double($1) * Double($1) }
      let expected = (Double(all) * Double(all) - agreeing) / Double(all - 1)
      return 1 - observed / expected
    }
    let scale = level == .ordinal ? Self.meanRanks(totals) : positions
    let middle = zip(scale, totals).reduce(0.0) { $0 + $1.0 * Double($1.1) } / Double(all)
    var observed = 0.0
    for unit in used {
      let ratings = given[unit]
      var squares = 0.0
      for place in ratings.indices {
        for other in 0..<place {
          let distance = scale[ratings[place]] - scale[ratings[other]]
          squares += 2 * distance * distance
        }
      }
      let weight = weights?[clusters[unit]] ?? 1
      observed += squares * Double(weight) / Double(ratings.count - 1)
    }
    let spread = zip(scale, totals).reduce(0.0) { sum, part in
      sum + (part.0 - middle) * (part.0 - middle) * Double(part.1)
    }
    let expected = 2 * Double(all) * spread / Double(all - 1)
    return expected > 0 ? 1 - observed / expected : nil
  }

  /// Returns the mean rank of each rating on the scale among all given ratings.
  ///
  /// Ordinal distances are computed from these ranks.
  private static func meanRanks(_ totals: [Int]) -> [Double] {
    var before = 0
    return totals.map { count in
      defer { before += count }
      return Double(before) + Double(count + 1) / 2
    }
  }
}
