import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Comparisons in a terminal")
struct TerminalComparisonTests {
  private func text(_ result: ComparisonResult, writesReports: Bool = true) -> String {
    TerminalComparison(
      result,
      style: TerminalStyle(isColored: false),
      writesReports: writesReports
    ).text
  }

  private func expectFits(_ text: String, columns: Int = 80) {
    for line in text.split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= columns, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test(
    "For a revision, the terminal shows the result, edits and gates, then figures and cases",
    arguments: [80, 120]
  )
  func revision(columns: Int) async throws {
    let result = ComparisonResult([try await .worseRevision()])
    let text = TerminalLines.$width.withValue(columns) { self.text(result) }
    let expected = try Snapshot.text("compare.revision.\(columns).txt")
    #expect(text == expected)
    expectFits(text, columns: columns)
  }

  @Test(
    "For configurations, the terminal compares each with the first, and shows unknown figures",
    arguments: [80, 120]
  )
  func configurations(columns: Int) async throws {
    let result = ComparisonResult(
      [try await .fourConfigurations()],
      next: .init(
        advice: "record the missing answers (this sends requests)",
        command: "sluice record triage"
      )
    )
    let text = TerminalLines.$width.withValue(columns) { self.text(result) }
    let expected = try Snapshot.text("compare.configurations.\(columns).txt")
    #expect(text == expected)
    expectFits(text, columns: columns)
  }

  @Test("Without a comparison, the terminal says what could not be compared")
  func notes() {
    let result = ComparisonResult(
      [],
      notes: ["triage: the suite is new on this side; cannot be compared."],
      isIncomplete: true
    )
    #expect(
      text(result) == """
        triage: the suite is new on this side; cannot be compared.
        NO VERDICT
        Reports: reports/latest/compare.html, compare.md, compare.json

        """
    )
    #expect(result.verdict == .noVerdict)
    #expect(text(ComparisonResult([]), writesReports: false) == "")
    #expect(ComparisonResult([]).verdict == nil)
  }

  @Test("Long times remain separated from the next column")
  func longTimes() {
    let text = text(ComparisonResult([.everywhere("slow")]))
    #expect(text.contains("123.46 s/234.57 s 512\n"))
  }

  @Test("Any number of configurations fits the width", arguments: [3, 13, 16, 30])
  func many(count: Int) {
    let text = text(ComparisonResult([.everywhere("many", configurations: count)]))
    expectFits(text)
    #expect(text.contains("Different outcomes, 1 case\n"))
    let last = ConfigurationComparison.letter(count - 1)
    #expect(text.contains("\(last) ✗"))
  }

  @Test(
    "Configurations have letters like the columns of a spreadsheet",
    arguments: [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
  )
  func letters(index: Int, letter: String) {
    #expect(ConfigurationComparison.letter(index) == letter)
  }

  @Test("Names cannot control the terminal", arguments: HostileText.all)
  func hostile(hostile: String) {
    for name in [hostile, String(repeating: hostile, count: 25)] {
      let result = ComparisonResult([.everywhere(name)], notes: [name])
      let text = text(result)
      for line in text.split(separator: "\n") {
        #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
        #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
      }
      for scalar in text.unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control)
      }
    }
  }
}
