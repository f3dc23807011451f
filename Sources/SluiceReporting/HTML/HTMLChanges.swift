import SluiceGating

/// The changes in a column's cases, as markup.
enum HTMLChanges {
  /// Returns the markup of a column that has no baseline, or whose answers and requests are those of
  /// its reference.
  static func unchanged(_ suite: HTMLSuite, _ column: HTMLSuite.ShownColumn) -> String {
    guard let comparison = column.comparison else {
      let command = "sluice baseline accept \(ShellText.quoted(suite.name))"
      return "<p class=\"quiet\">There is no baseline to compare with. To make this run the "
        + "baseline: <code>\(HTMLText.escaped(command))</code></p>\n"
    }
    // The title of a comparison already names its reference.
    let title =
      suite.reference == nil
      ? "<h3>Against \(HTMLText.escaped(comparison.reference))</h3>\n" : ""
    return title + identical(suite) + added(suite, column, comparison)
  }

  /// Returns the sentence for answers that did not change.
  static func identical(_ suite: HTMLSuite) -> String {
    "<p>All answers are identical\(suite.reference == nil ? " to the baseline" : "").</p>\n"
  }

  /// Returns a list of the cases that only the candidate has.
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

  /// Returns the figures and cases that changed, the scorers that are not compared, and the tags
  /// with losses.
  static func details(
    _ suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    _ comparison: RunComparison
  ) -> String {
    var text = ""
    if !comparison.changes.isEmpty {
      let items = comparison.changes.map { change in
        let flips = ChangeText.flips(change.change).map { " (\($0))" } ?? ""
        let words = ChangeText.difference(change.change, change.quantity) + flips
        return "<li><code>\(HTMLText.escaped(change.name))</code> \(HTMLText.escaped(words))</li>"
      }
      text += "<ul class=\"flips\">\(items.joined())</ul>\n"
    }
    var items = ChangeText.cases(comparison).map { cases in
      let isFlip = comparison.flips.contains { $0.caseID == cases.ids.first }
      let names =
        !cases.isHere
        ? HTMLText.list(cases.ids, most: HTMLSuite.mostLinks)
        : isFlip
          ? flipped(cases.ids, cases.what, of: suite, column, most: HTMLSuite.mostLinks)
          : suite.links(cases.ids, column)
      return item(cases.ids.count, cases.what, names)
    }
    let tags = ChangeText.lostTags(comparison)
    if !tags.isEmpty {
      let list = HTMLText.list(tags, most: HTMLSuite.mostLinks / 2)
      items.append("<li>Tags with more losses than gains, as a hint: \(list)</li>")
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
    if let shortened = ChangeText.shortened(comparison) {
      text += "<p class=\"quiet\">\(HTMLText.escaped(shortened))</p>\n"
    }
    return text
  }

  private static func item(_ count: Int, _ what: String, _ names: String) -> String {
    "<li>\(count) \(what): \(names)</li>"
  }

  private static func list(_ names: [String]) -> String {
    HTMLText.escaped(names.joined(separator: ", "))
  }

  /// Returns links to the first cases that changed in a given way, and a button that shows all such
  /// cases.
  private static func flipped(
    _ ids: [String],
    _ change: String,
    of suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn,
    most: Int
  ) -> String {
    let names = ids.prefix(most).map { link($0, change, of: suite, column) }
    return names.joined(separator: ", ")
      + (ids.count > most ? " \(button(ids.count, change, of: suite))" : "")
  }

  /// Returns a link that opens a case in the list of the cases that changed in the same way.
  static func link(
    _ id: String,
    _ change: String,
    of suite: HTMLSuite,
    _ column: HTMLSuite.ShownColumn
  ) -> String {
    let address = suite.address(column, id, in: change)
    return "<a href=\"\(HTMLText.escaped(address))\">\(HTMLText.escaped(id))</a>"
  }

  /// Returns a button that shows all cases that changed in a given way.
  static func button(_ count: Int, _ change: String, of suite: HTMLSuite) -> String {
    "<button type=\"button\" data-choose=\"\(HTMLText.escaped(suite.choice(of: change)))\">"
      + "Show all \(count.withThousands)</button>"
  }
}
