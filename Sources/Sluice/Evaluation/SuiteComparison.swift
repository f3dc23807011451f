import SluiceReporting

/// The comparison of a suite's configurations.
///
/// A configuration is a prompt on a backend.
package struct SuiteComparison: Sendable {
  /// The options of a comparison.
  package struct Request: Sendable {
    /// The name of the reference (a configuration, prompt or backend), or `nil` for the first
    /// configuration.
    package var reference: String?
    /// The largest acceptable loss in a rate, such as 0.05 for 5 points.
    ///
    /// If it is `nil`, the margin of the suite's gate applies, or else 5 points.
    package var margin: Double?
    /// The pairs of configurations that are compared.
    ///
    /// If it is `nil` and a reference is named, all configurations are compared with the reference.
    /// Without a reference, up to three configurations are compared with each other, and more
    /// configurations are compared with the first one.
    package var pairs: ConfigurationComparer.Pairs?

    package init(
      reference: String? = nil,
      margin: Double? = nil,
      pairs: ConfigurationComparer.Pairs? = nil
    ) {
      self.reference = reference
      self.margin = margin
      self.pairs = pairs
    }

    /// Returns the choice of pairs to compare if there are `count` configurations.
    package func pairs(of count: Int) -> ConfigurationComparer.Pairs {
      pairs ?? (reference == nil && count <= 3 ? .all : .reference)
    }
  }

  /// The reason why there is nothing to compare.
  package struct Problem: Error, Hashable {
    package var message: String
    package var fix: String
  }

  /// Compares the columns of a result.
  ///
  /// - Throws: ``Problem`` if there is only one column, or if no column has the name of the
  ///   reference.
  package static func compare(
    _ result: SuiteResult,
    of suite: ResolvedSuite,
    _ request: Request
  ) throws(Problem) -> ConfigurationComparison {
    let sides = result.columns.map { column in
      ConfigurationComparer.Side(
        name: "\(column.prompt) on \(column.backend)",
        column: column,
        counted: Pairing.Side(
          trials: suite.policy.counted(column.trials),
          scorers: suite.plan.scorerDigests
        )
      )
    }
    guard sides.count > 1 else {
      throw Problem(
        message: "the suite '\(result.name)' has only one configuration, "
          + "\(sides.first?.name ?? "none")",
        fix: "add a prompt or a backend: sluice compare \(result.name) --prompt FILE"
      )
    }
    var comparison = compare(
      try ordered(sides, by: request.reference),
      suite: result.name,
      source: result.source,
      repetitions: result.repetitions,
      metrics: SuiteMetrics(suite.plan.scorers),
      margin: request.margin ?? margin(of: suite.conditions),
      pairs: request.pairs(of: sides.count)
    )
    comparison.log = result.log
    comparison.filtered = result.filtered
    comparison.datedPrices = result.datedPrices
    return comparison
  }

  /// Compares all sides with the first side, or all sides with each other.
  package static func compare(
    _ sides: [ConfigurationComparer.Side],
    suite: String,
    source: AnswerSource,
    repetitions: Int,
    metrics: SuiteMetrics,
    margin: Double,
    pairs: ConfigurationComparer.Pairs = .reference
  ) -> ConfigurationComparison {
    let comparer = ConfigurationComparer(metrics, margin: margin)
    return ConfigurationComparison(
      suite: suite,
      source: source,
      caseCount: Set(sides.flatMap(\.column.trials).map(\.caseID)).count,
      repetitions: repetitions,
      edits: [],
      configurations: comparer.configurations(sides),
      pairs: comparer.pairs(sides, pairs),
      margin: margin,
      gates: []
    )
  }

  /// Returns the sides with the reference first.
  ///
  /// The reference is the side with the given name, or the first side with that prompt or backend.
  package static func ordered(
    _ sides: [ConfigurationComparer.Side],
    by reference: String?
  ) throws(Problem) -> [ConfigurationComparer.Side] {
    guard let reference else { return sides }
    let found =
      sides.firstIndex { $0.name == reference }
      ?? sides.firstIndex { $0.column.prompt == reference || $0.column.backend == reference }
    guard let found else {
      let known = sides.flatMap { [$0.name, $0.column.prompt, $0.column.backend] }
      throw Problem(
        message: "no configuration is named '\(reference)'",
        fix: NearestName.of(reference, among: known).map { "did you mean '\($0)'?" }
          ?? "name one of: \(sides.map(\.name).joined(separator: ", "))"
      )
    }
    return [sides[found]] + sides[..<found] + sides[(found + 1)...]
  }

  /// Returns the margin of the suite's regression gate on accuracy.
  ///
  /// Without such a gate, it is the margin of the first gate on another rate, or else 5 points.
  package static func margin(of conditions: ResolvedConditions) -> Double {
    let margins = conditions.gates.compactMap { bound -> (isAccuracy: Bool, size: Double)? in
      guard case .noRegression(let size, isRelative: false) = bound.condition.demand else {
        return nil
      }
      return (bound.metric.kind == .accuracy, size)
    }
    return (margins.first(where: \.isAccuracy) ?? margins.first)?.size ?? Margin.usual.size
  }
}
