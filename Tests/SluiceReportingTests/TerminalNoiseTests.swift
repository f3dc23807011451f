import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Noise in a terminal")
struct TerminalNoiseTests {
  private func text(
    _ suite: GatedSuite,
    draws: Int = 200,
    overrides: CommandLineOverrides = CommandLineOverrides(),
    _ answer: (Int, Int) -> GatedSuite.Answer?
  ) -> String {
    let reports = NoiseCheck(suite.suite, draws: draws)
      .reports(suite.trials(answer), repetitions: 1)
    return TerminalNoise(reports, style: TerminalStyle(isColored: false), overrides: overrides).text
  }

  @Test(
    "The terminal shows how answers differ, which cases are flaky, and how often gates fail",
    arguments: [80, 120]
  )
  func whole(columns: Int) throws {
    let gates = """
      repeat: 5
      gates:
        - accuracy >= 60%
        - no regression in accuracy beyond 5 points
        - p95(latency) < 1 s (live)
      """
    // Seven of sixty cases are flaky, most of them in one of five answers.
    let suite = try GatedSuite(cases: 60, gates: gates)
    let text = TerminalLines.$width.withValue(columns) {
      self.text(suite) { testCase, repetition in
        switch testCase {
        case 0: .wrong
        case 1: repetition < 3 ? .wrong : .right
        case 2..<8: repetition == testCase % 5 + 1 ? .wrong : .right
        default: .right
        }
      }
    }
    let expected = try Snapshot.text("noise.terminal.\(columns).txt")
    #expect(text == expected)
    for line in text.split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= columns, "\(line)")
    }
  }

  @Test(
    "With one answer per request, the suggested command keeps the tried prompt and backend",
    arguments: [
      (CommandLineOverrides(), "sluice record triage --repeat 5"),
      (
        CommandLineOverrides(prompts: ["my prompts/v2.yaml"], backends: ["fast"]),
        "sluice record triage --prompt 'my prompts/v2.yaml' --backend fast --repeat 5"
      ),
    ]
  )
  func oneAnswer(overrides: CommandLineOverrides, command: String) throws {
    let suite = try GatedSuite(
      cases: 60,
      gates: "gates: [no regression in accuracy beyond 5 points]"
    )
    #expect(
      text(suite, overrides: overrides) { _, _ in .right } == """
        NOISE UNKNOWN  triage  v1 on server · 60 cases × 1 answer
          against itself: all runs are identical, so every regression gate passes
          noise cannot be measured with one answer per request

        Next: record several answers to each request (this sends requests):
          \(command)

        """
    )
  }

  @Test("Lost trials are left out and counted, and suites without regression gates are marked")
  func lost() throws {
    let suite = try GatedSuite(cases: 3, gates: "gates: [accuracy >= 10%]")
    #expect(
      text(suite) { testCase, _ in testCase == 0 ? nil : .right } == """
        NOISE UNKNOWN  triage  v1 on server · 2 cases × 1 answer
          1 trial lost and not counted
          against itself: no gate compares with the baseline
          noise cannot be measured with one answer per request

        Next: record several answers to each request (this sends requests):
          sluice record triage --repeat 5

        """
    )
  }

  @Test(
    "For several suites, the terminal shows a line each, and a flaky case",
    arguments: [80, 120]
  )
  func several(columns: Int) throws {
    let suite = try GatedSuite(
      cases: 60,
      gates: "repeat: 3\ngates: [no regression in accuracy beyond 5 points]"
    )
    var reports = NoiseCheck(suite.suite, draws: 50).reports(
      suite.trials { testCase, repetition in testCase == 7 && repetition == 2 ? .wrong : .right },
      repetitions: 1
    )
    reports += NoiseCheck(suite.suite, draws: 50).reports(
      suite.trials { _, repetition in repetition == 1 ? .right : nil },
      repetitions: 1
    )
    reports[1].suite = "a suite with a name of many words"
    let text = TerminalLines.$width.withValue(columns) {
      TerminalNoise(reports, style: TerminalStyle(isColored: false)).text
    }
    let expected = try Snapshot.text("noise.several.\(columns).txt")
    #expect(text == expected)
  }

  /// A report whose names the test replaces.
  private static let plain = Result<NoiseReport?, any Error> {
    let suite = try GatedSuite(cases: 60, gates: "gates: [accuracy >= 60%]\nrepeat: 2")
    return NoiseCheck(suite.suite, draws: 1)
      .reports(suite.trials { _, _ in .right }, repetitions: 1).first
  }

  @Test("Names cannot control the terminal", arguments: HostileText.all)
  func hostile(hostile: String) throws {
    var report = try #require(try Self.plain.get())
    for name in [hostile, String(repeating: hostile, count: 25)] {
      report.suite = name
      report.prompt = name
      report.backend = name
      report.flaky = [.init(caseID: name, passed: 1, of: 2)]
      let text = TerminalNoise([report], style: TerminalStyle(isColored: false)).text
      for line in text.split(separator: "\n") where !line.hasPrefix("  sluice show ") {
        #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
        #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
      }
      for scalar in text.unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control)
      }
    }
  }

  @Test("Gates that do not pass against the same run are listed within the width")
  func odd() throws {
    let gates = """
      gates:
        - no regression in accuracy beyond 5 points
        - no regression in invalid-label-rate beyond 5 points
        - no regression in accuracy[tag=third] beyond 5 points
      """
    let text = text(try GatedSuite(cases: 60, gates: gates)) { testCase, _ in
      testCase < 4 ? nil : .right
    }
    for line in text.split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
    }
    #expect(text.contains("no regression in accuracy beyond 5 points: no verdict"))
  }
}
