/// Makes estimates of the trials of one column.
package struct MetricEvaluator: Sendable {
  /// The trials of each case, in the order of the suite.
  private let cases: [[Trial]]
  /// What lost trials are taken for.
  private let fill: Fill

  /// What to take lost trials for.
  package enum Fill: Sendable {
    /// They are left out.
    case none
    /// As if the statement of a rate had held for each.
    case holding
    /// As if the statement of a rate had not held for any.
    case notHolding
  }

  /// Creates an evaluator.
  ///
  /// - Parameters:
  ///   - trials: The trials of one column, in the order of the suite.
  ///   - fill: What lost trials are taken for.
  package init(_ trials: [Trial], fill: Fill = .none) {
    var cases: [[Trial]] = []
    for trial in trials {
      if cases.last?.first?.caseID == trial.caseID {
        cases[cases.count - 1].append(trial)
      } else {
        cases.append([trial])
      }
    }
    self.cases = cases
    self.fill = fill
  }

  /// The estimate of a metric.
  package func estimate(_ metric: Metric) -> Estimate {
    let cases = selected(metric.tag)
    switch metric.kind {
    case .accuracy: return rate(cases, .majority) { $0.outcome == .passed }
    case .unusableRate: return rate(cases, .majority) { $0.isUnusable }
    case .passRate(let scorer):
      return rate(cases, .majority) { trial in
        switch trial.score(of: scorer)?.outcome {
        case .passed: true
        case .failed: false
        default: nil
        }
      }
    case .scorer(let scorer, .share(let part, let whole, let rule)):
      func couldCount(_ trial: Trial) -> Bool {
        guard let whole, let given = trial.scores.first(where: { $0.name == scorer }) else {
          return true
        }
        return given.score.measurements[whole]?.bool != false
      }
      return rate(cases, rule, couldCount: couldCount) { trial in
        guard let score = trial.score(of: scorer) else { return nil }
        if let whole, score.measurements[whole]?.bool != true { return nil }
        return score.measurements[part]?.bool
      }
    case .scorer(let scorer, .ratio(let numerator, let denominator)):
      return ratio(cases.flatMap(\.self), scorer, numerator, denominator)
    case .scorer(let scorer, .perClass(let statistic)):
      let labels = LabelCounts(cases.flatMap(\.self).compactMap { $0.score(of: scorer) })
      return labels.estimate(statistic, of: metric.classLabel)
    case .series(let series, let aggregate):
      return aggregated(cases.flatMap(\.self), series, aggregate)
    }
  }

  /// Whether the metric reads trials that were lost.
  package func touchesLostTrials(_ metric: Metric) -> Bool {
    selected(metric.tag).contains { $0.contains(where: \.isLost) }
  }

  /// Whether the metric reads trials and all of them were lost.
  package func hasOnlyLostTrials(_ metric: Metric) -> Bool {
    let trials = selected(metric.tag).joined()
    return !trials.isEmpty && trials.allSatisfy(\.isLost)
  }

  private func selected(_ tag: String?) -> [[Trial]] {
    guard let tag else { return cases }
    return cases.filter { $0.first?.tags.contains(tag) == true }
  }

  /// The share of cases for which a statement holds; nil leaves a trial out.
  ///
  /// - Parameters:
  ///   - cases: The trials of each case.
  ///   - rule: When the statement holds for a case with several trials.
  ///   - couldCount: Whether a lost trial could have been among those that count.
  ///   - statement: What may hold for a trial.
  /// - Returns: The share, with its interval.
  private func rate(
    _ cases: [[Trial]],
    _ rule: MetricDefinition.RepetitionRule,
    couldCount: (Trial) -> Bool = { _ in true },
    _ statement: (Trial) -> Bool?
  ) -> Estimate {
    var holding = 0
    var counted = 0
    for trials in cases {
      let answers = trials.compactMap { trial -> Bool? in
        if trial.isLost {
          guard couldCount(trial) else { return nil }
          switch fill {
          case .none: return nil
          case .holding: return true
          case .notHolding: return false
          }
        }
        return statement(trial)
      }
      if answers.isEmpty { continue }
      counted += 1
      let yes = answers.count(where: \.self)
      switch rule {
      case .any: holding += yes > 0 ? 1 : 0
      case .majority: holding += 2 * yes > answers.count ? 1 : 0
      }
    }
    return Estimate(rate: holding, of: counted)
  }

  private func ratio(
    _ trials: [Trial],
    _ scorer: String,
    _ numerator: [MetricDefinition.Term],
    _ denominator: [MetricDefinition.Term]
  ) -> Estimate {
    let scores = trials.compactMap { $0.score(of: scorer) }
    func sum(_ terms: [MetricDefinition.Term]) -> Double {
      terms.reduce(0) { total, term in
        total + term.weight * scores.reduce(0) { $0 + ($1.measurement(term.name) ?? 0) }
      }
    }
    let whole = sum(denominator)
    guard whole > 0 else { return Estimate(unknown: "there is nothing to count") }
    let counted = scores.count { score in
      denominator.contains { score.measurement($0.name) ?? 0 > 0 }
    }
    return Estimate(sum(numerator) / whole, n: counted)
  }

  private func aggregated(
    _ trials: [Trial],
    _ series: Series,
    _ aggregate: MetricReference.Aggregate
  ) -> Estimate {
    let outputs = trials.compactMap(\.output)
    let values = outputs.compactMap(series.value)
    // One unknown cost makes the sum unknown: a number of the rest would look like the whole.
    guard values.count == outputs.count, !values.isEmpty else {
      let reason = outputs.isEmpty ? "there are no answers" : series.unknownReason
      return Estimate(unknown: reason, n: values.count)
    }
    let sum = values.reduce(0, +)
    let value: Double? =
      switch aggregate {
      case .mean: sum / Double(values.count)
      case .sum: sum
      case .max: values.max()
      case .min: values.min()
      case .percentile(let percent): Percentile.of(percent, in: values)
      }
    return value.map { Estimate($0, n: values.count) } ?? Estimate(unknown: "there are no answers")
  }
}

extension Trial {
  /// The score of a scorer, if the trial was judged by it.
  package func score(of scorer: String) -> Score? {
    if isLost { return nil }
    return scores.first { $0.name == scorer }?.score
  }
}

extension Score {
  /// A measurement as a number: truth values count as 1 and 0.
  fileprivate func measurement(_ name: String) -> Double? {
    switch measurements[name] {
    case .number(let value): value
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }
}
