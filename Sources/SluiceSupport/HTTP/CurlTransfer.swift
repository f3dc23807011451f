import CLibcurl

/// A request that curl performs, with the part of the response received so far.
final class CurlTransfer: @unchecked Sendable {
  // Safe to share: before the handover only the caller uses it, and afterwards only the engine's
  // thread does. The exception is `isCancelled`, which the engine's lock protects.
  typealias Result = Swift.Result<Ended, HTTPError>
  typealias Continuation = CheckedContinuation<Result, Never>

  var isCancelled = false
  /// The continuation; nil after it was resumed.
  var continuation: Continuation?
  /// The response of an ended transfer.
  ///
  /// The headers are raw lines. The waiting caller parses them, since the engine's thread is busy.
  struct Ended: Sendable {
    var response: HTTPResponse
    var headers: HeaderLines
  }

  /// The handles of curl that perform the transfer; nil while curl does not have the transfer.
  var place: Place?

  struct Place {
    var handle: CurlHandle
    var multi: CurlMulti
  }

  private let request: HTTPRequest
  private var body: [UInt8] = []
  private var arrivals: [(time: Duration, end: Int)] = []
  private var start = ContinuousClock.now
  private var headers = HeaderLines()
  /// The decoder of a compressed body; nil if the body is not compressed.
  ///
  /// First used after the headers, which name the encoding. A body with another encoding stays as
  /// it is, so that it contains no answer.
  private lazy var inflater: Gzip.Inflater? = {
    let encodings = headers.fields.filter { $0.name == "content-encoding" }.map(\.value)
    let name = encodings.joined(separator: ",").lowercased()
    return ["gzip", "x-gzip", "deflate"].contains(name) ? Gzip.Inflater() : nil
  }()
  /// The reason why the transfer ended the response.
  private var refusal: HTTPError?
  /// The number of times that curl was about to send the request.
  private var sendings = 0

  init(_ request: HTTPRequest) throws(HTTPError) {
    self.request = request
    try validate()
  }

}

// MARK: - The request

extension CurlTransfer {
  /// Rejects a request that curl would truncate, misinterpret or send as more than one line.
  private func validate() throws(HTTPError) {
    let scheme = request.url.prefix(8).lowercased()
    guard scheme.hasPrefix("http://") || scheme.hasPrefix("https://") else {
      throw HTTPError(.invalidURL, detail: "a URL must start with http:// or https://")
    }
    guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw HTTPError(.invalidURL, detail: "a URL must not contain spaces or control characters")
    }
    guard HTTPSyntax.isToken(request.method) else {
      throw HTTPError(.invalidURL, detail: "not an HTTP method")
    }
    for header in request.headers {
      guard HTTPSyntax.isToken(header.name) else {
        throw HTTPError(.invalidURL, detail: "not a name of an HTTP header")
      }
      guard HTTPSyntax.isHeaderValue(header.value) else {
        throw HTTPError(
          .invalidURL,
          detail: "the value of the header '\(header.name)' contains a line break or control "
            + "character"
        )
      }
    }
  }

  /// Configures curl for the request.
  package func begin(on handle: CurlHandle) throws(HTTPError) {
    start = .now
    do throws(CurlFailure) {
      try handle.take(request, for: Unmanaged.passUnretained(self).toOpaque())
    } catch {
      throw self.error(error.code, of: handle)
    }
  }
}

// MARK: - The response

extension CurlTransfer {
  /// The maximum number of arrival times kept for a body.
  private static let maximumArrivals = 100_000

  /// Returns the result of the transfer, once curl reports its end.
  package func result(_ code: CURLcode, of handle: CurlHandle) -> Result {
    if sendings > 1 || isLostAnswer(code, of: handle.easy) {
      let detail = "the server closed the open connection without an answer"
      return .failure(HTTPError(.connectionEnded, detail: detail))
    }
    if code != CURLE_OK { return .failure(refusal ?? error(code, of: handle)) }
    var status: CLong = 0
    sluice_curl_get_long(handle.easy, CURLINFO_RESPONSE_CODE, &status)
    // The end of a compressed body has its checksum. Some responses have headers, but no body.
    if request.method != "HEAD", status != 204, status != 304, let inflater,
      inflater.state != .whole
    {
      return .failure(Self.damaged)
    }
    let timings = timings(of: handle.easy)
    let response = HTTPResponse(
      status: Int(status),
      body: body,
      // The clock used here starts a moment before curl's clock, which determines the time of the
      // last byte.
      arrivals: arrivals.map { (min($0.time, timings.total), $0.end) },
      timings: timings
    )
    return .success(Ended(response: response, headers: headers))
  }

  /// Returns true if a reused connection ended before the first byte of a response.
  private func isLostAnswer(_ code: CURLcode, of handle: UnsafeMutableRawPointer) -> Bool {
    guard [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING].contains(code), sendings == 1
    else { return false }
    var connections: CLong = 0
    var headerBytes: CLong = 0
    sluice_curl_get_long(handle, CURLINFO_NUM_CONNECTS, &connections)
    sluice_curl_get_long(handle, CURLINFO_HEADER_SIZE, &headerBytes)
    return connections == 0 && headerBytes == 0
  }

  private func timings(of handle: UnsafeMutableRawPointer) -> HTTPTimings {
    var connections: CLong = 0
    sluice_curl_get_long(handle, CURLINFO_NUM_CONNECTS, &connections)
    // For a reused connection, curl reports the time that it took to find the connection.
    let isNew = connections > 0
    return HTTPTimings(
      connect: isNew ? time(CURLINFO_CONNECT_TIME_T, of: handle) : .zero,
      tls: isNew ? time(CURLINFO_APPCONNECT_TIME_T, of: handle) : .zero,
      firstByte: time(CURLINFO_STARTTRANSFER_TIME_T, of: handle),
      total: time(CURLINFO_TOTAL_TIME_T, of: handle)
    )
  }

  private func time(_ info: CURLINFO, of handle: UnsafeMutableRawPointer) -> Duration {
    var microseconds: curl_off_t = 0
    sluice_curl_get_offset(handle, info, &microseconds)
    return .microseconds(microseconds)
  }

  /// Records that curl is about to send the request.
  ///
  /// Returns false to keep curl from sending it again.
  ///
  /// If a reused connection ends without a byte of a response, curl would silently send the request
  /// again on a new connection. But the server may have received the first request and may charge
  /// for it. Only the caller may send it again, because the caller counts the requests.
  fileprivate func takeSending() -> Bool {
    sendings += 1
    return sendings == 1
  }

  /// Receives the next piece of the body; returns false to end the transfer.
  fileprivate func takeBody(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    let limit = request.maximumResponseBytes
    inflater?.take(piece, into: &body, limit: limit)
    if inflater?.state == .damaged { refusal = Self.damaged }
    if inflater?.state == .tooLarge || inflater == nil && piece.count > limit - body.count {
      refusal = HTTPError(
        .responseTooLarge,
        detail: "the response is larger than \(limit) bytes"
      )
    }
    if refusal != nil { return false }
    if inflater == nil { body.append(contentsOf: piece) }
    if request.keepsArrivals {
      // For a stream with so many pieces, exact arrival times are not useful.
      if arrivals.count == Self.maximumArrivals { arrivals.removeLast() }
      arrivals.append((start.duration(to: .now), body.count))
    }
    return true
  }

  private static let damaged = HTTPError(
    .broken,
    detail: "the compressed body is damaged, or its end is missing"
  )

  /// Receives a line of the headers; returns false to end the transfer.
  fileprivate func takeHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    if headers.take(line) { return true }
    refusal = HTTPError(
      .responseTooLarge,
      detail: "the headers of the response are larger than \(HeaderLines.limit) bytes"
    )
    return false
  }
}

func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ transfer: UnsafeMutableRawPointer?
) -> Int {
  receive(bytes, size * count, transfer) { $0.takeBody($1) }
}

func beforeSending(
  _ transfer: UnsafeMutableRawPointer?,
  _ remoteAddress: UnsafeMutablePointer<CChar>?,
  _ localAddress: UnsafeMutablePointer<CChar>?,
  _ remotePort: CInt,
  _ localPort: CInt
) -> CInt {
  guard let transfer else { return CURL_PREREQFUNC_OK }
  let mayGo = Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue().takeSending()
  return mayGo ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ transfer: UnsafeMutableRawPointer?
) -> Int {
  receive(bytes, size * count, transfer) { $0.takeHeader($1) }
}

private func receive(
  _ bytes: UnsafeMutablePointer<CChar>?,
  _ count: Int,
  _ transfer: UnsafeMutableRawPointer?,
  _ take: (CurlTransfer, UnsafeBufferPointer<UInt8>) -> Bool
) -> Int {
  guard let bytes, let transfer else { return count }
  let piece = UnsafeBufferPointer(
    start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self),
    count: count
  )
  let isTaken = take(Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue(), piece)
  // Any number other than the given count makes curl end the transfer.
  return isTaken ? count : count &+ 1
}

// MARK: - Errors

extension CurlTransfer {
  private func error(_ code: CURLcode, of handle: CurlHandle) -> HTTPError {
    if code == CURLE_OPERATION_TIMEDOUT { return timeoutError(of: handle.easy) }
    let text = handle.errorText
    if code == CURLE_SSL_CACERT_BADFILE {
      // Minimal containers often lack certificates, and curl's message does not say what to do.
      return HTTPError(
        .tls,
        detail: "\(text); install the system's certificates, or name a file in SSL_CERT_FILE"
      )
    }
    return HTTPError(
      Self.kind(of: code),
      detail: text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    )
  }

  /// Returns an error that names the phase that did not complete, unlike curl's own message.
  private func timeoutError(of handle: UnsafeMutableRawPointer) -> HTTPError {
    let missing =
      if time(CURLINFO_CONNECT_TIME_T, of: handle) == .zero {
        "there was no connection"
      } else if time(CURLINFO_STARTTRANSFER_TIME_T, of: handle) == .zero {
        "there was no response"
      } else {
        "the response was not complete"
      }
    return HTTPError(.timedOut, detail: "\(missing) within \(request.timeout)")
  }

  private static func kind(of code: CURLcode) -> HTTPError.Kind {
    switch code {
    case CURLE_URL_MALFORMAT: .invalidURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotResolved
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: .connectionFailed
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE:
      .tls
    default: .broken
    }
  }
}
