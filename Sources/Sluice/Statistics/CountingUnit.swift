/// What counts once: the cases of a cluster, or a case that belongs to none.
package struct CountingUnit: Sendable {
  /// What pairs the units of two runs.
  package enum Key: Hashable, Sendable {
    case testCase(String)
    case cluster(String)
  }

  package let key: Key
  /// The trials of each case.
  package fileprivate(set) var cases: [[Trial]]

  /// All trials of the unit.
  var trials: some Sequence<Trial> { cases.joined() }

  /// The units of trials in the order of the suite, each where its first case stands.
  package static func units(of trials: some Sequence<Trial>) -> [CountingUnit] {
    var units: [CountingUnit] = []
    var places: [Key: Int] = [:]
    var own: [String: Int] = [:]
    for trial in trials {
      let key = trial.cluster.map(Key.cluster) ?? .testCase(trial.caseID)
      guard let place = places[key] else {
        places[key] = units.count
        own[trial.caseID] = 0
        units.append(CountingUnit(key: key, cases: [[trial]]))
        continue
      }
      if let index = own[trial.caseID], units[place].cases.indices.contains(index),
        units[place].cases[index][0].caseID == trial.caseID
      {
        units[place].cases[index].append(trial)
      } else {
        own[trial.caseID] = units[place].cases.count
        units[place].cases.append([trial])
      }
    }
    return units
  }
}

extension MetricDefinition.RepetitionRule {
  /// Whether a statement holds for the whole, by how it holds for the parts; nil without parts.
  func holds(_ answers: some Collection<Bool>) -> Bool? {
    if answers.isEmpty { return nil }
    let yes = answers.count(where: \.self)
    switch self {
    case .any: return yes > 0
    case .majority: return 2 * yes > answers.count
    }
  }
}
