/// The name of a table column that contains assertions.
///
/// `assert`, `assert.2` and so on contain whole assertions, as do promptfoo's `__expected` and
/// `__expected2`. A column such as `assert.contains` contains the values of one type of assertion.
package enum AssertionColumn: Hashable {
  case whole
  case promptfoo
  case type(String)

  /// Parses the name of a column; nil for other columns.
  package init?(_ name: String) {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    if parts[0] == "assert" {
      guard parts.count > 1 else {
        self = .whole
        return
      }
      if Self.isNumber(parts[1]) {
        self = .whole
        return
      }
      // The name of a type's second column ends with a number, as in `assert.contains.2`.
      let rest = parts[1].split(separator: ".", omittingEmptySubsequences: false)
      guard let type = rest.first, !type.isEmpty,
        rest.count == 1 || rest.count == 2 && Self.isNumber(rest[1])
      else { return nil }
      self = .type(String(type))
    } else if name.hasPrefix("__expected") {
      let number = name.dropFirst("__expected".count)
      guard number.isEmpty || Self.isNumber(number) else { return nil }
      self = .promptfoo
    } else {
      return nil
    }
  }

  private static func isNumber(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
