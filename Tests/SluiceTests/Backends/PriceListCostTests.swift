import Sluice
import Testing

@Suite("Cost of an answer")
struct PriceListCostTests {
  private let prices = PriceList(prices: [
    "plain": PriceList.Price(input: 2, output: 10),
    "caching": PriceList.Price(input: 2, output: 10, cachedInput: 0.5),
    "free": PriceList.Price(input: 0, output: 0),
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
}
