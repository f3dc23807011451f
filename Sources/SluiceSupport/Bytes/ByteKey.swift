/// Bytes used as a dictionary key, compared and hashed as a whole.
@usableFromInline
package struct ByteKey: Hashable, Sendable {
  @usableFromInline
  package var bytes: [UInt8]

  @inlinable
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  @inlinable
  package static func == (left: Self, right: Self) -> Bool {
    left.bytes.withUnsafeBytes { left in right.bytes.withUnsafeBytes { left.equals($0) } }
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(QuickChecksum.of($0)) }
  }
}
