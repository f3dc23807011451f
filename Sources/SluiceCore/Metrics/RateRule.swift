import SluiceSupport
import SluiceStatistics

/// The rule that determines which cases are in the numerator and the denominator of a rate.
struct RateRule {
  /// A statement about a trial, such as "passes every scorer".
  struct Statement {
    /// Returns true if the statement holds for a judged trial; nil if the trial does not count.
    var holds: (Trial) -> Bool?
    /// Returns true if the statement holds for a lost trial; nil if this depends on the lost
    /// answer.
    var given: (Trial) -> Bool? = { _ in nil }
  }

  /// The statement that must hold for a case to count in the numerator.
  private var statement: Statement
  /// The conditions of the denominator: a case counts if at least one of them holds.
  ///
  /// If there are no conditions, a case counts if the result of ``statement`` is not nil.
  private var among: [Statement] = []
  /// The index of ``statement`` in ``among``, if the denominator has the same statement as the
  /// numerator.
  ///
  /// A lost answer then counts the same way in both.
  private var own: Int?
  /// True if the answers determine which cases count.
  private(set) var countsByAnswer = false
  /// The rule that combines the repeats of a case into one result; nil if a case counts by the
  /// share of its repeats.
  private var wholeCase: MetricDefinition.RepetitionRule?
  /// The name of the scorer that the statement is about; nil for all scorers.
  private var scorer: String?

  /// The measurements that depend only on the case, not on the answer.
  static let caseMeasurements: Set = ["positive", "clean", MetricDefinition.expectedLabel]

  /// Creates the rule of a metric; nil if the metric is not a rate.
  init?(_ metric: Metric) {
    switch metric.kind {
    case .passRate(let name), .scorer(let name, _): scorer = name
    case .accuracy, .assertionRate, .ofRepeats, .unusableRate, .fallbackRate, .series: break
    }
    switch metric.kind {
    case .accuracy: statement = Statement(holds: \.isPassed)
    case .ofRepeats(let rule):
      statement = Statement(holds: \.isPassed)
      wholeCase = rule
    case .unusableRate: statement = Statement { $0.isUnusable }
    case .fallbackRate:
      statement = Statement { $0.delivery.map { $0 == .fellBack } }
      countsByAnswer = true
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
          holds: {
            $0.score(of: scorer)?.measurements[part.name]?.bool.map { $0 != part.isNegated }
          },
          given: { $0.measurements(of: scorer)?[part.name]?.bool.map { $0 != part.isNegated } }
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
        // An answer without a label predicts no class.
        trial.label(of: scorer, MetricDefinition.expectedLabel).map { _ in
          trial.label(of: scorer, MetricDefinition.predictedLabel) == label
        }
      }
      (statement, among) = statistic == .recall ? (predicted, [expected]) : (expected, [predicted])
      countsByAnswer = statistic == .precision
    case .assertionRate, .scorer, .series: return nil
    }
  }

  // MARK: Counting

  /// The result of the rule for one kind of trial.
  private enum Word: Int8 {
    /// The trial was not judged.
    case lost = -2
    /// The trial does not count.
    case nothing = -1
    case no = 0
    case yes = 1

    init(_ answer: Bool?) { self = answer.map { $0 ? .yes : .no } ?? .nothing }
  }

  /// The results of a rule for all kinds of trials in a table.
  struct Applied {
    private let words: [Word]
    private let countsByAnswer: Bool
    private let wholeCase: MetricDefinition.RepetitionRule?

    /// Applies a rule to the example trial of each kind.
    init(_ rule: RateRule, to table: TrialTable, fill: MetricEvaluator.Fill) {
      words = table.examples.map { trial in
        let (answer, counting) = rule.answer(trial, fill: fill)
        if answer == nil, trial.isLost { return .lost }
        return Word(counting.isEmpty || counting.contains(true) ? answer : nil)
      }
      countsByAnswer = rule.countsByAnswer
      wholeCase = rule.wholeCase
    }

    /// Returns the sample of the cases that count.
    func sample(_ groups: UnitGroups, in table: TrialTable) -> RateSample {
      guard groups.isPlain else {
        var rows: [RateSample.Row] = []
        rows.reserveCapacity(groups.caseCount)
        forEachRow(groups, in: table) { rows.append($0) }
        return RateSample(rows)
      }
      var (holding, all) = (0, 0)
      for trial in groups.trials {
        let word = words[Int(table.kinds[Int(trial)])]
        if word.rawValue >= 0 { all += 1 }
        if word == .yes { holding += 1 }
      }
      return RateSample(holding: holding, of: all)
    }

    /// Calls a closure for each case that counts.
    func forEachRow(
      _ groups: UnitGroups,
      in table: TrialTable,
      _ body: (RateSample.Row) -> Void
    ) {
      groups.forEachCase { cluster, trials in
        var (yes, counting, judged) = (0, 0, 0)
        for trial in trials {
          let word = words[Int(table.kinds[Int(trial)])]
          if word != .lost { judged += 1 }
          if word.rawValue >= 0 { counting += 1 }
          if word == .yes { yes += 1 }
        }
        guard counting > 0 else { return }
        if let wholeCase {
          let holds = wholeCase.holds(yes: yes, of: counting) == true
          body(row(trials[0], cluster, holds ? 1 : 0, 1, repeats: 1))
          return
        }
        let weight = countsByAnswer ? Double(counting) / Double(judged) : 1
        let share = Double(yes) / Double(counting)
        body(row(trials[0], cluster, weight * share, weight, repeats: counting))
      }
    }

    private func row(
      _ trial: Int32,
      _ cluster: Int32,
      _ holding: Double,
      _ weight: Double,
      repeats: Int
    ) -> RateSample.Row {
      RateSample.Row(
        trial: trial,
        cluster: cluster,
        holding: holding,
        weight: weight,
        repeats: Int32(repeats)
      )
    }
  }

  /// Returns true if the scorer of the rule does not apply to a trial's case.
  private func isIdle(for trial: Trial) -> Bool {
    trial.scores.contains { $0.name == scorer && $0.score.outcome == .notApplicable }
  }

  /// Evaluates the numerator's statement and the denominator's conditions for a trial.
  ///
  /// Each unknown result is nil.
  private func answer(_ trial: Trial, fill: MetricEvaluator.Fill) -> (Bool?, among: [Bool?]) {
    guard trial.isLost else {
      return (statement.holds(trial), among.map { $0.holds(trial) })
    }
    if fill == .none || isIdle(for: trial) { return (nil, among.map { _ in nil }) }
    let wanted = fill == .holding
    let answer = statement.given(trial) ?? wanted
    // An unknown condition is assumed to be true or false, whichever moves the rate further.
    let counting = among.enumerated().map { index, part in
      index == own ? answer : part.given(trial) ?? (answer == wanted)
    }
    return (answer, counting)
  }
}

extension Trial {
  /// Returns the score of a scorer; nil if the trial is lost or has no such score.
  package func score(of scorer: String) -> Score? {
    if isLost { return nil }
    return scores.first { $0.name == scorer }?.score
  }

  /// Returns the known measurements of a scorer, which even a lost trial may have.
  fileprivate func measurements(of scorer: String) -> JSONObject? {
    scores.first { $0.name == scorer }?.score.measurements
  }

  /// Returns a label measured by a scorer.
  func label(of scorer: String, _ name: String) -> String? {
    score(of: scorer)?.measurements[name]?.string
  }
}
