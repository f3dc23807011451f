import Foundation
import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

/// Tests of the reports of a run with gates of every form, compared with a baseline.
@Suite("Reports of gates")
struct GateReportTests {
  private static let gates = """
    repeat: 3
    gates:
      - accuracy >= 60%
      - accuracy >= 95% at 95% confidence
      - no regression in accuracy beyond 5 points
      - p95(latency) < 1 s (live)
    goals:
      - accuracy >= 99%
      - no regression in unusable-rate beyond 10 points
    waivers:
      - {gate: accuracy >= 95% at 95% confidence, reason: more cases are on their way, until: 2026-12-31}
    quarantine:
      - {case: case-99, reason: "the label is disputed", until: 2026-12-01}
    """

  /// 100 cases with three repeats.
  ///
  /// 12 got worse, one got better and one is wrong in a different way. One is flaky and one is
  /// quarantined.
  static func result() throws -> RunResult { try made.get() }

  private static let made = Result<RunResult, any Error> {
    let suite = try GatedSuite(cases: 100, gates: gates)
    let baseline = try suite.baseline { testCase, _ in testCase < 2 ? .wrong : .right }
    return suite.result(against: baseline) { testCase, repetition in
      switch testCase {
      case 0: .otherwiseWrong
      case 1: .right
      case 2..<14: .wrong
      case 50: repetition == 2 ? .wrong : .right
      case 99: .wrong
      default: .right
      }
    }
  }

  @Test(
    "The terminal shows every gate with its drawing, its waiver and the flipped cases",
    arguments: [80, 120]
  )
  func terminal(columns: Int) throws {
    let result = try Self.result()
    let text = TerminalLines.$width.withValue(columns) {
      TerminalReport(result, style: TerminalStyle(isColored: false)).text
    }
    let expected = try Snapshot.text("gates.terminal.\(columns).txt")
    #expect(text == expected)
    for line in text.split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= columns, "\(line)")
    }
  }

  @Test(
    "report.md shows gates with old and new values, and both answers of flipped cases"
  )
  func markdown() throws {
    let text = String(decoding: MarkdownReport(try Self.result()).bytes, as: UTF8.self)
    let expected = try Snapshot.text("gates.report.md")
    #expect(text == expected)
  }

  @Test("report.json contains the gates' numbers, the comparison, flaky cases and quarantine")
  func json() throws {
    let report = try JSONReader.value(JSONReport(try Self.result()).bytes)
    var column = try #require(report.value(at: "suites.0.columns.0")?.object)
    // Other tests cover single trials and figures.
    for name in ["results", "metrics", "answered-by"] {
      column = JSONObject(column.members.filter { $0.name != name })
    }
    let text = String(decoding: JSONWriter.pretty(.object(column)), as: UTF8.self)
    let expected = try Snapshot.text("gates.column.json")
    #expect(text == expected)
  }

  @Test("junit.xml skips waived gates, quarantined cases and gates on live answers")
  func junit() throws {
    let text = String(decoding: JUnitReport(try Self.result()).bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0.contains(".cases\"") })
    let last = try #require(lines.firstIndex { $0.contains("name=\"case-99\"") })
    let part = (lines[..<first] + lines[last...]).joined(separator: "\n")
    let expected = try Snapshot.text("gates.junit.xml")
    #expect(part == expected)
  }

  @Test("Identical answers take one line without a drawing")
  func identical() throws {
    let suite = try GatedSuite(cases: 60)
    let baseline = try suite.baseline { _, _ in .right }
    let result = suite.result(against: baseline) { _, _ in .right }
    let text = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(
      text.contains("      accuracy 100.0% [94.0%, 100.0%] · identical to the baseline (v1)\n")
    )
    #expect(
      text.contains("  ✓ no regression in accuracy beyond 5 points  identical to the baseline\n")
    )
    #expect(!text.contains("worse "))
    let markdown = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(markdown.contains(" All answers are identical to the baseline.\n"))
    #expect(!markdown.contains("| gate |"))
  }

  @Test("Quarantined and flaky cases are shown even without a baseline")
  func withoutBaseline() throws {
    let suite = try GatedSuite(
      cases: 3,
      gates: """
        repeat: 2
        gates: [accuracy >= 10%]
        quarantine: [{case: case-2, reason: disputed, until: 2026-12-31}]
        """
    )
    let result = suite.result { testCase, repetition in
      testCase == 2 ? nil : testCase == 1 && repetition == 2 ? .wrong : .right
    }
    let markdown = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(
      markdown.contains(
        """

        - 1 in quarantine: case-2 until 2026-12-31, disputed
        - 1 flaky: case-1 (1 of 2 passed)

        """
      )
    )
    let text = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(text.contains("  in quarantine until 2026-12-31, lost: case-2, disputed\n"))
    #expect(text.contains("  1 flaky case: case-1 (1 of 2 passed)\n"))
  }

  @Test("Gates that a missing baseline or a changed scorer leaves undecided are explained")
  func undecided() throws {
    let suite = try GatedSuite(cases: 60)
    let unbased = suite.result { _, _ in .right }
    let text = TerminalReport(unbased, style: TerminalStyle(isColored: false)).text
    #expect(text.contains("there is no baseline to compare with\n"))
    #expect(
      text.hasSuffix(
        """
        Next: if you are content with the answers, accept them as the baseline:
          sluice baseline accept triage

        """
      )
    )
    var baseline = try suite.baseline { _, _ in .right }
    baseline.scorers["classification"] = "another"
    let changed = suite.result(against: baseline) { _, _ in .right }
    let report = TerminalReport(changed, style: TerminalStyle(isColored: false)).text
    #expect(report.contains("the scorer 'classification' changed since the baseline\n"))
    #expect(
      report.contains(
        "  scorers changed; their metrics cannot be compared: classification\n"
      )
    )
  }

  @Test(
    "Names and reasons cannot control a terminal or break a report",
    arguments: HostileText.all
  )
  func hostile(text: String) throws {
    var result = try Self.result()
    let exemption = Exemption(reason: text, until: text)
    result.suites[0].columns[0].quarantine = [text: exemption]
    for index in result.suites[0].columns[0].gates.indices {
      result.suites[0].columns[0].gates[index].waiver = exemption
    }
    result.suites[0].columns[0].comparison?.reference = text
    result.suites[0].columns[0].comparison?.changedCases = [text]
    result.suites[0].columns[0].comparison?.changedScorers = [text]
    result.suites[0].columns[0].comparison?.slices = [
      .init(tag: text, n: 10, harmful: 5, beneficial: 0, adjustedP: 0.01)
    ]
    let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    for line in terminal.split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
      #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
    }
    for scalar in terminal.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
    }
    let markdown = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    for part in ["<script", "<img", "<b>", "![x]", "@team", "](javascript"] {
      #expect(!markdown.replacing("\\]", with: "").contains(part), "\(part)")
    }
    let json = try JSONReader.value(JSONReport(result).bytes)
    #expect(
      json.value(at: "suites.0.columns.0.gates.0.waiver.reason") == .string(text)
    )
  }
}
