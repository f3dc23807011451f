/// The expected and the given label of each case, unit by unit, for the statistics of classes.
///
/// With several repetitions the label of a case is the one that more than half of them gave.
struct LabelTable: Sendable {
  /// A case: which label was expected, and what was given.
  struct Pair: Hashable, Sendable {
    var expected: Int
    var given: Given<Int>

    /// The label that was given; nil for none of the labels.
    var predicted: Int? {
      if case .label(let label) = given { label } else { nil }
    }
  }

  /// What was given for a case.
  enum Given<Label: Hashable & Sendable>: Hashable, Sendable {
    case label(Label)
    /// None of the labels.
    case invalid
    /// The answer that it is not known.
    case abstained
    /// Not the same in more than half of the repetitions.
    case undecided

    /// The place among what is no label.
    fileprivate var other: Int? {
      switch self {
      case .label: nil
      case .invalid: 0
      case .abstained: 1
      case .undecided: 2
      }
    }
  }

  /// The different pairs that cases come to; few as a rule.
  private let pairs: [Pair]
  /// Which pair each case that was judged comes to, unit by unit, in the order of the suite.
  private var cases: [Int32] = []
  /// A trial of each unit with a case that was judged, and where its pairs end.
  private var rows: [(trial: Int32, end: Int32)] = []
  /// The labels that were expected or given, sorted.
  private let labels: [String]
  private let totals: [Counts]
  /// How often each pair came.
  private let pairCounts: [Int]

  typealias Counts = LabelMargins.Counts

  /// Reads the labels of a scorer.
  ///
  /// - Parameters:
  ///   - table: The trials.
  ///   - groups: Which of them count, and how.
  ///   - scorer: The scorer's name.
  init(_ table: TrialTable, _ groups: UnitGroups, scorer: String) {
    var found = Labels(table.examples, scorer: scorer)
    cases.reserveCapacity(groups.count)
    rows.reserveCapacity(groups.count)
    if groups.isPlain {
      for trial in groups.trials {
        guard let pair = found.pairOfKind[Int(table.kinds[Int(trial)])] else { continue }
        cases.append(pair)
        rows.append((trial, Int32(cases.count)))
      }
    }
    for unit in 0..<(groups.isPlain ? 0 : groups.count) {
      let before = cases.count
      for number in groups.cases(ofUnit: unit) {
        let trials = groups.trials(ofCase: number)
        if let pair = found.pair(of: trials.lazy.map { table.kinds[Int($0)] }) {
          cases.append(pair)
        }
      }
      guard cases.count > before, let first = groups.trials(ofUnit: unit).first else { continue }
      rows.append((first, Int32(cases.count)))
    }
    var counts = [Int](repeating: 0, count: found.pairs.count)
    for pair in cases { counts[Int(pair)] += 1 }
    var totals = [Counts](repeating: Counts(), count: found.names.count)
    for (pair, count) in zip(found.pairs, counts) { Self.add(pair, count, to: &totals) }
    pairs = found.pairs
    pairCounts = counts
    labels = found.names
    self.totals = totals
  }

  /// The labels of each kind of trials.
  private struct Labels {
    /// The labels, sorted; of those of single trials some may be the label of no case.
    let names: [String]
    /// The different pairs of the label that was expected and the one that was given.
    private(set) var pairs: [Pair] = []
    private var numbers: [Pair: Int32] = [:]
    /// The number of the pair of each kind; nil for a kind that was not judged.
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

    /// The number of a case's pair by the kinds of its trials; nil where none was judged.
    mutating func pair(of kinds: some Collection<Int32>) -> Int32? {
      if kinds.count == 1, let kind = kinds.first { return pairOfKind[Int(kind)] }
      let judged = kinds.compactMap { pairOfKind[Int($0)].map { pairs[Int($0)] } }
      guard let expected = judged.first?.expected else { return nil }
      var counts: [Given<Int>: Int] = [:]
      for pair in judged { counts[pair.given, default: 0] += 1 }
      let given = counts.first { 2 * $0.value > judged.count }?.key ?? .undecided
      return number(Pair(expected: expected, given: given))
    }
  }

  /// How many cases were judged.
  var caseCount: Int { cases.count }

  /// Tells of each unit one of its trials, and the numbers of its pairs.
  private func forEachRow(_ body: (Int32, ArraySlice<Int32>) -> Void) {
    var start = 0
    for row in rows {
      body(row.trial, cases[start..<Int(row.end)])
      start = Int(row.end)
    }
  }

  private static func add(_ pair: Pair, _ sign: Int, to counts: inout [Counts]) {
    counts[pair.expected].expected += sign
    guard let predicted = pair.predicted else { return }
    counts[predicted].predicted += sign
    if predicted == pair.expected { counts[predicted].right += sign }
  }

  // MARK: Classes

  /// For each unit that a statistic of a class is about, what it adds above and below the line.
  func fractions(_ statistic: MetricDefinition.ClassStatistic, of label: String)
    -> [SumStatistic.Term]
  {
    guard let place = place(of: label) else { return [] }
    var terms: [SumStatistic.Term] = []
    forEachRow { trial, cases in
      var counts = Counts()
      for number in cases {
        let pair = pairs[Int(number)]
        let isPredicted = pair.predicted == place
        counts.expected += pair.expected == place ? 1 : 0
        counts.predicted += isPredicted ? 1 : 0
        counts.right += isPredicted && pair.expected == place ? 1 : 0
      }
      let (part, whole) = counts.fraction(statistic)
      if whole > 0 { terms.append((trial, part, whole)) }
    }
    return terms
  }

  /// How many cases a statistic of a class rests on.
  func count(_ statistic: MetricDefinition.ClassStatistic, of label: String) -> Int {
    guard let place = place(of: label) else { return 0 }
    let counts = totals[place]
    switch statistic {
    case .precision: return counts.predicted
    case .recall: return counts.expected
    case .f1: return counts.expected + counts.predicted - counts.right
    }
  }

  private func place(of label: String) -> Int? {
    labels.firstIndex { $0.isIdentical(to: label) }
  }

  /// The units for which a rate of a class counts, and whether it holds: recall among the cases of the
  /// class, precision among those that were given it.
  func tallies(_ statistic: MetricDefinition.ClassStatistic, of label: String)
    -> [MetricEvaluator.Tally]
  {
    guard let place = place(of: label) else { return [] }
    var tallies: [MetricEvaluator.Tally] = []
    forEachRow { trial, cases in
      var (yes, count) = (0, 0)
      for number in cases {
        let pair = pairs[Int(number)]
        let isExpected = pair.expected == place
        let isPredicted = pair.predicted == place
        guard statistic == .recall ? isExpected : isPredicted else { continue }
        count += 1
        yes += isExpected && isPredicted ? 1 : 0
      }
      if let holds = MetricDefinition.RepetitionRule.majority.holds(yes: yes, of: count) {
        tallies.append(MetricEvaluator.Tally(trial: trial, holds: holds))
      }
    }
    return tallies
  }

  // MARK: All classes

  /// How many classes have a case.
  private var usedCount: Int { totals.count { $0.expected + $0.predicted > 0 } }

  /// The unweighted mean of a statistic over all classes, and what it is without each unit.
  func mean(_ statistic: MetricDefinition.ClassStatistic)
    -> (whole: Double, without: [(trial: Int32, value: Double)])?
  {
    let used = usedCount
    guard used > 0 else { return nil }
    let values = totals.map { $0.value(statistic) }
    let sum = values.reduce(0, +)
    var counts = totals
    /// The mean without a unit, which moves the classes of its own cases alone.
    func mean(without cases: ArraySlice<Int32>) -> Double {
      var touched: [Int] = []
      for number in cases {
        let pair = pairs[Int(number)]
        Self.add(pair, -1, to: &counts)
        for label in [pair.expected, pair.predicted ?? pair.expected]
        where !touched.contains(label) {
          touched.append(label)
        }
      }
      let change = touched.reduce(0) { $0 + counts[$1].value(statistic) - values[$1] }
      for number in cases { Self.add(pairs[Int(number)], 1, to: &counts) }
      return (sum + change) / Double(used)
    }
    return (sum / Double(used), withoutEach(mean))
  }

  /// A statistic over all classes, and what it is without each unit; nil where it is undefined.
  func value(_ statistic: MetricDefinition.LabelStatistic)
    -> (whole: Double, without: [(trial: Int32, value: Double)])?
  {
    var others = [0, 0, 0]
    for (pair, count) in zip(pairs, pairCounts) {
      if let place = pair.given.other { others[place] += count }
    }
    let all = LabelMargins(classes: totals, others: others)
    guard let whole = all.value(statistic) else { return nil }
    let without = withoutEach { cases in
      var margins = all
      for number in cases {
        let pair = pairs[Int(number)]
        Self.add(pair, -1, to: &margins.classes)
        if let place = pair.given.other { margins.others[place] -= 1 }
      }
      // Where it is undefined without a unit, the unit says nothing about it.
      return margins.value(statistic) ?? whole
    }
    return (whole, without)
  }

  /// A number without each unit, given how it is without some pairs.
  private func withoutEach(_ value: (ArraySlice<Int32>) -> Double)
    -> [(trial: Int32, value: Double)]
  {
    var without: [(trial: Int32, value: Double)] = []
    without.reserveCapacity(rows.count)
    // Most units are one case, and few such differ.
    var known = [Double?](repeating: nil, count: pairs.count)
    forEachRow { trial, cases in
      guard cases.count == 1, let number = cases.first.map(Int.init) else {
        without.append((trial, value(cases)))
        return
      }
      let found = known[number] ?? value(cases)
      known[number] = found
      without.append((trial, found))
    }
    return without
  }

  /// How often what was given where which label was expected.
  var cells: [(expected: String, given: Given<String>, count: Int)] {
    zip(pairs, pairCounts).filter { $1 > 0 }.map { pair, count in
      let given: Given<String> =
        switch pair.given {
        case .label(let label): .label(labels[label])
        case .invalid: .invalid
        case .abstained: .abstained
        case .undecided: .undecided
        }
      return (labels[pair.expected], given, count)
    }
  }
}
