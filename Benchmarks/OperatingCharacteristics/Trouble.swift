import Sluice

/// The reason why nothing could be measured.
struct Trouble: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension Baseline {
  /// Returns the baseline that accepting trials would create, after writing and reading it.
  static func of(_ plan: SuitePlan, _ trials: [Trial]) throws -> Baseline {
    guard let column = plan.candidates.first else { throw Trouble("the suite has no prompt") }
    return try Baseline(reading: FileContents(Baseline.bytes(plan, column: column, trials: trials)))
  }
}
