@testable import SluiceCore
import Testing

@Suite("Unknown cost")
struct UnknownCostTests {
  static let reasons: [([PriceList.Lack], String)] = [
    ([], "no price for the model"),
    ([.model, .model], "no price for the model"),
    ([.tier("flex")], "no price for the tier 'flex'"),
    ([.tier("batch")], "no batch price for the model"),
    ([.usage], "the server sent no usage"),
    ([.partOfUsage], "the server sent only a part of the usage"),
    ([.doubt(.invalid)], "the server sent a token count that is not a whole number"),
    ([.doubt(.contradiction)], "the server's token counts contradict each other"),
    ([.doubt(.total)], "the server's token counts do not add up to their total"),
    ([.doubt(.ambiguous)], "the total fits several readings of the server's token counts"),
    ([.doubt(.iterations)], "the server's token counts leave out iterations"),
    (
      [.usage, .tier("priority"), .model, .tier("flex"), .model],
      "no price for the model (2 answers), no price for the tier 'flex' (1 answer), "
        + "no price for the tier 'priority' (1 answer), the server sent no usage (1 answer)"
    ),
    (
      [.partOfUsage, .part(.cachedInput, tier: "flex"), .part(.cachedInput, tier: "flex")],
      "no price for cache reads in the tier 'flex' (2 answers), "
        + "the server sent only a part of the usage (1 answer)"
    ),
  ]

  @Test(
    "Each reason is named, with the number of answers if there are several reasons",
    arguments: reasons
  )
  func reason(lacks: [PriceList.Lack], reason: String) {
    #expect(UnknownCost(lacks).reason == reason)
  }
}
