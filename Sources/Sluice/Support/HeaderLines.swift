/// The header lines of a response as they came, until somebody asks what they say.
struct HeaderLines {
  /// How many bytes of headers a response may have; old versions of curl have no bound.
  static let limit = 256 << 10

  private var bytes: [UInt8] = []
  private var count = 0
  /// Whether the empty line after the headers came.
  private var isWhole = false

  init() {}

  /// Takes a line, with the status line before and the empty line after them; false when there are too
  /// many.
  mutating func take(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    count += line.count
    guard count <= Self.limit else { return false }
    if line.count >= 5, line.prefix(5).elementsEqual("HTTP/".utf8) {
      // Before the response may stand one that says "100 Continue", or that of a proxy.
      bytes.removeAll(keepingCapacity: true)
      isWhole = false
    } else if line.allSatisfy(Self.isSpace) {
      isWhole = true
    } else if !isWhole {
      // What comes after the body is none of them.
      bytes.append(contentsOf: line)
    }
    return true
  }

  /// What the lines say, in their order, names in lower case.
  var fields: [HTTPHeader] {
    var fields: [HTTPHeader] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let first = line.first, Self.isSpace(first), let last = fields.indices.last {
        // The rest of a value that was folded (RFC 9112, section 5.2).
        fields[last].value += " \(Self.text(line))"
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = line[..<colon].map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      fields.append(HTTPHeader(Self.text(name[...]), Self.text(line[(colon + 1)...])))
    }
    return fields
  }

  /// A text without white space at its ends.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}
