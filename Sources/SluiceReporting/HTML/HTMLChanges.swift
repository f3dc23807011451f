import SluiceGating

/// The changes in a column's cases, for a page.
enum HTMLChanges {
  /// Returns the changes in a column against its reference.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - column: The column whose cases are listed.
  ///   - other: The name of the reference, if its figures are shown elsewhere.
  ///   - asked: The change in requests, or `nil` if there is none or it is unknown.
  /// - Returns: The markup.
  static func text(
    _ suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    against other: String? = nil,
    asked: RequestChange?
  ) -> String {
    guard let comparison = column.comparison else {
      let command = "sluice baseline accept \(ShellText.quoted(suite.name))"
      return "<p class=\"quiet\">There is no baseline to compare with. To make this run the "
        + "baseline: <code>\(HTMLText.escaped(command))</code></p>\n"
    }
    var text = "<h3>Against \(HTMLText.escaped(comparison.reference))</h3>\n"
    if comparison.isIdentical {
      return text + "<p>All answers are identical to the baseline.</p>\n"
        + added(suite, column, comparison)
    }
    let hasFigures = other == nil
    if let asked {
      text += RequestChangeText(asked).markup(
        address: suite.address(column, asked.caseID),
        isOpen: column.result.verdict != .pass
      )
    }
    if hasFigures, !comparison.hasPairs {
      text += "<p>No answers can be compared.</p>\n"
    }
    return text + details(suite, column, comparison, against: other)
  }

  /// The cases that only this side has.
  static func added(
    _ suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    _ comparison: RunComparison
  ) -> String {
    let added = comparison.addedCases
    if added.isEmpty { return "" }
    let item = item(added.count, "new, not compared", suite.links(added, column))
    return "<ul class=\"flips\">\(item)</ul>\n"
  }

  /// The figures and cases that changed, scorers that are not compared, and tags that lost.
  static func details(
    _ suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    _ comparison: RunComparison,
    against other: String? = nil
  ) -> String {
    var text = ""
    if other == nil, !comparison.changes.isEmpty {
      let items = comparison.changes.map { change in
        let flips = ChangeText.flips(change.change).map { " (\($0))" } ?? ""
        let words = ChangeText.difference(change.change, change.quantity) + flips
        return "<li><code>\(HTMLText.escaped(change.name))</code> \(HTMLText.escaped(words))</li>"
      }
      text += "<ul class=\"flips\">\(items.joined())</ul>\n"
    }
    let items = ChangeText.cases(comparison, against: other).map { cases in
      let names = cases.isHere ? suite.links(cases.ids, column) : list(cases.ids)
      return item(cases.ids.count, cases.what, names)
    }
    if !items.isEmpty { text += "<ul class=\"flips\">\(items.joined())</ul>\n" }
    let scorers = comparison.changedScorers
    if !scorers.isEmpty {
      text +=
        "<p>\(TerminalLines.count(scorers.count, "scorer")) changed; metrics not compared: \(list(scorers))</p>\n"
    }
    let advisory = comparison.changedAdvisoryScorers
    if !advisory.isEmpty {
      text +=
        "<p class=\"quiet\">\(advisory.count) \(ChangeText.advisoryScorers): \(list(advisory))</p>\n"
    }
    let tags = ChangeText.lostTags(comparison)
    if !tags.isEmpty { text += "<p>A hint: tags with more losses than gains: \(list(tags))</p>\n" }
    if let shortened = ChangeText.shortened(comparison) {
      text += "<p class=\"quiet\">\(HTMLText.escaped(shortened))</p>\n"
    }
    return text
  }

  private static func item(_ count: Int, _ what: String, _ names: String) -> String {
    "<li>\(count) \(what): \(names)</li>"
  }

  private static func list(_ names: [String]) -> String {
    let more = names.count - HTMLSuite.mostLinks
    return HTMLText.escaped(names.prefix(HTMLSuite.mostLinks).joined(separator: ", "))
      + (more > 0 ? " and \(more) more" : "")
  }
}
