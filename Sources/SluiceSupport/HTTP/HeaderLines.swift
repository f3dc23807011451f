/// The raw header lines of a response, parsed only on demand.
struct HeaderLines {
  /// The maximum size of a response's headers in bytes; old versions of curl have no limit.
  static let limit = 256 << 10

  private var bytes: [UInt8] = []
  private var count = 0
  /// True once the empty line after the headers was received.
  private var isWhole = false

  init() {}

  /// Receives a line, including the status line and the empty line.
  ///
  /// Returns false if the headers are too large.
  mutating func take(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    count += line.count
    guard count <= Self.limit else { return false }
    if line.count >= 5, line.prefix(5).elementsEqual("HTTP/".utf8) {
      // An earlier response may be "100 Continue" or the response of a proxy.
      bytes.removeAll(keepingCapacity: true)
      isWhole = false
    } else if line.allSatisfy(Self.isSpace) {
      isWhole = true
    } else if !isWhole {
      // Trailers after the body are not headers.
      bytes.append(contentsOf: line)
    }
    return true
  }

  /// The parsed headers in order, with names in lower case.
  var fields: [HTTPHeader] {
    var fields: [HTTPHeader] = []
    bytes.withUnsafeBufferPointer { bytes in
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        if let first = line.first, Self.isSpace(first), let last = fields.indices.last {
          // The continuation of a folded value (RFC 9112, section 5.2).
          fields[last].value += " \(Self.text(line))"
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
          let name = Self.text(line[..<colon]).lowercased()
          fields.append(HTTPHeader(name, Self.text(line[(colon + 1)...])))
        }
      }
    }
    return fields
  }

  /// Returns a text without leading and trailing white space.
  private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    guard let start = bytes.firstIndex(where: { !isSpace($0) }),
      let end = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start...end]), as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}
