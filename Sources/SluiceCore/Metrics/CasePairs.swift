import SluiceSupport

/// The cases that two tables share, by number, with the clusters that they come in.
struct CasePairs: Sendable {
  /// The number of the baseline's case that each trial of the baseline belongs to.
  private let cases: [Int32]
  /// The number of the baseline's case that is the same as that of each trial of the candidate.
  private let partners: [Int32]
  /// For each case of the baseline, the number of its cluster.
  private let clusters: [Int32]
  /// True where each case of both tables is one trial and one cluster.
  let isPlain: Bool
  /// The number of numbers, of which the last is that of all cases without a partner.
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

  /// The number of the case of a trial of the baseline.
  func number(of trial: Int32) -> Int { Int(cases[Int(trial)]) }

  /// The number of the baseline's case that is the same as that of a trial of the candidate.
  func partner(of trial: Int32) -> Int { Int(partners[Int(trial)]) }

  /// The number of the cluster of a case of the baseline; of one without a partner none.
  func cluster(ofCase number: Int) -> Int32? { number < clusters.count ? clusters[number] : nil }

  /// Values of cases of the baseline, each named by one of its trials, by the cases' numbers.
  func values<Value>(_ values: some Sequence<(Int32, Value)>) -> [Value?] {
    var found = [Value?](repeating: nil, count: count)
    for (trial, value) in values { found[number(of: trial)] = value }
    return found
  }

  /// Values of cases of the candidate, each named by one of its trials, by their partners' numbers.
  func valuesOfPartners<Value>(_ values: some Sequence<(Int32, Value)>) -> [Value?] {
    var found = [Value?](repeating: nil, count: count)
    for (trial, value) in values { found[partner(of: trial)] = value }
    // No case of the baseline has this number.
    found[count - 1] = nil
    return found
  }
}
