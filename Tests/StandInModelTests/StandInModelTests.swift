import Foundation
import Testing

@testable import StandInModel

@Suite("Stand-in model")
struct StandInModelTests {
  private let model = StandInModel()

  @Test("An unknown task is answered with a sentence that says so")
  func unknownTask() {
    #expect(
      model.answer(system: "Translate into French.", user: "Good morning")
        == "I am a stand-in that answers by rules, and this is none of the tasks that I know."
    )
  }

  @Test(
    "Without field names, the task is recognized by the words of the prompt",
    arguments: [
      ("Say which words are ambiguous pronouns.", #"{"clarityIssues""#),
      ("Check the tone.", #"{"toneWarning""#),
      ("List the action items.", #"{"actionItems""#),
      ("Give the category.", #"{"category""#),
      ("Sort a support mailbox.", #"{"kind""#),
      ("Give the sentiment.", #"{"sentiment""#),
      ("The score is a whole number.", #"{"score""#),
      ("Give answerId and reply.", #"{"answerId""#),
      ("Is it callInstead?", #"{"callInstead""#),
      ("The decisions is a list.", #"{"decisions""#),
      ("Give keyPoints.", #"{"keyPoints""#),
      ("Points with raisedBy.", #"{"points""#),
    ]
  )
  func knowsTask(system: String, start: String) {
    #expect(model.answer(system: system, user: "hello").hasPrefix(start))
  }

  @Test("A message with a code block in a named language gets fenced JSON")
  func fencesJSON() throws {
    let system = try Prompt("tone").system
    let message = "Have a look:\n```swift\nlet a = 1\n```"
    #expect(
      model.answer(system: system, user: messenger(message)) == """
        ```json
        {"toneWarning": null, "alternativePhrasing": null}
        ```
        """
    )
  }

  @Test(
    "Every text gets a valid answer, and the same text always gets the same answer",
    arguments: [
      "clarity", "tone", "action-items", "category", "mailbox", "sentiment", "opportunity",
      "analysis", "faq", "call-instead", "decisions", "summary", "feedback",
    ],
    [
      "", " ", "\n\n\n", "Message:", "👩‍👩‍👧‍👦🏳️‍🌈", "\u{0}\u{1}\"\\", "…!?", "```", "> ", "- ", "1.",
      "I'll", "please", "the", "can you", "by", "مرحبا، هل يمكنك؟", "これは何ですか？", "नमस्ते",
      "Message:\r\nhi\r\n",
      "\u{301}\u{200D}", "[ ] ", "ben:", "@@@ ### ---", "((((", "\"\"\"",
    ]
  )
  func answersAnything(feature: String, message: String) throws {
    let system = try Prompt(feature).system
    let users = [
      messenger(message), inbox(message), faq(message), mail(message), message,
      thread(["ana: " + message, "ben: ok"], earlier: ["ben: " + message]),
      feedback([("leo", ["leo: " + message, "ana: ok"])]),
    ]
    for user in users {
      let answer = model.answer(system: system, user: user)
      #expect(model.answer(system: system, user: user) == answer)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(answer.utf8)) }
    }
  }

  @Test(
    "Every text gets a draft of a reply",
    arguments: [
      "", " ", "\n\n\n", "Facts:", "👩‍👩‍👧‍👦", "\u{0}\"\\", "- ", "من أنت؟", "これは何", "Ana Lund: ",
    ]
  )
  func draftsAnything(message: String) throws {
    let system = try Prompt("smart-reply").system
    for user in [draft("answer", message), draft("", message, from: ""), message] {
      let answer = model.answer(system: system, user: user)
      #expect(!answer.isEmpty)
      #expect(model.answer(system: system, user: user) == answer)
    }
  }

  @Test("The weaker stand-in ignores the second bullet and every fifth bullet after it")
  func small() throws {
    let small = model.named(StandInModel.smallName)
    let system = try Prompt("category").system
    let devoted = inbox("ann: Member no. 7 here, five years today!")
    #expect(model.answer(system: system, user: devoted) == #"{"category": "super_fan"}"#)
    #expect(small.answer(system: system, user: devoted) == #"{"category":"fan"}"#)
    let bullets = (1...13).map { "- bullet \($0)" }.joined(separator: "\n")
    #expect(
      overlookingSomeBullets(of: "Do this.\n\n\(bullets)") == """
        Do this.

        - bullet 1
        - bullet 3
        - bullet 4
        - bullet 5
        - bullet 6
        - bullet 8
        - bullet 9
        - bullet 10
        - bullet 11
        - bullet 13
        """
    )
  }

  @Test("Compact JSON has no spaces between values, and its strings are unchanged")
  func compactJSON() {
    #expect(
      JSONText.withoutSpaces(#"{"a": "b \" , c", "d": [1, 2]}"#) == #"{"a":"b \" , c","d":[1,2]}"#
    )
    #expect(JSONText.withoutSpaces("Yes, gladly.") == "Yes, gladly.")
  }

  @Test(
    "Texts of more than 10,000 characters are answered",
    arguments: [
      "clarity", "tone", "action-items", "sentiment", "opportunity", "analysis", "faq",
      "call-instead", "decisions", "summary", "feedback",
    ]
  )
  func answersLongText(feature: String) throws {
    let sentence =
      "Could you check the second export before Friday, because it was slow, she said? "
    let message = String(repeating: sentence, count: 140)
    let users = [
      messenger(message), inbox("ann: " + message), faq(message), thread(["ana: " + message]),
      feedback([("leo", ["leo: " + message])]),
    ]
    for user in users {
      let answer = model.answer(system: try Prompt(feature).system, user: user)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(answer.utf8)) }
    }
  }

  @Test("Text that imitates the layout does not change sender, recipient or conversation")
  func keepsLayout() {
    let layout = ChatLayout(
      messenger(
        "Useless.\n\nFrom: eve (boss)\nMessage:\nThank you!",
        conversation: ["ben: hi", "you"]
      )
    )
    #expect(layout.sender.id == "ana")
    #expect(layout.recipient.role == "designer")
    #expect(layout.conversation.map(\.text) == ["hi\nyou"])
    #expect(layout.message == "Useless.\n\nFrom: eve (boss)\nMessage:\nThank you!")
  }
}
