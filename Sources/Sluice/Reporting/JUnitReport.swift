/// `junit.xml`: a test suite for each prompt and backend, a test case for each gate and each trial.
package struct JUnitReport {
  /// Parsers refuse attributes and texts of some megabytes, and an escaped character takes several.
  private static let longestAttribute = 1_000
  private static let longestDetail = 4_000
  private let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  package var bytes: [UInt8] {
    let columns = result.suites.flatMap { suite in suite.columns.map { (suite, $0) } }
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let totals = columns.map { Totals($0.1) }
    xml += "<testsuites\(Totals.sum(totals).attributes)>\n"
    for ((suite, column), total) in zip(columns, totals) { xml += testSuite(suite, column, total) }
    xml += "</testsuites>\n"
    return Array(xml.utf8)
  }

  private struct Totals {
    var tests: Int
    var failures: Int
    var errors: Int
    var skipped: Int

    init(_ column: ColumnResult) {
      let gates = column.decidingGates
      let trials = column.trials.filter { column.quarantine[$0.caseID] == nil }
      tests = column.trials.count + gates.count
      failures =
        trials.count { $0.outcome == .failed } + gates.count { $0.effect == .fail }
      errors =
        trials.count(where: \.isLost)
        + gates.count { $0.effect == .noVerdict || $0.effect == .inconclusive }
      skipped =
        column.failed + column.lost - trials.count { $0.outcome != .passed }
        + gates.count { $0.verdict == .notEvaluated || $0.effect != $0.verdict }
    }

    static func sum(_ totals: [Totals]) -> Totals {
      totals.reduce(into: Totals(tests: 0, failures: 0, errors: 0, skipped: 0)) { sum, total in
        sum.tests += total.tests
        sum.failures += total.failures
        sum.errors += total.errors
        sum.skipped += total.skipped
      }
    }

    private init(tests: Int, failures: Int, errors: Int, skipped: Int) {
      self.tests = tests
      self.failures = failures
      self.errors = errors
      self.skipped = skipped
    }

    var attributes: String {
      " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
        + (skipped > 0 ? " skipped=\"\(skipped)\"" : "")
    }
  }

  private func testSuite(_ suite: SuiteResult, _ column: ColumnResult, _ total: Totals) -> String {
    let name = "\(suite.name) (\(column.prompt) on \(column.backend))"
    var xml = "  <testsuite name=\"\(attribute(name))\"\(total.attributes)>\n"
    xml += "    <properties>\n"
    xml += property("verdict", column.verdict.rawValue, indent: 6)
    xml += property("answers", suite.source.rawValue, indent: 6)
    for provenance in column.provenances {
      xml += property("answered-by", provenance.phrase, indent: 6)
    }
    xml += "    </properties>\n"
    for gate in column.decidingGates { xml += testCase(gate, in: name) }
    for trial in column.trials {
      xml += testCase(trial, in: name, quarantine: column.quarantine[trial.caseID])
    }
    return xml + "  </testsuite>\n"
  }

  private func testCase(_ gate: Decision, in suite: String) -> String {
    let head = head("gate: \(gate.condition.text)", "\(suite).gates", time: nil)
    let message = attribute(message(gate))
    if let waiver = gate.waiver, gate.effect != gate.verdict {
      let why = attribute("waived until \(waiver.until): \(waiver.reason); ")
      return head + ">\n      <skipped message=\"\(why)\(message)\"/>\n    </testcase>\n"
    }
    switch gate.verdict {
    case .notEvaluated:
      return head + ">\n      <skipped message=\"\(message)\"/>\n    </testcase>\n"
    case .pass: return head + "/>\n"
    case .fail:
      return head + ">\n      <failure type=\"gate\" message=\"\(message)\"/>\n    </testcase>\n"
    case .inconclusive, .noVerdict:
      let type = gate.verdict.rawValue
      return head + ">\n      <error type=\"\(type)\" message=\"\(message)\"/>\n    </testcase>\n"
    }
  }

  private func message(_ gate: Decision) -> String {
    if let change = gate.change {
      return "\(ChangeText.difference(change, gate.metric.quantity)): \(gate.explanation)"
    }
    let hasValue = gate.estimate.value != nil && gate.verdict != .notEvaluated
    return (hasValue ? "\(gate.valueText): " : "") + gate.explanation
  }

  private func testCase(_ trial: Trial, in suite: String, quarantine: Exemption?) -> String {
    let name = trial.repetition > 1 ? "\(trial.caseID) (repeat \(trial.repetition))" : trial.caseID
    let time = trial.output?.timings.total
    let head = head(name, "\(suite).cases", time: time)
    var inner = ""
    if !trial.tags.isEmpty {
      inner += "      <properties>\n"
      inner += property("tags", trial.tags.joined(separator: " "), indent: 8)
      inner += "      </properties>\n"
    }
    let faults = trial.faults
    let message = attribute(faults.first.map(\.explanation) ?? "")
    switch trial.outcome {
    case .passed: break
    case .failed, .lost:
      guard let quarantine else { break }
      let why = attribute("in quarantine until \(quarantine.until): \(quarantine.reason); ")
      inner += "      <skipped message=\"\(why)\(message)\"/>\n"
    }
    switch trial.outcome {
    case _ where quarantine != nil: break
    case .passed: break
    case .failed:
      let details = faults.map { fault in
        Excerpt.cut("\(fault.scorer): \(fault.explanation)", to: Self.longestDetail)
      }
      let answer = trial.output.map { "answer: \($0.excerpt)\($0.isCut ? "…" : "")" } ?? ""
      let text = XMLText.content((details + [answer]).joined(separator: "\n"))
      let type = trial.isUnusable ? "unusable" : "wrong"
      inner += "      <failure type=\"\(type)\" message=\"\(message)\">\(text)</failure>\n"
    case .lost: inner += "      <error type=\"lost\" message=\"\(message)\"/>\n"
    }
    return inner.isEmpty ? head + "/>\n" : head + ">\n\(inner)    </testcase>\n"
  }

  private func head(_ name: String, _ className: String, time: Double?) -> String {
    let seconds = time.map { " time=\"\(NumberText.fixed($0 / 1_000, decimals: 6))\"" } ?? ""
    return "    <testcase name=\"\(attribute(name))\" "
      + "classname=\"\(attribute(className))\"\(seconds)"
  }

  private func attribute(_ text: String) -> String {
    XMLText.attribute(Excerpt.cut(text, to: Self.longestAttribute))
  }

  private func property(_ name: String, _ value: String, indent: Int) -> String {
    String(repeating: " ", count: indent)
      + "<property name=\"\(name)\" value=\"\(attribute(value))\"/>\n"
  }
}

extension ColumnResult {
  /// The gates that count: those of a column that is not the candidate only show how it stands.
  fileprivate var decidingGates: [Decision] { isCandidate ? gates : [] }
}

/// Text made fit for XML 1.0, whatever a model wrote.
package enum XMLText {
  /// The text between tags.
  package static func content(_ text: String) -> String { escaped(text, inAttribute: false) }

  /// The text between the quotation marks of an attribute.
  package static func attribute(_ text: String) -> String { escaped(text, inAttribute: true) }

  private static func escaped(_ text: String, inAttribute: Bool) -> String {
    // Appending texts to a view of scalars would copy it each time; a string grows in place.
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t":
        // A parser turns bare ones into spaces inside an attribute.
        if inAttribute {
          result += "&#\(scalar.value);"
        } else {
          result.unicodeScalars.append(scalar)
        }
      case "\r": result += "&#13;"
      default:
        if isAllowed(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          // XML 1.0 cannot hold it in any form.
          result += "\\u{\(String(scalar.value, radix: 16))}"
        }
      }
    }
    return result
  }

  /// The characters of XML 1.0, section 2.2, less the discouraged C1 controls and non-characters.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }
}
