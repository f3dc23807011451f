/// The expected and the given label of each case, unit by unit, for the statistics of classes.
///
/// With several repetitions the label of a case is the one that more than half of them gave.
struct LabelTable: Sendable {
  /// A case: which label was expected, and which was given; nil for none of the labels.
  struct Pair: Sendable {
    var expected: Int
    var predicted: Int?
  }

  /// A unit with its cases that were judged.
  struct Row: Sendable {
    var key: CountingUnit.Key
    var pairs: [Pair]
  }

  /// The labels that were expected or given, sorted.
  let labels: [String]
  /// The units with a case that was judged, in the order of the suite.
  let rows: [Row]
  private let totals: [Counts]

  /// How often a class was expected, given, and both.
  struct Counts: Sendable {
    var right = 0
    var expected = 0
    var predicted = 0

    /// A statistic as what stands above and below the line.
    func fraction(_ statistic: MetricDefinition.ClassStatistic) -> (part: Double, whole: Double) {
      switch statistic {
      case .precision: (Double(right), Double(predicted))
      case .recall: (Double(right), Double(expected))
      case .f1: (Double(2 * right), Double(expected + predicted))
      }
    }

    /// A statistic; one that is undefined counts as 0, as in scikit-learn's mean over classes.
    func value(_ statistic: MetricDefinition.ClassStatistic) -> Double {
      let (part, whole) = fraction(statistic)
      return whole > 0 ? part / whole : 0
    }
  }

  init(_ units: [CountingUnit], scorer: String) {
    var places: [ExactString: Int] = [:]
    var names: [String] = []
    func place(_ label: String) -> Int {
      if let known = places[ExactString(label)] { return known }
      places[ExactString(label)] = names.count
      names.append(label)
      return names.count - 1
    }
    var rows: [Row] = []
    for unit in units {
      let pairs = unit.cases.compactMap { trials -> Pair? in
        let scores = trials.compactMap { $0.score(of: scorer)?.measurements }
          .filter { $0[MetricDefinition.expectedLabel]?.string != nil }
        guard let expected = scores.first?[MetricDefinition.expectedLabel]?.string else {
          return nil
        }
        var counts: [Int: Int] = [:]
        for score in scores {
          guard let label = score[MetricDefinition.predictedLabel]?.string else { continue }
          counts[place(label), default: 0] += 1
        }
        return Pair(
          expected: place(expected),
          predicted: counts.first { 2 * $0.value > scores.count }?.key
        )
      }
      if !pairs.isEmpty { rows.append(Row(key: unit.key, pairs: pairs)) }
    }
    // Labels that no case ended with are those of a minority of its repetitions alone.
    let order = names.indices.sorted { names[$0] < names[$1] }
    var ranks = [Int](repeating: 0, count: names.count)
    for (rank, place) in order.enumerated() { ranks[place] = rank }
    var totals = [Counts](repeating: Counts(), count: names.count)
    for row in rows.indices {
      for index in rows[row].pairs.indices {
        var pair = rows[row].pairs[index]
        pair = Pair(expected: ranks[pair.expected], predicted: pair.predicted.map { ranks[$0] })
        rows[row].pairs[index] = pair
        Self.add(pair, 1, to: &totals)
      }
    }
    labels = order.map { names[$0] }
    self.rows = rows
    self.totals = totals
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
    -> [(key: CountingUnit.Key, part: Double, whole: Double)]
  {
    guard let place = place(of: label) else { return [] }
    return rows.compactMap { row in
      var counts = Counts()
      for pair in row.pairs {
        let isPredicted = pair.predicted == place
        counts.expected += pair.expected == place ? 1 : 0
        counts.predicted += isPredicted ? 1 : 0
        counts.right += isPredicted && pair.expected == place ? 1 : 0
      }
      let (part, whole) = counts.fraction(statistic)
      return whole > 0 ? (row.key, part, whole) : nil
    }
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
    return rows.compactMap { row in
      let answers = row.pairs.compactMap { pair -> Bool? in
        let isExpected = pair.expected == place
        let isPredicted = pair.predicted == place
        if statistic == .recall { return isExpected ? isPredicted : nil }
        return isPredicted ? isExpected : nil
      }
      return MetricDefinition.RepetitionRule.majority.holds(answers).map {
        MetricEvaluator.Tally(key: row.key, holds: $0)
      }
    }
  }

  // MARK: All classes

  /// How many classes have a case.
  private var usedCount: Int { totals.count { $0.expected + $0.predicted > 0 } }

  /// The unweighted mean of a statistic over all classes, and what it is without each unit.
  func mean(_ statistic: MetricDefinition.ClassStatistic)
    -> (whole: Double, without: [(key: CountingUnit.Key, value: Double)])?
  {
    let used = usedCount
    guard used > 0 else { return nil }
    let values = totals.map { $0.value(statistic) }
    let sum = values.reduce(0, +)
    var counts = totals
    let without = rows.map { row in
      // A unit moves the classes of its own cases alone.
      var touched: Set<Int> = []
      for pair in row.pairs {
        Self.add(pair, -1, to: &counts)
        touched.insert(pair.expected)
        if let predicted = pair.predicted { touched.insert(predicted) }
      }
      let change = touched.reduce(0) { $0 + counts[$1].value(statistic) - values[$1] }
      for pair in row.pairs { Self.add(pair, 1, to: &counts) }
      return (row.key, (sum + change) / Double(used))
    }
    return (sum / Double(used), without)
  }
}

/// The label tables of one column, each made when it is first asked for.
final class LabelTables: Sendable {
  private let tables = Locked<[String: LabelTable]>([:])

  func table(_ scorer: String, of units: [CountingUnit]) -> LabelTable {
    tables.withLock { tables in
      if let known = tables[scorer] { return known }
      let made = LabelTable(units, scorer: scorer)
      tables[scorer] = made
      return made
    }
  }
}
