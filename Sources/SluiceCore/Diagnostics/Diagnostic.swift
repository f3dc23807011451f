public import SluiceSupport

/// One thing that is wrong with a file, for the person who wrote it.
public struct Diagnostic: Hashable, Sendable {
  /// Whether anything can run in spite of it.
  public enum Severity: String, Sendable {
    case error, warning
  }

  /// How bad it is.
  public var severity: Severity
  /// The file, relative to the project's root.
  public var path: String
  /// The place in the file, or nil when the file as a whole is meant.
  public var position: SourcePosition?
  /// What is wrong.
  public var message: String
  /// How to put it right, if that can be said.
  public var fix: String?
  /// The text of the line at ``position``; of a very long line the part around the position.
  public var sourceLine: String?
  /// The number of characters of the line before ``sourceLine``.
  var skipped = 0

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - severity: How bad it is.
  ///   - path: The file, relative to the project's root.
  ///   - position: The place in the file.
  ///   - message: What is wrong.
  ///   - fix: How to put it right.
  ///   - sourceLine: The text of the line at the position.
  public init(
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
  /// The diagnostic as it is printed: place and message, the line, a caret, the fix.
  public var description: String {
    var text = TerminalText.visible(path)
    if let position { text += ":\(position.line):\(position.column)" }
    text += ": \(severity.rawValue): \(TerminalText.visible(message))\n"
    if let position, let sourceLine {
      let excerpt = SourceExcerpt(
        line: sourceLine,
        column: position.column,
        skipped: skipped
      )
      let number = String(position.line)
      text += "  \(number) | \(excerpt.text)\n"
      text += "  \(String(repeating: " ", count: number.count)) | \(excerpt.caret)\n"
    }
    if let fix { text += Self.lines(ofFix: TerminalText.visible(fix)) }
    return text
  }

  /// A list of names in lines that fit a terminal; what else a fix says may hold a path or a command to
  /// copy, which is never broken.
  private static func lines(ofFix fix: String) -> String {
    let head = "  fix: "
    guard fix.hasPrefix(NearestName.listHead) else { return "\(head)\(fix)\n" }
    let indent = "\n" + String(repeating: " ", count: head.count)
    let lines = TerminalText.wrap(fix, to: TerminalText.usualColumns - head.count)
    return "\(head)\(lines.joined(separator: indent))\n"
  }
}

/// The part of a line around a column that fits a terminal, with a caret under the column.
struct SourceExcerpt {
  var text: String
  var caret: String

  private static let width = 72

  init(line: String, column: Int, skipped: Int = 0) {
    let scalars = Array(line.unicodeScalars)
    let index = min(max(column - 1 - skipped, 0), scalars.count)
    // A long line is cut on the left so that the caret stays in view.
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
