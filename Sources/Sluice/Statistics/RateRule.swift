/// How a rate is counted: for which units a statement may hold, and for which it does.
struct RateRule {
  /// A statement about trials.
  struct Statement {
    /// When it holds for a case with several answers.
    var rule: MetricDefinition.RepetitionRule = .majority
    /// Whether it holds for a trial that was judged; nil leaves the trial out.
    var holds: (Trial) -> Bool?
    /// Whether it would have held for a trial that was lost, where that is known all the same.
    var given: (Trial) -> Bool? = { _ in nil }
  }

  /// What the rate is the share of.
  private var statement: Statement
  /// The statements of which one must hold for a case to count; empty for all that have a statement.
  private var among: [Statement] = []
  /// Which of ``among`` is the statement itself.
  private var own: Int?
  /// Whether the answers tell which cases count, and not the cases alone.
  private(set) var countsByAnswer = false

  /// The measurements that a case decides alone, whatever is answered.
  static let caseMeasurements: Set = ["positive", "clean", MetricDefinition.expectedLabel]

  /// The rule of a metric; nil when the metric is no rate.
  init?(_ metric: Metric) {
    switch metric.kind {
    case .accuracy: statement = Statement { $0.outcome == .passed }
    case .unusableRate: statement = Statement { $0.isUnusable }
    case .passRate(let scorer):
      statement = Statement { trial in
        switch trial.score(of: scorer)?.outcome {
        case .passed: true
        case .failed: false
        default: nil
        }
      }
    case .scorer(let scorer, .share(let part, let among)):
      func statement(_ part: MetricDefinition.Part) -> Statement {
        Statement(
          rule: part.rule,
          holds: { $0.score(of: scorer)?.measurements[part.name]?.bool },
          given: { $0.measurements(of: scorer)?[part.name]?.bool }
        )
      }
      self.statement = statement(part)
      self.among = among.map(statement)
      own = among.firstIndex { $0.name == part.name }
      countsByAnswer = among.contains { !Self.caseMeasurements.contains($0.name) }
    case .scorer(let scorer, .perClass(let statistic)) where statistic != .f1:
      guard let label = metric.classLabel else { return nil }
      let expected = Statement(
        holds: { $0.label(of: scorer, MetricDefinition.expectedLabel).map { $0 == label } },
        given: { trial in
          trial.measurements(of: scorer)?[MetricDefinition.expectedLabel]?.string
            .map { $0 == label }
        }
      )
      let predicted = Statement { trial in
        // An answer without a label gives none of the classes.
        trial.label(of: scorer, MetricDefinition.expectedLabel).map { _ in
          trial.label(of: scorer, MetricDefinition.predictedLabel) == label
        }
      }
      (statement, among) = statistic == .recall ? (predicted, [expected]) : (expected, [predicted])
      countsByAnswer = statistic == .precision
    case .scorer, .series: return nil
    }
  }

  /// Whether the statement holds for a unit; nil when the unit does not count.
  ///
  /// - Parameters:
  ///   - unit: The unit.
  ///   - fill: What lost trials are taken for.
  /// - Returns: Whether it holds.
  func holds(for unit: CountingUnit, fill: MetricEvaluator.Fill) -> Bool? {
    statement.rule.holds(unit.cases.compactMap { holds(for: $0, fill: fill) })
  }

  private func holds(for trials: [Trial], fill: MetricEvaluator.Fill) -> Bool? {
    var answers: [Bool] = []
    var counting = Array(repeating: [Bool](), count: among.count)
    for trial in trials {
      if trial.isLost {
        if fill == .none { continue }
        let wanted = fill == .holding
        let answer = statement.given(trial) ?? wanted
        answers.append(answer)
        for (index, part) in among.enumerated() {
          // A case counts where that moves the rate as far as it could have moved.
          let counts = index == own ? answer : part.given(trial) ?? (answer == wanted)
          counting[index].append(counts)
        }
      } else {
        if let answer = statement.holds(trial) { answers.append(answer) }
        for (index, part) in among.enumerated() {
          if let answer = part.holds(trial) { counting[index].append(answer) }
        }
      }
    }
    let counts =
      among.isEmpty || zip(among, counting).contains { $0.rule.holds($1) == true }
    return counts ? statement.rule.holds(answers) : nil
  }
}

extension Trial {
  /// The score of a scorer, if the trial was judged by it.
  package func score(of scorer: String) -> Score? {
    if isLost { return nil }
    return scores.first { $0.name == scorer }?.score
  }

  /// What is known of a scorer's measurements, of a lost trial too.
  fileprivate func measurements(of scorer: String) -> JSONObject? {
    scores.first { $0.name == scorer }?.score.measurements
  }

  /// A label that a scorer measured.
  func label(of scorer: String, _ name: String) -> String? {
    score(of: scorer)?.measurements[name]?.string
  }
}
