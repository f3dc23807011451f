import SluiceGating

/// `report.csv`: a row for each trial, for people with a spreadsheet.
///
/// Each scorer has two columns. With a row for each score instead, a spreadsheet would count a
/// trial's cost once per score. All assertions of single cases share two columns, since different
/// cases usually have different assertions. Measured numbers are written as numbers, and everything
/// else as text in quotes; see ``CSVText``. The file starts with a byte-order mark, without which
/// Excel does not read it as UTF-8.
package struct CSVReport {
  /// The columns that every report has.
  ///
  /// The columns of the scorers follow.
  package static let columns = [
    "suite", "prompt", "backend", "case", "repeat", "tags", "split", "cluster", "outcome", "reason",
    "unusable", "quarantine", "since-baseline", "text", "finish-reason", "input-tokens",
    "cached-input-tokens", "output-tokens", "reasoning-tokens", "cost-usd", "total-ms",
    "first-byte-ms", "first-text-ms", "longest-gap-ms", "server-ms", "answered-by",
  ]
  private let result: RunResult
  private let scorers: [Scorer]
  /// True if any case has assertions.
  private let hasAssertions: Bool
  /// True if any model refused to answer, so that the report has a column for refusals.
  private let hasRefusals: Bool

  /// A scorer, whose scores and explanations have a column each.
  private struct Scorer {
    var name: String
    /// True if the scores are advisory.
    var isAdvisory: Bool
  }

  package init(_ result: RunResult) {
    self.result = result
    let all = Self.scorers(of: result)
    scorers = all.filter { !ScoreCells.isAssertion($0.name) }
    hasAssertions = scorers.count < all.count
    hasRefusals = result.suites.contains { suite in
      suite.columns.contains { column in column.unusual.contains { $0.refusal != nil } }
    }
  }

  package var bytes: [UInt8] {
    FileSink.bytes { (sink) throws(FileError) in try write(to: &sink) }
  }

  /// Writes the report row by row.
  package func write(to sink: inout FileSink) throws(FileError) {
    sink.buffer.append("\u{FEFF}")
    for (index, name) in Self.columns.enumerated() {
      if index > 0 { sink.buffer.append(",") }
      CSVText.append(name, to: &sink.buffer)
    }
    for scorer in scorers {
      sink.buffer.append(",")
      CSVText.append(scorer.name + (scorer.isAdvisory ? " (advisory)" : ""), to: &sink.buffer)
      sink.buffer.append(",")
      CSVText.append("\(scorer.name): explanation", to: &sink.buffer)
    }
    if hasAssertions { sink.buffer.append(",\"assertions\",\"assertions: explanation\"") }
    if hasRefusals { sink.buffer.append(",\"refusal\"") }
    sink.buffer.append("\r\n")
    let names = scorers.map(\.name)
    for suite in result.suites {
      for column in suite.columns {
        var rows = CSVRows(suite, column, scorers: names, hasAssertions: hasAssertions)
        for trial in column.trials {
          rows.append(trial, withRefusal: hasRefusals, to: &sink.buffer)
          try sink.spill()
        }
      }
    }
    if let selection = result.selection { write(skippedIn: selection, to: &sink.buffer) }
  }

  /// Adds a row for each suite that `--affected` skipped, with its name and the reason.
  private func write(skippedIn selection: SuiteSelection, to line: inout ByteBuffer) {
    let outcome = Self.columns.firstIndex(of: "outcome")
    let reason = Self.columns.firstIndex(of: "reason")
    let optional = (hasAssertions ? 2 : 0) + (hasRefusals ? 1 : 0)
    let count = Self.columns.count + 2 * scorers.count + optional
    for suite in selection.skipped {
      CSVText.append(suite.name, to: &line)
      for column in 1..<count {
        line.append(",")
        if column == outcome { CSVText.append("skipped", to: &line) }
        if column == reason { CSVText.append(SelectionText.skipReason(selection), to: &line) }
      }
      line.append("\r\n")
    }
  }

  /// Returns the scorers of all suites without duplicates, in order of first appearance.
  private static func scorers(of result: RunResult) -> [Scorer] {
    var scorers: [Scorer] = []
    var places: [ExactString: Int] = [:]
    for sheet in result.suites.lazy.flatMap(\.columns).flatMap(\.sheets) {
      for score in sheet.scores {
        let name = ExactString(score.name)
        if let place = places[name] {
          if score.score.isAdvisory { scorers[place].isAdvisory = true }
        } else {
          places[name] = scorers.count
          scorers.append(Scorer(name: score.name, isAdvisory: score.score.isAdvisory))
        }
      }
    }
    return scorers
  }
}
