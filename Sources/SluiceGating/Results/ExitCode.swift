import SluiceCore

/// The exit codes of the program, which let CI distinguish outcomes.
package enum ExitCode: Int32, Sendable {
  /// Every gate is met.
  case pass = 0
  /// A gate is not met.
  case fail = 1
  /// A gate is inconclusive because there are too few cases.
  case inconclusive = 2
  /// There is no verdict: recordings are missing or stale, lost trials could change the verdict, or
  /// there is nothing to decide.
  case noVerdict = 3
  /// The command line or a file of the project is wrong.
  case usage = 64
  /// An internal error occurred, or a file could not be written.
  case failure = 70
  /// The run was interrupted.
  case interrupted = 130

  /// Creates the code for a verdict.
  ///
  /// - Parameter verdict: The verdict of a run.
  package init(_ verdict: Verdict) {
    switch verdict {
    case .pass: self = .pass
    case .fail: self = .fail
    case .inconclusive: self = .inconclusive
    case .noVerdict, .notEvaluated: self = .noVerdict
    }
  }
}
