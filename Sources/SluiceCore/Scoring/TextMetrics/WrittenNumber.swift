import SluiceSupport

/// Numbers as people write them, such as `-1,234.50`, `+3`, `.5`, `12%` or `1e6`.
enum WrittenNumber {
  /// The rule for choosing one of several numbers in a text.
  enum Choice: String, Sendable {
    /// The only number.
    ///
    /// If a text contains several numbers, that is an error.
    case only
    case first, last
  }

  /// The reason why a text does not give a number.
  struct Problem: Error, Hashable {
    var reason: String
  }

  /// Returns the number in a text.
  static func number(in text: String, _ choice: Choice) -> Result<JSONValue, Problem> {
    let numbers = all(in: text)
    guard let first = numbers.first, let last = numbers.last else {
      return .failure(Problem(reason: "there is no number"))
    }
    switch choice {
    case .first: return .success(first)
    case .last: return .success(last)
    case .only where numbers.count == 1: return .success(first)
    case .only:
      return .failure(
        Problem(
          reason: "there are \(numbers.count) numbers; write 'number: first' or 'number: last' to "
            + "choose one"
        )
      )
    }
  }

  /// Returns the numbers in a text, in order.
  ///
  /// Digits that follow a letter, as in A4, do not count.
  static func all(in text: String) -> [JSONValue] {
    let scalars = Array(text.unicodeScalars)
    var numbers: [JSONValue] = []
    var place = 0
    while place < scalars.count {
      guard let start = digits(scalars, place) else {
        place += 1
        continue
      }
      if let before = place > 0 ? scalars[place - 1] : nil, isWord(before) || before == "." {
        // The digits are part of a word, or of a version such as 1.2.3.
        place = start
        continue
      }
      let (digits, end) = read(scalars, place)
      let number = (isNegative(scalars, place) ? "-" : "") + digits
      numbers.append(ExactNumber(number.utf8).map(JSONValue.init) ?? .number(.infinity))
      place = end
    }
    return numbers
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || isDigit(scalar)
  }

  /// Returns the end of the digits at an index; nil if there are no digits.
  ///
  /// A decimal point may precede the digits.
  private static func digits(_ scalars: [Unicode.Scalar], _ place: Int) -> Int? {
    var end = place
    if scalars[end] == ".", end + 1 < scalars.count { end += 1 }
    guard isDigit(scalars[end]) else { return nil }
    while end < scalars.count, isDigit(scalars[end]) { end += 1 }
    return end
  }

  /// Returns true if a minus sign precedes a number.
  ///
  /// A sign after a digit, a letter, `_` or `)` does not count: `3-5` is 3 and 5.
  private static func isNegative(_ scalars: [Unicode.Scalar], _ place: Int) -> Bool {
    var sign = place - 1
    // A currency symbol may be between the sign and the number, as in -$5.
    if sign >= 0, scalars[sign].properties.generalCategory == .currencySymbol { sign -= 1 }
    guard sign >= 0, scalars[sign] == "-" || scalars[sign] == "\u{2212}" else { return false }
    return sign == 0 || !isWord(scalars[sign - 1]) && scalars[sign - 1] != ")"
  }

  private static func read(_ scalars: [Unicode.Scalar], _ start: Int) -> (digits: String, end: Int)
  {
    var digits = ""
    var place = start
    func take() {
      while place < scalars.count, isDigit(scalars[place]) {
        digits.unicodeScalars.append(scalars[place])
        place += 1
      }
    }
    take()
    if place > start, place - start <= 3 {
      while hasGroup(scalars, place) {
        place += 1
        take()
      }
    }
    if place + 1 < scalars.count, scalars[place] == ".", isDigit(scalars[place + 1]) {
      digits += digits.isEmpty ? "0." : "."
      place += 1
      take()
    }
    var exponent = place + 1
    if place < scalars.count, scalars[place] == "e" || scalars[place] == "E" {
      if exponent < scalars.count, scalars[exponent] == "-" || scalars[exponent] == "+" {
        exponent += 1
      }
      if exponent < scalars.count, isDigit(scalars[exponent]) {
        digits += "e" + (scalars[exponent - 1] == "-" ? "-" : "")
        place = exponent
        take()
      }
    }
    return (digits, place)
  }

  /// Returns true if a thousands separator is at an index, with exactly three digits after it.
  private static func hasGroup(_ scalars: [Unicode.Scalar], _ place: Int) -> Bool {
    let separators: [Unicode.Scalar] = [",", "'", "\u{2019}", "\u{A0}", "\u{202F}", "\u{2009}"]
    guard place + 3 < scalars.count, separators.contains(scalars[place]) else { return false }
    return scalars[(place + 1)...(place + 3)].allSatisfy(isDigit)
      && (place + 4 >= scalars.count || !isDigit(scalars[place + 4]))
  }
}
