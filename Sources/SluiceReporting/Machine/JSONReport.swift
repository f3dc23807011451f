import SluiceGating

/// `report.json`: the complete result of a run, for programs.
///
/// The format is described in `docs/report-json.md`.
package struct JSONReport {
  /// The version of the format.
  ///
  /// It increases when a member is removed or changes its meaning.
  package static let schema = 1
  private let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  package var bytes: [UInt8] {
    FileSink.bytes { (sink) throws(FileError) in try write(to: &sink) }
  }

  /// Writes the report.
  ///
  /// The results of trials have one line each, since there may be many.
  package func write(to sink: inout FileSink) throws(FileError) {
    var head: JSONObject = [
      "schema": .number(Double(Self.schema)),
      "generator": .string("sluice \(Version.current)"),
      "verdict": .string(result.verdict.rawValue),
      "false-alarms": Self.falseAlarms(result.falseAlarms),
    ]
    if let selection = result.selection { head["affected"] = selection.json }
    if !result.mixes.isEmpty { head["mixes"] = .array(result.mixes.map(Self.mix)) }
    head = OutputsText.noted(head, result.suites.flatMap(\.columns))
    JSONWriter.open(head, indent: 0, to: &sink.buffer)
    try list("suites", 0, result.suites, to: &sink) { (suite, sink) throws(FileError) in
      try write(suite, to: &sink)
    }
    sink.buffer.append("\n}\n")
    try sink.spill()
  }

  private func write(_ suite: SuiteResult, to sink: inout FileSink) throws(FileError) {
    var head: JSONObject = [
      "name": .string(suite.name), "path": .string(suite.path),
      "verdict": .string(suite.verdict.rawValue), "answers": .string(suite.source.rawValue),
      "cases": .number(Double(suite.caseCount)),
      "repetitions": .number(Double(suite.repetitions)),
    ]
    head.set("filter", suite.filtered?.json)
    head.set("prices", Self.prices(suite.prices))
    if !suite.priceAges.isEmpty {
      head["price-ages"] = .array(suite.priceAges.map(Self.priceAge))
    }
    head.set("recordings", Self.recordings(suite.recordings))
    let judges = suite.judges
    if !judges.isEmpty { head["judges"] = .array(judges.map(\.json)) }
    let unreadable = suite.unreadableVerdicts
    if !unreadable.isEmpty { head["unreadable-verdicts"] = .array(unreadable.map(\.json)) }
    JSONWriter.open(head, indent: 2, to: &sink.buffer)
    try list("columns", 2, suite.columns, to: &sink) { (column, sink) throws(FileError) in
      JSONWriter.open(self.head(column), indent: 4, to: &sink.buffer)
      write(confusionsOf: column, to: &sink)
      try write(resultsOf: column, suite.log, to: &sink)
      JSONWriter.breakLine(4, to: &sink.buffer)
      sink.buffer.append(UInt8(ascii: "}"))
    }
    JSONWriter.breakLine(2, to: &sink.buffer)
    sink.buffer.append(UInt8(ascii: "}"))
  }

  /// Writes a list as the last member of an object.
  ///
  /// The indent is the nesting depth of the object.
  private func list<Element>(
    _ name: String,
    _ indent: Int,
    _ elements: [Element],
    to sink: inout FileSink,
    _ write: (Element, inout FileSink) throws(FileError) -> Void
  ) throws(FileError) {
    JSONWriter.separate(1, indent, to: &sink.buffer)
    JSONWriter.append(name, to: &sink.buffer)
    sink.buffer.append(": [")
    for (index, element) in elements.enumerated() {
      JSONWriter.separate(index, indent + 1, to: &sink.buffer)
      try write(element, &sink)
    }
    if !elements.isEmpty { JSONWriter.breakLine(indent + 1, to: &sink.buffer) }
    sink.buffer.append("]")
  }

  /// Returns the number of trials by outcome.
  package static func counts(_ column: ColumnResult) -> JSONObject {
    var counts: JSONObject = [
      "passed": .number(Double(column.passed)), "failed": .number(Double(column.failed)),
      "lost": .number(Double(column.lost)),
    ]
    if column.unjudged > 0 { counts["unjudged"] = .number(Double(column.unjudged)) }
    return counts
  }

  /// Returns the members of a column, without the results of its trials.
  private func head(_ column: ColumnResult) -> JSONObject {
    var object: JSONObject = [
      "prompt": .string(column.prompt), "prompt-path": .string(column.promptPath),
      "backend": .string(column.backend), "candidate": .bool(column.isCandidate),
      "verdict": .string(column.verdict.rawValue),
      "answered-by": .array(column.provenances.map { .object($0.json) }),
      "trials": .object(Self.counts(column)),
      "metrics": .array(
        column.metrics.map(Self.metric)
      ),
      "gates": .array(column.gates.map(Self.decision)),
      "goals": .array(column.goals.map(Self.decision)),
    ]
    object.set("outputs", column.outputs?.json)
    object.set("headroom", column.headroom.map { .object(HealthJSON.headroom($0)) })
    object.set("splits", column.splits.map(\.json))
    if !column.groups.isEmpty { object["groups"] = .array(column.groups.map(\.json)) }
    object.set("comparison", column.comparison.map { Self.comparison($0) })
    if !column.flakyCases.isEmpty {
      object["flaky-cases"] = .array(
        column.flakyCases.map {
          [
            "case": .string($0.caseID), "passed": .number(Double($0.passed)),
            "of": .number(Double($0.of)),
          ]
        }
      )
    }
    if !column.quarantine.isEmpty {
      object["quarantine"] = .object(
        JSONObject(
          column.quarantine.sorted { $0.key < $1.key }.map {
            (name: $0.key, value: Self.exemption($0.value))
          }
        )
      )
    }
    return object
  }

  /// Returns a mix of calls, with its figures and goals.
  private static func mix(_ result: MixResult) -> JSONValue {
    var object: JSONObject = ["name": .string(result.mix.name)]
    object.set("backend", result.backend.map(JSONValue.string))
    object["calls"] = .array(
      result.mix.calls.map { ["suite": .string($0.suite), "calls": .number(Double($0.count))] }
    )
    object["requests"] = .number(Double(result.mix.requestCount))
    object["metrics"] = .array(result.figures.map(metric))
    object["goals"] = .array(result.goals.map(decision))
    return .object(object)
  }

  /// Returns a metric with its estimate.
  static func metric(_ metric: ColumnResult.NamedEstimate) -> JSONValue {
    var object: JSONObject = [
      "name": .string(metric.name), "unit": .string(metric.quantity.unitName),
    ]
    if metric.isAdvisory { object["advisory"] = true }
    add(metric.estimate, to: &object)
    return .object(object)
  }

  /// Returns a condition with its verdict.
  static func decision(_ decision: Decision) -> JSONValue {
    var object: JSONObject = [
      "condition": .string(decision.condition.text), "verdict": .string(decision.verdict.rawValue),
      "reason": .string(decision.reason.rawValue), "explanation": .string(decision.explanation),
      "unit": .string(decision.metric.quantity.unitName),
    ]
    if decision.metric.isAdvisory { object["advisory"] = true }
    if case .comparison(_, let bound, let confidence) = decision.condition.demand {
      object["bound"] = .number(bound)
      object.set("confidence", confidence.map(JSONValue.number))
    }
    add(decision.estimate, to: &object)
    object.set(
      "claim-bounds",
      decision.bounds.map { [Self.finite($0.low), Self.finite($0.high)] }
    )
    object.set("change", decision.change.map { Self.change($0) })
    object.set("correction", correction(decision))
    object.set("cases-needed", decision.casesNeeded.map { .number(Double($0)) })
    object.set("waiver", decision.waiver.map(Self.exemption))
    return .object(object)
  }

  /// Returns the correction for several gates, as applied to a gate, or `nil` if the gate was not
  /// corrected.
  private static func correction(_ decision: Decision) -> JSONValue? {
    guard let correction = decision.correction, let interval = decision.correctedInterval else {
      return nil
    }
    return [
      "family": .string(correction.family.rawValue), "gates": .number(Double(correction.gates)),
      "fails-alone": .bool(decision.failsAlone), "p": .number(correction.p),
      "adjusted-p": .number(correction.adjustedP), "factor": .number(Double(correction.factor)),
      "level": .number(correction.level),
      "interval": [.number(interval.low), .number(interval.high)],
      "confidence": .number(correction.confidence),
    ]
  }

  /// Returns the chance that any regression gate fails although nothing got worse.
  static func falseAlarms(_ alarms: FalseAlarms) -> JSONValue {
    [
      "family": .string(alarms.family.rawValue), "suites": .number(Double(alarms.suites)),
      "gates": .number(Double(alarms.gates)), "chance": .number(alarms.chance),
    ]
  }

  /// Returns a number, or `null` if it is infinite, since JSON has no infinity.
  private static func finite(_ value: Double) -> JSONValue {
    value.isFinite ? .number(value) : .null
  }

  private static func exemption(_ exemption: Exemption) -> JSONValue {
    ["reason": .string(exemption.reason), "until": .string(exemption.until)]
  }

  /// Returns the change in a metric.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - isTwoSided: True if the p value is two-sided, as in comparisons; false for gates, which
  ///     test only for a loss.
  /// - Returns: The members of the change.
  static func change(_ change: PairedChange, isTwoSided: Bool = false) -> JSONValue {
    var object: JSONObject = [
      "baseline": .number(change.baseline), "candidate": .number(change.candidate),
      "difference": .number(change.difference),
      "interval": [.number(change.interval.low), .number(change.interval.high)],
      "confidence": .number(change.confidence), "margin": .number(change.margin),
      "n": .number(Double(change.n)),
      "prefers-small": .bool(change.prefersSmall),
    ]
    object.set("clusters", change.clusters.map { .number(Double($0)) })
    if isTwoSided {
      object["p"] = .number(NumberText.shownP(change.p))
    } else {
      object["p-worse"] = .number(change.pWorse)
    }
    switch change.basis {
    case .flips(let harmful, let beneficial):
      object["harmful"] = .number(Double(harmful))
      object["beneficial"] = .number(Double(beneficial))
    case .exceedances(let harmful, let beneficial, let limit):
      object["harmful"] = .number(Double(harmful))
      object["beneficial"] = .number(Double(beneficial))
      object["limit"] = .number(limit)
    case .contributions: break
    }
    return .object(object)
  }

  /// Returns the changes in a column's cases since its reference.
  static func comparison(_ comparison: RunComparison, isTwoSided: Bool = false) -> JSONValue {
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    var object: JSONObject = [
      "reference": .string(comparison.reference), "identical": .bool(comparison.isIdentical),
      "changed-cases": texts(comparison.changedCases),
      "added-cases": texts(comparison.addedCases),
      "removed-cases": texts(comparison.removedCases),
      "resliced-cases": texts(comparison.reslicedCases),
      "changed-scorers": texts(comparison.changedScorers),
      "shortened-to": comparison.shortenedTo.map { .number(Double($0)) } ?? .null,
      "flips": .array(
        comparison.flips.map { ["case": .string($0.caseID), "flip": .string($0.flip.rawValue)] }
      ),
      "changes": .array(
        comparison.changes.map { named in
          var object: JSONObject = [
            "name": .string(named.name), "unit": .string(named.quantity.unitName),
          ]
          let members = change(named.change, isTwoSided: isTwoSided).object?.members ?? []
          for member in members where member.name != "margin" { object[member.name] = member.value }
          return .object(object)
        }
      ),
      "slices": .array(
        comparison.slices.map {
          [
            "tag": .string($0.tag), "n": .number(Double($0.n)),
            "harmful": .number(Double($0.harmful)), "beneficial": .number(Double($0.beneficial)),
            "adjusted-p": .number($0.adjustedP),
          ]
        }
      ),
    ]
    if !comparison.changedAdvisoryScorers.isEmpty {
      object["changed-advisory-scorers"] = texts(comparison.changedAdvisoryScorers)
    }
    return .object(object)
  }

  /// Adds the members of an estimate to an object.
  static func add(_ estimate: Estimate, to object: inout JSONObject) {
    object["value"] = estimate.value.map(JSONValue.number) ?? .null
    object.set("interval", estimate.interval.map { [.number($0.low), .number($0.high)] })
    object["n"] = .number(Double(estimate.n))
    object.set("clusters", estimate.clusters.map { .number(Double($0)) })
    object.set("standard-error", estimate.standardError.map(JSONValue.number))
    object.set("unknown", estimate.unknown.map(JSONValue.string))
  }

  /// Writes the confusion matrices of a column, each on a single line.
  ///
  /// Indented, a matrix with a hundred labels would take thousands of lines.
  private func write(confusionsOf column: ColumnResult, to sink: inout FileSink) {
    if column.confusions.isEmpty { return }
    JSONWriter.separate(1, 4, to: &sink.buffer)
    sink.buffer.append("\"confusions\": [")
    for (index, matrix) in column.confusions.enumerated() {
      JSONWriter.separate(index, 5, to: &sink.buffer)
      JSONWriter.append(Self.confusion(matrix), to: &sink.buffer)
    }
    JSONWriter.breakLine(5, to: &sink.buffer)
    sink.buffer.append("]")
  }

  /// Returns a confusion matrix.
  ///
  /// Each row is an expected label.
  static func confusion(_ matrix: ConfusionMatrix) -> JSONValue {
    func numbers(_ numbers: [Int]) -> JSONValue {
      .array(numbers.map { .number(Double($0)) })
    }
    var object: JSONObject = [
      "scorer": .string(matrix.scorer), "labels": .array(matrix.labels.map(JSONValue.string)),
      "counts": .array(matrix.counts.map(numbers)), "invalid": numbers(matrix.invalid),
    ]
    object.set("abstained", matrix.abstained.map(numbers))
    return .object(object)
  }

  // MARK: Results

  /// Writes the results of a column's trials, as the last member of the column's object.
  private func write(
    resultsOf column: ColumnResult,
    _ log: FileContents?,
    to sink: inout FileSink
  ) throws(FileError) {
    JSONWriter.separate(1, 4, to: &sink.buffer)
    sink.buffer.append("\"results\": [")
    var log = log.map { RunLogReader($0, readsAll: true) }
    for (index, trial) in column.trials.enumerated() {
      JSONWriter.separate(index, 5, to: &sink.buffer)
      append(trial, log: &log, to: &sink.buffer)
      try sink.spill()
    }
    if !column.trials.isEmpty { JSONWriter.breakLine(5, to: &sink.buffer) }
    sink.buffer.append("]")
  }

  /// Returns the price file, a list if there are several price files, or `nil` if there is none.
  private static func prices(_ files: [String]) -> JSONValue? {
    files.count < 2 ? files.first.map(JSONValue.string) : .array(files.map(JSONValue.string))
  }

  /// Returns a note on prices that are much older or newer than the answers.
  private static func priceAge(_ age: PriceAge) -> JSONValue {
    [
      "model": .string(age.model), "as-of": .string(age.day),
      "newest-answer": .string(age.newestAnswer), "days": .number(Double(age.days)),
    ]
  }

  /// Adds a trial in one line.
  ///
  /// Texts and scores are copied from the run log, if the log has the trial.
  private func append(_ trial: Trial, log: inout RunLogReader?, to line: inout ByteBuffer) {
    line.append("{\"case\":")
    JSONWriter.append(trial.caseID, to: &line)
    line.append(",\"repeat\":")
    JSONWriter.append(trial.repetition, to: &line)
    line.append(",\"tags\":")
    JSONWriter.append(trial.tags, to: &line)
    JSONWriter.append(member: "outcome", trial.outcomeName, to: &line)
    line.append(trial.isUnusable ? ",\"unusable\":true" : ",\"unusable\":false")
    line.append(",\"request\":")
    trial.request.appendJSON(to: &line)
    JSONWriter.append(member: "split", trial.split, to: &line)
    JSONWriter.append(member: "cluster", trial.cluster, to: &line)
    if case .lost(let loss) = trial.outcome {
      JSONWriter.append(member: "reason", loss.message, to: &line)
    }
    let isDone =
      log?.withTexts(of: trial) { texts in
        append(texts, isLost: trial.isLost, isAnswered: trial.isAnswered, to: &line)
      } ?? false
    if !isDone { appendTexts(of: log?.whole(trial) ?? trial, to: &line) }
    if trial.isAnswered { append(trial.answer, to: &line) }
    line.append("}")
  }

  /// Adds the members of an answer, except its text.
  private func append(_ output: Trial.Output, to line: inout ByteBuffer) {
    JSONWriter.append(member: "refusal", output.refusal, to: &line)
    line.append(",\"text-digest\":")
    output.storedDigest.appendJSON(to: &line)
    JSONWriter.append(member: "finish-reason", output.finishReason, to: &line)
    output.usage?.appendMember(to: &line)
    JSONWriter.append(member: "service-tier", output.serviceTier, to: &line)
    line.append(",\"cost\":")
    if let cost = output.cost { JSONWriter.append(cost, to: &line) } else { line.append("null") }
    if output.source.hasCost, let cost = output.reportedCost {
      line.append(",\"reported-cost\":")
      JSONWriter.append(cost, to: &line)
      JSONWriter.append(
        member: "cost-basis",
        output.isCostReported ? "reported" : "prices",
        to: &line
      )
    }
    output.measuredTimings.appendMember(to: &line)
    let judging = output.judging
    if !judging.isEmpty {
      line.append(",\"judging\":")
      JSONWriter.append(.array(judging.map(\.json)), to: &line)
    }
    if let fallback = output.fallback {
      line.append(",\"fallback\":")
      JSONWriter.append(.object(fallback.json), to: &line)
    }
  }

  /// Returns a trial in the format of the report's results.
  static func result(_ trial: Trial) -> JSONObject {
    var line = ByteBuffer()
    var log: RunLogReader?
    JSONReport(RunResult(suites: [])).append(trial, log: &log, to: &line)
    return (try? JSONReader.value(Array(line.units)))?.object ?? [:]
  }

  private func appendTexts(of trial: Trial, to line: inout ByteBuffer) {
    if !trial.isLost {
      line.append(",\"scores\":")
      Trial.NamedScore.append(trial.scores, to: &line)
    }
    if let output = trial.output {
      JSONWriter.append(member: "text", output.excerpt, to: &line)
      if output.isCut { line.append(",\"text-cut\":true") }
    }
  }

  /// Adds scores and an answer's text, copied from the run log.
  ///
  /// Returns false and adds nothing if the answer must be truncated.
  private func append(
    _ texts: RunLogReader.Texts,
    isLost: Bool,
    isAnswered: Bool,
    to line: inout ByteBuffer
  ) -> Bool {
    // A text that has few enough bytes also has few enough characters.
    if texts.text.count > Trial.Output.excerptLimit { return false }
    if !isLost {
      line.append(",\"scores\":")
      line.append(texts.scores)
    }
    if isAnswered {
      line.append(",\"text\":")
      if texts.text.isEmpty { line.append("\"\"") } else { line.append(texts.text) }
    }
    return true
  }
}

extension Quantity {
  /// The name of the unit in JSON files.
  package var unitName: String {
    switch self {
    case .rate: "share"
    case .time: "ms"
    case .money: "usd"
    case .count: "count"
    case .number: "number"
    }
  }
}
