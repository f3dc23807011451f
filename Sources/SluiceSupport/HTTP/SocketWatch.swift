import SluiceSystem

/// A watch on many sockets, which waits until one of them is ready or the ``Bell`` is rung.
///
/// The registered sockets are kept in an array for `poll`, so registering a socket costs no system
/// call. Only one thread uses the watch, except for the bell.
final class SocketWatch {
  /// The events to wait for on a socket, or the events that occurred.
  struct Readiness: OptionSet {
    let rawValue: Int
    static let reading = Readiness(rawValue: 1)
    static let writing = Readiness(rawValue: 2)
    /// The socket is closed or broken.
    ///
    /// This event is always watched.
    static let failure = Readiness(rawValue: 4)
  }

  /// A bell that ends the current or the next wait of a watch.
  ///
  /// Any thread may ring the bell while the watch exists.
  struct Bell: Sendable {
    fileprivate let descriptor: CInt

    func ring() { _ = [1].withUnsafeBytes { FileDescriptor.write($0, to: descriptor) } }
  }

  private let wire: Pipe
  /// The bell, followed by the sockets.
  private var polled: [pollfd]
  /// The owner numbers of the elements of ``polled``, in the same order; -1 for the bell.
  private var owners: [Int] = [-1]
  /// The index of each socket in ``polled`` and ``owners``.
  private var places: [CInt: Int] = [:]

  /// A socket that is ready.
  struct Event {
    var socket: CInt
    var readiness: Readiness
    /// The owner number of the socket.
    package var owner: Int
  }

  /// Creates a watch; nil if the system has no descriptor left.
  init?() {
    guard let wire = Pipe() else { return nil }
    self.wire = wire
    // A ring must not block if the pipe is full; several rings count as one.
    FileDescriptor.setNonBlocking(wire.reading)
    FileDescriptor.setNonBlocking(wire.writing)
    polled = [pollfd(fd: wire.reading, events: Int16(POLLIN), revents: 0)]
  }

  deinit { wire.close() }

  var bell: Bell { Bell(descriptor: wire.writing) }

  /// Starts watching a socket for events, or stops watching it if no events are given.
  ///
  /// - Parameters:
  ///   - socket: The socket.
  ///   - wanted: The events to wait for.
  ///   - owner: The number of the owner, which is returned with the events.
  func watch(_ socket: CInt, for wanted: Readiness, as owner: Int) {
    if wanted.isEmpty { return forget(socket) }
    var events = 0
    if wanted.contains(.reading) { events |= Int(POLLIN) }
    if wanted.contains(.writing) { events |= Int(POLLOUT) }
    if let place = places[socket] {
      polled[place].events = Int16(events)
      owners[place] = owner
    } else {
      places[socket] = polled.count
      polled.append(pollfd(fd: socket, events: Int16(events), revents: 0))
      owners.append(owner)
    }
  }

  private func forget(_ socket: CInt) {
    guard let place = places.removeValue(forKey: socket) else { return }
    let (last, owner) = (polled.removeLast(), owners.removeLast())
    if place == polled.count { return }
    (polled[place], owners[place]) = (last, owner)
    places[last.fd] = place
  }

  /// Waits for watched events.
  ///
  /// - Parameters:
  ///   - limit: The maximum wait; nil for no limit.
  ///   - ready: The array that receives the ready sockets; its previous contents are removed.
  func wait(atMost limit: Duration?, _ ready: inout [Event]) {
    ready.removeAll(keepingCapacity: true)
    let milliseconds = limit.map { max(0, min($0.milliseconds.rounded(.up), 3_600_000)) } ?? -1
    var count = poll(&polled, nfds_t(polled.count), CInt(milliseconds))
    var place = 0
    while count > 0, place < polled.count {
      defer { place += 1 }
      let events = Int(polled[place].revents)
      if events == 0 { continue }
      count -= 1
      if place == 0 {
        FileDescriptor.drain(wire.reading)
        continue
      }
      var readiness: Readiness = []
      if events & Int(POLLIN | POLLHUP) != 0 { readiness.insert(.reading) }
      if events & Int(POLLOUT) != 0 { readiness.insert(.writing) }
      if events & Int(POLLERR | POLLNVAL) != 0 { readiness.insert(.failure) }
      ready.append(Event(socket: polled[place].fd, readiness: readiness, owner: owners[place]))
    }
  }
}
