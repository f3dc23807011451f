@testable import SluiceCore
@testable import SluiceReporting
import Testing

@Suite("The summary of a live run's requests")
struct SendingTextTests {
  private static func count(
    answers: Int,
    unanswered: Int = 0,
    unsent: Int = 0,
    again: [BackendError.Kind: Int] = [:],
    used: (inout Meter.Count) -> Void
  ) -> SendingTally.Count {
    var count = SendingTally.Count()
    (count.answers, count.unanswered, count.sentAgain) = (answers, unanswered, again)
    count.unsent = unsent
    used(&count.used)
    return count
  }

  private static let table: [(SendingTally.Count, String)] = [
    (
      count(answers: 500, again: [.serverError: 8, .rateLimited: 12]) {
        ($0.requests, $0.failures, $0.fallbacks) = (523, 23, 3)
        ($0.cost, $0.tokens) = (0.12, 210_340)
      },
      "523 requests for 500 answers: 20 sent again (12 rate-limited, 8 server-error), "
        + "3 repeated without streaming; $0.12; 210,340 tokens"
    ),
    (
      count(answers: 1) { ($0.requests, $0.cost, $0.tokens) = (1, 0.0003, 1) },
      "1 request for 1 answer; $0.0003; 1 token"
    ),
    (
      count(answers: 2, unanswered: 2_000) { ($0.requests, $0.unpriced) = (2, 2) },
      "2 requests for 2 answers: 2,000 without an answer; cost unknown"
    ),
    (
      count(answers: 3) { ($0.requests, $0.unpriced, $0.cost) = (3, 1, 1.5) },
      "3 requests for 3 answers; $1.50 and the unknown cost of 1 answer"
    ),
    (
      count(answers: 0, unanswered: 4, again: [.timedOut: 2, .noConnection: 2]) {
        ($0.requests, $0.failures) = (8, 8)
      },
      "8 requests for 0 answers: 4 sent again (2 no-connection, 2 timed-out), 4 without an answer"
    ),
    (
      count(answers: 3, unanswered: 1, unsent: 3) { ($0.requests, $0.failures) = (4, 1) },
      "4 requests for 3 answers: 1 without an answer, 3 not sent; $0.00"
    ),
    (count(answers: 0) { _ in }, "0 requests for 0 answers"),
    (
      count(answers: 1_234_567) { ($0.requests, $0.tokens) = (1_234_567, 999) },
      "1,234,567 requests for 1,234,567 answers; $0.00; 999 tokens"
    ),
  ]

  @Test(
    "The summary counts requests, resends with their reasons, and what was used up",
    arguments: table
  )
  func text(count: SendingTally.Count, text: String) {
    #expect(SendingText.text(count) == text)
  }
}
