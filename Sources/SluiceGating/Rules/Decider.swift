package import SluiceCore

/// The decider of conditions, for the trials of one column.
package struct Decider: Sendable {
  private let trials: [Trial]
  private let evaluator: MetricEvaluator
  private let pairing: Pairing?
  private let paired: PairedEvaluator?
  private let source: AnswerSource
  private let rule: RegressionRule
  private let filtered: FilteredCases?

  /// Creates a decider.
  ///
  /// - Parameters:
  ///   - trials: The trials outside quarantine.
  ///   - pairing: The trials paired with those of the baseline, or `nil` without a baseline.
  ///   - source: The kind of the answers: recorded, or from a live run.
  ///   - rule: The rule that decides regressions.
  ///   - filtered: The subset of the suite's cases that the trials cover; `nil` if they cover all
  ///     cases. With a subset, no condition has a verdict.
  package init(
    _ trials: [Trial],
    against pairing: Pairing? = nil,
    source: AnswerSource = .recorded,
    rule: RegressionRule = RegressionRule(),
    filtered: FilteredCases? = nil
  ) {
    self.init(
      MetricEvaluator(trials),
      against: pairing,
      source: source,
      rule: rule,
      filtered: filtered
    )
  }

  /// Creates a decider that uses an existing evaluator of the trials.
  package init(
    _ evaluator: MetricEvaluator,
    against pairing: Pairing? = nil,
    source: AnswerSource = .recorded,
    rule: RegressionRule = RegressionRule(),
    filtered: FilteredCases? = nil
  ) {
    self.filtered = filtered
    trials = evaluator.trials
    self.evaluator = evaluator
    self.pairing = pairing
    paired = pairing.map {
      PairedEvaluator(
        baseline: MetricEvaluator($0.baseline),
        candidate: MetricEvaluator($0.candidate)
      )
    }
    self.source = source
    self.rule = rule
  }

  /// Decides a condition.
  package func decide(_ condition: Condition, on metric: Metric) -> Decision {
    let open = Decision(
      condition: condition,
      metric: metric,
      estimate: evaluator.estimate(metric),
      verdict: .noVerdict,
      reason: .unknown,
      explanation: ""
    )
    if condition.isLive, source == .recorded {
      return open.decided(.notEvaluated, .liveOnly, "decided only on live answers")
    }
    if let filtered {
      return open.decided(.notEvaluated, .filtered, "undecided: \(filtered.shortPhrase)")
    }
    guard let value = open.estimate.value else {
      if isUnknownByLoss(metric) {
        return loss.reason == .mismatch
          ? open.decided(
            .noVerdict,
            .mismatch,
            "there are no cases to compare: all of them changed or were removed"
          )
          : open.decided(
            .noVerdict,
            .lostTrials,
            trials.allSatisfy(\.isMiss)
              ? "unknown: no answers are recorded" : "unknown: all trials for this metric were lost"
          )
      }
      return open.decided(
        .noVerdict,
        .unknown,
        "unknown: \(open.estimate.unknown ?? "not measured")"
      )
    }
    switch condition.demand {
    case .comparison(let comparison, let bound, nil):
      let (verdict, reason, explanation) = compare(comparison, bound, metric, value)
      return open.decided(verdict, reason, explanation)
    case .comparison(let comparison, let bound, let confidence?):
      return claim(ClaimRule(comparison: comparison, value: bound, confidence: confidence), open)
    case .noRegression(let margin, let isRelative):
      return regression(Margin(margin, isRelative: isRelative), open)
    }
  }

  // MARK: Comparisons

  private func compare(
    _ comparison: Condition.Comparison,
    _ bound: Double,
    _ metric: Metric,
    _ value: Double
  ) -> (Verdict, Reason, String) {
    if evaluator.touchesLostTrials(metric), couldChange(comparison, bound, metric, value) {
      let (reason, explanation) = loss
      return (.noVerdict, reason, explanation)
    }
    if case .series(_, .percentile(let percent)) = metric.kind {
      let bounding = comparison.wantsSmall ? percent : 100 - percent
      let needed = Percentile.leastSample(bounding: bounding)
      if evaluator.caseCount(metric) < needed {
        return (
          .inconclusive, .tooFew,
          "\(Self.count(evaluator.caseCount(metric), "measurement")) cannot give an interval for "
            + "this percentile; \(needed) needed"
        )
      }
    }
    return comparison.holds(value, bound)
      ? (.pass, .met, "met") : (.fail, .notMet, "not met")
  }

  /// Returns true if a metric's value is unknown only because trials were lost.
  private func isUnknownByLoss(_ metric: Metric) -> Bool {
    guard MetricEvaluator.isRate(metric) else { return evaluator.hasOnlyLostTrials(metric) }
    return [MetricEvaluator.Fill.holding, .notHolding].contains {
      evaluator.filling($0).estimate(metric).value != nil
    }
  }

  /// Returns true if the best or the worst outcomes for the lost trials would change the verdict.
  private func couldChange(
    _ comparison: Condition.Comparison,
    _ bound: Double,
    _ metric: Metric,
    _ value: Double
  ) -> Bool {
    // A lost trial could have added any amount to a sum or a mean.
    guard MetricEvaluator.isRate(metric) else { return true }
    let outcome = comparison.holds(value, bound)
    return [MetricEvaluator.Fill.holding, .notHolding].contains { fill in
      guard let filled = evaluator.filling(fill).estimate(metric).value else { return true }
      return comparison.holds(filled, bound) != outcome
    }
  }

  // MARK: Claims

  private func claim(_ claim: ClaimRule, _ open: Decision) -> Decision {
    let metric = open.metric
    guard let bounds = bounds(metric, evaluator, claim) else {
      return open.decided(.inconclusive, .tooFew, "there are too few measurements for an interval")
    }
    if evaluator.hasClusters,
      let few = FewClusters.explanation(evaluator.effectiveClusters(metric))
    {
      return open.decided(.inconclusive, .tooFewClusters, few, bounds: bounds)
    }
    let (verdict, reason) = claim.judge(bounds)
    if evaluator.touchesLostTrials(metric) {
      let others = [MetricEvaluator.Fill.holding, .notHolding].map { fill in
        !MetricEvaluator.isRate(metric)
          ? nil : self.bounds(metric, evaluator.filling(fill), claim)
      }
      if others.contains(where: { $0.map { claim.judge($0).verdict } != verdict }) {
        let (reason, explanation) = loss
        return open.decided(.noVerdict, reason, explanation, bounds: bounds)
      }
    }
    switch reason {
    case .claimed:
      return open.decided(
        verdict,
        reason,
        "proven at \(Self.percent(claim.confidence)) confidence",
        bounds: bounds
      )
    case .claimExcluded:
      return open.decided(
        verdict,
        reason,
        "ruled out at \(Self.percent(claim.confidence)) confidence",
        bounds: bounds
      )
    default: break
    }
    guard let rate = evaluator.rate(metric) else {
      if case .series(_, .percentile(let percent)) = metric.kind {
        let bounding = claim.comparison.wantsSmall ? percent : 100 - percent
        let needed = Percentile.leastSample(bounding: bounding, confidence: claim.confidence)
        let count = evaluator.caseCount(metric)
        if count < needed {
          return open.decided(
            .inconclusive,
            .tooFew,
            "\(Self.count(count, "measurement")) cannot give an interval for this percentile; "
              + "\(needed) needed",
            bounds: bounds,
            casesNeeded: needed
          )
        }
      }
      return open.decided(verdict, reason, "undecided", bounds: bounds)
    }
    if !claim.canPass(n: rate.clusters) {
      let needed = claim.leastCases()
      return open.decided(
        verdict,
        .tooFew,
        "\(Self.independent(rate.cases, rate.clusters)) cannot prove this claim"
          + (needed.map { "; \($0) needed" } ?? ""),
        bounds: bounds,
        casesNeeded: needed
      )
    }
    let needed = claim.casesNeeded(rate)
    return open.decided(
      verdict,
      reason,
      "undecided: \(Self.more(needed, than: rate.cases))",
      bounds: bounds,
      casesNeeded: needed
    )
  }

  /// Returns the lower and the upper one-sided bound of a metric, each at the claim's confidence.
  private func bounds(_ metric: Metric, _ evaluator: MetricEvaluator, _ claim: ClaimRule)
    -> Interval?
  {
    if let rate = evaluator.rate(metric) {
      return rate.cases > 0 ? rate.bounds(confidence: claim.confidence) : nil
    }
    return evaluator.bounds(metric, confidence: claim.confidence)
  }

  // MARK: Regressions

  private func regression(_ margin: Margin, _ open: Decision) -> Decision {
    let metric = open.metric
    guard let pairing, let paired else {
      return open.decided(.noVerdict, .noBaseline, "there is no baseline to compare with")
    }
    let scorers = pairing.changedScorers(of: metric)
    if !scorers.isEmpty {
      let names = scorers.map { "'\($0)'" }.joined(separator: ", ")
      let noun = scorers.count == 1 ? "the scorer" : "the scorers"
      return open.decided(.noVerdict, .mismatch, "\(noun) \(names) changed since the baseline")
    }
    if !pairing.unattributed.isEmpty {
      return open.decided(.noVerdict, .unknownRequest, Self.unattributed(pairing))
    }
    guard let change = paired.change(metric, margin: margin) else {
      let gone = pairing.changed.count + pairing.removed.count
      if paired.hasOnlyLostTrials(metric), gone > 0 {
        return open.decided(
          .noVerdict,
          .mismatch,
          "there are no cases to compare: \(Self.count(gone, "case")) changed since the baseline"
        )
      }
      if pairing.candidate.isEmpty {
        return open.decided(.noVerdict, .mismatch, "the baseline has none of the cases")
      }
      if paired.hasOnlyLostTrials(metric) {
        return open.decided(.noVerdict, .lostTrials, "one side lost all trials for this metric")
      }
      if paired.touchesLostTrials(metric) {
        let (reason, explanation) = loss
        return open.decided(.noVerdict, reason, explanation)
      }
      return open.decided(.noVerdict, .unknown, "the baseline does not have this metric")
    }
    if pairing.isIdentical, change.isNothing {
      return open.decided(.pass, .identical, "identical to the baseline", change: change)
    }
    if evaluator.hasClusters,
      let few = FewClusters.explanation(change.effectiveClusters ?? Double(change.n))
    {
      return open.decided(.inconclusive, .tooFewClusters, few, change: change)
    }
    let (verdict, reason) = rule.judge(change)
    if paired.touchesLostTrials(metric), couldChange(metric, margin, paired, verdict) {
      let lost = max(
        trials.count(where: \.isReallyLost),
        pairing.baseline.count(where: \.isReallyLost)
      )
      if lost > 0 {
        return open.decided(.noVerdict, .lostTrials, Self.couldChange(lost: lost), change: change)
      }
      return open.decided(.noVerdict, .mismatch, Self.couldChange(gone: pairing), change: change)
    }
    let needed = verdict == .inconclusive ? rule.casesNeeded(change) : nil
    return open.decided(
      verdict,
      reason,
      explanation(reason, verdict, change, needed),
      change: change,
      casesNeeded: reason == .marginTooTight
        ? RegressionRule.leastCases(margin: change.margin) : needed
    )
  }

  private func couldChange(
    _ metric: Metric,
    _ margin: Margin,
    _ paired: PairedEvaluator,
    _ verdict: Verdict
  ) -> Bool {
    guard MetricEvaluator.isRate(metric) else { return true }
    return [PairedEvaluator.Fill.worst, .best].contains { fill in
      paired.change(metric, margin: margin, fill: fill).map { rule.judge($0).verdict } != verdict
    }
  }

  private func explanation(
    _ reason: Reason,
    _ verdict: Verdict,
    _ change: PairedChange,
    _ needed: Int?
  ) -> String {
    if case .exceedances = change.basis, let text = exceedances(reason) { return text }
    switch reason {
    case .improved: return "the gain is credible"
    case .withinMargin: return "no loss beyond the margin is credible"
    case .smallCredibleRegression: return "a loss is credible, but smaller than the margin"
    case .credibleRegression: return "a loss beyond the margin is credible"
    case .credibleRegressionSizeUnknown where verdict == .fail:
      return "a loss is credible, and the measured loss reaches the margin"
    case .credibleRegressionSizeUnknown:
      return "a loss is credible and may exceed the margin; "
        + Self.more(needed, than: change.n)
    case .marginTooTight:
      let needed = RegressionRule.leastCases(margin: change.margin)
      return
        "\(Self.independent(change.n, change.clusters)) can pass this margin only if all answers "
        + "are the same"
        + (needed.map { "; \($0) needed" } ?? "")
    default:
      return "too few cases to distinguish a loss from noise; \(Self.more(needed, than: change.n))"
    }
  }

  /// Returns a clause about the cases above the limit, if a percentile is compared by counting
  /// them.
  private func exceedances(_ reason: Reason) -> String? {
    switch reason {
    case .improved: "the number of cases over the limit credibly fell"
    case .withinMargin:
      "the number of cases over the limit did not credibly rise by more than the percentile allows"
    case .smallCredibleRegression:
      "the number of cases over the limit credibly rose, but by less than the percentile allows"
    case .credibleRegression:
      "the number of cases over the limit credibly rose by more than the percentile allows"
    default: nil
    }
  }

  // MARK: Words

  /// The reason why a condition has no verdict: lost trials, or cases that are not compared.
  private var loss: (reason: Reason, explanation: String) {
    let lost = trials.count(where: \.isReallyLost)
    if lost == 0, let pairing, pairing.hasMismatches {
      return (.mismatch, Self.couldChange(gone: pairing))
    }
    return (.lostTrials, Self.couldChange(lost: lost))
  }

  static func couldChange(lost: Int) -> String {
    "\(count(lost, "lost trial")) could change the outcome"
  }

  private static func couldChange(gone pairing: Pairing) -> String {
    let gone = count(pairing.changed.count + pairing.removed.count, "case")
    return "\(gone) that changed or were removed could change the outcome"
  }

  private static func unattributed(_ pairing: Pairing) -> String {
    let same = pairing.unattributed.count
    let all = Set(pairing.candidate.map(\.caseID)).count
    return "the prompt changed, but the answers of \(same) of \(count(all, "case")) did not; they "
      + "come from a file and may belong to the old prompt"
  }

  /// Formats a share of 1 as a percentage: `95%`, `99.5%`.
  private static func percent(_ share: Double) -> String {
    JSONWriter.number((share * 1_000).rounded() / 10) + "%"
  }

  private static func more(_ needed: Int?, than n: Int) -> String {
    guard let needed else { return "20 times as many cases would still be inconclusive" }
    return "about \(count(needed - n, "more case")) needed"
  }

  /// Returns the number of independent cases, in words.
  private static func independent(_ cases: Int, _ clusters: Int?) -> String {
    guard let clusters, clusters < cases else { return count(cases, "case") }
    return "\(count(cases, "case")) in \(count(clusters, "cluster"))"
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension Decision {
  /// Returns the decision with a verdict and its reason.
  fileprivate func decided(
    _ verdict: Verdict,
    _ reason: Reason,
    _ explanation: String,
    bounds: Interval? = nil,
    change: PairedChange? = nil,
    casesNeeded: Int? = nil
  ) -> Decision {
    var decision = self
    decision.verdict = verdict
    decision.reason = reason
    decision.explanation = explanation
    decision.bounds = bounds
    decision.change = change
    decision.casesNeeded = casesNeeded
    return decision
  }
}

extension Trial {
  /// True if the trial was lost; false if it was only left out of the comparison because its
  /// case differs.
  fileprivate var isReallyLost: Bool {
    switch outcome {
    case .lost(.incomparable): false
    case .lost: true
    case .passed, .failed, .unjudged: false
    }
  }
}
