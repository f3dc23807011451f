import SluiceSupport

/// The interpreter of servers' errors, in any of the formats that servers use.
enum ServerFault {
  private static let longestMessage = 300

  // MARK: Locating an error

  /// Returns the error of a response with an error status.
  ///
  /// - Parameters:
  ///   - status: The status of the response.
  ///   - headers: The headers, with names in lower case.
  ///   - body: The body, in any format.
  ///   - now: The current time, with which the server's dates are compared.
  ///   - key: The key, which a server may repeat and which must be redacted.
  /// - Returns: The error that the response reports.
  static func refused(
    status: Int,
    headers: [HTTPHeader] = [],
    body: [UInt8],
    now: Timestamp = Timestamp(seconds: 0),
    hiding key: Secret?
  ) -> BackendError {
    let json = try? JSONReader.value(body.withoutByteOrderMark)
    let fault = json.map(Fault.init)
    let meant = meaning(of: fault, status: status)
    var error = BackendError(
      meant.kind,
      "the server answered \(status)" + (fault?.words(hiding: key) ?? ""),
      status: status,
      canRetry: meant.canRetry
    )
    error.retryAfter = RetryDelay.read(headers: headers, fault: fault, now: now)
    // An exhausted quota counts as a rate limit if the server says when the quota is reset. This
    // does not apply to a daily quota.
    let isOfDay = fault?.isDaily ?? false
    if error.kind == .quotaSpent, status == 429, error.retryAfter != nil, !isOfDay {
      (error.kind, error.canRetry) = (.rateLimited, true)
    }
    switch headers.first(where: { $0.name == "x-should-retry" })?.value {
    case "true": error.canRetry = true
    case "false": error.canRetry = false
    default: break
    }
    return error
  }

  /// Returns the error that a body contains, whatever the status; nil if there is none.
  ///
  /// An error counts even if the body also contains an answer, or a part of one.
  static func inside(_ json: JSONValue, status: Int, hiding key: Secret?) -> BackendError? {
    guard let error = json["error"], !saysNothing(error) else { return nil }
    return said(json, status: status, hiding: key)
  }

  /// Returns true if servers use this value of `error` to report success.
  static func isEmpty(_ error: JSONValue) -> Bool {
    switch error {
    case .null, .bool(false), .string(""), .number(0): true
    case .object(let object): object.members.isEmpty
    case .array(let list): list.isEmpty
    default: false
    }
  }

  /// Returns true for a value that does not report an error, such as `{"code": 0, "message": ""}`.
  ///
  /// Some servers add such an object to every answer.
  private static func saysNothing(_ error: JSONValue) -> Bool {
    if isEmpty(error) { return true }
    guard error.object != nil else { return false }
    return error.object?.members.allSatisfy { member in
      if isEmpty(member.value) { return true }
      if member.name != "code" && member.name != "status" { return false }
      return (member.value.number ?? member.value.string.flatMap { Double($0) }).map { $0 < 400 }
        ?? false
    } ?? true
  }

  /// Returns the error that an object describes.
  static func said(_ json: JSONValue, status: Int, hiding key: Secret?) -> BackendError {
    let fault = Fault(json)
    // If the status of the response reports success, the error may contain the actual status.
    let codes = [fault.statusNumber, fault.codeNumber].compactMap(\.self)
    let meant = meaning(of: fault, status: codes.first { (400..<600).contains($0) } ?? status)
    return BackendError(
      meant.kind,
      "the server answered \(status) with an error" + fault.words(hiding: key),
      retryAfter: RetryDelay.read(headers: [], fault: fault, now: Timestamp(seconds: 0)),
      canRetry: meant.canRetry
    )
  }

  // MARK: Contents

  /// The error in a body, read from any of the member names that servers use.
  struct Fault {
    var message: String?
    /// The codes and types of the error, joined, in lower case.
    var words: String
    var statusNumber: Int?
    var codeNumber: Int?
    /// The value of `error` if it is an object, otherwise the whole body.
    var json: JSONValue

    init(_ body: JSONValue) {
      // Gemini's errors are a list with one element.
      let body = body.array?.first ?? body
      let error = body["error"]
      let inner = error?.object == nil ? body : error ?? body
      json = inner
      // Some servers pass on the body of another server as a text.
      message =
        Self.words(in: inner["message"]) ?? error?.string ?? body["message"]?.string
        ?? Self.words(in: inner["detail"]) ?? inner["msg"]?.string
      // Only the beginning of a longer message is interpreted and shown.
      message = message.map { String(decoding: $0.utf8.prefix(4_096), as: UTF8.self) }
      statusNumber = inner["status"]?.integer
      codeNumber = inner["code"]?.integer ?? inner["code"]?.string.flatMap { Int($0) }
      let reasons = (inner["details"]?.array ?? []).compactMap { $0["reason"]?.string }
      let words: [String?] = [
        inner["code"]?.string, inner["type"]?.string, inner["status"]?.string, body["code"]?.string,
        inner.value(at: "innererror.code")?.string, inner.value(at: "metadata.error_type")?.string,
      ]
      self.words = (words.compactMap(\.self) + reasons).joined(separator: " ").lowercased()
    }

    /// True if the exhausted quota is a daily one.
    ///
    /// A run cannot wait until a daily quota is reset.
    var isDaily: Bool {
      (json["details"]?.array ?? []).contains { detail in
        (detail["violations"]?.array ?? []).contains {
          $0["quotaId"]?.string?.contains("PerDay") ?? false
        }
      }
    }

    /// Returns the text in a value; nil if there is none.
    ///
    /// Some servers send an object or a list instead of a text, for example for validation errors.
    private static func words(in value: JSONValue?) -> String? {
      switch value {
      case .string(let text): return text.isEmpty ? nil : text
      case .array(let list):
        let all = list.prefix(10).compactMap { words(in: $0) }
        return all.isEmpty ? nil : all.joined(separator: "; ")
      case .object(let object):
        if object.members.isEmpty { return nil }
        let known = ["message", "msg", "detail", "error"].lazy
          .compactMap { words(in: object[$0]) }.first
        // Showing raw JSON is better than showing no message.
        return known ?? value?.jsonText
      default: return nil
      }
    }

    /// Returns the server's message, ready to be appended; empty if there is none.
    func words(hiding key: Secret?) -> String {
      guard var said = message, !said.isEmpty else { return "" }
      // The server may repeat the key that it rejects.
      if let key { said = said.replacingOccurrences(of: key.value, with: "<redacted>") }
      return ": \(said.prefix(ServerFault.longestMessage))"
    }
  }

  // MARK: Interpretation

  private static func meaning(of fault: Fault?, status: Int) -> (
    kind: BackendError.Kind, canRetry: Bool?
  ) {
    let meant = usualMeaning(of: fault, status: status)
    if status != 413 { return meant }
    // If a single request exceeds the limit, it cannot succeed later, even if the limit is per
    // minute.
    return (meant.kind == .rateLimited ? .contextTooLong : meant.kind, false)
  }

  private static func usualMeaning(of fault: Fault?, status: Int) -> (
    kind: BackendError.Kind, canRetry: Bool?
  ) {
    let words = fault?.words ?? ""
    if fault?.isDaily == true { return (.quotaSpent, false) }
    let message = fault?.message?.lowercased() ?? ""
    for (kind, signs) in Self.words where signs.contains(where: words.contains) {
      return (kind, nil)
    }
    // If a server is overloaded, "too many tokens" means tokens per minute.
    let isBusy = status == 429 || status == 498 || status >= 500
    for (kind, signs) in Self.phrases
    where !(isBusy && kind == .contextTooLong) && signs.contains(where: message.contains) {
      return (kind, nil)
    }
    var kind = kind(status: status)
    // In a stream, the status was sent before the error occurred, so it does not show the error.
    if kind == .brokenAnswer, ["server_error", "api_error"].contains(where: words.contains) {
      kind = .serverError
    }
    if kind == .brokenAnswer, ["invalid_request", "invalid_prompt"].contains(where: words.contains)
    {
      kind = .invalidRequest
    }
    // Some servers answer 500 to requests that they do not support.
    let isUnsupported = ["not supported", "unsupported", "cannot use", "not implemented"]
      .contains(where: message.contains)
    if kind == .serverError, isUnsupported || status == 501 { return (kind, false) }
    return (kind, nil)
  }

  /// The kinds of errors, by words in the codes and types that servers send.
  private static let words: [(kind: BackendError.Kind, signs: [String])] = [
    (
      .contentFilter,
      ["content_filter", "content_policy", "contentfilter", "responsibleaipolicyviolation"]
    ),
    (
      .contextTooLong,
      [
        "context_length_exceeded", "exceed_context_size", "string_above_max_length",
        "too_many_prompt_tokens",
      ]
    ),
    (
      .quotaSpent,
      ["insufficient_quota", "billing_hard_limit", "insufficient_balance", "billing_error"]
    ),
    (.badCredentials, ["invalid_api_key", "authentication_error", "api_key_invalid"]),
    (.permissionDenied, ["permission_error"]),
    (.contextTooLong, ["request_too_large"]),
    (.notFound, ["model_not_found", "not_found_error"]),
    (.rateLimited, ["rate_limit", "ratelimit", "too_many_requests", "resource_exhausted"]),
    (.serverError, ["overloaded", "service_unavailable", "conflict_error"]),
    (.timedOut, ["timeout_error"]),
  ]

  /// The kinds of errors, by phrases in messages of servers that send no code.
  private static let phrases: [(kind: BackendError.Kind, signs: [String])] = [
    (
      .contextTooLong,
      [
        "context length", "context window", "context size", "prompt is too long",
        "input is too long", "maximum context", "too many tokens",
      ]
    ),
    (
      .quotaSpent,
      ["insufficient credits", "credit balance", "exceeded your current quota", "out of credits"]
    ),
    (.badCredentials, ["api key not valid", "incorrect api key", "invalid api key"]),
    (.contentFilter, ["content management policy"]),
  ]

  static func kind(status: Int) -> BackendError.Kind {
    switch status {
    case 300..<400, 404: .notFound
    case 401: .badCredentials
    case 402: .quotaSpent
    case 403: .permissionDenied
    case 408: .timedOut
    // Groq answers 498 if it has no free capacity.
    case 429, 498: .rateLimited
    // "Too early", and a conflict with another request: both are temporary.
    case 409, 425: .serverError
    case 400..<500: .invalidRequest
    case 500...: .serverError
    default: .brokenAnswer
    }
  }
}

extension [UInt8] {
  /// The bytes without the byte-order mark that some servers put before JSON.
  var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
  }
}

extension String {
  /// Returns the string with each occurrence of a part replaced.
  package func replacingOccurrences(of part: String, with replacement: String) -> String {
    guard !part.isEmpty else { return self }
    let wanted = Array(part.utf8)
    let bytes = Array(utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes.count - index >= wanted.count,
        bytes[index..<(index + wanted.count)].elementsEqual(wanted)
      {
        result.append(contentsOf: replacement.utf8)
        index += wanted.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
