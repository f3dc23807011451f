import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Flags scorer")
struct FlagsScorerTests {
  private let flags = ScoringFixture("- flags: {path: found}")

  private func measured(_ kind: String, flagged: Bool) -> JSONObject {
    [
      "positive": .bool(kind == "positive"), "clean": .bool(kind == "clean"),
      "flagged": .bool(flagged), "hit": .bool(kind == "positive" && flagged),
      "false-alarm": .bool(kind == "clean" && flagged),
    ]
  }

  @Test("An answer passes if it flags exactly the cases that it should")
  func table() throws {
    #expect(
      flags.score(#"{"found":["it"]}"#, expecting: ["flagged": true])
        == Score(
          .passed,
          explanation: #"flagged as expected: found is ["it"]"#,
          measurements: measured("positive", flagged: true)
        )
    )
    #expect(
      flags.score(#"{"found":[]}"#, expecting: ["flagged": false])
        == Score(
          .passed,
          explanation: "clean as expected: found is []",
          measurements: measured("clean", flagged: false)
        )
    )
    #expect(
      flags.score(#"{"found":["it"]}"#, expecting: ["flagged": false])
        == Score(
          .failed,
          explanation: #"expected nothing to be flagged, but found is ["it"]"#,
          measurements: measured("clean", flagged: true)
        )
    )
    #expect(
      flags.score(#"{"found":null}"#, expecting: ["flagged": true])
        == Score(
          .failed,
          explanation: "expected a flag, but found is null",
          measurements: measured("positive", flagged: false)
        )
    )
  }

  @Test(
    "An unusable answer is a false alarm on a clean case, and a miss on any other",
    arguments: ScoringUnusableAnswer.withoutFound
  )
  func unusable(_ unusable: ScoringUnusableAnswer) {
    #expect(
      flags.score(unusable.response, expecting: ["flagged": false])
        == Score(
          .failed,
          isUnusable: true,
          explanation: unusable.reason,
          measurements: measured("clean", flagged: true)
        )
    )
    #expect(
      flags.score(unusable.response, expecting: ["flagged": true])
        == Score(
          .failed,
          isUnusable: true,
          explanation: unusable.reason,
          measurements: measured("positive", flagged: false)
        )
    )
  }

  @Test(
    "With 'non-empty', the default, any value with content is a flag",
    arguments: [
      ("null", false), ("false", false), (#""""#, false), (#"" \n\t\u00A0""#, false),
      ("[]", false), ("{}", false), ("true", true), ("0", true), (#""no""#, true),
      ("[null]", true), (#"[""]"#, true), (#"{"a":null}"#, true),
    ]
  )
  func nonEmpty(_ value: String, _ isFlag: Bool) {
    for yaml in ["- flags: {path: found}", "- flags: {path: found, when: non-empty}"] {
      let score = ScoringFixture(yaml).score("{\"found\":\(value)}", expecting: ["flagged": true])
      #expect(score?.measurements["flagged"] == .bool(isFlag))
    }
  }

  @Test(
    "With 'true', quoted or not, only the Boolean value true is a flag",
    arguments: [
      ("true", true), ("false", false), ("null", false), ("1", false), (#""true""#, false),
      ("[true]", false),
    ]
  )
  func isTrue(_ value: String, _ isFlag: Bool) {
    for yaml in ["- flags: {path: found, when: true}", "- flags: {path: found, when: 'true'}"] {
      let score = ScoringFixture(yaml).score("{\"found\":\(value)}", expecting: ["flagged": true])
      #expect(score?.measurements["flagged"] == .bool(isFlag))
    }
  }

  @Test("The key of the expectation can be set")
  func expectedKey() {
    let fixture = ScoringFixture("- flags: {path: found, expected: rude}")
    #expect(fixture.scorers.first?.traits.expectedKeys == ["rude"])
    #expect(fixture.score(#"{"found":"x"}"#, expecting: ["rude": true])?.outcome == .passed)
    #expect(fixture.score(#"{"found":"x"}"#, expecting: ["rude": false])?.outcome == .failed)
  }

  @Test("An explanation is a single line, however long the flagged value is")
  func oneLine() {
    let long = String(repeating: "a\\n\u{2028}", count: 100)
    let score = flags.score("{\"found\":\"\(long)\"}", expecting: ["flagged": true])
    #expect(
      score?.explanation == #"flagged as expected: found is ""#
        + String(repeating: "a\\n\\u{2028}", count: 19) + "a\\n…"
    )
  }

  @Test("A lost trial keeps the values that depend only on the case")
  func given() throws {
    let scorer = try #require(flags.scorers.first).scorer
    func given(_ expected: JSONValue) -> JSONObject {
      scorer.given(TestCase(id: "a", input: [:], expected: expected))
    }
    #expect(
      given(["flagged": true]) == ["positive": true, "clean": false, "false-alarm": false]
    )
    #expect(given(["flagged": false]) == ["positive": false, "clean": true, "hit": false])
  }

  @Test("False positives are counted only on clean cases")
  func metrics() throws {
    #expect(
      try #require(flags.scorers.first).traits.metrics == [
        MetricDefinition(
          "false-positive-rate",
          .share(of: .init("false-alarm"), among: [.init("clean")]),
          prefersSmall: true
        ),
        MetricDefinition(
          "recall",
          .share(of: .init("hit"), among: [.init("positive")])
        ),
        MetricDefinition(
          "specificity",
          .share(of: .init("false-alarm", isNegated: true), among: [.init("clean")]),
          isDetail: true
        ),
        MetricDefinition(
          "balanced-accuracy",
          .balance(
            of: [.init("hit"), .init("false-alarm", isNegated: true)],
            among: [.init("positive"), .init("clean")]
          ),
          isDetail: true
        ),
        MetricDefinition(
          "precision",
          .share(of: .init("hit"), among: [.init("hit"), .init("false-alarm")])
        ),
        MetricDefinition(
          "f1",
          .ratio(of: [.init("hit", times: 2)], to: [.init("flagged"), .init("positive")])
        ),
      ]
    )
  }

  @Test("Every error in the arguments is reported")
  func arguments() {
    #expect(
      ScoringFixture("- flags: {pth: found, when: non-emty}").said == """
        suite.yaml:1:11: error: unknown key 'pth' in the scorer 'flags'
          1 | - flags: {pth: found, when: non-emty}
            |           ^
          fix: did you mean 'path'?
        suite.yaml:1:29: error: unknown rule 'non-emty' for 'when'
          1 | - flags: {pth: found, when: non-emty}
            |                             ^
          fix: did you mean 'non-empty'?

        """
    )
    #expect(
      ScoringFixture("- flags: {path: found, when: [a]}").said == """
        suite.yaml:1:30: error: 'when' must be a text, not a list
          1 | - flags: {path: found, when: [a]}
            |                              ^
          fix: known: non-empty, true

        """
    )
    #expect(
      ScoringFixture("- flags").said == """
        suite.yaml:1:3: error: the scorer 'flags' needs arguments
          1 | - flags
            |   ^
          fix: write 'flags: {…}'

        """
    )
    #expect(
      ScoringFixture("- flags: found").said == """
        suite.yaml:1:10: error: the scorer 'flags' must be a mapping, not a text
          1 | - flags: found
            |          ^

        """
    )
  }

  @Test("A case must state with true or false whether it should be flagged")
  func expectation() throws {
    #expect(try flags.complaints(about: "{flagged: false}") == "")
    #expect(
      try flags.complaints(about: "{flaged: false}") == """
        cases.yaml:1:7: error: the case 'a' has no 'expected.flagged', which the scorer 'flags' compares with
          1 | - id: a
            |       ^
          fix: did you mean 'flagged' instead of 'flaged'?

        """
    )
    #expect(
      try flags.complaints(about: "{flagged: null}") == """
        cases.yaml:1:7: error: the case 'a' has no 'expected.flagged', which the scorer 'flags' compares with
          1 | - id: a
            |       ^
          fix: add 'expected: {flagged: …}'

        """
    )
    #expect(
      try flags.complaints(about: "{flagged: no}") == """
        cases.yaml:3:23: error: 'expected.flagged' must be true or false, not a text
          3 |   expected: {flagged: no}
            |                       ^
          fix: write false

        """
    )
  }
}
