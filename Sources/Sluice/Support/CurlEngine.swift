import CLibcurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread that drives transfers over curl's multi interface, until it is told to stop.
///
/// Callers leave their wishes in a mailbox and wake the thread; all else of curl is touched by that
/// thread alone.
final class CurlEngine: Sendable {
  fileprivate struct Mailbox {
    /// Nil once the thread has ended: there is nothing left to wake.
    var multi: UnsafeMutableRawPointer?
    var started: [CurlTransfer] = []
    var cancelled: [CurlTransfer] = []
    /// Why no transfer is taken any more.
    var stop: HTTPError?
    /// Whether the thread was woken and has not looked yet: to wake it costs a call of the system.
    var isWoken = false

    mutating func wake() {
      guard let multi, !isWoken else { return }
      isWoken = true
      curl_multi_wakeup(multi)
    }
  }

  fileprivate let mailbox: Locked<Mailbox>
  fileprivate let maximumConnections: Int

  // Not thread-safe in older versions of curl, hence once and before all else.
  private static let globalCode = curl_global_init(CLong(CURL_GLOBAL_ALL))

  init(maximumConnections: Int) {
    // Some files stay for the rest of the program; a connection beyond the limit would fail.
    let openFiles = sysconf(CInt(_SC_OPEN_MAX))
    self.maximumConnections = max(1, min(maximumConnections, openFiles < 0 ? .max : openFiles - 64))
    let multi = Self.globalCode == CURLE_OK ? curl_multi_init() : nil
    mailbox = Locked(Mailbox(multi: multi))
    if multi == nil || !startThread() {
      mailbox.withLock { mailbox in
        mailbox.stop = HTTPError(.broken, detail: "libcurl could not be started")
        mailbox.multi = nil
      }
      if let multi { curl_multi_cleanup(multi) }
    }
  }

  private func startThread() -> Bool {
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    // The thread keeps the engine alive until it ends.
    let engine = Unmanaged.passRetained(self)
    let code = pthread_create(&thread, nil, driveEngine, engine.toOpaque())
    if code != 0 { engine.release() }
    return code == 0
  }

  /// Hands a transfer to the thread, which resumes the continuation when it has ended.
  func start(_ transfer: CurlTransfer, _ continuation: CurlTransfer.Continuation) {
    let refusal: HTTPError? = mailbox.withLock { mailbox in
      if let stop = mailbox.stop { return stop }
      // The task may be cancelled before it gets here.
      if transfer.isCancelled { return .requestCancelled }
      transfer.continuation = continuation
      mailbox.started.append(transfer)
      mailbox.wake()
      return nil
    }
    if let refusal { continuation.resume(returning: .failure(refusal)) }
  }

  func cancel(_ transfer: CurlTransfer) {
    mailbox.withLock { mailbox in
      transfer.isCancelled = true
      mailbox.cancelled.append(transfer)
      mailbox.wake()
    }
  }

  func stop() {
    mailbox.withLock { mailbox in
      guard mailbox.stop == nil else { return }
      mailbox.stop = HTTPError(.cancelled, detail: "the HTTP client was shut down")
      mailbox.wake()
    }
  }
}

extension HTTPError {
  fileprivate static let requestCancelled = HTTPError(
    .cancelled,
    detail: "the request was cancelled"
  )
}

// MARK: - The thread

// At file scope, as all functions that C calls: inside an actor's code a closure would belong to
// that actor and trap on another thread. The argument is optional on Linux only.
#if canImport(Darwin)
private func driveEngine(_ engine: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  drive(Unmanaged<CurlEngine>.fromOpaque(engine).takeRetainedValue())
  return nil
}
#else
private func driveEngine(_ engine: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let engine { drive(Unmanaged<CurlEngine>.fromOpaque(engine).takeRetainedValue()) }
  return nil
}
#endif

private func drive(_ engine: CurlEngine) {
  pthread_detach(pthread_self())
  // A connection that breaks while OpenSSL writes to it must not end the program; curl only guards
  // against that where it may touch the signals of the process.
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)

  guard let multi = engine.mailbox.withLock({ $0.multi }) else { return }
  var driver = CurlDriver(engine: engine, multi: multi)
  driver.run()
}

/// What the thread of an engine keeps to itself.
private struct CurlDriver {
  let engine: CurlEngine
  let multi: UnsafeMutableRawPointer
  private var waiting: [CurlTransfer] = []
  private var underWay: [UnsafeMutableRawPointer: CurlTransfer] = [:]
  /// Handles of ended transfers: a new one costs more than to use one again.
  private var spareHandles: [CurlHandle] = []

  init(engine: CurlEngine, multi: UnsafeMutableRawPointer) {
    self.engine = engine
    self.multi = multi
  }

  mutating func run() {
    let connections = CLong(min(engine.maximumConnections, Int(CInt.max)))
    sluice_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
    while takeMail() {
      beginWaiting()
      var running: CInt = 0
      guard isFine(curl_multi_perform(multi, &running)) else { break }
      endFinished()
      if !waiting.isEmpty, underWay.count < engine.maximumConnections { continue }
      // Comes back earlier for the timers of curl, and when the mailbox has something.
      guard isFine(curl_multi_poll(multi, nil, 0, 3_600_000, nil)) else { break }
    }
    close()
  }

  /// Takes what callers left; false when it is time to stop.
  private mutating func takeMail() -> Bool {
    let (started, cancelled, isStopped) = engine.mailbox.withLock { mailbox in
      defer {
        (mailbox.started, mailbox.cancelled) = ([], [])
        mailbox.isWoken = false
      }
      return (mailbox.started, mailbox.cancelled, mailbox.stop != nil)
    }
    waiting += started
    for transfer in cancelled { end(transfer, .failure(.requestCancelled)) }
    return !isStopped
  }

  private mutating func beginWaiting() {
    let free = engine.maximumConnections - underWay.count
    guard free > 0, !waiting.isEmpty else { return }
    let next = waiting.prefix(free)
    waiting.removeFirst(next.count)
    // Without a continuation it was cancelled while it waited.
    for transfer in next where transfer.continuation != nil { begin(transfer) }
  }

  private mutating func begin(_ transfer: CurlTransfer) {
    guard let handle = spareHandles.popLast() ?? CurlHandle() else {
      return end(transfer, .failure(HTTPError(.broken, detail: "out of memory")))
    }
    transfer.handle = handle
    underWay[handle.easy] = transfer
    do throws(HTTPError) {
      try transfer.begin(on: handle)
    } catch {
      return end(transfer, .failure(error))
    }
    let code = curl_multi_add_handle(multi, handle.easy)
    if code != CURLM_OK { end(transfer, .failure(.multi(code))) }
  }

  private mutating func endFinished() {
    var remaining: CInt = 0
    while let message = curl_multi_info_read(multi, &remaining)?.pointee {
      guard message.msg == CURLMSG_DONE, let easy = message.easy_handle,
        let transfer = underWay[easy], let handle = transfer.handle
      else { continue }
      end(transfer, transfer.result(message.data.result, of: handle))
    }
  }

  /// Takes a transfer out of curl, if it is there, and gives its caller the result, if it waits for
  /// one: a cancellation may come too late, or before its turn.
  private mutating func end(_ transfer: CurlTransfer, _ result: CurlTransfer.Result) {
    if let handle = transfer.handle {
      curl_multi_remove_handle(multi, handle.easy)
      handle.letGo()
      underWay[handle.easy] = nil
      transfer.handle = nil
      spareHandles.append(handle)
    }
    transfer.continuation?.resume(returning: result)
    transfer.continuation = nil
  }

  private func isFine(_ code: CURLMcode) -> Bool {
    if code == CURLM_OK { return true }
    engine.mailbox.withLock { $0.stop = $0.stop ?? .multi(code) }
    return false
  }

  private mutating func close() {
    // Nothing is put into the mailbox after this.
    let stop = engine.mailbox.withLock { mailbox in
      waiting += mailbox.started
      mailbox.started = []
      mailbox.multi = nil
      return mailbox.stop ?? .requestCancelled
    }
    for transfer in waiting + Array(underWay.values) { end(transfer, .failure(stop)) }
    // Before that which their connections belong to.
    spareHandles = []
    curl_multi_cleanup(multi)
  }
}

extension HTTPError {
  fileprivate static func multi(_ code: CURLMcode) -> HTTPError {
    HTTPError(.broken, detail: "libcurl: \(String(cString: curl_multi_strerror(code)))")
  }
}
