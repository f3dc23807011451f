import SluiceSupport

/// The cases of two tables, matched by id and identified by numbers.
struct CasePairs: Sendable {
  /// For each trial of the baseline, the number of its case.
  private let cases: [Int32]
  /// For each trial of the candidate, the number of the same case in the baseline.
  private let partners: [Int32]
  /// The cluster number of each case of the baseline.
  private let clusters: [Int32]
  /// True if each case of both tables is a single, independent trial.
  let isPlain: Bool
  /// One more than the largest case number.
  ///
  /// All cases that only the candidate has share one number, the largest.
  private let count: Int

  init(_ baseline: TrialTable, _ candidate: TrialTable) {
    var numbers: [String: Int32] = [:]
    var cases = [Int32](repeating: 0, count: baseline.trials.count)
    var clusters: [Int32] = []
    clusters.reserveCapacity(baseline.groups.caseCount)
    numbers.reserveCapacity(baseline.groups.caseCount)
    baseline.groups.forEachCase { cluster, trials in
      let number = Int32(clusters.count)
      clusters.append(cluster)
      for trial in trials { cases[Int(trial)] = number }
      numbers[baseline.trials[Int(trials[0])].caseID] = number
    }
    let none = Int32(clusters.count)
    var partners = [Int32](repeating: none, count: candidate.trials.count)
    candidate.groups.forEachCase { _, trials in
      let partner = numbers[candidate.trials[Int(trials[0])].caseID]
      guard let partner else { return }
      for trial in trials { partners[Int(trial)] = partner }
    }
    isPlain = baseline.groups.isPlain && candidate.groups.isPlain
    self.cases = cases
    self.partners = partners
    self.clusters = clusters
    count = Int(none) + 1
  }

  /// Returns the case number of a trial of the baseline.
  func number(of trial: Int32) -> Int { Int(cases[Int(trial)]) }

  /// Returns the number of the matching baseline case for a trial of the candidate.
  func partner(of trial: Int32) -> Int { Int(partners[Int(trial)]) }

  /// Returns the cluster number of a baseline case; nil for the largest case number, which
  /// represents cases outside of the baseline.
  func cluster(ofCase number: Int) -> Int32? { number < clusters.count ? clusters[number] : nil }

  /// Returns the values of baseline cases, arranged by case number.
  ///
  /// Each element consists of one trial of a case, and the value of that case.
  func values<Value>(_ values: some Sequence<(Int32, Value)>) -> [Value?] {
    var found = [Value?](repeating: nil, count: count)
    for (trial, value) in values { found[number(of: trial)] = value }
    return found
  }

  /// Returns the values of candidate cases, arranged by the numbers of their baseline cases.
  ///
  /// Each element consists of one trial of a case, and the value of that case.
  func valuesOfPartners<Value>(_ values: some Sequence<(Int32, Value)>) -> [Value?] {
    var found = [Value?](repeating: nil, count: count)
    for (trial, value) in values { found[partner(of: trial)] = value }
    // The largest number represents cases that the baseline does not contain.
    found[count - 1] = nil
    return found
  }
}
