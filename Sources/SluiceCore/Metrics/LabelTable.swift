import SluiceSupport
import SluiceStatistics

/// The expected and the predicted label of each answer, grouped by case.
///
/// Each case has a weight of 1, divided equally among its judged repeats.
struct LabelTable: Sendable {
  /// An expected label and a prediction.
  ///
  /// Labels are represented by their indices.
  struct Pair: Hashable, Sendable {
    var expected: Int
    var given: Given<Int>

    /// The predicted label; nil if the answer did not predict a label.
    var predicted: Int? {
      if case .label(let label) = given { label } else { nil }
    }
  }

  /// The prediction of an answer: a label, an invalid text or an abstention.
  enum Given<Label: Hashable & Sendable>: Hashable, Sendable {
    case label(Label)
    /// A text that is not a label.
    case invalid
    /// An abstention.
    case abstained

    /// The index of the prediction in ``LabelMargins/others``; nil for a label.
    fileprivate var other: Int? {
      switch self {
      case .label: nil
      case .invalid: 0
      case .abstained: 1
      }
    }
  }

  /// The distinct pairs of expected label and prediction.
  private let pairs: [Pair]
  /// For each judged answer, the index in ``pairs`` of its labels.
  ///
  /// The answers of a case are adjacent.
  private let answers: [Int32]
  /// The cases with at least one judged answer.
  private let rows: [Row]
  /// The labels that were expected or predicted, sorted.
  private let labels: [String]
  private let totals: [Counts]
  /// For each pair, the number of its answers.
  private let pairCounts: [Int]
  /// For each pair, the weight of its answers.
  private let pairWeights: [Double]
  /// True if a cluster has two or more cases.
  let hasClusters: Bool

  /// A case.
  private struct Row {
    /// The index of one of the case's trials.
    var trial: Int32
    var cluster: Int32
    /// The index in ``answers`` after the last answer of the case.
    var end: Int32
    /// The weight of each answer of the case.
    var weight: Double
  }

  typealias Counts = LabelMargins.Counts

  /// Reads the labels of a scorer.
  ///
  /// - Parameters:
  ///   - table: The trials.
  ///   - groups: The trials to count, grouped by case and unit.
  ///   - scorer: The name of the scorer that determined the labels.
  init(_ table: TrialTable, _ groups: UnitGroups, scorer: String) {
    let found = Labels(table.examples, scorer: scorer)
    hasClusters = groups.hasClusters
    var answers: [Int32] = []
    var rows: [Row] = []
    answers.reserveCapacity(groups.trials.count)
    rows.reserveCapacity(groups.caseCount)
    var counts = [Int](repeating: 0, count: found.pairs.count)
    var weights = [Double](repeating: 0, count: found.pairs.count)
    groups.forEachCase { cluster, trials in
      let start = answers.count
      for trial in trials {
        if let pair = found.pairOfKind[Int(table.kinds[Int(trial)])] { answers.append(pair) }
      }
      guard answers.count > start else { return }
      let weight = 1 / Double(answers.count - start)
      for pair in answers[start...] {
        counts[Int(pair)] += 1
        weights[Int(pair)] += weight
      }
      rows.append(
        Row(trial: trials[0], cluster: cluster, end: Int32(answers.count), weight: weight)
      )
    }
    var totals = [Counts](repeating: Counts(), count: found.names.count)
    for (pair, weight) in zip(found.pairs, weights) { Self.add(pair, weight, to: &totals) }
    self.answers = answers
    self.rows = rows
    pairs = found.pairs
    pairCounts = counts
    pairWeights = weights
    labels = found.names
    self.totals = totals
  }

  /// The labels in the example trials of a table.
  private struct Labels {
    /// The labels, sorted.
    ///
    /// Some labels may occur only in trials that do not count.
    let names: [String]
    /// The distinct pairs of expected label and prediction.
    private(set) var pairs: [Pair] = []
    private var numbers: [Pair: Int32] = [:]
    /// For each example trial, the index in ``pairs`` of its labels; nil if there is no expected
    /// label.
    private(set) var pairOfKind: [Int32?] = []

    init(_ examples: [Trial], scorer: String) {
      var places: [ExactString: Int] = [:]
      var names: [String] = []
      func place(_ label: String) -> Int {
        if let known = places[ExactString(label)] { return known }
        places[ExactString(label)] = names.count
        names.append(label)
        return names.count - 1
      }
      let pairs = examples.map { trial in
        trial.label(of: scorer, MetricDefinition.expectedLabel).map { expected in
          let label = trial.label(of: scorer, MetricDefinition.predictedLabel)
          let abstains = trial.score(of: scorer)?.measurements[MetricDefinition.abstained]
          return Pair(
            expected: place(expected),
            given: label.map { .label(place($0)) } ?? (abstains == true ? .abstained : .invalid)
          )
        }
      }
      let order = names.indices.sorted { names[$0] < names[$1] }
      var ranks = [Int](repeating: 0, count: names.count)
      for (rank, place) in order.enumerated() { ranks[place] = rank }
      self.names = order.map { names[$0] }
      pairOfKind = pairs.map { pair in
        pair.map {
          let given: Given<Int>
          if case .label(let label) = $0.given {
            given = .label(ranks[label])
          } else {
            given = $0.given
          }
          return number(Pair(expected: ranks[$0.expected], given: given))
        }
      }
    }

    private mutating func number(_ pair: Pair) -> Int32 {
      if let known = numbers[pair] { return known }
      let number = Int32(pairs.count)
      numbers[pair] = number
      pairs.append(pair)
      return number
    }
  }

  /// The number of judged cases.
  var caseCount: Int { rows.count }

  /// Calls a closure for each case.
  ///
  /// For each answer to the case, the closure gets the index of the answer's labels in ``pairs``.
  private func forEachRow(_ body: (Row, ArraySlice<Int32>) -> Void) {
    var start = 0
    for row in rows {
      body(row, answers[start..<Int(row.end)])
      start = Int(row.end)
    }
  }

  private static func add(_ pair: Pair, _ weight: Double, to counts: inout [Counts]) {
    counts[pair.expected].expected += weight
    guard let predicted = pair.predicted else { return }
    counts[predicted].predicted += weight
    if predicted == pair.expected { counts[predicted].right += weight }
  }

  // MARK: Classes

  /// Returns each case's contributions to the numerator and the denominator of a class statistic.
  ///
  /// Cases that contribute nothing to the denominator are left out.
  func fractions(_ statistic: MetricDefinition.ClassStatistic, of label: String)
    -> [SumStatistic.Term]
  {
    guard let place = place(of: label) else { return [] }
    var terms: [SumStatistic.Term] = []
    forEachRow { row, answers in
      let (part, whole) = counts(of: place, answers, weight: row.weight).fraction(statistic)
      if whole > 0 { terms.append(SumStatistic.Term(row.trial, row.cluster, part, whole)) }
    }
    return terms
  }

  private func counts(of place: Int, _ answers: ArraySlice<Int32>, weight: Double) -> Counts {
    var counts = Counts()
    for number in answers {
      let pair = pairs[Int(number)]
      let isPredicted = pair.predicted == place
      counts.expected += pair.expected == place ? weight : 0
      counts.predicted += isPredicted ? weight : 0
      counts.right += isPredicted && pair.expected == place ? weight : 0
    }
    return counts
  }

  private func place(of label: String) -> Int? {
    labels.firstIndex { $0.isIdentical(to: label) }
  }

  /// Returns the cases in the denominator of a per-class rate, each with its weights in the
  /// numerator and the denominator.
  ///
  /// For recall, these are the cases in which the class was expected. For precision, these are the
  /// cases in which the class was predicted.
  func rows(_ statistic: MetricDefinition.ClassStatistic, of label: String) -> [RateSample.Row] {
    guard let place = place(of: label) else { return [] }
    var found: [RateSample.Row] = []
    forEachRow { row, answers in
      let counts = counts(of: place, answers, weight: row.weight)
      let weight = statistic == .recall ? counts.expected : counts.predicted
      guard weight > 0 else { return }
      found.append(
        RateSample.Row(
          trial: row.trial,
          cluster: row.cluster,
          holding: counts.right,
          weight: weight,
          repeats: Int32((weight / row.weight).rounded())
        )
      )
    }
    return found
  }

  // MARK: All classes

  /// The number of classes that were expected or predicted.
  private var usedCount: Int { totals.count { $0.expected + $0.predicted > 0 } }

  /// Returns the unweighted mean of a statistic over all classes; nil if nothing was counted.
  ///
  /// `without` contains, for each case, the mean over all other cases (the jackknife).
  func mean(_ statistic: MetricDefinition.ClassStatistic)
    -> (whole: Double, without: [SumStatistic.Contribution])?
  {
    let used = usedCount
    guard used > 0 else { return nil }
    let values = totals.map { $0.value(statistic) }
    let sum = values.reduce(0, +)
    var counts = totals
    /// Returns the mean that results if a case is left out.
    ///
    /// Leaving out a case changes the statistic only for the classes of its answers.
    func mean(without answers: ArraySlice<Int32>, _ weight: Double) -> Double {
      var touched: [Int] = []
      for number in answers {
        let pair = pairs[Int(number)]
        Self.add(pair, -weight, to: &counts)
        for label in [pair.expected, pair.predicted ?? pair.expected]
        where !touched.contains(label) {
          touched.append(label)
        }
      }
      let change = touched.reduce(0) { $0 + counts[$1].value(statistic) - values[$1] }
      for label in touched { counts[label] = totals[label] }
      return (sum + change) / Double(used)
    }
    return (sum / Double(used), withoutEach(mean))
  }

  /// Returns a statistic over all classes; nil if the statistic is undefined.
  ///
  /// `without` contains, for each case, the statistic over all other cases (the jackknife).
  func value(_ statistic: MetricDefinition.LabelStatistic)
    -> (whole: Double, without: [SumStatistic.Contribution])?
  {
    var others = [0.0, 0]
    for (pair, weight) in zip(pairs, pairWeights) {
      if let place = pair.given.other { others[place] += weight }
    }
    let all = LabelMargins(classes: totals, others: others)
    guard let whole = all.value(statistic) else { return nil }
    let without = withoutEach { answers, weight in
      var margins = all
      for number in answers {
        let pair = pairs[Int(number)]
        Self.add(pair, -weight, to: &margins.classes)
        if let place = pair.given.other { margins.others[place] -= weight }
      }
      // If the statistic is undefined without a case, the statistic counts as unchanged.
      return margins.value(statistic) ?? whole
    }
    return (whole, without)
  }

  /// Returns, for each case, the value that results if this case is left out.
  ///
  /// The closure receives the answers to leave out and the weight of each answer.
  private func withoutEach(_ value: (ArraySlice<Int32>, Double) -> Double)
    -> [SumStatistic.Contribution]
  {
    var without: [SumStatistic.Contribution] = []
    without.reserveCapacity(rows.count)
    // Most cases have one answer, and few answers are distinct, so values are cached.
    var known = [Double?](repeating: nil, count: pairs.count)
    forEachRow { row, answers in
      let found: Double
      if answers.count == 1, let number = answers.first.map(Int.init) {
        found = known[number] ?? value(answers, row.weight)
        known[number] = found
      } else {
        found = value(answers, row.weight)
      }
      without.append(
        SumStatistic.Contribution(trial: row.trial, cluster: row.cluster, value: found)
      )
    }
    return without
  }

  /// The number of answers for each pair of expected and predicted label.
  var cells: [(expected: String, given: Given<String>, count: Int)] {
    zip(pairs, pairCounts).filter { $1 > 0 }.map { pair, count in
      let given: Given<String> =
        switch pair.given {
        case .label(let label): .label(labels[label])
        case .invalid: .invalid
        case .abstained: .abstained
        }
      return (labels[pair.expected], given, count)
    }
  }
}
