import SluiceGating

/// `report.html`: the result of a run for people, as an HTML page.
package struct HTMLReport {
  private let result: RunResult
  private let overrides: CommandLineOverrides
  private let suites: [HTMLSuite]
  private let paging: HTMLPaging
  package static let baseName = "report"

  private let revision: PageRevision?
  private let history: BaselineHistory

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - result: The result of a run.
  ///   - overrides: The overrides of the suites' settings on the command line.
  ///   - revision: The project and the commit to show on the page, or `nil` to show none.
  ///   - history: The committed versions of baselines, which are shown as the history of each case.
  ///   - casesOnPage: The maximum number of cases per page.
  package init(
    _ result: RunResult,
    overrides: CommandLineOverrides = CommandLineOverrides(),
    revision: PageRevision? = nil,
    history: BaselineHistory = BaselineHistory(),
    casesOnPage: Int = HTMLPaging.most
  ) {
    self.result = result
    self.overrides = overrides
    self.revision = revision
    self.history = history
    suites = result.suites.map { HTMLSuite($0) }
    paging = HTMLPaging(suites, most: casesOnPage)
  }

  /// The number of pages.
  ///
  /// Each page is a file.
  package var pageCount: Int { paging.count }

  /// Writes a page.
  ///
  /// Every page has cases; the first page also has the verdict and the figures.
  package func write(page: Int = 0, to sink: inout FileSink) throws(FileError) {
    try HTMLPage(
      title: "Sluice: \(result.verdict.word)",
      head: HTMLPage.head(
        HTMLText.verdict(result.verdict, text: Self.title(result.verdict)),
        outputs: OutputsText.sentence(result.suites.flatMap(\.columns)),
        reason: [FailureReasons(result).sentence, VerdictText(result).sentence, change, failures]
          .compactMap(\.self).joined(separator: " "),
        facts: facts,
        next: page == 0 ? result.remedy(overrides) : nil,
        notes: [],
        warnings: page == 0 ? warnings : []
      ),
      sections: page == 0 ? sections : [],
      cases: HTMLCases(
        kind: "run",
        suites: suites,
        paging: paging,
        page: page,
        base: Self.baseName,
        history: history
      )
    ).write(to: &sink)
  }

  private var sections: [HTMLPage.Section] {
    let place = only == nil ? nil : "Gates and goals"
    var sections = [
      HTMLPage.Section(id: "gates", title: gatesTitle, place: place, body: gates)
    ]
    if !result.mixes.isEmpty {
      let body = result.mixes.map(mix).joined()
      sections.append(.init(id: "mixes", title: "Mixes of calls", body: body))
    }
    var below =
      HTMLSelection.sections(result.selection) + HTMLFigures.sections(suites)
      + HTMLHealth.sections(of: result.suites)
    if !notes.isEmpty {
      let items = notes.map { "<li>\(HTMLText.escaped($0))</li>" }.joined(separator: "\n")
      let body = "<ul class=\"notes\">\n\(items)\n</ul>\n"
      below.append(.init(id: "notes", title: "Notes", body: body))
    }
    // Readers mostly look for answers, so the figures come below the cases.
    for index in below.indices { below[index].isBelowCases = true }
    return sections + below
  }

  private static func title(_ verdict: Verdict) -> String {
    verdict.word.prefix(1).uppercased() + verdict.word.dropFirst()
  }

  /// The sentence on changes since the baselines; `nil` if the page of a single suite or the gates
  /// that do not pass say it.
  private var change: String? {
    guard result.suites.count > 1, result.verdict == .pass else { return nil }
    return RunSummaryText(result, { $0 }, { $0 }).change
  }

  /// The suites in which answers failed although all gates pass.
  ///
  /// An example is `97 answers failed: 90 of reply, 7 of 2 other suites.`
  private var failures: String? {
    guard result.suites.count > 1, result.verdict == .pass else { return nil }
    let counts = result.suites.map { suite in
      (name: suite.name, failed: suite.columns.filter(\.isCandidate).reduce(0) { $0 + $1.failed })
    }
    .filter { $0.failed > 0 }
    guard let most = counts.max(by: { $0.failed < $1.failed }) else { return nil }
    let total = counts.reduce(0) { $0 + $1.failed }
    var text = "\(total.withThousands) answer\(total == 1 ? "" : "s") failed: "
    text += "\(most.failed.withThousands) of \(Excerpt.cut(most.name))"
    if counts.count > 1 {
      text +=
        ", \((total - most.failed).withThousands) of "
        + TerminalLines.count(counts.count - 1, "other suite")
    }
    return text + "."
  }

  /// Phrases for the project, the models that answered, the dates and the revision.
  private var facts: [String] {
    let isLive = result.suites.contains { $0.source == .live }
    let who = Provenance.short(of: result.suites.flatMap(\.columns), isLive: isLive)
    return [revision?.project.map { "Project \($0)" }, who, revision?.phrase].compactMap(\.self)
  }

  /// Remarks that need no action from readers.
  private var notes: [String] {
    let isLive = result.suites.contains { $0.source == .live }
    let columns = result.suites.flatMap(\.columns)
    var notes = [Provenance.sentence(of: columns, isLive: isLive)].compactMap(\.self)
    if let alarms = CorrectionText.falseAlarms(result.falseAlarms) { notes.append(alarms) }
    if let saturated = HealthText.saturated(result.suites) { notes.append(saturated) }
    notes += result.suites.flatMap { suite in
      (JudgeText.notes(suite) + RecordingText.notes(suite.recordings))
        .map { "\(suite.name): \($0)" }
    }
    return notes + PriceText.notes(result.suites)
  }

  /// The warnings to read before trusting the figures, such as a prompt that is worse on held-out
  /// cases.
  private var warnings: [String] {
    let parted = result.suites.filter { suite in
      suite.columns.contains { $0.splits?.gaps.isEmpty == false }
    }
    if parted.isEmpty { return [] }
    let names = parted.map(\.name).joined(separator: ", ")
    return [
      "Cases of the split \(SplitResult.heldOut) did worse than the others in \(names), by more "
        + "than chance explains: the prompts may be overfitted to the cases that were used to "
        + "tune them."
    ]
  }

  // MARK: Gates

  /// The only column of the run, with its suite; `nil` if there are several columns.
  private var only: (suite: SuiteResult, shown: HTMLSuite, column: HTMLSuite.ShownColumn)? {
    guard result.suites.count == 1, suites[0].columns.count == 1 else { return nil }
    return (result.suites[0], suites[0], suites[0].columns[0])
  }

  private var gatesTitle: String {
    guard let only else { return suites.count == 1 ? suites[0].name : "Suites" }
    let cases = Set(only.column.result.trials.map(\.caseID)).count
    return "\(only.suite.name): prompt \(only.column.name), \(TerminalLines.count(cases, "case"))"
  }

  private var gates: String {
    if let only { return body(only.suite, only.shown, only.column) }
    let rows = suites.indices.flatMap { index in suites[index].columns.map { (index, $0) } }
    // Columns that block the verdict come first, and columns with many failures before the others.
    let order = rows.indices.sorted { first, second in
      let (one, other) = (rows[first].1.result, rows[second].1.result)
      return (Self.rank(one), -Self.failing(one), first)
        < (Self.rank(other), -Self.failing(other), second)
    }
    let isFew = suites.count == 1 && rows.count <= Self.mostOpen
    let note =
      "<p class=\"legend suites-note small quiet\">Accuracy on a scale from 0 to 100%, with its 95% "
      + "interval: ● now, ○ baseline</p>\n"
    return note
      + order.map { place in
        let (index, shown) = rows[place]
        let isOpen = isFew || Self.rank(shown.result) < 2
        return column(result.suites[index], suites[index], shown, isOpen: isOpen)
      }.joined()
  }

  /// The maximum number of columns of a single suite that are unfolded although they pass.
  private static let mostOpen = 4

  private static func rank(_ column: ColumnResult) -> Int {
    guard column.isCandidate else { return 3 }
    switch column.verdict {
    case .fail, .noVerdict: return 0
    case .inconclusive: return 1
    case .pass, .notEvaluated: return 2
    }
  }

  /// The share of a column's trials that failed.
  private static func failing(_ column: ColumnResult) -> Double {
    column.trials.isEmpty ? 0 : Double(column.failed) / Double(column.trials.count)
  }

  private func column(
    _ suite: SuiteResult,
    _ shown: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    isOpen: Bool
  ) -> String {
    let result = column.result
    let accuracy = result.metrics.first { $0.name == "accuracy" }
    var facts: [String] = []
    if let comparison = column.comparison, !comparison.isIdentical {
      let (worse, better) = (comparison.count(.harmful), comparison.count(.beneficial))
      if worse > 0 { facts.append("\(worse.withThousands) newly failing") }
      if better > 0 { facts.append("\(better.withThousands) newly passing") }
    }
    if result.lost > 0 { facts.append("\(result.lost.withThousands) lost") }
    if result.failed > 0 { facts.append("\(result.failed.withThousands) failed") }
    if !result.hasOnlyUndecided, let goals = Self.goals(result.goals) { facts.append(goals) }
    let ghost = column.comparison?.changes.first { $0.name == "accuracy" }?.change.baseline
    // The title already names the only suite.
    let (name, detail) = suites.count == 1 ? (column.name, "") : (suite.name, column.name)
    let sign =
      result.isCandidate
      ? HTMLText.verdict(result.verdict) : "<span class=\"quiet\">not the candidate</span>"
    return """
      <details class="suite"\(isOpen ? " open" : "")><summary><span>\(sign)</span>\
      <span class="name">\(HTMLText.escaped(name))</span>\
      <span class="quiet">\(HTMLText.escaped(detail))</span>\
      <span>\(accuracy.map { HTMLPlot.share($0.estimate, baseline: ghost) } ?? "")</span>\
      <span class="num">\(accuracy.map { HTMLText.escaped(NumberText.text($0.estimate, .rate)) } ?? "")</span>\
      <span class="num quiet facts-line">\(HTMLText.escaped(facts.joined(separator: " · ")))</span></summary>
      <div class="body">
      \(body(suite, shown, column))</div></details>

      """
  }

  /// Returns the state of goals in a few words, such as `1 of 4 goals, 3 undecided`; `nil` if there
  /// are none.
  private static func goals(_ goals: [Decision]) -> String? {
    if goals.isEmpty { return nil }
    let reached = goals.count { $0.verdict == .pass }
    if reached == goals.count { return goals.count == 1 ? "goal reached" : "all \(reached) goals" }
    let missed = goals.count { $0.verdict == .fail }
    let open = goals.count - reached - missed
    return "\(reached) of \(TerminalLines.count(goals.count, "goal"))"
      + (missed == 0 ? "" : ", \(missed) missed") + (open == 0 ? "" : ", \(open) undecided")
  }

  /// Returns the markup of a column: missing answers, the change, gates and goals, then details.
  private func body(
    _ suite: SuiteResult,
    _ shown: HTMLSuite,
    _ column: HTMLSuite.ShownColumn
  ) -> String {
    let result = column.result
    var body = absence(suite, result)
    if !result.hasOnlyUndecided {
      body += HTMLChanges.panel(shown, column, asked: result.requestChange)
    }
    let baseline = { (decision: Decision) in column.baseline(of: decision) }
    body +=
      result.gates.isEmpty
      ? "<p "
        + "class=\"quiet\">\(result.isCandidate ? "The suite has no gates." : "Gates judge only the suite's last prompt.")</p>\n"
      : HTMLDecisions.head("Gates", HTMLDecisions.legend(result.gates + result.goals))
        + decisions(result.gates, of: result, isGoal: false, baseline)
    if !result.hasOnlyUndecided {
      body += HTMLChanges.rest(shown, column, asked: result.requestChange)
    }
    if !result.goals.isEmpty {
      let note = "<p class=\"legend small quiet\">Goals never fail a run.</p>"
      let legend = result.gates.isEmpty ? HTMLDecisions.legend(result.goals) : note
      body += HTMLDecisions.head("Goals", legend)
      body += decisions(result.goals, of: result, isGoal: true, baseline)
    }
    if let sentence = ClusterText.sentence(result) {
      body += "<p class=\"quiet small\">\(HTMLText.escaped(sentence))</p>\n"
    }
    if let splits = result.splits, !result.hasOnlyUndecided {
      let warnings = SplitText.warnings(splits)
      body += warnings.map { "<p class=\"warning\">\(HTMLText.escaped($0))</p>\n" }.joined()
      let parts = HTMLText.escaped(SplitText.accuracy(splits))
      body += "<p class=\"quiet small\">Accuracy by split: \(parts)</p>\n"
    }
    if !result.hasOnlyUndecided { body += result.groups.map(GroupText.html).joined() }
    return body + judges(suite)
  }

  /// Returns the number of cases without an answer, with the reasons.
  private func absence(_ suite: SuiteResult, _ column: ColumnResult) -> String {
    guard let absent = AbsentAnswers(suite, column) else { return "" }
    let sentence = absent.text.prefix(1).uppercased() + absent.text.dropFirst() + "."
    var text = "<p class=\"warning\">\(HTMLText.escaped(sentence))</p>\n"
    for group in suite.recordings.misses(of: column).prefix(3) {
      text += "<h3>\(HTMLText.escaped("\(group.count) × \(group.reason)"))</h3>\n"
      guard let nearest = group.nearest, let phrase = RecordingText.nearest(group) else { continue }
      text += "<p>\(HTMLText.escaped(phrase)):</p>\n"
      text += RequestChangeText.markup(nearest.difference) + "\n"
      if let advice = RecordingText.keeping(nearest) {
        let sentence = advice.prefix(1).uppercased() + advice.dropFirst() + "."
        text += "<p>\(HTMLText.escaped(sentence))</p>\n"
      }
    }
    return text
  }

  /// Returns gates or goals: one by one, or in a single line if there are no answers at all.
  private func decisions(
    _ decisions: [Decision],
    of column: ColumnResult,
    isGoal: Bool,
    _ baseline: (Decision) -> Double?
  ) -> String {
    if !column.hasOnlyUndecided {
      return HTMLDecisions.list(decisions, isGoal: isGoal, baseline: baseline)
    }
    let names = decisions.map { "<code>\(HTMLText.escaped($0.condition.text))</code>" }
    let words = AbsentAnswers.undecided(decisions.count)
    let sentence = words.prefix(1).uppercased() + words.dropFirst()
    return "<p>\(sentence): \(names.joined(separator: ", ")).</p>\n"
  }

  /// Returns a paragraph on the judges, with their requests, tokens and costs.
  private func judges(_ suite: SuiteResult) -> String {
    suite.judges.map {
      "<p class=\"small quiet\">Judge: \(HTMLText.escaped(JudgeText.line($0)))</p>\n"
    }.joined()
  }

  private func mix(_ mix: MixResult) -> String {
    let name = mix.mix.name + (mix.backend.map { " on \($0)" } ?? "")
    var text = "<h3>\(HTMLText.escaped(name))</h3>\n<p>\(HTMLText.escaped(mix.mix.callsText))</p>\n"
    text += HTMLFigures.table(mix.figures)
    return text + HTMLDecisions.list(mix.goals, isGoal: true)
  }
}
