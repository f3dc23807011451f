import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Classification scorer")
struct ClassificationScorerTests {
  private let category = ScoringFixture(
    "- classification: {path: found, expected: category, labels: [fan, super_fan, spam, café]}"
  )

  private func measured(_ expected: String, _ predicted: String?) -> JSONObject {
    [
      "expected": .string(expected), "predicted": predicted.map(JSONValue.string) ?? .null,
      "invalid": .bool(predicted == nil),
    ]
  }

  @Test("The correct label passes, and another known label fails")
  func labels() {
    #expect(
      category.score(#"{"found":"fan"}"#, expecting: ["category": "fan"])
        == Score(.passed, explanation: "fan as expected", measurements: measured("fan", "fan"))
    )
    #expect(
      category.score(#"{"found":"spam"}"#, expecting: ["category": "super_fan"])
        == Score(
          .failed,
          explanation: "expected super_fan, got spam",
          measurements: measured("super_fan", "spam")
        )
    )
  }

  @Test(
    "A label that is not in the list is invalid, and the answer is unusable",
    arguments: [
      (#""all""#, #""all""#), (#""Fan""#, #""Fan""#), (#"" fan""#, #"" fan""#), (#""""#, #""""#),
      ("null", "null"), ("true", "true"), ("1", "1"), (#"["fan"]"#, #"["fan"]"#),
      (#"{"label":"fan"}"#, #"{"label":"fan"}"#),
      ("\"cafe\u{301}\"", "\"cafe\u{301}\""), (#""a\nb""#, #""a\nb""#),
      (
        "\"" + String(repeating: "x", count: 200) + "\"",
        "\"" + String(repeating: "x", count: 79) + "…"
      ),
    ]
  )
  func invalid(_ value: String, _ shown: String) {
    #expect(
      category.score("{\"found\":\(value)}", expecting: ["category": "fan"])
        == Score(
          .failed,
          isUnusable: true,
          explanation: "expected fan, got \(shown), which is not one of the labels",
          measurements: measured("fan", nil)
        )
    )
  }

  @Test(
    "An unusable answer has no label",
    arguments: ScoringUnusableAnswer.withoutFound
  )
  func unusable(_ unusable: ScoringUnusableAnswer) {
    #expect(
      category.score(unusable.response, expecting: ["category": "fan"])
        == Score(
          .failed,
          isUnusable: true,
          explanation: unusable.reason,
          measurements: measured("fan", nil)
        )
    )
  }

  @Test("The labels are the classes that conditions can name")
  func metrics() throws {
    let scorer = try #require(category.scorers.first).scorer
    #expect(scorer.traits.classes == ["fan", "super_fan", "spam", "café"])
    #expect(scorer.traits.expectedKeys == ["category"])
    #expect(
      scorer.traits.metrics == [
        MetricDefinition("precision", .perClass(.precision)),
        MetricDefinition("recall", .perClass(.recall)),
        MetricDefinition("f1", .perClass(.f1)),
        MetricDefinition("micro-f1", .labels(.microF1), isDetail: true),
        MetricDefinition("weighted-f1", .labels(.weightedF1), isDetail: true),
        MetricDefinition("balanced-accuracy", .labels(.balancedAccuracy), isDetail: true),
        MetricDefinition("mcc", .labels(.matthewsCorrelation), isDetail: true),
        MetricDefinition("kappa", .labels(.kappa), isDetail: true),
        MetricDefinition(
          "invalid-label-rate",
          .share(of: .init("invalid")),
          prefersSmall: true
        ),
      ]
    )
  }

  @Test("An answer that abstains has no label, but is not unusable")
  func abstention() throws {
    let open = ScoringFixture(
      "- classification: {path: found, expected: category, labels: [fan, spam], abstain: unsure}"
    )
    #expect(open.said == "")
    #expect(
      open.score(#"{"found":"unsure"}"#, expecting: ["category": "fan"])
        == Score(
          .failed,
          explanation: "expected fan, got unsure, which means 'unknown'",
          measurements: [
            "expected": "fan", "predicted": nil, "invalid": false, "abstained": true,
          ]
        )
    )
    #expect(
      open.score(#"{"found":"fan"}"#, expecting: ["category": "fan"])?.measurements
        == ["expected": "fan", "predicted": "fan", "invalid": false, "abstained": false]
    )
    #expect(
      open.score(#"{"found":"what"}"#, expecting: ["category": "fan"])?.measurements
        == ["expected": "fan", "predicted": nil, "invalid": true, "abstained": false]
    )
    #expect(
      try #require(open.scorers.first).traits.metrics.last
        == MetricDefinition("abstention-rate", .share(of: .init("abstained")), prefersSmall: true)
    )
    #expect(
      ScoringFixture("- classification: {path: p, expected: e, labels: [a, b], abstain: b}").said
        == """
        suite.yaml:1:67: error: 'b' is one of the labels, so it cannot also mean 'unknown'
          1 | …pected: e, labels: [a, b], abstain: b}
            |                                      ^
          fix: remove it from 'labels', or remove 'abstain'

        """
    )
  }

  @Test(
    "There must be at least two labels, all different",
    arguments: [
      ("[]", nil), ("[fan]", nil), ("[fan, spam, fan]", "fan"), ("[café, \"cafe\\u0301\"]", "café"),
    ] as [(String, String?)]
  )
  func tooFewLabels(_ labels: String, _ repeated: String?) {
    #expect(
      ScoringFixture("- classification: {path: p, expected: e, labels: \(labels)}").said == """
        suite.yaml:1:50: error: 'labels' must contain at least two different texts
          1 | - classification: {path: p, expected: e, labels: \(labels)}
            |                                                  ^
        \(repeated.map { "  fix: remove one '\($0)'\n" } ?? "")
        """
    )
  }

  @Test("Every error in the arguments is reported")
  func arguments() {
    #expect(
      ScoringFixture("- classification: {path: p, lables: [a, b]}").said == """
        suite.yaml:1:19: error: the scorer 'classification' needs 'expected'
          1 | - classification: {path: p, lables: [a, b]}
            |                   ^
          fix: add 'expected: …'
        suite.yaml:1:29: error: unknown key 'lables' in the scorer 'classification'
          1 | - classification: {path: p, lables: [a, b]}
            |                             ^
          fix: did you mean 'labels'?

        """
    )
    #expect(
      ScoringFixture("- classification: {path: p, expected: e, labels: [a, true], x: y}").said
        == """
        suite.yaml:1:54: error: an entry of 'labels' must be a text, not true or false
          1 | - classification: {path: p, expected: e, labels: [a, true], x: y}
            |                                                      ^
          fix: put it in quotes: "true"
        suite.yaml:1:61: error: unknown key 'x' in the scorer 'classification'
          1 | - classification: {path: p, expected: e, labels: [a, true], x: y}
            |                                                             ^
          fix: known: path, expected, labels, abstain

        """
    )
    #expect(
      ScoringFixture("- classification: {path: p, expected: e, labels: a}").said == """
        suite.yaml:1:50: error: 'labels' must be a list, not a text
          1 | - classification: {path: p, expected: e, labels: a}
            |                                                  ^
          fix: write 'labels: [a]'

        """
    )
  }

  @Test("A case must expect one of the labels")
  func expectation() throws {
    #expect(try category.complaints(about: "{category: spam}") == "")
    #expect(
      try category.complaints(about: "{category: super_fann}") == """
        cases.yaml:3:24: error: 'super_fann' is not one of the labels of the suite
          3 |   expected: {category: super_fann}
            |                        ^
          fix: did you mean 'super_fan'?

        """
    )
    #expect(
      try category.complaints(about: "{category: [fan]}") == """
        cases.yaml:3:24: error: 'expected.category' must be a text, not a list
          3 |   expected: {category: [fan]}
            |                        ^

        """
    )
    #expect(
      try category.complaints(about: "{}") == """
        cases.yaml:1:7: error: the case 'a' has no 'expected.category', which the scorer 'classification' compares with
          1 | - id: a
            |       ^
          fix: add 'expected: {category: …}'

        """
    )
  }

  @Test("Without a path the fix is said for JSON, and for an answer that is the label itself")
  func missingPath() {
    let list = "- classification: {expected: kind, labels: [a, b]}"
    #expect(
      ScoringFixture(list).said == """
        suite.yaml:1:19: error: the scorer 'classification' needs 'path'
          1 | - classification: {expected: kind, labels: [a, b]}
            |                   ^
          fix: if answers are JSON, add 'path: …'; if they are only the label, write 'extract: trim' \
        next to 'classification'

        """
    )
    #expect(ScoringFixture(list + "\n  extract: trim").said == "")
  }

  @Test(
    "A scorer with a path says that it reads JSON where the answer is text",
    arguments: [
      (
        "refund",
        """
        the answer is not valid JSON: expected a JSON value; the scorer reads JSON because it has a \
        'path', and the answer is "refund"
        """
      ),
      (#"{"kind": "#, "the answer is not valid JSON: the JSON value ends too early"),
      (
        "```\n{\"found\": \"fan\"}\n```",
        "the JSON is in a code fence (```); tell the model to answer with JSON only"
      ),
      ("", "the answer is not valid JSON: the JSON value ends too early"),
    ]
  )
  func textForJSON(answer: String, explanation: String) {
    #expect(category.score(answer, expecting: ["category": "fan"])?.explanation == explanation)
  }

}
