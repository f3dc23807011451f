import Testing

@testable import StandInModel

@Suite("Instructions")
struct InstructionTests {
  @Test("Each bullet of a prompt is one instruction, and deleting it loses only that one")
  func bulletsAreInstructions() throws {
    try check(
      "clarity",
      ClarityRules.ClarityInstruction.self,
      extra: [
        .dummyPronouns, .noOrders, .twoCandidates, .knownThings, .ownPlans, .askingBack, .moreNouns,
        .withoutObject,
      ]
    )
    try check(
      "tone",
      ToneRules.ToneInstruction.self,
      extra: [
        .noOrders, .rebuffs, .veiled, .origin, .manyTerms, .bareAnswers, .strongWords, .drafts,
      ]
    )
    try check(
      "action-items",
      ActionItemRules.ActionItemInstruction.self,
      extra: [.noOrders, .drafts, .references, .anyLanguage]
    )
    try check(
      "category",
      CategoryRules.CategoryInstruction.self,
      extra: [.onlyListed, .evidence, .anyForm, .danger, .loud]
    )
    try check(
      "call-instead",
      CallInsteadRules.CallInstruction.self,
      extra: [
        .notOnce, .onlyHeat, .eachOther, .oneByOne, .goodNews, .incidentOver, .over, .noOrders,
      ]
    )
    try check(
      "decisions",
      DecisionRules.DecisionInstruction.self,
      extra: [
        .delegated, .reopened, .conditions, .turnedDown, .jokes, .oneChoice, .bare, .noOrders,
      ]
    )
    try check(
      "summary",
      SummaryRules.SummaryInstruction.self,
      extra: [
        .reversals, .proposals, .conditions, .onlyNew, .logs, .once, .phrases, .names, .language,
        .noOrders,
      ]
    )
    try check(
      "feedback",
      FeedbackRules.FeedbackInstruction.self,
      extra: [.neitherGaveWay, .putOff, .taste, .samePoint, .names, .phrases, .noOrders]
    )
    try check(
      "sentiment",
      SentimentRules.SentimentInstruction.self,
      extra: [.creatorFirst, .politeness, .faults, .leaving, .emoji, .quotations, .noOrders]
    )
    try check(
      "opportunity",
      OpportunityRules.OpportunityInstruction.self,
      extra: [.pretence, .settled, .openMatters, .noOrders]
    )
    try check(
      "analysis",
      AnalysisRules.AnalysisInstruction.self,
      extra: [.evidence, .politeFormulas, .adverts, .noOrders]
    )
    try check(
      "faq",
      FaqRules.FaqInstruction.self,
      extra: [.inference, .brokenPromise, .emergency, .noOrders]
    )
  }

  @Test("Each new bullet in version 2 is one instruction")
  func laterBulletsAreInstructions() throws {
    try check("sentiment", SentimentRules.SentimentInstruction.self, version: "v2")
    try check("opportunity", OpportunityRules.OpportunityInstruction.self, version: "v2")
    try check("analysis", AnalysisRules.AnalysisInstruction.self, version: "v2")
    try check("faq", FaqRules.FaqInstruction.self, version: "v2")
    try check("smart-reply", SmartReplyRules.SmartReplyInstruction.self, version: "v2")
  }

  @Test("Version 2 of the other prompts gives all instructions, one or more per bullet")
  func bordersAreInstructions() throws {
    try checkAll("clarity", ClarityRules.ClarityInstruction.self, idle: ["Style"])
    try checkAll("tone", ToneRules.ToneInstruction.self)
    try checkAll(
      "action-items",
      ActionItemRules.ActionItemInstruction.self,
      idle: ["Nobody named", "Refused or withdrawn", "Quotes"]
    )
    try checkAll("category", CategoryRules.CategoryInstruction.self)
    try checkAll("call-instead", CallInsteadRules.CallInstruction.self)
    try checkAll("decisions", DecisionRules.DecisionInstruction.self)
    try checkAll("summary", SummaryRules.SummaryInstruction.self)
    try checkAll("feedback", FeedbackRules.FeedbackInstruction.self, idle: ["Language"])
  }

  /// Checks version 2 of a prompt.
  ///
  /// `idle` lists the bullets that do not affect the stand-in.
  private func checkAll<Given: Instruction>(
    _ feature: String,
    _ type: Given.Type,
    idle: [String] = []
  ) throws {
    let prompt = try Prompt(feature, version: "v2")
    #expect(Given.all(in: prompt.system) == Set(Given.allCases), "\(feature)")
    for bullet in prompt.bullets.map({ String($0.dropFirst(2)) }) {
      let rest = Given.all(in: try prompt.system(without: bullet))
      let isIdle = idle.contains(where: bullet.hasPrefix)
      #expect((rest.count == Given.allCases.count) == isIdle, "\(feature): \(bullet)")
    }
  }

  @Test("Version 1 of the prompt for drafts names all types in one bullet")
  func typesOfDrafts() throws {
    #expect(
      SmartReplyRules.SmartReplyInstruction.all(in: try Prompt("smart-reply").system)
        == Set(SmartReplyRules.SmartReplyInstruction.allCases).subtracting([.form, .noOrders])
    )
  }

  /// Checks a prompt.
  ///
  /// `extra` lists instructions that the prompt does not give.
  private func check<Given: Instruction>(
    _ feature: String,
    _ type: Given.Type,
    version: String = "v1",
    extra: Set<Given> = []
  ) throws {
    let prompt = try Prompt(feature, version: version)
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

  @Test("A bullet may be reworded, numbered or wrapped")
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
