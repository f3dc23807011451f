import SluiceSupport

/// The metrics of a suite, by name.
package struct MetricCatalog: Sendable {
  /// The reason why a reference does not denote a metric.
  package struct Problem: Error, Hashable {
    package var message: String
    package var fix: String?
    /// False if the problem may disappear once other errors in the files are fixed.
    package var isCertain = true
    /// True if no scorer or metric has the name in the reference.
    package var isUnknownName = false
  }

  private struct ScorerMetrics {
    var name: String
    var metrics: [MetricDefinition]
    var classes: [String]
    var isAdvisory: Bool
  }

  private let scorers: [ScorerMetrics]
  private let tags: Set<String>?
  private let isComplete: Bool

  /// Creates the catalog of a suite.
  ///
  /// - Parameters:
  ///   - scorers: The suite's scorers.
  ///   - tags: The tags of the suite's cases; nil if they could not be read.
  ///   - isComplete: True if `scorers` contains all scorers of the suite.
  package init(scorers: [BoundScorer], tags: Set<String>?, isComplete: Bool = true) {
    self.scorers = scorers.map {
      ScorerMetrics(
        name: $0.name,
        metrics: $0.traits.metrics,
        classes: $0.traits.classes,
        isAdvisory: $0.isAdvisory
      )
    }
    self.tags = tags
    self.isComplete = isComplete
  }

  private static let accuracy = "accuracy"
  private static let assertionRate = "assertion-rate"
  private static let unusableRate = "unusable-rate"
  private static let fallbackRate = "fallback-rate"
  private static let passRate = MetricDefinition.passRate
  /// The metrics of whole cases: pass@k and pass^k, where k is the number of repeats in the suite.
  private static let ofRepeats: [(name: String, rule: MetricDefinition.RepetitionRule)] = [
    ("any-of-k", .any), ("all-of-k", .all),
  ]

  /// The names that conditions may use without a function.
  ///
  /// A name such as `urgency.kappa` is shortened to `kappa` if only one scorer has this metric.
  package var names: [String] {
    var counts: [String: Int] = [:]
    for metric in scorers.flatMap(\.metrics) { counts[metric.name, default: 0] += 1 }
    return [Self.accuracy] + Self.ofRepeats.map(\.name) + [
      Self.unusableRate, Self.fallbackRate,
    ]
      + scorers.flatMap { scorer in
        scorer.metrics.map { counts[$0.name] == 1 ? $0.name : "\(scorer.name).\($0.name)" }
          + ["\(scorer.name).\(Self.passRate)"]
      }
  }

  /// Returns the metric that a reference denotes.
  ///
  /// - Throws: ``Problem`` if the reference is unknown or ambiguous.
  package func metric(_ reference: MetricReference) throws(Problem) -> Metric {
    if reference.scorer == nil, let series = Series(rawValue: reference.name) {
      return try seriesMetric(series, reference)
    }
    let (kind, classes, prefersSmall) = try kind(reference)
    if reference.aggregate != nil {
      throw Problem(
        message: "'\(reference.name)' is already a single number",
        fix: "remove the function around it"
      )
    }
    var metric = Metric(kind, prefersSmall: prefersSmall)
    switch kind {
    case .passRate(let name), .scorer(let name, _):
      metric.isAdvisory = scorers.contains { $0.name == name && $0.isAdvisory }
    case .accuracy, .assertionRate, .ofRepeats, .unusableRate, .fallbackRate, .series: break
    }
    try apply(reference.selector, classes: classes, to: &metric)
    return metric
  }

  /// Returns the problem with a reference whose name is unknown; `nil` if the name is known.
  package func unknownName(_ reference: MetricReference) -> Problem? {
    do throws(Problem) {
      _ = try metric(reference)
      return nil
    } catch {
      return error.isUnknownName ? error : nil
    }
  }

  /// Returns the unit of a metric; nil for an unknown reference.
  package func quantity(_ reference: MetricReference) -> Quantity? {
    var reference = reference
    reference.selector = nil
    return (try? metric(reference))?.quantity
  }

  private func seriesMetric(_ series: Series, _ reference: MetricReference) throws(Problem)
    -> Metric
  {
    guard let aggregate = reference.aggregate else {
      throw Problem(
        message: "'\(series.rawValue)' is one measurement per answer, not a single number",
        fix: "write mean(\(series.rawValue)), p95(\(series.rawValue)) or max(\(series.rawValue))"
      )
    }
    var metric = Metric(.series(series, aggregate))
    try apply(reference.selector, classes: [], to: &metric)
    return metric
  }

  private func kind(_ reference: MetricReference) throws(Problem) -> (
    Metric.Kind, classes: [String], prefersSmall: Bool?
  ) {
    if reference.scorer == nil {
      if reference.name == Self.accuracy { return (.accuracy, [], nil) }
      if reference.name == Self.assertionRate { return (.assertionRate, [], nil) }
      if let named = Self.ofRepeats.first(where: { $0.name == reference.name }) {
        return (.ofRepeats(named.rule), [], nil)
      }
      if reference.name == Self.unusableRate { return (.unusableRate, [], nil) }
      if reference.name == Self.fallbackRate { return (.fallbackRate, [], nil) }
    }
    var candidates = scorers
    if let name = reference.scorer {
      candidates = scorers.filter { $0.name == name }
      if candidates.isEmpty {
        throw unknown("the suite has no scorer '\(name)'", name, among: scorers.map(\.name))
      }
    }
    var found: [(scorer: ScorerMetrics, kind: Metric.Kind, prefersSmall: Bool)] = []
    for scorer in candidates {
      if reference.name == Self.passRate {
        found.append((scorer, .passRate(scorer: scorer.name), false))
      }
      for metric in scorer.metrics where metric.name == reference.name {
        found.append((scorer, .scorer(scorer.name, metric.formula), metric.prefersSmall))
      }
    }
    guard let first = found.first else {
      if let scorer = reference.scorer {
        let known = candidates.flatMap { $0.metrics.map(\.name) } + [Self.passRate]
        throw Problem(
          message: "the scorer '\(scorer)' does not produce the metric '\(reference.name)'",
          fix: NearestName.suggestion(for: reference.name, among: known)
        )
      }
      let known = names + [Self.assertionRate] + Series.allCases.map(\.rawValue)
      var problem = unknown(
        "no scorer of the suite produces the metric '\(reference.name)'",
        reference.name,
        among: known
      )
      let meant = names(for: reference.name).map { "'\($0)'" }
      if scorers.contains(where: { $0.name == reference.name }) {
        problem.fix = "did you mean '\(reference.name).\(Self.passRate)'?"
      } else if !meant.isEmpty {
        problem.fix = "did you mean \(meant.joined(separator: " or "))?"
      } else if NearestName.of(reference.name, among: known) == nil {
        problem.fix = someNames
      }
      throw problem
    }
    if found.count > 1 {
      let options = found.map { "\($0.scorer.name).\(reference.name)" }
      throw Problem(
        message: "the metric '\(reference.name)' is ambiguous: \(found.count) scorers produce it",
        fix: "write \(options.joined(separator: " or "))"
      )
    }
    return (first.kind, first.scorer.classes, first.prefersSmall)
  }

  /// Returns the names of the metrics that are equivalent to a name from another tool.
  ///
  /// If several scorers have an equivalent metric, there are several names.
  package func names(for word: String) -> [String] {
    guard let name = MetricAliases.name(for: word) else { return [] }
    return names.contains(name) ? [name] : names.filter { $0.hasSuffix(".\(name)") }
  }

  /// A fix that lists up to six main metrics, two metrics of series, and the number of further
  /// metrics.
  private var someNames: String {
    let details = Set(scorers.flatMap(\.metrics).filter(\.isDetail).map(\.name))
    let usual = names.filter { name in
      let last = name.split(separator: ".").last.map(String.init) ?? name
      return !details.contains(last) && last != Self.passRate && last != Self.fallbackRate
        && !Self.ofRepeats.contains { $0.name == last }
    }
    let shown = usual.prefix(6) + ["p95(latency)", "mean(cost)"]
    let others = names.count - min(usual.count, 6)
    return NearestName.listHead + shown.joined(separator: ", ")
      + (others > 0 ? ", and \(others) more" : "")
  }

  /// Returns the problem with an unknown name.
  ///
  /// The problem is certain if the catalog is complete, or if a known name is very similar.
  private func unknown(_ message: String, _ name: String, among known: [String]) -> Problem {
    Problem(
      message: message,
      fix: NearestName.suggestion(for: name, among: known),
      isCertain: isComplete || NearestName.of(name, among: known, within: 2) != nil,
      isUnknownName: true
    )
  }

  private func apply(
    _ selector: MetricReference.Selector?,
    classes: [String],
    to metric: inout Metric
  ) throws(Problem) {
    func setTag(_ tag: String) throws(Problem) {
      if let tags, !tags.contains(tag) {
        throw Problem(
          message: "no case has the tag '\(tag)'",
          fix: NearestName.suggestion(for: tag, among: tags.sorted())
        )
      }
      metric.tag = tag
    }
    func setClass(_ label: String) throws(Problem) {
      guard case .scorer(_, .perClass) = metric.kind else {
        throw Problem(
          message: "the metric has no classes",
          fix: "use precision, recall or f1 of a classification scorer"
        )
      }
      guard classes.contains(label) else {
        throw Problem(
          message: "the scorer has no class '\(label)'",
          fix: NearestName.suggestion(for: label, among: classes)
        )
      }
      metric.classLabel = label
    }
    switch selector {
    case nil: break
    case .tag(let tag): try setTag(tag)
    case .classLabel(let label): try setClass(label)
    case .named(let name):
      guard case .scorer(_, .perClass) = metric.kind else { return try setTag(name) }
      if classes.contains(name) { return try setClass(name) }
      if let tags, !tags.contains(name) {
        throw Problem(
          message: "'\(name)' is neither a class of the scorer nor a tag of a case",
          fix: NearestName.suggestion(for: name, among: classes + tags.sorted())
        )
      }
      try setTag(name)
    }
  }
}
