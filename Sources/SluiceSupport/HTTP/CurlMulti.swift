import CLibcurl

/// A multi handle of curl: transfers that are under way at once, and the connections that they and later
/// ones use.
///
/// Curl is told which sockets are ready, rather than asked about all of them whenever one is. To find a
/// free connection it goes through all that a multi handle has, which is why a thread has several.
final class CurlMulti {
  /// How many transfers one takes at most.
  static let usualCapacity = 64

  /// What its sockets are watched as.
  private let number: Int
  private let multi: UnsafeMutableRawPointer
  private let watch: SocketWatch
  /// How many transfers it takes at once, and how many connections it keeps.
  private let capacity: Int
  /// When curl wants to be called though nothing came; nil where it does not.
  private(set) var alarm: ContinuousClock.Instant?
  private var count = 0

  /// Creates a handle; nil when memory is used up.
  init?(number: Int, capacity: Int, watch: SocketWatch) {
    guard let multi = curl_multi_init() else { return nil }
    self.number = number
    self.multi = multi
    self.watch = watch
    self.capacity = capacity
    sluice_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, CLong(capacity))
    // Those that are idle make room for another host's.
    sluice_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, CLong(capacity))
    let context = Unmanaged.passUnretained(self).toOpaque()
    sluice_curl_multi_set_callbacks(multi, tellSocket, tellTimer, context)
  }

  deinit { curl_multi_cleanup(multi) }

  var hasRoom: Bool { count < capacity }

  func add(_ handle: CurlHandle) throws(HTTPError) {
    try check(curl_multi_add_handle(multi, handle.easy))
    count += 1
  }

  func remove(_ handle: CurlHandle) {
    if curl_multi_remove_handle(multi, handle.easy) == CURLM_OK { count -= 1 }
  }

  // MARK: Progress

  /// Lets curl do what its time has come for, such as to start what was added.
  func actOnTime() throws(HTTPError) {
    guard let alarm, alarm <= .now else { return }
    self.alarm = nil
    try act(on: CURL_SOCKET_TIMEOUT, 0)
  }

  /// Lets curl use a socket of its own that is ready.
  func act(on socket: curl_socket_t, for readiness: SocketWatch.Readiness) throws(HTTPError) {
    var events: CInt = 0
    if readiness.contains(.reading) { events |= CURL_CSELECT_IN }
    if readiness.contains(.writing) { events |= CURL_CSELECT_OUT }
    if readiness.contains(.failure) { events |= CURL_CSELECT_ERR }
    try act(on: socket, events)
  }

  private func act(on socket: curl_socket_t, _ events: CInt) throws(HTTPError) {
    var running: CInt = 0
    try check(curl_multi_socket_action(multi, socket, events, &running))
  }

  /// The next handle whose transfer has ended, with what came of it.
  func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
    var remaining: CInt = 0
    while let message = curl_multi_info_read(multi, &remaining)?.pointee {
      if message.msg == CURLMSG_DONE, let easy = message.easy_handle {
        return (easy, message.data.result)
      }
    }
    return nil
  }

  private func check(_ code: CURLMcode) throws(HTTPError) {
    if code == CURLM_OK { return }
    throw HTTPError(.broken, detail: "libcurl: \(String(cString: curl_multi_strerror(code)))")
  }

  // MARK: What curl says

  fileprivate func note(_ socket: curl_socket_t, _ what: CInt) {
    var wanted: SocketWatch.Readiness = []
    if what == CURL_POLL_IN || what == CURL_POLL_INOUT { wanted.insert(.reading) }
    if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { wanted.insert(.writing) }
    watch.watch(socket, for: wanted, as: number)
  }

  fileprivate func noteTimer(_ milliseconds: CLong) {
    alarm = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  }
}

// At file scope, as all functions that C calls.
private func tellSocket(
  _ easy: UnsafeMutableRawPointer?,
  _ socket: curl_socket_t,
  _ what: CInt,
  _ multi: UnsafeMutableRawPointer?,
  _ own: UnsafeMutableRawPointer?
) -> CInt {
  guard let multi else { return 0 }
  Unmanaged<CurlMulti>.fromOpaque(multi).takeUnretainedValue().note(socket, what)
  return 0
}

private func tellTimer(
  _ handle: UnsafeMutableRawPointer?,
  _ milliseconds: CLong,
  _ multi: UnsafeMutableRawPointer?
) -> CInt {
  guard let multi else { return 0 }
  Unmanaged<CurlMulti>.fromOpaque(multi).takeUnretainedValue().noteTimer(milliseconds)
  return 0
}
