/// Reads why a server gave no answer, from the many bodies that servers send.
enum ServerFault {
  private static let longestMessage = 300

  // MARK: Where a fault stands

  /// The error of a response with an error status.
  ///
  /// - Parameters:
  ///   - status: The status of the response.
  ///   - headers: The headers, names in lower case.
  ///   - body: The body, of whatever form.
  ///   - now: The time from which the server's dates are counted.
  ///   - key: What a server may repeat and must not be seen.
  /// - Returns: What the response means.
  static func refused(
    status: Int,
    headers: [HTTPHeader] = [],
    body: [UInt8],
    now: Timestamp = Timestamp(seconds: 0),
    hiding key: Secret?
  ) -> BackendError {
    let json = try? JSONReader.value(body)
    let fault = json.map(Fault.init)
    let meant = meaning(of: fault, status: status)
    var error = BackendError(
      meant.kind,
      "the server answered \(status)" + (fault?.words(hiding: key) ?? ""),
      status: status,
      canRetry: meant.canRetry
    )
    error.retryAfter = RetryDelay.read(headers: headers, fault: fault, now: now)
    // A spent quota with a time at which it is full again is a limit of the rate.
    if error.kind == .quotaSpent, status == 429, error.retryAfter != nil {
      (error.kind, error.canRetry) = (.rateLimited, true)
    }
    switch headers.first(where: { $0.name == "x-should-retry" })?.value {
    case "true": error.canRetry = true
    case "false": error.canRetry = false
    default: break
    }
    return error
  }

  /// The error in a body that holds one in place of an answer, whatever its status; nil for one that
  /// holds none.
  ///
  /// An error that follows a part of an answer takes the answer's place.
  static func inside(_ json: JSONValue, status: Int, hiding key: Secret?) -> BackendError? {
    guard let error = json["error"], error != .null, error != .string(""), error != .bool(false)
    else { return nil }
    return said(json, status: status, hiding: key)
  }

  /// The error that an object tells.
  static func said(_ json: JSONValue, status: Int, hiding key: Secret?) -> BackendError {
    let fault = Fault(json)
    // Where the status says that all is well, the error may hold the one that it should have had.
    let codes = [fault.statusNumber, fault.codeNumber].compactMap(\.self)
    let meant = meaning(of: fault, status: codes.first { (400..<600).contains($0) } ?? status)
    return BackendError(
      meant.kind,
      "the server answered \(status) with an error" + fault.words(hiding: key),
      retryAfter: RetryDelay.read(headers: [], fault: fault, now: Timestamp(seconds: 0)),
      canRetry: meant.canRetry
    )
  }

  /// The error of an answer that ended with an error of which nothing is said.
  static let unexplained = BackendError(
    .serverError,
    "the server ended the answer with an error, and does not say with which"
  )

  // MARK: What it says

  /// What a body says about an error, under whatever names.
  struct Fault {
    var message: String?
    /// Its words for the kind of error, in lower case, joined.
    var words: String
    var statusNumber: Int?
    var codeNumber: Int?
    /// What stands in `error`, or the whole body.
    var json: JSONValue

    init(_ body: JSONValue) {
      // Gemini's errors come as a list of one.
      let body = body.array?.first ?? body
      let error = body["error"]
      let inner = error?.object == nil ? body : error ?? body
      json = inner
      // Some pass on the body of the server behind them: a text in a text.
      message =
        inner["message"]?.string ?? error?.string ?? inner["message"]?["message"]?.string
        ?? body["message"]?.string ?? inner["detail"]?.string
        ?? inner["detail"]?.array?.first?["msg"]?.string ?? inner["msg"]?.string
      // Of more than that nothing is shown, and nothing is learned.
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

    /// What the server said, to follow what is said of it; empty when it said nothing.
    func words(hiding key: Secret?) -> String {
      guard var said = message else { return "" }
      // A server may repeat the key that it refuses.
      if let key { said = said.replacingOccurrences(of: key.value, with: "<redacted>") }
      return ": \(said.prefix(ServerFault.longestMessage))"
    }
  }

  // MARK: What it means

  private static func meaning(of fault: Fault?, status: Int) -> (
    kind: BackendError.Kind, canRetry: Bool?
  ) {
    let words = fault?.words ?? ""
    let message = fault?.message?.lowercased() ?? ""
    for (kind, signs) in Self.words where signs.contains(where: words.contains) {
      return (kind, nil)
    }
    // "Too many tokens" of a server that has too much to do are those of this minute.
    let isBusy = status == 429 || status >= 500
    for (kind, signs) in Self.phrases
    where !(isBusy && kind == .contextTooLong) && signs.contains(where: message.contains) {
      return (kind, nil)
    }
    let kind = kind(status: status)
    // Some servers answer 500 to what they do not know how to do.
    let isUnsupported = ["not supported", "unsupported", "cannot use", "not implemented"]
      .contains(where: message.contains)
    if kind == .serverError, isUnsupported || status == 501 { return (kind, false) }
    return (kind, nil)
  }

  /// Kinds by what stands in the codes and types of servers.
  private static let words: [(kind: BackendError.Kind, signs: [String])] = [
    (
      .contentFilter,
      ["content_filter", "content_policy", "contentfilter", "responsibleaipolicyviolation"]
    ),
    (
      .contextTooLong,
      ["context_length_exceeded", "exceed_context_size", "string_above_max_length"]
    ),
    (
      .quotaSpent,
      ["insufficient_quota", "billing_hard_limit", "insufficient_balance", "billing_error"]
    ),
    (.badCredentials, ["invalid_api_key", "authentication_error", "api_key_invalid"]),
    (.notFound, ["model_not_found", "not_found_error"]),
    (.rateLimited, ["rate_limit", "ratelimit", "too_many_requests", "resource_exhausted"]),
    (.serverError, ["overloaded", "service_unavailable"]),
  ]

  /// Kinds by what servers say that send no code for it.
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
    case 429: .rateLimited
    // Too early, and a conflict with another request: both pass.
    case 409, 425: .serverError
    case 400..<500: .invalidRequest
    case 500...: .serverError
    default: .brokenAnswer
    }
  }
}

extension String {
  /// The string with each occurrence of a part replaced.
  func replacingOccurrences(of part: String, with replacement: String) -> String {
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
