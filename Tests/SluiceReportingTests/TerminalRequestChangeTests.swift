import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("The edit of a request in a terminal")
struct TerminalRequestChangeTests {
  private func lines(_ lines: [String]) -> [String] {
    let difference = RequestDifference(parts: [.init(name: "user message", lines: lines)])
    let change = RequestChange(count: 1, total: 1, caseID: "a", difference: difference)
    return Array(TerminalRequestChange(change, TerminalStyle(isColored: false)).lines.dropFirst())
  }

  @Test("A removed or added line is wrapped, with its sign on the first row, and context is cut")
  func wrapped() {
    let words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    #expect(
      lines(["  \(words) fifteen", "- \(words) fifteen", "+ short"]) == [
        "    one two three four five six seven eight nine ten eleven twelve thirteen fou…",
        "  - one two three four five six seven eight nine ten eleven twelve thirteen",
        "    fourteen fifteen",
        "  + short",
      ]
    )
  }

  @Test(
    "A line has at most four rows, whether its characters are narrow or wide",
    arguments: ["x", "語"]
  )
  func rows(character: String) {
    let rows = lines(["+ " + String(repeating: character, count: 600)])
    #expect(rows.count == 4)
    #expect(rows.allSatisfy { TerminalText.width(of: $0) <= 80 })
    #expect(rows.last?.hasSuffix("…") == true)
  }

  @Test("No row is a command of GitHub Actions")
  func commands() {
    let filler = String(repeating: "word ", count: 15)
    let rows = lines(["+ \(filler)::error title=a::b", "  ::stop-commands::c", "- ::add-mask::d"])
    #expect(rows.contains("    \\::error title=a::b"))
    #expect(rows.contains("    \\::stop-commands::c"))
    #expect(rows.allSatisfy { !$0.drop { $0 == " " }.hasPrefix("::") })
  }
}
