import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Recording session")
struct RecordingSessionTests {
  typealias Selection = RecordingRequest.Selection

  private func draft(_ project: RecordingProject, _ selection: Selection = Selection()) throws
    -> RecordingSession.Draft
  {
    RecordingSession(try project.plan(), surroundings: project.surroundings)
      .draft(selection)
  }

  /// Returns the cost of a draft in millionths of a dollar, or the reason why it is unknown.
  private func cost(_ project: RecordingProject, _ selection: Selection = Selection()) throws
    -> String
  {
    let draft = try draft(project, selection)
    #expect((draft.cost == nil) == (draft.unknown != nil))
    return draft.cost.map { NumberText.fixed($0 * 1e6, decimals: 1) } ?? draft.unknown ?? ""
  }

  private func recorded() async throws -> RecordingProject {
    let project = RecordingProject()
    _ = try await project.record()
    return project
  }

  // MARK: Costs

  // An answer of the server takes 100 tokens in and 10 out, which cost 300 millionths of a dollar.

  @Test("A repeated request is expected to cost as much as its recording")
  func again() async throws {
    let project = try await recorded()
    #expect(try cost(project) == "0.0")
    #expect(try cost(project, Selection(scope: .all)) == "1200.0")
    #expect(try cost(project, Selection(cases: ["where"], scope: .all)) == "300.0")
  }

  @Test(
    "A changed request costs what the nearest recording used; a new case costs the average"
  )
  func nearest() async throws {
    let project = try await recorded()
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    #expect(try cost(project) == "1200.0")
    try project.edit(
      RecordingProject.casesPath,
      replacing: "- {id: polite",
      with: "- {id: fresh, input: {message: New.}, expected: {kind: request}}\n- {id: polite"
    )
    #expect(try cost(project) == "1500.0")
    #expect(try cost(project, Selection(cases: ["fresh"])) == "300.0")
  }

  @Test("A request to another model has that model's price")
  func otherModel() async throws {
    let project = try await recorded()
    try project.edit("sluice.yaml", replacing: "model: sorter-1", with: "model: sorter-2")
    #expect(try cost(project) == "the price file has no price for 'sorter-2'")
    try project.edit(
      "prices.json",
      replacing: "{\"sorter-1\"",
      with: """
        {"sorter-2": {"input_cost_per_token": 0.00002, "output_cost_per_token": 0.0001}, "sorter-1"
        """
    )
    #expect(try cost(project) == "12000.0")
    // A case that is new for both models.
    try project.edit(RecordingProject.casesPath, replacing: "id: where", with: "id: whence")
    try project.edit(RecordingProject.casesPath, replacing: "Where is it?", with: "Whence?")
    #expect(try cost(project, Selection(cases: ["whence"])) == "3000.0")
  }

  @Test("For the same model name, the price is that of the version that answered")
  func answeringModel() async throws {
    let project = RecordingProject()
    func client(_ model: JSONValue?) -> RecordingHTTPClient {
      RecordingHTTPClient { request throws(HTTPError) in
        var response = try RecordingProject.answer(to: request)
        var body = (try? JSONReader.value(response.body))?.object ?? [:]
        body["model"] = model
        response.body = JSONWriter.line(.object(body))
        return response
      }
    }
    _ = try await project.record(from: client("sorter-1-2026"))
    #expect(
      try cost(project, Selection(scope: .all)) == "the price file has no price for 'sorter-1-2026'"
    )
    let silent = RecordingProject()
    _ = try await silent.record(from: client(nil))
    #expect(try cost(silent, Selection(scope: .all)) == "1200.0")
  }

  @Test("Without recorded token counts, the cost is unknown, with the reason")
  func unknown() async throws {
    let project = RecordingProject()
    #expect(try cost(project) == "'server' has no recordings with a known usage")
    let uncounted = RecordingHTTPClient { request throws(HTTPError) in
      var response = try RecordingProject.answer(to: request)
      var body = (try? JSONReader.value(response.body))?.object ?? [:]
      body["usage"] = nil
      response.body = JSONWriter.line(.object(body))
      return response
    }
    _ = try await project.record(from: uncounted)
    #expect(
      try cost(project, Selection(scope: .all))
        == "'server' has no recordings with a known usage"
    )
    // One answer with token counts is enough to estimate the others.
    _ = try await project.recordPending(Selection(cases: ["where"], scope: .all))
    #expect(try cost(project, Selection(scope: .all)) == "1200.0")
  }

  @Test("The cost limit stops further requests, and an unknown cost stops at once")
  func limit() async throws {
    let project = RecordingProject()
    try project.edit(
      "sluice.yaml",
      replacing: "model: sorter-1",
      with: "model: sorter-1, max-in-flight: 1"
    )
    let client = RecordingProject.server
    let outcome = try await project.recordPending(from: client, limit: 0.0005)
    #expect((outcome.recorded, outcome.unsent) == (2, 2))
    #expect(client.requests.count == 2)
    #expect(NumberText.fixed((outcome.cost ?? 0) * 1e6, decimals: 1) == "600.0")

    try project.edit("prices.json", replacing: "sorter-1", with: "other")
    let second = try await project.recordPending(from: client, limit: 1)
    #expect((second.recorded, second.unsent, second.cost) == (1, 1, nil))
    let third = try await project.recordPending(from: client, limit: 0)
    #expect((third.recorded, third.unsent) == (0, 1))
    #expect(client.requests.count == 3)
  }

  @Test(
    "After a failed write, no further answers are written behind a partial line"
  )
  func refused() async throws {
    let project = RecordingProject()
    let plan = try project.plan()
    let path = project.pending().path
    let files = HalfWrittenFileSystem(project.files)
    let outcome = await Recorder(
      plan,
      files: files,
      journals: ["server": Recorder.Journal(path: path, recorded: RecordingFile(path: path))]
    ).record(
      plan.recordingRequests(Selection(), in: [:]),
      backends: try project.backends(RecordingProject.server)
    )
    #expect(outcome.recorded == 0)
    #expect(outcome.unsent == 4)
    let diagnostics = DiagnosticCollector()
    let journal = RecordingFile(
      reading: path,
      from: project.files,
      isJournal: true
    ).reporting(to: diagnostics)
    #expect(journal.count == 0)
    #expect(diagnostics.isEmpty)
  }

  /// A file system that writes only half of the first append, and then works.
  private final class HalfWrittenFileSystem: FileSystem {
    private let files: InMemoryFileSystem
    private let hasFailed = Locked(false)

    init(_ files: InMemoryFileSystem) { self.files = files }

    func read(_ path: ProjectPath) throws(FileError) -> [UInt8] { try files.read(path) }
    func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
      try files.write(bytes, to: path)
    }
    func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
      let fails = hasFailed.withLock { hasFailed in
        defer { hasFailed = true }
        return !hasFailed
      }
      try files.append(fails ? Array(bytes.dropLast(bytes.count / 2)) : bytes, to: path)
      if fails { throw FileError(path: path, reason: "no space left on device") }
    }
    func kind(of path: ProjectPath) -> FileKind { files.kind(of: path) }
    func names(in folder: ProjectPath) -> [String] { files.names(in: folder) }
  }

  // MARK: Scratch

  @Test("Scratch answers are stored separately and are used first with scratch")
  func scratch() async throws {
    let project = try await recorded()
    let committed = [
      RecordingProject.recordingsPath.description, "datasets/triage/recordings/ledger/server.jsonl",
    ]
    let before = try committed.map { try project.text(of: $0) }
    let session = RecordingSession(
      try project.plan(),
      surroundings: project.surroundings,
      isScratch: true
    )
    let other = RecordingHTTPClient(RecordingProject.completion(text: #"{"kind":"other"}"#))
    let draft = session.draft(
      Selection(cases: ["where"], scope: .all)
    )
    let outcome = try await session.record(draft, backends: try project.backends(other))
    #expect(outcome.recorder.recorded == 1)
    #expect(outcome.pending == [])
    #expect(try committed.map { try project.text(of: $0) } == before)
    #expect(!project.pending().exists)
    #expect(
      project.files.names(in: ProjectPath("reports/scratch/datasets/triage/recordings"))
        == ["server.jsonl"]
    )
    func answers(isScratch: Bool) throws -> [Trial.Outcome] {
      Evaluation(
        try project.suite(),
        surroundings: project.surroundings,
        layers: RecordingSession.layers(isScratch: isScratch)
      ).replay(concurrency: 1).result.columns[0].trials.map(\.outcome)
    }
    #expect(try answers(isScratch: true) == [.failed, .passed, .passed, .failed])
    #expect(try answers(isScratch: false) == [.passed, .passed, .passed, .failed])
    // An answer in any layer is not missing.
    #expect(session.draft(Selection()).requests.isEmpty)
  }

  // MARK: Drafts

  @Test("A draft lists requests without sending them and reports damaged lines")
  func drafts() async throws {
    let project = try await recorded()
    try project.edit(
      RecordingProject.recordingsPath.description,
      replacing: "\"recorded\":\"2026",
      with: "\"recorded\":\"2027"
    )
    let draft = RecordingSession(try project.plan(), surroundings: project.surroundings)
      .draft(Selection())
    #expect(draft.requests.count == 1)
    #expect(
      draft.faults.map(\.message)
        == ["the recording was changed after it was recorded: its digest does not match"]
    )
  }

  @Test("Expired answers are recorded again")
  func expired() async throws {
    let project = try await recorded()
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: "recordings: {expire-after: 30 days}\nprices:"
    )
    func count(after days: Int) throws -> Int {
      RecordingSession(
        try project.plan(),
        surroundings: Surroundings(files: project.files, now: { RecordingProject.date - -days })
      ).draft(Selection()).requests.count
    }
    #expect(try count(after: 30) == 0)
    #expect(try count(after: 31) == 4)
  }

  @Test("Known keys are redacted before anything is written")
  func secrets() async throws {
    let project = RecordingProject()
    let key = "correct-horse-battery"
    try project.edit(
      "sluice.yaml",
      replacing: "model: sorter-1",
      with: "model: sorter-1, key: {env: K}"
    )
    let surroundings = Surroundings(
      files: project.files,
      environment: ["K": key],
      now: { RecordingProject.date }
    )
    let session = RecordingSession(try project.plan(), surroundings: surroundings)
    let client = RecordingHTTPClient(RecordingProject.completion(text: "My key is \(key)."))
    let backend = try #require(try project.plan().backends.first)
      .connectPlainly(client, surroundings: surroundings)
    let outcome = try await session.record(
      session.draft(Selection()),
      backends: ["server": backend]
    )
    #expect(outcome.pending == ["server"])
    let text = try project.text(of: project.pending().path.description)
    #expect(!text.contains(key))
    #expect(text.contains("My key is <redacted:"))
  }

  @Test("CI uses scratch answers on request, and never a pending set")
  func layersInCI() async throws {
    let project = RecordingProject()
    let draft = RecordingSession(
      try project.plan(),
      surroundings: project.surroundings,
      isScratch: true
    )
    .draft(RecordingRequest.Selection())
    _ = try await RecordingSession(
      try project.plan(),
      surroundings: project.surroundings,
      isScratch: true
    ).record(draft, backends: try project.backends(RecordingProject.server))
    func lost(isScratch: Bool, _ environment: [String: String]) throws -> [Int] {
      var surroundings = project.surroundings
      surroundings.environment = environment
      return Evaluation(
        try project.suite(),
        surroundings: surroundings,
        keepsLog: false,
        layers: RecordingSession.layers(isScratch: isScratch)
      ).replay(concurrency: 1).result.columns.map(\.lost)
    }
    #expect(try lost(isScratch: true, ["CI": "true"]) == [0])
    #expect(try lost(isScratch: false, ["CI": "true"]) == [4])
    _ = try await project.recordPending()
    #expect(try lost(isScratch: false, [:]) == [0])
    #expect(try lost(isScratch: false, ["CI": "true"]) == [4])
  }
}
