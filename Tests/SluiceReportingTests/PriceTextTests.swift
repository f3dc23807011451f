import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Notes about prices")
struct PriceTextTests {
  private func suite(_ name: String, _ ages: (String, Int)...) -> SuiteResult {
    var suite = SuiteResult(
      name: name,
      path: "",
      source: .recorded,
      caseCount: 1,
      repetitions: 1,
      columns: []
    )
    suite.datedPrices = ages.map { model, days in
      PriceAge(model: model, day: "2026-03-02", newestAnswer: "2026-11-24", days: days)
    }
    return suite
  }

  @Test("A note has the model, the date of its prices and their distance from the answers")
  func single() {
    #expect(
      PriceText.notes([suite("tone", ("gpt-4o", 267), ("m-1", -100))]) == [
        "prices of gpt-4o are from 2026-03-02, 267 days before the answers",
        "prices of m-1 are from 2026-03-02, 100 days after the answers",
      ]
    )
    #expect(PriceText.notes([suite("tone")]) == [])
  }

  @Test(
    "The dates of prices are one phrase; models are named only if something about them differs",
    arguments: [
      ([("a", "2026-11-20", 4), ("b", "2026-11-20", 4)], "costs use the prices of 2026-11-20"),
      (
        [("a", "2026-11-20", 4), ("b", "2026-10-01", 54), ("c", "2026-10-01", 54)],
        "costs use the prices of 2026-10-01 (b; c), 2026-11-20 (a)"
      ),
      (
        [("a", "2026-03-02", 267), ("b", "2027-03-04", -100)],
        "costs use the prices of 2026-03-02 (a, 267 days before its answers), "
          + "2027-03-04 (b, 100 days after its answers)"
      ),
      ([], nil),
    ] as [([(String, String, Int)], String?)]
  )
  func dates(ages: [(model: String, day: String, days: Int)], text: String?) {
    let ages = ages.map {
      PriceAge(model: $0.model, day: $0.day, newestAnswer: "2026-11-24", days: $0.days)
    }
    #expect(PriceText.dates(ages) == text)
  }

  @Test("Suites with the same model share a note")
  func several() {
    #expect(
      PriceText.notes([
        suite("tone", ("m", 267)), suite("clarity", ("m", 200)), suite("faq", ("n", 100)),
        suite("reply", ("m", 100)), suite("summary", ("m", 300)),
      ]) == [
        "prices of m are from 2026-03-02, up to 300 days before the answers "
          + "(tone, clarity, reply and 1 more)",
        "prices of n are from 2026-03-02, 100 days before the answers (faq)",
      ]
    )
  }

  @Test(
    "A price is in dollars per million tokens, with at least two decimals",
    arguments: [
      (2.5e-6, "2.50"), (1.5e-7, "0.15"), (7.5e-8, "0.075"), (1e-5, "10.00"), (0, "0.00"),
      (3.125e-6, "3.125"), (1e-12, "0.000001"), (0.03, "30000.00"),
    ]
  )
  func amount(price: Double, text: String) {
    #expect(PriceText.amount(price) == text)
  }
}
