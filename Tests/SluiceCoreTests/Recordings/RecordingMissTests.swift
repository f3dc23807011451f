import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Recording miss")
struct RecordingMissTests {
  private static func change(_ kinds: [RecordingMiss.Change.Kind], _ parts: [String])
    -> RecordingMiss.Reason
  {
    .changed(RecordingMiss.Change(kinds: kinds, parts: parts))
  }

  @Test(
    "A miss states its reason in one phrase",
    arguments: [
      (RecordingMiss.Reason.newCase, "no recording: new case"),
      (.usedUp(recorded: 1), "no recording: too few repeats (1 recorded, another one needed)"),
      (.usedUp(recorded: 3), "no recording: too few repeats (3 recorded, another one needed)"),
      (change([], []), "no recording: the request changed"),
      (change([.parameters], ["seed"]), "no recording: parameters changed (seed)"),
      (
        change([.model, .parameters], ["model", "seed"]),
        "no recording: model and parameters changed (model, seed)"
      ),
      (
        change([.prompt, .model, .tools], ["system message", "model", "tool a"]),
        "no recording: prompt, model and tools changed (system message, model, tool a)"
      ),
      (.expired("2026-01-02"), "expired recording: recorded 2026-01-02"),
      (.unusable("the part is missing"), "unusable recording: the part is missing"),
      (.damaged(path: "recordings/a.jsonl", line: 4), "damaged recording: recordings/a.jsonl:4"),
      (.fileMissing("recordings/a.jsonl"), "no recording: recordings/a.jsonl is missing"),
    ]
  )
  func messages(reason: RecordingMiss.Reason, message: String) {
    #expect(RecordingMiss(reason: reason).message == message)
  }

  /// An edit of one of the project's files, with the affected case and the expected miss.
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
    prompt("Say what", "Tell what", "no recording: prompt changed (system message)"),
    prompt(
      #""{{message}}""#,
      #""> {{message}}""#,
      "no recording: prompt changed (user message)"
    ),
    prompt(
      "  - system: Say",
      "  - developer: Say",
      """
      no recording: prompt changed (developer message, system message)
      """
    ),
    prompt(
      "  - user:",
      "  - assistant: Hm\n  - user:",
      """
      no recording: prompt changed (assistant message)
      """
    ),
    prompt("temperature: 0,", "temperature: 1,", "no recording: parameters changed (temperature)"),
    prompt("temperature: 0, ", "", "no recording: parameters changed (temperature)"),
    prompt("max-tokens: 20", "max-tokens: 21", "no recording: parameters changed (max-tokens)"),
    prompt("max-tokens:", "top-p: 1, max-tokens:", "no recording: parameters changed (top-p)"),
    prompt(
      "max-tokens",
      "max-completion-tokens",
      """
      no recording: parameters changed (max-completion-tokens, max-tokens)
      """
    ),
    prompt("max-tokens: 20", "max-tokens: 20, seed: 1", "no recording: parameters changed (seed)"),
    prompt("max-tokens: 20", "max-tokens: 20, stop: x", "no recording: parameters changed (stop)"),
    prompt(
      "max-tokens: 20",
      "max-tokens: 20, presence-penalty: 1",
      """
      no recording: parameters changed (presence-penalty)
      """
    ),
    prompt(
      "max-tokens: 20",
      "max-tokens: 20, frequency-penalty: 1",
      """
      no recording: parameters changed (frequency-penalty)
      """
    ),
    prompt(
      "max-tokens: 20",
      "max-tokens: 20, reasoning-effort: low",
      """
      no recording: parameters changed (reasoning-effort)
      """
    ),
    prompt(
      "response-schema: kind.schema.json",
      "",
      """
      no recording: response schema changed (response schema)
      """
    ),
    prompt(
      "{temperature: 0, max-tokens: 20}",
      "{temperature: 1, max-tokens: 30}",
      """
      no recording: parameters changed (temperature, max-tokens)
      """
    ),
    Edit(
      path: "prompts/triage/kind.schema.json",
      old: #""string""#,
      new: #""integer""#,
      message: "no recording: response schema changed (response schema)"
    ),
    Edit(
      path: "sluice.yaml",
      old: "model: sorter-1",
      new: "model: sorter-2",
      message: "no recording: model changed (model)"
    ),
    Edit(
      path: "sluice.yaml",
      old: "model: sorter-1",
      new: "model: sorter-1, parameters: {seed: 3}",
      message: "no recording: parameters changed (seed)"
    ),
    Edit(
      path: RecordingProject.casesPath,
      old: "Where is it?",
      new: "Where was it?",
      message: "no recording: case changed (user message)"
    ),
    Edit(
      path: RecordingProject.casesPath,
      old: "id: where",
      new: "id: whence, input: {message: \"Whence?\"}, expected: {kind: question}}\n- {id: where",
      testCase: "whence",
      message: "no recording: new case"
    ),
    Edit(
      path: RecordingProject.suitePath,
      old: "backend: server",
      new: "backend: server\nrepeat: 2",
      message: "no recording: too few repeats (1 recorded, another one needed)"
    ),
  ]

  @Test("A miss names the part of the request that an edit changed", arguments: edits)
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

  @Test("A backend with another name is explained by the recordings under the old one")
  func renamedBackend() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit("sluice.yaml", replacing: "  server:", with: "  big:")
    try project.edit(RecordingProject.suitePath, replacing: "backend: server", with: "backend: big")
    let misses = try project.replay().suites.flatMap(\.recordings.misses)
    #expect(misses.map(\.reason) == ["no recording: backend changed (server → big)"])
    #expect(misses.map(\.count) == [4])
    #expect(misses.first?.nearest?.formerBackend == "server")
    // If the prompt was edited as well, the reason names both edits. Then the old name of the
    // backend would not bring the answers back, so it is not suggested.
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    let edited = try project.replay().suites.flatMap(\.recordings.misses)
    #expect(
      edited.map(\.reason)
        == ["no recording: prompt and backend changed (server → big, system message)"]
    )
    #expect(edited.first?.nearest?.formerBackend == nil)
    // A backend with another model was replaced, not renamed.
    try project.edit("sluice.yaml", replacing: "model: sorter-1", with: "model: sorter-2")
    #expect(
      try project.replay().suites.flatMap(\.recordings.misses).map(\.reason)
        == ["no recording: new case"]
    )
  }

  @Test("Under its old name a backend has its recordings again")
  func renamedBack() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    for (old, new) in [("server", "big"), ("big", "server")] {
      try project.edit("sluice.yaml", replacing: "  \(old):", with: "  \(new):")
      try project.edit(
        RecordingProject.suitePath,
        replacing: "backend: \(old)",
        with: "backend: \(new)"
      )
    }
    #expect(try project.replay().suites.flatMap(\.misses).isEmpty)
  }

  @Test("A part of the answers under the new name hides nothing of the old ones")
  func partlyRenamedBackend() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit("sluice.yaml", replacing: "  server:", with: "  big:")
    try project.edit(RecordingProject.suitePath, replacing: "backend: server", with: "backend: big")
    _ = try await project.recordPending(RecordingRequest.Selection(cases: ["where"]))
    let misses = try project.replay().suites.flatMap(\.recordings.misses)
    #expect(misses.map(\.reason) == ["no recording: backend changed (server → big)"])
    #expect(misses.map(\.count) == [3])
  }

  @Test("Cases with the same request share a recording, and a change is reported for each case")
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
    #expect(reasons == Array(repeating: "no recording: model changed (model)", count: 5))
  }

  @Test("An edit of one case does not affect the recordings of others")
  func otherCases() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Where is it?", with: "Where was it?")
    #expect(try project.replay().suites.flatMap(\.misses).map(\.caseID) == ["where"])
  }

  @Test(
    "An edit outside the request causes no misses",
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

  /// Returns the reason why a case's request has no recording among these recordings.
  private func explained(
    _ recordings: [Recording],
    _ request: ModelRequest,
    prompt: String = "v1",
    templateDigest: String = "fedcba9876543210",
    inputDigest: String = "0123456789abcdef"
  ) -> String {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    for recording in recordings { file.add(recording) }
    let hints = Recording.Hints(
      suite: "triage",
      testCase: "where",
      inputDigest: inputDigest,
      prompt: prompt,
      templateDigest: templateDigest
    )
    let explainer = MissExplainer(["server": RecordingStore(file)])
    return explainer.miss(request, repetition: 1, hints: hints).message
  }

  @Test("A miss is explained by the nearest recording of the same prompt, if there is one")
  func nearest() {
    let recordings = [
      Recording.fixture(system: "old", parameters: ["temperature": 0], prompt: "v2"),
      Recording.fixture(system: "new", parameters: ["temperature": 1], prompt: "v1"),
    ]
    let request = ModelRequest.fixture(system: "new", parameters: ["temperature": 0])
    #expect(
      explained(recordings, request, prompt: "v1")
        == "no recording: parameters changed (temperature)"
    )
    #expect(
      explained(recordings, request, prompt: "v2")
        == "no recording: prompt changed (system message)"
    )
  }

  @Test("A recording of the same input explains a miss, before nearer ones of an earlier text")
  func sameInput() {
    let recordings = [
      Recording.fixture(user: "Where was it?", inputDigest: "0000000000000000"),
      Recording.fixture(user: "Where is it?", system: "old", prompt: "v2", templateDigest: "0"),
    ]
    #expect(
      explained(recordings, .fixture(user: "> Where is it?"))
        == "no recording: prompt changed (user message, system message)"
    )
  }

  @Test("Of recordings that differ equally the newest explains a miss")
  func newest() {
    // The order of the keys is arbitrary, so each of the texts is once the newest.
    let texts = ["Where was it?", "Where will it be?", "Where?", "It is where?"]
    for newest in texts {
      var file = RecordingFile(path: RecordingProject.recordingsPath)
      for text in texts {
        var recording = Recording.fixture(user: text, inputDigest: "0000000000000000")
        let days = text == newest ? 1 : 0
        recording.exchange.response.date.seconds += days * 86_400
        file.add(recording)
      }
      let nearest = MissExplainer(["server": RecordingStore(file)])
        .nearest(to: .fixture(), hints: Recording.fixture().hints)
      #expect(nearest?.recording.exchange.request == .fixture(user: newest))
    }
  }

  @Test("An edit of the user message is the prompt's for each case that did not change")
  func userMessage() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    // After these edits, one answer is for an earlier text, two cases share an answer, and one
    // answer has an old id.
    for (old, new) in [
      ("Where is it?", "Where was it?"),
      (
        "- {id: thanks",
        "- {id: twin, input: {message: Thanks!}, expected: {kind: other}}\n- {id: thanks"
      ),
    ] { try project.edit(RecordingProject.casesPath, replacing: old, with: new) }
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "id: polite", with: "id: courteous")
    #expect(try project.replay().suites.flatMap(\.misses).isEmpty)
    try project.edit(
      RecordingProject.promptPath,
      replacing: #""{{message}}""#,
      with: #""> {{message}}""#
    )
    let result = try project.replay()
    let misses = result.suites.flatMap(\.recordings.misses)
    #expect(misses.map(\.reason) == ["no recording: prompt changed (user message)"])
    #expect(misses.map(\.count) == [5])
    #expect(
      misses.first?.nearest?.difference.parts == [
        .init(name: "user message", lines: ["- Where was it?", "+ > Where was it?"])
      ]
    )
  }

  @Test(
    "A changed message is attributed to prompt, case or both, by the recorded digests",
    arguments: [
      ("fedcba9876543210", "0123456789abcdef", "prompt changed"),
      ("0000000000000000", "0123456789abcdef", "prompt changed"),
      ("fedcba9876543210", "0000000000000000", "case changed"),
      ("0000000000000000", "0000000000000000", "prompt and case changed"),
    ]
  )
  func promptOrCase(templateDigest: String, inputDigest: String, what: String) {
    #expect(
      explained(
        [.fixture()],
        .fixture(user: "Where was it?"),
        templateDigest: templateDigest,
        inputDigest: inputDigest
      ) == "no recording: \(what) (user message)"
    )
  }

  @Test("Messages in another order count as a change of the prompt")
  func reordered() {
    var request = ModelRequest.fixture(system: "a", parameters: [:])
    request.body = [
      "model": "sorter-1",
      "messages": .array((request.body["messages"]?.array ?? []).reversed()),
    ]
    #expect(
      explained([.fixture(system: "a", parameters: [:])], request)
        == "no recording: prompt changed (order of the messages)"
    )
  }
}
