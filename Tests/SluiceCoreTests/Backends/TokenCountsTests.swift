@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Token counts")
struct TokenCountsTests {
  @Test(
    "Token counts are normalized across servers' names and ways of counting",
    arguments: [
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}"#,
        TokenUsage(input: 9, output: 4)
      ),
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":2}}"#,
        TokenUsage(input: 9, cachedInput: 3, output: 4, reasoning: 2)
      ),
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":null}}"#,
        TokenUsage(input: 9, output: 4)
      ),
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"prompt_cache_hit_tokens":3,"prompt_cache_miss_tokens":6}"#,
        TokenUsage(input: 9, cachedInput: 3, output: 4)
      ),
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"cached_tokens":3}"#,
        TokenUsage(input: 9, cachedInput: 3, output: 4)
      ),
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"num_cached_tokens":3}"#,
        TokenUsage(input: 9, cachedInput: 3, output: 4)
      ),
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3,"cache_write_tokens":2}}"#,
        TokenUsage(input: 9, cachedInput: 3, output: 4, cacheWrite: 2)
      ),
      (
        #"{"input_tokens":9,"output_tokens":4,"cache_read_input_tokens":3,"cache_creation_input_tokens":2}"#,
        TokenUsage(input: 14, cachedInput: 3, output: 4, cacheWrite: 2)
      ),
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cache_write_tokens":3,"cache_write_tokens_details":{"ttl_30m_tokens":1,"ttl_12h_tokens":2}}}"#,
        TokenUsage(input: 9, output: 4, cacheWrite: 3, longCacheWrite: 2)
      ),
      (
        #"{"input_tokens":9,"output_tokens":4,"cache_creation_input_tokens":3,"cache_creation":{"ephemeral_5m_input_tokens":1,"ephemeral_1h_input_tokens":2}}"#,
        TokenUsage(input: 12, output: 4, cacheWrite: 3, longCacheWrite: 2)
      ),
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"cache_creation":{"ephemeral_1h_input_tokens":2}}"#,
        TokenUsage(input: 9, output: 4, longCacheWrite: 2)
      ),
      // xAI does not count reasoning as part of the completion.
      (
        #"{"prompt_tokens":68,"completion_tokens":5,"total_tokens":405,"completion_tokens_details":{"reasoning_tokens":332}}"#,
        TokenUsage(input: 68, output: 337, reasoning: 332)
      ),
      ("{}", TokenUsage()), (#"{"prompt_tokens":null,"completion_tokens":null}"#, TokenUsage()),
    ]
  )
  func meaning(json: String, usage: TokenUsage) throws {
    #expect(UsageReading(try JSONReader.value(json)).usage == usage)
  }

  /// Usage that contradicts the rules of its API, with the input and the output that the total
  /// proves, or else the reason why the cost is unknown.
  private static let impossible: [(ModelAPI, String, Int?, Int?, UsageDoubt?)] = [
    // Cached tokens beside the prompt, alone, with reasoning, and with written ones.
    (
      chat, #"{"prompt_tokens":3,"completion_tokens":4,"total_tokens":12,"cached_tokens":5}"#, 8, 4,
      nil
    ),
    (
      chat,
      #"{"prompt_tokens":3,"completion_tokens":4,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":5}}"#,
      8, 4, nil
    ),
    (
      chat,
      #"{"prompt_tokens":3,"completion_tokens":4,"total_tokens":21,"prompt_tokens_details":{"cached_tokens":5},"completion_tokens_details":{"reasoning_tokens":9}}"#,
      8, 13, nil
    ),
    (
      chat,
      #"{"prompt_tokens":3,"completion_tokens":4,"total_tokens":14,"prompt_tokens_details":{"cached_tokens":5,"cache_write_tokens":2}}"#,
      10, 4, nil
    ),
    (
      chat,
      #"{"prompt_tokens":30,"completion_tokens":4,"total_tokens":114,"cache_read_input_tokens":80}"#,
      110, 4, nil
    ),
    (
      .responses,
      #"{"input_tokens":3,"output_tokens":4,"total_tokens":12,"input_tokens_details":{"cached_tokens":5}}"#,
      8, 4, nil
    ),
    (
      .responses,
      #"{"input_tokens":3,"output_tokens":4,"total_tokens":16,"output_tokens_details":{"reasoning_tokens":9}}"#,
      3, 13, nil
    ),
    (
      .generateContent,
      #"{"promptTokenCount":3,"candidatesTokenCount":4,"totalTokenCount":12,"cachedContentTokenCount":5}"#,
      8, 4, nil
    ),
    // Thoughts that the candidates include.
    (
      .generateContent,
      #"{"promptTokenCount":3,"candidatesTokenCount":9,"totalTokenCount":12,"thoughtsTokenCount":5}"#,
      3, 9, nil
    ),
    // Without a total, or with another one, nothing is proven.
    (chat, #"{"prompt_tokens":3,"completion_tokens":4,"cached_tokens":5}"#, 3, 4, .contradiction),
    (
      chat, #"{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7,"cached_tokens":5}"#, 3, 4,
      .contradiction
    ),
    (chat, #"{"prompt_tokens":9,"completion_tokens":4,"total_tokens":300}"#, 9, 4, .total),
    (chat, #"{"prompt_tokens":9,"completion_tokens":4,"total_tokens":12}"#, 9, 4, .total),
    (
      chat, #"{"prompt_tokens":9,"completion_tokens":4,"reasoning_tokens":5}"#, 9, 4,
      .contradiction
    ),
    (
      chat,
      #"{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":5,"cache_write_tokens":5}}"#,
      9, 4, .contradiction
    ),
    (
      .responses,
      #"{"input_tokens":3,"output_tokens":4,"input_tokens_details":{"cached_tokens":5}}"#,
      3, 4, .contradiction
    ),
    (
      .responses, #"{"input_tokens":3,"output_tokens":4,"total_tokens":9}"#, 3, 4, .total
    ),
    (
      .generateContent, #"{"promptTokenCount":3,"candidatesTokenCount":4,"totalTokenCount":9}"#, 3,
      4, .total
    ),
    (
      messages,
      #"{"input_tokens":3,"output_tokens":4,"output_tokens_details":{"thinking_tokens":5}}"#, 3, 4,
      .contradiction
    ),
    (
      messages,
      #"{"input_tokens":3,"output_tokens":4,"cache_creation_input_tokens":1,"cache_creation":{"ephemeral_1h_input_tokens":2}}"#,
      4, 4, .contradiction
    ),
    (
      messages,
      #"{"input_tokens":3,"output_tokens":4,"cache_creation_input_tokens":50,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":10}}"#,
      53, 4, .contradiction
    ),
    (
      messages,
      #"{"input_tokens":3,"output_tokens":4,"cache_creation_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":6}}"#,
      8, 4, .contradiction
    ),
    (
      messages,
      #"{"input_tokens":3,"output_tokens":4,"cache_creation_input_tokens":20,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":10}}"#,
      23, 4, nil
    ),
    // Two readings: the cached tokens are beside the prompt, or the reasoning beside the output.
    (
      chat,
      #"{"prompt_tokens":9,"completion_tokens":8,"total_tokens":22,"cached_tokens":5,"reasoning_tokens":5}"#,
      9, 8, .ambiguous
    ),
    // Counts that are not whole numbers.
    (
      chat, #"{"prompt_tokens":-1,"completion_tokens":1.5,"cached_tokens":1e300}"#, nil, nil,
      .invalid
    ),
    (chat, #"{"prompt_tokens":"9","completion_tokens":4}"#, nil, 4, .invalid),
    (chat, #"{"prompt_tokens":9,"completion_tokens":4,"cached_tokens":"3"}"#, 9, 4, .invalid),
    (chat, #"{"prompt_tokens":9,"completion_tokens":4,"cached_tokens":-3}"#, 9, 4, .invalid),
    (chat, #"{"prompt_tokens":9,"completion_tokens":4,"cached_tokens":1.5}"#, 9, 4, .invalid),
    (chat, #"{"prompt_tokens":9,"completion_tokens":4,"total_tokens":1e17}"#, 9, 4, .invalid),
    (
      chat,
      #"{"prompt_tokens":9,"completion_tokens":4,"completion_tokens_details":{"reasoning_tokens":[]}}"#,
      9, 4, .invalid
    ),
    (
      messages, #"{"input_tokens":3,"output_tokens":4,"cache_read_input_tokens":"80"}"#, 3, 4,
      .invalid
    ),
    (
      messages, #"{"input_tokens":3,"output_tokens":4,"cache_read_input_tokens":-80}"#, 3, 4,
      .invalid
    ),
    (.responses, #"{"input_tokens":3,"output_tokens":true}"#, 3, nil, .invalid),
    (
      .generateContent,
      #"{"promptTokenCount":3,"candidatesTokenCount":4,"thoughtsTokenCount":0.5}"#, 3, 4, .invalid
    ),
    // Anthropic's iterations: its own messages are in the counts; nothing else is.
    (messages, #"{"input_tokens":3,"output_tokens":4,"iterations":null}"#, 3, 4, nil),
    (messages, #"{"input_tokens":3,"output_tokens":4,"iterations":[]}"#, 3, 4, nil),
    (
      messages,
      #"{"input_tokens":5,"output_tokens":4,"cache_read_input_tokens":7,"iterations":[{"type":"message","input_tokens":2,"output_tokens":1,"cache_read_input_tokens":7},{"type":"message","input_tokens":3,"output_tokens":3}]}"#,
      12, 4, nil
    ),
    (
      messages,
      #"{"input_tokens":23,"output_tokens":1,"iterations":[{"type":"compaction","input_tokens":180,"output_tokens":3},{"type":"message","input_tokens":23,"output_tokens":1}]}"#,
      23, 1, .iterations
    ),
    (
      messages,
      #"{"input_tokens":3,"output_tokens":4,"iterations":[{"type":"message","input_tokens":2,"output_tokens":4}]}"#,
      3, 4, .iterations
    ),
    (
      messages,
      #"{"input_tokens":3,"output_tokens":4,"iterations":[{"type":"message","input_tokens":3,"output_tokens":4},{"type":"advisor_message","model":"m-2","input_tokens":9,"output_tokens":9}]}"#,
      3, 4, .iterations
    ),
    (messages, #"{"input_tokens":3,"output_tokens":4,"iterations":2}"#, 3, 4, .iterations),
  ]
  private static let chat = ModelAPI.chatCompletions
  private static let messages = ModelAPI.messages(.init())

  @Test(
    "Counts that contradict each other are read by the total if it proves one reading; otherwise the cost is unknown",
    arguments: impossible
  )
  func impossibleUsage(
    api: ModelAPI,
    usage: String,
    input: Int?,
    output: Int?,
    doubt: UsageDoubt?
  ) throws {
    let prices = PriceList(prices: ["m": PriceList.Price(input: 2, output: 10, cachedInput: 0.5)])
    for body in VendorBody.all(api, usage: usage) {
      let response = try VendorAnswerTests.read(body, api)
      #expect(response.usage?.input == input, "\(body)")
      #expect(response.usage?.output == output, "\(body)")
      let lack = prices.pricing(of: response, asking: "m").lack
      #expect(lack == doubt.map(PriceList.Lack.doubt), "\(body)")
      #expect(response.usage.map { TokenUsage(json: .object($0.json)) } == response.usage)
    }
  }

  @Test(
    "The cost that a server reports is read in US dollars",
    arguments: [
      (#"{"cost":0.25}"#, 0.25), (#"{"cost":{"total_cost":0.5}}"#, 0.5),
      (#"{"cost_in_usd_ticks":5000000000}"#, 0.5), (#"{"cost":0}"#, 0), ("{}", nil),
      (#"{"cost":-1}"#, nil), (#"{"cost":"1"}"#, nil), (#"{"cost":null}"#, nil),
      (#"{"cost_in_usd_ticks":-1}"#, nil), (#"{"cost":0,"is_byok":false}"#, 0),
      (#"{"cost":0,"is_byok":true}"#, nil),
      (#"{"cost":0,"is_byok":true,"cost_details":{"upstream_inference_cost":null}}"#, nil),
      (#"{"cost":0,"is_byok":true,"cost_details":{"upstream_inference_cost":0.25}}"#, 0.25),
      (#"{"cost":0.5,"is_byok":true,"cost_details":{"upstream_inference_cost":0.25}}"#, 0.75),
      (#"{"cost":0.5,"is_byok":false,"cost_details":{"upstream_inference_cost":0.25}}"#, 0.5),
    ] as [(String, Double?)]
  )
  func cost(json: String, cost: Double?) throws {
    #expect(TokenCounts.reportedCost(try JSONReader.value(json)) == cost)
  }

  @Test("The fast path gives the same counts as the slow path, or declines")
  func alike() throws {
    var random = SeededGenerator(seed: 5)
    let values = [
      "0", "3", "17", "405", "null", "-1", "1.5", "\"3\"", "{}", "[]", "9007199254740993",
    ]
    func pick(_ options: [String]) -> String { options[random.uniform(below: options.count)] }
    let names = [
      "prompt_tokens", "completion_tokens", "total_tokens", "prompt_cache_hit_tokens",
      "cached_tokens", "num_cached_tokens", "reasoning_tokens", "input_tokens", "output_tokens",
      "cost", "other",
      "cache_read_input_tokens", "cache_creation_input_tokens", "cost_in_usd_ticks", "total_time",
    ]
    let details = ["reasoning_tokens", "cached_tokens", "cache_write_tokens", "audio_tokens"]
    var quick = 0
    for _ in 0..<20_000 {
      var members = names.filter { _ in random.uniform(below: 4) == 0 }
        .map { "\"\($0)\":\(pick(values))" }
      for name in ["prompt_tokens_details", "completion_tokens_details", "input_tokens_details"] {
        switch random.uniform(below: 4) {
        case 0: members.append("\"\(name)\":\(pick(values))")
        case 1:
          let inner = details.filter { _ in random.uniform(below: 2) == 0 }
            .map { "\"\($0)\":\(pick(values))" }
          members.append("\"\(name)\":{\(inner.joined(separator: ","))}")
        default: break
        }
      }
      random.shuffle(&members)
      let json = "{\(members.joined(separator: ","))}"
      let counts = try JSONReader.read(Array(json.utf8)) { reader throws(JSONSyntaxError) in
        try TokenCounts(&reader)
      }
      if counts.isUnusual { continue }
      quick += 1
      #expect(counts.usage == UsageReading(try JSONReader.value(json)).usage, "\(json)")
      #expect(TokenCounts.reportedCost(try JSONReader.value(json)) == nil)
    }
    #expect(quick > 500)
  }
}
