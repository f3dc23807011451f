/// The sign test (Arbuthnott 1710): whether increases are more frequent than decreases.
public enum SignTest {
  /// Returns the exact two-sided p-value.
  ///
  /// - Parameters:
  ///   - plus: How many cases increased, at least 0.
  ///   - minus: How many decreased, at least 0; those that did neither are left out.
  /// - Returns: The p-value; 1 when nothing changed.
  public static func twoSided(plus: Int, minus: Int) -> Double {
    McNemar.exact(plus, minus)
  }
}
