import SluiceGating

/// The choice of suites by changed files, on the page of a run.
enum HTMLSelection {
  /// Returns the section if suites were chosen by changed files; otherwise nothing.
  static func sections(_ selection: SuiteSelection?) -> [HTMLPage.Section] {
    guard let selection else { return [] }
    let words = SelectionText(selection)
    let lines = words.chosen + [words.skipped, words.removed].compactMap(\.self)
    let items = lines.map { "<li>\(HTMLText.escaped($0))</li>\n" }.joined()
    let body =
      "<p>\(HTMLText.escaped(words.title)).</p>\n"
      + (items.isEmpty ? "" : "<ul class=\"notes\">\n\(items)</ul>\n")
    return [HTMLPage.Section(id: "affected", title: "Affected suites", body: body)]
  }
}
