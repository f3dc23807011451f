@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Retry delay")
struct RetryDelayTests {
  /// 2026-11-21T12:00:19Z, a Saturday.
  private static let now = Timestamp(seconds: 1_795_262_419)

  private func delay(_ headers: [String: String], _ body: String = "null") throws -> Duration? {
    let json = try JSONReader.value(body)
    return RetryDelay.read(
      headers: headers.map { HTTPHeader($0.key, $0.value) },
      fault: json == .null ? nil : ServerFault.Fault(json),
      now: Self.now
    )
  }

  @Test(
    "A wait in a header is read in every form",
    arguments: [
      (["retry-after": "2"], 2_000), (["retry-after": " 1.5 "], 1_500), (["retry-after": "0"], 0),
      (["retry-after": "Sat, 21 Nov 2026 12:00:49 GMT"], 30_000),
      (["retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"], 0),
      (["retry-after": "2026-11-21T12:01:19Z"], 60_000),
      (["retry-after-ms": "250"], 250),
      // Azure sends 0 milliseconds but means the seconds.
      (["retry-after-ms": "0", "retry-after": "1"], 1_000),
      (["retry-after-ms": "2500", "retry-after": "2"], 2_500),
      (["retry-after-ms": "nan", "retry-after": "3"], 3_000),
      (["retry-after-ms": "-1", "retry-after": "3"], 3_000),
      (["retry-after": "1e300"], 10_000_000_000),
    ]
  )
  func headers(headers: [String: String], milliseconds: Int) throws {
    #expect(try delay(headers) == .milliseconds(milliseconds))
  }

  @Test(
    "An invalid wait is ignored",
    arguments: [
      "", "soon", "-1", "nan", "inf", "-inf", "1 2", "Sat, 31 Feb 2026 12:00:00 GMT", "1,5",
    ]
  )
  func noWait(value: String) throws {
    #expect(try delay(["retry-after": value]) == nil)
    #expect(try delay(["retry-after-ms": value]) == nil)
  }

  @Test(
    "If a rate limit is used up, the wait lasts until it resets",
    arguments: [
      (["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1.582s"], 1_582),
      (["x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"], 360_000),
      (["x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "120ms"], 120),
      (["x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1h2m3s"], 3_723_000),
      (["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "7"], 7_000),
      (
        [
          "anthropic-ratelimit-requests-remaining": "0",
          "anthropic-ratelimit-requests-reset": "2026-11-21T12:00:29Z",
        ], 10_000
      ),
      (
        [
          "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2s",
          "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "5s",
        ], 5_000
      ),
      // An explicit wait has priority.
      (
        [
          "retry-after": "1", "x-ratelimit-remaining-requests": "0",
          "x-ratelimit-reset-requests": "2s",
        ], 1_000
      ),
    ]
  )
  func limits(headers: [String: String], milliseconds: Int) throws {
    #expect(try delay(headers) == .milliseconds(milliseconds))
  }

  @Test("A rate limit that is not used up requires no wait")
  func unusedLimit() throws {
    #expect(
      try delay([
        "x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "2s",
        "x-ratelimit-remaining-tokens": "", "x-ratelimit-reset-tokens": "2s",
      ]) == nil
    )
    #expect(try delay(["x-ratelimit-remaining-requests": "0"]) == nil)
  }

  @Test(
    "A wait in the body is read",
    arguments: [
      (#"[{"error":{"code":429,"details":[{"x":1},{"retryDelay":"48s"}]}}]"#, 48_000),
      (#"{"error":{"details":[{"retryDelay":"1.25s"}]}}"#, 1_250),
      (#"{"error":{"metadata":{"headers":{"Retry-After":"9"}}}}"#, 9_000),
      (#"{"error":{"message":"Limit reached. Please try again in 1.2s. Visit us."}}"#, 1_200),
      (#"{"error":{"message":"Please try again in 6m0s."}}"#, 360_000),
      (#"{"error":{"message":"Please Retry After 48 seconds."}}"#, 48_000),
      (#"{"error":{"message":"Please retry in 2 minutes"}}"#, 120_000),
    ]
  )
  func bodies(body: String, milliseconds: Int) throws {
    #expect(try delay([:], body) == .milliseconds(milliseconds))
  }

  @Test(
    "A message without a time requires no wait",
    arguments: [
      #"{"error":{"message":"Please try again in a moment."}}"#,
      #"{"error":{"message":"try again in "}}"#, #"{"error":{"message":"retry after 5 apples"}}"#,
      #"{"error":{"details":[{"retryDelay":"soon"}]}}"#, #"{"error":{"details":7}}"#, "{}", "[]",
    ]
  )
  func noWords(body: String) throws {
    #expect(try delay([:], body) == nil)
  }

  @Test(
    "A time span is a list of numbers with units",
    arguments: [
      ("1.582s", 1.582), ("120ms", 0.12), ("6m0s", 360), ("1h2m", 3_720), ("1d", 86_400),
      ("", nil), ("5", nil), ("s", nil), ("1.2.3s", nil), ("1y", nil), ("-1s", nil), ("1 s", nil),
    ] as [(String, Double?)]
  )
  func spans(text: String, seconds: Double?) {
    #expect(RetryDelay.seconds(ofSpan: text) == seconds)
  }
}
