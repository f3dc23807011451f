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
          rule: part.rule,
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

  // MARK: Counting

  /// What the rule says of a kind of trials: yes, no, or nothing.
  private enum Word: Int8 {
    case nothing = -1
    case no = 0
    case yes = 1

    init(_ answer: Bool?) { self = answer.map { $0 ? .yes : .no } ?? .nothing }
  }

  /// What the rule says of each kind of a table's trials.
  struct Applied {
    private let rule: MetricDefinition.RepetitionRule
    private let amongRules: [MetricDefinition.RepetitionRule]
    /// Whether the statement holds, and each of those that make a case count.
    private let words: [Word]
    private let among: [[Word]]
    /// What the rule says of a case with one trial.
    private let single: [Word]

    /// Applies a rule to a trial of each kind.
    init(_ rule: RateRule, to table: TrialTable, fill: MetricEvaluator.Fill) {
      self.rule = rule.statement.rule
      amongRules = rule.among.map(\.rule)
      var words: [Word] = []
      var among = Array(repeating: [Word](), count: rule.among.count)
      var single: [Word] = []
      for trial in table.examples {
        let (answer, counting) = rule.answer(trial, fill: fill)
        words.append(Word(answer))
        for (index, counts) in counting.enumerated() { among[index].append(Word(counts)) }
        single.append(Word(counting.isEmpty || counting.contains(true) ? answer : nil))
      }
      self.words = words
      self.among = among
      self.single = single
    }

    /// For how many units the statement holds, and of how many.
    func counts(_ groups: UnitGroups, in table: TrialTable) -> (holding: Int, all: Int) {
      var counts = (holding: 0, all: 0)
      forEachUnit(groups, in: table) { _, holds in
        counts.all += 1
        counts.holding += holds ? 1 : 0
      }
      return counts
    }

    /// Tells of each unit that counts one of its trials, and whether the statement holds.
    func forEachUnit(
      _ groups: UnitGroups,
      in table: TrialTable,
      _ body: (Int32, Bool) -> Void
    ) {
      if groups.isPlain {
        for trial in groups.trials {
          let word = single[Int(table.kinds[Int(trial)])]
          if word != .nothing { body(trial, word == .yes) }
        }
        return
      }
      for unit in 0..<groups.count {
        var (yes, count) = (0, 0)
        var first: Int32?
        for number in groups.cases(ofUnit: unit) {
          let trials = groups.trials(ofCase: number)
          first = first ?? trials.first
          guard let holds = holds(for: trials, in: table) else { continue }
          count += 1
          yes += holds ? 1 : 0
        }
        if let first, let holds = rule.holds(yes: yes, of: count) { body(first, holds) }
      }
    }

    private func holds(for trials: ArraySlice<Int32>, in table: TrialTable) -> Bool? {
      if trials.count == 1, let trial = trials.first {
        let word = single[Int(table.kinds[Int(trial)])]
        return word == .nothing ? nil : word == .yes
      }
      func holds(_ words: [Word], _ rule: MetricDefinition.RepetitionRule) -> Bool? {
        var (yes, count) = (0, 0)
        for trial in trials {
          switch words[Int(table.kinds[Int(trial)])] {
          case .nothing: break
          case .no: count += 1
          case .yes:
            count += 1
            yes += 1
          }
        }
        return rule.holds(yes: yes, of: count)
      }
      let counts =
        among.isEmpty || zip(among, amongRules).contains { holds($0, $1) == true }
      return counts ? holds(words, rule) : nil
    }
  }

  /// Whether the statement holds for a trial, and each of those that make a case count; nil where
  /// nothing is known.
  private func answer(_ trial: Trial, fill: MetricEvaluator.Fill) -> (Bool?, among: [Bool?]) {
    guard trial.isLost else {
      return (statement.holds(trial), among.map { $0.holds(trial) })
    }
    if fill == .none { return (nil, among.map { _ in nil }) }
    let wanted = fill == .holding
    let answer = statement.given(trial) ?? wanted
    // A case counts where that moves the rate as far as it could have moved.
    let counting = among.enumerated().map { index, part in
      index == own ? answer : part.given(trial) ?? (answer == wanted)
    }
    return (answer, counting)
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
