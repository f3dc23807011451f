import SluiceSupport

/// The difference between two answers to a request, as far as a person or an app can see it.
///
/// Values that servers generate for each answer (ids, times, system fingerprints, headers about
/// rate limits) do not count.
package struct ResponseDifference: Hashable, Sendable {
  /// The differences as lines.
  ///
  /// Each starts with `-`, `+` or a space.
  package var lines: [String]
  /// True if the app would notice the difference: the text, the refusal or the finish reason
  /// changed.
  package var isVisible: Bool
  /// The tokens and times before and after, as far as they differ.
  package var figures: [String]

  /// Compares two answers.
  package init(from old: ModelResponse, to new: ModelResponse) {
    lines = Self.textLines(old.text, new.text)
    for (name, before, after) in [
      ("refusal", old.refusal, new.refusal),
      ("finish reason", old.finishReason, new.finishReason),
    ] where before != after {
      lines.append("- \(name): \(before ?? "none")")
      lines.append("+ \(name): \(after ?? "none")")
    }
    isVisible = !lines.isEmpty
    if old.provenance.model != new.provenance.model {
      lines.append("- model: \(old.provenance.model ?? "unknown")")
      lines.append("+ model: \(new.provenance.model ?? "unknown")")
    }
    figures = []
    func count(_ name: String, _ before: Int?, _ after: Int?) {
      guard before != after else { return }
      func text(_ count: Int?) -> String { count.map { String($0) } ?? "unknown" }
      figures.append("\(name) \(text(before)) → \(text(after))")
    }
    count("input tokens", old.usage?.input, new.usage?.input)
    count("output tokens", old.usage?.output, new.usage?.output)
    if let before = old.timings.total, let after = new.timings.total,
      before.rounded() != after.rounded()
    {
      // A time in a file may be too large for an integer.
      func text(_ time: Double) -> String { JSONWriter.number(time.rounded()) }
      figures.append("time \(text(before)) → \(text(after)) ms")
    }
  }

  /// True if nothing differs except for tokens and times.
  package var isSame: Bool { lines.isEmpty }

  /// Compares two texts: JSON field by field, and other texts line by line.
  package static func textLines(_ old: String?, _ new: String?) -> [String] {
    guard let old, let new else {
      if old == nil, new == nil { return [] }
      func whole(_ text: String?, _ sign: String) -> [String] {
        guard let text else { return ["\(sign) (no text)"] }
        if text.isEmpty { return ["\(sign) (an empty text)"] }
        return TextDifference.lines(from: "", to: text).map { sign + $0.dropFirst() }
      }
      return whole(old, "-") + whole(new, "+")
    }
    if old.isIdentical(to: new) { return [] }
    if let before = try? JSONReader.value(old), let after = try? JSONReader.value(new) {
      return JSONDifference.lines(from: before, to: after)
    }
    return TextDifference.lines(from: old, to: new)
  }
}
