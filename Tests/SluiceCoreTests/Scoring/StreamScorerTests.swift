import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Stream scorer")
struct StreamScorerTests {
  private func response(
    firstText: Double? = 300,
    longestGap: Double? = 80,
    total: Double? = 1_500
  ) -> ModelResponse {
    ModelResponse(
      text: "yes",
      timings: ResponseTimings(firstText: firstText, longestGap: longestGap, total: total)
    )
  }

  private func score(_ arguments: String, _ response: ModelResponse) throws -> Score {
    let fixture = ScoringFixture("- stream: \(arguments)")
    #expect(fixture.said == "")
    return try #require(fixture.score(response))
  }

  @Test("Times that a file of outputs states are compared; without them, the time is unknown")
  func givenTimes() throws {
    func given(_ edit: (inout Provenance) -> Void) throws -> Score {
      var response = response()
      response.provenance.via = .files
      edit(&response.provenance)
      return try score("{first-text: 300}", response)
    }
    #expect(try given { $0.statesTimes = true }.outcome == .passed)
    #expect(
      try given { _ in }.explanation
        == "the time of the answer is unknown: the answer came through files"
    )
    let meaningless = try given { ($0.statesTimes, $0.hasMeaninglessTimes) = (true, true) }
    #expect(
      meaningless.explanation
        == "the time of the answer is unknown: the times of its backend are meaningless"
    )
    let standIn = try given { ($0.statesTimes, $0.standIn) = (true, "rules") }
    #expect(standIn.outcome == .passed)
  }

  private static let all: JSONObject = [
    "first-text-ms": 300, "longest-gap-ms": 80, "total-ms": 1_500,
  ]

  @Test(
    "An answer within all limits passes",
    arguments: [
      ("{first-text: 300}", "the first text arrived after 300 ms"),
      ("{first-text: 0.3 s}", "the first text arrived after 300 ms"),
      ("{gap: 80 ms}", "the longest gap was 80 ms"), ("{gap: 80ms}", "the longest gap was 80 ms"),
      (
        "{total: 2s, first-text: 500 ms}",
        "the first text arrived after 300 ms; the whole answer arrived after 1500 ms"
      ),
    ]
  )
  func passed(arguments: String, explanation: String) throws {
    #expect(
      try score(arguments, response())
        == Score(.passed, explanation: explanation, measurements: Self.all)
    )
  }

  @Test(
    "An answer that exceeds a limit fails, and each exceeded limit is named",
    arguments: [
      ("{first-text: 299.9}", "the first text arrived after 300 ms, over 299.9 ms"),
      (
        "{first-text: 1 s, gap: 50 ms, total: 1 s}",
        "the longest gap was 80 ms, over 50 ms; the whole answer arrived after 1500 ms, over 1000 "
          + "ms"
      ),
    ]
  )
  func failed(arguments: String, explanation: String) throws {
    #expect(
      try score(arguments, response())
        == Score(.failed, explanation: explanation, measurements: Self.all)
    )
  }

  @Test("A text in a single piece has a gap of 0")
  func onePiece() throws {
    #expect(
      try score("{gap: 1 ms}", response(longestGap: nil))
        == Score(
          .passed,
          explanation: "the longest gap was 0 ms",
          measurements: ["first-text-ms": 300, "total-ms": 1_500]
        )
    )
  }

  @Test("An answer that was not streamed is unscored")
  func unstreamed() throws {
    #expect(
      try score("{total: 2 s}", response(firstText: nil, longestGap: nil))
        == Score(
          .unscored,
          explanation: "the answer was not streamed; set 'stream: true' for its backend",
          measurements: ["total-ms": 1_500]
        )
    )
    #expect(
      try score("{total: 2 s}", response(total: nil))
        == Score(
          .unscored,
          explanation: "the time of the answer was not measured",
          measurements: ["first-text-ms": 300, "longest-gap-ms": 80]
        )
    )
  }

  @Test("An answer after a fallback fails, however fast it was")
  func fallback() throws {
    var response = response(firstText: nil, longestGap: nil, total: 2)
    response.fallback = StreamFallback(reason: .brokenAnswer, milliseconds: 12.5)
    #expect(
      try score("{total: 2 s}", response)
        == Score(
          .failed,
          explanation: "the stream was abandoned after 12.5 ms (broken-answer), and the whole "
            + "answer was requested instead",
          measurements: ["total-ms": 2]
        )
    )
  }

  @Test("An unusable answer fails", arguments: ScoringUnusableAnswer.always)
  func unusable(_ unusable: ScoringUnusableAnswer) throws {
    #expect(
      try score("{total: 2 s}", unusable.response)
        == Score(.failed, isUnusable: true, explanation: unusable.reason)
    )
  }

  @Test(
    "A limit must be a time above zero",
    arguments: ["0", "-1", "0 ms", "1 m", "ms", "1..5 s", "soon", "true", "[]", "1e3 ms", "5 sec"]
  )
  func noTime(value: String) {
    #expect(
      ScoringFixture("- stream: {gap: \(value)}").said == """
        suite.yaml:1:17: error: 'gap' must be a time of more than 0
          1 | - stream: {gap: \(value)}
            |                 ^
          fix: write, for example, 'gap: 500 ms' or 'gap: 2 s'

        """
    )
  }

  @Test("At least one of three limits is required")
  func limits() {
    #expect(
      ScoringFixture("- stream: {}\n- stream\n- stream: {gaps: 3}").said == """
        suite.yaml:1:11: error: the scorer 'stream' needs a limit
          1 | - stream: {}
            |           ^
          fix: write, for example, 'stream: {first-text: 500 ms, gap: 100 ms, total: 2 s}'
        suite.yaml:2:3: error: the scorer 'stream' needs arguments
          2 | - stream
            |   ^
          fix: write 'stream: {…}'
        suite.yaml:3:12: error: unknown key 'gaps' in the scorer 'stream'
          3 | - stream: {gaps: 3}
            |            ^
          fix: did you mean 'gap'?

        """
    )
  }
}
