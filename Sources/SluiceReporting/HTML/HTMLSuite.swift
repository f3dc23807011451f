import SluiceGating

/// What a page shows of a suite: that of a run, or of a comparison.
struct HTMLSuite {
  var name: String
  var source: AnswerSource
  /// What has the texts that trials lack.
  var log: FileContents?
  var columns: [ShownColumn]
  /// Whether a case is asked more than once.
  var asksRepeatedly: Bool

  /// A prompt with a backend, or whatever else is told apart.
  struct ShownColumn {
    /// What stands for it in the address of a case.
    var key: String
    var name: String
    var result: ColumnResult
    /// What its cases are compared with.
    let comparison: RunComparison?
    private let changes: [ExactString: Change]

    init(key: String, name: String, result: ColumnResult, comparison: RunComparison?) {
      self.key = key
      self.name = name
      self.result = result
      self.comparison = comparison
      var changes: [ExactString: Change] = [:]
      for id in (comparison?.changedCases ?? []) + (comparison?.addedCases ?? []) {
        changes[ExactString(id)] = .notCompared
      }
      for flip in comparison?.flips ?? [] {
        changes[ExactString(flip.caseID)] =
          switch flip.flip {
          case .harmful: .failsNow
          case .beneficial: .passesNow
          case .wrongToWrong: .wrongOtherwise
          }
      }
      self.changes = changes
    }

    /// How a case stands to what it is compared with, in the numbers that the page's program has for it.
    enum Change: Int { case failsNow = 1, passesNow, wrongOtherwise, notCompared }

    /// Returns the baseline's value of the metric that was decided on; nil where it was not compared.
    func baseline(of decision: Decision) -> Double? {
      guard let comparison, !comparison.isIdentical, let value = decision.estimate.value else {
        return nil
      }
      let name = decision.condition.reference.description
      return comparison.changes.first { change in
        (change.name == name || change.name.hasSuffix(".\(name)"))
          && change.quantity == decision.metric.quantity
          // A name may stand for several figures; only one of them has the decided value.
          && (change.change.candidate - value).magnitude < 1e-9
      }?.change.baseline
    }

    /// How a case changed; nil where it did not.
    func change(_ caseID: String) -> Change? {
      changes.isEmpty ? nil : changes[ExactString(caseID)]
    }
  }

  init(_ suite: SuiteResult) {
    name = suite.name
    source = suite.source
    log = suite.log
    asksRepeatedly = suite.repetitions > 1 || suite.columns.count > 1
    columns = suite.columns.map { column in
      ShownColumn(
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
    asksRepeatedly = true
    columns = comparison.configurations.enumerated().map { index, configuration in
      ShownColumn(
        key: ConfigurationComparison.letter(index),
        name: configuration.name,
        result: configuration.column,
        comparison: comparison.pairs.first { $0.configuration == index }?.comparison
      )
    }
  }

  /// The address of a trial inside of the page.
  func address(_ column: ShownColumn, _ caseID: String, repetition: Int = 1) -> String {
    "#case=\(HTMLText.addressComponent(name))/\(column.key)/"
      + "\(HTMLText.addressComponent(caseID))/\(repetition)"
  }

  /// How many names of a list are shown.
  static let mostLinks = 12

  /// Links to cases, as many as can be read, and how many more there are.
  func links(_ ids: [String], _ column: ShownColumn, most: Int = mostLinks) -> String {
    var text = ids.prefix(most).map { id in
      "<a href=\"\(HTMLText.escaped(address(column, id)))\">\(HTMLText.escaped(id))</a>"
    }.joined(separator: ", ")
    if ids.count > most { text += " and \(ids.count - most) more" }
    return text
  }
}
