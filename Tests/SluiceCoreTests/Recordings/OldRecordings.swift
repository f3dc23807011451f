import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport

/// Lines in the formats of earlier versions.
enum OldRecordings {
  /// Returns the text of a recordings file in an earlier schema.
  static func text(_ recordings: [Recording], schema: Int) -> String {
    schema == 1 ? text(recordings) : second(recordings)
  }

  // MARK: The second schema

  /// Returns lines that each contain the source of their answer.
  private static func second(_ recordings: [Recording]) -> String {
    var parts: [String: [UInt8]] = [:]
    let lines = recordings.sorted { $0.slot < $1.slot }.map { recording in
      let (line, own) = RecordingLines.line(of: recording)
      var object = (try? JSONReader.value(line))?.object ?? [:]
      let digest = object["source"]?.string ?? ""
      let source = own[digest].flatMap { try? JSONReader.value($0) } ?? .null
      parts.merge(own.filter { $0.key != digest }) { old, _ in old }
      var hints = object["hints"]?.object ?? [:]
      for name in ["suite", "prompt", "template-digest"] { hints[name] = source[name] }
      var response = object["response"]?.object ?? [:]
      response["headers"] = .object(JSONObject(recording.exchange.response.headers))
      object["schema"] = 2
      object["source"] = nil
      object["digest"] = nil
      for name in ["answered-by", "recorder"] { object[name] = source[name] }
      object["hints"] = .object(hints)
      object["response"] = .object(response)
      return RecordingLines.sealed(JSONWriter.line(.object(object)))
    }
    let all =
      parts.sorted { $0.key < $1.key }.map { digest, value in
        Array(#"{"schema":2,"part":"\#(digest)","value":"#.utf8) + value + Array("}".utf8)
      } + lines
    return all.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
  }

  // MARK: The first schema

  // The parts of a request are separate, without digests of the template and input.

  /// Returns the text of a recordings file.
  static func text(_ recordings: [Recording]) -> String {
    var parts: [String: [UInt8]] = [:]
    let lines = recordings.sorted { $0.slot < $1.slot }.map { line($0, &parts) }
    let all =
      parts.sorted { $0.key < $1.key }.map { digest, value in
        Array(#"{"schema":1,"part":"\#(digest)","value":"#.utf8) + value + Array("}".utf8)
      } + lines
    return all.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
  }

  private static func line(_ recording: Recording, _ parts: inout [String: [UInt8]]) -> [UInt8] {
    let response = recording.exchange.response
    let answered = try? ResponseReader.response(in: recording.exchange)
    var by: JSONObject = ["host": .string(response.host)]
    by.set("model", answered?.provenance.model.map(JSONValue.string))
    by.set("stand-in", answered?.provenance.standIn.map(JSONValue.string))
    let identity = RequestIdentity(recording.exchange.request)
    let value: JSONObject = [
      "schema": 1, "key": .string(recording.key), "repeat": .number(Double(recording.repetition)),
      "answered-by": .object(by), "recorded": .string(response.date.iso8601),
      "recorder": .string(recording.recorder),
      "hints": [
        "suite": .string(recording.hints.suite), "case": .string(recording.hints.testCase),
        "prompt": .string(recording.hints.prompt), "prompt-digest": "7df3cb886a2ff38b",
      ],
      "parts": .object(
        JSONObject(identity.parts.map { (name: $0.name, value: .string($0.digest)) })
      ),
      "request": .object(request(recording.exchange.request, &parts)),
      "response": [
        "status": .number(Double(response.status)),
        "headers": .object(
          JSONObject(response.headers.map { (name: $0.name, value: .string($0.value)) })
        ),
        "body": (try? JSONReader.value(response.body)) ?? .null,
      ],
      "timings": .object(response.timings.json),
      "usage": answered?.usage.map { .object($0.json) } ?? .null,
    ]
    return RecordingLines.sealed(JSONWriter.line(.object(value)))
  }

  private static func request(_ request: ModelRequest, _ parts: inout [String: [UInt8]])
    -> JSONObject
  {
    func part(_ value: JSONValue) -> JSONValue {
      let bytes = JSONWriter.canonical(value)
      guard bytes.count >= 24 else { return value }
      let digest = SHA256.hexadecimal(bytes)
      parts[digest] = bytes
      return ["$part": .string(digest)]
    }
    var body: JSONObject = [:]
    for (name, value) in request.body.object?.members ?? [] {
      guard name == "messages" else {
        body[name] = part(value)
        continue
      }
      body[name] = .array(
        (value.array ?? []).map { message in
          var fields = message.object ?? [:]
          fields["content"] = fields["content"].map(part)
          return .object(fields)
        }
      )
    }
    var object: JSONObject = [
      "backend": .string(request.backend), "api": .string(request.api),
      "model": .string(request.model), "body": .object(body),
    ]
    object.set("fingerprint", request.fingerprint.map(JSONValue.string))
    return object
  }
}
