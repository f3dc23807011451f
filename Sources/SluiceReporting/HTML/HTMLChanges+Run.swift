import SluiceGating

/// The panel that shows the edit of the requests next to its effect on the answers.
extension HTMLChanges {
  private static let shownCases = 6
  private static let shownTags = 3
  private static let shownClasses = 3

  /// Returns the edit of the requests and its effect on the answers, side by side.
  ///
  /// If nothing changed, or if nothing can be compared, the markup is a sentence that says so.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - column: The column that is compared with its baseline.
  ///   - asked: The change in the requests; `nil` if nothing changed or the change is unknown.
  /// - Returns: The markup.
  static func panel(
    _ suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    asked: RequestChange?
  ) -> String {
    guard let comparison = column.comparison, !comparison.isIdentical || asked != nil else {
      return unchanged(suite, column)
    }
    let edit = asked.map { asked in
      "<div class=\"edit\"><h3>What changed</h3>\n"
        + RequestChangeText(asked).edit(
          address: suite.address(column, asked.caseID),
          prompt: column.result.promptPath
        ) + "</div>\n"
    }
    return """
      <div class="change">
      \(edit ?? "")<div class="effect">
      <h3>Effect, against \(HTMLText.escaped(comparison.reference))</h3>
      \(effect(suite, column, comparison, asked: asked))</div>
      </div>

      """
  }

  private static func effect(
    _ suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    _ comparison: RunComparison,
    asked: RequestChange?
  ) -> String {
    if comparison.isIdentical { return identical(suite) }
    guard comparison.hasPairs else { return "<p>No answers can be compared.</p>\n" }
    // List the case whose edit is shown first, so that cause and effect can be compared.
    let shown = asked?.caseID
    let harmed = comparison.flips.filter { $0.flip == .harmful }.map(\.caseID)
    let worse = harmed.filter { $0 == shown } + harmed.filter { $0 != shown }
    let better = comparison.flips.filter { $0.flip == .beneficial }.map(\.caseID)
    var text =
      "<p class=\"tally\">\(tally(worse.count, "newly failing", "failed"))"
      + "\(tally(better.count, "newly passing", "passed"))</p>\n"
    if let first = comparison.changes.first {
      let level = suite.reference == nil ? 90 : 95
      text += figure(first, level: " <span class=\"small quiet\">\(level)% interval</span>")
      if let other = secondFigure(of: comparison, column.result) { text += figure(other) }
    }
    text += cases(worse, "newly failing", of: suite, column)
    if worse.isEmpty { text += cases(better, "newly passing", of: suite, column) }
    if let classes = classes(of: worse, column.result) {
      text += "<p class=\"small quiet\">Newly failing by class: \(HTMLText.escaped(classes))</p>\n"
    }
    let tags = ChangeText.lostTags(comparison).prefix(shownTags)
    if !tags.isEmpty {
      text +=
        "<p class=\"small quiet\">Tags with the most losses: \(HTMLText.escaped(tags.joined(separator: ", ")))</p>\n"
    }
    return text
  }

  /// Returns the figure to show besides accuracy; `nil` if no other rate got worse.
  ///
  /// It is the largest loss among the rates of failed gates, or else among all rates.
  private static func secondFigure(of comparison: RunComparison, _ column: ColumnResult)
    -> RunComparison.NamedChange?
  {
    let failed = column.gates.filter { $0.effect == .fail }.map(\.condition.reference.description)
    func hasFailed(_ change: RunComparison.NamedChange) -> Bool {
      failed.contains(where: change.isNamed)
    }
    return comparison.changes.dropFirst()
      .filter { $0.quantity == .rate && $0.change.difference < 0 }
      .min {
        (hasFailed($0) ? 0 : 1, $0.change.difference) < (
          hasFailed($1) ? 0 : 1, $1.change.difference
        )
      }
  }

  /// Returns the number of cases in each of the most frequent classes, such as `clean 64, to be
  /// flagged 17`.
  ///
  /// Returns `nil` if the cases do not have several classes.
  private static func classes(of ids: [String], _ column: ColumnResult) -> String? {
    let wanted = Set(ids)
    var counts: [String: Set<String>] = [:]
    for trial in column.trials where wanted.contains(trial.caseID) {
      if let name = trial.expectedClass { counts[name, default: []].insert(trial.caseID) }
    }
    if counts.count < 2 { return nil }
    let ranked = counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let shown = ranked.prefix(shownClasses).map { "\($0.key) \($0.value.count.withThousands)" }
    let more = ranked.count - shownClasses
    return shown.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  private static func figure(_ change: RunComparison.NamedChange, level: String = "") -> String {
    let words = HTMLText.escaped(ChangeText.difference(change.change, change.quantity))
    let name = HTMLText.escaped(change.name)
    return "<p class=\"moved\"><code>\(name)</code> <strong>\(words)</strong>\(level)</p>\n"
  }

  private static func tally(_ count: Int, _ words: String, _ kind: String) -> String {
    let look = count == 0 ? "quiet" : kind
    return "<span class=\"\(look)\"><strong>\(count.withThousands)</strong> \(words)</span>"
  }

  /// Returns links to the first of some cases, and a button that shows all of these cases in the
  /// table.
  private static func cases(
    _ ids: [String],
    _ change: String,
    of suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn
  ) -> String {
    if ids.isEmpty { return "" }
    let names = ids.prefix(shownCases).map { "<li>\(link($0, change, of: suite, column))</li>" }
    // On a phone, the button replaces the last link.
    let isCut = ids.count > shownCases
    let all = isCut ? "<li>\(button(ids.count, change, of: suite))</li>" : ""
    return "<ul class=\"named\(isCut ? " cut" : "")\">\(names.joined())\(all)</ul>\n"
  }

  /// Returns the figures and cases that changed but are not in the panel, in a collapsed section;
  /// empty if the panel shows everything.
  static func rest(
    _ suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    asked: RequestChange?
  ) -> String {
    guard let comparison = column.comparison, !comparison.isIdentical || asked != nil else {
      return ""
    }
    let body =
      comparison.isIdentical
      ? added(suite, column, comparison) : details(suite, column, comparison)
    if body.isEmpty { return "" }
    return "<details class=\"more\"><summary>All changed figures and cases</summary>"
      + "<div class=\"body\">\(body)</div></details>\n"
  }
}
