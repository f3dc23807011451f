import SluiceSupport

/// As what a text is read, which decides how much has to be certain before something counts as a
/// secret.
enum SecretReading: Sendable {
  /// What is judged, or decides what is judged: the request, and the visible answer with its
  /// reasoning and calls. Only what has the shape of a key, or is a known key, is a secret here: a
  /// false alarm would falsify the score.
  case judged
  /// The body of a response: judged where the answer is, else ``everything``.
  case response
  /// A line of a recordings file.
  case line
  /// What nobody judges: headers, errors, members of a response that nobody knows. Here a name, a
  /// neighbouring word or the look of a value are enough.
  case everything

  /// The members of responses that hold what a model said, in the words of all protocols.
  private static let answers: Set<String> = [
    "content", "text", "refusal", "arguments", "delta", "partial_json", "output_text", "reasoning",
    "reasoning_content", "reasoning_details", "thinking", "summary", "completion", "transcript",
    "parts", "response", "logprobs",
  ]

  /// How a string at a path is read.
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
      // Digests, and the digits of digests under names that the user chose.
      case "key", "digest", "part", "parts", "source": return .judged
      case "request": return .judged
      case "value":
        // The value of a part: of a request, or where answers came from.
        switch path.dropFirst().first {
        case .name("answered-by"), .name("headers"): return .everything
        default: return .judged
        }
      case "response":
        switch path.dropFirst().first {
        case .name("body"): return SecretReading.response.inside(Array(path.dropFirst(2)))
        case .name("body-text"), .name("body-base64"): return .response
        default: return .everything
        }
      default: return .everything
      }
    }
  }
}
