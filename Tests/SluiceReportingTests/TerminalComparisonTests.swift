import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Comparisons on a terminal")
struct TerminalComparisonTests {
  private func text(_ result: ComparisonResult, writesReports: Bool = true) -> String {
    TerminalComparison(
      result,
      style: TerminalStyle(isColored: false),
      writesReports: writesReports
    ).text
  }

  private func expectFits(_ text: String) {
    for line in text.split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test("Of a revision it shows the edits first, then numbers, gates and cases")
  func revision() async throws {
    let text = text(ComparisonResult([try await .worseRevision()]))
    let expected = try Snapshot.text("compare.revision.txt")
    #expect(text == expected)
    expectFits(text)
  }

  @Test("Of several configurations it shows each against the first, and what is not known")
  func configurations() async throws {
    let result = ComparisonResult(
      [try await .fourConfigurations()],
      next: .init(
        advice: "record what is missing (this sends requests)",
        command: "sluice record triage"
      )
    )
    let text = text(result)
    let expected = try Snapshot.text("compare.configurations.txt")
    #expect(text == expected)
    expectFits(text)
  }

  @Test("A call without a comparison says what it could not compare")
  func notes() {
    let result = ComparisonResult(
      [],
      notes: ["triage: new here, so there is nothing to compare it with."],
      isIncomplete: true
    )
    #expect(
      text(result) == """
        triage: new here, so there is nothing to compare it with.
        Verdict: no verdict
        Reports: reports/latest/compare.html, compare.md, compare.json

        """
    )
    #expect(result.verdict == .noVerdict)
    #expect(text(ComparisonResult([]), writesReports: false) == "")
    #expect(ComparisonResult([]).verdict == nil)
  }

  @Test("Times of any length keep their distance from what follows")
  func longTimes() {
    let text = text(ComparisonResult([.everywhere("slow")]))
    #expect(text.contains("123.46 s/234.57 s 512\n"))
  }

  @Test("So many configurations as there may be stay within the width", arguments: [3, 13, 16, 30])
  func many(count: Int) {
    let text = text(ComparisonResult([.everywhere("many", configurations: count)]))
    expectFits(text)
    #expect(text.contains("1 case decided differently:\n"))
    let last = ConfigurationComparison.letter(count - 1)
    #expect(text.contains("\(last) ✗"))
  }

  @Test(
    "Configurations are lettered as columns of a sheet are",
    arguments: [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
  )
  func letters(index: Int, letter: String) {
    #expect(ConfigurationComparison.letter(index) == letter)
  }

  @Test("Whatever names are, they cannot steer a terminal", arguments: HostileText.all)
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
