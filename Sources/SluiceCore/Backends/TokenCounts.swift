import SluiceSupport

/// The counts of tokens under the names of the wire.
struct TokenCounts {
  var prompt: Double?
  var completion: Double?
  var total: Double?
  var reasoning: Double?
  /// Reasoning where others have only the sums.
  var topReasoning: Double?
  // Cached tokens in the words of OpenAI, DeepSeek, Together and Mistral.
  var cachedDetail: Double?
  var cacheHit: Double?
  var cached: Double?
  var cachedNumber: Double?
  // Counts of a cache beside the input, in the words of Anthropic.
  var inputBeside: Double?
  var outputBeside: Double?
  var cacheRead: Double?
  var cacheCreation: Double?
  /// Tokens put into the cache, among those of the prompt.
  var cacheWrite: Double?
  /// Those of them that are kept for the longer lifetime, in the words of OpenAI or Anthropic.
  var longCacheWrite: Double?
  /// Whether there is something that only the whole object tells.
  private(set) var isUnusual = false

  /// Reads the object that comes next.
  init(_ reader: inout JSONReader) throws(JSONSyntaxError) {
    try reader.readMembers { reader, name throws(JSONSyntaxError) in
      if name == "prompt_tokens" {
        prompt = try Self.count(&reader)
      } else if name == "completion_tokens" {
        completion = try Self.count(&reader)
      } else if name == "total_tokens" {
        total = try Self.count(&reader)
      } else if name == "completion_tokens_details" {
        reasoning = try Self.detail("reasoning_tokens", &reader)
      } else if name == "prompt_tokens_details" {
        cachedDetail = try Self.detail("cached_tokens", &reader) { name in
          if name == "cache_write_tokens" || name == "cache_write_tokens_details" {
            isUnusual = true
          }
        }
      } else if name == "reasoning_tokens" {
        topReasoning = try Self.count(&reader)
      } else if name == "prompt_cache_hit_tokens" {
        cacheHit = try Self.count(&reader)
      } else if name == "cached_tokens" {
        cached = try Self.count(&reader)
      } else if name == "num_cached_tokens" {
        cachedNumber = try Self.count(&reader)
      } else if name == "input_tokens" || name == "output_tokens" || name == "cost"
        || name == "cost_in_usd_ticks" || name == "total_time"
        || name == "cache_creation_input_tokens" || name == "cache_read_input_tokens"
        || name == "cache_creation"
      {
        isUnusual = true
        try reader.skipValue()
      } else {
        try reader.skipValue()
      }
    }
  }

  /// Reads the counts of an object.
  init(_ usage: JSONValue) {
    prompt = usage["prompt_tokens"]?.number
    completion = usage["completion_tokens"]?.number
    total = usage["total_tokens"]?.number
    reasoning = usage.value(at: "completion_tokens_details.reasoning_tokens")?.number
    topReasoning = usage["reasoning_tokens"]?.number
    cachedDetail = usage.value(at: "prompt_tokens_details.cached_tokens")?.number
    cacheHit = usage["prompt_cache_hit_tokens"]?.number
    cached = usage["cached_tokens"]?.number
    cachedNumber = usage["num_cached_tokens"]?.number
    inputBeside = usage["input_tokens"]?.number
    outputBeside = usage["output_tokens"]?.number
    cacheRead = usage["cache_read_input_tokens"]?.number
    cacheCreation = usage["cache_creation_input_tokens"]?.number
    cacheWrite = usage.value(at: "prompt_tokens_details.cache_write_tokens")?.number
    longCacheWrite =
      usage.value(at: "prompt_tokens_details.cache_write_tokens_details.ttl_12h_tokens")?.number
      ?? usage.value(at: "cache_creation.ephemeral_1h_input_tokens")?.number
    if inputBeside != nil {
      reasoning =
        reasoning ?? usage.value(at: "output_tokens_details.reasoning_tokens")?.number
      cachedDetail =
        cachedDetail ?? usage.value(at: "input_tokens_details.cached_tokens")?.number
    }
  }

  /// What a server says that the answer cost, in US dollars.
  static func reportedCost(_ usage: JSONValue) -> Double? {
    let cost = usage["cost"]?.number ?? usage.value(at: "cost.total_cost")?.number
    if let cost, cost >= 0 {
      guard usage["is_byok"] == true else { return cost }
      // With a key of one's own at the provider that is only OpenRouter's fee.
      let upstream = usage.value(at: "cost_details.upstream_inference_cost")?.number
      return upstream.flatMap { $0 >= 0 ? cost + $0 : nil }
    }
    // xAI counts in ten thousand millionths of a dollar.
    return usage["cost_in_usd_ticks"]?.number.flatMap { $0 >= 0 ? $0 / 1e10 : nil }
  }

  private static func detail(
    _ wanted: StaticString,
    _ reader: inout JSONReader,
    other: (JSONReader.RawString) -> Void = { _ in }
  ) throws(JSONSyntaxError) -> Double? {
    guard try reader.kind() == .object else {
      try reader.skipValue()
      return nil
    }
    var found: Double?
    try reader.readMembers { reader, name throws(JSONSyntaxError) in
      if name == wanted {
        found = try count(&reader)
      } else {
        other(name)
        try reader.skipValue()
      }
    }
    return found
  }

  private static func count(_ reader: inout JSONReader) throws(JSONSyntaxError) -> Double? {
    if try reader.kind() == .number { return try reader.readNumber() }
    try reader.skipValue()
    return nil
  }

  /// What the counts mean.
  var usage: TokenUsage {
    // What no server could have counted is taken for not sent, before a sum of it overflows.
    func whole(_ count: Double?) -> Int? {
      count.flatMap(Int.init(exactly:)).flatMap { (0...(1 << 53)).contains($0) ? $0 : nil }
    }
    let reasoning = whole(reasoning) ?? whole(topReasoning)
    var input = whole(prompt)
    var output = whole(completion) ?? whole(outputBeside)
    // Some servers, xAI for one, count reasoning beside the completion; the total tells.
    if let input, let completion = output, let reasoning, reasoning > 0,
      whole(total) == input + completion + reasoning
    {
      output = completion + reasoning
    }
    // Anthropic counts what the cache gave and took beside the input.
    if input == nil, let beside = whole(inputBeside) {
      input = beside + (whole(cacheRead) ?? 0) + (whole(cacheCreation) ?? 0)
    }
    return TokenUsage(
      input: input,
      cachedInput: whole(cachedDetail) ?? whole(cacheHit) ?? whole(cached) ?? whole(cachedNumber)
        ?? whole(cacheRead),
      output: output,
      reasoning: reasoning,
      cacheWrite: whole(cacheWrite) ?? whole(cacheCreation),
      longCacheWrite: whole(longCacheWrite)
    )
  }
}
