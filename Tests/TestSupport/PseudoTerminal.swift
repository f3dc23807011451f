import CSpawn
import Foundation

import SluiceSystem

/// A terminal that a test reads in place of a user.
package final class PseudoTerminal: @unchecked Sendable {
  /// The path of the device to which a program writes.
  package let path: String
  private let descriptor: CInt
  /// The open device, so that the terminal exists before and after the program runs.
  private let device: CInt
  // Safe to share, because the state is only accessed while this is locked.
  private let lock = NSLock()
  private var written: [UInt8] = []

  /// Opens a terminal.
  ///
  /// - Parameter columns: The width in columns.
  /// - Throws: The reason why there is no terminal.
  package init(columns: Int) throws {
    descriptor = posix_openpt(O_RDWR | O_NOCTTY)
    var name = [CChar](repeating: 0, count: 256)
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
      ptsname_r(descriptor, &name, name.count) == 0,
      ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0,
      fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
    else {
      let reason = String(cString: strerror(errno))
      throw ChildProcess.Failure(description: "there is no terminal: \(reason)")
    }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    device = open(path, O_RDWR | O_NOCTTY)
  }

  deinit {
    close(device)
    close(descriptor)
  }

  /// Everything written so far.
  package var text: String {
    lock.withLock {
      var part = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(descriptor, &part, part.count)
        guard count > 0 else { break }
        written += part[..<count]
      }
      return String(decoding: written, as: UTF8.self)
    }
  }

  /// The visible lines, each with its latest text.
  package var screen: [String] { lines.map { $0.last ?? "" } }

  /// All texts that any line ever showed, including replaced ones.
  package var everShown: [String] { lines.flatMap(\.self) }

  /// The lines, each with all texts written to it, in order.
  private var lines: [[String]] {
    text.replacingOccurrences(of: "\r\n", with: "\n").components(separatedBy: "\n")
      .map { $0.components(separatedBy: Self.clearedLine) }
  }

  /// Moves to the start of the line and clears the line.
  private static let clearedLine = "\r\u{1B}[K"
}
