package import SluiceSupport

/// A line of a batch's results: the answer to a request, or the reason why there is none.
package struct BatchResult: Hashable, Sendable {
  /// The `custom_id` of the request, or the `key` of a line in Gemini's format.
  package var id: String
  package var content: Content

  package enum Content: Hashable, Sendable {
    /// The status and body of a response.
    case response(status: Int, body: [UInt8])
    /// The reason why the service did not send the request or received no response.
    case failed(String)
  }

  /// Reads a result line in the format of OpenAI, Anthropic or Gemini.
  ///
  /// Also accepts a line that contains the answer directly in `response` or `body`, and a line that
  /// is itself a chat completion.
  ///
  /// - Parameter line: The line without its line break.
  /// - Throws: ``BatchLineFault`` if the line cannot be used.
  package init(_ line: UnsafeBufferPointer<UInt8>) throws(BatchLineFault) {
    let members = try BatchMembers(line)
    id = try members.requiredID()
    do throws(BatchLineFault) {
      content = try Self.content(members, line)
    } catch {
      var fault = error
      fault.message = "'\(id)': \(fault.message)"
      fault.isBatchLine = true
      throw fault
    }
  }

  private static func content(
    _ members: BatchMembers,
    _ line: UnsafeBufferPointer<UInt8>
  ) throws(BatchLineFault) -> Content {
    let asks =
      members["params"] != nil
      || members["request"] != nil && members["response"] == nil && members["error"] == nil
    if asks { throw asksFault }
    if let error = members["error"]?.jsonValue, !ServerFault.isEmpty(error) {
      return .failed(words(of: error))
    }
    if let response = members["response"] { return try content(ofResponse: response) }
    if let result = members["result"] { return try content(ofResult: result) }
    if let body = members["body"] {
      if JSONMembers.value("messages", in: body) != nil || members["url"] != nil {
        throw asksFault
      }
      let status = try status(members["status_code"])
      return .response(status: status, body: try object(body, "body"))
    }
    if members["choices"] != nil {
      return .response(status: 200, body: normalized(UnsafeRawBufferPointer(line)))
    }
    throw BatchLineFault("the line has neither a response nor an error")
  }

  private static var asksFault: BatchLineFault {
    BatchLineFault(
      "the line is a request, not a result",
      fix: "pass the results file as FILE, and this file with --requests"
    )
  }

  /// Reads a result of an Anthropic batch.
  private static func content(ofResult result: UnsafeRawBufferPointer)
    throws(BatchLineFault) -> Content
  {
    guard result.first == UInt8(ascii: "{") else {
      throw BatchLineFault("'result' is not an object")
    }
    func member(_ name: StaticString) -> UnsafeRawBufferPointer? {
      JSONMembers.value(name, in: result).map { UnsafeRawBufferPointer(rebasing: result[$0]) }
    }
    switch member("type")?.jsonValue?.string {
    case "succeeded":
      guard let message = member("message") else {
        throw BatchLineFault("'result' has no message")
      }
      return .response(status: 200, body: try object(message, "the message of 'result'"))
    case "errored":
      let error = member("error")?.jsonValue ?? .null
      // The server's error is inside of another object of type `error`.
      return .failed(words(of: error["error"] ?? error))
    case "expired": return .failed("expired: the request was not sent in time")
    case "canceled": return .failed("canceled: the batch was canceled before the request was sent")
    case let type?:
      throw BatchLineFault("'result' has the unknown type '\(type.prefix(100))'")
    case nil: throw BatchLineFault("'result' has no type")
    }
  }

  private static func content(ofResponse response: UnsafeRawBufferPointer)
    throws(BatchLineFault) -> Content
  {
    guard response.first == UInt8(ascii: "{") else {
      throw BatchLineFault("'response' is not an object")
    }
    func member(_ name: StaticString) -> UnsafeRawBufferPointer? {
      JSONMembers.value(name, in: response).map {
        UnsafeRawBufferPointer(rebasing: response[$0])
      }
    }
    if let body = member("body"), !body.equals("null") {
      let status = try status(member("status_code"))
      return .response(status: status, body: try object(body, "the body of 'response'"))
    }
    guard BatchForm.api(ofAnswer: response) != nil else {
      throw BatchLineFault("'response' has no body")
    }
    return .response(status: 200, body: normalized(response))
  }

  /// Returns the status of a response; 200 if the line does not contain one.
  private static func status(_ text: UnsafeRawBufferPointer?) throws(BatchLineFault) -> Int {
    guard let text, !text.equals("null") else { return 200 }
    guard let status = text.jsonValue?.integer, (100..<600).contains(status) else {
      throw BatchLineFault("'status_code' is not an HTTP status")
    }
    return status
  }

  private static func object(_ body: UnsafeRawBufferPointer, _ name: String)
    throws(BatchLineFault) -> [UInt8]
  {
    guard body.first == UInt8(ascii: "{") else {
      throw BatchLineFault("\(name) is not an object")
    }
    return normalized(body)
  }

  /// Returns a body on one line, with as few escapes as possible.
  ///
  /// If this would change the meaning of the body, returns the body as it is written.
  ///
  /// Services and programs rewrite batch files, so the escapes and spaces of a body do not come
  /// from the model.
  private static func normalized(_ body: UnsafeRawBufferPointer) -> [UInt8] {
    let raw = Array(body)
    let read = try? JSONReader.read(raw) { reader throws(JSONSyntaxError) in
      (value: try reader.readValue(), hasDuplicates: reader.hasDuplicates)
    }
    guard let read, !read.hasDuplicates else { return raw }
    let line = JSONWriter.line(read.value)
    // Reading replaces a lone surrogate with this character.
    let replaced = Array("\u{FFFD}".utf8)
    return !replaced.isPresent(in: line) || replaced.isPresent(in: raw) ? line : raw
  }

  /// Returns the message of an error, such as `batch_expired: This request could not be executed`.
  private static func words(of error: JSONValue) -> String {
    // Google's errors have the name of the error as `status`, and Anthropic's have it as `type`.
    let code =
      error["status"]?.string ?? error["code"].flatMap { $0.string ?? $0.integer.map(String.init) }
      ?? error["type"]?.string
    let message = error["message"]?.string ?? error.string
    let words = [code, message].compactMap(\.self).filter { !$0.isEmpty }
    let text = words.isEmpty ? error.jsonText : words.joined(separator: ": ")
    return String(text.prefix(BatchLimits.wordLength))
  }
}

extension BatchResult {
  /// Returns the response in the form in which it is recorded; nil if there is no response.
  ///
  /// - Parameters:
  ///   - via: The route of the answer.
  ///   - statement: The origin of the answer, as far as it is known.
  ///   - now: The time of the import.
  /// - Returns: The response. If `statement` has no date, the date of the answer is read from
  ///   `created` in the body.
  package func response(
    _ via: AnswerRoute,
    _ statement: AnswerStatement,
    now: Timestamp
  ) -> RawResponse? {
    guard case .response(let status, let body) = content else { return nil }
    var response = RawResponse(status: status, body: body, host: "", date: now)
    response.via = via
    var statement = statement
    statement.day = statement.day ?? Self.day(in: body, before: now)
    response.stated = statement.known
    return response
  }

  /// The API that the answer comes from, judging by the members of the answer's body; nil if no API
  /// sends these members.
  package var api: ModelAPI? {
    guard case .response(_, let body) = content else { return nil }
    return body.withUnsafeBytes { BatchForm.api(ofAnswer: $0) }
  }

  /// Returns the date in `created`, or in `created_at` of the Responses API; nil if no model can
  /// have answered on that date.
  private static func day(in body: [UInt8], before now: Timestamp) -> String? {
    let created = body.withUnsafeBytes { body in
      (JSONMembers.value("created", in: body) ?? JSONMembers.value("created_at", in: body))
        .flatMap { UnsafeRawBufferPointer(rebasing: body[$0]).jsonValue?.number }
        .flatMap { Int(exactly: $0.rounded(.down)) }
    }
    guard let created, created > earliest, created <= now.seconds else { return nil }
    return Timestamp(seconds: created).day
  }

  /// The start of 2020, in Unix time.
  ///
  /// Earlier dates are placeholders.
  private static let earliest = 1_577_836_800

  /// The reason why there is no answer; nil if there is a response with a successful status.
  package var failure: String? {
    switch content {
    case .failed(let words): "the batch service gave no answer: \(words)"
    case .response(let status, let body):
      (200..<300).contains(status)
        ? nil : ServerFault.refused(status: status, body: body, hiding: nil).message
    }
  }
}
