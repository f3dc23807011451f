/// The trials of a column as statistics go through them: as numbers in columns.
///
/// Few trials differ in how they were judged, so they are sorted into kinds. A rule is applied to one
/// trial of each kind; the rest is counting.
final class TrialTable: Sendable {
  /// The trials, in the order of the suite.
  let trials: [Trial]
  /// Of which kind each trial is.
  let kinds: [Int32]
  /// A trial of each kind: those of a kind have the same outcome and the same scores.
  let examples: [Trial]
  /// How many trials there are of each kind.
  let kindCounts: [Int]
  /// How all trials count.
  let groups: UnitGroups
  private let parts = Locked(Parts())

  /// What is made when it is first asked for, as metrics share it.
  private struct Parts {
    var groups: [String: UnitGroups] = [:]
    var series: [Series: SeriesColumn] = [:]
    var sorted: [SortedSeries: [Double]] = [:]
    var labels: [LabelKey: LabelTable] = [:]
  }

  private struct SortedSeries: Hashable {
    var series: Series
    var tag: String?
  }

  private struct LabelKey: Hashable {
    var scorer: String
    var tag: String?
  }

  init(_ trials: [Trial]) {
    self.trials = trials
    groups = UnitGroups(trials)
    var numbers: [KindKey: Int32] = [:]
    var kinds: [Int32] = []
    kinds.reserveCapacity(trials.count)
    var firsts: [Int] = []
    var counts: [Int] = []
    for (place, trial) in trials.enumerated() {
      let key = KindKey(trial.sheet, trial.outcome)
      let kind: Int32
      if let known = numbers[key] {
        kind = known
      } else {
        kind = Int32(firsts.count)
        numbers[key] = kind
        firsts.append(place)
        counts.append(0)
      }
      kinds.append(kind)
      counts[Int(kind)] += 1
    }
    self.kinds = kinds
    examples = firsts.map { trials[$0] }
    kindCounts = counts
  }

  /// What makes two trials the same to every rule.
  private struct KindKey: Hashable {
    private let sheet: ObjectIdentifier
    private let outcome: UInt8

    init(_ sheet: ScoreSheet, _ outcome: Trial.Outcome) {
      self.sheet = ObjectIdentifier(sheet)
      switch outcome {
      case .passed: self.outcome = 0
      case .failed: self.outcome = 1
      case .lost: self.outcome = 2
      }
    }
  }

  /// Whether all trials of a kind were lost; all or none of them are.
  func isLost(_ trial: Int32) -> Bool { examples[Int(kinds[Int(trial)])].isLost }

  /// What pairs the units of two tables.
  func key(ofUnitWith trial: Int32) -> CountingUnit.Key { CountingUnit.Key(trials[Int(trial)]) }

  /// How the trials with a tag count, or all.
  func groups(_ tag: String?) -> UnitGroups {
    guard let tag else { return groups }
    return parts.withLock { parts in
      if let known = parts.groups[tag] { return known }
      let selected = trials.indices.filter { trials[$0].tags.contains(tag) }
      let made = UnitGroups(trials, selected: selected.map(Int32.init))
      parts.groups[tag] = made
      return made
    }
  }

  // MARK: Series

  /// The measurements of all trials.
  struct SeriesColumn: Sendable {
    /// A measurement of each trial; not a number where it is unknown, or there is no answer.
    var values: [Double]
    /// Whether there is an answer whose measurement is unknown.
    var isUnknown: [Bool]

    /// Whether a trial has an answer.
    func isAnswered(_ trial: Int32) -> Bool { isUnknown[Int(trial)] || !values[Int(trial)].isNaN }

    /// A column with room for so many trials.
    private init(count: Int) {
      values = []
      isUnknown = []
      values.reserveCapacity(count)
      isUnknown.reserveCapacity(count)
    }

    private mutating func append(_ value: Double?, isAnswered: Bool) {
      values.append(value ?? .nan)
      isUnknown.append(value == nil && isAnswered)
    }

    /// The columns of all series: the trials are gone through once, since getting at an answer takes
    /// longer than reading a number of it.
    static func all(_ trials: [Trial]) -> [Series: SeriesColumn] {
      let all = Series.allCases
      var columns = all.map { _ in SeriesColumn(count: trials.count) }
      for trial in trials {
        guard let output = trial.output else {
          for place in all.indices { columns[place].append(nil, isAnswered: false) }
          continue
        }
        for place in all.indices {
          columns[place].append(all[place].value(output), isAnswered: true)
        }
      }
      return Dictionary(uniqueKeysWithValues: zip(all, columns))
    }
  }

  /// The measurements of all trials, by their places.
  func column(_ series: Series) -> SeriesColumn {
    let columns = parts.withLock { parts in
      if parts.series.isEmpty { parts.series = SeriesColumn.all(trials) }
      return parts.series
    }
    guard let column = columns[series] else { preconditionFailure("a series without a column") }
    return column
  }

  /// The measurements of the answers with a tag, or of all, sorted; nil when one is unknown.
  func sorted(_ series: Series, _ tag: String?) -> [Double]? {
    let column = column(series)
    let groups = groups(tag)
    if groups.trials.contains(where: { column.isUnknown[Int($0)] }) { return nil }
    return parts.withLock { parts in
      let key = SortedSeries(series: series, tag: tag)
      if let known = parts.sorted[key] { return known }
      let made = groups.trials.map { column.values[Int($0)] }.filter { !$0.isNaN }.sorted()
      parts.sorted[key] = made
      return made
    }
  }

  // MARK: Labels

  /// The labels that a scorer found in the answers with a tag, or in all.
  func labels(_ scorer: String, _ tag: String?) -> LabelTable {
    let groups = groups(tag)
    return parts.withLock { parts in
      let key = LabelKey(scorer: scorer, tag: tag)
      if let known = parts.labels[key] { return known }
      let made = LabelTable(self, groups, scorer: scorer)
      parts.labels[key] = made
      return made
    }
  }
}
