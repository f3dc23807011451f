package import SluiceSupport

extension FieldReader {
  /// Reads a share, such as `0.3` or `30%`.
  ///
  /// - Parameters:
  ///   - node: The value.
  ///   - key: The key of the value, for messages.
  ///   - most: The maximum share.
  /// - Returns: The share; nil, with an error reported, if the value is not a valid share.
  package func share(_ node: Node, _ key: String, upTo most: Double) -> Double? {
    var share: Double?
    switch node.value {
    case .number(let number): share = number
    case .string(let text) where text.hasSuffix("%"):
      // 58.7% is parsed as 58.7e-2, because 58.7 / 100 is not exactly 0.587.
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

  /// Reads a range, such as `[1, 5]`.
  ///
  /// - Parameters:
  ///   - node: The value.
  ///   - key: The key of the value, for messages.
  ///   - example: An example of a valid range.
  /// - Returns: The range; nil, with an error reported, if the value is not a valid range.
  package func range(_ node: Node, _ key: String, example: String) -> ClosedRange<Double>? {
    if case .sequence(let ends) = node.value, ends.count == 2,
      case .number(let low) = ends[0].value, case .number(let high) = ends[1].value, low < high
    {
      return low...high
    }
    diagnostics.error(
      "'\(key)' must be two numbers, with the lower one first",
      in: file,
      at: node.position,
      fix: "write '\(key): \(example)'"
    )
    return nil
  }
}

extension Substring {
  /// The text without trailing spaces.
  var trimmingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
