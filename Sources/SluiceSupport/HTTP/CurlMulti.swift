import CLibcurl

/// A curl multi handle: concurrent transfers and their reusable connections.
///
/// Sluice passes the ready sockets to curl, so that curl need not check all of them. To find a free
/// connection, curl searches all connections of a multi handle. So each thread has several small
/// handles.
final class CurlMulti {
  /// The usual maximum number of transfers of a handle.
  static let usualCapacity = 64

  /// The owner number of this handle's sockets in the ``SocketWatch``.
  private let number: Int
  private let multi: UnsafeMutableRawPointer
  private let watch: SocketWatch
  /// The maximum number of concurrent transfers, and of connections kept open.
  private let capacity: Int
  /// The time at which curl wants to be called even if no socket is ready; nil if curl waits only
  /// for sockets.
  private(set) var alarm: ContinuousClock.Instant?
  private var count = 0

  /// Creates a handle; nil if there is no memory left.
  init?(number: Int, capacity: Int, watch: SocketWatch) {
    guard let multi = curl_multi_init() else { return nil }
    self.number = number
    self.multi = multi
    self.watch = watch
    self.capacity = capacity
    sluice_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, CLong(capacity))
    // Idle connections are closed first, so that connections to another host can be opened.
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

  /// Lets curl perform timed actions, such as starting added transfers.
  func actOnTime() throws(HTTPError) {
    guard let alarm, alarm <= .now else { return }
    self.alarm = nil
    try act(on: CURL_SOCKET_TIMEOUT, 0)
  }

  /// Lets curl use one of its sockets, which is ready.
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

  /// Returns the next handle whose transfer has ended, and the result code.
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

  // MARK: Callbacks from curl

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

// At file scope, like all functions that C calls.
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
