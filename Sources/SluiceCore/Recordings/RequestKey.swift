import SluiceSupport

/// A computation of the keys of a prompt's requests to a backend, without building the requests.
///
/// A key is the SHA-256 digest of a request's canonical JSON (see ``RequestIdentity``). A case
/// determines only the values that the variables insert into the messages. Everything else is
/// written only once, and the part before the first variable is also digested only once.
struct RequestKey: Sendable {
  private let beginning: SHA256.Beginning
  /// The rest of the request, from the first message with a variable.
  ///
  /// It consists of the templates of messages, each with the bytes that follow the message.
  private let rest: [(template: Template, bytes: [UInt8])]

  /// Prepares the computation.
  ///
  /// Nil if the requests do not contain the messages verbatim.
  init?(_ prompt: Prompt, _ backend: BackendDefinition) {
    if !backend.asksPromptAlone || !prompt.lists.isEmpty { return nil }
    // Builds one request, with markers in place of the message texts. The backend may change the
    // prompt, but the text between the markers is the same for each case.
    let messages = prompt.messages
    let marks = messages.indices.map { "\u{1}message \($0)\u{1}" }
    let marked = prompt.rendered(
      zip(messages, marks).map { ChatMessage(role: $0.role, text: $1) }
    )
    guard let request = try? backend.request(for: marked) else { return nil }
    let bytes = JSONWriter.canonical(RequestIdentity.value(of: request))
    var places: [(range: Range<Int>, template: Template)] = []
    for (index, mark) in marks.enumerated() {
      let wanted = JSONWriter.line(.string(mark)).dropFirst().dropLast()
      guard let place = bytes.firstRange(of: wanted) else { return nil }
      guard bytes[place.upperBound...].firstRange(of: wanted) == nil else { return nil }
      places.append((place, messages[index].template))
    }
    // Some APIs store instructions in a separate member, which may follow the messages.
    places.sort { $0.range.lowerBound < $1.range.lowerBound }
    guard let first = places.first else { return nil }
    var beginning = Array(bytes[..<first.range.lowerBound])
    var parts = places.indices.map { index -> (template: Template, bytes: [UInt8]) in
      let end = index + 1 < places.count ? places[index + 1].range.lowerBound : bytes.count
      return (places[index].template, Array(bytes[places[index].range.upperBound..<end]))
    }
    // Messages without variables belong to the beginning.
    while let first = parts.first, first.template.isConstant {
      var text = EscapedText()
      guard (try? first.template.render([:], to: &text)) != nil else { return nil }
      beginning += text.bytes.units
      beginning += first.bytes
      parts.removeFirst()
    }
    self.beginning = SHA256.Beginning(beginning)
    rest = parts
  }

  /// Returns the key of the request for a case.
  ///
  /// - Throws: A problem with the first variable for which the case has no value.
  func key(_ input: JSONValue) throws(Template.Problem) -> Digest {
    var text = EscapedText()
    for part in rest {
      try part.template.render(input, to: &text)
      text.bytes += part.bytes
    }
    return beginning.digest(followedBy: text.bytes.units)
  }

  /// A text with the escapes that it needs inside of a JSON string.
  private struct EscapedText: TemplateOutput, ~Copyable {
    var bytes = ByteBuffer()

    mutating func append(_ text: String) { JSONWriter.appendEscaped(text, to: &bytes) }
  }
}
