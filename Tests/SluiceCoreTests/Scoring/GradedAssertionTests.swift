import SampleProjects
import Testing

@testable import SluiceCore

@Suite("Graded assertions")
struct GradedAssertionTests {
  private func score(_ assertion: String, _ text: String) -> Score? {
    ScoringFixture("- \(assertion)").score(text)
  }

  @Test(
    "A grade is compared with its threshold, even if the threshold is 0",
    arguments: [
      ("levenshtein: kitten", "sitting", true, 1 - 3.0 / 7),
      ("levenshtein: {value: kitten, threshold: 2}", "sitting", false, 1 - 3.0 / 7),
      ("levenshtein: {value: kitten, threshold: 0}", "kitten", true, 1),
      ("levenshtein: {value: kitten, threshold: 0}", "kittens", false, 1 - 1.0 / 7),
      ("{type: levenshtein, value: kitten, threshold: 3}", "sitting", true, 1 - 3.0 / 7),
      ("levenshtein: 'é'", "", true, 0),
      ("rouge-1: {value: the cat sat, threshold: 0.8}", "the cat ran", false, 2.0 / 3),
      ("rouge-n: {value: the cat sat, threshold: 0.6}", "the cat ran", true, 2.0 / 3),
      ("rouge-2: {value: the cat sat, threshold: 0.5}", "the cat ran", true, 0.5),
      ("rouge-l: {value: the cat sat, threshold: 0}", "a dog", true, 0),
      ("rouge-l: {value: [a dog, the cat sat]}", "the cat sat", true, 1),
      ("rouge-1: {value: cats, stem: true}", "cat", true, 1),
      ("rouge-1: cats", "cat", false, 0),
      ("rouge-1: {value: running dogs, stem: true}", "running dog", true, 1),
      ("bleu: the cat sat on the mat", "the cat sat on the mat", true, 1),
      ("bleu: {value: the cat sat on the mat, threshold: 0}", "x", true, 0),
      ("chrf: {value: the cat, threshold: 1}", "the cat", true, 1),
      ("chrf: abc", "", false, 0),
    ] as [(String, String, Bool, Double)]
  )
  func thresholds(_ assertion: String, _ text: String, _ holds: Bool, _ grade: Double) throws {
    let score = try #require(self.score(assertion, text))
    #expect(score.outcome == (holds ? .passed : .failed), "\(score.explanation)")
    #expect(abs((score.measurements["score"]?.number ?? -1) - grade) < 1e-9)
    let opposite =
      assertion.hasPrefix("{")
      ? assertion.replacing("type: ", with: "type: not-") : "not-\(assertion)"
    let other = try #require(self.score(opposite, text))
    #expect(other.outcome == (holds ? .failed : .passed))
    #expect(abs((other.measurements["score"]?.number ?? -1) - (1 - grade)) < 1e-9)
  }

  @Test(
    "The explanation states the number, the expectation and the answer",
    arguments: [
      (
        "levenshtein: {value: kitten, threshold: 1}", "sitting",
        #"expected the answer to be at most 1 edit away from "kitten": 3 edits, got "sitting""#
      ),
      (
        "not-levenshtein: kitten", "kitten",
        #"expected the answer not to be at most 5 edits away from "kitten": 0 edits, got "kitten""#
      ),
      (
        "rouge-l: the cat sat", "the cat ran",
        #"expected the answer to be similar to "the cat sat", with ROUGE-L F1 of at least 0.75: 0.667, got "the cat ran""#
      ),
      (
        "rouge-1: [a, b]", "c",
        #"expected the answer to be similar to one of 2 texts, with ROUGE-1 F1 of at least 0.75: 0, got "c""#
      ),
    ]
  )
  func explanation(_ assertion: String, _ text: String, _ explanation: String) {
    #expect(score(assertion, text)?.explanation == explanation)
  }

  @Test("A comparison that takes too long leaves the answer unscored, also with 'not-'")
  func tooLong() throws {
    let long = String(repeating: "ab", count: 500_000)
    let other = String(repeating: "ba", count: 499_999) + "c"
    for assertion in ["levenshtein", "not-levenshtein"] {
      let score = try #require(self.score("\(assertion): \(other)", long))
      #expect(score.outcome == .unscored)
      #expect(score.explanation.hasPrefix("too long to compare"))
    }
  }

  @Test("Without a threshold, an assert-set holds if all of its assertions hold")
  func wholeSet() {
    let set = "assert-set: {assert: [{contains: a}, {not-contains: b}]}"
    #expect(score(set, "a")?.outcome == .passed)
    #expect(score(set, "a")?.explanation == "expected the answer to meet 2 assertions: grade 1")
    #expect(
      score(set, "ab")
        == Score(
          .failed,
          explanation: "expected the answer to meet 2 assertions: grade 0.5; not-contains: "
            + #"expected the answer not to contain "b", found at character 2: "ab""#,
          measurements: ["score": 0.5, "scored": 1]
        )
    )
    #expect(score("not-\(set)", "ab")?.outcome == .passed)
  }

  @Test(
    "With a threshold, the weighted mean of the grades decides",
    arguments: [
      ("threshold: 0.5", "a", true), ("threshold: 0.5", "b", false), ("threshold: 0", "c", true),
      ("threshold: 1", "ab", true), ("threshold: 0.75", "a", true), ("threshold: 0.76", "a", false),
    ]
  )
  func weights(_ threshold: String, _ text: String, _ holds: Bool) {
    let set = """
      type: assert-set
        \(threshold)
        assert:
          - {type: contains, value: a, weight: 3}
          - contains: b
          - {contains: z, weight: 0}
      """
    #expect(score(set, text)?.outcome == (holds ? .passed : .failed))
  }

  @Test("Similarity grades count partially, and sets can contain sets")
  func nested() {
    let set = """
      assert-set:
          threshold: 0.7
          assert:
            - levenshtein: {value: abcd, threshold: 0}
            - assert-set: {assert: [contains: a]}
      """
    #expect(score(set, "abxx")?.measurements["score"] == 0.75)
    #expect(score(set, "abxx")?.outcome == .passed)
    #expect(score(set, "xxxx")?.outcome == .failed)
  }

  @Test("An unscored assertion makes its set unscored, unless its weight is 0")
  func undecided() {
    let text = String(repeating: "a", count: 40) + "!"
    let pattern = #"regex: '^(a|aa)+\1$'"#
    #expect(
      score("assert-set: {assert: [\(pattern), {contains: a}]}", text)
        == Score(
          .unscored,
          explanation: #"regex: it is too expensive to match /^(a|aa)+\1$/"#
        )
    )
    let weightless = "assert-set: {assert: [{\(pattern), weight: 0}, {contains: a}]}"
    #expect(score(weightless, text)?.outcome == .passed)
  }

  @Test("An error in a set is reported at its position")
  func wrongSet() {
    let yaml = """
      - assert-set: {assert: [{contains: ''}, {flags: {path: a}}], threshold: 2}
      - assert-set: {assert: [{contains: a, weight: -1}]}
      - assert-set: {assert: [{contains: a, weight: 0}]}
      - assert-set: {assert: []}
      - contains: a
        weight: 2
      - {type: contains, value: a, threshold: 0.5}
      - rouge-1: {value: a, threshold: 7}
      - bleu: {value: a, stem: true}
      - levenshtein: {value: [a, b], threshold: 0.5}
      """
    #expect(
      ScoringFixture(yaml).said == """
        suite.yaml:1:36: error: 'contains' needs a text that is not empty
          1 | - assert-set: {assert: [{contains: ''}, {flags: {path: a}}], threshold: …
            |                                    ^
        suite.yaml:1:42: error: 'flags' is not an assertion, and an assert-set may contain only assertions
          1 | - assert-set: {assert: [{contains: ''}, {flags: {path: a}}], threshold: …
            |                                          ^
          fix: move it out of the assert-set
        suite.yaml:1:73: error: 'threshold' must be between 0 and 1, not 2
          1 | …'}, {flags: {path: a}}], threshold: 2}
            |                                      ^
        suite.yaml:2:47: error: 'weight' must be a number of at least 0
          2 | - assert-set: {assert: [{contains: a, weight: -1}]}
            |                                               ^
        suite.yaml:3:15: error: an assert-set needs an assertion with a weight above 0
          3 | - assert-set: {assert: [{contains: a, weight: 0}]}
            |               ^
        suite.yaml:4:24: error: 'assert' must be a list with at least one assertion
          4 | - assert-set: {assert: []}
            |                        ^
          fix: write, for example, 'assert: [{contains: a}, is-json]'
        suite.yaml:6:11: error: 'weight' has a meaning only inside an assert-set
          6 |   weight: 2
            |           ^
          fix: remove it, or put the scorer into an 'assert-set'
        suite.yaml:7:30: error: 'contains' accepts no key next to 'value', but has 'threshold'
          7 | - {type: contains, value: a, threshold: 0.5}
            |                              ^
          fix: remove it
        suite.yaml:8:34: error: 'threshold' must be between 0 and 1, not 7
          8 | - rouge-1: {value: a, threshold: 7}
            |                                  ^
        suite.yaml:9:9: error: 'stem' applies only to the ROUGE measures
          9 | - bleu: {value: a, stem: true}
            |         ^
          fix: remove it
        suite.yaml:10:43: error: 'threshold' must be a whole number, not 0.5
          10 | - levenshtein: {value: [a, b], threshold: 0.5}
             |                                           ^

        """
    )
  }

  @Test("The long form with only a value equals the short form, including its digest")
  func longForm() {
    func digest(_ yaml: String) -> String? { ScoringFixture("- \(yaml)").scorers.first?.digest }
    #expect(digest("contains: a") == digest("{type: contains, value: a}"))
    #expect(
      digest("rouge-1: {value: a, threshold: 0.5}")
        == digest("{type: rouge-1, value: a, threshold: 0.5}")
    )
    #expect(digest("equals: {a: 1}") == digest("{type: equals, value: {a: 1}}"))
    #expect(digest("flags: {path: a}") == digest("{type: flags, path: a}"))
    #expect(digest("is-json") == digest("{type: is-json}"))
  }

  @Test("A type must be a text, and an unknown type gets the nearest known type as a suggestion")
  func types() {
    #expect(
      ScoringFixture("- {type: 7}\n- {type: contians, value: a}").said == """
        suite.yaml:1:10: error: 'type' must be a text, not a number
          1 | - {type: 7}
            |          ^
          fix: write, for example, 'type: contains'
        suite.yaml:2:10: error: unknown scorer 'contians'
          2 | - {type: contians, value: a}
            |          ^
          fix: did you mean 'contains'?

        """
    )
  }
}
