import SluiceGating

/// `compare.html`: a comparison for people, in one file.
package struct HTMLComparison {
  private let result: ComparisonResult
  private let suites: [HTMLSuite]
  private let paging: HTMLPaging
  package static let baseName = "compare"

  package init(_ result: ComparisonResult) {
    self.result = result
    suites = result.comparisons.map { HTMLSuite($0) }
    paging = HTMLPaging(suites)
  }

  /// How many pages it has, each a file.
  package var pageCount: Int { paging.count }

  /// Writes a page: the first one has the verdict and the figures, all have cases.
  package func write(page: Int = 0, to sink: inout FileSink) throws(FileError) {
    let word = result.verdict.map { $0.word } ?? "compared"
    try HTMLPage(
      title: "Sluice compare: \(word)",
      head: HTMLPage.head(
        result.verdict.map {
          HTMLText.verdict($0, text: word.prefix(1).uppercased() + word.dropFirst())
        }
          ?? "Compared",
        outputs: OutputsText.sentence(result.columns),
        reason: summary.reason,
        notes: page == 0 ? notes : [],
        warnings: page == 0 ? result.notes : []
      ),
      sections: page == 0 ? [main] + HTMLFigures.sections(suites) : [],
      cases: HTMLCases(
        kind: "compare",
        noun: "trial",
        suites: suites,
        paging: paging,
        page: page,
        base: Self.baseName
      )
    ).write(to: &sink)
  }

  private var summary: ComparisonSummaryText { ComparisonSummaryText(result) }

  private var main: HTMLPage.Section {
    let body = summary.order.map { block(result.comparisons[$0], suites[$0]) }.joined()
    return HTMLPage.Section(
      id: "gates",
      title: "Who is better",
      body: body.isEmpty ? "<p class=\"quiet\">Nothing was compared.</p>\n" : body
    )
  }

  private var notes: [String] {
    let isLive = result.comparisons.contains { $0.source == .live }
    let columns = result.comparisons.flatMap(\.configurations).map(\.column)
    var notes: [String] = []
    if let sentence = Provenance.sentence(of: columns, isLive: isLive) { notes.append(sentence) }
    if let alarms = result.falseAlarms.flatMap(CorrectionText.falseAlarms) { notes.append(alarms) }
    if let next = result.next { notes.append("Next, \(next.advice): \(next.command)") }
    return notes
  }

  private func block(_ comparison: ConfigurationComparison, _ suite: HTMLSuite) -> String {
    var body = ""
    if !comparison.edits.isEmpty {
      let items = comparison.edits.map { "<li>\(HTMLText.escaped($0.text))</li>" }.joined()
      body += "<p>Edited in this change; gates and labels are the old ones:</p><ul>\(items)</ul>\n"
    }
    for note in comparison.recorded.map(RecordingText.notes) ?? [] {
      body += "<p>\(HTMLText.escaped(note)).</p>\n"
    }
    for note in comparison.remarks {
      body += "<p class=\"quiet\">\(HTMLText.escaped(note))</p>\n"
    }
    body += HTMLDecisions.list(comparison.gates, isGoal: false)
    body += GroupText.compared(comparison).map(\.html).joined()
    for pair in comparison.pairs { body += self.pair(pair, comparison, suite) }
    // Of two the lists of the pair tell most of them.
    let flips = comparison.pairs.count == 1 ? comparison.pairs[0].comparison.flips : []
    let told = Set(flips.map { ExactString($0.caseID) })
    let ids = comparison.disagreements.map(\.caseID).filter { !told.contains(ExactString($0)) }
    if !ids.isEmpty {
      let last = suite.columns[suite.columns.count - 1]
      body +=
        "<h3>Cases on which they disagree</h3>\n<p>\(ids.count): \(suite.links(ids, last, most: 20))</p>\n"
    }
    let sign = comparison.verdict.map { HTMLText.verdict($0) } ?? ""
    return
      "<details\(comparison.isQuiet ? "" : " open")><summary><span>\(sign)</span><span class=\"name\">"
      + "\(HTMLText.escaped(comparison.suite))</span></summary><div class=\"body\">\n\(body)</div></details>\n"
  }

  private func pair(
    _ pair: ConfigurationComparison.Pair,
    _ comparison: ConfigurationComparison,
    _ suite: HTMLSuite
  ) -> String {
    let names = [pair.configuration, pair.reference].map {
      "\(ConfigurationComparison.letter($0)) \(comparison.configurations[$0].name)"
    }
    var text = "<h3>\(HTMLText.escaped("\(names[0]) against \(names[1])"))</h3>\n"
    if pair.comparison.isIdentical { return text + "<p>Every answer is the same.</p>\n" }
    if pair.changes.isEmpty { return text + "<p>Nothing that both answered can be compared.</p>\n" }
    let rows = pair.changes.map { judged in
      "<tr><th scope=\"row\"><code>\(HTMLText.escaped(judged.name))</code></th>"
        + "<td>\(HTMLText.escaped(judged.standing.phrase))</td>"
        + "<td>\(HTMLText.escaped(ChangeText.difference(judged.change, judged.quantity)))</td>"
        + "<td class=\"num\">\(judged.change.nText)</td><td class=\"num\">\(HTMLText.escaped(NumberText.p(judged.adjustedP)))</td></tr>"
    }
    text +=
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Figure</th><th scope=\"col\">Standing</th>"
      + "<th scope=\"col\">Change, 95% interval</th><th scope=\"col\" class=\"num\">n</th>"
      + "<th scope=\"col\" class=\"num\">\(comparison.pairs.count > 1 ? "Two-sided p (Holm)" : "Two-sided p")</th>"
      + "</tr></thead><tbody>\(rows.joined())</tbody></table></div>\n"
      + "<p class=\"quiet small\">\(HTMLText.escaped(comparison.convention))</p>\n"
    let configuration = comparison.configurations[pair.configuration]
    let shown = suite.columns[pair.configuration]
    let column = HTMLSuite.ShownColumn(
      key: shown.key,
      name: shown.name,
      result: shown.result,
      comparison: pair.comparison
    )
    return text
      + HTMLChanges.text(
        suite,
        column,
        against: ConfigurationComparison.letter(pair.reference),
        asked: RequestChange(
          from: comparison.configurations[pair.reference].column,
          to: configuration.column
        )
      )
  }
}
