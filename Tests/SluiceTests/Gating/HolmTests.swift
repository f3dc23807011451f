@testable import Sluice
import Testing

@Suite("Several gates at once")
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

  @Test("A loss that is credible alone, and not as the worst of so many gates, is inconclusive")
  func takenBack() throws {
    // Alone 9 worse and 2 better have p = .0174.
    let (loss, nothing) = (try gate(9, 2), try gate(0, 0, on: "second"))
    let more = try gate(0, 0, on: "third")
    #expect(adjusted([column([loss])])[0].gates == [loss])
    #expect(adjusted([column([loss, nothing])])[0].gates == [loss, nothing])
    let three = adjusted([column([loss, nothing, more])])[0].gates
    #expect(three.map(\.verdict) == [.inconclusive, .pass, .pass])
    #expect(three[0].reason == .notCredibleTogether)
    #expect(
      three[0].explanation == "credible for this gate alone, and not as the worst of 3"
    )
    #expect(Array(three.dropFirst()) == [nothing, more])
  }

  @Test("Many gates on one metric are one, so that none is hidden among them")
  func diluted() throws {
    let loss = try gate(9, 2)
    let many = try (0..<40).map { _ in try gate(0, 0, on: "second") }
    #expect(adjusted([column(many + [loss])])[0].gates.last == loss)
  }

  @Test("A waived gate fails nothing, so it makes no other gate harder to fail")
  func waived() throws {
    let loss = try gate(9, 2)
    var nothing = try gate(0, 0, on: "second")
    nothing.waiver = Exemption(reason: "soon", until: "2026-12-31")
    #expect(adjusted([column([loss, nothing, nothing])])[0].gates[0] == loss)
  }

  @Test("A loss that is credible among many still fails, and helps the next one")
  func kept() throws {
    let (large, loss) = (try gate(20, 0, on: "second"), try gate(9, 2))
    let nothing = try gate(0, 0, on: "third")
    let gates = adjusted([column([loss, large, nothing])])[0].gates
    // The largest is tested against three, what is left against two.
    #expect(gates.map(\.verdict) == [.fail, .fail, .pass])
  }

  @Test("The gates of all columns that decide count together; other columns are left alone")
  func columns() throws {
    let (loss, nothing) = (try gate(9, 2), try gate(0, 0, on: "second"))
    let columns = adjusted([
      column([loss], isCandidate: false), column([loss, nothing]), column([nothing]),
    ])
    #expect(columns.map { $0.gates.map(\.verdict) } == [[.fail], [.inconclusive, .pass], [.pass]])
  }

  @Test("Gates that compare nothing, or have no verdict, take no part")
  func others() throws {
    let loss = try gate(9, 2)
    var none = try gate(0, 0)
    (none.verdict, none.reason) = (.noVerdict, .lostTrials)
    let plain = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 1, of: 2))
    let gates = [loss, none, none, plain, plain]
    #expect(adjusted([column(gates)])[0].gates == gates)
  }

  @Test("Noise fails a suite of several gates no more often than one of one gate")
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
