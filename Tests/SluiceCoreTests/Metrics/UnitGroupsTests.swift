import SampleProjects
@testable import SluiceCore
import Testing

@Suite("Grouping of trials by case and cluster")
struct UnitGroupsTests {
  private func trial(_ id: String, _ cluster: String? = nil, _ repetition: Int = 1) -> Trial {
    var trial = StatisticsTrials.trial(id, repetition: repetition)
    trial.cluster = cluster
    return trial
  }

  private func shape(_ trials: [Trial]) -> [String] {
    var shape: [String] = []
    UnitGroups(trials).forEachCase { unit, places in
      let names = places.map { "\(trials[Int($0)].caseID)\(trials[Int($0)].repetition)" }
      let text = names.joined(separator: " ")
      if Int(unit) < shape.count { shape[Int(unit)] += ", \(text)" } else { shape.append(text) }
    }
    return shape
  }

  @Test("A case forms a unit with its repeats; a cluster forms one unit at its first case")
  func units() {
    let trials = [
      trial("a"), trial("b", "x"), trial("c"), trial("d", "x"), trial("b", "x", 2),
      trial("a", nil, 2), trial("e", "y"), trial("d", "x", 2),
    ]
    #expect(shape(trials) == ["a1 a2", "b1 b2, d1 d2", "c1", "e1"])
    #expect(UnitGroups(trials).caseCount == 5)
    #expect(UnitGroups(trials).hasClusters)
    #expect(!UnitGroups([trial("a"), trial("a", nil, 2), trial("b", "x")]).hasClusters)
    #expect(shape([]) == [])
  }

  @Test("A cluster with the name of a case is a separate unit")
  func names() {
    #expect(shape([trial("x"), trial("a", "x")]) == ["x1", "a1"])
  }

  @Test("The repeats of each case stay together, even if the trials of a cluster are interleaved")
  func mixed() {
    let trials = (1...3).flatMap { repetition in
      ["a", "b", "c"].map { trial($0, "x", repetition) }
    }
    #expect(shape(trials) == ["a1 a2 a3, b1 b2 b3, c1 c2 c3"])
  }

  @Test("A cluster of thousands of cases is grouped quickly")
  func large() {
    let trials = (0..<20_000).map { trial("case-\($0)", "all") }
    #expect(UnitGroups(trials).count == 1)
    #expect(UnitGroups(trials).caseCount == 20_000)
  }

  @Test(
    "A majority is more than half of the repeats, and any is at least one",
    arguments: [
      ([], nil, nil), ([true], true, true), ([false], false, false), ([true, false], false, true),
      ([true, true, false], true, true), ([true, false, false], false, true),
      ([true, true, false, false], false, true), ([false, false, false], false, false),
    ] as [([Bool], Bool?, Bool?)]
  )
  func rules(_ parts: [Bool], _ majority: Bool?, _ any: Bool?) {
    #expect(MetricDefinition.RepetitionRule.majority.holds(parts) == majority)
    #expect(MetricDefinition.RepetitionRule.any.holds(parts) == any)
  }
}
