@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Rater agreement with intervals")
struct RaterAgreementTests {
  /// Returns ratings that agree more often than by chance, some of which are missing.
  private func ratings(
    of raters: Int,
    _ count: Int,
    agreeing: Double = 0.7,
    missing: Double = 0,
    seed: UInt64 = 1
  ) -> [[Double?]] {
    var generator = SeededGenerator(seed: seed)
    var ratings = Array(repeating: [Double?](), count: raters)
    for _ in 0..<count {
      let truth = Double(generator.uniform(below: 5) + 1)
      for rater in 0..<raters {
        let other = Double(generator.uniform(below: 5) + 1)
        let value = generator.uniform() < agreeing ? truth : other
        ratings[rater].append(generator.uniform() < missing ? nil : value)
      }
    }
    return ratings
  }

  @Test("Each measure equals the function for a single sample", arguments: [1, 2, 3] as [UInt64])
  func sameAsReference(seed: UInt64) throws {
    let three = ratings(of: 3, 60, seed: seed)
    let agreement = RaterAgreement(three)
    let (first, second) = (three[0].compactMap(\.self), three[2].compactMap(\.self))
    let kappa = try #require(CohenKappa(first, second))
    #expect(isClose(agreement.value(.kappa(0, 2)), kappa.value))
    for weights in [CohenKappa.Weights.linear, .quadratic] {
      let known = CohenKappa.weighted(first, second, scale: [1, 2, 3, 4, 5], weights: weights)
      #expect(isClose(agreement.value(.weightedKappa(0, 2, weights)), try #require(known)))
    }
    let counts = three[0].indices.map { unit in
      (1...5).map { rating in three.count { $0[unit] == Double(rating) } }
    }
    #expect(isClose(agreement.value(.fleiss), try #require(FleissKappa.value(counts))))
    let holes = ratings(of: 4, 60, missing: 0.3, seed: seed)
    for level in [KrippendorffAlpha.Level.nominal, .ordinal, .interval] {
      let known = try #require(KrippendorffAlpha.value(holes, level: level))
      #expect(isClose(RaterAgreement(holes).value(.alpha(level)), known))
    }
  }

  @Test(
    "Krippendorff's alpha has the published values for his example (Krippendorff 2011)",
    arguments: [
      (KrippendorffAlpha.Level.nominal, 0.691), (.interval, 0.811), (.ordinal, 0.807),
    ]
  )
  func published(_ level: KrippendorffAlpha.Level, _ alpha: Double) {
    let coders: [[Double?]] = [
      [nil, nil, nil, nil, nil, 3, 4, 1, 2, 1, 1, 3, 3, nil, 3],
      [1, nil, 2, 1, 3, 3, 4, 3, nil, nil, nil, nil, nil, nil, nil],
      [nil, nil, 2, 1, 3, 4, 4, nil, 2, 1, 1, 3, 3, nil, 4],
    ]
    let estimate = RaterAgreement(coders).estimate(.alpha(level))
    #expect(isClose(estimate.value, alpha, 5e-4))
    // Of fifteen items, twelve have two or more ratings.
    #expect(estimate.n == 12)
  }

  @Test("Kappa's interval is the asymptotic one if each item is its own cluster")
  func asymptotic() throws {
    let two = ratings(of: 2, 80)
    let known = try #require(CohenKappa(two[0].compactMap(\.self), two[1].compactMap(\.self)))
    let estimate = RaterAgreement(two).estimate(.kappa(0, 1))
    #expect(isClose(estimate.interval, known.interval().low, known.interval().high))
    #expect(estimate.clusters == nil)
  }

  @Test("Resampled intervals contain the true agreement about as often as promised")
  func coverage() throws {
    let measures: [RaterAgreement.Measure] = [
      .weightedKappa(0, 1, .quadratic), .fleiss, .alpha(.nominal),
    ]
    let large = RaterAgreement(ratings(of: 3, 20_000, seed: 99))
    let truths = try measures.map { try #require(large.value($0)) }
    for (measure, truth) in zip(measures, truths) {
      var seed: UInt64 = 1_000
      // In this test, intervals with 80% coverage pass 4 of 100 times, and those with 90% fail as
      // often.
      let covers = try RareEvent.isRare(upTo: 0.1, notFrom: 0.2, error: 0.04) {
        seed += 1
        let small = RaterAgreement(ratings(of: 3, 60, seed: seed))
        let interval = try #require(small.estimate(measure, resamples: 400).interval)
        return truth < interval.low || interval.high < truth
      }
      #expect(covers, "\(measure)")
    }
  }

  @Test("Clusters widen the interval but do not change the value")
  func clusters() throws {
    let once = ratings(of: 2, 40)
    let copied = once.map { rater in rater.flatMap { [$0, $0, $0] } }
    let clusters = (0..<40).flatMap { [$0, $0, $0] }
    for measure in [RaterAgreement.Measure.kappa(0, 1), .alpha(.ordinal), .rate(0, 1)] {
      let own = RaterAgreement(once).estimate(measure)
      let all = RaterAgreement(copied, clusters: clusters).estimate(measure)
      let naive = RaterAgreement(copied).estimate(measure)
      #expect(isClose(own.value, try #require(naive.value), 0.01))
      #expect(isClose(all.value, try #require(naive.value)))
      func width(_ estimate: Estimate) throws -> Double {
        let interval = try #require(estimate.interval)
        return interval.high - interval.low
      }
      #expect(try width(all) > 1.4 * width(naive))
      #expect(all.clusters == 40)
      #expect(all.n == 120)
    }
  }

  @Test("There is no interval without disagreement or with fewer than ten items")
  func noInterval() {
    let same: [[Double?]] = [
      [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1], [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1],
    ]
    let measures: [RaterAgreement.Measure] = [
      .kappa(0, 1), .weightedKappa(0, 1, .linear), .fleiss, .alpha(.interval),
    ]
    for measure in measures {
      #expect(RaterAgreement(same).estimate(measure) == Estimate(1, n: 11))
      #expect(RaterAgreement([[1, 2, 2], [1, 2, 1]]).estimate(measure).interval == nil)
    }
    // A rate still has its Wilson interval.
    let rate = RaterAgreement(same).estimate(.rate(0, 1))
    #expect(rate == Estimate(rate: 11, of: 11))
  }

  @Test("Constant ratings and missing pairs are unknown, with the reason")
  func unknown() {
    let constant = RaterAgreement([[3, 3], [3, 3]])
    #expect(constant.estimate(.kappa(0, 1)) == Estimate(unknown: "all ratings are the same", n: 2))
    #expect(constant.estimate(.rate(0, 1)).value == 1)
    let apart = RaterAgreement([[1, nil], [nil, 2]])
    for measure in [RaterAgreement.Measure.rate(0, 1), .fleiss, .alpha(.nominal)] {
      #expect(apart.estimate(measure) == Estimate(unknown: "there is nothing to compare"))
    }
  }

  @Test("A pair counts the items that both rated, and all raters those that all rated")
  func counts() {
    let agreement = RaterAgreement([[1, 1, 2, nil], [1, 2, nil, 1], [1, nil, 2, 1]])
    #expect(agreement.count(.rate(0, 1)) == 2)
    #expect(agreement.count(.unanimity) == 1)
    #expect(agreement.count(.fleiss) == 1)
    #expect(agreement.count(.alpha(.nominal)) == 4)
  }
}
