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

  @Test("It shows place and message, the line, a caret and the fix")
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

  @Test("Without a place it is about the file, without a fix it offers none")
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

  @Test("The caret stands under the column, counted in scalars, however wide they are shown")
  func wideCharacters() {
    #expect(
      text("日本語: x", column: 6) == """
        suite.yaml:7:6: error: wrong
          7 | 日本語: x
            |         ^

        """
    )
    // An emoji of two scalars and an accent that combines: six scalars, five columns.
    #expect(
      text("❤️e\u{301}🙂!", column: 6) == """
        suite.yaml:7:6: error: wrong
          7 | ❤️e\u{301}🙂!
            |      ^

        """
    )
  }

  @Test("Tabs and control characters are shown and do not move the caret")
  func invisibleCharacters() {
    #expect(
      text("\ta:\u{1B}[31m \u{202E}x", column: 11) == #"""
        suite.yaml:7:11: error: wrong
          7 | \ta:\u{1b}[31m \u{202e}x
            |                        ^

        """#
    )
  }

  @Test("Message, fix and path cannot steer a terminal or start a line of their own")
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

  @Test("A long line is cut on the right, and on the left where the column asks for it")
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

  @Test("A column behind the end of the line gets its caret behind the end", arguments: [4, 99])
  func behindTheEnd(_ column: Int) {
    #expect(
      text("abc", column: column) == """
        suite.yaml:7:\(column): error: wrong
          7 | abc
            |    ^

        """
    )
  }

  @Test("An empty line has its caret at the start")
  func emptyLine() {
    #expect(
      text("", column: 1) == """
        suite.yaml:7:1: error: wrong
          7 |\u{20}
            | ^

        """
    )
  }

  @Test("A list of known names goes on below itself; what may hold a command is never broken")
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
