/// The sign test (Arbuthnott 1710), which compares the numbers of increases and decreases.
package enum SignTest {
  /// Returns the exact two-sided p-value.
  ///
  /// - Parameters:
  ///   - plus: The number of cases that increased, at least 0.
  ///   - minus: The number of cases that decreased, at least 0; unchanged cases are left out.
  /// - Returns: The p-value; 1 when nothing changed.
  package static func twoSided(plus: Int, minus: Int) -> Double {
    McNemar.exact(plus, minus)
  }
}
