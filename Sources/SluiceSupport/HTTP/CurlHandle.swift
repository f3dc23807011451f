import CLibcurl

/// A curl handle that is reused for one request after another.
///
/// Most requests of a run differ only in their bodies. Setting all other options again would cost
/// more than sending the request.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private let trusted: TrustedCertificates
  private var shape: Shape?
  private var headerLines: UnsafeMutablePointer<curl_slist>?
  private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// Everything in a request except its body.
  private struct Shape: Equatable {
    var method: String
    var url: String
    var headers: [HTTPHeader]
    var timeout: Duration
    var sendsBody: Bool
    var isDirect: Bool

    init(_ request: HTTPRequest) {
      method = request.method
      url = request.url
      headers = request.headers
      timeout = request.timeout
      isDirect = request.isDirect
      sendsBody =
        request.method != "HEAD"
        && (!request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method))
    }
  }

  /// Creates a handle; nil if there is no memory left.
  init?(trusting trusted: TrustedCertificates) {
    self.trusted = trusted
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard let easy = curl_easy_init() else {
      errorBuffer.deallocate()
      return nil
    }
    self.easy = easy
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerLines)
    errorBuffer.deallocate()
  }

  /// curl's message about the last error; empty if there was no error.
  ///
  /// It may contain the host, but never a header or the body of the request.
  var errorText: String { String(cString: errorBuffer) }

  /// Configures curl for a request, and sets the receiver of the response.
  ///
  /// - Parameters:
  ///   - request: The request; its body is copied.
  ///   - receiver: The context pointer of the functions that receive the response.
  /// - Throws: ``CurlFailure`` if curl rejects an option.
  func take(_ request: HTTPRequest, for receiver: UnsafeMutableRawPointer) throws(CurlFailure) {
    errorBuffer.pointee = 0
    let wanted = Shape(request)
    if wanted != shape {
      shape = nil
      try tell(wanted)
      shape = wanted
    }
    if wanted.sendsBody { try tell(body: request.body) }
    try set(CURLOPT_WRITEDATA, receiver)
    try set(CURLOPT_HEADERDATA, receiver)
    try set(CURLOPT_PREREQDATA, receiver)
  }

  /// Releases the memory that curl borrowed for a request, but keeps the connection.
  func letGo() {
    sluice_curl_set_pointer(easy, CURLOPT_WRITEDATA, nil)
    sluice_curl_set_pointer(easy, CURLOPT_HEADERDATA, nil)
    sluice_curl_set_pointer(easy, CURLOPT_PREREQDATA, nil)
  }

  // MARK: Options

  private func tell(_ shape: Shape) throws(CurlFailure) {
    // Removes all options that were set for an earlier shape.
    curl_easy_reset(easy)
    try set(CURLOPT_ERRORBUFFER, errorBuffer)
    try set(CURLOPT_URL, shape.url)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    // These values are curl's defaults. They are set explicitly because security depends on them.
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    if let file = trusted.file {
      try set(CURLOPT_CAINFO, file)
      try set(CURLOPT_PROXY_CAINFO, file)
    }
    if let folders = trusted.folders {
      try set(CURLOPT_CAPATH, folders)
      try set(CURLOPT_PROXY_CAPATH, folders)
    }
    try set(CURLOPT_FOLLOWLOCATION, 0)
    // curl does not notice that a compressed body lacks its end, so the transfer decodes bodies.
    try set(CURLOPT_ACCEPT_ENCODING, "gzip")
    try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    try set(CURLOPT_NOSIGNAL, 1)
    // Without this option, a timeout or a cancellation waits for a slow name server, which blocks
    // all transfers.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_TIMEOUT_MS, Self.milliseconds(shape.timeout))
    if shape.isDirect { try set(CURLOPT_PROXY, "") }
    if shape.method == "HEAD" {
      try set(CURLOPT_NOBODY, 1)
    } else {
      // This option announces a body. The body itself is set later.
      if shape.sendsBody { try set(CURLOPT_POST, 1) }
      try set(CURLOPT_CUSTOMREQUEST, shape.method)
    }
    try tell(headers: shape.headers)
    try CurlFailure.check(sluice_curl_set_function(easy, CURLOPT_WRITEFUNCTION, receiveBody))
    try CurlFailure.check(sluice_curl_set_function(easy, CURLOPT_HEADERFUNCTION, receiveHeader))
    try CurlFailure.check(sluice_curl_set_before_sending(easy, beforeSending))
  }

  private func tell(body: [UInt8]) throws(CurlFailure) {
    let count = curl_off_t(body.count)
    try CurlFailure.check(sluice_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, count))
    let code = body.withUnsafeBytes { body in
      // Without a pointer, curl would request the body through a callback.
      body.isEmpty
        ? sluice_curl_set_string(easy, CURLOPT_COPYPOSTFIELDS, "")
        : sluice_curl_set_pointer(
          easy,
          CURLOPT_COPYPOSTFIELDS,
          UnsafeMutableRawPointer(mutating: body.baseAddress)
        )
    }
    try CurlFailure.check(code)
  }

  private func tell(headers: [HTTPHeader]) throws(CurlFailure) {
    var lines: [String] = []
    for header in headers {
      // curl would omit a header that has a colon but no value.
      lines.append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    let names = headers.map { $0.name.lowercased() }
    // Disables two headers that curl adds to a body: a wrong content type, and an expectation that
    // can delay the body by a second.
    for name in ["content-type", "expect"] where !names.contains(name) { lines.append("\(name):") }
    curl_slist_free_all(headerLines)
    headerLines = nil
    for line in lines {
      guard let longer = curl_slist_append(headerLines, line) else {
        throw CurlFailure(code: CURLE_OUT_OF_MEMORY)
      }
      headerLines = longer
    }
    try CurlFailure.check(sluice_curl_set_list(easy, CURLOPT_HTTPHEADER, headerLines))
  }

  private static func milliseconds(_ timeout: Duration) -> Int {
    let (seconds, attoseconds) = timeout.components
    // Zero would mean no limit, and curl accepts at most 32 bits.
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return Int(min(max(milliseconds.rounded(.up), 1), Double(CInt.max)))
  }

  private func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
    try CurlFailure.check(sluice_curl_set_long(easy, option, CLong(value)))
  }

  private func set(_ option: CURLoption, _ value: String) throws(CurlFailure) {
    try CurlFailure.check(sluice_curl_set_string(easy, option, value))
  }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) throws(CurlFailure) {
    try CurlFailure.check(sluice_curl_set_pointer(easy, option, value))
  }
}

/// A code with which curl rejects an operation.
struct CurlFailure: Error {
  var code: CURLcode

  static func check(_ code: CURLcode) throws(CurlFailure) {
    if code != CURLE_OK { throw CurlFailure(code: code) }
  }
}
