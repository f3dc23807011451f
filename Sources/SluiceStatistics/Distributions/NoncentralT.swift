import SluiceSystem

/// The noncentral t distribution of `(Z + shift) / S`.
///
/// Z is a standard normal variable. S² is an independent chi-squared variable divided by its
/// degrees of freedom.
enum NoncentralT {
  /// Returns the probability of a value above t.
  static func above(_ t: Double, degreesOfFreedom: Double, shift: Double) -> Double {
    integral(degreesOfFreedom) { NormalDistribution.cumulative(shift - t * $0) }
  }

  /// Returns the probability of a value below t.
  static func below(_ t: Double, degreesOfFreedom: Double, shift: Double) -> Double {
    integral(degreesOfFreedom) { NormalDistribution.cumulative(t * $0 - shift) }
  }

  /// Returns the mean of a function of S, by the trapezoidal rule over log S.
  ///
  /// For such smooth densities, the rule converges faster than any power of the step (Trefethen &
  /// Weideman 2014).
  private static func integral(_ df: Double, _ function: (Double) -> Double) -> Double {
    // The density of u = log S is proportional to exp(df · (u - (exp(2u) - 1) / 2)). For large df,
    // its standard deviation is about 1 / sqrt(2 df). To the left, the density falls only like
    // exp(df · u).
    func weight(_ u: Double) -> Double { exp(df * (u - expm1(2 * u) / 2)) }
    let spread = 1 / (2 * df).squareRoot()
    let step = min(spread, 0.25) / 4
    var (sum, total) = (0.0, 0.0)
    func walk(from start: Int, by direction: Int) {
      var index = start
      while true {
        let u = Double(index) * step
        let weight = weight(u)
        sum += weight * function(exp(u))
        total += weight
        if weight < 1e-18 { break }
        index += direction
      }
    }
    walk(from: 0, by: 1)
    walk(from: -1, by: -1)
    return sum / total
  }
}
