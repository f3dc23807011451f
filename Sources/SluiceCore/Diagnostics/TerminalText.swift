import SluiceSupport

/// Text for a terminal, prepared from the text of files and models.
package enum TerminalText {
  /// Returns the text, with escapes in place of characters that could control a terminal.
  ///
  /// Control characters, bidirectional overrides and other invisible format characters become
  /// `\u{…}`. Line breaks and tabs become `\n` and `\t`.
  package static func visible(_ text: String) -> String {
    // A string grows in place; a separate view of scalars would be copied at each append.
    var result = ""
    // CI services execute commands that begin with "##[" or "##vso[", anywhere in a line.
    var hashes = 0
    for scalar in text.unicodeScalars {
      let opensCommand = scalar == "[" && hashes >= 2
      switch scalar {
      case "#": hashes += 1
      case "a"..."z", "A"..."Z", ".": hashes = hashes >= 2 ? hashes : 0
      default: hashes = 0
      }
      switch scalar {
      case "[" where opensCommand: result += "\\["
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\u{200D}", "\u{FE0F}":  // Harmless: they join emoji or choose their look.
        result.unicodeScalars.append(scalar)
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
          result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Returns the width of a single-line text in terminal columns.
  package static func width(of text: String) -> Int {
    isPrintableASCII(text) ? text.utf8.count : text.reduce(0) { $0 + width(of: $1) }
  }

  private static func isPrintableASCII(_ text: String) -> Bool {
    for unit in text.utf8 where unit < 0x20 || unit > 0x7E { return false }
    return true
  }

  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") {
      return 2
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // Most characters of these blocks are wide or full-width in Unicode's EastAsianWidth.
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// Returns the text cut to a number of columns, with `…` where it was cut.
  package static func cut(_ text: String, to columns: Int) -> String {
    if width(of: text) <= columns { return text }
    guard columns > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      let needed = width(of: character)
      if used + needed > columns - 1 { break }
      result.append(character)
      used += needed
    }
    return result + "…"
  }

  /// Returns the text padded with spaces to a number of columns.
  ///
  /// If `right` is true, the text is aligned right.
  package static func pad(_ text: String, to columns: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, columns - width(of: text)))
    return right ? space + text : text + space
  }

  /// The assumed width of a terminal.
  package static let usualColumns = 80

  /// Returns the lines of a text, wrapped between words at a number of columns.
  ///
  /// A word that is longer than a line is not split.
  package static func wrap(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      if line.isEmpty {
        line = String(word)
      } else if width(of: line) + 1 + width(of: String(word)) <= columns {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }
}
