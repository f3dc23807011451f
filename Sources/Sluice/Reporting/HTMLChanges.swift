/// How the cases of a column changed, for a page.
enum HTMLChanges {
  static func text(_ suite: HTMLSuite, _ column: HTMLSuite.Column) -> String {
    guard let comparison = column.comparison else {
      let command = "sluice baseline accept \(ShellText.quoted(suite.name))"
      return "<p class=\"quiet\">There is no baseline to compare with; "
        + "<code>\(HTMLText.escaped(command))</code> makes this run one.</p>\n"
    }
    var text = "<h3>Against \(HTMLText.escaped(comparison.reference))</h3>\n"
    if comparison.isIdentical {
      text += "<p>Every answer is the same.</p>\n"
      return text + list([(comparison.addedCases, "new, not compared")], suite, column)
    }
    if !comparison.changes.isEmpty {
      let items = comparison.changes.map { change in
        let flips = ChangeText.flips(change.change).map { " (\($0))" } ?? ""
        let words = ChangeText.difference(change.change, change.quantity) + flips
        return "<li><code>\(HTMLText.escaped(change.name))</code> \(HTMLText.escaped(words))</li>"
      }
      text += "<ul class=\"flips\">\(items.joined())</ul>\n"
    }
    func flipped(_ flip: OutcomeFlip) -> [String] {
      comparison.flips.filter { $0.flip == flip }.map(\.caseID)
    }
    text += list(
      [
        (flipped(.harmful), "fail now"), (flipped(.beneficial), "pass now"),
        (flipped(.wrongToWrong), "wrong in another way"),
        (comparison.changedCases, "changed, not compared"),
        (comparison.addedCases, "new, not compared"),
        (comparison.reslicedCases, "with other tags or another cluster"),
      ],
      suite,
      column
    )
    for (names, what) in [
      (comparison.removedCases, "gone, not compared"),
      (comparison.changedScorers, "scorers changed, their metrics not compared"),
    ] where !names.isEmpty {
      let shown = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? " and more" : "")
      text += "<p>\(names.count) \(what): \(HTMLText.escaped(shown))</p>\n"
    }
    let worse = comparison.slices.filter { $0.adjustedP <= 0.1 && $0.harmful > $0.beneficial }
    if !worse.isEmpty {
      let tags = worse.map { "\($0.tag) (\($0.harmful) worse, \($0.beneficial) better of \($0.n))" }
      let list = HTMLText.escaped(tags.joined(separator: ", "))
      text += "<p>As a hint, tags that lost: \(list)</p>\n"
    }
    if let shortened = ChangeText.shortened(comparison) {
      text += "<p class=\"quiet\">\(HTMLText.escaped(shortened))</p>\n"
    }
    return text
  }

  private static func list(
    _ groups: [(ids: [String], what: String)],
    _ suite: HTMLSuite,
    _ column: HTMLSuite.Column
  ) -> String {
    let items = groups.filter { !$0.ids.isEmpty }.map { ids, what in
      "<li>\(ids.count) \(what): \(suite.links(ids, column))</li>"
    }
    return items.isEmpty ? "" : "<ul class=\"flips\">\(items.joined())</ul>\n"
  }
}
