import SluiceGating

/// The result of `sluice compare`, with one comparison for each suite and backend.
package struct ComparisonResult: Sendable {
  package var comparisons: [ConfigurationComparison]
  /// Sentences about the parts that could not be compared.
  package var notes: [String]
  /// True if any note is about a suite that should have been compared.
  package var isIncomplete: Bool
  /// The next step for the user, with a command to copy.
  package var next: NextStep?

  /// The set of regression gates that Holm's correction covers together.
  package private(set) var family = GateFamily.suite

  package struct NextStep: Sendable {
    package var advice: String
    package var command: String

    package init(advice: String, command: String) {
      self.advice = advice
      self.command = command
    }
  }

  package init(
    _ comparisons: [ConfigurationComparison],
    notes: [String] = [],
    isIncomplete: Bool = false,
    next: NextStep? = nil
  ) {
    self.comparisons = comparisons
    self.notes = notes
    self.isIncomplete = isIncomplete
    self.next = next
  }

  /// The overall verdict of the comparisons that have a verdict; `nil` if none has one.
  package var verdict: Verdict? {
    let verdicts = comparisons.compactMap(\.verdict) + (isIncomplete ? [.noVerdict] : [])
    return verdicts.isEmpty ? nil : Verdict.overall(verdicts)
  }

  /// Corrects the regression gates of all comparisons again, as one family of gates.
  package mutating func correctAsOne() {
    family = .call
    let deciding = comparisons.indices.filter { comparisons[$0].verdict != nil }
    var columns = deciding.compactMap { comparisons[$0].configurations.last?.column }
    Holm.adjust(&columns, as: .call)
    for (index, column) in zip(deciding, columns) { comparisons[index].decide(by: column) }
  }

  /// The chance that a regression gate fails although nothing got worse; `nil` if there are no
  /// gates.
  package var falseAlarms: FalseAlarms? {
    var suites: [String: [ColumnResult]] = [:]
    for comparison in comparisons where comparison.verdict != nil {
      suites[comparison.suite, default: []] += comparison.configurations.suffix(1).map(\.column)
    }
    return suites.isEmpty ? nil : FalseAlarms(Array(suites.values), family: family)
  }

  /// True if only some of the cases were compared.
  package var isFiltered: Bool { comparisons.contains { $0.filtered != nil } }

  /// A phrase for the subset of cases that was compared, or `nil` if all cases were compared.
  package var filteredPhrase: String? {
    // A suite has a comparison for each of its backends.
    var seen: Set<String> = []
    return FilteredCases.phrase(
      of: comparisons.filter { seen.insert($0.suite).inserted }.compactMap(\.filtered)
    )
  }

  /// True if trials outside quarantine were lost.
  package var hasLosses: Bool {
    comparisons.flatMap(\.configurations).map(\.column).contains { column in
      column.trials.contains { $0.isLost && column.quarantine[$0.caseID] == nil }
    }
  }
}

extension ConfigurationComparison {
  /// Returns the letter for a configuration in tables: A, B, …, Z, AA.
  package static func letter(_ index: Int) -> String {
    let rest = index / 26
    let letter = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index % 26)))
    return rest == 0 ? letter : Self.letter(rest - 1) + letter
  }

  /// The suffix of the names of metrics that are false-positive rates.
  package static let falsePositiveSuffix = ".false-positive-rate"

  /// Returns the estimate of a metric in a configuration.
  package func estimate(_ name: String, of configuration: Configuration) -> Estimate? {
    configuration.column.metrics.first { $0.name == name }?.estimate
  }

  /// Returns the title of a pair by its letters, such as `C against A`.
  package func title(_ pair: Pair) -> String {
    "\(Self.letter(pair.configuration)) against \(Self.letter(pair.reference))"
  }

  /// A phrase that describes the intervals and p values of the pairs.
  package var convention: String {
    "95% intervals, two-sided p"
      + (pairs.count > 1 ? ", corrected for the pairs of each metric (Holm's method)" : "")
  }

  /// For each reason why times were not measured, a phrase with the affected configurations.
  package var unmeasuredTimes: [String] {
    var reasons: [(reason: String, letters: [String])] = []
    for (index, configuration) in configurations.enumerated() {
      guard let reason = configuration.column.unmeasuredTimes else { continue }
      let place = reasons.firstIndex { $0.reason == reason } ?? reasons.count
      if place == reasons.count { reasons.append((reason, [])) }
      reasons[place].letters.append(Self.letter(index))
    }
    return reasons.map { "times of \($0.letters.joined(separator: ", ")) unknown: \($0.reason)" }
  }

  /// A remark that the models of the configurations count tokens with different tokenizers.
  ///
  /// This is `nil` if one model answered, if fewer than two configurations have token counts, or if
  /// the model of a configuration is unknown.
  package var tokenizers: String? {
    let models = configurations.map { Set($0.column.provenances.compactMap(\.model)) }
    let counted = configurations.count { estimate("mean(tokens)", of: $0)?.value != nil }
    guard counted > 1, models.allSatisfy({ !$0.isEmpty }), Set(models).count > 1 else { return nil }
    return "each model counts tokens with its own tokenizer, so compare costs instead of tokens"
  }

  /// The remarks on the table of configurations: unmeasured times, different tokenizers, and the
  /// dates of prices.
  package var remarks: [String] {
    unmeasuredTimes + [tokenizers, PriceText.dates(datedPrices)].compactMap(\.self)
  }

  /// The name of the metric for the false-positive rate; `nil` if no scorer has one.
  package var falsePositives: String? {
    configurations.first?.column.metrics.first {
      $0.name.hasSuffix(Self.falsePositiveSuffix)
    }?.name
  }
}

extension ComparisonResult {
  /// The columns of all configurations in all comparisons.
  var columns: [ColumnResult] { comparisons.flatMap(\.configurations).map(\.column) }
}
