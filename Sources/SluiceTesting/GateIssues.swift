import Sluice

/// The issues that a test records for a suite, one for each gate that does not pass.
struct GateIssues {
  private let result: SuiteResult

  init(_ result: SuiteResult) { self.result = result }

  /// The texts of the issues, in the order of the gates.
  var texts: [String] {
    let columns = result.columns.filter(\.isCandidate)
    let gates = columns.flatMap { column -> [String] in
      if let missing = missing(column) { return [missing] }
      return column.gates.filter { $0.effect != .pass && $0.verdict != .notEvaluated }.map {
        "\(title(column)): \($0.condition.text): \($0.outcomeText(isGoal: false))"
      }
    }
    // A suite without gates has no verdict, which is an issue too.
    return gates.isEmpty ? ["\(result.name): \(summary)"] : gates
  }

  private var summary: String {
    VerdictExplanation(RunResult(suites: [result])).summary
  }

  /// Returns the suite's name, followed by the backend if the suite has several backends.
  private func title(_ column: ColumnResult) -> String {
    result.columns.count(where: \.isCandidate) > 1
      ? "\(result.name) on \(column.backend)" : result.name
  }

  /// Returns one text for all gates of a column without answers, or `nil` if the column has
  /// answers.
  private func missing(_ column: ColumnResult) -> String? {
    guard column.lacksAllAnswers, let text = column.missingText(in: result) else { return nil }
    let step = RunResult(suites: [result]).nextStep(CommandLineOverrides())
    let fix = step.map { "\n  fix: \($0.advice): \($0.command)" } ?? ""
    return "\(title(column)): \(text)\(fix)"
  }
}
