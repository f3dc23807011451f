import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

/// Reviews of pending answers with the results of suites.
@Suite("Reviews in a terminal")
struct TerminalReviewTests {
  private func entry(
    _ id: String,
    from old: String?,
    to new: String,
    repetition: Int = 1
  ) -> RecordingReview.Entry {
    let difference = old.map {
      ResponseDifference(from: ModelResponse(text: $0), to: ModelResponse(text: new))
    }
    return RecordingReview.Entry(
      testCase: id,
      prompt: "v1",
      repetition: repetition,
      comparison: difference.map { .replaces($0) } ?? .new,
      text: new
    )
  }

  private func judged(_ before: Trial.Outcome?, _ now: Trial.Outcome, _ reason: String = "")
    -> JudgedAnswer
  {
    JudgedAnswer(
      question: [CaseView.Field("", "Could you send it?")],
      expected: [CaseView.Field("kind", "request")],
      now: ShownAnswer.fixture("x", now, reason: reason).trial,
      before: before.map { ShownAnswer.fixture("x", $0).trial }
    )
  }

  private func text(
    _ entries: [(RecordingReview.Entry, JudgedAnswer)],
    limit: Int? = nil,
    columns: Int = 80
  ) -> String {
    TerminalReview(
      [
        RecordingReview(
          dataset: ProjectPath("datasets/triage/cases.yaml"),
          backend: "server",
          entries: entries.map(\.0)
        )
      ],
      judged: [entries.map(\.1)],
      limit: limit,
      style: TerminalStyle(isColored: false),
      columns: columns
    ).text
  }

  private var set: [(RecordingReview.Entry, JudgedAnswer)] {
    [
      (entry("same", from: "a", to: "a"), judged(.passed, .passed)),
      (entry("reworded", from: "a", to: "b"), judged(.passed, .passed)),
      (entry("fresh", from: nil, to: "c"), judged(nil, .failed, "expected request, got c")),
      (entry("better", from: "a", to: "b"), judged(.failed, .passed)),
      (entry("worse", from: "a", to: "b"), judged(.passed, .failed, "expected request, got b")),
      (entry("still", from: "a", to: "b"), judged(.failed, .failed, "expected request, got b")),
    ]
  }

  @Test("Changed verdicts come first, then changed answers, then new ones; equal ones are counted")
  func order() {
    #expect(
      text(set) == """
        6 PENDING  triage on server  1 new · 4 with another answer · 1 with the same answer
          3 of 6 pass · 1 newly failing · 1 newly passing

        ✓ → ✗ worse  v1  newly failing
          question  Could you send it?
          expected  kind: request
            - a
            + b
          scores    ✗ flags: expected request, got b

        ✗ → ✓ better  v1  newly passing
          question  Could you send it?
          expected  kind: request
            - a
            + b

        ✗ → ✗ still  v1
          question  Could you send it?
          expected  kind: request
            - a
            + b
          scores    ✗ flags: expected request, got b

        ✓ → ✓ reworded  v1
          question  Could you send it?
          expected  kind: request
            - a
            + b

        ✗ fresh  v1  (new)
          question  Could you send it?
          expected  kind: request
            + c
          scores    ✗ flags: expected request, got c

        """
    )
  }

  @Test("A large set is cut, with the option that shows all of it")
  func limit() {
    let shown = text(set, limit: 2)
    #expect(shown.contains("worse"))
    #expect(shown.contains("better"))
    #expect(!shown.contains("reworded"))
    #expect(shown.hasSuffix("\n\nand 3 more: --limit 0 shows all\n"))
  }

  @Test("In 120 columns, a question takes fewer lines")
  func wide() {
    let long = String(repeating: "Could you send it? ", count: 5)
    var judged = judged(.passed, .failed, "no")
    judged.question = [CaseView.Field("", long)]
    let entries = [(entry("worse", from: "a", to: "b"), judged)]
    #expect(
      text(entries).contains(
        """
          question  Could you send it? Could you send it? Could you send it? Could you
                    send it? Could you send it?

        """
      )
    )
    #expect(
      text(entries, columns: 120).contains(
        """
          question  Could you send it? Could you send it? Could you send it? Could you send it? Could you send it?

        """
      )
    )
  }

  @Test("A pending answer that no suite requests any more is shown but not judged")
  func stale() {
    let judged = JudgedAnswer(question: [CaseView.Field("", "Where is it?")])
    #expect(
      text([(entry("where", from: nil, to: "x"), judged)]) == """
        1 PENDING  triage on server  1 new

        where  v1  (new)  not judged: no suite uses this request now
          question  Where is it?
            + x

        """
    )
  }
}
