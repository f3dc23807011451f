import SluiceSupport

/// The trials of a list, grouped by case, and the cases grouped by unit.
///
/// A unit is a cluster, or a case without a cluster.
///
/// Trials are identified by their indices. If each unit has one trial, as usual, the ends of cases
/// and units need not be stored.
package struct UnitGroups: Sendable {
  /// The key of a unit: a cluster, or a case without a cluster.
  private enum Key: Hashable {
    case testCase(String)
    case cluster(String)

    init(_ trial: Trial) { self = trial.cluster.map(Key.cluster) ?? .testCase(trial.caseID) }
  }

  /// The trials, ordered by unit and then by case.
  ///
  /// Units are ordered by their first trial.
  private let order: [Int32]
  /// For each case, the index in ``order`` after its last trial; nil if each unit has one trial.
  private let caseEnds: [Int32]?
  /// For each unit, the index in ``caseEnds`` after its last case.
  private let unitEnds: [Int32]

  /// Groups trials.
  ///
  /// - Parameters:
  ///   - trials: The list.
  ///   - selected: The indices of the trials that count, in order; nil if all trials count.
  package init(_ trials: [Trial], selected: [Int32]? = nil) {
    let places = selected ?? trials.indices.map(Int32.init)
    if Self.areUnits(places, of: trials) {
      (order, caseEnds, unitEnds) = (places, nil, [])
      return
    }
    var units: [Key: Int32] = [:]
    units.reserveCapacity(places.count)
    /// The first case of each unit.
    ///
    /// Only a cluster can have further cases.
    var firstCases: [Int32] = []
    var clusterCases: [ClusterCase: Int32] = [:]
    /// The unit of each case.
    var unitOfCase: [Int32] = []
    /// The case of each trial.
    var caseOfTrial: [Int32] = []
    unitOfCase.reserveCapacity(places.count)
    caseOfTrial.reserveCapacity(places.count)
    for place in places {
      let next = Int32(unitOfCase.count)
      let newUnit = Int32(firstCases.count)
      let unit = Self.inserted(&units[Key(trials[Int(place)]), default: newUnit])
      if unit == newUnit { firstCases.append(next) }
      var own = firstCases[Int(unit)]
      if trials[Int(place)].cluster != nil {
        let key = ClusterCase(unit: unit, caseID: trials[Int(place)].caseID)
        own = Self.inserted(&clusterCases[key, default: next])
      }
      if own == next { unitOfCase.append(unit) }
      caseOfTrial.append(own)
    }
    guard units.count < places.count else {
      (order, caseEnds, unitEnds) = (places, nil, [])
      return
    }
    let (cases, unitEnds) = Self.sorted(unitOfCase, into: units.count)
    var ranks = [Int32](repeating: 0, count: cases.count)
    for (rank, place) in cases.enumerated() { ranks[Int(place)] = Int32(rank) }
    let (sorted, caseEnds) = Self.sorted(
      caseOfTrial.map { ranks[Int($0)] },
      into: cases.count
    )
    order = sorted.map { places[Int($0)] }
    self.caseEnds = caseEnds
    self.unitEnds = unitEnds
  }

  /// Returns true if each trial is obviously a unit: no case has a cluster, and the ids of the
  /// cases ascend.
  private static func areUnits(_ places: [Int32], of trials: [Trial]) -> Bool {
    var names = RisingNames()
    return places.allSatisfy { place in
      let trial = trials[Int(place)]
      return trial.cluster == nil && names.rise(to: trial.caseID)
    }
  }

  /// A case of a cluster.
  private struct ClusterCase: Hashable {
    var unit: Int32
    var caseID: String
  }

  /// Returns the value of a dictionary entry.
  ///
  /// The caller's `default:` subscript inserts a missing entry.
  private static func inserted(_ entry: inout Int32) -> Int32 { entry }

  /// Sorts the indices of some numbers stably by number.
  ///
  /// Returns the sorted indices, and for each number the position after its last index.
  private static func sorted(_ numbers: [Int32], into count: Int) -> (order: [Int32], ends: [Int32])
  {
    var ends = [Int32](repeating: 0, count: count)
    for number in numbers { ends[Int(number)] += 1 }
    var next = ends
    var sum: Int32 = 0
    for number in ends.indices {
      next[number] = sum
      sum += ends[number]
      ends[number] = sum
    }
    var order = [Int32](repeating: 0, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      order[Int(next[Int(number)])] = Int32(place)
      next[Int(number)] += 1
    }
    return (order, ends)
  }

  // MARK: Reading

  /// The number of units in the list.
  var count: Int { caseEnds == nil ? order.count : unitEnds.count }

  /// All trials, unit by unit.
  var trials: [Int32] { order }

  /// True if each unit is one trial.
  ///
  /// The trial of unit `i` is then `trials[i]`.
  var isPlain: Bool { caseEnds == nil }

  /// The number of cases.
  var caseCount: Int { caseEnds?.count ?? order.count }

  /// True if a unit contains two or more cases.
  var hasClusters: Bool { unitEnds.count < (caseEnds?.count ?? 0) }

  /// Calls a closure for each case, with its unit and its trials.
  ///
  /// Each case has at least one trial.
  package func forEachCase(_ body: (Int32, UnsafeBufferPointer<Int32>) -> Void) {
    order.withUnsafeBufferPointer { order in
      guard let caseEnds else {
        for place in order.indices {
          body(Int32(place), UnsafeBufferPointer(rebasing: order[place..<place + 1]))
        }
        return
      }
      var (start, number) = (0, 0)
      for unit in unitEnds.indices {
        while number < Int(unitEnds[unit]) {
          let end = Int(caseEnds[number])
          body(Int32(unit), UnsafeBufferPointer(rebasing: order[start..<end]))
          start = end
          number += 1
        }
      }
    }
  }

  /// Returns the indices of a unit's cases.
  func cases(ofUnit unit: Int) -> Range<Int> {
    if isPlain { return unit..<unit + 1 }
    return (unit > 0 ? Int(unitEnds[unit - 1]) : 0)..<Int(unitEnds[unit])
  }

  /// Returns the trials of a case.
  func trials(ofCase number: Int) -> ArraySlice<Int32> {
    guard let caseEnds else { return order[number..<number + 1] }
    return order[(number > 0 ? Int(caseEnds[number - 1]) : 0)..<Int(caseEnds[number])]
  }

  /// Returns the trials of a unit.
  func trials(ofUnit unit: Int) -> ArraySlice<Int32> {
    guard let caseEnds else { return order[unit..<unit + 1] }
    let cases = cases(ofUnit: unit)
    let start = cases.lowerBound > 0 ? Int(caseEnds[cases.lowerBound - 1]) : 0
    return order[start..<Int(caseEnds[cases.upperBound - 1])]
  }
}
