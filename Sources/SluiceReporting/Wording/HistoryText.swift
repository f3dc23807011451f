import SluiceGating

/// The points of a history, in words and drawings.
enum HistoryText {
  /// Formats a date such as `2026-11-22 13:05`, in UTC.
  static func date(_ date: Timestamp) -> String {
    "\(date.day) \(date.iso8601.dropFirst(11).prefix(5))"
  }

  /// Returns the origin of a point in at most 8 characters: `run`, `live ×3`, or the start of a
  /// commit's id.
  static func source(_ point: History.Point) -> String {
    let times = point.count > 1 ? " ×\(point.count)" : ""
    return switch point.source {
    case .run(_, isLive: true): "live\(times)"
    case .run(_, isLive: false): "run\(times)"
    case .baseline(let commit): String(commit.prefix(8))
    }
  }

  /// The kind of a change.
  enum Kind: String, CaseIterable {
    case prompt, model, dataset, scorers, repeats

    /// A letter for the kind, used where a word does not fit.
    var letter: String { String(rawValue.prefix(1).uppercased()) }
  }

  static func kind(_ change: History.Change) -> Kind {
    switch change {
    case .prompt: .prompt
    case .models: .model
    case .dataset: .dataset
    case .scorers: .scorers
    case .repetitions: .repeats
    }
  }

  /// Returns a letter for each kind of change.
  static func letters(_ changes: [History.Change]) -> String {
    changes.map { kind($0).letter }.joined()
  }

  /// The meaning of the letters: each letter with its kind of change.
  static let kinds = Kind.allCases.map { "\($0.letter) \($0.rawValue)" }.joined(separator: ", ")

  /// The sign of a point that misses a gate.
  static let missed = "✗"

  /// Returns a note that a line's prompt is not the suite's own prompt, or `nil` for the suite's
  /// own prompt.
  static func standing(_ line: History.Line) -> String? {
    if line.prompt == nil { return nil }
    return line.isTried ? "tried with --prompt" : "not the candidate"
  }

  /// Returns the changes as one line of text.
  static func changes(_ changes: [History.Change]) -> String {
    changes.map(text).joined(separator: "; ")
  }

  private static func text(_ change: History.Change) -> String {
    switch change {
    case .prompt(let from, let to): from == to ? "prompt \(to) edited" : "prompt \(from) → \(to)"
    case .models(let from, let to):
      "model \(from.joined(separator: ", ")) → \(to.joined(separator: ", "))"
    case .dataset(let added, let removed, let changed):
      "dataset: "
        + [
          added > 0 ? "\(added.withThousands) new" : nil,
          removed > 0 ? "\(removed.withThousands) removed" : nil,
          changed > 0 ? "\(changed.withThousands) changed" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    case .scorers(let names):
      "scorer\(names.count == 1 ? "" : "s") \(names.joined(separator: ", ")) changed"
    case .repetitions(let from, let to): "trials per case: \(from) → \(to)"
    }
  }

  /// A scale that maps the range of a metric's estimates to a number of characters.
  struct Scale {
    let columns: Int
    private let low: Double
    private let high: Double

    init(_ estimates: [Estimate], columns: Int) {
      self.columns = columns
      let ends = estimates.flatMap { estimate in
        [estimate.value, estimate.interval?.low, estimate.interval?.high]
      }.compactMap(\.self).filter(\.isFinite)
      low = ends.min() ?? 0
      high = ends.max() ?? 0
    }

    /// Draws a value with its interval, such as `  ├──●─┤`; empty if the value is unknown.
    func drawing(of estimate: Estimate) -> String {
      guard let value = estimate.value, value.isFinite else { return "" }
      let place = column(of: value)
      var drawing = Array(repeating: Character(" "), count: columns)
      if let interval = estimate.interval, interval.low.isFinite, interval.high.isFinite {
        let (first, last) = (column(of: interval.low), column(of: interval.high))
        for column in first...max(first, last) { drawing[column] = "─" }
        drawing[first] = "├"
        drawing[max(first, last)] = "┤"
      }
      drawing[place] = "●"
      return String(drawing)
    }

    private func column(of value: Double) -> Int {
      guard high > low else { return (columns - 1) / 2 }
      let share = (value - low) / (high - low)
      return min(columns - 1, max(0, Int((share * Double(columns - 1)).rounded())))
    }
  }
}
