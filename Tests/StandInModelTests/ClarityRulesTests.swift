import Testing

@testable import StandInModel

@Suite("Clarity rules")
struct ClarityRulesTests {
  private let model = StandInModel()

  @Test(
    "An unexplained reference is flagged with the question that the recipient would ask",
    arguments: [
      (
        "Can you fix it by tomorrow?",
        #"{"clarityIssues": ["What does \"it\" refer to?"], "#
          + #""suggestedRevision": "Can you fix [it: which one?] by tomorrow?"}"#
      ),
      (
        "The bug is still there",
        #"{"clarityIssues": ["Which bug do you mean by \"The bug\"? Consider adding context."], "#
          + #""suggestedRevision": "The [bug: which one?] is still there"}"#
      ),
      (
        "Could you review?",
        #"{"clarityIssues": ["What should I review, and what is the issue?"], "#
          + #""suggestedRevision": "Could you [review: which one?]?"}"#
      ),
      (
        "I'll have the pull request ready by 2pm today",
        #"{"clarityIssues": null, "suggestedRevision": null}"#
      ),
    ]
  )
  func findsQuestions(message: String, answer: String) throws {
    let system = try Prompt("clarity").system
    #expect(model.answer(system: system, user: messenger(message)) == answer)
  }

  @Test(
    "Without its bullet, an unclear message is no longer flagged",
    arguments: [
      ("Ambiguous pronouns", "Can you fix it by tomorrow?"),
      ("Vague references", "The bug is still there"),
      ("Missing context", "Could you review?"),
    ]
  )
  func missesWithoutBullet(bullet: String, message: String) throws {
    let prompt = try Prompt("clarity")
    let user = messenger(message)
    #expect(isFlagged(prompt.system, user))
    #expect(!isFlagged(try prompt.system(without: bullet), user))
  }

  @Test(
    "Without its bullet, a clear message is flagged",
    arguments: [
      ("Read the conversation", "I can fix it", ["ben: The export button is grey."]),
      ("Read the whole message", "The login page is slow again, can you look at it?", []),
      ("Unfinished drafts", "for the release notes i was thinking we coul", []),
      ("Small talk", "Thanks!", []),
    ]
  )
  func flagsWithoutBullet(bullet: String, message: String, conversation: [String]) throws {
    let prompt = try Prompt("clarity")
    let user = messenger(message, conversation: conversation)
    #expect(!isFlagged(prompt.system, user))
    #expect(isFlagged(try prompt.system(without: bullet), user))
  }

  @Test("Without the bullet about issues, the issue names no word")
  func namesNoWord() throws {
    let system = try Prompt("clarity").system(without: "Write each issue")
    let answer = model.answer(system: system, user: messenger("The bug is still there"))
    #expect(answer.hasPrefix(#"{"clarityIssues": ["Something in this message may be unclear."]"#))
  }

  @Test("Dummy pronouns are not flagged if a bullet exempts them")
  func sparesDummyPronouns() throws {
    let system = try Prompt("clarity").system
    let user = messenger("Did you make it to the lake in the end?")
    #expect(isFlagged(system, user))
    #expect(!isFlagged(system + "\n- Dummy pronouns (\"make it\") refer to nothing.", user))
  }

  private func isFlagged(_ system: String, _ user: String) -> Bool {
    !model.answer(system: system, user: user).contains(#""clarityIssues": null"#)
  }
}
