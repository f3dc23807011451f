package import SluiceCore

/// The conditions of a suite, parsed and bound to its metrics.
package struct ResolvedConditions: Sendable {
  package var gates: [Bound]
  package var goals: [Bound]

  package struct Bound: Sendable {
    package var condition: Condition
    package var metric: Metric
    /// The position in the suite's file.
    package var position: SourcePosition
  }

  /// Parses a suite's conditions; invalid ones are reported and left out.
  package init(_ suite: SuiteSpec, catalog: MetricCatalog, diagnostics: DiagnosticCollector) {
    func bind(_ specs: [ConditionSpec]) -> [Bound] {
      specs.compactMap { Self.bind($0, suite.file, catalog, diagnostics) }
    }
    gates = bind(suite.gates).filter { gate in
      guard gate.metric.isAdvisory else { return true }
      diagnostics.error(
        "'\(gate.condition.reference)' comes from a judge that has not been compared with "
          + "people, so it cannot be a gate",
        in: suite.file,
        at: gate.position,
        fix: "move it to 'goals:'"
      )
      return false
    }
    goals = bind(suite.goals)
  }

  private static func bind(
    _ spec: ConditionSpec,
    _ file: SourceFile,
    _ catalog: MetricCatalog,
    _ diagnostics: DiagnosticCollector
  ) -> Bound? {
    func fix(_ usual: String?) -> String? {
      let meant = ConditionSlips(catalog: catalog).meant(by: spec.text)
      return meant.isEmpty
        ? usual : "write " + meant.map { "'\($0)'" }.joined(separator: " or ")
    }
    guard
      let condition = parse(
        spec,
        in: file,
        diagnostics: diagnostics,
        quantity: catalog.quantity,
        unknown: { catalog.unknownName($0) },
        fix: fix
      )
    else { return nil }
    do throws(MetricCatalog.Problem) {
      let metric = try catalog.metric(condition.reference)
      if let misfit = misfit(condition, metric) {
        diagnostics.error(misfit.message, in: file, at: spec.position, fix: misfit.fix)
        return nil
      }
      return Bound(condition: condition, metric: metric, position: spec.position)
    } catch {
      if error.isCertain {
        let isNear = error.fix?.hasPrefix("did you mean") ?? false
        diagnostics.error(
          error.message,
          in: file,
          at: spec.position,
          fix: error.isUnknownName && !isNear ? fix(error.fix) : error.fix
        )
      }
      return nil
    }
  }

  /// Parses a condition, or reports an error and returns `nil` if it is malformed.
  ///
  /// - Parameters:
  ///   - spec: The condition.
  ///   - file: The file that contains it.
  ///   - diagnostics: Collects the error.
  ///   - quantity: A closure that returns a metric's unit.
  ///   - unknown: A closure that returns an error message and a fix for an unknown metric.
  ///   - fix: A closure that returns a better fix than the default one.
  /// - Returns: The condition.
  static func parse(
    _ spec: ConditionSpec,
    in file: SourceFile,
    diagnostics: DiagnosticCollector,
    quantity: @escaping (MetricReference) -> Quantity?,
    unknown: (MetricReference) -> MetricCatalog.Problem? = { _ in nil },
    fix: (String?) -> String? = { $0 }
  ) -> Condition? {
    do throws(ConditionParser.Problem) {
      return try ConditionParser.parse(spec.text, quantity: quantity)
    } catch {
      // For an unknown metric, report only the metric, since its unit is unknown too.
      if let problem = ConditionParser.reference(of: spec.text).flatMap(unknown) {
        if problem.isCertain {
          diagnostics.error(problem.message, in: file, at: spec.position, fix: fix(problem.fix))
        }
        if problem.isCertain || ConditionParser.isWellFormed(spec.text) { return nil }
      }
      diagnostics.error(
        "not a condition: \(error.message)",
        in: file,
        at: TextPosition(spec.text, at: spec.position, in: file).position(of: error.offset),
        fix: fix(error.fix)
      )
      return nil
    }
  }

  /// Returns an error if a condition does not suit its metric, or `nil` if it does.
  private static func misfit(_ condition: Condition, _ metric: Metric)
    -> (message: String, fix: String)?
  {
    var name = ""
    if case .series(_, let aggregate) = metric.kind {
      switch aggregate {
      case .mean, .percentile: break
      case .max: name = "a maximum"
      case .min: name = "a minimum"
      case .sum: name = "a sum"
      }
    }
    switch metric.kind {
    case .scorer(_, .correlation): name = "a correlation"
    case .scorer(_, .median): name = "a median of answers"
    case .scorer(_, .sum): name = "a sum"
    default: break
    }
    switch condition.demand {
    case .comparison(_, _, nil): return nil
    case .comparison:
      if name.isEmpty { return nil }
      return (
        "\(name) describes only the recorded answers, so a claim cannot use it",
        "use a mean or a percentile, or remove 'at …% confidence'"
      )
    case .noRegression(_, let isRelative):
      if !name.isEmpty {
        return (
          "\(name) cannot be compared case by case",
          "use a mean or a percentile"
        )
      }
      if case .scorer(_, .mean(_, .deviation, _)) = metric.kind {
        return (
          "'\(condition.reference)' is best at 0, so neither a rise nor a fall is a "
            + "regression",
          "use a metric of the size of errors, such as 'mean-absolute-error'"
        )
      }
      if !isRelative, metric.quantity != .rate {
        return (
          "'\(condition.reference)' is not measured in points",
          "write the margin as a share of the baseline's value, such as 'beyond 10%'"
        )
      }
      return nil
    }
  }
}
