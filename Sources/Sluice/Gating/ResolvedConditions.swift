/// The conditions of a suite, read and bound to its metrics.
package struct ResolvedConditions: Sendable {
  package var gates: [Bound]
  package var goals: [Bound]

  package struct Bound: Sendable {
    package var condition: Condition
    package var metric: Metric
  }

  /// Reads conditions; those that are wrong are reported and left out.
  package init(_ suite: SuiteSpec, catalog: MetricCatalog, diagnostics: DiagnosticCollector) {
    func bind(_ specs: [ConditionSpec]) -> [Bound] {
      specs.compactMap { Self.bind($0, suite.file, catalog, diagnostics) }
    }
    gates = bind(suite.gates)
    goals = bind(suite.goals)
  }

  private static func bind(
    _ spec: ConditionSpec,
    _ file: SourceFile,
    _ catalog: MetricCatalog,
    _ diagnostics: DiagnosticCollector
  ) -> Bound? {
    let position = TextPosition(spec.text, at: spec.position, in: file)
    let condition: Condition
    do throws(ConditionParser.Problem) {
      condition = try ConditionParser.parse(spec.text)
    } catch {
      diagnostics.error(
        "not a condition: \(error.message)",
        in: file,
        at: position.position(of: error.offset),
        fix: error.fix
      )
      return nil
    }
    if let form = condition.undecidable {
      diagnostics.error(
        "\(form) cannot be decided by this version",
        in: file,
        at: spec.position,
        fix: "compare an estimate, such as 'accuracy >= 85%'"
      )
      return nil
    }
    do throws(MetricCatalog.Problem) {
      return Bound(condition: condition, metric: try catalog.metric(condition.reference))
    } catch {
      if error.isCertain {
        diagnostics.error(error.message, in: file, at: spec.position, fix: error.fix)
      }
      return nil
    }
  }
}
