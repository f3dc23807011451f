extension Sequence<UInt8> {
  /// Calls a closure with the bytes in contiguous memory; copies them only if necessary.
  ///
  /// Generic functions over byte sequences are one-line wrappers around this function. Each module
  /// compiles the wrappers for its own types. The actual work is compiled once.
  @inlinable
  package func withUnits<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
  }
}
