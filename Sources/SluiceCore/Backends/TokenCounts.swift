import SluiceSupport

/// The token counts, under the names that APIs use.
struct TokenCounts {
  var prompt: Double?
  var completion: Double?
  var total: Double?
  var reasoning: Double?
  /// The count of reasoning tokens that some servers put next to the sums, not into an object of
  /// details.
  var topReasoning: Double?
  // Cached tokens under the names of OpenAI, DeepSeek, Together and Mistral.
  var cachedDetail: Double?
  var cacheHit: Double?
  var cached: Double?
  var cachedNumber: Double?
  // Anthropic's counts, in which the cache is separate from the input.
  var inputBeside: Double?
  var outputBeside: Double?
  var cacheRead: Double?
  var cacheCreation: Double?
  /// The number of tokens written to the cache.
  ///
  /// ``prompt`` includes them.
  var cacheWrite: Double?
  /// The number of tokens written to the cache for the longer lifetime, under the names of OpenAI
  /// or Anthropic.
  var longCacheWrite: Double?
  /// True if the fast path skipped members, so that the whole object must be read again.
  private(set) var isUnusual = false

  /// Reads the counts from the object at the reader's position.
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

  /// Reads the counts that an object contains.
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

  /// Returns the cost that the server reported, in US dollars.
  static func reportedCost(_ usage: JSONValue) -> Double? {
    let cost = usage["cost"]?.number ?? usage.value(at: "cost.total_cost")?.number
    if let cost, cost >= 0 {
      guard usage["is_byok"] == true else { return cost }
      // If OpenRouter uses the user's own key for a provider, this cost is only OpenRouter's fee.
      let upstream = usage.value(at: "cost_details.upstream_inference_cost")?.number
      return upstream.flatMap { $0 >= 0 ? cost + $0 : nil }
    }
    // xAI reports the cost in units of 1e-10 dollars.
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

  /// The counts under common names, with the differences between servers resolved.
  var usage: TokenUsage {
    // Counts below 0 or above 2^53 are treated as missing, so that sums cannot overflow.
    func whole(_ count: Double?) -> Int? {
      count.flatMap(Int.init(exactly:)).flatMap { (0...(1 << 53)).contains($0) ? $0 : nil }
    }
    let reasoning = whole(reasoning) ?? whole(topReasoning)
    var input = whole(prompt)
    var output = whole(completion) ?? whole(outputBeside)
    // Some servers, such as xAI, do not include reasoning in the completion. The total shows
    // whether a server does.
    if let input, let completion = output, let reasoning, reasoning > 0,
      whole(total) == input + completion + reasoning
    {
      output = completion + reasoning
    }
    // Anthropic does not include cache reads and writes in the input.
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
