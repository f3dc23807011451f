package import SluiceSupport

extension RecordingLines {
  private static let unusable = Problem(
    message: "this version cannot read the recording",
    fix: "record the answer again"
  )

  private static let unknownRoute = Problem(
    message: "this version does not know the recording's value of 'via'",
    fix: "update sluice, or record the answer again"
  )

  private static let lostPart = lostPart("a part line that the recording refers to is missing")

  /// The lookup of the parts that lines refer to; nil for a missing part.
  struct Parts {
    /// The format of answers, by the digest of the request's frame (all of the request except its
    /// messages).
    var form: (String) -> AnswerForm?
    var source: (String) -> RecordingSource?
  }

  // MARK: Answers

  /// Returns the answer of the recording on a line.
  ///
  /// The request is not read.
  ///
  /// - Parameters:
  ///   - line: A line with a valid digest.
  ///   - repeated: The parsed values of previous lines.
  ///   - parts: The parts that the line refers to.
  /// - Returns: The answer.
  /// - Throws: ``Problem`` if the line is not a valid recording.
  static func answer(
    _ line: UnsafeRawBufferPointer,
    _ repeated: inout RepeatedValues,
    _ parts: Parts
  ) throws(Problem) -> RecordedAnswer {
    var (host, date, timings): (String?, Timestamp?, ResponseTimings) = (
      nil, nil, ResponseTimings()
    )
    var source: RecordingSource?
    var hasSource = false
    var answerForm: AnswerForm?
    var response: UnsafeRawBufferPointer?
    var via: AnswerRoute?
    var isKnown = true
    JSONMembers.forEach(line) { name, place in
      let value = UnsafeRawBufferPointer(rebasing: line[place])
      if name.equals("source") {
        hasSource = true
        source = repeated.source(of: value, parts.source)
        host = source?.host
      } else if name.equals("answered-by") {
        // Up to schema 2, each line contains the host itself.
        host = repeated.host(of: value)
      } else if name.equals("recorded") {
        date = repeated.date(of: value)
      } else if name.equals("request") {
        if let place = JSONMembers.value("frame", in: value) {
          let digest = UnsafeRawBufferPointer(rebasing: value[place])
          answerForm = repeated.frame(of: digest).flatMap(parts.form)
        } else {
          answerForm = JSONMembers.value("api", in: value).flatMap { text(value, $0) }
            .map { AnswerForm(api: $0) }
        }
      } else if name.equals("response") {
        response = value
      } else if name.equals("timings") {
        timings = ResponseTimings(json: (try? JSONReader.value(value)) ?? .null)
      } else if name.equals("via") {
        via = (try? JSONReader.value(value))?.string.flatMap(AnswerRoute.init)
        isKnown = via != nil
      }
      return true
    }
    guard isKnown else { throw unknownRoute }
    if hasSource, source == nil { throw lostPart }
    guard let host, let date, let response else { throw unusable }
    guard let answerForm else { throw lostPart }
    guard
      var raw = rawResponse(
        response,
        &repeated,
        timings: timings,
        host: host,
        date: date
      )
    else {
      throw unusable
    }
    raw.via = via
    if let source {
      raw.stated = source.stated
      raw.headers =
        raw.headers.isEmpty
        ? source.headers : (source.headers + raw.headers).sorted { $0.name < $1.name }
    }
    return RecordedAnswer(api: answerForm.api, response: raw, places: answerForm.places)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer, _ place: Range<Int>) -> String? {
    (try? JSONReader.value(UnsafeRawBufferPointer(rebasing: bytes[place])))?.string
  }

  private static func rawResponse(
    _ text: UnsafeRawBufferPointer,
    _ repeated: inout RepeatedValues,
    timings: ResponseTimings,
    host: String,
    date: Timestamp
  ) -> RawResponse? {
    var status: Int?
    var headers: [HTTPHeader] = []
    var body: [UInt8]?
    var arrivals: [RawResponse.Arrival] = []
    var fallback: StreamFallback?
    var isKnown = true
    JSONMembers.forEach(text) { name, place in
      let value = UnsafeRawBufferPointer(rebasing: text[place])
      if name.equals("body") {
        body = Array(value)
        return true
      }
      if name.equals("headers") {
        headers = repeated.headers(of: value)
        return true
      }
      guard let json = try? JSONReader.value(value) else { return true }
      if name.equals("status") {
        status = json.integer
      } else if name.equals("body-text") {
        body = json.string.map { Array($0.utf8) }
      } else if name.equals("body-base64") {
        body = json.string.flatMap(Base64.decode)
      } else if name.equals("events") {
        (body, arrivals) = events(json)
      } else if name.equals("fallback") {
        fallback = StreamFallback(json: json)
        isKnown = fallback != nil
      }
      return true
    }
    guard let status, let body, isKnown else { return nil }
    var response = RawResponse(
      status: status,
      headers: headers,
      body: body,
      arrivals: arrivals,
      timings: timings,
      host: host,
      date: date
    )
    response.fallback = fallback
    return response
  }

  /// Returns the body that streamed pieces form, and the arrival time of each piece; the body is
  /// nil if a piece is invalid.
  private static func events(_ json: JSONValue) -> (body: [UInt8]?, [RawResponse.Arrival]) {
    var body: [UInt8] = []
    var arrivals: [RawResponse.Arrival] = []
    for event in json.array ?? [] {
      guard let fields = event.array, fields.count > 1, let time = fields[0].number else {
        return (nil, [])
      }
      if let text = fields[1].string {
        body += Array(text.utf8)
      } else if fields.count > 2, let bytes = fields[2].string.flatMap(Base64.decode) {
        body += bytes
      } else {
        return (nil, [])
      }
      arrivals.append(RawResponse.Arrival(milliseconds: time, end: body.count))
    }
    return arrivals.isEmpty ? (nil, []) : (body, arrivals)
  }

  // MARK: Whole recordings

  /// Returns the recording on a line.
  ///
  /// The parts to which the line refers are inserted.
  ///
  /// - Parameters:
  ///   - line: A line with a valid digest.
  ///   - part: Returns the value of a part, given its digest.
  /// - Returns: The recording.
  /// - Throws: ``Problem`` if the line is not a valid recording.
  package static func recording(
    _ line: UnsafeRawBufferPointer,
    part: (String) -> JSONValue?
  ) throws(Problem) -> Recording {
    guard let value = try? JSONReader.value(line), let key = value["key"]?.string,
      let repetition = value["repeat"]?.integer, let written = value["request"]
    else { throw unusable }
    let request = try request(written, part: part)
    var repeated = RepeatedValues()
    var source: RecordingSource?
    if let digest = value["source"]?.string {
      guard let read = RecordingSource(json: try found(digest, part)) else { throw unusable }
      source = read
    }
    let parts = Parts(form: { _ in AnswerForm(api: request.api) }, source: { _ in source })
    let answer = try answer(line, &repeated, parts)
    return Recording(
      key: key,
      repetition: repetition,
      exchange: Exchange(request: request, response: answer.response),
      hints: hints(value["hints"], source),
      recorder: source?.recorder ?? value["recorder"]?.string ?? ""
    )
  }

  /// Returns the hints that explain a miss.
  ///
  /// The first schema has no digests of inputs and templates.
  private static func hints(_ hints: JSONValue?, _ source: RecordingSource?) -> Recording.Hints {
    Recording.Hints(
      suite: source?.suite ?? hints?["suite"]?.string ?? "",
      testCase: hints?["case"]?.string ?? "",
      inputDigest: hints?["input-digest"]?.string ?? "",
      prompt: source?.prompt ?? hints?["prompt"]?.string ?? "",
      templateDigest: source?.templateDigest ?? hints?["template-digest"]?.string ?? ""
    )
  }

  private static func request(
    _ written: JSONValue,
    part: (String) -> JSONValue?
  ) throws(Problem) -> ModelRequest {
    var frame = written
    if let digest = written["frame"]?.string { frame = try found(digest, part) }
    guard let backend = frame["backend"]?.string, let api = frame["api"]?.string,
      let model = frame["model"]?.string, var body = frame["body"]
    else { throw unusable }
    let names = ModelAPI.messageNames(in: api)
    if case .array(let messages)? = written["messages"], var object = body.object {
      object[names.list] = .array(messages)
      body = .object(object)
    }
    var request = ModelRequest(
      backend: backend,
      api: api,
      model: model,
      body: try restored(body, names, part: part),
      fingerprint: frame["fingerprint"]?.string
    )
    request.places = frame["answer"].map { AnswerPlaces(json: $0) }
    return request
  }

  private static func found(_ digest: String, _ part: (String) -> JSONValue?) throws(Problem)
    -> JSONValue
  {
    if let value = part(digest) { return value }
    throw missingPart(digest)
  }

  /// Returns the error for a part that is damaged or missing from the file.
  static func missingPart(_ digest: String) -> Problem {
    lostPart("the part line \(digest.prefix(16)) that the recording refers to is missing")
  }

  private static func lostPart(_ message: String) -> Problem {
    Problem(
      message: message,
      fix: "restore the file from version control, or record the answer again",
      isLostPart: true
    )
  }

  /// Returns a body with its parts inserted.
  ///
  /// A part is a whole member, or the content of a message.
  private static func restored(
    _ body: JSONValue,
    _ names: ModelAPI.MessageNames,
    part: (String) -> JSONValue?
  ) throws(Problem) -> JSONValue {
    func value(_ value: JSONValue) throws(Problem) -> JSONValue {
      guard let object = value.object, object.members.count == 1,
        let digest = object[reference]?.string
      else { return value }
      return try found(digest, part)
    }
    guard var object = body.object else { return try value(body) }
    for member in object.members {
      guard member.name == names.list, case .array(var messages) = member.value else {
        object[member.name] = try value(member.value)
        continue
      }
      for index in messages.indices {
        guard var fields = messages[index].object, let content = fields[names.content] else {
          continue
        }
        fields[names.content] = try value(content)
        messages[index] = .object(fields)
      }
      object[names.list] = .array(messages)
    }
    return .object(object)
  }
}

extension RecordingLines {
  /// Returns the digests of the parts that a line refers to.
  static func references(in line: JSONValue) -> Set<String> {
    var digests: Set<String> = []
    if let source = line["source"]?.string { digests.insert(source) }
    guard let request = line["request"] else { return digests }
    if let frame = request["frame"]?.string { digests.insert(frame) }
    let body = request["body"]?.object?.members.map(\.value) ?? []
    let messages = (request["messages"] ?? request["body"]?["messages"])?.array ?? []
    for value in body + messages.compactMap({ $0["content"] ?? $0["parts"] }) {
      if value.object?.members.count == 1, let digest = value[reference]?.string {
        digests.insert(digest)
      }
    }
    return digests
  }
}
