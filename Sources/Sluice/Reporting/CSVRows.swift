/// The rows of a column in `report.csv`.
struct CSVRows {
  private var log: RunLogReader?
  /// The cells that all rows have in common, with what separates them from the next.
  private let head: [UInt8]
  private let quarantine: [String: Exemption]
  private let flips: [ExactString: OutcomeFlip]
  private let scorers: [String]
  private let hasAssertions: Bool
  private var sheet: Sheet
  private var origin: Origin?
  /// Excel takes 32,767 characters a cell, and goes on in the next row.
  private static let longestExplanation = 4_000

  /// Prepares the rows of a column.
  ///
  /// - Parameters:
  ///   - suite: The suite, whose log has the texts.
  ///   - column: The column.
  ///   - scorers: The scorers that have columns in the report, in their order.
  ///   - hasAssertions: Whether the report has columns for what cases assert of their own.
  init(_ suite: SuiteResult, _ column: ColumnResult, scorers: [String], hasAssertions: Bool) {
    log = suite.log.map { RunLogReader($0, readsAll: true) }
    var head = ByteBuffer()
    for text in [suite.name, column.prompt, column.backend] {
      CSVText.append(text, to: &head)
      head.append(",")
    }
    self.head = Array(head.units)
    quarantine = column.quarantine
    flips = Dictionary(
      (column.comparison?.flips ?? []).map { (ExactString($0.caseID), $0.flip) },
      uniquingKeysWith: { first, _ in first }
    )
    self.scorers = scorers
    self.hasAssertions = hasAssertions
    sheet = Sheet(.empty, scorers)
  }

  /// Adds a row.
  mutating func append(_ trial: Trial, to line: inout ByteBuffer) {
    line.append(head)
    CSVText.append(trial.caseID, to: &line)
    line.append(",")
    line.append(digitsOf: UInt64(max(0, trial.repetition)))
    line.append(",")
    let tags = trial.tags
    CSVText.append(tags.count == 1 ? tags[0] : tags.joined(separator: ", "), to: &line)
    Self.append(trial.split, to: &line)
    Self.append(trial.cluster, to: &line)
    Self.append(trial.outcomeName, to: &line)
    var loss: String?
    if case .lost(let reason) = trial.outcome { loss = reason.message }
    Self.append(loss, to: &line)
    line.append(trial.isUnusable ? ",\"yes\"" : ",\"no\"")
    let exemption = quarantine.isEmpty ? nil : quarantine[trial.caseID]
    Self.append(exemption?.reason, to: &line)
    let flip = flips.isEmpty ? nil : flips[ExactString(trial.caseID)]
    Self.append(flip?.rawValue, to: &line)
    if trial.sheet !== sheet.sheet { sheet = Sheet(trial.sheet, scorers) }
    if let source = trial.source, source !== origin?.source { origin = Origin(source) }
    let (sheet, answeredBy, hasAssertions) = (sheet, origin?.cell ?? [], hasAssertions)
    let isDone =
      log?.withTexts(of: trial) { texts in
        Self.append(texts, of: trial, sheet, answeredBy, hasAssertions: hasAssertions, to: &line)
      } ?? false
    if !isDone { append(unlogged: log?.whole(trial) ?? trial, to: &line) }
    line.append("\r\n")
  }

  /// Whether a scorer's name is that of an assertion that a case brings of its own.
  static func isAssertion(_ name: String) -> Bool { name.hasPrefix(BoundScorer.casePrefix) }

  /// Where the scores of a sheet stand in a row.
  private struct Sheet {
    let sheet: ScoreSheet
    /// For each scorer of the report the place of its score; nil where it gave none.
    let places: [Int?]
    /// For each scorer of the report the cell of its outcome, with the comma after it.
    let outcomes: [[UInt8]]
    /// The places of what the case asserts of its own.
    let assertions: [Int]

    init(_ sheet: ScoreSheet, _ scorers: [String]) {
      self.sheet = sheet
      places = scorers.map { name in sheet.scores.firstIndex { $0.name.isIdentical(to: name) } }
      outcomes = places.map { place in
        Array((place.map { "\"\(sheet.scores[$0].score.outcome.rawValue)\"," } ?? ",").utf8)
      }
      assertions = sheet.scores.indices.filter { isAssertion(sheet.scores[$0].name) }
    }
  }

  /// Adds the cells of a trial whose texts are its own.
  private func append(unlogged trial: Trial, to line: inout ByteBuffer) {
    line.append(",")
    if let output = trial.output {
      CSVText.append(output.excerpt, isCut: output.isCut, to: &line)
    }
    Self.appendFigures(of: trial, origin?.cell ?? [], to: &line)
    for place in sheet.places {
      line.append(",")
      if let place { CSVText.append(trial.scores[place].score.outcome.rawValue, to: &line) }
      line.append(",")
      guard let place else { continue }
      let explanation = trial.scores[place].score.explanation
      if !explanation.isEmpty { Self.append(explanation: explanation, to: &line) }
    }
    if hasAssertions { Self.append(sheet.assertions.map { trial.scores[$0] }, to: &line) }
  }

  /// Adds the cells of what a case asserts of its own: whether all of it holds, and what does not.
  private static func append(_ assertions: [Trial.NamedScore], to line: inout ByteBuffer) {
    guard !assertions.isEmpty else { return line.append(",,") }
    let order: [Score.Outcome] = [.failed, .unscored, .passed, .notApplicable]
    let outcome = order.first { outcome in assertions.contains { $0.score.outcome == outcome } }
    append(outcome?.rawValue, to: &line)
    let failed = assertions.filter { $0.score.outcome == .failed || $0.score.outcome == .unscored }
      .map { "\($0.name.dropFirst(BoundScorer.casePrefix.count)): \($0.score.explanation)" }
    line.append(",")
    if !failed.isEmpty { append(explanation: failed.joined(separator: "; "), to: &line) }
  }

  /// Adds the cells of a trial with the texts as the run log has them; false, with nothing added, where
  /// they must be cut or cannot be read.
  private static func append(
    _ texts: RunLogReader.Texts,
    of trial: Trial,
    _ sheet: Sheet,
    _ answeredBy: [UInt8],
    hasAssertions: Bool,
    to line: inout ByteBuffer
  ) -> Bool {
    // No text has more scalars than bytes.
    if texts.text.count > Trial.Output.excerptLimit || !sheet.assertions.isEmpty { return false }
    guard let explanations = explanations(texts.scores, count: sheet.sheet.scores.count) else {
      return false
    }
    line.append(",")
    if trial.isAnswered { append(json: texts.text, to: &line) }
    appendFigures(of: trial, answeredBy, to: &line)
    for (place, outcome) in zip(sheet.places, sheet.outcomes) {
      line.append(",")
      line.append(outcome)
      guard let place, let explanation = explanations[place] else { continue }
      if explanation.hasEscapes || explanation.units.count > longestExplanation {
        append(explanation: explanation.text, to: &line)
      } else {
        CSVText.append(explanation.units, to: &line)
      }
    }
    if hasAssertions { line.append(",,") }
    return true
  }

  /// The explanations of scores as the run log has them, nil for those that say nothing; nil where there
  /// are not so many scores.
  private static func explanations(
    _ scores: UnsafeRawBufferPointer,
    count: Int
  ) -> [JSONReader.RawString?]? {
    var explanations: [JSONReader.RawString?] = []
    explanations.reserveCapacity(count)
    do throws(JSONSyntaxError) {
      try JSONReader.read(scores.assumingMemoryBound(to: UInt8.self)) {
        reader throws(JSONSyntaxError) in
        try reader.readElements { reader throws(JSONSyntaxError) in
          explanations.append(nil)
          try reader.readMembers { reader, name throws(JSONSyntaxError) in
            if name == "explanation" {
              explanations[explanations.count - 1] = try reader.readRawString()
            } else {
              try reader.skipValue()
            }
          }
        }
      }
    } catch {
      return nil
    }
    return explanations.count == count ? explanations : nil
  }

  /// Adds a cell of a JSON string as it stands in the run log; an empty one where there is none.
  private static func append(json string: UnsafeRawBufferPointer, to line: inout ByteBuffer) {
    let units = string.assumingMemoryBound(to: UInt8.self).dropFirst().dropLast()
    let text = UnsafeBufferPointer(rebasing: units)
    if text.contains(UInt8(ascii: "\\")) {
      var meaning = ByteBuffer(capacity: text.count)
      JSONReader.RawString(canonical: text).appendMeaning(to: &meaning)
      CSVText.append(meaning.units, to: &line)
    } else {
      CSVText.append(text, to: &line)
    }
  }

  private static func append(explanation: String, to line: inout ByteBuffer) {
    CSVText.append(Excerpt.cut(explanation, to: longestExplanation), to: &line)
  }

  /// Adds what was counted and measured of an answer, and who gave it; empty cells where none is known.
  private static func appendFigures(
    of trial: Trial,
    _ answeredBy: [UInt8],
    to line: inout ByteBuffer
  ) {
    guard let output = trial.output else {
      // The commas of as many empty cells.
      return line.append(",,,,,,,,,,,,")
    }
    append(output.finishReason, to: &line)
    let (usage, timings) = (output.usage, output.timings)
    append(usage?.input.map(Double.init), to: &line)
    append(usage?.cachedInput.map(Double.init), to: &line)
    append(usage?.output.map(Double.init), to: &line)
    append(usage?.reasoning.map(Double.init), to: &line)
    append(output.cost, to: &line)
    append(timings.total, to: &line)
    append(timings.firstByte, to: &line)
    append(timings.firstText, to: &line)
    append(timings.longestGap, to: &line)
    append(timings.server, to: &line)
    line.append(",")
    line.append(answeredBy)
  }

  /// Who gave an answer, which those that follow one another share as a rule.
  private struct Origin {
    let source: AnswerOrigin
    let cell: [UInt8]

    init(_ source: AnswerOrigin) {
      self.source = source
      var cell = ByteBuffer()
      var provenance = source.provenance
      provenance.date = provenance.date.map { String($0.prefix(10)) }
      CSVText.append(provenance.phrase, to: &cell)
      self.cell = Array(cell.units)
    }
  }

  /// Adds a comma and a cell of text, an empty one for nil.
  private static func append(_ text: String?, to line: inout ByteBuffer) {
    line.append(",")
    if let text { CSVText.append(text, to: &line) }
  }

  /// Adds a comma and a cell of a number, an empty one for nil.
  private static func append(_ number: Double?, to line: inout ByteBuffer) {
    line.append(",")
    if let number { line.append(number: number) }
  }
}
