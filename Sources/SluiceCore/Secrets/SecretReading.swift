import SluiceSupport

/// The role of a text, which determines the evidence needed to treat a value as a secret.
enum SecretReading: Sendable {
  /// A text that is scored or affects scores: the request, and the visible answer with its
  /// reasoning and calls.
  ///
  /// Only known secrets and values of an unmistakable format, such as a vendor's key, count here,
  /// because a false positive would falsify the score.
  case judged
  /// The body of a response.
  ///
  /// The model's answer inside of the body is read as ``judged``, and the rest as ``everything``.
  case response
  /// A line of a recordings file.
  case line
  /// A text that is never scored, such as a header, an error or an unknown member of a response.
  ///
  /// Here a name, a neighboring word or the appearance of a value is enough evidence.
  case everything

  /// The members of responses that contain the output of a model, in all protocols.
  private static let answers: Set<String> = [
    "content", "text", "refusal", "arguments", "delta", "partial_json", "output_text", "reasoning",
    "reasoning_content", "reasoning_details", "thinking", "summary", "completion", "transcript",
    "parts", "response", "logprobs",
  ]

  /// The roles of texts that are not the visible answer, by the members that contain them.
  private static let roles = [
    "reasoning": "thought", "reasoning_content": "thought", "reasoning_details": "thought",
    "thinking": "thought", "summary": "thought", "refusal": "refusal", "arguments": "call",
    "partial_json": "call",
  ]

  /// Returns the role of a text in an answer, under whatever names a server sends it.
  ///
  /// - Parameters:
  ///   - path: The path of the text.
  ///   - isThought: True if the object around the text says that it is a thought.
  /// - Returns: The name of the role, and the index of the first step inside of the answer; nil if
  ///   the text is not part of an answer.
  static func role(of path: [JSONStrings.Step], isThought: Bool) -> (name: String, start: Int)? {
    let names = path.map { if case .name(let name) = $0 { name } else { "" } }
    // A part may contain its text as `{"text": {"value": …}}`.
    guard let last = names.last(where: { $0 != "" && $0 != "value" }), answers.contains(last),
      let start = names.firstIndex(where: answers.contains)
    else { return nil }
    let role = isThought ? "thought" : names.compactMap { roles[$0] }.last
    return (role ?? "text", start)
  }

  /// Returns the role of a string at a path.
  func inside(_ path: [JSONStrings.Step]) -> SecretReading {
    switch self {
    case .judged, .everything: return self
    case .response:
      var reading = SecretReading.everything
      for case .name(let name) in path {
        if name == "error" || name == "errors" { return .everything }
        if Self.answers.contains(name) { reading = .judged }
      }
      return reading
    case .line:
      guard case .name(let first)? = path.first else { return .everything }
      switch first {
      case "value":
        // The value of a part line, which belongs to a request or is the source of answers.
        switch path.dropFirst().first {
        case .name("answered-by"), .name("headers"): return .everything
        default: return .judged
        }
      case "response":
        switch path.dropFirst().first {
        case .name("body"): return SecretReading.response.inside(Array(path.dropFirst(2)))
        case .name("body-text"), .name("body-base64"), .name("events"): return .response
        default: return .everything
        }
      // The request, and digests and ids, some of them under names that the user chose.
      default: return .judged
      }
    }
  }
}
