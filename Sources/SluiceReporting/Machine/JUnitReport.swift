import SluiceGating

/// `junit.xml`: a test suite for each prompt and backend, with a test case for each gate and each
/// trial.
package struct JUnitReport {
  /// The maximum length of an attribute.
  ///
  /// Parsers refuse very long attributes, and escaping makes texts longer.
  private static let longestAttribute = 1_000
  private static let longestDetail = 4_000
  private let result: RunResult
  private let folder: ProjectPath

  /// Creates the report.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - folder: The project's folder, relative to the root of the repository, since paths in CI
  ///     start there.
  package init(_ result: RunResult, folder: ProjectPath = ProjectPath(".")) {
    self.result = result
    self.folder = folder
  }

  package var bytes: [UInt8] {
    FileSink.bytes { (sink) throws(FileError) in try write(to: &sink) }
  }

  package func write(to sink: inout FileSink) throws(FileError) {
    let columns = result.suites.flatMap { suite in suite.columns.map { (suite, $0) } }
    let totals = columns.map { Totals($0.1) }
    sink.buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    let skipped = result.selection?.skipped ?? []
    let sum = Totals.sum(totals + skipped.map { _ in .skipped })
    sink.buffer += "<testsuites\(sum.attributes)>\n".utf8
    for ((suite, column), total) in zip(columns, totals) {
      try write(suite, column, total, to: &sink)
    }
    if let selection = result.selection { write(skippedIn: selection, to: &sink) }
    sink.buffer.append("</testsuites>\n")
  }

  private struct Totals {
    var tests: Int
    var failures: Int
    var errors: Int
    var skipped: Int

    init(_ column: ColumnResult) {
      let gates = column.decidingGates
      let counted = column.counted
      tests = column.trials.count + gates.count
      failures = counted.failed + gates.count { $0.effect == .fail }
      errors =
        counted.lost + gates.count { $0.effect == .noVerdict || $0.effect == .inconclusive }
      skipped =
        column.failed + column.lost + column.unjudged - counted.failed - counted.lost
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

    /// The totals of a suite that was not run, which counts as one skipped test.
    static let skipped = Totals(tests: 1, failures: 0, errors: 0, skipped: 1)

    var attributes: String {
      " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
        + (skipped > 0 ? " skipped=\"\(skipped)\"" : "")
    }
  }

  /// Returns the reasons why `--affected` chose a suite, or `nil` if that option was not used.
  private func affected(_ suite: SuiteResult) -> String? {
    guard let selection = result.selection,
      let chosen = selection.chosen.first(where: { $0.suite.name == suite.name })
    else { return nil }
    return SelectionText(SuiteSelection(since: selection.revision, chosen: [chosen])).chosen.first
  }

  private func write(skippedIn selection: SuiteSelection, to sink: inout FileSink) {
    let reason = attribute(SelectionText.skipReason(selection))
    for suite in selection.skipped {
      let name = attribute(suite.name)
      let file = attribute(folder.resolvingChild(suite.path.description).description)
      let xml = """
          <testsuite name="\(name)"\(Totals.skipped.attributes)>
            <testcase name="\(name)" classname="\(name)" file="\(file)">
              <skipped message="\(reason)"/>
            </testcase>
          </testsuite>

        """
      sink.buffer += xml.utf8
    }
  }

  private func write(
    _ suite: SuiteResult,
    _ column: ColumnResult,
    _ total: Totals,
    to sink: inout FileSink
  ) throws(FileError) {
    let name = "\(suite.name) (\(column.prompt) on \(column.backend))"
    var xml = "  <testsuite name=\"\(attribute(name))\"\(total.attributes)>\n"
    xml += "    <properties>\n"
    if let outputs = column.outputs {
      xml += property("notice", OutputsText.notice, indent: 6)
      xml += property("outputs", "\(outputs.path) SHA-256 \(outputs.digest)", indent: 6)
    }
    xml += property("verdict", column.verdict.rawValue, indent: 6)
    xml += property("answers", suite.source.rawValue, indent: 6)
    if let filtered = suite.filtered { xml += property("filter", filtered.phrase, indent: 6) }
    if let reason = affected(suite) { xml += property("affected", reason, indent: 6) }
    xml += property("prompt", column.prompt, indent: 6)
    xml += property("backend", column.backend, indent: 6)
    for provenance in column.provenances {
      xml += property("answered-by", provenance.phrase, indent: 6)
    }
    xml += "    </properties>\n"
    let promptPath = attribute(folder.resolvingChild(column.promptPath).description)
    for gate in column.decidingGates { xml += testCase(gate, in: name, promptPath) }
    sink.buffer += xml.utf8
    var shared = "\" classname=\"\(attribute("\(name).cases"))\""
    if let places = suite.places {
      shared += " file=\"\(attribute(folder.resolvingChild(places.path).description))\""
    }
    let attributes = Array(shared.utf8)
    var log = suite.log.map { RunLogReader($0) }
    let memo = ScoreMemo()
    var model: (source: AnswerOrigin, property: [UInt8])?
    for (index, trial) in column.trials.enumerated() {
      let exemption = column.quarantine.isEmpty ? nil : column.quarantine[trial.caseID]
      sink.buffer.append("    <testcase name=\"")
      let isRepeat = trial.repetition > 1
      let name = isRepeat ? "\(trial.caseID) (repeat \(trial.repetition))" : trial.caseID
      append(attribute: name, to: &sink.buffer)
      sink.buffer += attributes
      if let line = suite.places?.line(of: trial, at: index) {
        sink.buffer.append(" line=\"")
        sink.buffer.append(digitsOf: UInt(line))
        sink.buffer.append("\"")
      }
      if let source = trial.source, source !== model?.source {
        var provenance = source.provenance.undated
        provenance.host = nil
        model = (source, Array(property("model", provenance.phrase, indent: 8).utf8))
      }
      append(
        trial,
        trial.isAnswered ? model?.property ?? [] : [],
        exemption,
        log: &log,
        memo,
        to: &sink.buffer
      )
      try sink.spill()
    }
    sink.buffer.append("  </testsuite>\n")
  }

  private func testCase(_ gate: Decision, in suite: String, _ promptPath: String) -> String {
    let head =
      head("gate: \(gate.condition.text)", "\(suite).gates") + " file=\"\(promptPath)\" line=\"1\""
    let message = message(gate)
    func whole(_ element: String, type: String? = nil, _ message: String) -> String {
      var bytes = ByteBuffer()
      append(element, type: type, message, to: &bytes)
      return "\(head)>\n\(String(decoding: bytes.units, as: UTF8.self))    </testcase>\n"
    }
    if let waiver = gate.waiver, gate.effect != gate.verdict {
      return whole("skipped", "waived until \(waiver.until): \(waiver.reason); \(message)")
    }
    return switch gate.verdict {
    case .notEvaluated: whole("skipped", message)
    case .pass: head + "/>\n"
    case .fail: whole("failure", type: "gate", message)
    case .inconclusive, .noVerdict: whole("error", type: gate.verdict.rawValue, message)
    }
  }

  /// Adds the reason why a test did not pass.
  ///
  /// The reason is written twice: Jenkins and GitHub actions show the attribute, GitLab shows the
  /// content.
  private func append(
    _ element: String,
    type: String? = nil,
    _ message: String,
    to bytes: inout ByteBuffer
  ) {
    let type = type.map { " type=\"\(attribute($0))\"" } ?? ""
    bytes.append(Array("      <\(element)\(type) message=\"".utf8))
    append(attribute: message, to: &bytes)
    bytes.append("\">")
    XMLText.append(Excerpt.cut(message, to: Self.longestDetail), inAttribute: false, to: &bytes)
    bytes.append(Array("</\(element)>\n".utf8))
  }

  private func message(_ gate: Decision) -> String {
    if let change = gate.changeText { return "\(change): \(gate.explanationText)" }
    let hasValue = gate.estimate.value != nil && !gate.isLeftToLiveRuns
    return (hasValue ? "\(gate.valueText): " : "") + gate.explanation
  }

  /// Adds the rest of a trial's test case, from the attribute `time` on.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - model: The bytes of the `<property>` element that names the model that answered.
  ///   - exemption: The reason why the case is quarantined, or `nil` if the case is not
  ///     quarantined.
  ///   - log: The run log, which has the texts of the trials.
  ///   - memo: The cache of the failures' texts.
  ///   - bytes: The buffer to add to.
  private func append(
    _ trial: Trial,
    _ model: [UInt8],
    _ exemption: Exemption?,
    log: inout RunLogReader?,
    _ memo: ScoreMemo,
    to bytes: inout ByteBuffer
  ) {
    if let time = trial.latency {
      bytes.append(" time=\"")
      NumberText.append(fixed: time / 1_000, decimals: 6, to: &bytes)
      bytes.append("\"")
    }
    bytes.append(">\n")
    let start = bytes.count
    bytes.append("      <properties>\n")
    let empty = bytes.count
    let tags = trial.tags
    if !tags.isEmpty {
      let text = tags.count == 1 ? tags[0] : tags.joined(separator: " ")
      append(property: "tags", text, to: &bytes)
    }
    if let split = trial.split { append(property: "split", split, to: &bytes) }
    if let cluster = trial.cluster { append(property: "cluster", cluster, to: &bytes) }
    bytes.append(model)
    append(property: "tokens", trial.usage?.total.map(Double.init), to: &bytes)
    append(property: "cost-usd", trial.cost, to: &bytes)
    if bytes.count > empty {
      bytes.append("      </properties>\n")
    } else {
      bytes.removeLast(empty - start)
    }
    if trial.outcome != .passed {
      let isDone =
        exemption == nil
        && log?.withTexts(of: trial) { append(failureOf: trial, $0, memo, to: &bytes) } == true
      if !isDone { append(faultOf: log?.whole(trial) ?? trial, exemption, to: &bytes) }
    }
    bytes.append("    </testcase>\n")
  }

  /// Adds a property of a test.
  private func append(property name: StaticString, _ text: String, to bytes: inout ByteBuffer) {
    bytes.append("        <property name=\"")
    bytes.append(name)
    bytes.append("\" value=\"")
    append(attribute: text, to: &bytes)
    bytes.append("\"/>\n")
  }

  /// Adds a property of a test, unless its value is `nil`.
  private func append(property name: StaticString, _ number: Double?, to bytes: inout ByteBuffer) {
    guard let number else { return }
    bytes.append("        <property name=\"")
    bytes.append(name)
    bytes.append("\" value=\"")
    JSONWriter.append(number, to: &bytes)
    bytes.append("\"/>\n")
  }

  /// Adds the failure of a trial, with the texts from the run log.
  ///
  /// - Returns: False if nothing was added, because the trial did not fail or because its texts
  ///   cannot be copied from the run log.
  private func append(
    failureOf trial: Trial,
    _ texts: RunLogReader.Texts,
    _ memo: ScoreMemo,
    to bytes: inout ByteBuffer
  ) -> Bool {
    // A text that has few enough bytes also has few enough characters.
    guard trial.outcome == .failed, trial.isAnswered, trial.refusal == nil,
      texts.text.count <= Trial.Output.excerptLimit,
      let opening = memo.bytes(
        of: trial,
        texts.scores,
        make: { opening(ofFailure: trial.faults(explanations: $0), isUnusable: trial.isUnusable) }
      )
    else { return false }
    bytes.append(opening)
    bytes.append("answer: ")
    texts.withText { XMLText.append($0, inAttribute: false, to: &bytes) }
    bytes.append("</failure>\n")
    return true
  }

  /// Returns the beginning of a failure's markup, before the answer.
  private func opening(
    ofFailure faults: [(scorer: String, explanation: String)],
    isUnusable: Bool
  ) -> [UInt8] {
    var bytes = ByteBuffer()
    bytes.append("      <failure type=\"")
    bytes.append(isUnusable ? "unusable" : "wrong")
    bytes.append("\" message=\"")
    append(attribute: faults.first.map(\.explanation) ?? "", to: &bytes)
    bytes.append("\">")
    for fault in faults {
      let detail = Excerpt.cut("\(fault.scorer): \(fault.explanation)", to: Self.longestDetail)
      XMLText.append(detail, inAttribute: false, to: &bytes)
      bytes.append("\n")
    }
    return Array(bytes.units)
  }

  /// Adds the failure, error or skip of a trial that did not pass.
  private func append(faultOf trial: Trial, _ exemption: Exemption?, to bytes: inout ByteBuffer) {
    let faults = trial.faults
    let message = faults.first.map(\.explanation) ?? ""
    if let exemption {
      let why = "in quarantine until \(exemption.until): \(exemption.reason); "
      return append("skipped", why + message, to: &bytes)
    }
    if trial.outcome == .unjudged {
      return append("skipped", "no scorer judges this case", to: &bytes)
    }
    if trial.isLost { return append("error", type: "lost", message, to: &bytes) }
    bytes.append(opening(ofFailure: faults, isUnusable: trial.isUnusable))
    if let output = trial.output {
      if output.refusal == nil || !output.excerpt.isEmpty {
        bytes.append("answer: ")
        XMLText.append(output.excerpt, inAttribute: false, to: &bytes)
        if output.isCut { bytes.append("…") }
      }
      if let refusal = output.refusal {
        bytes.append(output.excerpt.isEmpty ? "refusal: " : "\nrefusal: ")
        XMLText.append(refusal, inAttribute: false, to: &bytes)
      }
    }
    bytes.append("</failure>\n")
  }

  private func head(_ name: String, _ className: String) -> String {
    "    <testcase name=\"\(attribute(name))\" classname=\"\(attribute(className))\""
  }

  private func append(attribute text: String, to bytes: inout ByteBuffer) {
    XMLText.append(Excerpt.cut(text, to: Self.longestAttribute), inAttribute: true, to: &bytes)
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
  /// The gates that decide the verdict.
  ///
  /// Only candidates have such gates. The list is empty for other columns.
  fileprivate var decidingGates: [Decision] { isCandidate ? gates : [] }
}

/// The escaping of untrusted text for XML 1.0.
package enum XMLText {
  /// Returns a text that is escaped for the value of an attribute.
  package static func attribute(_ text: String) -> String {
    var bytes = ByteBuffer()
    append(text, inAttribute: true, to: &bytes)
    return String(decoding: bytes.units, as: UTF8.self)
  }

  /// Adds a text, for the value of an attribute or for the content of an element.
  static func append(_ text: String, inAttribute: Bool, to bytes: inout ByteBuffer) {
    var text = text
    text.withUTF8 { append($0, inAttribute: inAttribute, to: &bytes) }
  }

  /// Adds a UTF-8 text, for the value of an attribute or for the content of an element.
  static func append(
    _ units: UnsafeBufferPointer<UInt8>,
    inAttribute: Bool,
    to bytes: inout ByteBuffer
  ) {
    // Almost all characters need no escaping, so copy them in runs.
    var start = 0
    for index in units.indices where !isPlain(units[index]) {
      if index < start { continue }
      bytes.append(UnsafeBufferPointer(rebasing: units[start..<index]))
      let (scalar, length) = scalar(in: units, at: index)
      let own = UnsafeBufferPointer(rebasing: units[index..<index + length])
      append(scalar, own, inAttribute: inAttribute, to: &bytes)
      start = index + length
    }
    bytes.append(UnsafeBufferPointer(rebasing: units[start...]))
  }

  /// Returns true if a byte needs no escaping, whatever follows it.
  private static func isPlain(_ unit: UInt8) -> Bool {
    switch unit {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    // Control characters, and first bytes of Latin-1 controls and of characters that XML forbids.
    case 0..<0x20, 0x7F, 0xC2, 0xEF...: false
    default: true
    }
  }

  /// Returns the character at an index, with its number of bytes.
  private static func scalar(in units: UnsafeBufferPointer<UInt8>, at index: Int)
    -> (Unicode.Scalar, length: Int)
  {
    let first = units[index]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let text = String(decoding: units[index..<min(index + length, units.count)], as: UTF8.self)
    return (text.unicodeScalars.first ?? "\u{FFFD}", length)
  }

  private static func append(
    _ scalar: Unicode.Scalar,
    _ units: UnsafeBufferPointer<UInt8>,
    inAttribute: Bool,
    to bytes: inout ByteBuffer
  ) {
    switch scalar {
    case "&": bytes.append("&amp;")
    case "<": bytes.append("&lt;")
    case ">": bytes.append("&gt;")
    case "\"": bytes.append("&quot;")
    // Inside an attribute, a parser turns unescaped line breaks into spaces.
    case "\n" where inAttribute: bytes.append("&#10;")
    case "\t" where inAttribute: bytes.append("&#9;")
    case "\r": bytes.append("&#13;")
    case "\n", "\t": bytes.append(units)
    default:
      if isAllowed(scalar) {
        bytes.append(units)
      } else {
        // XML 1.0 cannot represent this character, even escaped.
        bytes.append(Array("\\u{\(String(scalar.value, radix: 16))}".utf8))
      }
    }
  }

  /// Returns true for the characters of XML 1.0, section 2.2, except discouraged C1 controls and
  /// noncharacters.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }
}
