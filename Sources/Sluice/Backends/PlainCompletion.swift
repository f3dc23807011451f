/// A chat completion of the usual form, read without a tree of all that it holds.
///
/// Anything unusual, errors above all, is left to ``OpenAIChatResponse``.
///
/// Its texts stay in the body, and are valid as long as that is at hand.
struct PlainCompletion {
  var content: JSONReader.RawString?
  var refusal: JSONReader.RawString?
  var finishReason: JSONReader.RawString?
  var model: JSONReader.RawString?
  var usage: TokenUsage?

  /// Why the quick way ends.
  private static let unusual = JSONSyntaxError(offset: 0, message: "not the usual form")

  /// Gives what a body says to a closure; nil when it is not in the usual form.
  static func read<Result>(
    _ body: UnsafeBufferPointer<UInt8>,
    _ use: (PlainCompletion) -> Result?
  ) -> Result? {
    do throws(JSONSyntaxError) {
      let completion = try JSONReader.read(body) { reader throws(JSONSyntaxError) in
        try PlainCompletion(&reader)
      }
      return use(completion)
    } catch {
      return nil
    }
  }

  /// Reads the body that comes next.
  init(_ reader: inout JSONReader) throws(JSONSyntaxError) {
    var (hasChoices, hasUsage) = (false, false)
    try reader.readMembers { reader, name throws(JSONSyntaxError) in
      if name == "model" {
        model = try Self.text(&reader)
      } else if name == "choices" {
        if hasChoices { throw Self.unusual }
        hasChoices = true
        try readChoices(&reader)
      } else if name == "usage" {
        if hasUsage { throw Self.unusual }
        hasUsage = true
        if try reader.kind() == .object {
          usage = try TokenCounts(&reader).usage
        } else {
          try reader.skipValue()
        }
      } else if name == "error", try reader.kind() != .null {
        throw Self.unusual
      } else {
        try reader.skipValue()
      }
    }
    if !hasChoices { throw Self.unusual }
  }

  private mutating func readChoices(_ reader: inout JSONReader) throws(JSONSyntaxError) {
    var count = 0
    var hasMessage = false
    try reader.readElements { reader throws(JSONSyntaxError) in
      count += 1
      if count > 1 { return try reader.skipValue() }
      try reader.readMembers { reader, name throws(JSONSyntaxError) in
        if name == "message" {
          if hasMessage { throw Self.unusual }
          hasMessage = true
          try readMessage(&reader)
        } else if name == "finish_reason" {
          finishReason = try Self.text(&reader).flatMap { $0.units.isEmpty ? nil : $0 }
        } else {
          try reader.skipValue()
        }
      }
    }
    if !hasMessage { throw Self.unusual }
  }

  private mutating func readMessage(_ reader: inout JSONReader) throws(JSONSyntaxError) {
    try reader.readMembers { reader, name throws(JSONSyntaxError) in
      if name == "content" {
        content = try Self.text(&reader)
      } else if name == "refusal" {
        refusal = try Self.text(&reader).flatMap { $0.units.isEmpty ? nil : $0 }
      } else {
        try reader.skipValue()
      }
    }
  }

  /// A string, or nil for null; all else is unusual.
  private static func text(_ reader: inout JSONReader) throws(JSONSyntaxError)
    -> JSONReader.RawString?
  {
    switch try reader.kind() {
    case .string: return try reader.readRawString()
    case .null:
      try reader.skipValue()
      return nil
    default: throw unusual
    }
  }
}

/// The counts of tokens under the names of the wire.
struct TokenCounts {
  var prompt: Double?
  var completion: Double?
  var total: Double?
  var reasoning: Double?
  // Cached tokens in the words of OpenAI, DeepSeek, Together and Mistral.
  var cachedDetail: Double?
  var cacheHit: Double?
  var cached: Double?
  var cachedNumber: Double?

  init() {}

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
        cachedDetail = try Self.detail("cached_tokens", &reader)
      } else if name == "prompt_cache_hit_tokens" {
        cacheHit = try Self.count(&reader)
      } else if name == "cached_tokens" {
        cached = try Self.count(&reader)
      } else if name == "num_cached_tokens" {
        cachedNumber = try Self.count(&reader)
      } else {
        try reader.skipValue()
      }
    }
  }

  private static func detail(
    _ wanted: StaticString,
    _ reader: inout JSONReader
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
    let (input, reasoning) = (whole(prompt), whole(reasoning))
    var output = whole(completion)
    // Some servers, xAI for one, count reasoning beside the completion; the total tells.
    if let input, let completion = output, let reasoning, reasoning > 0,
      whole(total) == input + completion + reasoning
    {
      output = completion + reasoning
    }
    return TokenUsage(
      input: input,
      cachedInput: whole(cachedDetail) ?? whole(cacheHit) ?? whole(cached) ?? whole(cachedNumber),
      output: output,
      reasoning: reasoning
    )
  }
}
