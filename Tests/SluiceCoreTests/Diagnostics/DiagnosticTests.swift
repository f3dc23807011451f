@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Diagnostic")
struct DiagnosticTests {
  private func text(_ line: String, column: Int, message: String = "wrong") -> String {
    Diagnostic(
      path: "suite.yaml",
      position: SourcePosition(line: 7, column: column),
      message: message,
      sourceLine: line
    ).description
  }

  @Test("A diagnostic shows position, message, source line, caret and fix")
  func whole() {
    let diagnostic = Diagnostic(
      .warning,
      path: "prompts/tone/suite.yaml",
      position: SourcePosition(line: 12, column: 5),
      message: "unknown key 'scorer' in a suite",
      fix: "did you mean 'scorers'?",
      sourceLine: "    scorer: []"
    )
    #expect(
      diagnostic.description == """
        prompts/tone/suite.yaml:12:5: warning: unknown key 'scorer' in a suite
          12 |     scorer: []
             |     ^
          fix: did you mean 'scorers'?

        """
    )
  }

  @Test("A diagnostic without a position names only the file, and one without a fix shows none")
  func bare() {
    #expect(
      Diagnostic(path: "sluice.yaml", message: "cannot be read").description == """
        sluice.yaml: error: cannot be read

        """
    )
    let position = SourcePosition(line: 3, column: 1)
    #expect(
      Diagnostic(path: "a.yaml", position: position, message: "wrong").description == """
        a.yaml:3:1: error: wrong

        """
    )
  }

  @Test("The caret is below its column, even after wide or combining characters")
  func wideCharacters() {
    #expect(
      text("日本語: x", column: 6) == """
        suite.yaml:7:6: error: wrong
          7 | 日本語: x
            |         ^

        """
    )
    // An emoji of two scalars and a combining accent: six scalars, five columns.
    #expect(
      text("❤️e\u{301}🙂!", column: 6) == """
        suite.yaml:7:6: error: wrong
          7 | ❤️e\u{301}🙂!
            |      ^

        """
    )
  }

  @Test("Control characters are escaped and do not shift the caret")
  func invisibleCharacters() {
    #expect(
      text("\ta:\u{1B}[31m \u{202E}x", column: 11) == #"""
        suite.yaml:7:11: error: wrong
          7 | \ta:\u{1b}[31m \u{202e}x
            |                        ^

        """#
    )
  }

  @Test("Message, fix and path cannot control the terminal or start a new line")
  func injection() {
    let diagnostic = Diagnostic(
      path: "a\n::error.yaml",
      message: "unknown key '\u{1B}[2J'\n::stop-commands::x",
      fix: "\u{9B}31m"
    )
    #expect(
      diagnostic.description == #"""
        a\n::error.yaml: error: unknown key '\u{1b}[2J'\n::stop-commands::x
          fix: \u{9b}31m

        """#
    )
  }

  @Test("A long line is cut around the column")
  func longLines() {
    let digits = String(repeating: "0123456789", count: 20)
    #expect(
      text(digits, column: 3) == """
        suite.yaml:7:3: error: wrong
          7 | \(digits.prefix(72))…
            |   ^

        """
    )
    #expect(
      text(digits, column: 101) == """
        suite.yaml:7:101: error: wrong
          7 | …\(digits.dropFirst(64).prefix(72))…
            | \(String(repeating: " ", count: 37))^

        """
    )
    #expect(
      text(digits, column: 200) == """
        suite.yaml:7:200: error: wrong
          7 | …\(digits.suffix(37))
            | \(String(repeating: " ", count: 37))^

        """
    )
  }

  @Test("A column after the end of the line puts the caret at the end", arguments: [4, 99])
  func behindTheEnd(_ column: Int) {
    #expect(
      text("abc", column: column) == """
        suite.yaml:7:\(column): error: wrong
          7 | abc
            |    ^

        """
    )
  }

  @Test("The caret of an empty line is at its start")
  func emptyLine() {
    #expect(
      text("", column: 1) == """
        suite.yaml:7:1: error: wrong
          7 |\u{20}
            | ^

        """
    )
  }

  @Test("A long list of known names is wrapped, but a fix with a command is not")
  func longFix() {
    func text(fix: String) -> String {
      Diagnostic(path: "suite.yaml", message: "wrong", fix: fix).description
    }
    let names = (1...12).map { "suite-\($0)" }.joined(separator: ", ")
    #expect(
      text(fix: "known: \(names)") == """
        suite.yaml: error: wrong
          fix: known: suite-1, suite-2, suite-3, suite-4, suite-5, suite-6, suite-7,
               suite-8, suite-9, suite-10, suite-11, suite-12

        """
    )
    #expect(
      text(fix: "run sluice record \(names)") == """
        suite.yaml: error: wrong
          fix: run sluice record \(names)

        """
    )
  }
}
