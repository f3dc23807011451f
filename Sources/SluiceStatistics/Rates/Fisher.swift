import SluiceSystem

/// Fisher's exact test (1922) on a table of two groups and two outcomes.
package enum Fisher {
  /// The counts of two outcomes in two groups.
  package struct Table: Hashable, Sendable {
    let a, b, c, d: Int

    /// Creates a table of nonnegative counts.
    ///
    /// - Parameters:
    ///   - a: The count of the first outcome in the first group.
    ///   - b: The count of the second outcome in the first group.
    ///   - c: The count of the first outcome in the second group.
    ///   - d: The count of the second outcome in the second group.
    package init(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
      precondition(min(a, b, c, d) >= 0, "counts are not negative")
      (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    /// The possible values of `a`, given the sums of rows and columns.
    fileprivate var range: ClosedRange<Int> { max(0, a - d)...(a + min(b, c)) }

    /// Returns the table that has the same sums of rows and columns, and `first` as `a`.
    fileprivate func with(_ first: Int) -> Table {
      Table(first, b + a - first, c + a - first, d - a + first)
    }

    /// The logarithm of the table's probability, given the sums of rows and columns.
    ///
    /// The probability is the product of the two groups' binomial probabilities, divided by the
    /// binomial probability of the total counts (Loader 2000).
    fileprivate var logProbability: Double {
      let (a, b, c, d) = (Double(a), Double(b), Double(c), Double(d))
      let n = a + b + c + d
      if n == 0 { return 0 }
      let (p, q) = ((a + c) / n, (b + d) / n)
      return BinomialDensity.log(a, b, p, q) + BinomialDensity.log(c, d, p, q)
        - BinomialDensity.log(a + c, b + d, p, q)
    }
  }

  /// Returns the probability that `a` is at most as large as in the table, given the sums of rows
  /// and columns.
  ///
  /// - Parameter table: The table, whose `a` is the count of the first outcome in the first group.
  /// - Returns: The one-sided p-value: small if the first outcome is rare in the first group.
  package static func less(_ table: Table) -> Double {
    // The shorter tail is more precise.
    table.a < mode(table)
      ? tail(table, from: table.a, by: -1) : max(0, 1 - tail(table, from: table.a + 1, by: 1))
  }

  /// Returns the probability that `a` is at least as large as in the table, given the sums of rows
  /// and columns.
  ///
  /// - Parameter table: The table, whose `a` is the count of the first outcome in the first group.
  /// - Returns: The one-sided p-value: small if the first outcome is frequent in the first group.
  package static func greater(_ table: Table) -> Double {
    table.a > mode(table)
      ? tail(table, from: table.a, by: 1) : max(0, 1 - tail(table, from: table.a - 1, by: -1))
  }

  /// Returns the total probability of all tables with the same sums that are at most as likely as
  /// the given table.
  ///
  /// - Parameter table: The table.
  /// - Returns: The two-sided p-value; 1 if the sums allow no other table.
  package static func twoSided(_ table: Table) -> Double {
    let range = table.range
    // Includes tables that are equally likely except for rounding.
    let limit = table.logProbability + 1e-9
    let mode = mode(table)
    func isLikely(_ first: Int) -> Bool { table.with(first).logProbability > limit }
    if !isLikely(mode) { return 1 }
    if table.a < mode {
      var (likely, other) = (mode, range.upperBound + 1)
      while other - likely > 1 {
        let middle = likely + (other - likely) / 2
        if isLikely(middle) { likely = middle } else { other = middle }
      }
      return min(1, tail(table, from: table.a, by: -1) + tail(table, from: other, by: 1))
    }
    var (other, likely) = (range.lowerBound - 1, mode)
    while likely - other > 1 {
      let middle = other + (likely - other) / 2
      if isLikely(middle) { likely = middle } else { other = middle }
    }
    return min(1, tail(table, from: other, by: -1) + tail(table, from: table.a, by: 1))
  }

  /// Returns the most likely value of `a`, given the sums of rows and columns.
  private static func mode(_ table: Table) -> Int {
    let (a, b, c, d) = (Double(table.a), Double(table.b), Double(table.c), Double(table.d))
    let mode = Int((a + b + 1) * (a + c + 1) / (a + b + c + d + 2))
    return min(max(mode, table.range.lowerBound), table.range.upperBound)
  }

  /// Returns the total probability of all values of `a` from `first` on, in the direction of
  /// `step`.
  private static func tail(_ table: Table, from first: Int, by step: Int) -> Double {
    let range = table.range
    guard range.contains(first) else { return 0 }
    var here = table.with(first)
    // From one count to the next the probability changes by a ratio of products.
    var term = 1.0
    var sum = 1.0
    while range.contains(here.a + step) {
      let next = here.with(here.a + step)
      term *=
        step > 0
        ? Double(here.b) / Double(next.a) * (Double(here.c) / Double(next.d))
        : Double(here.a) / Double(next.b) * (Double(here.d) / Double(next.c))
      let longer = sum + term
      // Past the mode, the terms only decrease.
      if longer == sum { break }
      sum = longer
      here = next
    }
    return exp(table.with(first).logProbability) * sum
  }
}
