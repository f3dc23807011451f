extension Sequence<UInt8> {
  /// Calls a closure with the bytes as they lie in memory, copied where they do not lie in one piece.
  ///
  /// Functions that take any sequence of bytes are a line around this one, which every room compiles
  /// for its own types; the work itself is compiled once.
  @inlinable
  package func withUnits<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
  }
}
