import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Fields of items")
struct ItemFieldTests {
  private let items = ScoringFixture(
    """
    - items:
        path: items
        expected: items
        match: what
        fields: {who: participant, due: date}
        participants: [sender, recipient]
        sent-at: sent
    """
  )
  private let input: JSONValue = [
    "sender": ["id": "ana", "name": "Ana Ruiz"], "recipient": ["id": "ben", "role": "designer"],
    "sent": "2026-11-17T23:12:00+01:00",
  ]

  private func explanation(_ item: String, _ expected: JSONValue) -> String? {
    items.score("{\"items\":[\(item)]}", expecting: ["items": [expected]], given: input)?
      .explanation
  }

  @Test(
    "A participant can be named by ID, by name, or by the input that describes them",
    arguments: ["ana", "Ana", "ANA RUIZ", "sender", " Sender "]
  )
  func participants(_ name: String) {
    #expect(
      explanation("{\"what\":\"review\",\"who\":\"\(name)\"}", ["what": "review", "who": "ana"])
        == "one item as expected"
    )
    #expect(
      explanation(
        "{\"what\":\"review\",\"who\":\"ana\"}",
        ["what": "review", "who": .string(name)]
      )
        == "one item as expected"
    )
  }

  @Test("Another name is another person, and null is nobody")
  func others() {
    #expect(
      explanation(#"{"what":"review","who":"recipient"}"#, ["what": "review", "who": "ana"])
        == "\"review\": expected who \"ana\", got \"recipient\""
    )
    #expect(
      explanation(#"{"what":"review","who":"Zoë"}"#, ["what": "review", "who": "zoë"])
        == "one item as expected"
    )
    #expect(
      explanation(#"{"what":"review","who":"ana"}"#, ["what": "review", "who": nil])
        == "\"review\": expected who null, got \"ana\""
    )
  }

  @Test("A name that two participants share matches neither")
  func ambiguous() {
    let twins: JSONValue = [
      "sender": ["id": "s1", "name": "Kim"], "recipient": ["id": "r1", "name": "Kim"],
      "sent": "2026-11-17",
    ]
    #expect(
      items.score(
        #"{"items":[{"what":"review","who":"Kim"}]}"#,
        expecting: ["items": [["what": "review", "who": "s1"]]],
        given: twins
      )?.outcome == .failed
    )
  }

  @Test("A date in words is the date that it means on the day of the message")
  func days() {
    #expect(
      explanation(#"{"what":"review","due":"by Friday"}"#, ["what": "review", "due": "2026-11-20"])
        == "one item as expected"
    )
    #expect(
      explanation(#"{"what":"review","due":"someday"}"#, ["what": "review", "due": "2026-11-20"])
        == "\"review\": expected due \"2026-11-20\", got \"someday\""
    )
  }

  @Test(
    "Words mean the right day if written on Tuesday, 17 November 2026",
    arguments: [
      ("2026-11-20", "2026-11-20"), ("2026-11-20T17:00:00+01:00", "2026-11-20"),
      ("today", "2026-11-17"), ("EOD", "2026-11-17"), ("by end of day", "2026-11-17"),
      ("tonight", "2026-11-17"), ("this afternoon", "2026-11-17"), ("today 2pm", "2026-11-17"),
      ("by 2 pm today", "2026-11-17"), ("Tomorrow", "2026-11-18"),
      ("tomorrow morning", "2026-11-18"), ("tomorrow at 14:30", "2026-11-18"),
      ("the day after tomorrow", "2026-11-19"), ("Friday", "2026-11-20"),
      ("by Friday EOD", "2026-11-20"), ("on fri.", "2026-11-20"), ("Tuesday", "2026-11-24"),
      ("Monday", "2026-11-23"), ("next Friday", "2026-11-27"), ("this Friday", "2026-11-20"),
      ("this Monday", "2026-11-16"), ("in 3 days", "2026-11-20"), ("in 2 weeks", "2026-12-01"),
      ("in a week", "2026-11-24"), ("20 November", "2026-11-20"), ("Nov 20th", "2026-11-20"),
      ("the 3rd of December", "2026-12-03"), ("January 5", "2027-01-05"),
      ("March 1, 2028", "2028-03-01"), ("November 17", "2026-11-17"),
    ]
  )
  func spoken(_ words: String, _ day: String) throws {
    let sent = try #require(CivilDay(iso8601: "2026-11-17T23:12:00+01:00"))
    #expect(SpokenDay.day(words, saidOn: sent)?.iso8601 == day)
  }

  @Test(
    "Ambiguous or invalid dates have no day",
    arguments: [
      "", "someday", "next week", "Friday or Monday", "2026-02-30", "February 30", "ASAP",
      "in -3 days", "in 99999999999999999999 days", "sun moon", "20",
      String(repeating: "today ", count: 20), "32 May", "5", "½ days",
    ]
  )
  func unclear(_ words: String) throws {
    let sent = try #require(CivilDay(iso8601: "2026-11-17"))
    #expect(SpokenDay.day(words, saidOn: sent) == nil)
  }

  @Test("A comparison without its required setting, and an unused setting, are errors")
  func arguments() {
    #expect(
      ScoringFixture(
        "- items: {path: a, expected: b, match: c, fields: {d: date}, participants: [e]}"
      )
      .said == """
        suite.yaml:1:51: error: a field is compared as date, which requires 'sent-at'
          1 | - items: {path: a, expected: b, match: c, fields: {d: date}, participant…
            |                                                   ^
          fix: add 'sent-at: sent' with the names of your inputs
        suite.yaml:1:76: error: no field is compared as participant, so 'participants' has no effect
          1 | …c, fields: {d: date}, participants: [e]}
            |                                      ^
          fix: write 'fields: {NAME: participant}', or remove it

        """
    )
    #expect(
      ScoringFixture("- items: {path: a, expected: b, match: c, fields: {d: dat}}").said == """
        suite.yaml:1:55: error: unknown comparison 'dat' of the field 'd'
          1 | - items: {path: a, expected: b, match: c, fields: {d: dat}}
            |                                                       ^
          fix: did you mean 'date'?

        """
    )
  }

  @Test("A case must state the participants and the date")
  func cases() throws {
    #expect(
      try items.complaints(
        about: "{items: []}",
        given: "{sender: {role: x}, recipient: ben, sent: soon}"
      ) == """
        cases.yaml:2:19: error: a participant must be a text, or a mapping with an 'id' or a 'name'
          2 |   input: {sender: {role: x}, recipient: ben, sent: soon}
            |                   ^
        cases.yaml:2:52: error: 'input.sent' must be a date or a time such as "2026-11-17T10:12:00+01:00"
          2 |   input: {sender: {role: x}, recipient: ben, sent: soon}
            |                                                    ^

        """
    )
  }

  @Test("List order does not affect the score, and swapped lists swap precision and recall")
  func order() throws {
    var random = SeededGenerator(seed: 5)
    let words = ["review", "design", "docs", "send", "report", "fix", "login"]
    let people = ["ana", "ben", "sender", "zoë"]
    func list() -> [JSONValue] {
      (0..<Int.random(in: 0...5, using: &random)).map { _ in
        let count = Int.random(in: 1...3, using: &random)
        let what = (0..<count).compactMap { _ in words.randomElement(using: &random) }
        return [
          "what": .string(what.joined(separator: " ")),
          "who": .string(people.randomElement(using: &random) ?? ""), "due": "tomorrow",
        ]
      }
    }
    func measured(_ expected: [JSONValue], _ extracted: [JSONValue]) throws -> JSONObject {
      let text = JSONValue.object(["items": .array(extracted)]).jsonText
      let score = items.score(text, expecting: ["items": .array(expected)], given: input)
      return try #require(score).measurements
    }
    for _ in 0..<200 {
      let (expected, extracted) = (list(), list())
      let score = try measured(expected, extracted)
      let shuffled = try measured(
        expected.shuffled(using: &random),
        extracted.shuffled(using: &random)
      )
      #expect(shuffled == score)
      let swapped = try measured(extracted, expected)
      #expect(swapped["matched"] == score["matched"])
      #expect(swapped["expected"] == score["extracted"])
      #expect(swapped["extracted"] == score["expected"])
    }
  }
}
