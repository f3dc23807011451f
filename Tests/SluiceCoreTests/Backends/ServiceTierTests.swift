import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Service tiers")
struct ServiceTierTests {
  private static func body(_ tier: String) -> String {
    #"{"model":"m","service_tier":\#(tier),"choices":[{"message":{"content":"yes"},"#
      + #""finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#
  }

  private static func stream(_ tier: String) -> String {
    """
    data: {"model":"m","service_tier":\(tier),"choices":[{"delta":{"content":"yes"}}]}

    data: {"service_tier":\(tier),"choices":[{"delta":{},"finish_reason":"stop"}]}

    data: [DONE]


    """
  }

  private func exchange(_ body: String) -> Exchange {
    Exchange(
      request: .fixture(),
      headers: [],
      body: Array(body.utf8),
      timings: ResponseTimings(),
      host: "https://models.test",
      date: RecordingProject.date
    )
  }

  private func tier(_ body: String) throws -> String? {
    try ResponseReader.response(in: exchange(body)).serviceTier
  }

  static let tiers: [(String, String?)] = [
    (#""priority""#, "priority"), (#""flex""#, "flex"), (#""batch""#, "batch"),
    (#""Ultra-Fast""#, "Ultra-Fast"), (#""default""#, nil), (#""auto""#, nil),
    (#""standard""#, nil), (#""on_demand""#, nil), (#""DEFAULT""#, nil), (#""""#, nil),
    ("null", nil), ("7", nil), ("{}", nil),
  ]

  @Test(
    "An answer names its tier unless it is the standard tier, whole and streamed",
    arguments: tiers
  )
  func words(word: String, tier expected: String?) throws {
    #expect(try tier(Self.body(word)) == expected)
    #expect(try tier(Self.stream(word)) == expected)
  }

  @Test(
    "A completion of the standard tier is read by the fast path",
    arguments: [#""default""#, #""auto""#, #""standard""#, #""on_demand""#, "null", "7"]
  )
  func quick(word: String) {
    let text = Array(Self.body(word).utf8).withUnsafeBufferPointer { body in
      PlainCompletion.read(body, \.text)
    }
    #expect(text == "yes")
  }

  @Test("A completion of another tier is read by the slow path")
  func whole() {
    let text = Array(Self.body(#""priority""#).utf8).withUnsafeBufferPointer { body in
      PlainCompletion.read(body, \.text)
    }
    #expect(text == nil)
  }

  static let geminiTiers: [(String, String?)] = [
    (#"{"serviceTier":"flex"}"#, "flex"), (#"{"serviceTier":"standard"}"#, nil),
    (#"{"serviceTier":"unspecified"}"#, nil), (#"{"trafficType":"ON_DEMAND"}"#, nil),
    (#"{"trafficType":"ON_DEMAND_PRIORITY"}"#, "priority"),
    (#"{"trafficType":"PROVISIONED_THROUGHPUT"}"#, "provisioned_throughput"), ("{}", nil),
  ]

  @Test(
    "Gemini's tier is read from the usage, and Vertex's from the traffic type",
    arguments: geminiTiers
  )
  func gemini(usage: String, tier: String?) throws {
    let body =
      #"{"candidates":[{"content":{"parts":[{"text":"yes"}]},"finishReason":"STOP"}],"#
      + #""usageMetadata":\#(usage)}"#
    let response = exchange(body).response
    #expect(try AnswerReader.read(response, .generateContent).serviceTier == tier)
  }
}
