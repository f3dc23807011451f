import Sluice

extension StricterRules {
  /// Exact unconditional tests of the hypothesis "worse by at least the margin", for one number of
  /// cases.
  ///
  /// A test orders the outcomes from more to less extreme. Its p-value is the probability of an
  /// outcome at least as extreme, maximized over all discordances (M). The M test orders outcomes
  /// by Tango's score. The E+M test orders them by the probability of that score at the likeliest
  /// discordance (E), as in Lloyd & Moldovan (2008), "A more efficient exact test of equivalence of
  /// two correlated proportions".
  struct ExactTest {
    /// The level of both tests.
    static let level = 0.05

    private let n: Int
    private let margin: Double
    /// Tango's score for a true loss of the margin, by the numbers of harmful and beneficial flips.
    private let scores: [Double]

    init(n: Int, margin: Double) {
      self.n = n
      self.margin = margin
      var scores = Array(repeating: 0.0, count: (n + 1) * (n + 1))
      for harmful in 0...n {
        for beneficial in 0...(n - harmful) {
          scores[harmful * (n + 1) + beneficial] = Tango.score(
            at: -margin,
            harmful: harmful,
            beneficial: beneficial,
            of: n
          )
        }
      }
      self.scores = scores
    }

    func score(_ harmful: Int, _ beneficial: Int) -> Double {
      scores[harmful * (n + 1) + beneficial]
    }

    // MARK: M

    /// Returns the outcomes that pass the M test.
    func maximizedRegion() -> Region {
      largestRegion(from: -3.2, to: -1.2, tie: Self.scoreTie) { -score($0, $1) }
    }

    /// Returns the p-value of the M test.
    func maximizedPValue(harmful: Int, beneficial: Int) -> Double {
      scoreRegion(from: score(harmful, beneficial)).largestFalsePass(margin: margin)
    }

    // MARK: E+M

    /// Returns the outcomes that pass the E+M test.
    func estimatedRegion() -> Region {
      var estimates = Estimates(self)
      return largestRegion(from: 0.015, to: 0.085, tie: Self.estimateTie) { estimates[$0, $1] }
    }

    /// Returns the p-value of the E+M test.
    func estimatedPValue(harmful: Int, beneficial: Int) -> Double {
      var estimates = Estimates(self)
      let most = estimates[harmful, beneficial] + Self.estimateTie
      return Region(n: n) { estimates[$0, $1] <= most }.largestFalsePass(margin: margin)
    }

    // MARK: Steps

    /// The difference below which two scores count as equal.
    private static let scoreTie = 1e-9
    private static let estimateTie = 1e-12

    private func scoreRegion(from least: Double) -> Region {
      Region(n: n) { score($0, $1) >= least - Self.scoreTie }
    }

    /// Returns the probability of a score at least as high, if the true loss is the margin.
    ///
    /// The discordance is the most likely one for the outcome.
    private func estimate(_ harmful: Int, _ beneficial: Int) -> Double {
      // The likeliest probability q of a beneficial flip solves A q² + B q + C = 0 (Tango 1998).
      let (b, c, n) = (Double(harmful), Double(beneficial), Double(n))
      let linear = (2 * n - b + c) * margin - (b + c)
      let product = c * margin * (1 - margin)
      let root = (linear * linear + 8 * n * product).squareRoot()
      let rate = linear > 0 ? 2 * product / (linear + root) : (root - linear) / (4 * n)
      let likeliest = min(max(0, rate), (1 - margin) / 2)
      return scoreRegion(from: score(harmful, beneficial))
        .chance(harmful: likeliest + margin, beneficial: likeliest)
    }

    /// Returns the largest region of the most extreme outcomes whose probability does not exceed the
    /// level at any discordance.
    ///
    /// - Parameters:
    ///   - low: A value below that of the least extreme outcome in the region.
    ///   - high: A value above that of the least extreme outcome in the region.
    ///   - tie: The difference below which two values count as equal.
    ///   - order: A closure that returns the value of an outcome. More extreme outcomes have lower
    ///     values.
    /// - Returns: The region, which is empty if even the most extreme outcome exceeds the level.
    private func largestRegion(
      from low: Double,
      to high: Double,
      tie: Double,
      by order: (_ harmful: Int, _ beneficial: Int) -> Double
    ) -> Region {
      var values = [low]
      var first = 0
      for harmful in 0...n {
        while first <= n - harmful, order(harmful, first) > high { first += 1 }
        for beneficial in stride(from: first, through: n - harmful, by: 1) {
          let value = order(harmful, beneficial)
          if value < low { break }
          values.append(value)
        }
      }
      values.sort()
      func region(_ index: Int) -> Region { Region(n: n) { order($0, $1) <= values[index] + tie } }
      var kept = Region(n: n) { _, _ in false }
      var (below, from) = (-1, values.count)
      while from - below > 1 {
        let middle = below + (from - below) / 2
        let candidate = region(middle)
        if candidate.largestFalsePass(margin: margin, upTo: Self.level) <= Self.level {
          (below, kept) = (middle, candidate)
        } else {
          from = middle
        }
      }
      return kept
    }

    /// A cache of the E values of a test.
    private struct Estimates {
      private let test: ExactTest
      private var known: [Double?]

      init(_ test: ExactTest) {
        self.test = test
        known = Array(repeating: nil, count: (test.n + 1) * (test.n + 1))
      }

      subscript(harmful: Int, beneficial: Int) -> Double {
        mutating get {
          let index = harmful * (test.n + 1) + beneficial
          if let value = known[index] { return value }
          let value = test.estimate(harmful, beneficial)
          known[index] = value
          return value
        }
      }
    }
  }
}
