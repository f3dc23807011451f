import SluiceGating

/// The data that a page shows of a suite in a run or a comparison.
struct HTMLSuite {
  var name: String
  var source: AnswerSource
  /// The log with the texts that trials omit.
  var log: FileContents?
  var columns: [ShownColumn]
  /// True when a case is asked more than once.
  var asksRepeatedly: Bool

  /// A prompt on a backend, or another kind of column.
  struct ShownColumn {
    /// The key of the column in the address of a case.
    var key: String
    var name: String
    var result: ColumnResult
    /// The comparison of its cases with a reference.
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

    /// The change of a case against its reference, numbered as in the page's script.
    enum Change: Int { case failsNow = 1, passesNow, wrongOtherwise, notCompared }

    /// Returns the baseline's value of the decided metric, or `nil` if it was not compared.
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

    /// Returns the change of a case, or `nil` if it did not change.
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

  /// Returns the address of a trial within the page.
  func address(_ column: ShownColumn, _ caseID: String, repetition: Int = 1) -> String {
    "#case=\(HTMLText.addressComponent(name))/\(column.key)/"
      + "\(HTMLText.addressComponent(caseID))/\(repetition)"
  }

  /// The largest number of names in a list.
  static let mostLinks = 12

  /// Returns links to cases, with those after the first ones folded.
  func links(_ ids: [String], _ column: ShownColumn, most: Int = mostLinks) -> String {
    HTMLText.list(ids, most: most) { id in
      "<a href=\"\(HTMLText.escaped(address(column, id)))\">\(HTMLText.escaped(id))</a>"
    }
  }

  /// Returns the address of a trial, opened in the list of the cases that changed in the same way.
  func address(_ column: ShownColumn, _ caseID: String, in change: String) -> String {
    "#\(choice(of: change))&\(address(column, caseID).dropFirst())"
  }

  /// Returns the part of an address that chooses the cases that changed in a way.
  func choice(of change: String) -> String {
    "suite=\(HTMLText.addressComponent(name))&flip=\(HTMLText.addressComponent(change))"
  }
}
