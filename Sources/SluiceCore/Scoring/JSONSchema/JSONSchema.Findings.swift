import SluiceSupport

extension JSONSchema {
  /// The findings about one value: violations, and possibly a rule that is undecided.
  struct Findings {
    /// The maximum number of violations that are collected.
    let limit: Int
    private(set) var violations: [Violation] = []
    private(set) var undecided: Violation?

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { violations.count >= limit }

    var outcome: Outcome {
      if !violations.isEmpty { return .breaks(violations) }
      return undecided.map(Outcome.undecided) ?? .fits
    }

    mutating func add(_ violation: Violation) { if !isFull { violations.append(violation) } }

    mutating func leaveUndecided(_ violation: Violation) { undecided = undecided ?? violation }

    /// Appends a remark to the messages of all violations from an index on.
    mutating func append(_ remark: String, from start: Int) {
      for index in violations.indices.dropFirst(start) { violations[index].message += remark }
    }
  }
}
