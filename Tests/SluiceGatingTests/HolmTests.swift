import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Holm's correction of several gates")
struct HolmTests {
  private let rule = RegressionRule()

  private func gate(
    _ harmful: Int,
    _ beneficial: Int,
    _ n: Int = 100,
    on scorer: String = "first"
  ) throws -> Decision {
    let change = PairedChange.fixture(harmful, beneficial, n)
    let (verdict, reason) = rule.judge(change)
    return Decision(
      condition: try ConditionParser.parse("no regression in accuracy beyond 5 points"),
      metric: Metric(.passRate(scorer: scorer)),
      estimate: Estimate(rate: n / 2, of: n),
      verdict: verdict,
      reason: reason,
      explanation: "before",
      change: change
    )
  }

  private func column(_ gates: [Decision], isCandidate: Bool = true) -> ColumnResult {
    ColumnResult(
      prompt: "v1",
      promptPath: "",
      backend: "fast",
      isCandidate: isCandidate,
      trials: [],
      metrics: [],
      gates: gates,
      goals: []
    )
  }

  private func adjusted(_ columns: [ColumnResult]) -> [ColumnResult] {
    var columns = columns
    Holm.adjust(&columns, rule: rule)
    return columns
  }

  /// The gates without their corrections.
  private func uncorrected(_ gates: [Decision]) -> [Decision] {
    gates.map { gate in
      var gate = gate
      gate.correction = nil
      return gate
    }
  }

  @Test("A loss that is credible alone but not among several gates is inconclusive")
  func takenBack() throws {
    // Alone, 9 worse and 2 better cases have p = .0174.
    let (loss, nothing) = (try gate(9, 2), try gate(0, 0, on: "second"))
    let more = try gate(0, 0, on: "third")
    #expect(uncorrected(adjusted([column([loss])])[0].gates) == [loss])
    #expect(uncorrected(adjusted([column([loss, nothing])])[0].gates) == [loss, nothing])
    let three = adjusted([column([loss, nothing, more])])[0].gates
    #expect(three.map(\.verdict) == [.inconclusive, .pass, .pass])
    #expect(three[0].reason == .notCredibleTogether)
    #expect(three[0].explanation == "fails alone; not when corrected for 3 gates")
    #expect(three.map(\.failsAlone) == [true, false, false])
    #expect(Array(uncorrected(three).dropFirst()) == [nothing, more])
  }

  @Test("Many gates on one metric count as one gate, so they do not hide a loss")
  func diluted() throws {
    let loss = try gate(9, 2)
    let many = try (0..<40).map { _ in try gate(0, 0, on: "second") }
    #expect(uncorrected(adjusted([column(many + [loss])])[0].gates).last == loss)
  }

  @Test("A waived gate is not counted, so no other gate becomes harder to fail")
  func waived() throws {
    let loss = try gate(9, 2)
    var nothing = try gate(0, 0, on: "second")
    nothing.waiver = Exemption(reason: "soon", until: "2026-12-31")
    let gates = adjusted([column([loss, nothing, nothing])])[0].gates
    #expect(uncorrected(gates) == [loss, nothing, nothing])
    #expect(gates.map(\.correction?.gates) == [1, nil, nil])
  }

  @Test("A loss that is credible among many gates fails and lowers the bar for the next one")
  func kept() throws {
    let (large, loss) = (try gate(20, 0, on: "second"), try gate(9, 2))
    let nothing = try gate(0, 0, on: "third")
    let gates = adjusted([column([loss, large, nothing])])[0].gates
    // The largest loss is tested against three gates, the next one against two.
    #expect(gates.map(\.verdict) == [.fail, .fail, .pass])
  }

  @Test("The gates of all candidate columns are corrected together; other columns are unchanged")
  func columns() throws {
    let (loss, nothing) = (try gate(9, 2), try gate(0, 0, on: "second"))
    let columns = adjusted([
      column([loss], isCandidate: false), column([loss, nothing]), column([nothing]),
    ])
    #expect(columns.map { $0.gates.map(\.verdict) } == [[.fail], [.inconclusive, .pass], [.pass]])
  }

  @Test("Gates without a comparison or verdict are not corrected")
  func others() throws {
    let loss = try gate(9, 2)
    var none = try gate(0, 0)
    (none.verdict, none.reason) = (.noVerdict, .lostTrials)
    let plain = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 1, of: 2))
    let gates = [loss, none, none, plain, plain]
    let decided = adjusted([column(gates)])[0].gates
    #expect(uncorrected(decided) == gates)
    #expect(decided.map { $0.correction != nil } == [true, false, false, false, false])
  }

  @Test("A correction contains the p values, the level of each gate and the interval at that level")
  func correction() throws {
    let (loss, nothing) = (try gate(9, 2), try gate(0, 0, on: "second"))
    let large = try gate(20, 0, on: "third")
    let gates = adjusted([column([loss, nothing, large])])[0].gates
    let corrections = try gates.map { try #require($0.correction) }
    #expect(corrections.map(\.family) == [.suite, .suite, .suite])
    #expect(corrections.map(\.gates) == [3, 3, 3])
    #expect(corrections.map(\.factor) == [2, 1, 3])
    let levels: [Double] = [0.025, 0.05, 0.05 / 3]
    #expect(corrections.map(\.level) == levels)
    #expect(corrections.map(\.confidence) == levels.map { 1 - 2 * $0 })
    #expect(corrections[0].adjustedP == 2 * corrections[0].p)
    #expect(corrections[2].adjustedP == 3 * corrections[2].p)
    #expect(
      gates[0].correctedInterval
        == Tango.interval(harmful: 9, beneficial: 2, of: 100, confidence: 0.95)
    )
    #expect(gates[1].correctedInterval == nothing.change?.interval)
  }

  /// Returns a gate on a separate metric, which fails if the p value is small enough.
  private func gate(p: Double, on scorer: String) throws -> Decision {
    var gate = try gate(0, 0, on: scorer)
    gate.correction = Correction(family: .suite, gates: 1, factor: 1, p: p, adjustedP: p)
    if p <= Correction.familyLevel { (gate.verdict, gate.reason) = (.fail, .credibleRegression) }
    return gate
  }

  @Test("P values are adjusted by Holm's method, and gates after the first miss share its level")
  func vector() throws {
    // The specification's values, in another order.
    let ps = [0.03, 0.004, 0.25, 0.011, 0.02]
    var columns = [column(try ps.map { try gate(p: $0, on: "scorer \($0)") })]
    Holm.adjust(&columns, as: .suite)
    let corrections = columns[0].gates.compactMap(\.correction)
    for (correction, expected) in zip(corrections, [0.06, 0.02, 0.25, 0.044, 0.06]) {
      #expect(abs(correction.adjustedP - expected) < 1e-12)
    }
    #expect(corrections.map(\.factor) == [3, 5, 3, 4, 3])
    #expect(
      columns[0].gates.map(\.verdict) == [.inconclusive, .fail, .pass, .fail, .inconclusive]
    )
  }

  @Test("A failure is taken back exactly if the interval at the corrected level contains 0")
  func intervals() throws {
    for count in [1, 2, 6, 26] {
      let nothing = try (1..<count).map { try gate(0, 0, on: "scorer \($0)") }
      for (harmful, beneficial) in [(6, 0), (7, 1), (9, 2), (11, 3), (14, 2), (20, 4)] {
        let loss = try gate(harmful, beneficial)
        let decided = adjusted([column([loss] + nothing)])[0].gates[0]
        let interval = try #require(decided.correctedInterval)
        #expect((decided.verdict == .fail) == (interval.high < 0), "\(count) \(harmful)")
        #expect(decided.failsAlone)
      }
    }
  }

  @Test("Noise fails a suite with several gates no more often than a suite with one")
  func falseAlarms() throws {
    var random = SeededGenerator(seed: 17)
    for count in [1, 4] {
      var alarms = 0
      for _ in 0..<400 {
        let gates = try (0..<count).map { index in
          var (harmful, beneficial) = (0, 0)
          for _ in 0..<100 {
            let value = Double.random(in: 0..<1, using: &random)
            if value < 0.05 { harmful += 1 } else if value < 0.1 { beneficial += 1 }
          }
          return try gate(harmful, beneficial, on: "scorer \(index)")
        }
        if adjusted([column(gates)])[0].gates.contains(where: { $0.verdict == .fail }) {
          alarms += 1
        }
      }
      #expect(Double(alarms) / 400 < 0.08, "\(count)")
    }
  }
}
