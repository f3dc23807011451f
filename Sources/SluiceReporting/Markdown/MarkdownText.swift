import SluiceGating

/// Escapes untrusted text for Markdown as read by GitHub and GitLab.
package enum MarkdownText {
  /// Escapes every special character of a text; for short names of the project.
  package static func plain(_ text: String) -> String {
    var result = ""
    for scalar in TerminalText.visible(text).unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // A mention or a reference would reach people and issues.
      // The forges look for them after escapes and entities are resolved, so only a character
      // between the sign and the name helps; this one has no width.
      case "@", "#": result += String(scalar) + "&#8203;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "!", "$": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Formats a figure, so that two dollar signs do not start a formula and `<` does not start a
  /// tag.
  static func figure(_ text: String) -> String {
    text.replacing("$", with: "\\$").replacing("<", with: "&lt;")
  }

  /// Returns a text as a code span, in which no character is special; for text from a model.
  package static func code(_ text: String) -> String {
    // In a table a bar ends the cell, even inside a code span, unless it is escaped; outside of one
    // the backslash would show. A look-alike reads the same in both.
    let line = String(
      String.UnicodeScalarView(
        TerminalText.visible(text).unicodeScalars.map { $0 == "|" ? "\u{2502}" : $0 }
      )
    )
    var longest = 0
    var run = 0
    for scalar in line.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    // Spaces keep a backtick at either end apart from the fence; one of each is taken off again.
    // They are taken off a text between spaces, too.
    let isSpaced = line.hasPrefix(" ") && line.hasSuffix(" ")
    let pad = line.hasPrefix("`") || line.hasSuffix("`") || line.isEmpty || isSpaced ? " " : ""
    return fence + pad + line + pad + fence
  }
}
