import SluiceSupport

/// The trials of a column, arranged for fast statistics.
///
/// Many trials have the same scores, so trials are grouped into kinds. A rule is applied to only
/// one trial of each kind.
final class TrialTable: Sendable {
  /// The trials, in suite order.
  let trials: [Trial]
  /// The kind of each trial.
  let kinds: [Int32]
  /// An example trial of each kind.
  ///
  /// All trials of a kind have the same outcome, scores and delivery.
  let examples: [Trial]
  /// The number of trials of each kind.
  let kindCounts: [Int]
  /// The grouping of all trials.
  let groups: UnitGroups
  private let parts = Locked(Parts())

  /// Intermediate results that several metrics share, computed when they are first needed.
  private struct Parts {
    var groups: [String: UnitGroups] = [:]
    var series: [Series: SeriesColumn] = [:]
    var unusual: Unusual?
    var sorted: [SeriesKey: [Double]] = [:]
    var unknownReasons: [SeriesKey: String] = [:]
    var labels: [LabelKey: LabelTable] = [:]
  }

  private struct SeriesKey: Hashable {
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
      let key = KindKey(trial.sheet, trial.outcome, trial.delivery)
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

  /// The properties that determine the kind of a trial.
  ///
  /// Every rule has the same result for trials with the same properties.
  private struct KindKey: Hashable {
    private let sheet: ObjectIdentifier
    private let outcome: UInt8
    private let delivery: UInt8

    /// Hashes only the score sheet, since trials with the same sheet rarely differ in other
    /// properties.
    func hash(into hasher: inout Hasher) { hasher.combine(sheet) }

    init(_ sheet: ScoreSheet, _ outcome: Trial.Outcome, _ delivery: Trial.Output.Delivery?) {
      self.sheet = ObjectIdentifier(sheet)
      switch outcome {
      case .passed: self.outcome = 0
      case .failed: self.outcome = 1
      case .lost: self.outcome = 2
      case .unjudged: self.outcome = 3
      }
      self.delivery = delivery?.rawValue ?? 0
    }
  }

  /// Returns true if a trial was lost.
  ///
  /// Either all trials of a kind are lost, or none of them is.
  func isLost(_ trial: Int32) -> Bool { examples[Int(kinds[Int(trial)])].isLost }

  /// Returns the grouping of the trials that have a tag, or of all trials if the tag is nil.
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

  /// The unusual properties that occur among the trials.
  struct Unusual: Sendable {
    /// True if an answer was streamed.
    var hasStreams = false
    /// True if an answer followed failed attempts.
    var hasWaits = false
    /// True if the server reported the cost of an answer.
    var hasReportedCosts = false
    /// True if a trial contains scores of its case's assertions.
    var hasAssertions = false
  }

  /// The unusual properties that occur among the trials.
  var unusual: Unusual {
    parts.withLock { parts in
      if let known = parts.unusual { return known }
      var made = Unusual()
      made.hasAssertions = examples.contains { trial in
        trial.scores.contains { $0.name.hasPrefix(BoundScorer.casePrefix) }
      }
      for trial in trials where trial.hasUncommonFields {
        guard let output = trial.output else { continue }
        if output.delivery != nil { made.hasStreams = true }
        if output.timings.user != nil { made.hasWaits = true }
        if output.reportedCost != nil { made.hasReportedCosts = true }
      }
      parts.unusual = made
      return made
    }
  }

  /// The measurements of all trials in one series.
  struct SeriesColumn: Sendable {
    /// The measurement of each trial; NaN if the measurement is unknown or does not exist.
    private(set) var values: [Double] = []
    /// For each trial, true if it has an answer whose measurement is unknown.
    private(set) var isUnknown: [Bool] = []
    /// True if the series does not apply to some answers, which therefore have no measurement.
    private(set) var leavesOut = false

    /// Returns true if a trial has an answer.
    func isAnswered(_ trial: Int32) -> Bool { isUnknown[Int(trial)] || !values[Int(trial)].isNaN }

    /// Creates an empty column with capacity for a number of trials.
    private init(count: Int) {
      values.reserveCapacity(count)
      isUnknown.reserveCapacity(count)
    }

    private mutating func append(_ value: Double?, isAnswered: Bool) {
      values.append(value ?? .nan)
      isUnknown.append(value == nil && isAnswered)
    }

    private mutating func append(_ series: Series, _ output: Trial.Output) {
      let applies = series.applies(to: output)
      if !applies { leavesOut = true }
      append(series.value(output), isAnswered: applies)
    }

    /// Creates a column for the same answers as another column, with every measurement unknown.
    private init(unknownLike other: SeriesColumn) {
      values = Array(repeating: .nan, count: other.values.count)
      isUnknown = other.values.indices.map { other.isAnswered(Int32($0)) }
    }

    /// Returns the columns of all series.
    ///
    /// One pass over the trials fills all usual columns, because accessing an answer takes longer
    /// than reading its numbers.
    static func all(_ trials: [Trial]) -> [Series: SeriesColumn] {
      let usual = Series.allCases.filter { !Series.rare.contains($0) }
      var columns = usual.map { _ in SeriesColumn(count: trials.count) }
      var hasUncommonFields = false
      // An answer is large, so it is not copied.
      func add(_ answer: Trial.Output) {
        for place in usual.indices {
          columns[place].append(usual[place].value(answer), isAnswered: true)
        }
      }
      for trial in trials {
        guard trial.isAnswered else {
          for place in usual.indices { columns[place].append(nil, isAnswered: false) }
          continue
        }
        if trial.hasUncommonFields { hasUncommonFields = true }
        add(trial.answer)
      }
      var all = Dictionary(uniqueKeysWithValues: zip(usual, columns))
      guard let latency = all[.latency] else { return all }
      if hasUncommonFields {
        for series in Series.rare { all[series] = SeriesColumn(series, trials) }
      } else {
        let unknown = SeriesColumn(unknownLike: latency)
        for series in Series.rare { all[series] = series == .userLatency ? latency : unknown }
      }
      return all
    }

    /// Creates the column of a series.
    private init(_ series: Series, _ trials: [Trial]) {
      self.init(count: trials.count)
      for trial in trials {
        if trial.isAnswered {
          append(series, trial.answer)
        } else {
          append(nil, isAnswered: false)
        }
      }
    }
  }

  /// Returns the measurements of all trials in a series.
  func column(_ series: Series) -> SeriesColumn {
    let columns = parts.withLock { parts in
      if parts.series.isEmpty { parts.series = SeriesColumn.all(trials) }
      return parts.series
    }
    guard let column = columns[series] else { preconditionFailure("a series without a column") }
    return column
  }

  /// Returns the reason why some measurements of a series are unknown.
  ///
  /// If the tag is not nil, only the answers with this tag count.
  func unknownReason(of series: Series, _ tag: String?) -> String {
    let column = column(series)
    let groups = groups(tag)
    return parts.withLock { parts in
      let key = SeriesKey(series: series, tag: tag)
      if let known = parts.unknownReasons[key] { return known }
      let unknown = groups.trials.lazy.filter { column.isUnknown[Int($0)] }
        .map { self.trials[Int($0)] }
      let made =
        unknown.compactMap { series.fault(of: $0) }.first ?? series.unknownReason(of: unknown)
      parts.unknownReasons[key] = made
      return made
    }
  }

  /// Returns the sorted measurements of the answers with a tag, or of all answers if the tag is
  /// nil.
  ///
  /// Returns nil if a measurement is unknown.
  func sorted(_ series: Series, _ tag: String?) -> [Double]? {
    let column = column(series)
    let groups = groups(tag)
    if groups.trials.contains(where: { column.isUnknown[Int($0)] }) { return nil }
    return parts.withLock { parts in
      let key = SeriesKey(series: series, tag: tag)
      if let known = parts.sorted[key] { return known }
      let made = groups.trials.map { column.values[Int($0)] }.filter { !$0.isNaN }.sorted()
      parts.sorted[key] = made
      return made
    }
  }

  // MARK: Labels

  /// Returns the labels that a scorer found in the answers with a tag, or in all answers if the tag
  /// is nil.
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
