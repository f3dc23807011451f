import Foundation
import Sluice

extension StricterRules {
  /// The outcomes that pass: for each number of harmful flips, the least number of beneficial ones.
  ///
  /// A further harmful flip never helps, so the least number never falls from one row to the next.
  struct Region: Equatable {
    /// The least passing numbers by harmful flips; more than the remaining cases if no number
    /// passes.
    private let least: [Int]

    /// Creates the region of a rule that more harmful or fewer beneficial flips never satisfy sooner.
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

    /// Returns the exact chance to pass at a discordance and a difference.
    func chance(discordance: Double, difference: Double) -> Double {
      chance(
        harmful: (discordance - difference) / 2,
        beneficial: max(0, (discordance + difference) / 2)
      )
    }

    /// Returns the exact probability of passing, given the probabilities that a case becomes worse
    /// or better.
    ///
    /// `TrinomialEnumeration` gives the same result; this is fast enough for the thousands of
    /// discordances that an exact test needs.
    func chance(harmful: Double, beneficial: Double) -> Double {
      precondition(harmful > 0 && harmful < 1, "a truth with harmful flips is expected")
      let n = least.count - 1
      // Of the cases that do not become worse.
      let share = min(1, beneficial / (1 - harmful))
      let rows = Binomials(harmful)
      let columns = Binomials(share)
      let mean = Double(n) * harmful
      // The rows beyond weigh less than 1e-15 together.
      let reach = 8.5 * (mean * (1 - harmful)).squareRoot() + 12
      var sum = 0.0
      // The chance of at least `from` beneficial flips in the row before.
      var tail: Double?
      var from = 0
      for row in max(0, Int(mean - reach))...min(n, Int(mean + reach)) {
        let cases = n - row
        let needed = least[row]
        if needed > cases || (needed > 0 && share == 0) { break }
        var chance = 1.0
        if needed > 0, share < 1 {
          if let previous = tail {
            // One case fewer, then as many more flips as this row needs.
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

    /// Returns the largest chance to pass over all discordances, for a truth exactly at the margin.
    ///
    /// - Parameters:
    ///   - margin: The margin as a share.
    ///   - limit: The chance above which the search stops.
    /// - Returns: The largest chance, or the first one found above the limit.
    func largestFalsePass(margin: Double, upTo limit: Double = 1) -> Double {
      func falsePass(_ discordance: Double) -> Double {
        chance(discordance: discordance, difference: -margin)
      }
      // Closer together where few cases flip: the chance changes fastest there.
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

    /// Returns the largest value of a function with one peak, by golden-section search.
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

  /// Binomial probabilities of one chance, from a table of factorials.
  private struct Binomials {
    private let success: Double
    private let failure: Double
    private let logFactorials = Self.logFactorials

    init(_ chance: Double) {
      success = log(chance)
      failure = log1p(-chance)
    }

    /// Returns the probability of `count` of `n`, which is at most 1,000.
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
