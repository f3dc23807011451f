import SluiceSupport

extension Trial {
  /// The outcome, as run logs and reports name it.
  package var outcomeName: String { outcome.name }

  /// Appends the members of a trial as run logs and baselines contain them, without the braces of
  /// the object.
  ///
  /// - Parameters:
  ///   - bytes: The buffer to append to.
  ///   - isAlone: True if the line must contain all values. False if the first line of the file
  ///     contains the values that all trials share.
  ///   - key: Receives a key. Two trials have the same key if their scores are equal, except for
  ///     explanations.
  /// - Returns: The range of the `scores` value.
  @discardableResult
  func appendMembers(
    to bytes: inout ByteBuffer,
    isAlone: Bool = true,
    key: inout [UInt8]
  ) -> Range<Int> {
    if isAlone { bytes.append("\"kind\":\"trial\",") }
    bytes.append("\"case\":")
    JSONWriter.append(caseID, to: &bytes)
    bytes.append(",\"case-digest\":")
    caseVersion.appendJSON(to: &bytes)
    if isAlone || !tags.isEmpty {
      bytes.append(",\"tags\":")
      JSONWriter.append(tags, to: &bytes)
    }
    if isAlone {
      bytes.append(",\"prompt\":")
      JSONWriter.append(prompt, to: &bytes)
      bytes.append(",\"backend\":")
      JSONWriter.append(backend, to: &bytes)
    }
    if isAlone || repetition != 1 {
      bytes.append(",\"repeat\":")
      JSONWriter.append(repetition, to: &bytes)
    }
    bytes.append(",\"request\":")
    request.appendJSON(to: &bytes)
    bytes.append(",\"outcome\":")
    JSONWriter.append(outcomeName, to: &bytes)
    JSONWriter.append(member: "split", split, to: &bytes)
    JSONWriter.append(member: "cluster", cluster, to: &bytes)
    if case .lost(let loss) = outcome {
      JSONWriter.append(member: "reason", loss.message, to: &bytes)
    }
    bytes.append(",\"scores\":")
    let start = bytes.count
    NamedScore.append(scores, to: &bytes, key: &key)
    let end = bytes.count
    if isAnswered {
      bytes.append(",\"response-digest\":")
      answer.storedDigest.appendJSON(to: &bytes)
      JSONWriter.append(member: "finish-reason", answer.finishReason, to: &bytes)
      answer.usage?.appendMember(to: &bytes)
      JSONWriter.append(member: "service-tier", answer.serviceTier, to: &bytes)
      if let cost = answer.pricedCost {
        bytes.append(",\"cost\":")
        JSONWriter.append(cost, to: &bytes)
      }
      if let cost = answer.reportedCost {
        bytes.append(",\"reported-cost\":")
        JSONWriter.append(cost, to: &bytes)
      }
      answer.timings.appendMember(to: &bytes)
      if let fallback = answer.fallback {
        bytes.append(",\"fallback\":")
        JSONWriter.append(.object(fallback.json), to: &bytes)
      }
      if !answer.judging.isEmpty {
        bytes.append(",\"judging\":")
        JSONWriter.append(.array(answer.judging.map(\.json)), to: &bytes)
      }
      bytes.append(",\"answered-by\":")
      bytes += answer.source.json
    }
    return start..<end
  }

  /// Reads a line of a run log; nil if the line is invalid.
  init?(json: JSONValue) {
    guard let object = json.object, let sheet = json["scores"].flatMap(ScoreSheet.init(json:)),
      let facts = Facts(object, sheet, json["answered-by"].map(AnswerOrigin.init(json:)))
    else { return nil }
    self.init(facts)
  }
}

extension Trial.Facts {
  /// Reads a line of a run log, or a line of a baseline with the shared values added; nil if the
  /// line is invalid.
  ///
  /// - Parameters:
  ///   - json: The members of the line.
  ///   - sheet: The scores on the line.
  ///   - source: The origin of the answer; nil if the line does not contain it.
  init?(_ json: JSONObject, _ sheet: ScoreSheet, _ source: AnswerOrigin?) {
    guard json["kind"]?.string == "trial", let caseID = json["case"]?.string,
      let caseDigest = json["case-digest"]?.string, let prompt = json["prompt"]?.string,
      let backend = json["backend"]?.string, let repetition = json["repeat"]?.integer,
      let requestKey = json["request"]?.string, let outcome = Trial.Outcome(json)
    else { return nil }
    let output = Trial.Output(json, source ?? AnswerOrigin(Provenance()))
    // Only a lost trial may lack an answer. An empty answer counts as an answer.
    if output == nil {
      guard case .lost = outcome else { return nil }
    }
    self.init(
      caseID: caseID,
      caseDigest: DigestText(caseDigest),
      labels: CaseLabels(
        tags: json["tags"]?.array?.compactMap(\.string) ?? [],
        split: json["split"]?.string,
        cluster: json["cluster"]?.string
      ),
      column: Column(prompt: prompt, backend: backend),
      repetition: repetition,
      requestKey: DigestText(requestKey),
      outcome: outcome,
      sheet: sheet,
      output: output
    )
  }
}

extension ScoreSheet {
  /// Reads the scores on a line; nil if they are invalid.
  convenience init?(json: JSONValue) {
    guard let scores = json.array else { return nil }
    var named: [Trial.NamedScore] = []
    named.reserveCapacity(scores.count)
    for score in scores {
      guard let score = Trial.NamedScore(json: score) else { return nil }
      named.append(score)
    }
    self.init(named)
  }
}

extension AnswerOrigin {
  /// Reads the provenance on a line.
  convenience init(json: JSONValue) { self.init(Provenance(json: json)) }
}

extension Trial.Outcome {
  /// The outcome, as run logs and reports name it.
  var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .unjudged: "unjudged"
    case .lost: "lost"
    }
  }

  fileprivate init?(_ json: JSONObject) {
    switch json["outcome"]?.string {
    case "passed": self = .passed
    case "failed": self = .failed
    case "unjudged": self = .unjudged
    case "lost": self = .lost(.stated(json["reason"]?.string ?? "lost"))
    default: return nil
    }
  }
}

extension Trial.NamedScore {
  /// Appends scores as a JSON array.
  ///
  /// - Parameters:
  ///   - scores: The scores.
  ///   - bytes: The buffer to append to.
  ///   - key: Receives a key. Two trials have the same key if their scores are equal, except for
  ///     explanations.
  static func append(_ scores: [Trial.NamedScore], to bytes: inout ByteBuffer, key: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, score) in scores.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      let start = bytes.count
      let explanation = score.append(to: &bytes)
      key += bytes.units[start..<explanation.lowerBound]
      key += bytes.units[explanation.upperBound...]
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends scores as a JSON array.
  package static func append(_ scores: [Trial.NamedScore], to bytes: inout ByteBuffer) {
    bytes.append(UInt8(ascii: "["))
    for (index, score) in scores.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      score.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends the score as a JSON object.
  ///
  /// - Parameter bytes: The buffer to append to.
  /// - Returns: The range of the explanation, including its name and the comma before it.
  @discardableResult
  func append(to bytes: inout ByteBuffer) -> Range<Int> {
    bytes.append("{\"scorer\":")
    JSONWriter.append(name, to: &bytes)
    bytes.append(",\"outcome\":")
    JSONWriter.append(score.outcome.rawValue, to: &bytes)
    let start = bytes.count
    if !score.explanation.isEmpty {
      bytes.append(",\"explanation\":")
      JSONWriter.append(score.explanation, to: &bytes)
    }
    let end = bytes.count
    if score.isUnusable { bytes.append(",\"unusable\":true") }
    if score.isAdvisory { bytes.append(",\"advisory\":true") }
    if !score.measurements.members.isEmpty {
      bytes.append(",\"measurements\":")
      JSONWriter.append(.object(score.measurements), to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return start..<end
  }

  init?(json: JSONValue) {
    guard let name = json["scorer"]?.string,
      let outcome = json["outcome"]?.string.flatMap(Score.Outcome.init)
    else { return nil }
    var score = Score(
      outcome,
      isUnusable: json["unusable"]?.bool ?? false,
      explanation: json["explanation"]?.string ?? "",
      measurements: json["measurements"]?.object ?? [:]
    )
    score.isAdvisory = json["advisory"]?.bool ?? false
    self.init(name: name, score: score)
  }
}

extension Trial.Output {
  fileprivate init?(_ json: JSONObject, _ source: AnswerOrigin) {
    guard let digest = json["response-digest"]?.string else { return nil }
    let (usage, timings) = (json["usage"], json["timings"])
    self.init(
      // If an answer has no text, the digest is that of an empty text, or that of the refusal.
      text: json["text"]?.string
        ?? (json["refusal"] != nil || digest == SHA256.hexadecimal("".utf8) ? "" : nil),
      digest: DigestText(digest),
      finishReason: json["finish-reason"]?.string,
      usage: usage.map { TokenUsage(json: $0) },
      cost: json["cost"]?.number,
      timings: ResponseTimings(json: timings ?? .null),
      source: source,
      reportedCost: json["reported-cost"]?.number,
      fallback: json["fallback"].flatMap(StreamFallback.init)
    )
    let judging = (json["judging"]?.array ?? []).compactMap { JudgeWork(json: $0) }
    if !judging.isEmpty { self.judging = judging }
    if let words = json["refusal"]?.string { refusal = words }
    if let tier = json["service-tier"]?.string { serviceTier = tier }
  }
}

extension TokenUsage {
  /// Appends the token counts as the member `usage`, after a comma.
  package func appendMember(to bytes: inout ByteBuffer) {
    bytes.append(",\"usage\":")
    var members = MemberList()
    members.append("input", input, to: &bytes)
    members.append("cached-input", cachedInput, to: &bytes)
    members.append("cache-write", cacheWrite, to: &bytes)
    members.append("long-cache-write", longCacheWrite, to: &bytes)
    members.append("output", output, to: &bytes)
    members.append("reasoning", reasoning, to: &bytes)
    members.append("doubt", doubt?.rawValue, to: &bytes)
    members.end(in: &bytes)
  }
}

extension ResponseTimings {
  /// Appends the times as the member `timings`, after a comma.
  package func appendMember(to bytes: inout ByteBuffer) {
    bytes.append(",\"timings\":")
    var members = MemberList()
    members.append("connect-ms", connect, to: &bytes)
    members.append("tls-ms", tls, to: &bytes)
    members.append("first-byte-ms", firstByte, to: &bytes)
    members.append("first-text-ms", firstText, to: &bytes)
    members.append("longest-gap-ms", longestGap, to: &bytes)
    members.append("total-ms", total, to: &bytes)
    members.append("server-ms", server, to: &bytes)
    members.append("user-ms", user, to: &bytes)
    members.end(in: &bytes)
  }
}

/// The members of a JSON object that is being written.
///
/// Members whose value is nil are left out.
private struct MemberList {
  private var isEmpty = true

  @inline(__always)
  mutating func append(_ name: StaticString, _ value: Double?, to bytes: inout ByteBuffer) {
    guard let value else { return }
    start(name, in: &bytes)
    JSONWriter.append(value, to: &bytes)
  }

  @inline(__always)
  mutating func append(_ name: StaticString, _ value: Int?, to bytes: inout ByteBuffer) {
    append(name, value.map(Double.init), to: &bytes)
  }

  mutating func append(_ name: StaticString, _ text: String?, to bytes: inout ByteBuffer) {
    guard let text else { return }
    start(name, in: &bytes)
    JSONWriter.append(text, to: &bytes)
  }

  @inline(__always)
  private mutating func start(_ name: StaticString, in bytes: inout ByteBuffer) {
    bytes.append(isEmpty ? "{\"" : ",\"")
    isEmpty = false
    bytes.append(name)
    bytes.append("\":")
  }

  func end(in bytes: inout ByteBuffer) { bytes.append(isEmpty ? "{}" : "}") }
}
