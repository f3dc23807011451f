import SluiceGating

/// A gate that does not pass, as services show it at the prompt that it is about.
struct GateFinding {
  enum Severity: String {
    case error, warning
  }

  var severity: Severity
  var suite: String
  var backend: String
  /// The prompt's file, relative to the project's root.
  var path: String
  /// The gate as it was written; of gates without a verdict what they have in common.
  var subject: String
  /// What it came to.
  var outcome: String

  /// The suite, the gate and what it came to, in a line.
  var text: String { TerminalText.visible("\(suite) on \(backend): \(subject): \(outcome)") }

  /// The gates that do not pass, the failed ones first, and those without a verdict as one for each
  /// column: they mostly lack the same.
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
