import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Coverage scorer")
struct CoverageScorerTests {
  private static let thread: JSONValue = [
    "messages": [
      ["from": "ana", "text": "The launch moves to 14 March, at 9:30."],
      ["from": "ben", "text": "Budget is 12,500 euros. Priya signs for Acme on Friday."],
    ]
  ]
  private let summary = ScoringFixture(
    "- coverage: {path: found, expected: facts, at-least: 50%, source: messages.text, "
      + "at-most-length: 80%}"
  )

  @Test("A fact counts if one of its wordings occurs anywhere in the value at the path")
  func facts() {
    #expect(
      summary.score(
        #"{"found":{"points":["Launch on 14 March"],"open":[{"q":"Who signs?"}]}}"#,
        expecting: ["facts": ["14 march", ["any-of": ["12500", "12,500"]], "signs"]],
        given: Self.thread
      )
        == Score(
          .passed,
          explanation:
            "contains 2 of 3 facts, but not '12500' (or 1 more); 31.2% of the source's length",
          measurements: [
            "facts": 3, "covered": 2, "full": false, "length-ratio": .number(29.0 / 93),
            "claims": 2, "unsupported": 0,
          ]
        )
    )
  }

  @Test("A text that is too long or contains too few facts fails")
  func limits() {
    let long = String(repeating: "launch ", count: 12)
    #expect(
      summary.score(
        "{\"found\":\"\(long)\"}",
        expecting: ["facts": ["launch"]],
        given: Self.thread
      )?.explanation == "contains 1 of 1 fact; 90.3% of the source's length, more than 80%"
    )
    let little = summary.score(
      #"{"found":"launch"}"#,
      expecting: ["facts": ["launch", "b", "c"]],
      given: Self.thread
    )
    #expect(little?.outcome == .failed)
    #expect(
      little?.explanation == "contains 1 of 3 facts, but not 'b', 'c'; 6.5% of the source's length"
    )
  }

  @Test("Numbers and names that are not in the source are reported, and fail only if disallowed")
  func unsupported() {
    let text = "{\"found\":\"On 15 March Priya of Globex pays 12500 at 9:30. Ana agrees.\"}"
    let expected: JSONValue = ["facts": []]
    let told = summary.score(text, expecting: expected, given: Self.thread)
    #expect(told?.outcome == .passed)
    #expect(
      told?.explanation
        == "63.4% of the source's length; not in the source: \"15\", "
        + "\"Globex\""
    )
    #expect(told?.measurements["claims"] == 6)
    #expect(told?.measurements["unsupported"] == 2)
    let strict = ScoringFixture(
      "- coverage: {path: found, expected: facts, source: messages, allow-unsupported: false}"
    )
    #expect(strict.score(text, expecting: expected, given: Self.thread)?.outcome == .failed)
    #expect(
      strict.score(#"{"found":"14 March"}"#, expecting: expected, given: Self.thread)?.outcome
        == .passed
    )
  }

  @Test("Without a path, the complete answer is searched, but only the texts of JSON")
  func whole() {
    let plain = ScoringFixture("- coverage: {expected: facts}")
    #expect(
      plain.score("The launch moves.", expecting: ["facts": ["launch"]])
        == Score(
          .passed,
          explanation: "contains 1 of 1 fact",
          measurements: ["facts": 1, "covered": 1, "full": true]
        )
    )
    #expect(
      plain.score(#"{"launch":["moves"]}"#, expecting: ["facts": ["launch"]])?.outcome == .failed
    )
    #expect(
      plain.score(
        ModelResponse(text: "The launch", finishReason: "length"),
        expecting: ["facts": ["launch"]]
      )
        == Score(
          .failed,
          isUnusable: true,
          explanation: "the answer was cut off at the token limit",
          measurements: ["facts": 1, "covered": 0, "full": false]
        )
    )
  }

  @Test("The scorer does not apply to a case without facts, unless a limit can fail")
  func notApplicable() {
    let plain = ScoringFixture("- coverage: {expected: facts}")
    for expected: JSONValue in [["facts": []], ["facts": nil], [:]] {
      #expect(
        plain.score("Anything", expecting: expected)
          == Score(.notApplicable, explanation: "the case expects no fact")
      )
    }
    let limited = ScoringFixture(
      "- coverage: {expected: facts, source: messages, at-most-length: 10%}"
    )
    #expect(
      limited.score("The launch moves.", expecting: ["facts": []], given: Self.thread)?.outcome
        == .failed
    )
  }

  @Test("Metrics cover all facts, all cases, and all numbers and names")
  func metrics() throws {
    let scorer = try #require(summary.scorers.first).scorer
    #expect(scorer.traits.inputKeys == ["messages"])
    let trials = StatisticsTrials.scored([
      [
        [
          "facts": 4, "covered": 3, "full": false, "length-ratio": 0.5, "claims": 2,
          "unsupported": 1,
        ]
      ],
      [
        [
          "facts": 1, "covered": 1, "full": true, "length-ratio": 2.0, "claims": 0,
          "unsupported": 0,
        ]
      ],
    ])
    let evaluator = MetricEvaluator(trials)
    let values = scorer.traits.metrics.map {
      ($0.name, evaluator.estimate(Metric(.scorer("s", $0.formula))).value ?? -1)
    }
    #expect(
      values.map { "\($0) \($1)" }
        == ["coverage 0.8", "full-rate 0.5", "length-ratio 1.25", "unsupported-rate 0.5"]
    )
    let plain = ScoringFixture("- coverage: {expected: facts}")
    #expect(plain.scorers.first?.traits.metrics.map(\.name) == ["coverage", "full-rate"])
  }

  @Test("Every error in arguments and cases is reported")
  func faults() throws {
    #expect(
      ScoringFixture("- coverage: {expected: f, at-least: 120%, at-most-length: 30%}").said == """
        suite.yaml:1:37: error: 'at-least' must be a share from 0 to 1, or a percentage up to 100%
          1 | - coverage: {expected: f, at-least: 120%, at-most-length: 30%}
            |                                     ^
        suite.yaml:1:59: error: 'at-most-length' needs a source to compare with
          1 | - coverage: {expected: f, at-least: 120%, at-most-length: 30%}
            |                                                           ^
          fix: add 'source: …' with the name of an input

        """
    )
    #expect(
      try summary.complaints(about: "{facts: [a, {any-of: []}]}", given: "{messages: [{from: a}]}")
        == """
        cases.yaml:2:21: error: 'input.messages.text' contains no text to compare with
          2 |   input: {messages: [{from: a}]}
            |                     ^
        cases.yaml:3:25: error: a fact must be a text or {any-of: [texts]}
          3 |   expected: {facts: [a, {any-of: []}]}
            |                         ^
          fix: write '- any-of: ["first", "second"]'

        """
    )
  }

  @Test(
    "A number is a run of digits, and a name is a capitalized word inside a sentence",
    arguments: [
      ("Call Ben at 9:30, not 10.", "9:30 10 Ben"), ("Ben calls. Ana waits.", ""),
      ("- Ana\n- call Zoë", "Zoë"), ("1,234.50 and 1234.5 of 2nd", "1234.50 1234.5 2"),
      ("we use GPT-4 I think", "4 GPT"), ("see 10-20 and v2", "10 20"), ("İstanbul Ünsal", "Ünsal"),
      ("", ""), ("会议 3", "3"),
    ]
  )
  func claims(_ text: String, _ expected: String) {
    #expect(Claims(text).missing(in: []).joined(separator: " ") == expected)
    #expect(Claims(text).missing(in: [text]).isEmpty)
  }
}
