import SluiceSupport

/// The check that the whole answer is an absolute URL (RFC 3986).
///
/// White space around the URL is ignored.
struct URLCheck: AnswerCheck {
  private let schemes: [String]
  let claim: String

  init?(_ arguments: ScorerArguments) {
    if case .null = arguments.spec.arguments.value {
      schemes = ["http", "https"]
    } else {
      guard let texts = arguments.texts() else { return nil }
      schemes = texts.map { $0.lowercased() }
    }
    let list = Excerpt.list(schemes.map { "'\($0)'" }, separator: " or ")
    claim = "be a URL with the scheme \(list)"
  }

  func finding(_ answer: Answer) -> Finding {
    let text = answer.text.trimmed
    // Browsers accept letters of all scripts. RFC 3987 converts them to percent-encoding.
    var encoded = ""
    for scalar in text.unicodeScalars {
      if scalar.isASCII || scalar.properties.isWhitespace {
        encoded.unicodeScalars.append(scalar)
      } else {
        encoded += "%20"
      }
    }
    var reader = FormatText(encoded)
    guard reader.readURI(), reader.isAtEnd, let colon = text.firstIndex(of: ":") else {
      return Finding(false)
    }
    let scheme = text[..<colon].lowercased()
    guard schemes.contains(scheme) else {
      return Finding(false, detail: "its scheme is '\(Excerpt.cut(scheme))'")
    }
    guard ["http", "https", "ftp", "ws", "wss"].contains(scheme) else { return Finding(true) }
    let rest = text[text.index(after: colon)...]
    let host = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    let isNamed = host.split(separator: "@").last.map { !$0.hasPrefix(":") } ?? false
    return Finding(rest.hasPrefix("//") && isNamed, detail: isNamed ? nil : "it has no host")
  }
}

/// The check that the whole answer is a valid date.
///
/// White space around the date is ignored.
struct DateCheck: AnswerCheck {
  private let patterns: [DatePattern]
  let claim: String

  init?(_ arguments: ScorerArguments) {
    if case .null = arguments.spec.arguments.value {
      patterns = []
      claim = "be a date such as 2026-11-24 or 2026-11-24T09:30:00Z"
      return
    }
    guard let texts = arguments.texts() else { return nil }
    var patterns: [DatePattern] = []
    for text in texts {
      guard let pattern = DatePattern(text) else {
        arguments.error(
          "'\(text)' is not a date format",
          fix: "write, for example, 'DD.MM.YYYY'; the known parts are "
            + "\(DatePattern.parts.joined(separator: ", "))"
        )
        return nil
      }
      patterns.append(pattern)
    }
    self.patterns = patterns
    claim =
      "be a date of the format \(Excerpt.list(texts.map { "'\($0)'" }, separator: " or "))"
  }

  func finding(_ answer: Answer) -> Finding {
    let text = answer.text.trimmed
    if patterns.isEmpty {
      return Finding(
        [JSONSchema.Format.date, .dateTime].contains { $0.accepts(text) }
      )
    }
    return Finding(patterns.contains { $0.matches(text) })
  }
}

/// A date format, such as `DD.MM.YYYY`.
struct DatePattern: Sendable {
  /// The components of a date format.
  static let parts = ["YYYY", "MMMM", "MMM", "MM", "M", "DD", "D", "HH", "mm", "ss"]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  private enum Piece {
    case part(String)
    case literal(Character)
  }

  private let pieces: [Piece]

  /// Parses a date format; nil if it has no month, an unknown component, or a component twice.
  init?(_ text: String) {
    var rest = text[...]
    var pieces: [Piece] = []
    while let first = rest.first {
      if let part = Self.parts.first(where: { rest.hasPrefix($0) }) {
        pieces.append(.part(part))
        rest = rest.dropFirst(part.count)
      } else if first.isLetter, first != "T", first != "Z" {
        return nil
      } else {
        pieces.append(.literal(first))
        rest = rest.dropFirst()
      }
    }
    let names = pieces.compactMap { if case .part(let name) = $0 { name } else { nil } }
    guard names.contains(where: { $0.hasPrefix("M") }), Set(names).count == names.count else {
      return nil
    }
    self.pieces = pieces
  }

  func matches(_ text: String) -> Bool {
    var rest = text[...]
    var (year, month, day) = (2000, 1, 1)
    for piece in pieces {
      switch piece {
      case .literal(let character):
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
      case .part(let name):
        if name.hasPrefix("MMM") {
          let word = rest.prefix { $0.isLetter }.lowercased()
          let found = Self.months.firstIndex { name == "MMM" ? $0.prefix(3) == word : $0 == word }
          guard let found else { return false }
          month = found + 1
          rest = rest.dropFirst(word.count)
          continue
        }
        let digits = rest.prefix(name == "YYYY" ? 4 : 2).prefix { ("0"..."9").contains($0) }
        let isLong = digits.count == name.count
        guard let number = Int(digits), name.count == 1 ? digits.first != "0" : isLong else {
          return false
        }
        rest = rest.dropFirst(digits.count)
        switch name {
        case "YYYY": year = number
        case "MM", "M": month = number
        case "DD", "D": day = number
        case "HH": if number > 23 { return false }
        default: if number > 59 { return false }
        }
      }
    }
    guard rest.isEmpty else { return false }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let padded = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
    return JSONSchema.Format.date.accepts("\(padded)-\(two(month))-\(two(day))")
  }
}
