import CLibcurl

import SluiceSystem

/// A thread that runs transfers with curl's multi interface until it is stopped.
///
/// Callers leave requests in a mailbox and wake the thread. Only the thread uses curl's objects.
final class CurlEngine: Sendable {
  fileprivate struct Mailbox {
    /// The bell that wakes the thread; nil once the thread has ended.
    var bell: SocketWatch.Bell?
    var started: [CurlTransfer] = []
    var cancelled: [CurlTransfer] = []
    /// The reason why no more transfers are accepted.
    var stop: HTTPError?
    /// True if the thread was woken but has not run yet.
    ///
    /// Such a thread need not be woken again, which saves a system call.
    var isWoken = false

    mutating func wake() {
      guard let bell, !isWoken else { return }
      isWoken = true
      bell.ring()
    }
  }

  fileprivate let mailbox: Locked<Mailbox>
  fileprivate let maximumConnections: Int
  fileprivate let trusted: TrustedCertificates

  // This call is not thread-safe in older versions of curl. So it is made once, before all others.
  private static let globalCode = curl_global_init(CLong(CURL_GLOBAL_ALL))

  /// The maximum number of connections that the process can open.
  ///
  /// Some file descriptors are reserved for the rest of the program, so the number is below the
  /// system's limit. A connection beyond that limit would fail.
  static var possibleConnections: Int {
    let openFiles = sysconf(CInt(_SC_OPEN_MAX))
    return openFiles < 0 ? .max : max(1, openFiles - 64)
  }

  init(maximumConnections: Int, trusting trusted: TrustedCertificates) {
    self.trusted = trusted
    self.maximumConnections = max(1, min(maximumConnections, Self.possibleConnections))
    mailbox = Locked(Mailbox())
    if Self.globalCode != CURLE_OK || !startThread() { mailbox.withLock { $0.stop = .notStarted } }
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

  /// Passes a transfer to the thread, which resumes the continuation when the transfer ends.
  func start(_ transfer: CurlTransfer, _ continuation: CurlTransfer.Continuation) {
    let refusal: HTTPError? = mailbox.withLock { mailbox in
      if let stop = mailbox.stop { return stop }
      // The task may have been cancelled before this point.
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

  /// True while the engine accepts transfers, until it fails or is stopped.
  var isRunning: Bool { mailbox.withLock { $0.stop == nil } }

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
  fileprivate static let notStarted = HTTPError(.broken, detail: "libcurl could not be started")
}

// MARK: - The thread

// The function is at file scope, like all functions that C calls. A closure in an actor's code
// would belong to that actor, and trap on another thread. The argument is optional only on Linux.
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
  // If a connection breaks while OpenSSL writes, SIGPIPE must not end the program. curl prevents
  // that only if it may change the signal handlers of the process.
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)

  var driver = CurlDriver(engine)
  driver.run()
}

/// The state that only the engine's thread uses.
private struct CurlDriver {
  private let engine: CurlEngine
  /// The watch of all sockets.
  ///
  /// It owns the bell that callers ring, so the watch must exist until the last ring.
  private let watch = SocketWatch()
  private var multis: [CurlMulti] = []
  private var ready: [SocketWatch.Event] = []
  private var waiting: [CurlTransfer] = []
  private var underWay: [UnsafeMutableRawPointer: CurlTransfer] = [:]
  /// The handles of ended transfers.
  ///
  /// Reusing a handle is cheaper than creating one.
  private var spareHandles: [CurlHandle] = []

  init(_ engine: CurlEngine) { self.engine = engine }

  mutating func run() {
    do throws(HTTPError) {
      guard let watch else { throw .notStarted }
      engine.mailbox.withLock { $0.bell = watch.bell }
      while takeMail() {
        beginWaiting(watch)
        for multi in multis { try multi.actOnTime() }
        endFinished()
        if !waiting.isEmpty, underWay.count < engine.maximumConnections { continue }
        let alarm = multis.lazy.compactMap(\.alarm).min()
        watch.wait(atMost: alarm.map { ContinuousClock.now.duration(to: $0) }, &ready)
        for event in ready { try multis[event.owner].act(on: event.socket, for: event.readiness) }
        endFinished()
      }
    } catch {
      engine.mailbox.withLock { $0.stop = $0.stop ?? error }
    }
    close()
  }

  /// Takes the callers' requests.
  ///
  /// Returns false if the engine must stop.
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

  private mutating func beginWaiting(_ watch: SocketWatch) {
    let free = engine.maximumConnections - underWay.count
    guard free > 0, !waiting.isEmpty else { return }
    let next = waiting.prefix(free)
    waiting.removeFirst(next.count)
    // A transfer without a continuation was cancelled while it waited.
    for transfer in next where transfer.continuation != nil { begin(transfer, watch) }
  }

  private mutating func begin(_ transfer: CurlTransfer, _ watch: SocketWatch) {
    guard let handle = spareHandles.popLast() ?? CurlHandle(trusting: engine.trusted),
      let multi = freeMulti(watch)
    else {
      return end(transfer, .failure(HTTPError(.broken, detail: "out of memory")))
    }
    do throws(HTTPError) {
      try transfer.begin(on: handle)
      try multi.add(handle)
    } catch {
      handle.letGo()
      spareHandles.append(handle)
      return end(transfer, .failure(error))
    }
    transfer.place = CurlTransfer.Place(handle: handle, multi: multi)
    underWay[handle.easy] = transfer
  }

  /// Returns the first handle that can take another transfer, so that there are few connections.
  private mutating func freeMulti(_ watch: SocketWatch) -> CurlMulti? {
    if let multi = multis.first(where: \.hasRoom) { return multi }
    let capacity = min(
      CurlMulti.usualCapacity,
      engine.maximumConnections - multis.count * CurlMulti.usualCapacity
    )
    guard let multi = CurlMulti(number: multis.count, capacity: capacity, watch: watch) else {
      return nil
    }
    multis.append(multi)
    return multi
  }

  private mutating func endFinished() {
    for multi in multis {
      while let ended = multi.nextEnded() {
        guard let transfer = underWay[ended.easy], let place = transfer.place else { continue }
        end(transfer, transfer.result(ended.code, of: place.handle))
      }
    }
  }

  /// Removes a transfer from curl and passes the result to its caller, if the caller still waits.
  ///
  /// A cancellation may arrive after the transfer has ended, or before it starts. In both cases,
  /// curl does not have the transfer.
  private mutating func end(_ transfer: CurlTransfer, _ result: CurlTransfer.Result) {
    if let place = transfer.place {
      place.multi.remove(place.handle)
      place.handle.letGo()
      underWay[place.handle.easy] = nil
      transfer.place = nil
      spareHandles.append(place.handle)
    }
    transfer.continuation?.resume(returning: result)
    transfer.continuation = nil
  }

  private mutating func close() {
    // Nothing is added to the mailbox after this point.
    let stop = engine.mailbox.withLock { mailbox in
      waiting += mailbox.started
      mailbox.started = []
      mailbox.bell = nil
      return mailbox.stop ?? .requestCancelled
    }
    for transfer in waiting + Array(underWay.values) { end(transfer, .failure(stop)) }
    // The handles are freed first, because the multi handles own the connections.
    spareHandles = []
    multis = []
  }
}
