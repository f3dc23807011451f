import SluiceGating

/// The data that a page shows about a suite in a run or a comparison.
struct HTMLSuite {
  var name: String
  var source: AnswerSource
  /// The run log, from which the page reads the texts that the trials in memory leave out.
  var log: FileContents?
  var columns: [ShownColumn]
  /// True if cases have more than one trial, because cases are repeated or because there are
  /// several columns.
  var asksRepeatedly: Bool
  /// The letter of the reference in a comparison; `nil` in a run.
  var reference: String?

  /// A column of the page: a prompt on a backend, or a configuration of a comparison.
  struct ShownColumn {
    /// The name of the column in links to its cases.
    var key: String
    var name: String
    var result: ColumnResult
    /// The comparison of the column's cases with a reference.
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

    /// The change of a case since the reference.
    ///
    /// The page's script uses the same numbers.
    enum Change: Int { case failsNow = 1, passesNow, wrongOtherwise, notCompared }

    /// Returns the baseline's value of a decision's metric, or `nil` if the metric was not
    /// compared.
    func baseline(of decision: Decision) -> Double? {
      guard let comparison, !comparison.isIdentical, let value = decision.estimate.value else {
        return nil
      }
      let name = decision.condition.reference.description
      return comparison.changes.first { change in
        change.isNamed(name) && change.quantity == decision.metric.quantity
          // Several figures may have the same name, so check that the value is the one that was
          // decided.
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
    reference = ConfigurationComparison.letter(comparison.pairs.first?.reference ?? 0)
    columns = comparison.configurations.enumerated().map { index, configuration in
      ShownColumn(
        key: ConfigurationComparison.letter(index),
        name: configuration.name,
        result: configuration.column,
        comparison: comparison.pairs.first { $0.configuration == index }?.comparison
      )
    }
  }

  /// Returns the fragment that links to a trial on the page.
  func address(_ column: ShownColumn, _ caseID: String, repetition: Int = 1) -> String {
    "#case=\(HTMLText.addressComponent(name))/\(column.key)/"
      + "\(HTMLText.addressComponent(caseID))/\(repetition)"
  }

  /// The maximum number of links in a list.
  static let mostLinks = 12

  /// Returns links to cases; only the first `most` links are shown until a reader expands the list.
  func links(_ ids: [String], _ column: ShownColumn, most: Int = mostLinks) -> String {
    HTMLText.list(ids, most: most) { id in
      "<a href=\"\(HTMLText.escaped(address(column, id)))\">\(HTMLText.escaped(id))</a>"
    }
  }

  /// Returns the address of a trial in the list of the cases that changed in a given way.
  func address(_ column: ShownColumn, _ caseID: String, in change: String) -> String {
    "#\(choice(of: change))&\(address(column, caseID).dropFirst())"
  }

  /// Returns the part of an address that selects the cases that changed in a given way.
  func choice(of change: String) -> String {
    "suite=\(HTMLText.addressComponent(name))&flip=\(HTMLText.addressComponent(flipTitle(change)))"
  }

  /// Returns the title of a kind of change in the filters of the page's cases.
  ///
  /// A comparison names its reference instead of a baseline.
  private func flipTitle(_ change: String) -> String {
    guard let reference else { return change }
    return switch change {
    case "newly failing": "fails, \(reference) passes"
    case "newly passing": "passes, \(reference) fails"
    default: change
    }
  }
}

extension RunComparison.NamedChange {
  /// Returns true if a condition with a given name is about this metric.
  ///
  /// Conditions may leave out the scorer, as in `false-positive-rate` for
  /// `flags.false-positive-rate`.
  func isNamed(_ name: String) -> Bool { self.name == name || self.name.hasSuffix(".\(name)") }
}
