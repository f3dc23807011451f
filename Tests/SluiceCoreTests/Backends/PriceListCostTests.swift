import Sluice
import Testing

@Suite("Cost of an answer")
struct PriceListCostTests {
  private let prices = PriceList(prices: [
    "plain": PriceList.Price(input: 2, output: 10),
    "caching": PriceList.Price(input: 2, output: 10, cachedInput: 0.5),
    "free": PriceList.Price(input: 0, output: 0),
    "writing": PriceList.Price(input: 2, output: 10, cachedInput: 0.5, cacheWrite: 3),
    "thinking": PriceList.Price(input: 2, output: 10, reasoning: 4),
    "long": PriceList.Price(
      input: 2,
      output: 10,
      cachedInput: 0.5,
      tiers: [.init(above: 10, input: 4), .init(above: 20, input: 8, output: 20, cachedInput: 1)]
    ),
  ])

  @Test(
    "It is the tokens times their prices",
    arguments: [
      ("plain", TokenUsage(input: 3, output: 4), 46.0),
      ("plain", TokenUsage(input: 3, cachedInput: 2, output: 4), 46),
      ("caching", TokenUsage(input: 3, output: 4), 46),
      ("caching", TokenUsage(input: 3, cachedInput: 2, output: 4), 43),
      // Reasoning is part of the output.
      ("plain", TokenUsage(input: 3, output: 4, reasoning: 4), 46),
      // Azure has been seen to count more cached tokens than tokens.
      ("caching", TokenUsage(input: 3, cachedInput: 5, output: 4), 41.5),
      ("writing", TokenUsage(input: 5, cachedInput: 2, output: 0, cacheWrite: 1), 8),
      ("writing", TokenUsage(input: 5, cachedInput: 2, output: 0, cacheWrite: 9), 10),
      ("caching", TokenUsage(input: 5, output: 0, cacheWrite: 1), 10),
      ("thinking", TokenUsage(input: 0, output: 4, reasoning: 3), 22),
      ("thinking", TokenUsage(input: 0, output: 4, reasoning: 5), 16),
      ("thinking", TokenUsage(input: 0, output: 4), 40),
      // The price of a long request holds for all of its tokens, and from the next one on.
      ("long", TokenUsage(input: 10, output: 1), 30),
      ("long", TokenUsage(input: 11, output: 1), 54),
      ("long", TokenUsage(input: 11, cachedInput: 1, output: 1), 50.5),
      ("long", TokenUsage(input: 21, cachedInput: 1, output: 1), 181),
      ("free", TokenUsage(input: 3, output: 4), 0),
      ("plain", TokenUsage(input: 0, output: 0), 0),
    ]
  )
  func known(model: String, usage: TokenUsage, cost: Double) {
    #expect(prices.cost(of: usage, model: model) == cost)
  }

  @Test(
    "It is unknown without a price or without both counts",
    arguments: [
      ("unpriced", TokenUsage(input: 3, output: 4)), ("plain", TokenUsage(input: 3)),
      ("plain", TokenUsage(output: 4)), ("plain", TokenUsage()), ("plain", nil),
      ("", TokenUsage(input: 3, output: 4)), ("Plain", TokenUsage(input: 3, output: 4)),
    ]
  )
  func unknown(model: String, usage: TokenUsage?) {
    #expect(prices.cost(of: usage, model: model) == nil)
  }

  @Test("What the server says counts where there is no price, and only there")
  func reported() {
    var response = ModelResponse(
      text: "",
      usage: TokenUsage(input: 3, output: 4),
      provenance: Provenance(model: "unpriced")
    )
    #expect(prices.cost(of: response, asking: "plain") == nil)
    response.reportedCost = 0.5
    #expect(prices.cost(of: response, asking: "plain") == 0.5)
    response.provenance.model = nil
    #expect(prices.cost(of: response, asking: "plain") == 46)
  }
}
