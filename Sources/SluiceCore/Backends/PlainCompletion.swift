import SluiceSupport

/// A chat completion of the form that most servers send.
///
/// It is read without building a tree of its contents. ``ChatParser`` reads errors, and
/// completions of any other form.
///
/// The texts refer to the body, and are valid as long as the body is.
struct PlainCompletion {
  var content: JSONReader.RawString?
  var refusal: JSONReader.RawString?
  var finishReason: JSONReader.RawString?
  var model: JSONReader.RawString?
  var usage: TokenUsage?

  /// The error thrown if the body does not have the usual form.
  private static let unusual = JSONSyntaxError(offset: 0, message: "not the usual form")

  /// Passes the contents of a body to a closure; returns nil if the body does not have the usual
  /// form.
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

  /// Reads the completion at the reader's position.
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
          let counts = try TokenCounts(&reader)
          usage = counts.usage
          if counts.isUnusual || usage?.doubt != nil { throw Self.unusual }
        } else {
          try reader.skipValue()
        }
      } else if name == "service_tier", try reader.kind() == .string {
        // Other tiers have other prices, and this type does not store the tier.
        if !ServiceTier.isStandard(try reader.readRawString()) { throw Self.unusual }
      } else if name == "error", try reader.kind() != .null {
        throw Self.unusual
      } else if name == "timings" || name == "time_info" {
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
      if count > 1 { throw Self.unusual }
      try reader.readMembers { reader, name throws(JSONSyntaxError) in
        if name == "message" {
          if hasMessage { throw Self.unusual }
          hasMessage = true
          try readMessage(&reader)
        } else if name == "finish_reason" {
          finishReason = try Self.text(&reader).flatMap { $0.units.isEmpty ? nil : $0 }
        } else if name == "logprobs" || name == "error", try reader.kind() != .null {
          throw Self.unusual
        } else {
          try reader.skipValue()
        }
      }
    }
    if !hasMessage || content == nil && refusal == nil && finishReason == nil { throw Self.unusual }
    if let finishReason, !(finishReason == "stop"),
      Ending.failure(word: finishReason.text) != nil
    {
      throw Self.unusual
    }
  }

  /// The visible text.
  ///
  /// Nil if the text is empty and there is a refusal.
  var text: String? {
    refusal != nil && content?.units.isEmpty == true ? nil : content?.text
  }

  private mutating func readMessage(_ reader: inout JSONReader) throws(JSONSyntaxError) {
    try reader.readMembers { reader, name throws(JSONSyntaxError) in
      if name == "content" {
        content = try Self.text(&reader)
      } else if name == "refusal" {
        refusal = try Self.text(&reader).flatMap { $0.units.isEmpty ? nil : $0 }
      } else if name == "tool_calls" || name == "function_call" || name == "reasoning"
        || name == "reasoning_content" || name == "reasoning_details", try reader.kind() != .null
      {
        throw Self.unusual
      } else {
        try reader.skipValue()
      }
    }
  }

  /// Returns a string, or nil for null.
  ///
  /// Any other value makes the body unusual, so an error is thrown.
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
