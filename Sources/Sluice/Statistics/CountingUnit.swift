/// What counts once: the cases of a cluster, or a case that belongs to none.
package struct CountingUnit: Sendable {
  /// What pairs the units of two runs.
  package enum Key: Hashable, Sendable {
    case testCase(String)
    case cluster(String)

    init(_ trial: Trial) { self = trial.cluster.map(Key.cluster) ?? .testCase(trial.caseID) }
  }

  package let key: Key
  /// The trials of each case.
  package let cases: [[Trial]]

  /// The units of trials in the order of the suite, each where its first case stands.
  package static func units(of trials: [Trial]) -> [CountingUnit] {
    let groups = UnitGroups(trials)
    return (0..<groups.count).compactMap { unit in
      let cases = groups.cases(ofUnit: unit).map { number in
        groups.trials(ofCase: number).map { trials[Int($0)] }
      }
      return cases.first?.first.map { CountingUnit(key: Key($0), cases: cases) }
    }
  }
}

extension MetricDefinition.RepetitionRule {
  /// Whether a statement holds for the whole, by how it holds for the parts; nil without parts.
  func holds(_ answers: some Collection<Bool>) -> Bool? {
    if answers.isEmpty { return nil }
    return holds(yes: answers.count(where: \.self), of: answers.count)
  }

  /// Whether a statement holds for the whole, by for how many of the parts it does; nil without parts.
  func holds(yes: Int, of count: Int) -> Bool? {
    if count == 0 { return nil }
    switch self {
    case .any: return yes > 0
    case .all: return yes == count
    case .majority: return 2 * yes > count
    }
  }
}
