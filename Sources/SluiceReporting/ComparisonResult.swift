import SluiceGating

/// What a call of `compare` came to: all of its comparisons.
package struct ComparisonResult: Sendable {
  package var comparisons: [ConfigurationComparison]
  /// What could not be compared, each in a sentence.
  package var notes: [String]
  /// Whether a note stands for a suite that should have been compared.
  package var isIncomplete: Bool
  /// What a person should do next, with a command to copy.
  package var next: NextStep?

  /// The regression gates that are corrected together.
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

  /// The verdict over all comparisons that decide; nil where none does.
  package var verdict: Verdict? {
    let verdicts = comparisons.compactMap(\.verdict) + (isIncomplete ? [.noVerdict] : [])
    return verdicts.isEmpty ? nil : Verdict.overall(verdicts)
  }

  /// Corrects the regression gates of all comparisons anew, as one family.
  package mutating func correctAsOne() {
    family = .call
    let deciding = comparisons.indices.filter { comparisons[$0].verdict != nil }
    var columns = deciding.compactMap { comparisons[$0].configurations.last?.column }
    Holm.adjust(&columns, as: .call)
    for (index, column) in zip(deciding, columns) { comparisons[index].decide(by: column) }
  }

  /// The chance that some regression gate fails although nothing got worse; nil where nothing decides.
  package var falseAlarms: FalseAlarms? {
    var suites: [String: [ColumnResult]] = [:]
    for comparison in comparisons where comparison.verdict != nil {
      suites[comparison.suite, default: []] += comparison.configurations.suffix(1).map(\.column)
    }
    return suites.isEmpty ? nil : FalseAlarms(Array(suites.values), family: family)
  }

  /// True when only some of the cases were compared.
  package var isFiltered: Bool { comparisons.contains { $0.filtered != nil } }

  /// The part of all cases that was compared, in a phrase; nil where all were.
  package var filteredPhrase: String? {
    // A suite has a comparison for each of its backends.
    var seen: Set<String> = []
    return FilteredCases.phrase(
      of: comparisons.filter { seen.insert($0.suite).inserted }.compactMap(\.filtered)
    )
  }

  /// Whether trials were lost that count, so that something was not measured.
  package var hasLosses: Bool {
    comparisons.flatMap(\.configurations).map(\.column).contains { column in
      column.trials.contains { $0.isLost && column.quarantine[$0.caseID] == nil }
    }
  }
}

extension ConfigurationComparison {
  /// The letter that stands for a configuration in tables: A, B, …, Z, AA.
  package static func letter(_ index: Int) -> String {
    let rest = index / 26
    let letter = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index % 26)))
    return rest == 0 ? letter : Self.letter(rest - 1) + letter
  }

  /// The share of clean cases that are flagged, of the first scorer that counts them.
  package static let falsePositiveSuffix = ".false-positive-rate"

  /// The estimate of a metric in a configuration.
  package func estimate(_ name: String, of configuration: Configuration) -> Estimate? {
    configuration.column.metrics.first { $0.name == name }?.estimate
  }

  /// The letters of a pair, such as `C against A`.
  package func title(_ pair: Pair) -> String {
    "\(Self.letter(pair.configuration)) against \(Self.letter(pair.reference))"
  }

  /// The kind of the intervals and p values of the pairs, in a phrase.
  package var convention: String {
    "95% intervals, two-sided p"
      + (pairs.count > 1 ? ", adjusted over the pairs of each metric (Holm)" : "")
  }

  /// The configurations whose times are no measurements, by the reason, each in a phrase.
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

  /// The remark that models count tokens each with a tokenizer of its own; nil where the same model
  /// answered in all configurations.
  package var tokenizers: String? {
    let models = configurations.map { Set($0.column.provenances.compactMap(\.model)) }
    let counted = configurations.count { estimate("mean(tokens)", of: $0)?.value != nil }
    guard counted > 1, models.allSatisfy({ !$0.isEmpty }), Set(models).count > 1 else { return nil }
    return "each model counts tokens with a tokenizer of its own: compare costs, not tokens"
  }

  /// The remarks on the table of configurations, each in a phrase.
  package var remarks: [String] { unmeasuredTimes + (tokenizers.map { [$0] } ?? []) }

  /// The name of the metric of false positives; nil where no scorer counts them.
  package var falsePositives: String? {
    configurations.first?.column.metrics.first {
      $0.name.hasSuffix(Self.falsePositiveSuffix)
    }?.name
  }
}

extension ComparisonResult {
  /// The columns of all comparisons.
  var columns: [ColumnResult] { comparisons.flatMap(\.configurations).map(\.column) }
}
