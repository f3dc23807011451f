import SluiceSupport

/// A number as people write it, such as `-1,234.50`, `+3`, `.5`, `12%`, `1e6` or `3½`.
///
/// It is always a whole number in its text, never a part of one: `1,5` may be a decimal or two
/// numbers, so it has no value.
struct WrittenNumber {
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

  /// The number as it is written.
  let text: String
  /// The number in the notation of JSON; nil if the text could mean several numbers.
  let json: String?

  /// The value, or the reason why there is none.
  var value: Result<JSONValue, Problem> {
    guard let json else {
      return .failure(
        Problem(
          reason: "\(Excerpt.quoted(text)) could be read in two ways, not as one plain number"
        )
      )
    }
    guard let value = try? JSONReader.value(json), value.number != nil else {
      return .failure(Problem(reason: "\(Excerpt.quoted(text)) is too large"))
    }
    return .success(value)
  }

  /// Returns the number in a text.
  static func number(in text: String, _ choice: Choice) -> Result<JSONValue, Problem> {
    let numbers = all(in: text)
    guard let first = numbers.first, let last = numbers.last else {
      return .failure(Problem(reason: "there is no number"))
    }
    switch choice {
    case .first: return first.value
    case .last: return last.value
    case .only where numbers.count == 1: return first.value
    case .only:
      return .failure(
        Problem(
          reason: "there are \(numbers.count) numbers; write 'number: first' or 'number: last' to "
            + "choose one"
        )
      )
    }
  }

  /// Returns the ASCII digit with the value of a digit in any script; nil for other scalars.
  static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII { return ("0"..."9").contains(scalar) ? scalar : nil }
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    return Unicode.Scalar(0x30 + UInt32(value))
  }

  /// Words that multiply the number before them.
  ///
  /// Only "thousand" and "million" are read. The others are not English, or have several meanings.
  private static let scales =
    "thousand|millions?|hundred|billions?|trillions?|quadrillions?|dozen|lakhs?|crores?|mn|bn|tn|mio"
    + "|mrd|mln|mld"
    + "|tausend|millionen|milliarden?|mille|mil|millones|milliards?|milioni|miliardi|тыс|млн|млрд|тысяч[аи]?"
    + "|миллион(?:а|ов)?|миллиард(?:а|ов)?"
  private static let scale = try? BoundedRegex("^(?:\(scales))\\b", ignoringCase: true)

  /// Returns true if a text begins with a word that multiplies the number before it.
  static func isScaled(by text: String) -> Bool { (try? scale?.matches(text)) == true }

  /// A number: an unclear prefix, a sign, a currency, digits, an exponent, a fraction, a scale and
  /// an unclear suffix.
  ///
  /// Digits after a letter or a point are part of a word, or of a name such as v1.2.
  private static let regex = try? BoundedRegex(
    #"""
    (?x) (?(DEFINE)
      (?<digits> (?: \d++ | (?<![.\w])\.\d++ ) (?: (?&mark) \d++ )*+ )
      (?<mark> (?: [.,'’_/:^٫٬．，·\x{AD}\x{200B}-\x{200D}\x{2060}\x{FEFF}] | \{,\} ) (?=\d)
        | (?: \\[,;:!\ ] | &nbsp;
          | (?<!\d{4}|[.,]\d|[.,]\d\d|[.,]\d{3}) [\ ~\x{A0}\x{2007}\x{2009}\x{202F}] ) (?=\d{3}(?!\d)) )
    )
    (?: (?<=[\p{L}\p{M}_])
        (?<![\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Myanmar}\p{Khmer}])
      | (?<=(?<!\.)\.) ) (?=\d) (?&digits) \w*+ (*SKIP)(*F)
    | ( [\^√±∓] | [\^_}]\{ | (?:frac|sqrt|binom)\{ | (?<![\w)])— | (?<![\w)])(?<![\w)]\ )−[\ ]
      | (?<=[=≈≤≥]|[=≈≤≥]\ )[-–−]\ | (?<![\w)])[-–−](?:\\[a-z]++\{|\*\*)(?=[\p{Sc}\d.])
      | \A\s*\( (?=\p{Sc}(?&digits)\)\s*\z) )?
      ( (?<![\w)]|\d[%°€])[-−–‒‑﹣－] )? (\p{Sc})?
      ((?&digits)|(?=[¼½¾⅐-⅞])) ([eE][-+−]?\d++)?
      (?: [\ \x{A0}]? ([¼½¾⅐-⅞] (?: \d++ | [\ \x{A0}]?(?i:SCALES)(?!\w) )?)
      | ( (?: (?: [kKmMbBGT] | MM ) | [\ \x{A0}] (?: [kKmMbBGT] | MM ) (?!-\p{L})
          | (?: &nbsp; | [\ \x{A0}*_()‐‑-] | \R(?=\p{Ll}) ){0,6} (?i:SCALES) ) (?!\w) )
      | ( (?&mark) \S*+ | \^(?!\ *\{?\ *(?:\\circ|\\degree|\\ast|°|\*)) \S*+ | [\p{No}十百千万萬億亿兆만억] \S*+
        | (?:[-–−‑]\d++){2} | [-–−‑]\d++/\d++ | [-–−‑][¼½¾⅐-⅞] | [\ \x{A0}]\d++/\d++
        | \ *[⁄∕]\ *\d++ | \ *\^\ *[-−{]*\d++ | (?:\*\*|\ \*\*\ )\d++ | <sup>[-−]?\d++
        | (?<=(?<![\d.,])0)[xX][0-9A-Fa-f]++ | [A-Za-z]++\d\w*+
        | \ ?(?: \\(?:sqrt|[dt]?frac)(?:\{[^{}]*+\})*+ | \\pi(?![A-Za-z]) | π | √\d*+ )
        | (?: [-+−]\d*+ | \ [-+−]\ \d++ ) i(?!\w)
        | (?= \ ?(?:[-–−‒]|to|or|and)\ ?\p{Sc}?\d[\d.,]*+ (?: [\ \x{A0}]?(?i:SCALES) | [kKMB] )(?!\w) )
        | \ *(?:×|·|\*|x|X|\\times|\\cdot)\ *10[\^⁰¹²³⁴-⁹⁻]\S*+ ) )?
    """#.replacing("SCALES", with: scales)
  )

  /// Returns the numbers in a text, in order.
  ///
  /// Digits that follow a letter, as in A4, do not count.
  static func all(in text: String) -> [WrittenNumber] {
    let text = String(String.UnicodeScalarView(text.unicodeScalars.map { digit($0) ?? $0 }))
    return ((try? regex?.groups(in: text)) ?? []).map {
      WrittenNumber(text: ($0[0] ?? "").trimmed, json: json($0))
    }
  }

  /// Returns a match in the notation of JSON; nil if it is unclear.
  private static func json(_ match: [String?]) -> String? {
    guard match[3] == nil, match[10] == nil, var json = joined(match[6] ?? "") else { return nil }
    if let exponent = match[7] { json += exponent.lowercased().replacing("−", with: "-") }
    if let fractions = match[8]?.unicodeScalars, let fraction = fractions.first {
      guard fractions.count == 1, !json.contains("."), match[7] == nil,
        "¼½¾⅕⅖⅗⅘⅛⅜⅝⅞".unicodeScalars.contains(fraction)
      else { return nil }
      json += "\(fraction.properties.numericValue ?? 0)".dropFirst()
    }
    let scale = (match[9] ?? "").replacing("\u{A0}", with: " ")
    switch (scale.lowercased(), match[5]) {
    // Without a currency, a letter is a unit.
    case ("", _): break
    case (_, nil) where ["m", " k", " m", " b", " G", " T"].contains(scale): break
    case ("k", _?), (" thousand", _): json += match[7] == nil ? "e3" : "?"
    case ("m", _?), (" million", _), (" millions", _): json += match[7] == nil ? "e6" : "?"
    default: return nil
    }
    return match[4] == nil ? json : "-\(json)"
  }

  /// Returns groups of digits in the notation of JSON; nil if they could mean several numbers.
  private static func joined(_ digits: String) -> String? {
    let scalars = (digits.hasPrefix(".") ? "0\(digits)" : digits).unicodeScalars
    let groups = scalars.split { digit($0) == nil }.map { String(String.UnicodeScalarView($0)) }
    let marks = scalars.split { digit($0) != nil }.map { kind($0.first ?? "/") }
    func integer(_ groups: ArraySlice<String>) -> String {
      let digits = groups.joined().drop { $0 == "0" }
      return digits.isEmpty ? "0" : String(digits)
    }
    guard let last = marks.last, let end = groups.last else { return integer(groups[...]) }
    if marks == ["."] { return "\(integer(groups.prefix(1))).\(end)" }
    let others = Set(marks.dropLast())
    let isDecimal = others.count == 1 && !others.contains(last) && (last == "." || last == ",")
    let (whole, kinds) = isDecimal ? (groups.dropLast(), others) : (groups[...], Set(marks))
    // Four groups with points may be an address in a network.
    let isAddress =
      kinds == ["."] && groups.count == 4 && groups.allSatisfy { (Int($0) ?? 0) < 256 }
    guard kinds.count == 1, kinds.isDisjoint(with: [" ", "/"]), !isAddress,
      whole[0].utf8.count <= 3, !whole[0].hasPrefix("0"),
      whole.dropFirst().allSatisfy({ $0.utf8.count == 3 })
    else { return nil }
    return integer(whole) + (isDecimal ? ".\(end)" : "")
  }

  /// Returns the form of a mark that is the same in all scripts; `/` for marks of no number.
  private static func kind(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case ".", "．", "٫": "."
    case ",", "，", "{": ","
    case "'", "’", "٬": "'"
    case "_", " ": scalar
    case "\u{A0}", "\u{2007}", "\u{2009}", "\u{202F}", "\\", "&": "\u{A0}"
    default: "/"
    }
  }
}
