import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing

@Suite("Age of prices")
struct PriceAgeTests {
  private static let prices = PriceList(prices: [
    "dated": .init(input: 1, output: 1, asOf: CivilDay(iso8601: "2026-06-01")),
    "other": .init(input: 1, output: 1, asOf: CivilDay(iso8601: "2026-06-02")),
    "undated": .init(input: 1, output: 1),
  ])

  private func ages(
    _ answers: [Provenance],
    cost: Double? = 1,
    judging: [JudgeWork] = [],
    prices: PriceList = Self.prices
  ) -> [PriceAge] {
    let trials = answers.map { provenance in
      var output = Trial.Output(ModelResponse(text: "", provenance: provenance), cost: cost)
      output.judging = judging
      return StatisticsTrials.trial("a", output: output)
    }
    let column = ColumnResult(
      prompt: "v1",
      promptPath: "v1.yaml",
      backend: "fast",
      isCandidate: true,
      trials: trials,
      metrics: [],
      gates: [],
      goals: []
    )
    return PriceAge.all(of: [column], prices, models: ["fast": "dated"])
  }

  private func answer(_ model: String?, _ day: String?) -> Provenance {
    Provenance(model: model, date: day.map { "\($0)T12:00:00Z" })
  }

  @Test(
    "Prices that are dated more than 90 days before or after the newest answer are far from it",
    arguments: [
      (["2026-06-01"], nil), (["2026-08-30"], nil), (["2026-08-31"], 91), (["2026-03-03"], nil),
      (["2026-03-02"], -91), (["2026-01-01", "2026-08-30"], nil),
      (["2026-09-30", "2026-10-30"], 151),
    ] as [([String], Int?)]
  )
  func days(days: [String], age: Int?) {
    let found = ages(days.map { answer("dated", $0) })
    #expect(found.filter(\.isFar).map(\.days) == (age.map { [$0] } ?? []))
    #expect(
      found.allSatisfy {
        $0.model == "dated" && $0.day == "2026-06-01" && $0.newestAnswer == days.max()
      }
    )
  }

  @Test("Answers are grouped by model; an unnamed model is the backend's")
  func models() {
    let found = ages([
      answer("other", "2026-12-01"), answer(nil, "2026-12-02"), answer("undated", "2026-12-03"),
      answer("other-20260601", "2026-12-04"),
    ])
    #expect(
      found == [
        PriceAge(model: "dated", day: "2026-06-01", newestAnswer: "2026-12-02", days: 184),
        PriceAge(model: "other", day: "2026-06-02", newestAnswer: "2026-12-01", days: 182),
      ]
    )
  }

  @Test("A dated version of a model has that model's prices")
  func versions() {
    let found = ages([answer("dated-2026-06-01", "2026-12-02")])
    #expect(
      found == [PriceAge(model: "dated", day: "2026-06-01", newestAnswer: "2026-12-02", days: 184)]
    )
  }

  @Test("Answers without a price from the price file are ignored")
  func unpriced() {
    #expect(ages([answer("dated", "2026-12-01")], cost: nil) == [])
    #expect(ages([answer("dated", nil)]) == [])
    var provenance = answer("dated", "2026-12-01")
    provenance.standIn = "rules"
    #expect(ages([provenance]) == [])
    provenance = answer("dated", "2026-12-01")
    provenance.via = .files
    #expect(ages([provenance]) == [])
    #expect(ages([answer("dated", "2026-12-01")], prices: PriceList()) == [])
  }

  @Test("The verdicts of judges count as answers")
  func judges() throws {
    let json = try JSONReader.value(
      Array(
        #"""
        {"scorer": "tone", "backend": "judge", "requests": 1, "cost": 1,
         "answered-by": {"model": "other", "date": "2026-12-01T00:00:00Z"}}
        """#.utf8
      )
    )
    let work = try #require(JudgeWork(json: json))
    #expect(ages([answer("undated", "2026-12-01")], judging: [work]).map(\.model) == ["other"])
  }
}
