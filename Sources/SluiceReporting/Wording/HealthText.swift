import SluiceGating

/// The wording about the health of suites in all reports.
enum HealthText {
  /// The result for a suite's health.
  enum Standing: String, CaseIterable {
    case saturated
    case nearlySaturated = "nearly-saturated"
    case open
    case noRealColumn = "no-real-column"
    case nothingRecorded = "nothing-recorded"

    init(_ health: SuiteHealth) {
      switch health.headroom?.level {
      case .saturated: self = .saturated
      case .nearlySaturated: self = .nearlySaturated
      case .open: self = .open
      case nil: self = health.columns.isEmpty ? .nothingRecorded : .noRealColumn
      }
    }

    var word: String {
      switch self {
      case .saturated: "saturated"
      case .nearlySaturated: "nearly saturated"
      case .open: "not saturated"
      case .noRealColumn: "no judged answers from a model"
      case .nothingRecorded: "nothing recorded"
      }
    }

    /// A short name, for a narrow column of a table.
    var brief: String { self == .noRealColumn ? "no judged model" : word }
  }

  /// Returns the command to review the suspect labels of the suite that has the most suspect
  /// labels, or `nil` if no suite has any.
  static func labels(_ reports: [SuiteHealthReport]) -> (advice: String, command: String)? {
    guard let doubtful = reports.max(by: { $0.suspects.count < $1.suspects.count }),
      !doubtful.suspects.isEmpty
    else { return nil }
    let count = TerminalLines.count(doubtful.suspects.count, "doubtful label")
    let name = ShellText.quoted(SuiteName.short(doubtful.health.path))
    return ("review \(count) with labels and answers hidden", "sluice health \(name) --suspects")
  }

  /// Returns the line for a candidate whose cases all pass, or `nil` for any other column.
  static func saturated(_ column: ColumnResult) -> String? {
    guard column.isCandidate, let headroom = column.headroom, headroom.level == .saturated,
      2 * headroom.cases >= Set(column.trials.lazy.map(\.caseID)).count
    else { return nil }
    return "saturated: \(cases(headroom)); \(visible(headroom))"
  }

  /// Returns the saturated suites of a run in a sentence, or `nil` if there are none.
  static func saturated(_ suites: [SuiteResult]) -> String? {
    let saturated = suites.filter { suite in
      let candidates = suite.columns.filter(\.isCandidate)
      return !candidates.isEmpty && candidates.allSatisfy { Self.saturated($0) != nil }
    }
    guard let first = saturated.first else { return nil }
    if saturated.count == 1 {
      let line = first.columns.lazy.compactMap { Self.saturated($0) }.first ?? ""
      return "\(first.name) is \(line)."
    }
    let names = saturated.map(\.name).joined(separator: ", ")
    return "In this run, all cases of \(saturated.count) suites pass: \(names). "
      + "They can show losses but no gains."
  }

  /// Returns a phrase with the number of cases that do not pass.
  ///
  /// Examples are `all 162 cases pass`, `1 of 259 cases fails` and `2 of 355 cases do not pass on
  /// all repeats`.
  static func cases(_ headroom: Headroom) -> String {
    let (failing, all) = (headroom.cases - headroom.passing, headroom.cases)
    if failing == 0 { return all == 1 ? "its only case passes" : "all \(all) cases pass" }
    let cases = "\(failing) of \(TerminalLines.count(all, "case"))"
    if headroom.failing < failing {
      return "\(cases) \(failing == 1 ? "does" : "do") not pass on all repeats"
    }
    return "\(cases) \(failing == 1 ? "fails" : "fail")"
  }

  /// Returns a phrase with the smallest loss and the smallest gain that a suite can detect.
  static func visible(_ headroom: Headroom) -> String {
    let (loss, gain) = (
      headroom.visibleLoss.map { "a loss of \(NumberText.points($0)) or more" },
      headroom.visibleGain.map { "a gain of \(NumberText.points($0)) or more" }
    )
    switch (loss, gain) {
    case (let loss?, let gain?): return "the suite can show \(loss), and \(gain)"
    case (let loss?, nil): return "the suite can show \(loss), but no gain"
    case (nil, let gain?): return "the suite can show \(gain), but no loss"
    case (nil, nil): return "the suite can show neither a loss nor a gain"
    }
  }

  /// Returns the name and the date of a column: `v2 on unnamed-lm, 2026-11-23`.
  static func title(_ column: SuiteHealth.Column) -> String {
    column.name + (column.origin == .live ? ", live" : "") + (column.day.map { ", \($0)" } ?? "")
  }

  /// Returns the result for a suite in a sentence without a period.
  static func sentence(_ health: SuiteHealth) -> String {
    if let headroom = health.headroom {
      return "\(cases(headroom)); \(visible(headroom))"
    }
    if health.columns.isEmpty { return "no answers are recorded for any prompt of the suite" }
    if let column = health.columns.first(where: { $0.standIns.isEmpty && $0.answered == 0 }) {
      let reason = column.fault ?? "no scorer judges its cases"
      return "no answer of \(column.name) could be judged: \(reason)"
    }
    let standIns = Set(health.columns.flatMap(\.standIns)).sorted()
    if health.realColumns.isEmpty {
      return "all answers are from stand-ins (\(standIns.joined(separator: ", "))), "
        + "not from a model"
    }
    return "no model answered the suite's own prompt, \(health.prompt)"
  }

  /// Returns a phrase with the number of cases on which the answers of models differ.
  static func disagreements(_ health: SuiteHealth) -> String {
    let columns = health.realColumns.count
    if columns < 2 {
      return columns == 0 ? "unknown: no model has answered" : "unknown: only one column of models"
    }
    let count = health.disagreements.count
    return "\(count) of \(TerminalLines.count(health.cases.count, "case")), \(columns) columns"
  }

  /// Returns a phrase with the numbers of tags and classes that have too few cases.
  static func small(_ health: SuiteHealth) -> String {
    func part(_ groups: [SuiteHealth.Group], _ one: String, _ many: String) -> String? {
      if groups.isEmpty { return nil }
      return
        "\(groups.count(where: \.isSmall)) of \(groups.count) \(groups.count == 1 ? one : many)"
    }
    let parts = [
      part(health.tags, "tag", "tags"), part(health.classes, "class", "classes"),
    ].compactMap(\.self)
    return parts.isEmpty ? "no tags or classes" : parts.joined(separator: ", ")
  }

  /// Returns the reason why single cases are not analyzed, or `nil` if they are analyzed.
  static func tooFew(_ health: SuiteHealth) -> String? {
    if health.items != nil { return nil }
    let least = SuiteHealth.leastForItems
    return "too few columns or models: \(health.realColumns.count) of \(least.columns) needed, "
      + "\(health.models.count) of \(TerminalLines.count(least.models, "model")) needed"
  }

  /// Returns a phrase with the numbers of cases that separate good columns from bad ones, and of
  /// redundant cases.
  static func items(_ items: SuiteHealth.Items) -> String {
    let known = items.discrimination.compactMap(\.self)
    let against = known.count { $0 < 0 }
    let redundant = items.redundant.reduce(0) { $0 + $1.count }
    return "\(known.count) of \(TerminalLines.count(items.difficulty.count, "case")) separate "
      + "columns, \(against) of them in the wrong direction; \(redundant) redundant in "
      + TerminalLines.count(items.redundant.count, "group")
  }

  /// Returns the result in a line, for the end of the output: `SATURATED: all 162 cases pass` for
  /// one suite, and the numbers of suites otherwise.
  static func conclusion(_ healths: [SuiteHealth]) -> String {
    if healths.count == 1, let only = healths.first {
      let fact = only.headroom.map(cases) ?? sentence(only)
      return "\(Standing(only).word.uppercased()): \(fact)"
    }
    return summary(healths, namesSuites: false)
  }

  /// Returns a phrase with the number of suites for each result.
  static func summary(_ healths: [SuiteHealth], namesSuites: Bool = true) -> String {
    let parts = [Standing.saturated, .nearlySaturated].map { standing in
      let names = healths.filter { Standing($0) == standing }.map(\.suite)
      let list = names.isEmpty || !namesSuites ? "" : " (\(names.joined(separator: ", ")))"
      return "\(names.count) \(standing.word)\(list)"
    }
    return "\(TerminalLines.count(healths.count, "suite")): \(parts.joined(separator: ", "))"
  }
}
