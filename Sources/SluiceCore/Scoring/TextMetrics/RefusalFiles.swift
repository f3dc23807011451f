import SluiceSupport
internal import CRefusalPatterns

/// The patterns for refusals, which are in a separate file in `Sources/CRefusalPatterns`.
enum RefusalFiles {
  static var patterns: String {
    let file = refusal_patterns()
    return String(
      decoding: UnsafeBufferPointer(start: file.bytes, count: file.size),
      as: UTF8.self
    )
  }
}
