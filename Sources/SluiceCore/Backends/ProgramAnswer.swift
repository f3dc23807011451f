import SluiceSupport

/// What a program answers: `{"text": …}`, and what else it has to say.
enum ProgramAnswer {
  private static let places = AnswerPlaces(
    text: "text",
    usage: "usage",
    model: "model",
    finishReason: "finish-reason"
  )

  /// Returns the answer in what a program wrote.
  ///
  /// - Parameters:
  ///   - response: What it wrote.
  ///   - secrets: What an error may repeat and must not be seen.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` when it holds none.
  static func read(_ response: RawResponse, hiding secrets: [Secret] = []) throws(BackendError)
    -> ModelResponse
  {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONReader.value(response.body.withoutByteOrderMark)
    } catch {
      throw BackendError(
        .brokenAnswer,
        "the answer of \(response.host) is not JSON: \(error.message)",
        canRetry: false
      )
    }
    if let error = error(in: json, response.host, secrets) { throw error }
    guard let text = json["text"] else {
      throw BackendError(
        .brokenAnswer,
        "the answer of \(response.host) has no 'text'",
        canRetry: false
      )
    }
    var parts = AnswerParts()
    parts.take(json, places)
    var answer = try parts.response(
      text: text == .null ? nil : text.string ?? text.jsonText,
      response,
      timings: response.timings
    )
    answer.refusal = json["refusal"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    // An empty text would hide the refusal.
    if answer.refusal != nil, answer.text?.isEmpty == true { answer.text = nil }
    answer.provenance.standIn = json["stand-in"]?.string
    return answer
  }

  /// The error in an answer: a text, or `{"message": …, "kind": …, "retry-after": SECONDS}`.
  private static func error(in json: JSONValue, _ place: String, _ secrets: [Secret])
    -> BackendError?
  {
    guard let error = json["error"], !ServerFault.isEmpty(error) else { return nil }
    let kind = error["kind"]?.string.flatMap(BackendError.Kind.init) ?? .programFailed
    let said = (error["message"]?.string ?? error.string).map { ": \($0.hiding(secrets))" } ?? ""
    return BackendError(
      kind,
      "\(place) answered with an error\(said.prefix(300))",
      retryAfter: error["retry-after"]?.number.flatMap { seconds in
        (0...86_400).contains(seconds) ? .milliseconds(Int64(seconds * 1_000)) : nil
      }
    )
  }
}

extension String {
  /// The text without secrets.
  func hiding(_ secrets: [Secret]) -> String {
    secrets.reduce(self) { $0.replacingOccurrences(of: $1.value, with: "<redacted>") }
  }
}
