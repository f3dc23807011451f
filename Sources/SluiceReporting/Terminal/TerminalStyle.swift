import SluiceGating

/// Colors for a terminal, or none.
package struct TerminalStyle: Sendable {
  private let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  package func bold(_ text: String) -> String { wrapped(text, "1") }
  package func dim(_ text: String) -> String { wrapped(text, "2") }
  package func warning(_ text: String) -> String { wrapped(text, "33") }
  package func error(_ text: String) -> String { wrapped(text, "1;31") }

  func removed(_ text: String) -> String { wrapped(text, "31") }
  func added(_ text: String) -> String { wrapped(text, "32") }

  func verdict(_ text: String, _ verdict: Verdict) -> String {
    switch verdict {
    case .pass: wrapped(text, "1;32")
    case .fail: wrapped(text, "1;31")
    case .inconclusive, .noVerdict, .notEvaluated: wrapped(text, "1;33")
    }
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
