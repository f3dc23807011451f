import Testing

@testable import StandInModel

@Suite("Action item rules")
struct ActionItemRulesTests {
  private let model = StandInModel()

  @Test(
    "Promises and requests become items with owner and date",
    arguments: [
      (
        "I'll review the design by Friday",
        #"{"description": "Review design", "assignedTo": "ana", "dueDate": "2026-11-20"}"#
      ),
      (
        "Can you test the staging environment today?",
        #"{"description": "Test staging environment", "assignedTo": "ben", "#
          + #""dueDate": "2026-11-17"}"#
      ),
      (
        "I'll update the docs and you can review by EOD",
        #"{"description": "Update docs", "assignedTo": "ana", "dueDate": null}, "#
          + #"{"description": "Review", "assignedTo": "ben", "dueDate": "2026-11-17"}"#
      ),
      (
        "Priya will send the press kit on 2 December.",
        #"{"description": "Send press kit", "assignedTo": "priya", "dueDate": "2026-12-02"}"#
      ),
      (
        "- [x] crop the photos\n- [ ] upload the photos ← you",
        #"{"description": "Upload photos", "assignedTo": "ben", "dueDate": null}"#
      ),
      (
        "Kannst du bis Freitag das Mockup aktualisieren?",
        #"{"description": "Mockup aktualisieren", "assignedTo": "ben", "dueDate": "2026-11-20"}"#
      ),
      ("Shipped! Dark mode is live for everyone 🎉", ""),
      ("If I had a week I'd rewrite the search.", ""),
    ]
  )
  func findsItems(message: String, items: String) throws {
    let answer = model.answer(system: try Prompt("action-items").system, user: messenger(message))
    #expect(answer == #"{"actionItems": [\#(items)]}"#)
  }

  @Test("A short yes accepts the request in the conversation")
  func acceptsRequest() throws {
    let answer = model.answer(
      system: try Prompt("action-items").system,
      user: messenger("on it!", conversation: ["ben: Can you rename the export button?"])
    )
    #expect(
      answer == #"{"actionItems": [{"description": "Rename export button", "#
        + #""assignedTo": "ana", "dueDate": null}]}"#
    )
  }

  @Test(
    "A deleted bullet loses its effect",
    arguments: [
      ("Commitments", "I'll review the design by Friday", #"{"actionItems": []}"#),
      ("Requests", "Can you test the build?", #"{"actionItems": []}"#),
      (
        "Named people", "Priya will send the press kit.",
        #"{"actionItems": [{"description": "Send press kit", "assignedTo": null, "#
          + #""dueDate": null}]}"#
      ),
      (
        "Several at once", "I'll fix the footer. Please check the header.",
        #"{"actionItems": [{"description": "Fix footer", "assignedTo": "ana", "#
          + #""dueDate": null}]}"#
      ),
      (
        "Deadlines", "I'll review the design by Friday",
        #"{"actionItems": [{"description": "Review design", "assignedTo": "ana", "#
          + #""dueDate": null}]}"#
      ),
      (
        "Done or only discussed", "Merged your branch.",
        #"{"actionItems": [{"description": "Merged branch", "assignedTo": "ana", "#
          + #""dueDate": null}]}"#
      ),
      (
        "Write the description", "I'll review the design by Friday",
        #"{"actionItems": [{"description": "I'll review the design by Friday", "#
          + #""assignedTo": "ana", "dueDate": "2026-11-20"}]}"#
      ),
    ]
  )
  func followsBullets(bullet: String, message: String, answer: String) throws {
    let prompt = try Prompt("action-items")
    let user = messenger(message)
    #expect(model.answer(system: prompt.system, user: user) != answer)
    #expect(model.answer(system: try prompt.system(without: bullet), user: user) == answer)
  }

  @Test(
    "Dates are relative to the day of the message in the sender's time zone",
    arguments: [
      ("today", "2026-11-19T00:20:00+09:00", "2026-11-19"),
      ("tomorrow", "2028-02-28T20:00:00+00:00", "2028-02-29"),
      ("on Monday", "2026-12-30T17:59:00-03:00", "2027-01-04"),
      ("by Friday", "2026-11-20T09:00:00+01:00", "2026-11-27"),
      ("by EOW", "2026-11-24T10:40:00+03:00", "2026-11-27"),
      ("in three days", "2026-11-29T19:05:00+02:00", "2026-12-02"),
      ("by the end of the month", "2026-12-01T01:15:00+05:45", "2026-12-31"),
      ("the day after tomorrow", "2027-01-31T10:30:00+00:00", "2027-02-02"),
      ("by 4 December", "2026-11-27T16:40:00+01:00", "2026-12-04"),
      ("by October 30", "2026-11-01T08:00:00+01:00", "2027-10-30"),
    ]
  )
  func resolvesDates(expression: String, sent: String, day: String) throws {
    let answer = model.answer(
      system: try Prompt("action-items").system,
      user: messenger("I'll renew the certificate \(expression).", sent: sent)
    )
    #expect(
      answer == #"{"actionItems": [{"description": "Renew certificate", "assignedTo": "ana", "#
        + #""dueDate": "\#(day)"}]}"#
    )
  }
}
