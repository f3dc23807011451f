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
      // A total with other tokens, such as audio, changes nothing.
      (
        #"{"prompt_tokens":9,"completion_tokens":4,"total_tokens":300}"#,
        TokenUsage(input: 9, output: 4)
      ),
      ("{}", TokenUsage()),
      (
        #"{"prompt_tokens":-1,"completion_tokens":1.5,"cached_tokens":1e300}"#, TokenUsage()
      ),
      (#"{"prompt_tokens":"9","completion_tokens":null}"#, TokenUsage()),
    ]
  )
  func meaning(json: String, usage: TokenUsage) throws {
    #expect(TokenCounts(try JSONReader.value(json)).usage == usage)
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
    for _ in 0..<5_000 {
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
      #expect(counts.usage == TokenCounts(try JSONReader.value(json)).usage, "\(json)")
      #expect(TokenCounts.reportedCost(try JSONReader.value(json)) == nil)
    }
    #expect(quick > 500)
  }
}
