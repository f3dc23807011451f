import SluiceSupport

/// How two answers to a request differ in what a person or an app makes of them.
///
/// What servers make anew for each answer (ids, times, fingerprints of their systems, headers about
/// limits) is no difference.
package struct ResponseDifference: Hashable, Sendable {
  /// What differs, in lines that start with `-`, `+` or a space.
  package var lines: [String]
  /// Whether the app would see something else: text, refusal or why the answer ended.
  package var isVisible: Bool
  /// The tokens and the time before and after, where they differ.
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
      // A time of a file may be larger than any integer.
      func text(_ time: Double) -> String { JSONWriter.number(time.rounded()) }
      figures.append("time \(text(before)) → \(text(after)) ms")
    }
  }

  /// Whether nothing differs but figures.
  package var isSame: Bool { lines.isEmpty }

  /// Texts that both are JSON are compared field by field, others line by line.
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
