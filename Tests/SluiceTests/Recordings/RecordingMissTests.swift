@testable import Sluice
import TestSupport
import Testing

@Suite("Recording miss")
struct RecordingMissTests {
  @Test(
    "A miss says what is missing in a phrase",
    arguments: [
      (RecordingMiss.Reason.newCase, "no recording"),
      (.usedUp(recorded: 1), "recorded 1 time, asked once more"),
      (.usedUp(recorded: 3), "recorded 3 times, asked once more"),
      (.changed([]), "stale recording: the request changed"),
      (.changed(["seed"]), "stale recording: the seed changed"),
      (.changed(["seed", "model"]), "stale recording: the seed and the model changed"),
      (
        .changed(["seed", "model", "top-p"]),
        "stale recording: the seed, the model and the top-p changed"
      ),
      (.unusable("the part is missing"), "unusable recording: the part is missing"),
    ]
  )
  func messages(reason: RecordingMiss.Reason, message: String) {
    #expect(RecordingMiss(reason: reason).message == message)
  }

  /// An edit of one of the project's files, with the case that is asked about and its miss.
  struct Edit: CustomTestStringConvertible {
    var path: String
    var old: String
    var new: String
    var testCase = "where"
    var message: String

    var testDescription: String { "\(old) → \(new)" }
  }

  private static func prompt(_ old: String, _ new: String, _ message: String) -> Edit {
    Edit(path: RecordingProject.promptPath, old: old, new: new, message: message)
  }

  private static let edits = [
    prompt("Say what", "Tell what", "stale recording: the system message changed"),
    prompt(#""{{message}}""#, #""> {{message}}""#, "stale recording: the user message changed"),
    prompt(
      "  - system: Say",
      "  - developer: Say",
      """
      stale recording: the developer message and the system message changed
      """
    ),
    prompt(
      "  - user:",
      "  - assistant: Hm\n  - user:",
      """
      stale recording: the assistant message changed
      """
    ),
    prompt("temperature: 0,", "temperature: 0.7,", "stale recording: the temperature changed"),
    prompt("temperature: 0, ", "", "stale recording: the temperature changed"),
    prompt("max-tokens: 20", "max-tokens: 21", "stale recording: the max-tokens changed"),
    prompt("max-tokens: 20", "max-tokens: 20, top-p: 1", "stale recording: the top-p changed"),
    prompt(
      "max-tokens",
      "max-completion-tokens",
      """
      stale recording: the max-completion-tokens and the max-tokens changed
      """
    ),
    prompt("max-tokens: 20", "max-tokens: 20, seed: 1", "stale recording: the seed changed"),
    prompt("max-tokens: 20", "max-tokens: 20, stop: x", "stale recording: the stop changed"),
    prompt(
      "max-tokens: 20",
      "max-tokens: 20, presence-penalty: 1",
      """
      stale recording: the presence-penalty changed
      """
    ),
    prompt(
      "max-tokens: 20",
      "max-tokens: 20, frequency-penalty: 1",
      """
      stale recording: the frequency-penalty changed
      """
    ),
    prompt(
      "max-tokens: 20",
      "max-tokens: 20, reasoning-effort: low",
      """
      stale recording: the reasoning-effort changed
      """
    ),
    prompt(
      "response-schema: kind.schema.json",
      "",
      """
      stale recording: the response schema changed
      """
    ),
    prompt(
      "{temperature: 0, max-tokens: 20}",
      "{temperature: 1, max-tokens: 30}",
      """
      stale recording: the temperature and the max-tokens changed
      """
    ),
    Edit(
      path: "prompts/triage/kind.schema.json",
      old: #""string""#,
      new: #""integer""#,
      message: "stale recording: the response schema changed"
    ),
    Edit(
      path: "sluice.yaml",
      old: "model: sorter-1",
      new: "model: sorter-2",
      message: "stale recording: the model changed"
    ),
    Edit(
      path: "sluice.yaml",
      old: "model: sorter-1",
      new: "model: sorter-1, parameters: {seed: 3}",
      message: "stale recording: the seed changed"
    ),
    Edit(
      path: RecordingProject.casesPath,
      old: "Where is it?",
      new: "Where was it?",
      message: "stale recording: the user message changed"
    ),
    Edit(
      path: RecordingProject.casesPath,
      old: "id: where",
      new: "id: whence, input: {message: \"Whence?\"}, expected: {kind: question}}\n- {id: where",
      testCase: "whence",
      message: "no recording"
    ),
    Edit(
      path: RecordingProject.suitePath,
      old: "backend: server",
      new: "backend: server\nrepeat: 2",
      message: "recorded 1 time, asked once more"
    ),
  ]

  @Test("An edit is named by the part of the request that it changed", arguments: edits)
  func namedPart(edit: Edit) async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(edit.path, replacing: edit.old, with: edit.new)
    let misses = try project.replay().suites.flatMap(\.misses)
    let miss = try #require(misses.first { $0.caseID == edit.testCase })
    #expect(miss.outcome == .lost(.noRecording(try reason(miss))))
    #expect(try reason(miss).message == edit.message)
  }

  private func reason(_ trial: Trial) throws -> RecordingMiss {
    guard case .lost(.noRecording(let miss)) = trial.outcome else {
      return try #require(nil as RecordingMiss?)
    }
    return miss
  }

  @Test("Cases that ask the same share a recording, and an edit of the prompt is told to each")
  func sharedRequest() async throws {
    let project = RecordingProject()
    let twin = "- {id: twin, input: {message: Thanks!}, expected: {kind: other}}"
    try project.edit(
      RecordingProject.casesPath,
      replacing: "- {id: thanks",
      with: "\(twin)\n- {id: thanks"
    )
    #expect(try await project.record().recorded == 4)
    try project.edit("sluice.yaml", replacing: "model: sorter-1", with: "model: sorter-2")
    let reasons = try project.replay().suites.flatMap(\.misses).map(\.faults[0].explanation)
    #expect(reasons == Array(repeating: "stale recording: the model changed", count: 5))
  }

  @Test("An edit of one case leaves the recordings of the others as they are")
  func otherCases() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Where is it?", with: "Where was it?")
    #expect(try project.replay().suites.flatMap(\.misses).map(\.caseID) == ["where"])
  }

  @Test(
    "What is no part of the request changes nothing",
    arguments: [
      (RecordingProject.casesPath, "tags: [short]", "tags: [long]"),
      (RecordingProject.casesPath, "kind: question", "kind: other"),
      (RecordingProject.casesPath, "id: where", "id: whither"),
      (RecordingProject.suitePath, "accuracy >= 60%", "accuracy >= 70%"),
      ("sluice.yaml", "https://models.test/v1", "http://127.0.0.1:8089/v1"),
      ("sluice.yaml", "model: sorter-1", "model: sorter-1, timeout: 5, max-in-flight: 2"),
    ]
  )
  func harmlessEdits(path: String, old: String, new: String) async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(path, replacing: old, with: new)
    #expect(try project.replay().suites.flatMap(\.misses).isEmpty)
  }

  @Test("The nearest recording of the same prompt explains a miss, before nearer ones of others")
  func nearest() {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    file.add(.fixture(system: "old", parameters: ["temperature": 0], prompt: "v2"))
    file.add(.fixture(system: "new", parameters: ["temperature": 1], prompt: "v1"))
    func explain(_ prompt: String) -> String {
      RecordingMiss.explain(
        RequestIdentity(.fixture(system: "new", parameters: ["temperature": 0])),
        repetition: 1,
        testCase: "where",
        prompt: prompt,
        in: file
      ).message
    }
    #expect(explain("v1") == "stale recording: the temperature changed")
    #expect(explain("v2") == "stale recording: the system message changed")
  }

  @Test("Messages that only changed places are a change of the request")
  func reordered() {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    file.add(.fixture(system: "a", parameters: [:]))
    var request = ModelRequest.fixture(system: "a", parameters: [:])
    request.body = [
      "model": "sorter-1",
      "messages": .array((request.body["messages"]?.array ?? []).reversed()),
    ]
    let miss = RecordingMiss.explain(
      RequestIdentity(request),
      repetition: 1,
      testCase: "where",
      prompt: "v1",
      in: file
    )
    #expect(miss.message == "stale recording: the request changed")
  }
}
