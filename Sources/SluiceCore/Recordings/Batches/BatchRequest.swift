package import SluiceSupport

/// A line of the requests of a batch.
package struct BatchRequest: Hashable, Sendable {
  /// The `custom_id`.
  package var id: String
  /// The body that is asked.
  package var body: JSONValue

  /// The address of the requests that Sluice writes.
  package static let url = "/v1/chat/completions"

  package init(id: String, body: JSONValue) {
    self.id = id
    self.body = body
  }

  /// Reads a line.
  ///
  /// - Parameter line: The line without its end.
  /// - Throws: Why it cannot be used.
  package init(_ line: UnsafeBufferPointer<UInt8>) throws(BatchLineFault) {
    let members = try BatchMembers(line)
    let id = try members.requiredID()
    func refuse(_ message: String, fix: String? = nil) -> BatchLineFault {
      BatchLineFault("'\(id)': \(message)", fix: fix, isBatchLine: true)
    }
    if members["response"] != nil {
      throw refuse("the line answers, and asks nothing", fix: "give the file without --requests")
    }
    // Azure leaves out the version.
    if let url = members["url"]?.jsonValue?.string, !url.hasSuffix("/chat/completions") {
      throw refuse("the line asks '\(url.prefix(100))'; only chat completions are read")
    }
    guard let body = members["body"]?.jsonValue, body.object != nil else {
      throw refuse("the line has no body")
    }
    guard body["messages"]?.array != nil else { throw refuse("the body has no messages") }
    self.init(id: id, body: body)
  }

  /// The line with its line break.
  package func append(to buffer: inout ByteBuffer) {
    JSONWriter.append(
      .object([
        "custom_id": .string(id), "method": "POST", "url": .string(Self.url), "body": body,
      ]),
      to: &buffer
    )
    buffer.append(0x0A)
  }

  /// True for a line that ``append(to:)`` wrote.
  package static func isOwn(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let request = try? BatchRequest(line) else { return false }
    return BatchRequestID(request.id) != nil
  }
}
