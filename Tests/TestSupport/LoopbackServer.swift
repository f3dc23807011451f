import Dispatch

import SluiceSupport
import SluiceSystem

/// A loopback server that sends exactly the bytes that a test provides.
///
/// Every connection has a thread, and the server runs until the process ends.
package final class LoopbackServer: Sendable {
  package struct Request: Sendable {
    package var method: String
    package var path: String
    /// The headers, with names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]
  }

  package enum Reply: Sendable {
    /// Sends bytes and waits for the next request.
    case bytes([UInt8])
    /// Sends bytes and closes the connection normally.
    case bytesThenClose([UInt8])
    /// Sends bytes and resets the connection.
    case bytesThenReset([UInt8])
    /// Sends nothing until the client closes the connection.
    case silence
    /// Sends bytes and then a body that never ends.
    case endless([UInt8])
    /// Sends bytes in small pieces, with a pause in microseconds after each.
    case slow([UInt8], pause: UInt32)
    /// Sends pieces as separate packets, with a pause in microseconds after each, and closes or
    /// resets the connection.
    case pieces([[UInt8]], pause: UInt32, reset: Bool = false)

    /// Returns a whole response.
    package static func response(_ status: String, headers: [String] = [], body: [UInt8] = [])
      -> Reply
    {
      let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)", "", ""]
      return .bytes(Array(lines.joined(separator: "\r\n").utf8) + body)
    }
  }

  package enum Event: Sendable {
    case request, closed
  }

  package let origin: String
  /// The events, in order.
  package let events: AsyncStream<Event>
  private let reply: @Sendable (Request) -> Reply
  private let event: AsyncStream<Event>.Continuation
  private let connections = Locked(0)

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - greeting: The bytes that a connection sends before it reads.
  ///   - reply: Returns the reply to a request.
  /// - Throws: The system's error.
  package init(greeting: String = "", _ reply: @escaping @Sendable (Request) -> Reply) throws {
    self.reply = reply
    (events, event) = AsyncStream.makeStream()
    let (listener, port) = try Self.boundSocket()
    guard listen(listener, 512) == 0 else { throw SystemError(code: errno) }
    origin = "http://127.0.0.1:\(port)"
    startThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { continue }
        connections.withLock { $0 += 1 }
        startThread { [self] in
          write(Array(greeting.utf8), to: connection)
          serve(connection)
        }
      }
    }
  }

  package var connectionCount: Int { connections.withLock { $0 } }

  /// Returns the origin of a port that refuses connections, because it is reserved but not
  /// listening.
  package static func refusingOrigin() throws -> String {
    "http://127.0.0.1:\(try boundSocket().port)"
  }

  // MARK: Sockets

  private static func boundSocket() throws -> (socket: CInt, port: UInt16) {
    #if canImport(Glibc)
    let stream = CInt(SOCK_STREAM.rawValue)
    #else
    let stream = CInt(SOCK_STREAM)
    #endif
    let socket = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
      }
    }
    guard code else { throw SystemError(code: errno) }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  private func serve(_ connection: CInt) {
    defer { event.yield(.closed) }
    var buffer: [UInt8] = []
    while let request = readRequest(connection, &buffer) {
      event.yield(.request)
      switch reply(request) {
      case .bytes(let bytes): write(bytes, to: connection)
      case .bytesThenClose(let bytes):
        write(bytes, to: connection)
        close(connection)
        return
      case .bytesThenReset(let bytes):
        write(bytes, to: connection)
        reset(connection)
        return
      case .pieces(let pieces, let pause, let isReset):
        var yes: CInt = 1
        // Send small pieces at once instead of collecting them into larger packets.
        setsockopt(
          connection,
          CInt(IPPROTO_TCP),
          TCP_NODELAY,
          &yes,
          socklen_t(MemoryLayout<CInt>.size)
        )
        for piece in pieces {
          guard write(piece, to: connection) else { break }
          usleep(pause)
        }
        if isReset { reset(connection) } else { close(connection) }
        return
      case .silence: continue
      case .endless(let bytes):
        var isOpen = write(bytes, to: connection)
        let more = Array(repeating: UInt8(ascii: " "), count: 65_536)
        while isOpen { isOpen = write(more, to: connection) }
        close(connection)
        return
      case .slow(let bytes, let pause):
        for start in stride(from: 0, to: bytes.count, by: 16) {
          let piece = bytes[start..<min(start + 16, bytes.count)]
          guard write(Array(piece), to: connection) else { break }
          usleep(pause)
        }
      }
    }
    close(connection)
  }

  private func reset(_ connection: CInt) {
    // Without lingering, closing sends a reset.
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close(connection)
  }

  private func readRequest(_ connection: CInt, _ buffer: inout [UInt8]) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    var searched = 0
    while true {
      if buffer.count >= 4 {
        for start in searched...(buffer.count - 4) where buffer[start..<start + 4] == end[...] {
          var lines = String(decoding: buffer[..<start], as: UTF8.self).split(separator: "\r\n")
          let words = lines.removeFirst().split(separator: " ")
          var headers: [String: String] = [:]
          for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] =
              String(line[line.index(after: colon)...]).trimmed
          }
          let bodyEnd = start + 4 + (headers["content-length"].flatMap { Int($0) } ?? 0)
          while buffer.count < bodyEnd {
            guard readMore(connection, &buffer) else { return nil }
          }
          defer { buffer.removeFirst(bodyEnd) }
          return Request(
            method: String(words[0]),
            path: String(words[1]),
            headers: headers,
            body: Array(buffer[start + 4..<bodyEnd])
          )
        }
        searched = buffer.count - 3
      }
      guard readMore(connection, &buffer) else { return nil }
    }
  }

  private func readMore(_ connection: CInt, _ buffer: inout [UInt8]) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { bytes in
      let count = recv(connection, bytes.baseAddress, bytes.count, 0)
      guard count > 0 else { return false }
      buffer.append(contentsOf: bytes[..<count])
      return true
    }
  }

  @discardableResult
  private func write(_ bytes: [UInt8], to connection: CInt) -> Bool {
    #if canImport(Darwin)
    var yes: CInt = 1
    setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<CInt>.size))
    let flags: CInt = 0
    #else
    let flags = CInt(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }
}

package struct SystemError: Error {
  package var code: CInt
}

/// A barrier that blocks every task until all have arrived.
package final class Meeting: Sendable {
  private let missing: Locked<Int>
  private let size: Int
  private let door = DispatchSemaphore(value: 0)

  package init(of size: Int) {
    self.size = size
    missing = Locked(size)
  }

  package func wait() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { for _ in 0..<size { door.signal() } }
    door.wait()
  }
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  #if canImport(Darwin)
  var thread: pthread_t?
  #else
  var thread = pthread_t()
  #endif
  pthread_create(
    &thread,
    nil,
    { argument in
      pthread_detach(pthread_self())
      // The argument is optional only on Linux.
      let argument: UnsafeMutableRawPointer? = argument
      if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    },
    Unmanaged.passRetained(Box(body)).toOpaque()
  )
}
