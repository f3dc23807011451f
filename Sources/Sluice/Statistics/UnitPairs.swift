/// Which units of two tables are the same cases or clusters.
struct UnitPairs: Sendable {
  /// The number of the baseline's unit that each trial of the baseline belongs to.
  private let units: [Int32]
  /// The number of the baseline's unit that is the same as that of each trial of the candidate.
  private let partners: [Int32]
  /// How many numbers there are, of which the last is that of all units without a partner.
  private let count: Int

  init(_ baseline: TrialTable, _ candidate: TrialTable) {
    var numbers: [CountingUnit.Key: Int32] = [:]
    var units = [Int32](repeating: 0, count: baseline.trials.count)
    for unit in 0..<baseline.groups.count {
      let trials = baseline.groups.trials(ofUnit: unit)
      for trial in trials { units[Int(trial)] = Int32(unit) }
      if let first = trials.first { numbers[baseline.key(ofUnitWith: first)] = Int32(unit) }
    }
    let none = Int32(baseline.groups.count)
    var partners = [Int32](repeating: none, count: candidate.trials.count)
    for unit in 0..<candidate.groups.count {
      let trials = candidate.groups.trials(ofUnit: unit)
      guard let first = trials.first, let partner = numbers[candidate.key(ofUnitWith: first)]
      else { continue }
      for trial in trials { partners[Int(trial)] = partner }
    }
    self.units = units
    self.partners = partners
    count = Int(none) + 1
  }

  /// The number of the unit of a trial of the baseline.
  func unit(of trial: Int32) -> Int { Int(units[Int(trial)]) }

  /// The number of the baseline's unit that is the same as that of a trial of the candidate.
  func partner(of trial: Int32) -> Int { Int(partners[Int(trial)]) }

  /// Values of units of the baseline, each named by one of its trials, by the units' numbers.
  func values<Value>(_ values: some Sequence<(Int32, Value)>) -> [Value?] {
    var found = [Value?](repeating: nil, count: count)
    for (trial, value) in values { found[unit(of: trial)] = value }
    return found
  }

  /// Values of units of the candidate, each named by one of its trials, by their partners' numbers.
  func valuesOfPartners<Value>(_ values: some Sequence<(Int32, Value)>) -> [Value?] {
    var found = [Value?](repeating: nil, count: count)
    for (trial, value) in values { found[partner(of: trial)] = value }
    // No unit of the baseline has this number.
    found[count - 1] = nil
    return found
  }
}
