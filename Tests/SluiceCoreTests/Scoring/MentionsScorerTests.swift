import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Mentions scorer")
struct MentionsScorerTests {
  private let mentions = ScoringFixture("- mentions: {path: found, expected: issues}")

  private func measured(_ met: Int, of expected: Int) -> JSONObject {
    ["expected": .number(Double(expected)), "met": .number(Double(met))]
  }

  @Test("A finding is met if any text of the answer contains one of its alternatives")
  func met() {
    #expect(
      mentions.score(
        #"{"found":["Who is she?","What does 'IT' refer to?"]}"#,
        expecting: ["issues": [["any-of": ["that", "it"]]]]
      )
        == Score(
          .passed,
          explanation: "found mentions the expected finding",
          measurements: measured(1, of: 1)
        )
    )
    #expect(
      mentions.score(
        #"{"found":"Which bug? Which build?"}"#,
        expecting: ["issues": ["bug", ["any-of": ["build", "version"]]]]
      )
        == Score(
          .passed,
          explanation: "found mentions all 2 expected findings",
          measurements: measured(2, of: 2)
        )
    )
  }

  @Test("A finding with 'about' is named by it")
  func about() {
    #expect(
      mentions.score(
        #"{"found":["Where?"]}"#,
        expecting: ["issues": [["about": "which item is meant", "any-of": ["item", "items"]]]]
      )
        == Score(
          .failed,
          explanation: #"found should mention 'which item is meant', got "Where?""#,
          measurements: ["expected": 1, "met": 0]
        )
    )
  }

  @Test("Missed findings are named with their alternatives")
  func missed() {
    #expect(
      mentions.score(
        #"{"found":["Which item?","Where?"]}"#,
        expecting: [
          "issues": ["item", ["any-of": ["it"]], ["any-of": ["a1", "b1", "c1", "d1", "e1"]]]
        ]
      )
        == Score(
          .failed,
          explanation:
            "found should mention 'it' and 'a1' (or 4 more), "
            + #"got "Which item?", "Where?""#,
          measurements: measured(1, of: 3)
        )
    )
  }

  @Test(
    "A value without text meets no findings, and is shown unless it is empty",
    arguments: [
      ("null", "nothing"), ("[]", "nothing"), (#""""#, "nothing"), ("{}", "{}"),
      (#"[{"issue":"it"}]"#, #"[{"issue":"it"}]"#), ("true", "true"), ("[1,null]", "[1,null]"),
      (#"[1,"its"]"#, #""its""#),
    ]
  )
  func withoutTexts(_ value: String, _ shown: String) {
    #expect(
      mentions.score("{\"found\":\(value)}", expecting: ["issues": ["it"]])
        == Score(
          .failed,
          explanation: "found should mention 'it', got \(shown)",
          measurements: measured(0, of: 1)
        )
    )
  }

  @Test(
    "An unusable answer meets no findings",
    arguments: ScoringUnusableAnswer.withoutFound
  )
  func unusable(_ unusable: ScoringUnusableAnswer) {
    #expect(
      mentions.score(unusable.response, expecting: ["issues": ["it", "she"]])
        == Score(
          .failed,
          isUnusable: true,
          explanation: unusable.reason,
          measurements: measured(0, of: 2)
        )
    )
  }

  @Test(
    "The scorer does not apply to a case without findings, even if the answer is unusable",
    arguments: [[:], ["issues": []], ["issues": nil], ["other": ["it"]]] as [JSONValue]
  )
  func notApplicable(_ expected: JSONValue) {
    let score = Score(.notApplicable, explanation: "the case expects no mention")
    #expect(mentions.score(#"{"found":["it"]}"#, expecting: expected) == score)
    #expect(mentions.score("no JSON", expecting: expected) == score)
  }

  @Test("The explanation of a very long answer is short and on one line")
  func short() {
    let texts = (1...1_000).map { JSONValue.string("line \($0)\nend") }
    let text = JSONValue.object(["found": .array(texts)]).jsonText
    #expect(
      mentions.score(text, expecting: ["issues": ["it"]])?.explanation
        == #"found should mention 'it', got "line 1\nend", "line 2\nend", "line 3\nend", "#
        + #""line 4\nend", "line 5\nend", and 995 more"#
    )
  }

  @Test("The mention rate is over findings, not cases")
  func metrics() throws {
    let scorer = try #require(mentions.scorers.first).scorer
    #expect(
      scorer.traits.metrics
        == [MetricDefinition("mention-rate", .ratio(of: [.init("met")], to: [.init("expected")]))]
    )
    #expect(scorer.traits.expectedKeys == ["issues"])
  }

  @Test("Both arguments are required, and no others are allowed")
  func arguments() {
    #expect(
      ScoringFixture("- mentions: {when: x}").said == """
        suite.yaml:1:13: error: the scorer 'mentions' needs 'path'
          1 | - mentions: {when: x}
            |             ^
          fix: add 'path: …'
        suite.yaml:1:13: error: the scorer 'mentions' needs 'expected'
          1 | - mentions: {when: x}
            |             ^
          fix: add 'expected: …'
        suite.yaml:1:14: error: unknown key 'when' in the scorer 'mentions'
          1 | - mentions: {when: x}
            |              ^
          fix: known: path, expected

        """
    )
  }

  @Test(
    "A case may expect nothing or a list of findings",
    arguments: [
      "{}", "{issues: null}", "{issues: []}", "{issues: [it, 'the thing']}",
      "{issues: [{any-of: [it, that]}]}", "{issues: [{about: which bug, any-of: [bug]}]}",
    ]
  )
  func rightExpectation(_ expected: String) throws {
    #expect(try mentions.complaints(about: expected) == "")
  }

  @Test(
    "An invalid finding is an error",
    arguments: [
      "{any-of: []}", "{any-of: it}", "{any-of: [it, '']}", "{any-of: [1]}", "{all-of: [it]}",
      "{any-of: [it], all-of: [it]}", "''", "[it]", "~", "{about: it}",
      "{about: 1, any-of: [it]}",
    ]
  )
  func wrongFinding(_ finding: String) throws {
    #expect(
      try mentions.complaints(about: "{issues: [\(finding)]}") == """
        cases.yaml:3:23: error: a finding must be a text or {any-of: [texts]}
          3 |   expected: {issues: [\(finding)]}
            |                       ^
          fix: write '- any-of: ["first", "second"]'

        """
    )
  }

  @Test("A finding that YAML reads as a number is an error, with quotes as the fix")
  func numberAsFinding() throws {
    #expect(
      try mentions.complaints(about: "{issues: [it, 007]}") == """
        cases.yaml:3:27: error: a finding must be a text, not a number
          3 |   expected: {issues: [it, 007]}
            |                           ^
          fix: put them in quotes: ["it", "007"]

        """
    )
  }

  @Test("A single finding in place of a list is an error")
  func noList() throws {
    #expect(
      try mentions.complaints(about: "{issues: it}") == """
        cases.yaml:3:22: error: 'expected.issues' must be a list, not a text
          3 |   expected: {issues: it}
            |                      ^
          fix: write ["it"]

        """
    )
  }
}
