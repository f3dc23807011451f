import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Choice scorer")
struct ChoiceScorerTests {
  private let choice = ScoringFixture(
    "- choice: {path: found, options: faq, expected: entry}"
  )
  private let faq: JSONValue = ["faq": ["price", ["id": "delivery", "text": "Two days."]]]

  private func measured(
    positive: Bool,
    hit: Bool = false,
    missed: Bool = false,
    falseAnswer: Bool = false
  ) -> JSONObject {
    [
      "positive": .bool(positive), "clean": .bool(!positive), "hit": .bool(hit),
      "missed": .bool(missed), "false-answer": .bool(falseAnswer),
    ]
  }

  private func score(_ found: String, _ expected: JSONValue) -> Score? {
    choice.score("{\"found\":\(found)}", expecting: ["entry": expected], given: faq)
  }

  @Test("Only the correct option passes; another option and no choice fail")
  func positive() {
    #expect(
      score(#""delivery""#, "delivery")
        == Score(
          .passed,
          explanation: "\"delivery\" as expected",
          measurements: measured(positive: true, hit: true)
        )
    )
    #expect(
      score(#""price""#, "delivery")
        == Score(
          .failed,
          explanation: "expected \"delivery\", got \"price\"",
          measurements: measured(positive: true)
        )
    )
    #expect(
      score("null", "delivery")
        == Score(
          .failed,
          explanation: "expected \"delivery\", got no choice",
          measurements: measured(positive: true, missed: true)
        )
    )
  }

  @Test("If no option is correct, only an answer without a choice passes")
  func clean() {
    #expect(
      score("null", nil)
        == Score(
          .passed,
          explanation: "no choice as expected",
          measurements: measured(positive: false)
        )
    )
    #expect(
      score(#""price""#, nil)
        == Score(
          .failed,
          explanation: "expected no choice, got \"price\"",
          measurements: measured(positive: false, falseAnswer: true)
        )
    )
  }

  @Test(
    "An unknown option is unusable: false on a clean case, otherwise missed",
    arguments: [#""returns""#, #""Price""#, "1", #"["price"]"#, #""""#]
  )
  func invalid(_ found: String) {
    let shown = "which is not one of the options"
    #expect(
      score(found, nil)
        == Score(
          .failed,
          isUnusable: true,
          explanation: "expected no choice, got \(found), \(shown)",
          measurements: measured(positive: false, falseAnswer: true)
        )
    )
    #expect(
      score(found, "price")
        == Score(
          .failed,
          isUnusable: true,
          explanation: "expected \"price\", got \(found), \(shown)",
          measurements: measured(positive: true, missed: true)
        )
    )
  }

  @Test("An unusable answer is a false answer on a clean case, and otherwise missed")
  func unusable() {
    let response = ModelResponse(text: "{}", finishReason: "length")
    #expect(
      choice.score(response, expecting: ["entry": nil], given: faq)
        == Score(
          .failed,
          isUnusable: true,
          explanation: "the answer was cut off at the token limit",
          measurements: measured(positive: false, falseAnswer: true)
        )
    )
  }

  @Test("A lost trial can change only the rates for its own kind of case")
  func given() throws {
    let scorer = try #require(choice.scorers.first).scorer
    func given(_ expected: JSONValue) -> JSONObject {
      scorer.given(TestCase(id: "a", input: faq, expected: ["entry": expected]))
    }
    #expect(given("price") == ["positive": true, "clean": false, "false-answer": false])
    #expect(given(nil) == ["positive": false, "clean": true, "hit": false, "missed": false])
  }

  @Test("Each rate covers either the cases with a correct option or those without")
  func metrics() throws {
    let scorer = try #require(choice.scorers.first).scorer
    let scores = [
      score(#""price""#, "price"), score("null", "price"), score(#""delivery""#, "price"),
      score("null", nil), score(#""price""#, nil),
    ]
    let evaluator = MetricEvaluator(StatisticsTrials.scored(scores.map { [$0?.measurements] }))
    let rates = scorer.traits.metrics.map {
      ($0.name, evaluator.rate(Metric(.scorer("s", $0.formula))))
    }
    #expect(
      rates.map { "\($0) \(Int($1?.holding ?? -1))/\($1?.cases ?? -1)" }
        == ["hit-rate 1/3", "missed-rate 1/3", "false-answer-rate 1/2"]
    )
  }

  @Test("A case must offer options and state the correct one, or that there is none")
  func cases() throws {
    let input = "{faq: [price, {id: delivery}]}"
    #expect(try choice.complaints(about: "{entry: delivery}", given: input) == "")
    #expect(try choice.complaints(about: "{entry: null}", given: input) == "")
    #expect(
      try choice.complaints(about: "{entry: delivry}", given: input) == """
        cases.yaml:3:21: error: 'delivry' is not one of the options of the case
          3 |   expected: {entry: delivry}
            |                     ^
          fix: did you mean 'delivery'?

        """
    )
    #expect(
      try choice.complaints(about: "{}", given: "{fag: [{name: x}]}") == """
        cases.yaml:1:7: error: the case 'a' has no 'input.faq', which the scorer 'choice' reads
          1 | - id: a
            |       ^
          fix: did you mean 'faq' instead of 'fag'?
        cases.yaml:1:7: error: the case 'a' has no 'expected.entry', which the scorer 'choice' compares with
          1 | - id: a
            |       ^
          fix: add 'expected: {entry: …}'

        """
    )
    #expect(
      try choice.complaints(about: "{entry: 1}", given: "{faq: [{name: x}]}") == """
        cases.yaml:2:17: error: an option must be a text, or a mapping with an 'id'
          2 |   input: {faq: [{name: x}]}
            |                 ^
        cases.yaml:3:21: error: 'expected.entry' must be a text (or null, if no option is right), not a number
          3 |   expected: {entry: 1}
            |                     ^
          fix: put it in quotes: "1"

        """
    )
  }
}
