import Foundation
import SampleProjects
import Testing

@Suite("Invalid arguments of checks")
struct WrongArgumentsTests {
  private static let table = [
    ("character-count: many", "'character-count' needs a whole number, or 'min' and 'max'"),
    (
      "character-count: {min: 3, max: 1}",
      "'character-count' needs a whole number, or 'min' and 'max'"
    ),
    ("sentence-count: -1", "'sentence-count' needs a whole number, or 'min' and 'max'"),
    ("occurrences: a", "the scorer 'occurrences' must be a mapping, not a text"),
    ("occurrences: {at-least: 1}", "'occurrences' needs either 'text' or 'pattern'"),
    (
      "occurrences: {text: a}",
      "'occurrences' needs either 'exactly' or a range ('at-least', 'at-most')"
    ),
    (
      "occurrences: {text: a, at-least: 1, exactly: 1}",
      "'occurrences' needs either 'exactly' or a range ('at-least', 'at-most')"
    ),
    (
      "occurrences: {pattern: '(', at-least: 1}",
      "not a valid pattern: missing closing parenthesis"
    ),
    ("occurrences: {text: a, min: 1}", "unknown key 'min' in the scorer 'occurrences'"),
    ("is-xml: {a: b}", "'is-xml' needs a list of texts"),
    ("is-html: p", "'is-html' accepts no arguments"),
    ("contains-html: [p]", "'contains-html' accepts no arguments"),
    ("valid-url: 5", "'valid-url' needs a list of texts"),
    ("valid-date: yyyy-mm-dd", "'yyyy-mm-dd' is not a date format"),
    ("valid-date: DD.DD.YYYY", "'DD.DD.YYYY' is not a date format"),
    ("expression: 5", "an expression must be a text, not a number"),
    ("expression: ''", "not a valid expression: expected a value"),
    ("measure: {}", "the scorer 'measure' needs 'path'"),
    ("measure: {path: a, expression: text}", "both 'path' and 'expression' are given"),
  ]

  @Test("An invalid argument is an error at its position, with a fix", arguments: table)
  func wrong(_ assertion: String, _ message: String) {
    let said = ScoringFixture("- \(assertion)").said
    #expect(said.contains(": error: \(message)\n"), "\(said)")
    #expect(said.components(separatedBy: ": error: ").count == 2, "\(said)")
  }

  /// The invalid arguments that the suite schema accepts.
  ///
  /// Patterns have their own grammars, some values depend on each other, and a suite can extract
  /// the value of a path.
  private static let accepted = [
    "character-count: {min: 3, max: 1}", "occurrences: {pattern: '(', at-least: 1}",
    "valid-date: yyyy-mm-dd", "valid-date: DD.DD.YYYY", "measure: {}",
  ]

  @Test("The suite schema refuses invalid arguments that a schema can detect", arguments: table)
  func schema(_ assertion: String, _ message: String) throws {
    let suite =
      "suite: a\nprompt: a.yaml\ndataset: a\nbackend: a\nscorers:\n  - \(assertion)\n"
    let faults = try FileSchemas.suite.faults(in: suite)
    #expect(faults.isEmpty == Self.accepted.contains(assertion), "\(faults)")
  }
}
