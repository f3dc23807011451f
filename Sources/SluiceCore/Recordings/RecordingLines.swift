import SluiceSupport

/// The conversion of recordings to the lines of their file, and back.
///
/// Values that recur are stored once per file, on separate lines called parts. Other lines refer to
/// a part by its digest. Parts are the source of answers, the frame of a request (all of the
/// request except its messages), and long texts of messages. The parts of a recording depend only
/// on that recording. So adding a recording never rewrites other lines, and two branches that add
/// recordings can be merged.
package enum RecordingLines {
  /// The member that refers to a part.
  ///
  /// Requests contain no member of that name.
  static let reference = "$part"
  private static let digestMember: StaticString = #","digest":""#
  private static let digestLength = 64
  /// The length of the end of a line, after the digested content: `,"digest":"…"}`.
  private static let sealLength = digestMember.utf8CodeUnitCount + digestLength + 2

  /// The fix for a damaged line.
  ///
  /// Recording never modifies a file that contains such a line.
  static let damaged =
    "restore the line from version control, or delete it and record the answer again"

  /// The reason why a line cannot be used.
  package struct Problem: Error, Hashable {
    package var message: String
    package var fix: String?
    /// True if the file lacks a part that the line refers to.
    var isLostPart = false
  }

  // MARK: Writing

  /// Returns the line of a recording, and the parts that the line refers to.
  ///
  /// The line ends with its own digest. The keys of the returned parts are their digests.
  package static func line(of recording: Recording) -> (line: [UInt8], parts: [String: [UInt8]]) {
    var parts: [String: [UInt8]] = [:]
    let exchange = recording.exchange
    let answered = try? ResponseReader.response(in: exchange)
    let source = RecordingSource(recording, answered)
    var hints: JSONObject = ["case": .string(recording.hints.testCase)]
    if !recording.hints.inputDigest.isEmpty {
      hints["input-digest"] = .string(recording.hints.inputDigest)
    }
    let messages = RequestIdentity(exchange.request).parts.filter { $0.kind == .message }

    var value: JSONObject = [
      "schema": .number(Double(Recording.schema)),
      "key": .string(recording.key),
      "repeat": .number(Double(recording.repetition)),
      "source": .string(part(source.json, collecting: &parts)),
      "recorded": .string(exchange.response.date.iso8601),
      "hints": .object(hints),
      "parts": .object(JSONObject(messages.map { (name: $0.name, value: .string($0.digest)) })),
      "request": .object(request(exchange.request, collecting: &parts)),
      "response": .object(response(exchange.response)),
      "timings": .object(exchange.response.timings.json),
      "usage": answered?.usage.map { .object($0.json) } ?? .null,
    ]
    value.set("via", exchange.response.via.map { .string($0.rawValue) })
    return (sealed(JSONWriter.line(.object(value))), parts)
  }

  /// Returns the lines to append to a journal for a recording: first the missing parts, then the
  /// recording.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - known: The digests of the parts that the journal contains. The digests of new parts are
  ///     added.
  /// - Returns: The lines, each with its line break.
  package static func entry(
    of recording: Recording,
    besides known: inout Set<String>
  ) -> [UInt8] {
    let (line, parts) = line(of: recording)
    var bytes: [UInt8] = []
    for (digest, value) in parts.sorted(by: { $0.key < $1.key })
    where known.insert(digest).inserted {
      bytes += partLine(digest: digest, value: value) + [0x0A]
    }
    return bytes + line + [0x0A]
  }

  /// Returns the line of a part.
  ///
  /// The digest of a part is the digest of its value.
  package static func partLine(digest: String, value: [UInt8]) -> [UInt8] {
    Array("{\"schema\":\(Recording.schema),\"part\":\"\(digest)\",\"value\":".utf8) + value
      + [UInt8(ascii: "}")]
  }

  /// Returns the digest that refers to a part.
  ///
  /// Half of a SHA-256 digest is enough to identify a text.
  static func partDigest(_ value: [UInt8]) -> String {
    String(SHA256.hexadecimal(value).prefix(32))
  }

  /// Returns a request as its messages and the digest of its frame (everything else).
  private static func request(
    _ request: ModelRequest,
    collecting parts: inout [String: [UInt8]]
  ) -> JSONObject {
    var body = request.body
    var messages: [JSONValue]?
    let names = ModelAPI.messageNames(in: request.api)
    if var object = body.object, case .array(let list)? = object[names.list] {
      messages = list.map { message($0, names.content, collecting: &parts) }
      object[names.list] = nil
      body = .object(object)
    }
    var frame: JSONObject = [
      "backend": .string(request.backend), "api": .string(request.api),
      "model": .string(request.model), "body": body,
    ]
    frame.set("fingerprint", request.fingerprint.map(JSONValue.string))
    frame.set("answer", request.places.map { .object($0.json) })
    var object: JSONObject = ["frame": .string(part(.object(frame), collecting: &parts))]
    object.set("messages", messages.map(JSONValue.array))
    return object
  }

  /// Returns a message as it is written on the line.
  ///
  /// Content that is longer than the limit for the message's role becomes a part.
  private static func message(
    _ message: JSONValue,
    _ name: String,
    collecting parts: inout [String: [UInt8]]
  ) -> JSONValue {
    guard var fields = message.object, let content = fields[name] else { return message }
    // User messages rarely recur, but other messages nearly always do. So user messages have the
    // higher limit.
    let threshold = fields["role"]?.string == MessageRole.user.rawValue ? 256 : 64
    guard JSONWriter.canonical(content).count >= threshold else { return message }
    fields[name] = [reference: .string(part(content, collecting: &parts))]
    return .object(fields)
  }

  private static func part(_ value: JSONValue, collecting parts: inout [String: [UInt8]]) -> String
  {
    let bytes = JSONWriter.canonical(value)
    let digest = partDigest(bytes)
    parts[digest] = bytes
    return digest
  }

  private static func response(_ response: RawResponse) -> JSONObject {
    var object: JSONObject = ["status": .number(Double(response.status))]
    let own = response.headers.filter { !RecordingSource.isCommon($0) }
    if !own.isEmpty { object["headers"] = .object(JSONObject(own)) }
    object.set("fallback", response.fallback.map { .object($0.json) })
    // A body is stored as readable JSON if only white space between its tokens is lost. Otherwise
    // it is stored as text or bytes.
    if !response.arrivals.isEmpty {
      object["events"] = events(response)
    } else if let value = readable(response.body) {
      object["body"] = value
    } else if UTF8Text.firstInvalidByte(in: response.body) == nil {
      object["body-text"] = .string(String(decoding: response.body, as: UTF8.self))
    } else {
      object["body-base64"] = .string(Base64.encode(response.body))
    }
    return object
  }

  /// Returns the pieces of a streamed body with their arrival times.
  ///
  /// Each piece is written as `[milliseconds, text]`. If a piece is not valid text, its bytes are a
  /// third element, in base64.
  private static func events(_ response: RawResponse) -> JSONValue {
    var start = 0
    var events: [JSONValue] = []
    for (index, arrival) in response.arrivals.enumerated() {
      // Bytes that follow the last recorded arrival belong to the last piece.
      let isLast = index == response.arrivals.count - 1
      let end = isLast ? response.body.count : max(start, min(arrival.end, response.body.count))
      let piece = Array(response.body[start..<end])
      let time = JSONValue.number(arrival.milliseconds)
      if UTF8Text.firstInvalidByte(in: piece) == nil {
        events.append([time, .string(String(decoding: piece, as: UTF8.self))])
      } else {
        events.append([time, nil, .string(Base64.encode(piece))])
      }
      start = end
    }
    return .array(events)
  }

  /// Returns the body as JSON.
  ///
  /// Nil if that would lose lone surrogates or repeated members, or if the body is nested too
  /// deeply to be read inside of the line.
  private static func readable(_ body: [UInt8]) -> JSONValue? {
    func stripped(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 > 0x20 } }
    // Reads the body two levels deeper, because it is nested that deeply on the line.
    let nested = try? JSONReader.value(Array("[[".utf8) + body + Array("]]".utf8))
    guard let value = nested?.value(at: "0.0"), stripped(JSONWriter.line(value)) == stripped(body)
    else { return nil }
    return value
  }

  // MARK: Seal

  /// Returns the line with a digest of its content at the end.
  static func sealed(_ line: [UInt8]) -> [UInt8] {
    let digest = SHA256.hexadecimal(line)
    var sealed = line
    sealed.removeLast()
    sealed += "\(digestMember)\(digest)\"}".utf8
    return sealed
  }

  /// Returns true if a line ends with the correct digest of its content.
  static func isSealed(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let (content, digest) = parted(line) else { return false }
    return SHA256.digest(content, closedBy: UInt8(ascii: "}")).isWritten(as: digest)
  }

  /// Splits a line into its digested content, without the final brace, and the digest at its end.
  private static func parted(_ line: UnsafeRawBufferPointer) -> (
    content: UnsafeRawBufferPointer, digest: UnsafeRawBufferPointer
  )? {
    guard line.count > sealLength else { return nil }
    let place = line.count - sealLength
    let seal = UnsafeRawBufferPointer(rebasing: line[place...])
    guard seal.starts(with: digestMember), seal[sealLength - 1] == UInt8(ascii: "}"),
      seal[sealLength - 2] == UInt8(ascii: "\"")
    else { return nil }
    return (
      UnsafeRawBufferPointer(rebasing: line[..<place]),
      UnsafeRawBufferPointer(rebasing: seal[digestMember.utf8CodeUnitCount..<(sealLength - 2)])
    )
  }

  // MARK: Checking

  /// Returns true if a line is in the current schema.
  package static func isOfCurrentSchema(_ line: [UInt8]) -> Bool {
    line.withUnsafeBytes { slot(of: $0) != nil }
  }

  /// The kind of a line in a recordings file.
  package enum Kind: Equatable {
    case recording(Recording.Slot)
    /// A part.
    ///
    /// `value` is the range of the part's value in the line.
    case part(digest: String, value: Range<Int>)
  }

  /// Returns the kind of a line, and checks its digest.
  ///
  /// - Throws: ``Problem`` if the line is not valid, or was modified.
  package static func kind(of line: UnsafeRawBufferPointer) throws(Problem) -> Kind {
    if let slot = slot(of: line), isSealed(line) { return .recording(slot) }
    return try examined(line)
  }

  /// Returns the slot of a line in the format that this version writes.
  ///
  /// The digest is not checked.
  private static func slot(of line: UnsafeRawBufferPointer) -> Recording.Slot? {
    let head: StaticString = #"{"schema":3,"key":""#
    let next: StaticString = #"","repeat":"#
    let keyStart = head.utf8CodeUnitCount
    let repeatStart = keyStart + 64 + next.utf8CodeUnitCount
    guard line.count > repeatStart, line.starts(with: head),
      UnsafeRawBufferPointer(rebasing: line[(keyStart + 64)..<repeatStart]).equals(next)
    else { return nil }
    var repetition = 0
    for byte in line[repeatStart...].prefix(9) {
      guard byte &- 0x30 < 10 else { break }
      repetition = repetition * 10 + Int(byte &- 0x30)
    }
    let key = UnsafeRawBufferPointer(rebasing: line[keyStart..<(keyStart + 64)])
    return repetition > 0 ? Recording.Slot(key: key, repetition: repetition) : nil
  }

  /// Returns the kind of a line that is a part or has an earlier schema; throws an error for any
  /// other line.
  ///
  /// This is the slow path.
  private static func examined(_ line: UnsafeRawBufferPointer) throws(Problem) -> Kind {
    guard let value = try? JSONReader.value(line) else {
      throw Problem(message: "not valid JSON", fix: damaged)
    }
    guard let schema = value["schema"]?.integer, Recording.readableSchemas.contains(schema) else {
      throw Problem(
        message: "the recording has schema \(value["schema"]?.jsonText ?? "unknown"); this "
          + "version reads schemas \(Recording.readableSchemas.lowerBound) to "
          + "\(Recording.readableSchemas.upperBound)",
        fix: "update sluice, or delete the line and record the answer again"
      )
    }
    if let digest = value["part"]?.string, let content = value["value"],
      let place = JSONMembers.value("value", in: line)
    {
      let full = SHA256.hexadecimal(JSONWriter.canonical(content))
      guard digest.utf8.count >= 32, full.hasPrefix(digest) else {
        throw Problem(
          message: "the part was changed after it was recorded: its digest does not match",
          fix: damaged
        )
      }
      return .part(digest: digest, value: place)
    }
    guard parted(line) != nil else {
      throw Problem(message: "the line does not end with a digest", fix: damaged)
    }
    guard isSealed(line) else {
      throw Problem(
        message: "the recording was changed after it was recorded: its digest does not match",
        fix: damaged
      )
    }
    guard let key = value["key"]?.string, key.utf8.count == 64,
      let repetition = value["repeat"]?.integer, repetition > 0
    else {
      throw Problem(message: "the recording has no key", fix: damaged)
    }
    return .recording(Recording.Slot(key: key, repetition: repetition))
  }
}
