import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

/// The worst failing gates in words.
@Suite("The reasons of a failing run")
struct FailureReasonsTests {
  private static func run(_ gates: [Decision]) -> RunResult {
    var result = RunResult.everywhere("inbox")
    result.suites[0].columns[0].gates = gates
    return result
  }

  private static let accuracy = Decision.fixture(
    "accuracy >= 95%",
    .fail,
    Estimate(rate: 274, of: 355),
    bound: 0.95
  )

  private static func regression(_ name: String, harmful: Int) -> Decision {
    var gate = Decision.fixture(
      "no regression in \(name) beyond 4 points",
      .fail,
      Estimate(rate: 274, of: 355)
    )
    gate.condition.reference = MetricReference(aggregate: nil, name: name)
    gate.change = PairedChange.fixture(harmful, 0, 355, margin: 0.04)
    return gate
  }

  @Test("A missed requirement names the figure and what it needs")
  func requirement() {
    #expect(
      FailureReasons(Self.run([Self.accuracy])).sentence == "Accuracy 77.2%, needs 95%."
    )
  }

  @Test("A regression names its size and the margin")
  func regression() {
    #expect(
      FailureReasons(Self.run([Self.regression("accuracy", harmful: 81)])).sentence
        == "Accuracy fell by 22.8 points, at most 4 points allowed."
    )
  }

  @Test("Of several gates the two worst figures are named, in the order of the suite")
  func worst() {
    let gates = [
      Self.regression("accuracy", harmful: 81), Self.regression("recall", harmful: 20),
      Self.regression("precision", harmful: 40), Self.accuracy,
    ]
    #expect(
      FailureReasons(Self.run(gates)).sentence
        == "Accuracy 77.2%, needs 95%; precision fell by 11.3 points, at most 4 points allowed."
    )
  }

  @Test("Nothing is named where no gate fails")
  func none() {
    let gate = Decision.fixture("accuracy >= 50%", .pass, Estimate(rate: 274, of: 355))
    #expect(FailureReasons(Self.run([gate])).sentence == nil)
  }

  @Test(
    "Bounds are written as people write them",
    arguments: [
      (0.95, Quantity.rate, "95%"), (0.995, .rate, "99.5%"), (1_000, .time, "1 s"),
      (0.004, .money, "$0.00400"), (900, .count, "900"), (12.5, .count, "12.5"),
    ]
  )
  func bounds(value: Double, quantity: Quantity, text: String) {
    #expect(NumberText.bound(value, quantity) == text)
  }
}
