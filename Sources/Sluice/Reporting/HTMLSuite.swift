/// What a page shows of a suite: that of a run, or of a comparison.
struct HTMLSuite {
  var name: String
  var source: AnswerSource
  /// What has the texts that trials lack.
  var log: FileContents?
  var columns: [Column]

  /// A prompt with a backend, or whatever else is told apart.
  struct Column {
    /// What stands for it in the address of a case.
    var key: String
    var name: String
    var result: ColumnResult
    /// What its cases are compared with.
    var comparison: RunComparison?
  }

  init(_ suite: SuiteResult) {
    name = suite.name
    source = suite.source
    log = suite.log
    columns = suite.columns.map { column in
      Column(
        key: [column.prompt, column.backend].map(HTMLText.addressComponent)
          .joined(separator: "/"),
        name: "\(column.prompt) on \(column.backend)",
        result: column,
        comparison: column.comparison
      )
    }
  }

  init(_ comparison: ConfigurationComparison) {
    name = comparison.suite
    source = comparison.source
    log = comparison.log
    columns = comparison.configurations.enumerated().map { index, configuration in
      Column(
        key: ConfigurationComparison.letter(index),
        name: configuration.name,
        result: configuration.column,
        comparison: comparison.pairs.first { $0.configuration == index }?.comparison
      )
    }
  }

  /// The address of a trial inside of the page.
  func address(_ column: Column, _ caseID: String, repetition: Int = 1) -> String {
    "#case=\(HTMLText.addressComponent(name))/\(column.key)/"
      + "\(HTMLText.addressComponent(caseID))/\(repetition)"
  }

  /// How many names of a list are shown.
  static let mostLinks = 12

  /// Links to cases, as many as can be read, and how many more there are.
  func links(_ ids: [String], _ column: Column, most: Int = mostLinks) -> String {
    var text = ids.prefix(most).map { id in
      "<a href=\"\(HTMLText.escaped(address(column, id)))\">\(HTMLText.escaped(id))</a>"
    }.joined(separator: ", ")
    if ids.count > most { text += " and \(ids.count - most) more" }
    return text
  }
}
