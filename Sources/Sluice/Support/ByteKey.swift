/// Bytes by which something is looked up, compared and hashed as a whole.
struct ByteKey: Hashable, Sendable {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func == (left: Self, right: Self) -> Bool {
    left.bytes.withUnsafeBytes { left in right.bytes.withUnsafeBytes { left.equals($0) } }
  }

  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
