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
    if prompt == nil && completion == nil { isUnusual = true }
  }

  /// Returns a count; NaN for a value that is not a number, and nil for null or no value.
  static func count(_ value: JSONValue?) -> Double? {
    value.flatMap { $0 == .null ? nil : $0.number ?? .nan }
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
    let kind = try reader.kind()
    if kind == .number { return try reader.readNumber() }
    try reader.skipValue()
    return kind == .null ? nil : .nan
  }

  /// The counts under common names, with the differences between servers resolved.
  var usage: TokenUsage {
    UsageReading(
      input: prompt,
      cached: cachedDetail ?? cacheHit ?? cached ?? cachedNumber,
      output: completion,
      reasoning: reasoning ?? topReasoning,
      total: total
    ).usage
  }
}

/// The token counts of an answer as the server sent them; NaN for a count that is not a number.
struct UsageReading {
  var input: Double?
  var cached: Double?
  var written: Double?
  var longWritten: Double?
  /// The count of cache writes that are kept for a short time, if the API states it.
  var shortWritten: Double?
  var output: Double?
  var reasoning: Double?
  var total: Double?
  /// True if the API does not include cache reads and writes in the input.
  var hasCacheBeside = false
  /// True if the API does not include reasoning in the output.
  var hasReasoningBeside = false

  /// The counts, by the rules of the API.
  ///
  /// If the counts contradict the rules, the total decides. If it does not prove a single reading,
  /// the cost is unknown.
  var usage: TokenUsage {
    var isSound = true
    // An impossible count is treated as missing, so that sums cannot overflow.
    func whole(_ count: Double?) -> Int? {
      guard let count else { return nil }
      if let whole = Int(exactly: count), (0...(1 << 53)).contains(whole) { return whole }
      isSound = false
      return nil
    }
    var usage = TokenUsage(
      cachedInput: whole(cached),
      reasoning: whole(reasoning),
      cacheWrite: whole(written),
      longCacheWrite: whole(longWritten)
    )
    let (own, made, sum) = (whole(input), whole(output), whole(total))
    let (read, wrote) = (usage.cachedInput ?? 0, usage.cacheWrite ?? 0)
    let thought = usage.reasoning ?? 0
    func count(_ cache: Int, _ thoughts: Int) {
      usage.input = own.map { $0 + cache }
      usage.output = made.map { $0 + thoughts }
    }
    let usual = (
      cache: hasCacheBeside ? read + wrote : 0, thoughts: hasReasoningBeside ? thought : 0
    )
    count(usual.cache, usual.thoughts)
    // The cache writes are the sum of the short and the long ones.
    if let short = whole(shortWritten), let written = usage.cacheWrite,
      short > written || usage.longCacheWrite.map({ short + $0 != written }) ?? false
    {
      usage.doubt = .contradiction
    }
    if !isSound { usage.doubt = .invalid }
    guard isSound, own != nil, made != nil, let sum, usage.total != sum || usage.isContradictory
    else { return usage }
    var found: Set<[Int]> = []
    for cache in [0, read, wrote, read + wrote] {
      for thoughts in [0, thought] {
        count(cache, thoughts)
        if usage.total == sum, !usage.isContradictory { found.insert([cache, thoughts]) }
      }
    }
    let only = found.count == 1 ? found.first : nil
    count(only?[0] ?? usual.cache, only?[1] ?? usual.thoughts)
    if only == nil {
      usage.doubt =
        found.count > 1 ? .ambiguous : usage.total == sum ? .contradiction : .total
    }
    return usage
  }
}

extension UsageReading {
  /// Reads the counts under the names of vendors (OpenAI, DeepSeek, Together, Mistral, Anthropic),
  /// under those of Sluice, or under those that are common in app code.
  init(_ usage: JSONValue) {
    func count(_ paths: String...) -> Double? {
      paths.lazy.compactMap { TokenCounts.count(usage.value(at: $0)) }.first
    }
    let isInput = usage["prompt_tokens"] == nil && usage["completion_tokens"] == nil
    func cache(_ name: String) -> Double? {
      count("\(isInput ? "input" : "prompt")_tokens_details.\(name)")
    }
    func thought(_ name: String) -> Double? {
      count("\(isInput ? "output" : "completion")_tokens_details.\(name)")
    }
    let prompt = count("prompt_tokens")
    let read =
      cache("cached_tokens")
      ?? count("prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens")
    let wrote = cache("cache_write_tokens")
    self.init(
      input: prompt ?? count("input_tokens", "input", "promptTokens", "inputTokens"),
      cached: read ?? count("cache_read_input_tokens", "cached-input", "cachedInputTokens"),
      written: wrote ?? count("cache_creation_input_tokens", "cache-write"),
      longWritten: cache("cache_write_tokens_details.ttl_12h_tokens")
        ?? count("cache_creation.ephemeral_1h_input_tokens", "long-cache-write"),
      shortWritten: count("cache_creation.ephemeral_5m_input_tokens"),
      output: count("completion_tokens", "output_tokens", "output", "completionTokens")
        ?? count("outputTokens"),
      reasoning: thought("reasoning_tokens") ?? thought("thinking_tokens")
        ?? count("reasoning_tokens", "reasoning", "reasoningTokens"),
      total: count("total_tokens", "totalTokens")
    )
    // Anthropic does not include cache reads and writes in the input.
    hasCacheBeside =
      prompt == nil && read == nil && wrote == nil && usage["input_tokens"] != nil
  }
}

/// The reason why the token counts of an answer do not determine its cost.
package enum UsageDoubt: String, Sendable {
  /// A count is not a whole number from 0 to 2^53.
  case invalid
  /// A part is larger than the whole.
  case contradiction
  /// The counts do not add up to the total.
  case total
  /// The total fits several readings of the counts.
  case ambiguous
  /// The counts leave out some of the answer's iterations.
  case iterations
}
