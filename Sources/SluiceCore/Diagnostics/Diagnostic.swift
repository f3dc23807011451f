package import SluiceSupport

/// An error or a warning about a file of the project.
package struct Diagnostic: Hashable, Sendable {
  /// The severity of a problem.
  ///
  /// Only errors prevent a run.
  package enum Severity: String, Sendable {
    case error, warning
  }

  /// The severity.
  package var severity: Severity
  /// The file, relative to the project's root.
  package var path: String
  /// The position in the file; nil if the problem concerns the whole file.
  package var position: SourcePosition?
  /// The message.
  package var message: String
  /// The fix, if there is one.
  package var fix: String?
  /// The text of the line at ``position``.
  ///
  /// If the line is very long, this is only the part around the position.
  package var sourceLine: String?
  /// The number of characters that were cut off before ``sourceLine``.
  var skipped = 0

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - severity: The severity.
  ///   - path: The file, relative to the project's root.
  ///   - position: The position in the file.
  ///   - message: The message.
  ///   - fix: The fix.
  ///   - sourceLine: The text of the line at the position.
  package init(
    _ severity: Severity = .error,
    path: String,
    position: SourcePosition? = nil,
    message: String,
    fix: String? = nil,
    sourceLine: String? = nil
  ) {
    self.severity = severity
    self.path = path
    self.position = position
    self.message = message
    self.fix = fix
    self.sourceLine = sourceLine
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The printed form: the position and the message, the source line, a caret, and the fix.
  package var description: String {
    var text = TerminalText.visible(path)
    if let position { text += ":\(position.line):\(position.column)" }
    text += ": \(severity.rawValue): \(TerminalText.visible(message.withoutKeys))\n"
    if let position, let sourceLine {
      let excerpt = SourceExcerpt(
        line: sourceLine.cutBeforeSecrets,
        column: position.column,
        skipped: skipped
      )
      let number = String(position.line)
      text += "  \(number) | \(excerpt.text)\n"
      text += "  \(String(repeating: " ", count: number.count)) | \(excerpt.caret)\n"
    }
    if let fix { text += Self.lines(ofFix: TerminalText.visible(fix.withoutKeys)) }
    return text
  }

  /// Returns the printed lines of a fix.
  ///
  /// A list of names is wrapped. Other fixes stay on one line, because they may contain a path or a
  /// command to copy.
  private static func lines(ofFix fix: String) -> String {
    let head = "  fix: "
    guard fix.hasPrefix(NearestName.listHead) else { return "\(head)\(fix)\n" }
    let indent = "\n" + String(repeating: " ", count: head.count)
    let lines = TerminalText.wrap(fix, to: TerminalText.usualColumns - head.count)
    return "\(head)\(lines.joined(separator: indent))\n"
  }
}

/// A short excerpt of a line around a column, with a caret under the column.
struct SourceExcerpt {
  var text: String
  var caret: String

  private static let width = 72

  init(line: String, column: Int, skipped: Int = 0) {
    let scalars = Array(line.unicodeScalars)
    let index = min(max(column - 1 - skipped, 0), scalars.count)
    // A long line is cut on the left, so that the caret is visible.
    let start = index > Self.width - 12 ? index - Self.width / 2 : 0
    let end = min(scalars.count, start + Self.width)
    func shown(_ range: Range<Int>) -> String {
      TerminalText.visible(String(String.UnicodeScalarView(scalars[range])))
    }
    let before = (start > 0 || skipped > 0 ? "…" : "") + shown(start..<index)
    text = before + shown(index..<max(index, end)) + (end < scalars.count ? "…" : "")
    caret = String(repeating: " ", count: TerminalText.width(of: before)) + "^"
  }
}
