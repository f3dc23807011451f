import SluiceSupport

/// The format that a vendor uses for the lines of batch files.
package enum BatchForm: String, Hashable, Sendable, CaseIterable {
  /// Each line contains `custom_id`, `method`, `url` and `body`.
  case openAI
  /// Each line contains `custom_id` and `params`.
  ///
  /// The whole file is one JSON object, which is the body of the request that creates the batch.
  case anthropic
  /// Each line contains `key` and `request`.
  case gemini

  /// Creates the batch format of an API; nil if the API has no batches.
  package init?(_ api: ModelAPI) {
    switch api {
    case .chatCompletions, .responses: self = .openAI
    case .messages: self = .anthropic
    case .generateContent: self = .gemini
    case .ollamaChat: return nil
    }
  }

  /// The types of backends (`type:` in `sluice.yaml`) that support batch files.
  package static let types = ["openai", "openai-responses", "anthropic", "gemini"]

  /// The maximum number of requests per file; nil if there is no limit.
  package var mostRequests: Int? {
    switch self {
    case .openAI: 50_000
    case .anthropic: 100_000
    case .gemini: nil
    }
  }

  /// The vendor's name.
  package var vendor: String {
    switch self {
    case .openAI: "OpenAI"
    case .anthropic: "Anthropic"
    case .gemini: "Google"
    }
  }

  /// True if one file may contain requests to several models.
  package var mixesModels: Bool { self == .anthropic }

  // MARK: The frame of a file

  /// The text before the first line and the text after the last line; nil if the format needs
  /// neither.
  package var frame: (start: StaticString, end: StaticString)? {
    self == .anthropic ? ("{\"requests\":[\n", "\n]}\n") : nil
  }

  /// Removes the comma that separates a line from the next line in Anthropic's request files.
  ///
  /// - Parameter line: The line without its line break.
  /// - Returns: The line without the comma; nil for the first and the last line of an Anthropic
  ///   request file, which contain no request.
  package static func unframed(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    let bytes = UnsafeRawBufferPointer(line)
    if bytes.equals("{\"requests\":[") || bytes.equals("]}") { return nil }
    guard line.count > 2, line.last == UInt8(ascii: ","),
      line[line.count - 2] == UInt8(ascii: "}")
    else { return line }
    return UnsafeBufferPointer(rebasing: line.dropLast())
  }

  // MARK: Answers

  /// Returns the API that an answer comes from, judging by the members of the answer's body.
  ///
  /// Nil if no API sends these members.
  package static func api(ofAnswer body: UnsafeRawBufferPointer) -> ModelAPI? {
    func has(_ name: StaticString) -> Bool { JSONMembers.value(name, in: body) != nil }
    if has("choices") { return .chatCompletions }
    if has("output") { return .responses }
    if has("candidates") || has("promptFeedback") { return .generateContent }
    if has("content"), has("stop_reason") { return .messages(ModelAPI.MessagesVersion()) }
    return nil
  }
}
