package import SluiceSupport

/// A line of a batch's request file.
package struct BatchRequest: Hashable, Sendable {
  /// The `custom_id`, or the `key` of a line in Gemini's format.
  package var id: String
  /// The body of the request.
  package var body: JSONValue
  /// The types of backends (`type:` in `sluice.yaml`) that can send the request.
  package var types: [String]

  /// Creates the request for a backend.
  ///
  /// - Parameters:
  ///   - id: The `custom_id`.
  ///   - body: The body of the request.
  ///   - api: The API of the request.
  package init(id: String, body: JSONValue, api: ModelAPI = .chatCompletions) {
    self.id = id
    self.body = body
    types = [api.type]
  }

  /// The endpoint path of each API (`url` on lines in OpenAI's format).
  private static let addresses: [(api: ModelAPI, url: String)] = [
    (.chatCompletions, "/v1/chat/completions"), (.responses, "/v1/responses"),
  ]

  /// Returns the name of the member that contains the messages in requests of a backend type.
  private static func list(_ type: String) -> String {
    ModelAPI(type: type).map { ModelAPI.messageNames(in: $0.name()).list } ?? ""
  }

  /// Reads a line.
  ///
  /// - Parameter line: The line, without its line break and without the comma that may separate the
  ///   line from the next line.
  /// - Throws: ``BatchLineFault`` if the line cannot be used.
  package init(_ line: UnsafeBufferPointer<UInt8>) throws(BatchLineFault) {
    let members = try BatchMembers(line)
    id = try members.requiredID()
    let id = id
    func refuse(_ message: String, fix: String? = nil) -> BatchLineFault {
      BatchLineFault("'\(id)': \(message)", fix: fix, isBatchLine: true)
    }
    if members["response"] != nil || members["result"] != nil {
      throw refuse("the line is a result, not a request", fix: "pass this file without --requests")
    }
    let name = members["params"] != nil ? "params" : members["request"] != nil ? "request" : "body"
    switch name {
    case "params": types = ["anthropic"]
    case "request": types = ["gemini"]
    default:
      types = BatchForm.types
      if let url = members["url"]?.jsonValue?.string {
        // Azure leaves out the version.
        let known = Self.addresses.first { url.hasSuffix($0.url.dropFirst("/v1".count)) }
        guard let known else {
          throw refuse(
            "the line is a request to '\(url.prefix(100))'; Sluice reads only requests to the "
              + "Chat Completions and Responses APIs"
          )
        }
        types = [known.api.type]
      }
    }
    guard let body = members[name]?.jsonValue, body.object != nil else {
      throw refuse("the line has no body")
    }
    types = types.filter { body[Self.list($0)] != nil }
    if types.isEmpty { throw refuse("the body has no messages") }
    self.body = body
  }

  /// Appends the line with its line break.
  ///
  /// - Parameters:
  ///   - buffer: The buffer to append to.
  ///   - isFirst: True for the first line of a file.
  package func append(to buffer: inout ByteBuffer, isFirst: Bool = true) {
    let api = types.first.flatMap(ModelAPI.init(type:)) ?? .chatCompletions
    let form = BatchForm(api) ?? .openAI
    if form.frame != nil, !isFirst {
      // A comma joins the line to the previous one, which was written without a line break.
      buffer.append(",\n" as StaticString)
    }
    let line: JSONValue
    switch form {
    case .openAI:
      let url = Self.addresses.first { $0.api == api }?.url ?? ""
      line = ["custom_id": .string(id), "method": "POST", "url": .string(url), "body": body]
    case .anthropic: line = ["custom_id": .string(id), "params": body]
    case .gemini: line = ["key": .string(id), "request": body]
    }
    JSONWriter.append(line, to: &buffer)
    if form.frame == nil { buffer.append(0x0A) }
  }

  /// Returns true if Sluice wrote the line, judging by the format of the id.
  ///
  /// Also true for the lines around the requests in Anthropic's files.
  package static func isOwn(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let line = BatchForm.unframed(line) else { return true }
    guard let request = try? BatchRequest(line) else { return false }
    return BatchRequestID(request.id) != nil
  }
}
