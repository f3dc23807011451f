import SluiceGating

/// The rows of `report.csv` for one prompt on one backend.
struct CSVRows {
  private var log: RunLogReader?
  /// The cells at the start of each row, which are the same in all rows, with a comma at the end.
  private let head: [UInt8]
  private let quarantine: [String: Exemption]
  private let flips: [ExactString: OutcomeFlip]
  private let scores: ScoreCells
  private let memo = ScoreMemo()
  private var origin: Origin?

  /// Prepares the rows of one prompt on one backend.
  ///
  /// - Parameters:
  ///   - suite: The suite. Its run log has the texts of the trials.
  ///   - column: The results of the prompt on the backend.
  ///   - scorers: The scorers that have columns in the file, in the order of these columns.
  ///   - hasAssertions: True if the file has columns for the cases' own assertions.
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
    scores = ScoreCells(scorers: scorers, hasAssertions: hasAssertions)
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - withRefusal: True if the file has a column for refusals.
  ///   - line: The line to add to.
  mutating func append(_ trial: Trial, withRefusal: Bool, to line: inout ByteBuffer) {
    line.append(head)
    CSVText.append(trial.caseID, to: &line)
    line.append(",")
    line.append(digitsOf: UInt(max(0, trial.repetition)))
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
    if let source = trial.source, source !== origin?.source { origin = Origin(source) }
    let (answeredBy, scores, memo) = (origin?.cell ?? [], scores, memo)
    let isDone =
      log?.withTexts(of: trial) { texts in
        // A text that has few enough bytes also has few enough characters.
        guard texts.text.count <= Trial.Output.excerptLimit,
          let cells = memo.bytes(
            of: trial,
            texts.scores,
            make: { scores.cells(trial.scores, explanations: $0) }
          )
        else { return false }
        line.append(",")
        if trial.isAnswered { texts.withText { CSVText.append($0, to: &line) } }
        Self.appendFigures(of: trial, answeredBy, to: &line)
        line.append(cells)
        return true
      } ?? false
    if !isDone { append(unlogged: log?.whole(trial) ?? trial, to: &line) }
    if withRefusal { Self.append(trial.refusal, to: &line) }
    line.append("\r\n")
  }

  /// Adds the texts and scores of a trial that is not in the run log, or whose texts must be
  /// truncated.
  private func append(unlogged trial: Trial, to line: inout ByteBuffer) {
    line.append(",")
    if let output = trial.output {
      CSVText.append(output.excerpt, isCut: output.isCut, to: &line)
    }
    Self.appendFigures(of: trial, origin?.cell ?? [], to: &line)
    line.append(scores.cells(trial.scores, explanations: trial.scores.map(\.score.explanation)))
  }

  /// Adds the measurements of an answer and the model that gave it; unknown values become empty
  /// cells.
  private static func appendFigures(
    of trial: Trial,
    _ answeredBy: [UInt8],
    to line: inout ByteBuffer
  ) {
    guard trial.isAnswered else {
      // A comma for each of the empty cells.
      return line.append(",,,,,,,,,,,,")
    }
    append(figuresOf: trial.answer, to: &line)
    line.append(",")
    line.append(answeredBy)
  }

  private static func append(figuresOf output: Trial.Output, to line: inout ByteBuffer) {
    append(output.finishReason, to: &line)
    let (usage, timings) = (output.usage, output.measuredTimings)
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
  }

  /// The origin of the last answer, and the CSV cell that shows it.
  ///
  /// Both are kept because the next answer usually has the same origin.
  private struct Origin {
    let source: AnswerOrigin
    let cell: [UInt8]

    init(_ source: AnswerOrigin) {
      self.source = source
      var cell = ByteBuffer()
      CSVText.append(source.provenance.toTheDay.phrase, to: &cell)
      self.cell = Array(cell.units)
    }
  }

  /// Adds a comma and a cell of text, or a comma and an empty cell for `nil`.
  private static func append(_ text: String?, to line: inout ByteBuffer) {
    line.append(",")
    if let text { CSVText.append(text, to: &line) }
  }

  /// Adds a comma and a cell with a number, or a comma and an empty cell for `nil`.
  private static func append(_ number: Double?, to line: inout ByteBuffer) {
    line.append(",")
    if let number { JSONWriter.append(number, to: &line) }
  }
}

/// The formatter of a trial's scores as cells of `report.csv`.
struct ScoreCells {
  /// The scorers that have columns in the file, in the order of these columns.
  var scorers: [String]
  /// True if the file has columns for the cases' own assertions.
  var hasAssertions: Bool
  /// The maximum length of an explanation in characters.
  ///
  /// Excel splits cells of more than 32,767 characters.
  private static let longestExplanation = 4_000

  /// Returns true if a name belongs to a case's own assertion, and not to a scorer of the suite.
  static func isAssertion(_ name: String) -> Bool { name.hasPrefix(BoundScorer.casePrefix) }

  /// Returns the cells, each preceded by a comma.
  ///
  /// - Parameters:
  ///   - scores: The scores. Explanations that they contain are ignored.
  ///   - explanations: The explanation of each score.
  /// - Returns: The cells.
  func cells(_ scores: [Trial.NamedScore], explanations: [String]) -> [UInt8] {
    var cells = ByteBuffer()
    for name in scorers {
      let place = scores.firstIndex { $0.name.isIdentical(to: name) }
      Self.append(place.map { scores[$0].score.outcome.rawValue }, to: &cells)
      Self.append(explanation: place.map { explanations[$0] } ?? "", to: &cells)
    }
    if hasAssertions { append(assertionsOf: scores, explanations, to: &cells) }
    return Array(cells.units)
  }

  /// Adds two cells for the case's assertions: the overall result, and the assertions that failed.
  private func append(
    assertionsOf scores: [Trial.NamedScore],
    _ explanations: [String],
    to cells: inout ByteBuffer
  ) {
    let own = scores.indices.filter { Self.isAssertion(scores[$0].name) }
    let order: [Score.Outcome] = [.failed, .unscored, .passed, .notApplicable]
    let outcome = order.first { outcome in own.contains { scores[$0].score.outcome == outcome } }
    Self.append(outcome?.rawValue, to: &cells)
    let failed = own.filter { [.failed, .unscored].contains(scores[$0].score.outcome) }
      .map { "\(scores[$0].name.dropFirst(BoundScorer.casePrefix.count)): \(explanations[$0])" }
    Self.append(explanation: failed.joined(separator: "; "), to: &cells)
  }

  private static func append(_ outcome: String?, to cells: inout ByteBuffer) {
    cells.append(",")
    if let outcome { CSVText.append(outcome, to: &cells) }
  }

  private static func append(explanation: String, to cells: inout ByteBuffer) {
    cells.append(",")
    if explanation.isEmpty { return }
    CSVText.append(Excerpt.cut(explanation, to: longestExplanation), to: &cells)
  }
}
