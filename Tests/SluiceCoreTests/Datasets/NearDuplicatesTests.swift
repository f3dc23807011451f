@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Near-duplicates")
struct NearDuplicatesTests {
  /// Returns cases with one text each, after some unrelated ones.
  private func cases(_ messages: [String], cluster: String? = nil) -> [StoredCase] {
    let others = [
      "Lunch is on me today, the canteen has dumplings.", "Which of the two logos do you prefer?",
      "My train stands still somewhere behind Ulm.", "The invoice of March was paid twice.",
      "请把发票寄到新的地址，谢谢。", "Happy birthday, Oksana! 🎂", "We ship on Tuesdays, never on Fridays.",
    ]
    return (others.map { ($0, nil) } + messages.map { ($0, cluster) }).enumerated()
      .map { index, entry in
        StoredCase(
          TestCase(id: "c\(index)", cluster: entry.1, input: ["message": .string(entry.0)])
        )
      }
  }

  private func found(_ cases: [StoredCase]) throws -> NearDuplicates {
    try #require(NearDuplicates(cases))
  }

  // MARK: Near-duplicates

  @Test(
    "Messages that differ in only a few words are near-duplicates",
    arguments: [
      ("No.", "no"), ("Thanks!", "thanks"), ("❤️", "❤"), ("?!", "? !"), ("7", "7."),
      ("The bug is still there", "the bug's still there"),
      ("Can you review the design by Friday?", "can you review the designs by friday"),
      ("Deploy is done, staging looks fine.", "Deploy's done; staging looks fine!"),
      (
        "The login page shows a blank screen after the update, can you look at it?",
        "The login page shows a white screen after the release, can you look at it?"
      ),
      (
        "I'll have the pull request ready by 2pm today",
        "I'll have the pull request ready by 4pm tomorrow"
      ),
      (
        "When does the shop open again after the summer break?",
        "When does the shop open after the winter break?"
      ),
      ("会议改到星期五下午三点，请准备好报告。", "会议改到星期四下午三点，请准备好报告。"),
      ("明日の会議は十時に始まります。資料を持ってきてください。", "明日の会議は九時に始まります。資料を持ってきてください。"),
      ("สวัสดีครับ ร้านเปิดกี่โมง", "สวัสดีค่ะ ร้านเปิดกี่โมง"),
    ]
  )
  func same(_ first: String, _ second: String) throws {
    let found = try found(cases([first, second]))
    #expect(found.pairs.map(\.later) == [8])
    #expect(found.pairs.map(\.earlier) == [7])
    #expect(found.caseCount == 2)
  }

  @Test(
    "Messages that say different things are not near-duplicates",
    arguments: [
      ("ok", "no"), ("Yes.", "No."), ("👍", "👎"), ("Good morning!", "Good night!"),
      ("Can you fix it by tomorrow?", "Can you call me tomorrow?"),
      ("They said no. Again.", "They said yes."),
      ("I'll review the design by Friday", "I'll write the tests by Friday"),
      ("Thanks for the quick review!", "Thanks for the flowers!"),
      ("How much is the big bowl?", "How much is the shipping?"),
      ("会议改到星期五下午三点，请准备好报告。", "请在星期五之前把合同签好发给我。"),
    ]
  )
  func other(_ first: String, _ second: String) throws {
    let found = try found(cases([first, second]))
    #expect(found.pairs == [])
    #expect(found.caseCount == 0)
  }

  // MARK: Clusters

  @Test("Cases in the same cluster are not near-duplicates of each other")
  func cluster() throws {
    let messages = ["The bug is still there", "The bug's still there"]
    #expect(try found(cases(messages, cluster: "bug")).pairs == [])
    let one = try found(cases(messages, cluster: "bug") + cases(messages).suffix(2))
    #expect(one.pairs.map(\.later) == [9, 10])
    #expect(one.caseCount == 4)
  }

  @Test("If several earlier cases are similar, the most similar one is reported")
  func nearest() throws {
    let messages = [
      "The bug's still there", "The bug is still there", "the bug is still there!",
    ]
    let found = try found(cases(messages))
    #expect(found.pairs.last == NearDuplicates.Pair(earlier: 8, later: 9, similarity: 1))
    #expect(found.caseCount == 3)
  }

  // MARK: Compared texts

  @Test("Sender and time are ignored when cases are compared")
  func context() throws {
    let messages = ["No.", "The canteen has dumplings today.", "Which logo do you prefer?", "no"]
    let cases = messages.enumerated().map { index, message in
      StoredCase(
        TestCase(
          id: "c\(index)",
          input: [
            "message": .string(message), "sender": ["id": .string("user-\(index)")],
            "sent": .string("2026-11-1\(index)T10:1\(index):00+01:00"), "conversation": [],
          ]
        )
      )
    }
    #expect(
      try found(cases).pairs == [NearDuplicates.Pair(earlier: 0, later: 3, similarity: 1)]
    )
  }

  @Test("The same short message in different conversations is not a near-duplicate")
  func conversation() throws {
    let before = [
      "The parcel left Porto this morning.", "I moved our call to half past nine.",
      "Your seat is on the left, next to Amina.",
    ]
    let cases = before.enumerated().map { index, text in
      StoredCase(
        TestCase(
          id: "c\(index)",
          input: ["message": "Thanks!", "conversation": [["from": "ana", "text": .string(text)]]]
        )
      )
    }
    #expect(try found(cases).pairs == [])
  }

  @Test("A long text that many cases share does not make them near-duplicates")
  func sharedText() throws {
    let questions = [
      "Do you ship to Norway?", "Is the big bowl safe in the oven?", "When do you open?",
      "What does a class cost?", "My parcel is late, who can help?", "do you ship to norway",
    ]
    let entries: JSONValue = [
      [
        "about": "Where do you ship?", "answer": "To the EU, Norway and Switzerland, for 12 euros.",
      ],
      [
        "about": "What is safe in the oven?", "answer": "Glazed bowls are. Raku is for show alone.",
      ],
      ["about": "When are you open?", "answer": "On Saturdays from ten to one, no need to book."],
    ]
    let cases = questions.enumerated().map { index, question in
      StoredCase(
        TestCase(id: "c\(index)", input: ["faq": entries, "message": .string(question)])
      )
    }
    #expect(
      try found(cases).pairs == [NearDuplicates.Pair(earlier: 0, later: 5, similarity: 1)]
    )
  }

  @Test("Single words are compared if no text is a sentence")
  func words() throws {
    let cases = ["cat", "dog", "Cat", "cataract"].enumerated().map { index, word in
      StoredCase(TestCase(id: "c\(index)", input: ["word": .string(word)]))
    }
    #expect(
      try found(cases).pairs == [NearDuplicates.Pair(earlier: 0, later: 2, similarity: 1)]
    )
  }

  @Test(
    "Cases without text are not compared",
    arguments: [
      [:], ["message": ""], ["message": " \n"], ["message": .null], ["a": 1, "b": [true, 2]],
      ["conversation": []],
    ] as [JSONValue]
  )
  func empty(_ input: JSONValue) throws {
    let cases = (0..<3).map { StoredCase(TestCase(id: "c\($0)", input: input)) }
    #expect(try found(cases).pairs == [])
    #expect(try found([]).pairs == [])
  }

  // MARK: Many cases

  @Test("Among many cases, exactly the varied copies are found")
  func many() throws {
    var generator = SeededGenerator(seed: 11)
    let letters = Array("abcdefghijklmnoprstuvwz")
    let words = (0..<3_000).map { _ in
      let length = 3 + generator.uniform(below: 6)
      return String((0..<length).map { _ in letters[generator.uniform(below: letters.count)] })
    }
    var messages: [[String]] = []
    var varied: [Int: Int] = [:]
    for index in 0..<800 {
      if index >= 400, index.isMultiple(of: 50) {
        let earlier = generator.uniform(below: 400)
        var message = messages[earlier]
        for _ in 0..<2 {
          message[generator.uniform(below: message.count)] = words[generator.uniform(below: 3_000)]
        }
        varied[index] = earlier
        messages.append(message)
      } else {
        messages.append((0..<20).map { _ in words[generator.uniform(below: 3_000)] })
      }
    }
    let cases = messages.enumerated().map { index, message in
      StoredCase(
        TestCase(
          id: "c\(index)",
          input: ["message": .string(message.joined(separator: " "))]
        )
      )
    }
    let found = try found(cases)
    #expect(found.pairs.map(\.later) == varied.keys.sorted())
    #expect(found.pairs.allSatisfy { varied[$0.later] == $0.earlier })
  }

  @Test("Each copy of a case is reported once, however many there are")
  func copies() throws {
    let copy = StoredCase(TestCase(id: "c", input: ["message": "The bug is still there"]))
    let found = try found(Array(repeating: copy, count: 500))
    #expect(found.pairs.map(\.later) == Array(1..<500))
    #expect(found.caseCount == 500)
  }

  @Test("Above the limit of cases or characters, nothing is compared")
  func limits() {
    let cases = Array(
      repeating: StoredCase(TestCase(id: "c", input: ["message": "so very long"])),
      count: 4
    )
    #expect(NearDuplicates(cases, caseLimit: 4, characterLimit: 48) != nil)
    #expect(NearDuplicates(cases, caseLimit: 3) == nil)
    #expect(NearDuplicates(cases, characterLimit: 47) == nil)
    #expect(NearDuplicates.caseLimit == 50_000)
    #expect(NearDuplicates.characterLimit == 20_000_000)
  }
}
