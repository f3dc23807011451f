import Foundation
import SampleProjects
@testable import SluiceCore
import Testing

@Suite("Pairwise scorer")
struct PairwiseScorerTests {
  private static let yaml = "llm-compare: {backend: judge, prompt: judge.yaml, with: reply}"
  private static let prompt = "messages:\n  - user: '{{message}}\n\n{{first}}\n\n{{second}}'\n"

  private func fixture() throws -> JudgeScoringFixture {
    try JudgeScoringFixture(Self.yaml, prompt: Self.prompt)
  }

  private func better(_ word: String) -> String { #"{"better": "\#(word)", "reason": "why"}"# }

  @Test("The judge compares in both orders, with each text between its own tags")
  func questions() throws {
    let asked = try fixture().asked(ModelResponse(text: "There."))
    let texts = asked.map { text in
      text.matches(of: /<(first|second)-[0-9a-f]{16}>\n(.*)\n<\/(first|second)-[0-9a-f]{16}>/)
        .map { "\($0.1): \($0.2)" }
    }
    #expect(texts == [["first: There.", "second: Here."], ["first: Here.", "second: There."]])
    let requests = try fixture().scorer.requestsPerAnswer
    #expect(requests == asked.count)
  }

  @Test("A text cannot close its tags", arguments: RubricScorerTests.injections)
  func injection(text: String) throws {
    for asked in try fixture().asked(ModelResponse(text: text)) {
      let tags = asked.matches(of: /\n<((?:first|second)-[0-9a-f]{16})>\n/).map { String($0.1) }
      #expect(tags.count == 2)
      for tag in tags {
        #expect(!text.contains(tag))
        #expect(asked.components(separatedBy: "\n</\(tag)>").count == 2)
      }
    }
  }

  @Test(
    "A preference counts only if both orders agree; otherwise it is a tie",
    arguments: [
      ("first", "second", Score.Outcome.passed, ["win"], "better than THAT, in both orders: why"),
      (
        "second", "first", .failed, ["loss"],
        "expected an answer no worse than THAT, but it is worse in both orders: why"
      ),
      ("tie", "tie", .passed, ["tie"], "a tie with THAT: why"),
      (
        "first", "first", .passed, ["tie", "position-flip"],
        "a tie with THAT: the verdict depends on the order: why"
      ),
      (
        "second", "second", .passed, ["tie", "position-flip"],
        "a tie with THAT: the verdict depends on the order: why"
      ),
      (
        "first", "tie", .passed, ["tie", "position-flip"],
        "a tie with THAT: the verdict depends on the order: why"
      ),
      (
        "tie", "first", .passed, ["tie", "position-flip"],
        "a tie with THAT: the verdict depends on the order: why"
      ),
    ]
  )
  func verdicts(
    ahead: String,
    behind: String,
    outcome: Score.Outcome,
    holding: [String],
    explanation: String
  ) throws {
    let score = try fixture().score([better(ahead), better(behind)])
    #expect(score.outcome == outcome)
    #expect(
      score.explanation
        == explanation.replacing("THAT", with: "the text under 'expected.reply'")
    )
    #expect(
      score.measurements.members.filter { $0.value == true }.map(\.name) == holding
    )
    #expect(
      score.measurements.members.map(\.name) == ["win", "loss", "tie", "position-flip", "unscored"]
    )
  }

  @Test(
    "An invalid verdict in either order leaves the answer unscored",
    arguments: [
      (
        #"{"better": "answer"}"#,
        #"needs 'better' to be one of 'first', 'second', 'tie', not "answer""#
      ),
      (
        #"{"better": "First"}"#,
        #"needs 'better' to be one of 'first', 'second', 'tie', not "First""#
      ),
      (#"{"better": 1}"#, "needs 'better' to be one of 'first', 'second', 'tie', not 1"),
      (
        #"{"winner": "first"}"#,
        #"has the unknown member "winner", got "{"winner": "first"}""#
      ),
      ("first", #"is not one JSON object: expected a JSON value, got "first""#),
      (
        #"{"better": "tie", "better": "first"}"#,
        #"repeats the member "better", got "{"better": "tie", "better": "first"}""#
      ),
    ]
  )
  func strictness(reply: String, reason: String) throws {
    let expected = Score(
      .unscored,
      explanation: "the judge's reply \(reason)",
      measurements: ["unscored": true]
    )
    #expect(try fixture().score([reply, better("second")]) == expected)
    #expect(try fixture().score([better("first"), reply]) == expected)
  }

  @Test("The metrics are the rates of wins, losses, ties, flips and unscored answers")
  func metrics() {
    let fixture = JudgeScoringFixture.fixture(Self.yaml, prompt: Self.prompt)
    #expect(
      MetricCatalog(scorers: fixture.scorers, tags: []).names.dropFirst(5) == [
        "win-rate", "loss-rate", "tie-rate", "position-flip-rate", "unscored-rate",
        "llm-compare.pass-rate",
      ]
    )
  }

  @Test(
    "An unusable answer fails without a question to the judge",
    arguments: ScoringUnusableAnswer.always
  )
  func unusable(answer: ScoringUnusableAnswer) throws {
    #expect(try fixture().asked(answer.response) == [])
    #expect(
      try fixture().score([], to: answer.response)
        == Score(.failed, isUnusable: true, explanation: answer.reason)
    )
  }

  @Test("A prompt that does not show both texts is refused")
  func wrongPrompt() {
    #expect(
      JudgeScoringFixture.fixture(Self.yaml).saidWithoutLines == """
        suite.yaml:1:41: error: the judge's prompt judge.yaml has no '{{first}}', so the judge would not see that text
          fix: write {{first}} where the text belongs
        suite.yaml:1:41: error: the judge's prompt judge.yaml has no '{{second}}', so the judge would not see that text
          fix: write {{second}} where the text belongs

        """
    )
  }
}
