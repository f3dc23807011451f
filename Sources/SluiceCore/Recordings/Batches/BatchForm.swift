import SluiceSupport

/// A vendor's form of the lines of batch files.
package enum BatchForm: String, Hashable, Sendable, CaseIterable {
  /// `custom_id`, `method`, `url` and `body`.
  case openAI
  /// `custom_id` and `params`, in an object that the API takes as it is.
  case anthropic
  /// `key` and `request`.
  case gemini

  /// The form in which an API takes batches; nil where it takes none.
  package init?(_ api: ModelAPI) {
    switch api {
    case .chatCompletions, .responses: self = .openAI
    case .messages: self = .anthropic
    case .generateContent: self = .gemini
    case .ollamaChat: return nil
    }
  }

  /// The values of `type:` that a batch file can ask.
  package static let types = ["openai", "openai-responses", "anthropic", "gemini"]

  /// The most requests that the service takes in a file; nil where the number is not bounded.
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

  /// True where a file may ask several models.
  package var mixesModels: Bool { self == .anthropic }

  // MARK: The frame of a file

  /// The text before the first line, and after the last.
  package var frame: (start: StaticString, end: StaticString)? {
    self == .anthropic ? ("{\"requests\":[\n", "\n]}\n") : nil
  }

  /// Takes what joins a line to others off.
  ///
  /// - Parameter line: The line without its end.
  /// - Returns: The line alone; nil for a line that is all frame.
  package static func unframed(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    let bytes = UnsafeRawBufferPointer(line)
    if bytes.equals("{\"requests\":[") || bytes.equals("]}") { return nil }
    guard line.count > 2, line.last == UInt8(ascii: ","),
      line[line.count - 2] == UInt8(ascii: "}")
    else { return line }
    return UnsafeBufferPointer(rebasing: line.dropLast())
  }

  // MARK: Answers

  /// The API whose answer a body is, as its members tell; nil where they do not.
  package static func api(ofAnswer body: UnsafeRawBufferPointer) -> ModelAPI? {
    func has(_ name: StaticString) -> Bool { JSONMembers.value(name, in: body) != nil }
    if has("choices") { return .chatCompletions }
    if has("output") { return .responses }
    if has("candidates") || has("promptFeedback") { return .generateContent }
    if has("content"), has("stop_reason") { return .messages(ModelAPI.MessagesVersion()) }
    return nil
  }
}
