import SluiceGating

/// A gate that does not pass, for CI services that show findings next to the prompt's file.
struct GateFinding {
  enum Severity: String {
    case error, warning
  }

  var severity: Severity
  var suite: String
  var backend: String
  /// The prompt's file, relative to the project's root.
  var path: String
  /// The gate as written in the suite, or a phrase for several gates without a verdict.
  var subject: String
  /// The outcome.
  var outcome: String

  /// One line with the suite, the backend, the gate (or the number of gates without a verdict) and
  /// the outcome.
  var text: String { TerminalText.visible("\(suite) on \(backend): \(subject): \(outcome)") }

  /// Returns the gates that do not pass, the failed ones first.
  ///
  /// If several gates of a column have no verdict, they become one finding, since all of them
  /// usually lack the same data.
  static func all(of result: RunResult) -> [GateFinding] {
    var errors: [GateFinding] = []
    var warnings: [GateFinding] = []
    for suite in result.suites {
      for column in suite.columns where column.isCandidate {
        func finding(_ severity: Severity, _ subject: String, _ outcome: String) -> GateFinding {
          GateFinding(
            severity: severity,
            suite: suite.name,
            backend: column.backend,
            path: column.promptPath,
            subject: subject,
            outcome: outcome
          )
        }
        for gate in column.gates {
          let outcome = gate.outcomeText(isGoal: false)
          switch gate.effect {
          case .fail: errors.append(finding(.error, gate.condition.text, outcome))
          case .inconclusive: warnings.append(finding(.warning, gate.condition.text, outcome))
          case .pass, .noVerdict, .notEvaluated: break
          }
        }
        let open = column.gates.filter { $0.effect == .noVerdict }
        if let first = open.first {
          let count = TerminalLines.count(open.count, "gate")
          let subject = "\(count) without a verdict"
          errors.append(
            finding(.error, subject, "\(first.condition.text): \(first.outcomeText(isGoal: false))")
          )
        }
      }
    }
    return errors + warnings
  }
}
