import SluiceSupport

/// The answer of a program: `{"text": …}`, which may have further members.
enum ProgramAnswer {
  private static let places = AnswerPlaces(
    text: "text",
    usage: "usage",
    model: "model",
    finishReason: "finish-reason"
  )

  /// Returns the answer in a program's output.
  ///
  /// - Parameters:
  ///   - response: The output.
  ///   - secrets: Secrets that an error may repeat and that must be redacted.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` if the output contains no answer.
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
    if let error = error(in: json, "\(response.host) answered with an error", secrets) {
      throw error
    }
    return try answer(in: json, response)
  }

  /// Returns the answer in a program's output or in a stored row, without checking for an error.
  ///
  /// - Parameters:
  ///   - json: The members of the answer.
  ///   - response: The raw response, with its times.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` if there is no answer.
  static func answer(in json: JSONValue, _ response: RawResponse) throws(BackendError)
    -> ModelResponse
  {
    let calls = json[toolCalls].map(ToolCall.all) ?? []
    let refusal = json["refusal"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    // An answer may have no text, if it contains a tool call or a refusal.
    let noText: JSONValue? = calls.isEmpty && refusal == nil ? nil : .null
    guard let text = json["text"] ?? noText else {
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
    answer.toolCalls = calls
    answer.refusal = refusal
    // An empty text would hide the refusal.
    if answer.refusal != nil, answer.text?.isEmpty == true { answer.text = nil }
    answer.provenance.standIn = json["stand-in"]?.string
    return answer
  }

  /// The name of the member that contains the tool calls.
  static let toolCalls = "tool-calls"

  /// Returns the error in an answer.
  ///
  /// The error is a text, or an object such as `{"message": …, "kind": …, "retry-after": SECONDS}`.
  ///
  /// - Parameters:
  ///   - json: The members of the answer.
  ///   - head: The beginning of the message.
  ///   - secrets: Secrets that an error may repeat and that must be redacted.
  /// - Returns: The error; nil if the answer contains none.
  static func error(in json: JSONValue, _ head: String, _ secrets: [Secret] = [])
    -> BackendError?
  {
    guard let error = json["error"], !ServerFault.isEmpty(error) else { return nil }
    let kind = error["kind"]?.string.flatMap(BackendError.Kind.init) ?? .programFailed
    let said = (error["message"]?.string ?? error.string).map { ": \($0.hiding(secrets))" } ?? ""
    return BackendError(
      kind,
      "\(head)\(said.prefix(300))",
      retryAfter: error["retry-after"]?.number.flatMap { seconds in
        (0...86_400).contains(seconds) ? .milliseconds(Int64(seconds * 1_000)) : nil
      }
    )
  }
}

extension ToolCall {
  /// Returns the calls in a list, each as `{"name": …, "arguments": …}` or in OpenAI's form.
  ///
  /// Arguments that are not a text become JSON text.
  static func all(in list: JSONValue) -> [ToolCall] {
    (list.array ?? []).compactMap { entry in
      let function = entry["function"] ?? entry
      guard let name = function["name"]?.string else { return nil }
      let arguments = function["arguments"].map { $0.string ?? $0.jsonText }
      return ToolCall(id: entry["id"]?.string ?? "", name: name, arguments: arguments ?? "{}")
    }
  }
}
