import SluiceSupport

/// The keys of the requests of a prompt through a backend, made without making the requests.
///
/// A key is SHA-256 over the canonical JSON of a request (see ``RequestIdentity``), of which a case
/// decides only what its variables put into the messages. All else is written once: what stands
/// before the first variable is even digested once.
struct RequestKey: Sendable {
  private let beginning: SHA256.Beginning
  /// What follows: the texts of messages with the bytes after each.
  private let rest: [(template: Template, bytes: [UInt8])]

  /// Prepares the keys; nil where a request is not made of its messages as they stand.
  init?(_ prompt: Prompt, _ backend: BackendDefinition) {
    if !backend.asksPromptAlone || !prompt.lists.isEmpty { return nil }
    // The request is made once, with marks where the texts of messages belong: whatever a backend
    // makes of a prompt, what stands between the marks is the same for each case.
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
    // Some APIs take instructions apart, whose member may stand behind the messages.
    places.sort { $0.range.lowerBound < $1.range.lowerBound }
    guard let first = places.first else { return nil }
    var beginning = Array(bytes[..<first.range.lowerBound])
    var parts = places.indices.map { index -> (template: Template, bytes: [UInt8]) in
      let end = index + 1 < places.count ? places[index + 1].range.lowerBound : bytes.count
      return (places[index].template, Array(bytes[places[index].range.upperBound..<end]))
    }
    // Messages that have no variables are part of the beginning.
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

  /// The key of the request for a case.
  ///
  /// - Throws: The first name that the case does not supply.
  func key(_ input: JSONValue) throws(Template.Problem) -> Digest {
    var text = EscapedText()
    for part in rest {
      try part.template.render(input, to: &text)
      text.bytes += part.bytes
    }
    return beginning.digest(followedBy: text.bytes.units)
  }

  /// Text as it stands in a JSON string.
  private struct EscapedText: TemplateOutput, ~Copyable {
    var bytes = ByteBuffer()

    mutating func append(_ text: String) { JSONWriter.appendEscaped(text, to: &bytes) }
  }
}
