import SluiceSupport

/// Short forms of long texts, for explanations.
package enum Excerpt {
  /// Returns the name of the value at a path, for explanations.
  ///
  /// This is the path itself, or `the extracted part` if the path is empty.
  static func subject(_ path: String) -> String { path.isEmpty ? "the extracted part" : path }

  private static let limit = 80
  /// The number of characters that are shown before and after a position.
  private static let around = 20

  package static func cut(_ text: String, to limit: Int = Self.limit) -> String {
    // A text never contains more scalars than bytes.
    if text.utf8.count <= limit { return text }
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
  }

  /// Returns the beginning of a text, on one line and in quotation marks; `nothing` for an empty
  /// text.
  static func quoted(_ text: String) -> String {
    text.isEmpty ? "nothing" : "\"\(oneLine(cut(text)))\""
  }

  /// Returns the end of a text, on one line and in quotation marks; `nothing` for an empty text.
  static func quotedEnd(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard
      let start = scalars.index(scalars.endIndex, offsetBy: -limit, limitedBy: scalars.startIndex),
      start != scalars.startIndex
    else { return quoted(text) }
    return "\"…\(oneLine(String(scalars[start...])))\""
  }

  /// Returns the beginning of a text on one line.
  package static func line(_ text: String, to limit: Int) -> String {
    oneLine(cut(text, to: limit))
  }

  /// Returns the beginning of a value's JSON text, on one line.
  static func json(_ value: JSONValue) -> String { oneLine(cut(value.jsonText)) }

  /// Returns a list of the first parts, followed by the number of the remaining parts.
  ///
  /// The number of parts depends on the answer, and every trial stores its explanations. So the
  /// length of a list must be limited.
  static func list(
    _ parts: [String],
    limit: Int = 10,
    separator: String = ", ",
    shown: (String) -> String = { $0 }
  ) -> String {
    let more = parts.count - limit
    let list = parts.prefix(limit).map(shown).joined(separator: separator)
    return more > 0 ? "\(list)\(separator)and \(more) more" : list
  }

  // MARK: Places

  /// Returns the number of the first character of a range, and the text around the range, on one
  /// line.
  static func place(_ place: Range<String.Index>, in text: String) -> String {
    let number = text.unicodeScalars.distance(from: text.startIndex, to: place.lowerBound) + 1
    return "character \(number): \(surroundings(of: place, in: text))"
  }

  /// Returns a clause about the first difference from the expected text, beginning with a comma.
  ///
  /// Empty if one of the texts is empty. Also empty if both texts are short, because readers then
  /// see the difference themselves.
  ///
  /// A difference that is easy to overlook always has a clause, which names code points. For
  /// example, `é` may be one code point or two.
  ///
  /// - Parameters:
  ///   - text: The actual text.
  ///   - expected: The expected text.
  ///   - isOnlyAlike: True for a clause only if the difference is easy to overlook.
  /// - Returns: The clause.
  static func difference(_ text: String, from expected: String, isOnlyAlike: Bool = false)
    -> String
  {
    if text.isEmpty || expected.isEmpty { return "" }
    let (got, wanted) = (text.unicodeScalars, expected.unicodeScalars)
    var (place, wantedPlace) = (got.startIndex, wanted.startIndex)
    var number = 1
    while place < got.endIndex, wantedPlace < wanted.endIndex, got[place] == wanted[wantedPlace] {
      got.formIndex(after: &place)
      wanted.formIndex(after: &wantedPlace)
      number += 1
    }
    if text.isIdentical(to: expected) { return "" }
    let (came, meant) = (scalar(got, place), scalar(wanted, wantedPlace))
    // In Swift, strings are also equal if their scalars are only canonically equivalent.
    let looksSame =
      text == expected || [came, meant].contains { $0.map(isInconspicuous) ?? false }
      || came.map(alike) == meant.map(alike)
    if looksSame {
      return ", which differs at character \(number): expected \(name(meant)), got \(name(came))"
    }
    if isOnlyAlike { return "" }
    let isShort = got.count <= around * 2 && wanted.count <= around * 2
    if isShort { return "" }
    let shownWanted = surroundings(of: wantedPlace..<wantedPlace, in: expected)
    let shownGot = surroundings(of: place..<place, in: text)
    return ", which differs at character \(number): expected \(shownWanted), got \(shownGot)"
  }

  private static func scalar(_ text: String.UnicodeScalarView, _ place: String.Index)
    -> Unicode.Scalar?
  {
    place < text.endIndex ? text[place] : nil
  }

  /// Returns true if a reader may overlook a scalar, or mistake it for another one.
  private static func isInconspicuous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .unassigned, .privateUse:
      scalar != " "
    default: false
    }
  }

  /// Greek and Cyrillic letters with the Latin letters that look like them.
  private static let twins = Dictionary(
    zip(
      "асеорхуіјѕАВЕКМНОРСТХІЈЅοΑΒΕΗΙΚΜΝΟΡΤΧ".unicodeScalars,
      "aceopxyijsABEKMHOPCTXIJSoABEHIKMNOPTX".unicodeScalars
    ),
    uniquingKeysWith: { first, _ in first }
  )

  /// Returns the scalar that readers see in place of another one; U+0000 for an invisible one.
  private static func alike(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let plain = twins[scalar] ?? SearchedText.plain(scalar)
    return plain == "\u{A0}" ? " " : plain
  }

  private static func name(_ scalar: Unicode.Scalar?) -> String {
    guard let scalar else { return "the end" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let name = (scalar.properties.name ?? scalar.properties.nameAlias).map {
      " (\($0.lowercased()))"
    }
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + (name ?? "")
  }

  /// Returns a clause about a part of a text that only looks like another text; empty if there is
  /// none.
  ///
  /// - Parameters:
  ///   - part: The text that is expected in the other one.
  ///   - text: The text that does not contain it.
  /// - Returns: The clause, which names the first code point that differs.
  static func lookAlike(of part: String, in text: String) -> String {
    // The comparison takes time in proportion to both lengths.
    guard part.utf8.count <= 1_000, text.utf8.count <= 100_000 else { return "" }
    func visible(_ text: String) -> [(place: Int, text: String)] {
      var place = 0
      return text.compactMap { character in
        defer { place += character.unicodeScalars.count }
        let scalars = character.unicodeScalars.map(alike).filter { $0 != "\0" }
        return scalars.isEmpty ? nil : (place, String(String.UnicodeScalarView(scalars)))
      }
    }
    let (visible, wanted) = (visible(text), visible(part).map(\.text))
    guard !wanted.isEmpty, wanted.count <= visible.count else { return "" }
    let all = Array(text.unicodeScalars)
    for start in 0...(visible.count - wanted.count)
    where zip(visible[start...], wanted).allSatisfy({ $0.text == $1 }) {
      let (place, end) = (visible[start].place, start + wanted.count)
      let found = all[place..<(end < visible.count ? visible[end].place : all.count)]
      let clause = difference(String(String.UnicodeScalarView(found)), from: part)
      if !clause.isEmpty { return ", with a look-alike at character \(place + 1)\(clause)" }
    }
    return ""
  }

  private static func surroundings(of place: Range<String.Index>, in text: String) -> String {
    let scalars = text.unicodeScalars
    let start =
      scalars.index(place.lowerBound, offsetBy: -around, limitedBy: scalars.startIndex)
      ?? scalars.startIndex
    let length = scalars.distance(from: place.lowerBound, to: place.upperBound)
    let end =
      scalars.index(
        place.lowerBound,
        offsetBy: min(length, limit) + around,
        limitedBy: scalars.endIndex
      )
      ?? scalars.endIndex
    let before = start == scalars.startIndex ? "" : "…"
    let after = end == scalars.endIndex ? "" : "…"
    return "\"\(before)\(oneLine(String(scalars[start..<end])))\(after)\""
  }

  private static func oneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": line.append(contentsOf: "\\n".unicodeScalars)
      case "\r": line.append(contentsOf: "\\r".unicodeScalars)
      case "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}":
        line.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}
