import SampleProjects
import Sluice
import Testing

@Suite("Budget in sluice.yaml")
struct BudgetReaderTests {
  private func fixture(_ budget: String) throws -> ProjectFixture {
    try ProjectFixture().replacing(
      "prices: prices.json",
      with: "prices: prices.json\nbudget: \(budget)",
      in: ProjectFixture.configuration
    )
  }

  @Test(
    "A budget can limit cost, requests, tokens and time independently",
    arguments: [
      (
        "{cost: 5, requests: 1000, tokens: 2000000, time: 600}",
        Budget(cost: 5, requests: 1_000, tokens: 2_000_000, time: .seconds(600))
      ),
      ("{cost: 0.05}", Budget(cost: 0.05)), ("{time: 0.5}", Budget(time: .milliseconds(500))),
      ("{}", Budget()),
    ]
  )
  func valid(text: String, budget: Budget) throws {
    let loaded = try fixture(text).load()
    #expect(loaded.diagnostics == [])
    #expect(loaded.budget == budget)
  }

  @Test("A configuration without a budget has no limits")
  func none() { #expect(ProjectFixture().load().budget == Budget()) }

  @Test(
    "An invalid limit is an error at its position",
    arguments: [
      ("5", "9: error: 'budget' must be a mapping, not a number"),
      ("{cost: 0}", "16: error: 'cost' must be more than 0 US dollars"),
      ("{cost: -1}", "16: error: 'cost' must be more than 0 US dollars"),
      ("{cost: $5}", "16: error: 'cost' must be a number, not a text"),
      ("{requests: 0}", "20: error: 'requests' must be between 1 and 1000000000, not 0"),
      ("{tokens: 1.5}", "18: error: 'tokens' must be a whole number, not 1.5"),
      ("{time: 0}", "16: error: 'time' must be between 0.001 and 86400 seconds"),
      ("{money: 5}", "10: error: unknown key 'money' in 'budget'"),
    ]
  )
  func wrong(text: String, message: String) throws {
    let report = try fixture(text).report()
    #expect(report.split(separator: "\n").first.map(String.init) == "sluice.yaml:7:\(message)")
  }
}
