import Testing

/// A beginner's mistake, with the expected message and the way to apply its fix.
struct Mistake: Sendable, CustomTestStringConvertible {
  var name: String
  var changes: [Change]
  var report: String
  var copying: Copying?

  init(_ name: String, _ changes: [Change], _ report: String, _ copying: Copying? = nil) {
    self.name = name
    self.changes = changes
    self.report = report
    self.copying = copying
  }

  var testDescription: String { name }

  /// A file of the project.
  enum File: Sendable {
    case configuration, suite, prompt, cases
    case other(String)

    var path: String {
      switch self {
      case .configuration: "sluice.yaml"
      case .suite: "prompts/tickets/suite.yaml"
      case .prompt: "prompts/tickets/v1.yaml"
      case .cases: "datasets/tickets/cases.yaml"
      case .other(let path): path
      }
    }
  }

  /// A change of the project that makes the mistake.
  enum Change: Sendable {
    case remove(File)
    case write(File, String)
    case replace(File, String, String)
  }

  /// The part of a file that the text of the fix replaces.
  enum Copying: Sendable {
    /// The word at the caret.
    case word
    /// The tag of a template at the caret.
    case tag
    /// The name in the tag at the caret.
    case name
    /// The value at the caret, up to the next comma or bracket.
    case value
    /// The rest of the line, starting at the caret.
    case rest
    /// The key at the caret, with its colon.
    case key
    /// The list in brackets around the caret.
    case list
    /// The line, without its indentation and its hyphen.
    case item
    /// The line without its indentation.
    case line
    /// The whole file.
    case whole
    /// The line without its hyphen. The file of the judge's prompt is written, too.
    case judge
    /// A command that renames a file.
    case mv
    /// The result of following a fix that contains no text to copy.
    case edit(String, String)
    /// The same as `edit`, everywhere in the file.
    case all(String, String)
  }
}
