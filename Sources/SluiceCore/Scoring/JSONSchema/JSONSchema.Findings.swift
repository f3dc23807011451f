import SluiceSupport

extension JSONSchema {
  /// What was found about one value: three answers are possible, since a rule may be undecided.
  struct Findings {
    /// How many violations are looked for.
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

    /// Adds to the messages from the given one on.
    mutating func append(_ remark: String, from start: Int) {
      for index in violations.indices.dropFirst(start) { violations[index].message += remark }
    }
  }
}
