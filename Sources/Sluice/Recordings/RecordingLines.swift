/// Turns recordings into the lines of their file and back.
///
/// Long texts of a request stand once per file, on part lines, and are referred to by digest. What
/// becomes a part is decided by the text alone, so that adding a recording never rewrites the line
/// of another and two branches that add recordings merge.
package enum RecordingLines {
  /// Texts and members of a request of at least this many bytes become part lines.
  private static let partThreshold = 120
  /// The member that stands for a part; no request of ours has one of that name.
  private static let reference = "$part"
  private static let digestPrefix = Array(#","digest":""#.utf8)
  private static let digestLength = 64

  /// What to do about a line that is damaged: recording leaves a file with such a line as it is.
  static let damaged = "restore the line from version control, or delete it and record it again"

  /// Why a line cannot be used.
  package struct Problem: Error, Hashable {
    package var message: String
    package var fix: String?
  }

  // MARK: Writing

  /// A line with the digest of itself at its end, and the parts that it refers to by digest.
  package static func line(of recording: Recording) -> (line: [UInt8], parts: [String: [UInt8]]) {
    var parts: [String: [UInt8]] = [:]
    let exchange = recording.exchange
    var request: JSONObject = [
      "backend": .string(exchange.request.backend), "api": .string(exchange.request.api),
      "model": .string(exchange.request.model),
    ]
    request.set("fingerprint", exchange.request.fingerprint.map(JSONValue.string))
    request["body"] = replaceParts(in: exchange.request.body, collecting: &parts)

    let answered = try? ResponseReader.response(in: exchange)
    var by: JSONObject = ["host": .string(exchange.host)]
    by.set("model", answered?.provenance.model.map(JSONValue.string))
    by.set("stand-in", answered?.provenance.standIn.map(JSONValue.string))

    let value: JSONObject = [
      "schema": .number(Double(Recording.schema)),
      "key": .string(recording.identity.key),
      "repeat": .number(Double(recording.repetition)),
      "answered-by": .object(by),
      "recorded": .string(exchange.date.iso8601),
      "recorder": .string("sluice \(Version.current)"),
      "hints": [
        "suite": .string(recording.hints.suite), "case": .string(recording.hints.testCase),
        "prompt": .string(recording.hints.prompt),
        "prompt-digest": .string(String(recording.hints.promptDigest.prefix(16))),
      ],
      "parts": .object(
        JSONObject(recording.identity.parts.map { (name: $0.name, value: .string($0.digest)) })
      ),
      "request": .object(request),
      "response": .object(response(exchange)),
      "timings": .object(exchange.timings.json),
      "usage": answered?.usage.map { .object($0.json) } ?? .null,
    ]
    return (sealed(JSONWriter.line(.object(value))), parts)
  }

  /// A part line; its digest is that of its value.
  package static func partLine(digest: String, value: [UInt8]) -> [UInt8] {
    Array("{\"schema\":\(Recording.schema),\"part\":\"\(digest)\",\"value\":".utf8) + value
      + [UInt8(ascii: "}")]
  }

  private static func response(_ exchange: Exchange) -> JSONObject {
    var response: JSONObject = [
      "status": .number(Double(exchange.status)),
      "headers": .object(
        JSONObject(exchange.headers.map { (name: $0.name, value: .string($0.value)) })
      ),
    ]
    // A body is kept readable where that loses nothing but white space between its tokens, else as
    // the text or the bytes that came.
    if let value = readable(exchange.body) {
      response["body"] = value
    } else if UTF8Text.firstInvalidByte(in: exchange.body) == nil {
      response["body-text"] = .string(String(decoding: exchange.body, as: UTF8.self))
    } else {
      response["body-base64"] = .string(Base64.encode(exchange.body))
    }
    return response
  }

  /// The body as JSON, unless something were lost by that: lone surrogates and repeated members are,
  /// and so would be the line itself when the body is nested too deep to be read inside of it.
  private static func readable(_ body: [UInt8]) -> JSONValue? {
    func stripped(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 > 0x20 } }
    // Two levels deeper, as in the line.
    let nested = try? JSONReader.value(Array("[[".utf8) + body + Array("]]".utf8))
    guard let value = nested?.value(at: "0.0"), stripped(JSONWriter.line(value)) == stripped(body)
    else { return nil }
    return value
  }

  private static func replaceParts(
    in body: JSONValue,
    collecting parts: inout [String: [UInt8]]
  ) -> JSONValue {
    func part(_ value: JSONValue) -> JSONValue {
      let bytes = JSONWriter.canonical(value)
      guard bytes.count >= partThreshold else { return value }
      let digest = SHA256.hexadecimal(bytes)
      parts[digest] = bytes
      return [reference: .string(digest)]
    }
    guard var object = body.object else { return part(body) }
    for member in object.members {
      switch (member.name, member.value) {
      case ("messages", .array(let messages)):
        object["messages"] = .array(
          messages.map { message in
            guard var fields = message.object, let content = fields["content"] else {
              return message
            }
            fields["content"] = part(content)
            return .object(fields)
          }
        )
      default: object[member.name] = part(member.value)
      }
    }
    return .object(object)
  }

  /// The line with a digest of all that stands before it.
  static func sealed(_ line: [UInt8]) -> [UInt8] {
    let digest = SHA256.hexadecimal(line)
    return line.dropLast() + digestPrefix + Array(digest.utf8) + Array("\"}".utf8)
  }

  // MARK: Reading

  /// The line without its digest, if the digest is right.
  package static func opened(_ line: ArraySlice<UInt8>) throws(Problem) -> [UInt8] {
    let tail = digestPrefix.count + digestLength + 2
    guard line.count > tail, line.suffix(tail).starts(with: digestPrefix),
      line.suffix(2).elementsEqual("\"}".utf8)
    else {
      throw Problem(message: "the line does not end with its digest", fix: damaged)
    }
    let content = Array(line.dropLast(tail)) + [UInt8(ascii: "}")]
    let digest = line.suffix(digestLength + 2).prefix(digestLength)
    guard SHA256.hexadecimal(content).utf8.elementsEqual(digest) else {
      throw Problem(
        message: "the recording was changed after it was recorded: its digest does not fit",
        fix: damaged
      )
    }
    return content
  }

  /// The recording on a line.
  ///
  /// - Parameters:
  ///   - content: The line without its digest.
  ///   - part: The value of a part line, by digest.
  /// - Returns: The recording, with its parts back in place.
  /// - Throws: ``Problem`` when the line is no recording of this version.
  package static func recording(
    _ content: [UInt8],
    part: (String) -> JSONValue?
  ) throws(Problem) -> Recording {
    let unusable = Problem(message: "not a recording of this version", fix: "record it again")
    guard let line = try? JSONReader.value(content), line["schema"]?.integer == Recording.schema,
      let key = line["key"]?.string, let repetition = line["repeat"]?.integer,
      let request = line["request"], let backend = request["backend"]?.string,
      let api = request["api"]?.string, let model = request["model"]?.string,
      let body = request["body"], let response = line["response"],
      let status = response["status"]?.integer, let host = line["answered-by"]?["host"]?.string,
      let recorded = line["recorded"]?.string.flatMap(Timestamp.init(iso8601:))
    else { throw unusable }
    let bytes: [UInt8]
    if let value = response["body"] {
      bytes = JSONWriter.line(value)
    } else if let text = response["body-text"]?.string {
      bytes = Array(text.utf8)
    } else if let decoded = response["body-base64"]?.string.flatMap(Base64.decode) {
      bytes = decoded
    } else {
      throw unusable
    }
    let hints = line["hints"]
    return Recording(
      identity: RequestIdentity(
        key: key,
        parts: parts(of: line)
      ),
      repetition: repetition,
      exchange: Exchange(
        request: ModelRequest(
          backend: backend,
          api: api,
          model: model,
          body: try restoreParts(in: body, part: part),
          fingerprint: request["fingerprint"]?.string
        ),
        status: status,
        headers: (response["headers"]?.object?.members ?? []).compactMap { member in
          member.value.string.map { HTTPHeader(member.name, $0) }
        },
        body: bytes,
        timings: ResponseTimings(json: line["timings"] ?? .null),
        host: host,
        date: recorded
      ),
      hints: Recording.Hints(
        suite: hints?["suite"]?.string ?? "",
        testCase: hints?["case"]?.string ?? "",
        prompt: hints?["prompt"]?.string ?? "",
        promptDigest: hints?["prompt-digest"]?.string ?? ""
      )
    )
  }

  /// The digests of the parts of a request, from its line.
  static func parts(of line: JSONValue) -> [RequestIdentity.Part] {
    (line["parts"]?.object?.members ?? []).compactMap { member in
      member.value.string.map { RequestIdentity.Part(name: member.name, digest: $0) }
    }
  }

  private static func restoreParts(in body: JSONValue, part: (String) -> JSONValue?)
    throws(Problem) -> JSONValue
  {
    func restored(_ value: JSONValue) throws(Problem) -> JSONValue {
      guard let object = value.object, object.members.count == 1,
        let digest = object[reference]?.string
      else { return value }
      guard let value = part(digest) else {
        throw Problem(
          message: "the part \(digest.prefix(16)) that the recording refers to is missing",
          fix: "restore the file from version control, or record it again"
        )
      }
      return value
    }
    guard var object = body.object else { return try restored(body) }
    for member in object.members {
      if member.name == "messages", case .array(let messages) = member.value {
        var restoredMessages: [JSONValue] = []
        for message in messages {
          guard var fields = message.object, let content = fields["content"] else {
            restoredMessages.append(message)
            continue
          }
          fields["content"] = try restored(content)
          restoredMessages.append(.object(fields))
        }
        object["messages"] = .array(restoredMessages)
      } else {
        object[member.name] = try restored(member.value)
      }
    }
    return .object(object)
  }
}

extension RequestIdentity {
  init(key: String, parts: [Part]) {
    self.key = key
    self.parts = parts
  }
}
