import SluiceGating

/// The escaping of untrusted text for Markdown, as read by GitHub and GitLab.
package enum MarkdownText {
  /// Escapes every special character of a text.
  ///
  /// Use it for short names from the project.
  package static func plain(_ text: String) -> String {
    var result = ""
    for scalar in TerminalText.visible(text).unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // A mention would notify people, and a reference would link issues. Escapes do not help,
      // since GitHub and GitLab resolve them first. So add a character without width after the
      // sign.
      case "@", "#": result += String(scalar) + "&#8203;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "!", "$": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Escapes a figure, so that two dollar signs do not start a formula and `<` does not start a
  /// tag.
  static func figure(_ text: String) -> String {
    text.replacing("$", with: "\\$").replacing("<", with: "&lt;")
  }

  /// Returns a text as a code span, in which no character is special.
  ///
  /// Use it for text from a model.
  package static func code(_ text: String) -> String {
    // In a table, an unescaped bar ends the cell even inside a code span. Outside of a table, the
    // backslash of an escaped bar would show. So use a look-alike in both.
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
    // A backtick at an end must not touch the fence, so add a space at each end. Markdown removes
    // these spaces. It also removes a text's own spaces if there is one at each end, so add spaces
    // to such a text, too.
    let isSpaced = line.hasPrefix(" ") && line.hasSuffix(" ")
    let pad = line.hasPrefix("`") || line.hasSuffix("`") || line.isEmpty || isSpaced ? " " : ""
    return fence + pad + line + pad + fence
  }
}
