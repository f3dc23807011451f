import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Properties of task scorers")
struct TaskScorerPropertyTests {
  /// A scorer with a case for it.
  struct Setting: Sendable, CustomTestStringConvertible {
    var yaml: String
    var expected: JSONValue
    var input: JSONValue = [:]

    var testDescription: String { yaml }
  }

  static let settings: [Setting] = [
    Setting(
      yaml: "- classification: {path: x, expected: e, labels: [a, b], abstain: c}",
      expected: ["e": "a"]
    ),
    Setting(yaml: "- flags: {path: x, expected: e}", expected: ["e": true]),
    Setting(yaml: "- mentions: {path: x, expected: e}", expected: ["e": ["aa", "it's"]]),
    Setting(
      yaml: "- items: {path: x, expected: e, match: m, similarity: levenshtein, fields: [f]}",
      expected: ["e": [["m": "fix the bug", "f": 1], ["m": "send it"]]]
    ),
    Setting(
      yaml: "- items: {path: x, expected: e, match: m, similarity: rouge-l, fields: {f: date}, "
        + "sent-at: s}",
      expected: ["e": [["m": "fix the bug", "f": "Friday"]]],
      input: ["s": "2026-11-17"]
    ),
    Setting(yaml: "- number: {path: x, expected: e, tolerance: 1}", expected: ["e": 3]),
    Setting(
      yaml: "- choice: {path: x, options: o, expected: e}",
      expected: ["e": "a"],
      input: ["o": ["a", "b"]]
    ),
    Setting(
      yaml: "- coverage: {path: x, expected: e, source: s}",
      expected: ["e": ["aa", "fix"]],
      input: ["s": "fix aa"]
    ),
  ]

  @Test("Any JSON value gets a score with finite numbers", arguments: settings)
  func anything(_ setting: Setting) throws {
    let fixture = ScoringFixture(setting.yaml)
    #expect(fixture.said == "")
    var random = SeededGenerator(seed: 13)
    func value(_ depth: Int) -> JSONValue {
      switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
      case 0: .null
      case 1: .bool(Bool.random(using: &random))
      case 2: .number(Double.random(in: -1e9...1e9, using: &random))
      case 3...5: .string(String.anyText(&random))
      case 6: .array((0..<3).map { _ in value(depth - 1) })
      default: ["m": value(depth - 1), "f": value(depth - 1), "id": value(0)]
      }
    }
    for _ in 0..<150 {
      let answer = JSONValue.object(["x": value(3)]).jsonText
      let score = try #require(
        fixture.score(answer, expecting: setting.expected, given: setting.input)
      )
      #expect(score.outcome == .passed || score.outcome == .failed)
      #expect(score.explanation.unicodeScalars.count < 4_000)
      for member in score.measurements.members {
        if let number = member.value.number { #expect(number.isFinite, "\(member.name)") }
      }
    }
  }

  @Test(
    "A long answer is scored, with a short explanation",
    .timeLimit(.minutes(5)),
    arguments: settings
  )
  func longAnswer(_ setting: Setting) throws {
    let fixture = ScoringFixture(setting.yaml)
    let text = String(repeating: "aa Fix the 12 bugs, it's ok. ", count: 8_000)
    for answer in [
      "{\"x\":\"\(text)\"}", "{\"x\":[{\"m\":\"\(text)\",\"f\":\"\(text)\"}]}",
    ] {
      let score = try #require(
        fixture.score(answer, expecting: setting.expected, given: setting.input)
      )
      #expect(score.explanation.unicodeScalars.count < 4_000)
    }
  }
}
