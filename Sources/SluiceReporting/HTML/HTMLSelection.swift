import SluiceGating

/// The section of a run's page about the suites that `--affected` chose.
enum HTMLSelection {
  /// Returns the section, or an empty list if the run was not limited to affected suites.
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
