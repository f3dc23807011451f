import Testing

@testable import StandInModel

@Suite("Instructions")
struct InstructionTests {
  @Test("Each bullet of a prompt gives one instruction, and deleting it loses that one alone")
  func bulletsAreInstructions() throws {
    try check("clarity", ClarityRules.ClarityInstruction.self, extra: [.dummyPronouns, .noOrders])
    try check("tone", ToneRules.ToneInstruction.self, extra: [.noOrders])
    try check("action-items", ActionItemRules.ActionItemInstruction.self, extra: [.noOrders])
    try check("category", CategoryRules.CategoryInstruction.self, extra: [.onlyListed])
  }

  /// Checks one prompt; `extra` are instructions that version 1 does not give.
  private func check<Given: Instruction>(
    _ feature: String,
    _ type: Given.Type,
    extra: Set<Given>
  ) throws {
    let prompt = try Prompt(feature)
    let all = Given.all(in: prompt.system)
    #expect(all == Set(Given.allCases).subtracting(extra), "\(feature)")
    var lost: Set<Given> = []
    for bullet in prompt.bullets {
      let rest = Given.all(in: try prompt.system(without: String(bullet.dropFirst(2))))
      #expect(all.subtracting(rest).count == 1, "\(feature): \(bullet)")
      lost.formUnion(all.subtracting(rest))
    }
    #expect(lost == all, "\(feature)")
  }

  @Test("A bullet may be reworded, numbered and broken over lines")
  func rewordedBulletsCount() {
    let system = """
      You look at chat messages.

      1. If a pronoun is ambiguous, say so.
      2) Take the conversation into account: an earlier message
         may explain a reference.
      * Never comment on small talk.
      """
    #expect(
      ClarityRules.ClarityInstruction.all(in: system) == [.pronouns, .conversation, .smallTalk]
    )
  }
}
