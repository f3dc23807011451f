import SluiceSupport

/// The identifier with which a server distinguishes versions of its system.
///
/// OpenAI's servers send it as `system_fingerprint` in each answer. Other servers do not send one,
/// or always send the same identifier.
package enum SystemFingerprint {
  private static let member = "system_fingerprint"

  /// Returns the identifier in the body of a response; nil if the body does not contain one.
  package static func of(_ response: RawResponse) -> String? {
    let body = response.body
    guard body.first(where: { $0 > 0x20 }) != UInt8(ascii: "{") else {
      return (try? JSONReader.value(body)).flatMap(name)
    }
    var events = StreamedEvents()
    for event in events.take(body) {
      if let name = events.json(of: event).flatMap(name) { return name }
    }
    return events.finish().first.flatMap { events.json(of: $0) }.flatMap(name)
  }

  private static func name(in value: JSONValue) -> String? { value[member]?.string }
}
