import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Tests of the ticket suite that `docs/ten-minutes.md` shows.
@Suite("The ticket example")
struct TicketExampleTests {
  /// Returns the files that the page shows, by path.
  private static func files() throws -> [String: String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/ten-minutes.md"), encoding: .utf8)
    var files: [String: String] = [:]
    for match in page.matches(
      of: /`([a-z\/.0-9]+tickets\/[a-z0-9.]+)`:\n\n```[a-z]+\n((?:.*\n)*?)```/
    ) {
      files[String(match.1)] = String(match.2)
    }
    return files
  }

  private func plan() throws -> SuitePlan {
    var files = try Self.files()
    files["sluice.yaml"] = "backends: {stand-in: {type: openai, model: m-1}}\n"
    let loaded = ProjectLoader.load(from: InMemoryFileSystem(files))
    #expect(loaded.diagnostics.map(\.description) == [])
    return try #require(loaded.suites.first).plan
  }

  @Test("The example has 25 cases, 8 of them without an order number, in at most 40 lines of YAML")
  func size() throws {
    let files = try Self.files()
    let yaml = files.filter { $0.key.hasSuffix(".yaml") }.map(\.value).joined()
    #expect(yaml.split(separator: "\n").count <= 40)
    let cases = try plan().cases
    #expect(cases.count == 25)
    #expect(cases.indices.count { cases[$0].testCase.expected["order"] == .null } == 8)
  }

  @Test(
    "Answers are judged as a person would judge them",
    arguments: [
      (#"{"kind": "order", "order": "48213"}"#, "passed passed"),
      (#"{"kind": "order", "order": "48213 "}"#, "passed passed"),
      ("```json\n{\"kind\": \"order\", \"order\": \"48213\"}\n```", "passed passed"),
      (#"{"kind": "order", "order": "48213 or 99999"}"#, "passed failed"),
      (#"{"kind": "order"}"#, "passed failed"),
      (#"{"kind": "order", "order": 48213}"#, "passed failed"),
      (#"{"kind": "refund", "order": "48213"}"#, "failed passed"),
      ("The order is 48213.", "failed failed"),
    ]
  )
  func answers(_ text: String, _ outcomes: String) throws {
    let plan = try plan()
    let trial = TrialJudge(plan: plan).judged(ModelResponse(text: text), plan.slot(0), key: "")
    #expect(trial.scores.map(\.score.outcome.rawValue).joined(separator: " ") == outcomes)
    #expect(trial.scores.map(\.name) == ["kind", "order"])
  }

  @Test("A case without an order number accepts null or no member, but not a number")
  func clean() throws {
    let plan = try plan()
    let place = try #require(plan.cases.indices.first { plan.cases[$0].stored.id == "greeting" })
    func outcome(_ text: String) -> Trial.Outcome {
      TrialJudge(plan: plan).judged(ModelResponse(text: text), plan.slot(place), key: "").outcome
    }
    #expect(outcome(#"{"kind": "other", "order": null}"#) == .passed)
    #expect(outcome(#"{"kind": "other"}"#) == .passed)
    #expect(outcome(#"{"kind": "other", "order": "555 12"}"#) == .failed)
  }
}
