extension FieldReader {
  /// A share, written as a number of 1 or as a percentage; nil, with an error reported, for none.
  ///
  /// - Parameters:
  ///   - node: What stands there.
  ///   - key: Its key, for messages.
  ///   - most: The largest share that there can be.
  /// - Returns: The share.
  package func share(_ node: Node, _ key: String, upTo most: Double) -> Double? {
    var share: Double?
    switch node.value {
    case .number(let number): share = number
    case .string(let text) where text.hasSuffix("%"):
      // Read as conditions are, in which 58.7% is exactly 0.587.
      share = Double(text.dropLast().trimmingSpaces + "e-2")
    default: break
    }
    if let share, share >= 0, share <= most, share.isFinite { return share }
    diagnostics.error(
      most == 1
        ? "'\(key)' must be a share from 0 to 1, or a percentage up to 100%"
        : "'\(key)' must be a share such as 0.3, or a percentage such as 30%",
      in: file,
      at: node.position
    )
    return nil
  }
}

extension Substring {
  /// The text without spaces at its end.
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
