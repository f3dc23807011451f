import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Assertion templates")
struct AssertionTemplateTests {
  private static let input: JSONValue = [
    "name": "Ana", "banned": "sorry", "pattern": "a.b*[c] {1}", "count": 2, "empty": "",
    "tricky": "{{name}}", "sender": ["role": "lead"], "flag": true, "words": "red, green",
  ]
  private static let expected: JSONValue = [
    "label": "calm", "number": 3, "list": ["red", "blue"], "object": ["a": [1, "x"]],
    "nothing": nil, "call": ["q": "rain", "n": 7],
  ]

  @Test(
    "A value is filled from each case",
    arguments: [
      ("contains: '{{name}}'", "Hello Ana", true),
      ("contains: '{{name}}'", "Hello {{name}}", false),
      ("not-contains: '{{banned}}'", "I am sorry.", false),
      ("not-contains: '{{banned}}'", "Hi", true),
      ("equals: 'Dear {{ name }}, {{expected.label}}!'", "Dear Ana, calm!", true),
      ("equals: '{{expected.number}}'", "3.0", true), ("equals: '{{expected.number}}'", "4", false),
      ("equals: 'no {{expected.number}}'", "no 3", true),
      ("equals: '{{expected.object}}'", #"{"a": [1, "x"]}"#, true),
      ("equals: '{{flag}}'", "true", true),
      ("equals: {a: [1, '{{name}}']}", #"{"a":[1,"Ana"]}"#, true),
      ("equals: {k: '{{expected.list}}'}", #"{"k":["red","blue"]}"#, true),
      ("equals: '{{tricky}}'", "{{name}}", true), ("equals: '{{tricky}}'", "Ana", false),
      ("equals: '{{sender.role}}'", "lead", true),
      ("contains-any: ['{{name}}', '{{banned}}']", "Ana", true),
      ("contains-any: '{{expected.list}}'", "it is blue", true),
      ("contains-all: '{{expected.list}}'", "it is blue", false),
      ("contains-all: '{{words}}'", "green and red", true),
      ("icontains: '{{name}}'", "ANA", true), ("starts-with: '{{name}}'", "Ana!", true),
      ("regex: '^{{pattern}}$'", "a.b*[c] {1}", true), ("regex: '^{{pattern}}$'", "axb", false),
      ("regex: '^\\w+ {{expected.number}}\\.$'", "about 3.", true),
      ("not-regex: '{{name}}'", "Ana", false), ("regex: '{{expected.number}}'", "3", true),
      ("word-count: '{{count}}'", "two words", true),
      ("word-count: {max: '{{count}}'}", "a b c", false),
      ("levenshtein: {value: '{{name}}', threshold: '{{count}}'}", "Anna", true),
      ("rouge-l: {value: ['{{name}}', x], threshold: 1}", "Ana", true),
      ("json-path: {path: $.k, equals: '{{expected.object}}'}", #"{"k":{"a":[1,"x"]}}"#, true),
      ("json-path: {path: '$.{{expected.label}}', equals: 1}", #"{"calm":1}"#, true),
      ("equals: {literal: '{{name}}'}", "{{name}}", true),
      ("equals: {literal: '{{name}}'}", "Ana", false),
      ("contains-all: [{literal: '{{x}}'}, '{{name}}']", "{{x}} Ana", true),
      ("equals: {literal: {literal: 1}}", #"{"literal":1}"#, true),
      ("equals: {literal: {a: '{{name}}'}}", #"{"a":"{{name}}"}"#, true),
      ("regex: {literal: '{{2}}|x'}", "x", true),
      ("contains: {literal: 'file://a.txt'}", "file://a.txt", true),
      (
        "assert-set: {assert: [contains: '{{name}}', {regex: '^{{pattern}}'}, {not-equals: x, weight: 2}]}",
        "a.b*[c] {1} Ana", true
      ),
      ("assert-set: {assert: [{type: regex, value: '{{pattern}}'}]}", "axbb", false),
      ("not-assert-set: {assert: [contains: '{{name}}']}", "Ana", false),
      ("contains: '{{! of no use }}Ana'", "Ana", true), ("contains: '[{{ '", "[{{ ", true),
    ]
  )
  func filled(_ yaml: String, _ text: String, _ isMet: Bool) throws {
    let fixture = ScoringFixture("- \(yaml)\n")
    #expect(fixture.said == "")
    let score = try #require(fixture.score(text, expecting: Self.expected, given: Self.input))
    #expect(score.outcome == (isMet ? .passed : .failed), "\(score.explanation)")
  }

  @Test("The arguments of a tool call are filled and keep their types")
  func calls() throws {
    let fixture = ScoringFixture(
      """
      - tool-calls: [{name: '{{expected.label}}', arguments: {q: '{{name}}', n: '{{expected.number}}'}}]
      - tool-calls: [{name: calm, arguments: '{{expected.call}}'}]
      """
    )
    #expect(fixture.said == "")
    var response = ModelResponse(text: nil)
    let testCase = TestCase(id: "a", input: Self.input, expected: Self.expected)
    func outcomes(_ arguments: String) -> [Score.Outcome] {
      response.toolCalls = [ToolCall(id: "1", name: "calm", arguments: arguments)]
      return fixture.scorers.map { bound in
        let scorer = bound.bound(to: testCase).scorer
        #expect(scorer.traits.wantedParts == [.toolCall])
        let answer = Answer(response, wanting: scorer.traits.wantedParts)
        return bound.scorer.score(answer, for: testCase).outcome
      }
    }
    #expect(outcomes(#"{"n": 3, "q": "Ana"}"#) == [.passed, .failed])
    #expect(outcomes(#"{"n": "3", "q": "Ana"}"#) == [.failed, .failed])
    #expect(outcomes(#"{"n": 7, "q": "rain"}"#) == [.failed, .passed])
  }

  @Test("A failure shows the filled value")
  func explained() {
    let fixture = ScoringFixture("- contains: '{{expected.label}}'\n")
    let score = fixture.score("harsh", expecting: Self.expected, given: Self.input)
    #expect(score?.explanation == #"expected the answer to contain "calm", got "harsh""#)
  }

  @Test("The digest covers the unfilled value, and graded types keep their metric")
  func digests() {
    let scorers = ScoringFixture(
      "[{equals: '{{name}}'}, {equals: '{{ name }}'}, {equals: {literal: '{{name}}'}}, "
        + "{rouge-1: '{{name}}'}]"
    ).scorers
    #expect(Set(scorers.map(\.digest)).count == 4)
    #expect(scorers[0].digest == ScoringFixture("[equals: '{{name}}']").scorers[0].digest)
    #expect(scorers.map { $0.traits.metrics.map(\.name) } == [[], [], [], ["mean-score"]])
  }

  @Test("The input and expectation names of an assertion are known")
  func names() {
    let scorers = ScoringFixture(
      "[{contains-any: ['{{b}} {{a.c}}', {literal: '{{no}}'}, '{{expected.x.y}}{{expected.z}}']}, "
        + "{assert-set: {assert: [{equals: '{{d}}'}]}}]"
    ).scorers
    #expect(scorers.map(\.traits.inputKeys) == [["a", "b"], ["d"]])
    #expect(scorers.map(\.traits.expectedKeys) == [["x", "z"], []])
  }

  @Test("A value that cannot be filled leaves the answer unscored")
  func unfilled() {
    func score(_ yaml: String) -> Score? {
      ScoringFixture("- \(yaml)\n").score("x", expecting: Self.expected, given: Self.input)
    }
    #expect(
      score("contains: '{{nobody}}'") == Score(.unscored, explanation: "the case has no 'nobody'")
    )
    #expect(
      score("not-contains: '{{empty}}'")
        == Score(.unscored, explanation: "'contains' needs a text that is not empty")
    )
  }

  @Test(
    "An invalid template in an assertion is refused at its position",
    arguments: [
      (
        "contains: 'a {{name'",
        """
        suite.yaml:1:16: error: '{{' is never closed
          fix: write '{{name}}'; to use the text literally, write {literal: "a {{name"}

        """
      ),
      (
        "contains: '{{#name}}x{{/name}}'",
        """
        suite.yaml:1:14: error: template sections such as '{{#name}}' are not supported in assertions
          fix: write only the name of a value, such as {{expected.NAME}}

        """
      ),
      (
        "equals: ['x', '{{expected}}']",
        """
        suite.yaml:1:18: error: '{{expected}}' means all expected values of the case, not a single one
          fix: name one value, such as {{expected.NAME}}

        """
      ),
      (
        "equals: '{{.}}'",
        """
        suite.yaml:1:12: error: '{{.}}' has no meaning in an assertion
          fix: name an input of the case, or {{expected.NAME}}

        """
      ),
      (
        "is-json: {const: '{{name}}'}",
        """
        suite.yaml:1:21: error: templates are not supported in a schema: '{{name}}'
          fix: compare the value with 'json-path', or put the schema in a file, where braces stay as they are

        """
      ),
      (
        "contains-any: [x, 'file://words.txt']",
        """
        suite.yaml:1:21: error: 'file://words.txt' would be compared as text: assertions cannot read files
          fix: write the text itself, or put it under 'expected' of the case and write '{{expected.NAME}}'; to compare with exactly this text, write {literal: "file://words.txt"}

        """
      ),
      (
        "is-json: file://answer.schema.json",
        """
        suite.yaml:1:12: error: 'file://answer.schema.json' is not a path
          fix: write 'answer.schema.json', a path relative to this file

        """
      ),
      (
        #"contains-any: '"a, b'"#,
        """
        suite.yaml:1:17: error: an unclosed quote in the list of 'contains-any'
          fix: write 'contains-any: [first, second]'

        """
      ),
    ]
  )
  func refused(_ yaml: String, _ said: String) {
    let fixture = ScoringFixture("- \(yaml)\n")
    #expect(fixture.scorers.isEmpty)
    #expect(fixture.saidWithoutLines == said)
  }

  @Test(
    "A list can be written as a CSV row",
    arguments: [
      ("a, b", ["a", "b"]), (#""a, b",c"#, ["a, b", "c"]),
      (#" "a ""b""" , c ,, "#, [#"a "b""#, "c"]),
      (#"a "b", c"#, [#"a "b""#, "c"]), ("one", ["one"]), ("a\nb, c", ["a\nb", "c"]), (",", []),
    ]
  )
  func rows(_ row: String, _ texts: [String]) throws {
    #expect(try TextRow.texts(in: row) == texts)
  }

  @Test("A CSV row with text after a closing quote is refused")
  func wrongRow() {
    #expect(throws: TextRow.Fault.self) { try TextRow.texts(in: #""a"b, c"#) }
  }
}
