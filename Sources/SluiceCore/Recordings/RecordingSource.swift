import SluiceSupport

/// The source of answers, and the suite and prompt of their requests.
///
/// Many recordings have the same source, so it is stored once per file.
struct RecordingSource: Hashable, Sendable {
  /// The scheme, host and port of the requests; empty if unknown.
  var host: String
  /// The name of the model that the server reported.
  var model: String?
  /// The name of the stand-in, if the server said that no real model answered.
  var standIn: String?
  /// The origin of answers that Sluice did not request itself.
  var stated: AnswerStatement?
  /// The response headers that many answers have in common.
  var headers: [HTTPHeader]
  /// The version of Sluice that made the recordings.
  var recorder: String
  var suite: String
  var prompt: String
  /// A short digest of the prompt's message templates before they are filled in; empty if unknown.
  var templateDigest: String

  /// Creates the source of a recording.
  init(_ recording: Recording, _ answered: ModelResponse?) {
    let response = recording.exchange.response
    host = response.host
    stated = response.stated
    model = answered?.provenance.model
    standIn = answered?.provenance.standIn
    headers = response.headers.filter(Self.isCommon)
    recorder = recording.recorder
    suite = recording.hints.suite
    prompt = recording.hints.prompt
    templateDigest = recording.hints.templateDigest
  }

  /// Returns true if the value of a header is usually the same in many answers.
  static func isCommon(_ header: HTTPHeader) -> Bool {
    header.name != ServerTime.header && header.name != "server-timing"
  }

  // MARK: JSON

  var json: JSONValue {
    var by: JSONObject = [:]
    if !host.isEmpty { by["host"] = .string(host) }
    by.set("model", model.map(JSONValue.string))
    by.set("stand-in", standIn.map(JSONValue.string))
    for member in stated?.members ?? [] { by.set(member.name, member.value.map(JSONValue.string)) }
    var object: JSONObject = [
      "answered-by": .object(by), "headers": .object(JSONObject(headers)),
      "recorder": .string(recorder), "suite": .string(suite), "prompt": .string(prompt),
    ]
    if !templateDigest.isEmpty { object["template-digest"] = .string(templateDigest) }
    return .object(object)
  }

  /// Reads a source; nil if the value is not a source.
  init?(json: JSONValue) {
    guard let by = json["answered-by"], by.object != nil, let headers = json["headers"]?.object
    else { return nil }
    host = by["host"]?.string ?? ""
    model = by["model"]?.string
    standIn = by["stand-in"]?.string
    stated = AnswerStatement(members: by).known
    self.headers = [HTTPHeader](headers)
    recorder = json["recorder"]?.string ?? ""
    suite = json["suite"]?.string ?? ""
    prompt = json["prompt"]?.string ?? ""
    templateDigest = json["template-digest"]?.string ?? ""
  }
}

extension JSONObject {
  init(_ headers: [HTTPHeader]) {
    self.init(headers.map { (name: $0.name, value: .string($0.value)) })
  }
}

extension [HTTPHeader] {
  init(_ object: JSONObject) {
    self = object.members.compactMap { member in
      member.value.string.map { HTTPHeader(member.name, $0) }
    }
  }
}
