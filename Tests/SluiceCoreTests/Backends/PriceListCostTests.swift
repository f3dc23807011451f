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
      longRequests: [
        .init(above: 10, .init(input: 4)),
        .init(above: 20, .init(input: 8, output: 20, cachedInput: 1)),
      ]
    ),
    "lasting": PriceList.Price(
      input: 2,
      output: 10,
      cachedInput: 0.5,
      cacheWrite: 3,
      longCacheWrite: 6
    ),
    "thinking at length": PriceList.Price(
      input: 2,
      output: 10,
      reasoning: 10,
      longRequests: [.init(above: 10, .init(output: 20))]
    ),
    "tiers": PriceList.Price(
      input: 2,
      output: 10,
      cachedInput: 0.5,
      cacheWrite: 3,
      longCacheWrite: 6,
      reasoning: 4,
      longRequests: [.init(above: 10, .init(input: 4))],
      tiers: [
        "batch": .init(.init(input: 1, output: 5)),
        "flex": .init(
          .init(
            input: 1,
            output: 5,
            cachedInput: 0.25,
            cacheWrite: 1.5,
            longCacheWrite: 3,
            reasoning: 2
          ),
          longRequests: [.init(above: 10, .init(input: 2))]
        ),
        "half": .init(.init(input: 1)),
      ]
    ),
    "same": PriceList.Price(
      input: 2,
      output: 10,
      reasoning: 10,
      tiers: ["flex": .init(.init(input: 1, output: 5))]
    ),
  ])

  @Test(
    "The cost is the sum of the token counts times their prices",
    arguments: [
      ("plain", TokenUsage(input: 3, output: 4), 46.0),
      ("plain", TokenUsage(input: 3, cachedInput: 2, output: 4), 46),
      ("caching", TokenUsage(input: 3, output: 4), 46),
      ("caching", TokenUsage(input: 3, cachedInput: 2, output: 4), 43),
      // Reasoning is part of the output.
      ("plain", TokenUsage(input: 3, output: 4, reasoning: 4), 46),
      ("writing", TokenUsage(input: 5, cachedInput: 2, output: 0, cacheWrite: 1), 8),
      ("caching", TokenUsage(input: 5, output: 0, cacheWrite: 1), 10),
      ("thinking", TokenUsage(input: 0, output: 4, reasoning: 3), 22),
      ("thinking", TokenUsage(input: 0, output: 4), 40),
      // If a request exceeds the limit by one token, the price of a long request applies to all
      // tokens.
      ("long", TokenUsage(input: 10, output: 1), 30),
      ("long", TokenUsage(input: 11, output: 1), 54),
      ("long", TokenUsage(input: 11, cachedInput: 1, output: 1), 50.5),
      ("long", TokenUsage(input: 21, cachedInput: 1, output: 1), 181),
      ("free", TokenUsage(input: 3, output: 4), 0),
      ("plain", TokenUsage(input: 0, output: 0), 0),
    ]
  )
  func known(model: String, usage: TokenUsage, cost: Double) {
    #expect(prices.pricing(of: usage, model: model) == .cost(cost))
  }

  @Test(
    "If a part of the tokens is larger than the whole, the cost is unknown",
    arguments: [
      TokenUsage(input: 3, cachedInput: 5, output: 4),
      TokenUsage(input: 5, cachedInput: 2, output: 0, cacheWrite: 9),
      TokenUsage(input: 5, output: 0, longCacheWrite: 9),
      TokenUsage(input: 10, output: 0, cacheWrite: 3, longCacheWrite: 9),
      TokenUsage(input: 0, output: 4, reasoning: 5),
    ]
  )
  func contradictory(usage: TokenUsage) {
    for model in prices.prices.keys {
      #expect(prices.pricing(of: usage, model: model) == .unknown(.doubt(.contradiction)))
    }
  }

  static let lifetimeCosts: [(TokenUsage, Double)] = [
    (TokenUsage(input: 10, output: 0), 20),
    (TokenUsage(input: 10, cachedInput: 2, output: 0, cacheWrite: 3), 20),
    (TokenUsage(input: 10, cachedInput: 2, output: 0, cacheWrite: 3, longCacheWrite: 2), 26),
    (TokenUsage(input: 10, cachedInput: 2, output: 0, cacheWrite: 3, longCacheWrite: 3), 29),
    (TokenUsage(input: 10, output: 0, longCacheWrite: 1), 24),
  ]

  @Test(
    "The plain input excludes cache reads and cache writes, which are priced by lifetime",
    arguments: lifetimeCosts
  )
  func lifetimes(usage: TokenUsage, cost: Double) {
    #expect(prices.pricing(of: usage, model: "lasting") == .cost(cost))
  }

  @Test(
    "Another service tier has its own prices, and its name matches in any letter case",
    arguments: [
      ("tiers", "flex", TokenUsage(input: 4, output: 2), 14.0),
      ("tiers", "FLEX", TokenUsage(input: 4, output: 2), 14),
      ("tiers", "flex", TokenUsage(input: 4, cachedInput: 4, output: 2, reasoning: 1), 8),
      ("tiers", "flex", TokenUsage(input: 4, output: 0, cacheWrite: 4, longCacheWrite: 1), 7.5),
      ("tiers", "flex", TokenUsage(input: 11, output: 1), 27),
      ("tiers", "batch", TokenUsage(input: 4, cachedInput: 0, output: 2, cacheWrite: 0), 14),
      // If reasoning costs as much as output in the standard tier, it does so in every tier.
      ("same", "flex", TokenUsage(input: 4, output: 2, reasoning: 1), 14),
      ("same", "flex", TokenUsage(input: 4, cachedInput: 4, output: 2), 14),
    ]
  )
  func tiers(model: String, tier: String, usage: TokenUsage, cost: Double) {
    #expect(prices.pricing(of: usage, model: model, tier: tier) == .cost(cost))
  }

  @Test("If reasoning costs as much as output, it also does so in a long request")
  func longReasoning() {
    let usage = TokenUsage(input: 11, output: 2, reasoning: 1)
    #expect(prices.pricing(of: usage, model: "thinking at length") == .cost(62))
  }

  static let lacks: [(String, String?, TokenUsage, String)] = [
    ("unpriced", nil, TokenUsage(input: 3, output: 4), "no price for the model"),
    ("unpriced", "flex", TokenUsage(input: 3, output: 4), "no price for the model"),
    ("plain", "priority", TokenUsage(input: 3, output: 4), "no price for the tier 'priority'"),
    ("plain", "batch", TokenUsage(input: 3, output: 4), "no batch price for the model"),
    ("tiers", "half", TokenUsage(input: 3, output: 4), "no price for the tier 'half'"),
    (
      "plain", "\n\u{1B}[31m", TokenUsage(input: 0, output: 0),
      "no price for the tier '???31m'"
    ),
    (
      "tiers", "batch", TokenUsage(input: 3, cachedInput: 1, output: 4),
      "no batch price for cache reads"
    ),
    (
      "tiers", "batch", TokenUsage(input: 3, output: 4, cacheWrite: 1),
      "no batch price for cache writes"
    ),
    (
      "tiers", "batch", TokenUsage(input: 3, output: 4, cacheWrite: 1, longCacheWrite: 1),
      "no batch price for cache writes of the longer lifetime"
    ),
    (
      "tiers", "batch", TokenUsage(input: 3, output: 4, reasoning: 1),
      "no batch price for reasoning"
    ),
    ("tiers", "batch", TokenUsage(input: 11, output: 4), "no batch price for long requests"),
    (
      "writing", nil, TokenUsage(input: 3, output: 4, cacheWrite: 2, longCacheWrite: 1),
      "no price for cache writes of the longer lifetime"
    ),
    ("plain", nil, TokenUsage(input: 3), "the server sent only a part of the usage"),
    ("plain", "flex", TokenUsage(output: 3), "the server sent only a part of the usage"),
    ("unpriced", "flex", TokenUsage(), "the server sent no usage"),
  ]

  @Test(
    "A missing price makes the cost unknown; the price of another tier is never used",
    arguments: lacks
  )
  func lacking(model: String, tier: String?, usage: TokenUsage, reason: String) {
    let pricing = prices.pricing(of: usage, model: model, tier: tier)
    #expect(pricing.lack?.reason == reason)
    #expect(pricing.cost == nil)
  }

  @Test(
    "A dated version of the requested model has that model's price; other names do not",
    arguments: [
      ("plain", "plain-20251001", "plain"), ("plain", "plain-2025-10-01", "plain"),
      ("plain", nil, "plain"), ("other", "plain-20251001", "plain-20251001"),
      ("plain", "plain-mini", "plain-mini"), ("plain", "plain-2", "plain-2"),
      ("unlisted", "unlisted-20251001", "unlisted-20251001"), ("plain", "tiers", "tiers"),
    ] as [(String, String?, String)]
  )
  func datedVersions(asked: String, answered: String?, name: String) {
    #expect(prices.name(of: answered, asking: asked) == name)
  }

  @Test("Answers from a batch service or the tier 'batch' have batch prices")
  func batches() {
    var response = ModelResponse(
      text: "",
      usage: TokenUsage(input: 4, output: 2),
      provenance: Provenance(model: "tiers")
    )
    #expect(prices.pricing(of: response, asking: "") == .cost(28))
    response.serviceTier = "batch"
    #expect(prices.pricing(of: response, asking: "") == .cost(14))
    response.serviceTier = "priority"
    response.provenance.via = .batch
    #expect(prices.pricing(of: response, asking: "") == .cost(14))
  }

  @Test(
    "The cost is unknown without a price or without both token counts",
    arguments: [
      ("unpriced", TokenUsage(input: 3, output: 4)), ("plain", TokenUsage(input: 3)),
      ("plain", TokenUsage(output: 4)), ("plain", TokenUsage()), ("plain", nil),
      ("", TokenUsage(input: 3, output: 4)), ("Plain", TokenUsage(input: 3, output: 4)),
    ]
  )
  func unknown(model: String, usage: TokenUsage?) {
    #expect(prices.pricing(of: usage, model: model).cost == nil)
  }

  @Test("The server's own cost is used only if the list has no price")
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
