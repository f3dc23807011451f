import Foundation
import Sluice

extension StricterRules {
  /// The outcomes that pass: for each number of harmful flips, the minimum number of beneficial
  /// flips.
  ///
  /// A further harmful flip never helps, so the minimum never falls as harmful flips increase.
  struct Region: Equatable {
    /// The minimum number of beneficial flips, by harmful flips.
    ///
    /// If no number passes, it is larger than the number of remaining cases.
    private let least: [Int]

    /// Creates the region of a rule.
    ///
    /// More harmful or fewer beneficial flips must never help to pass.
    init(n: Int, passes: (_ harmful: Int, _ beneficial: Int) -> Bool) {
      var least = Array(repeating: n + 1, count: n + 1)
      var beneficial = 0
      for harmful in 0...n {
        while beneficial <= n - harmful, !passes(harmful, beneficial) { beneficial += 1 }
        if beneficial > n - harmful { break }
        least[harmful] = beneficial
      }
      self.least = least
    }

    /// Returns the exact probability of passing at a discordance and a difference.
    func chance(discordance: Double, difference: Double) -> Double {
      chance(
        harmful: (discordance - difference) / 2,
        beneficial: max(0, (discordance + difference) / 2)
      )
    }

    /// Returns the exact probability of passing, given the probabilities that a case becomes worse
    /// or better.
    ///
    /// `TrinomialEnumeration` gives the same result, but is too slow for the thousands of
    /// discordances that an exact test needs.
    func chance(harmful: Double, beneficial: Double) -> Double {
      precondition(harmful > 0 && harmful < 1, "a truth with harmful flips is expected")
      let n = least.count - 1
      // The probability of a beneficial flip among the cases without a harmful flip.
      let share = min(1, beneficial / (1 - harmful))
      let rows = Binomials(harmful)
      let columns = Binomials(share)
      let mean = Double(n) * harmful
      // All further rows together have a probability below 1e-15.
      let reach = 8.5 * (mean * (1 - harmful)).squareRoot() + 12
      var sum = 0.0
      // The probability of at least `from` beneficial flips in the previous row.
      var tail: Double?
      var from = 0
      for row in max(0, Int(mean - reach))...min(n, Int(mean + reach)) {
        let cases = n - row
        let needed = least[row]
        if needed > cases || (needed > 0 && share == 0) { break }
        var chance = 1.0
        if needed > 0, share < 1 {
          if let previous = tail {
            // Update the probability for one case fewer, and then for the larger number of
            // beneficial flips that this row needs.
            chance = previous - share * columns.probability(of: from - 1, in: cases)
            for count in from..<needed { chance -= columns.probability(of: count, in: cases) }
          } else {
            chance = Binomial.atLeast(needed, of: cases, share)
          }
          tail = chance
          from = needed
        }
        sum += max(0, chance) * rows.probability(of: row, in: n)
      }
      return min(1, sum)
    }

    /// Returns the largest probability of passing, among all discordances, if the true loss is the
    /// margin.
    ///
    /// - Parameters:
    ///   - margin: The margin as a share.
    ///   - limit: The probability above which the search stops.
    /// - Returns: The largest probability, or the first one found above the limit.
    func largestFalsePass(margin: Double, upTo limit: Double = 1) -> Double {
      func falsePass(_ discordance: Double) -> Double {
        chance(discordance: discordance, difference: -margin)
      }
      // The grid is finer at small discordances, where the probability changes fastest.
      let grid = (0...200).map { step in
        let share = Double(step) / 200
        return margin + (1 - margin) * share * (0.3 + 0.7 * share)
      }
      var chances: [Double] = []
      var largest = 0.0
      for discordance in grid {
        let chance = falsePass(discordance)
        if chance > limit { return chance }
        chances.append(chance)
        largest = max(largest, chance)
      }
      let highest = largest
      for (index, chance) in chances.enumerated() where chance > highest - 0.002 {
        let neighbors = (max(0, index - 1), min(grid.count - 1, index + 1))
        guard chance >= chances[neighbors.0], chance >= chances[neighbors.1] else { continue }
        let peak = Self.peak(from: grid[neighbors.0], to: grid[neighbors.1], of: falsePass)
        largest = max(largest, peak)
      }
      return largest
    }

    /// Returns the largest value of a function that has one peak, found by golden-section search.
    private static func peak(
      from low: Double,
      to high: Double,
      of function: (Double) -> Double
    ) -> Double {
      let ratio = (5.0.squareRoot() - 1) / 2
      var (low, high) = (low, high)
      var (left, right) = (high - ratio * (high - low), low + ratio * (high - low))
      var (atLeft, atRight) = (function(left), function(right))
      for _ in 0..<12 {
        if atLeft > atRight {
          (high, right, atRight) = (right, left, atLeft)
          left = high - ratio * (high - low)
          atLeft = function(left)
        } else {
          (low, left, atLeft) = (left, right, atRight)
          right = low + ratio * (high - low)
          atRight = function(right)
        }
      }
      return max(atLeft, atRight)
    }
  }

  /// Binomial probabilities for one chance of success, computed from a table of factorials.
  private struct Binomials {
    private let success: Double
    private let failure: Double
    private let logFactorials = Self.logFactorials

    init(_ chance: Double) {
      success = log(chance)
      failure = log1p(-chance)
    }

    /// Returns the probability of `count` successes in `n` cases.
    ///
    /// `n` must be at most 1,000.
    func probability(of count: Int, in n: Int) -> Double {
      let rest = n - count
      return exp(
        logFactorials[n] - logFactorials[count] - logFactorials[rest] + Double(count) * success
          + Double(rest) * failure
      )
    }

    private static let logFactorials = (1...1_000).reduce(into: [0.0]) { sums, number in
      sums.append(sums[number - 1] + log(Double(number)))
    }
  }
}
