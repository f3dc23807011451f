import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// The checks `exact` and `json-path` with expectations from the case.
@Suite("Comparison with the expectation of the case")
struct ExpectedValueTests {
  private func outcome(_ scorer: String, _ answer: String, _ expected: JSONValue) -> Score.Outcome?
  {
    ScoringFixture("- \(scorer)").score(answer, expecting: ["order": expected])?.outcome
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var options: String
    var value: String
    var expected: JSONValue
    var holds: Bool
    var testDescription: String { "\(options): \(value) for \(expected.jsonText)" }

    init(_ options: String, _ value: String, _ expected: JSONValue, _ holds: Bool) {
      (self.options, self.value, self.expected, self.holds) = (options, value, expected, holds)
    }
  }

  private static let rows: [Row] = [
    Row("", "48213", 48213, true), Row("", "48213", "48213", false),
    Row("", #""48213""#, "48213", true), Row("", #""48213 ""#, "48213", false),
    Row("trim: true", #""\n48213 ""#, "48213", true),
    Row("", #""48213 or 99999""#, "48213", false),
    Row("", "null", nil, true), Row("", "0", nil, false), Row("", "null", 7, false),
    Row("", #""Fan""#, "fan", false), Row("ignore-case: true", #""Fan""#, "fan", true),
    Row("ignore-case: true", #"["A",{"k":"B"}]"#, ["a", ["k": "b"]], true),
    Row("", "10.05", 10, false), Row("tolerance: 0.05", "10.04", 10, true),
    Row("tolerance: 0.05", "10.06", 10, false), Row("tolerance: 1", #""10""#, 10, false),
    Row("", "[1,2]", [1, 2], true), Row("", "[2,1]", [1, 2], false),
    Row("unordered: true", "[2,1]", [1, 2], true),
    Row("unordered: true", "[2,2]", [1, 2], false), Row("unordered: true", "[1]", [1, 1], false),
    // 1.4 fits both and 1.1 only the first, so taking the first match would be wrong.
    Row("unordered: true, tolerance: 0.5", "[1.4,1.1]", [1, 1.8], true),
    Row("unordered: true", "[[2,1],[3]]", [[3], [1, 2]], true),
    Row("", #"{"a":1,"b":[true]}"#, ["b": [true], "a": 1], true),
    Row("", #"{"a":1,"b":2}"#, ["a": 1], false), Row("", "true", true, true),
    Row("", "1", true, false),
  ]

  @Test("The value at a path is compared with the case's expectation", arguments: rows)
  func path(_ row: Row) {
    let options = row.options.isEmpty ? "" : ", \(row.options)"
    let answer = #"{"o":{"number":\#(row.value)}}"#
    let scorer = "json-path: {path: o.number, expected: order\(options)}"
    #expect(outcome(scorer, answer, row.expected) == (row.holds ? .passed : .failed))
    #expect(outcome("not-" + scorer, answer, row.expected) == (row.holds ? .failed : .passed))
  }

  @Test("If nothing is expected, a missing member is as correct as null")
  func absent() {
    let scorer = "json-path: {path: number, expected: order}"
    #expect(outcome(scorer, "{}", nil) == .passed)
    #expect(outcome(scorer, "{}", 7) == .failed)
    // 'equals' still requires that the member exists.
    #expect(outcome("json-path: {path: number, equals: null}", "{}", nil) == .failed)
  }

  @Test(
    "An expected text is compared with the answer's text, any other value with its JSON",
    arguments: [
      Row("", "Paris", "Paris", true), Row("", "Paris.", "Paris", false),
      Row("", "Paris\n", "Paris", false), Row("trim: true", " Paris\n", "Paris", true),
      Row("ignore-case: true, trim: true", "PARIS ", "paris", true),
      Row("", "48213", "48213", true), Row("", "48213", 48213, true),
      Row("", "[1, 2]", [1, 2], true), Row("", "no JSON", 7, false),
      Row("tolerance: 1", "7.5", 7, true),
    ]
  )
  func exact(_ row: Row) {
    let options = row.options.isEmpty ? "" : ", \(row.options)"
    let holds: Score.Outcome = row.holds ? .passed : .failed
    #expect(outcome("exact: {expected: order\(options)}", row.value, row.expected) == holds)
    if row.options.isEmpty {
      #expect(outcome("exact: order", row.value, row.expected) == holds)
      #expect(outcome("{type: exact, expected: order}", row.value, row.expected) == holds)
    }
  }

  @Test("The explanation states the expected and the actual value")
  func explanation() {
    let order = ScoringFixture("- json-path: {path: number, expected: order}")
    #expect(
      order.score(#"{"number":"48213 "}"#, expecting: ["order": "48213"])?.explanation
        == #"expected the answer to have "48213" at 'number': there is "48213 ""#
    )
    #expect(
      order.score(#"{"number":1}"#, expecting: ["order": nil])?.explanation
        == "expected the answer to have nothing at 'number': there is 1"
    )
    #expect(
      ScoringFixture("- exact: order").score("Lyon", expecting: ["order": "Paris"])?.explanation
        .hasPrefix(#"expected the answer to equal "Paris", got "Lyon""#) == true
    )
  }

  @Test("The scorer reads the expected key, so a case without it is an error")
  func keys() {
    let fixture = ScoringFixture("- exact: order\n- json-path: {path: a, expected: total.net}")
    #expect(fixture.scorers.map(\.traits.expectedKeys) == [["order"], ["total"]])
    #expect(fixture.said == "")
  }

  @Test("Cases with the same assertion still compare with their own expectations")
  func cases() {
    let file = SourceFile(path: "cases.yaml", bytes: Array("- exact: order".utf8))
    let files = ProjectFiles(InMemoryFileSystem(), diagnostics: DiagnosticCollector())
    var made = BoundScorer.Made()
    let outcomes = ["a", "b"].map { (expected: String) -> [Score.Outcome] in
      let testCase = TestCase(id: expected, input: [:], expected: ["order": .string(expected)])
      var specs: [ScorerSpec] = []
      if case .sequence(let nodes) = YAMLReader.read(file.bytes).root?.value {
        specs = nodes.compactMap {
          ScorerSpec.read($0, file: file, diagnostics: files.diagnostics)
        }
      }
      return BoundScorer.bind(specs, of: testCase, files: files, ownScorers: nil, &made)
        .map { $0.scorer.score(Answer(ModelResponse(text: "b")), for: testCase).outcome }
    }
    #expect(outcomes == [[.failed], [.passed]])
  }

  @Test("A value in place of a key, or an option without a comparison, is an error with a fix")
  func faults() {
    #expect(
      ScoringFixture(
        """
        - exact: {expected: 42}
        - json-path: {path: a, expected: [1]}
        - json-path: {path: a, trim: true}
        - exact: {expected: a, tolerance: -1}
        - exact: {expected: a, ignorecase: true}
        - json-path: {path: a, expected: "{{expected.order}}"}
        """
      ).said == """
        suite.yaml:1:21: error: the value of 'expected' must be the name of a key that the case has under 'expected:'
          1 | - exact: {expected: 42}
            |                     ^
          fix: if all cases expect the same value, write 'equals: 42' instead of 'exact'
        suite.yaml:2:34: error: the value of 'expected' must be the name of a key that the case has under 'expected:'
          2 | - json-path: {path: a, expected: [1]}
            |                                  ^
          fix: if all cases expect the same value, write 'equals: [1]'
        suite.yaml:3:14: error: 'trim' changes how values are compared, but there is no value to compare with
          3 | - json-path: {path: a, trim: true}
            |              ^
          fix: add 'equals: …', or 'expected: KEY' for a value under 'expected:' of the case
        suite.yaml:4:35: error: 'tolerance' must not be negative
          4 | - exact: {expected: a, tolerance: -1}
            |                                   ^
        suite.yaml:5:24: error: unknown key 'ignorecase' in the scorer 'exact'
          5 | - exact: {expected: a, ignorecase: true}
            |                        ^
          fix: did you mean 'ignore-case'?
        suite.yaml:6:34: error: the value of 'expected' must be the name of a key that the case has under 'expected:'
          6 | - json-path: {path: a, expected: "{{expected.order}}"}
            |                                  ^
          fix: write 'expected: order'

        """
    )
  }

  @Test("Long lists are compared in any order, but beyond a limit the trial is unscored")
  func limits() {
    let count = ValueComparison.unorderedLimit
    func score(_ count: Int) -> Score.Outcome? {
      let list = JSONValue.array((0..<count).map { .number(Double($0)) })
      let turned = JSONValue.array((0..<count).reversed().map { .number(Double($0)) })
      return outcome("exact: {expected: order, unordered: true}", turned.jsonText, list)
    }
    #expect(score(300) == .passed)
    #expect(score(count + 1) == .unscored)
  }
}
