@testable import Sluice
import TestSupport
import Testing

@Suite("Recorder")
struct RecorderTests {
  /// A file system that counts writes and refuses the first of them.
  private final class FlakyFileSystem: FileSystem {
    private let files: InMemoryFileSystem
    private let state: Locked<(writes: [Int], refusals: Int)>

    init(_ files: InMemoryFileSystem, refusing refusals: Int = 0) {
      self.files = files
      state = Locked(([], refusals))
    }

    /// How many lines each write had.
    var writes: [Int] { state.withLock { $0.writes } }

    func read(_ path: ProjectPath) throws(FileError) -> [UInt8] { try files.read(path) }
    func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
      try files.append(bytes, to: path)
    }
    func kind(of path: ProjectPath) -> FileKind { files.kind(of: path) }
    func names(in folder: ProjectPath) -> [String] { files.names(in: folder) }

    func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
      let isRefused = state.withLock { state in
        state.writes.append(bytes.filter { $0 == 0x0A }.count)
        return state.writes.count <= state.refusals
      }
      if isRefused { throw FileError(path: path, reason: "no space left on device") }
      try files.write(bytes, to: path)
    }
  }

  private func messages(_ client: RecordingHTTPClient) -> [String] {
    client.requests.compactMap {
      (try? JSONReader.value($0.body))?.value(at: "messages.1.content")?.string
    }
  }

  private func text(_ project: RecordingProject) throws -> String {
    try project.text(of: RecordingProject.recordingsPath.description)
  }

  /// The lines of exchanges, without those of parts.
  private func exchanges(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.hasPrefix(#"{"schema":1,"key":"#) }
  }

  // MARK: What is sent

  @Test("Only what is missing is sent, and a second time nothing is")
  func onlyMissing() async throws {
    let project = RecordingProject()
    let first = RecordingProject.server
    let outcome = try await project.record(from: first)
    #expect(outcome.recorded == 4)
    #expect(outcome.failures.isEmpty)
    #expect(outcome.fileError == nil)
    #expect(
      Set(messages(first)) == ["Where is it?", "Please send it.", "Thanks!", "Could you send it?"]
    )
    let before = try text(project)

    let second = RecordingProject.server
    #expect(try await project.record(from: second).recorded == 0)
    #expect(second.requests.isEmpty)
    #expect(try text(project) == before)

    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    let third = RecordingProject.server
    #expect(try await project.record(from: third).recorded == 1)
    #expect(messages(third) == ["Thank you!"])
    let lines = try text(project).split(separator: "\n")
    #expect(before.split(separator: "\n").allSatisfy(lines.contains))
  }

  @Test("What is missing is listed in the order of the suite, with what explains it")
  func missing() throws {
    let project = RecordingProject()
    let plan = try project.plan()
    let missing = Recorder(plan).missing(in: [:])
    #expect(missing.map(\.hints.testCase) == ["where", "send", "thanks", "polite"])
    #expect(missing.map(\.repetition) == [1, 1, 1, 1])
    for (index, entry) in missing.enumerated() {
      #expect(entry.request == (try plan.request(plan.slot(index))))
      #expect(entry.identity == RequestIdentity(entry.request))
      #expect(entry.hints.prompt == "v1")
      #expect(entry.hints.suite == "triage")
    }
  }

  @Test("Two cases that ask the same are sent once and share the answer")
  func equalRequests() async throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Where is it?")
    let client = RecordingProject.server
    #expect(try await project.record(from: client).recorded == 3)
    #expect(messages(client).filter { $0 == "Where is it?" }.count == 1)
    #expect(try project.replay().suites.flatMap(\.misses).isEmpty)
  }

  @Test("Every repeat is sent, and further repeats are recorded beside those that are there")
  func repeats() async throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.suitePath, replacing: "dataset:", with: "repeat: 2\ndataset:")
    let client = RecordingProject.server
    #expect(try await project.record(from: client).recorded == 8)
    #expect(messages(client).filter { $0 == "Thanks!" }.count == 2)
    try project.edit(RecordingProject.suitePath, replacing: "repeat: 2", with: "repeat: 3")
    #expect(try await project.record().recorded == 4)
    #expect(try project.replay().suites.flatMap(\.misses).isEmpty)
    let repeats = try exchanges(text(project)).map {
      try JSONReader.value(String($0))["repeat"]?.integer
    }
    #expect(repeats == [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])
  }

  @Test("A recording that cannot be used is recorded again")
  func unusable() async throws {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.promptPath,
      replacing: "Say what",
      with: String(repeating: "Say it. ", count: 20) + "Say what"
    )
    _ = try await project.record()
    let whole = try text(project)
    let part = try #require(whole.split(separator: "\n").first)
    try project.edit(
      RecordingProject.recordingsPath.description,
      replacing: part + "\n",
      with: ""
    )
    #expect(try project.replay().suites.flatMap(\.misses).count == 4)
    #expect(try await project.record().recorded == 4)
    #expect(try text(project) == whole)
  }

  // MARK: What is written

  @Test("A recording says who answered, and keeps no secret")
  func provenance() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let text = try text(project)
    #expect(
      exchanges(text).allSatisfy { line in
        line.contains(
          #""answered-by":{"host":"https://models.test","model":"sorter-1","stand-in":"sorter"}"#
        )
      }
    )
    #expect(!text.contains("session=secret"))
  }

  @Test("The files do not depend on how many requests are under way at once")
  func sameBytes() async throws {
    var texts: Set<String> = []
    for inFlight in [1, 3, 8] {
      let project = RecordingProject()
      try project.edit(
        "sluice.yaml",
        replacing: "model: sorter-1",
        with: "model: sorter-1, max-in-flight: \(inFlight)"
      )
      _ = try await project.record()
      texts.insert(try text(project))
    }
    #expect(texts.count == 1)
  }

  @Test("A request that fails is named and leaves the files as they were")
  func failures() async throws {
    let project = RecordingProject()
    let client = RecordingHTTPClient(HTTPResponse(status: 503, body: []))
    let outcome = try await project.record(from: client)
    #expect(outcome.recorded == 0)
    #expect(
      outcome.failures.map(\.missing.hints.testCase) == ["where", "send", "thanks", "polite"]
    )
    #expect(
      outcome.failures.map(\.error)
        == Array(repeating: BackendError(.serverError, "the server answered 503"), count: 4)
    )
    #expect(project.files.kind(of: RecordingProject.recordingsPath) == .missing)
  }

  @Test("What was answered is kept though other requests fail")
  func someFailures() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let whole = try text(project)
    let other = RecordingProject()
    let client = RecordingHTTPClient { request throws(HTTPError) in
      if String(decoding: request.body, as: UTF8.self).contains("Please") {
        throw HTTPError(.timedOut, detail: "")
      }
      return try RecordingProject.answer(to: request)
    }
    let outcome = try await other.record(from: client)
    #expect(outcome.recorded == 3)
    #expect(outcome.failures.map(\.missing.hints.testCase) == ["send"])
    let kept = try text(other).split(separator: "\n")
    #expect(kept == whole.split(separator: "\n").filter { !$0.contains(#""case":"send""#) })
  }

  @Test(
    "An exchange that holds no answer is no recording",
    arguments: [#"{"error":"Overloaded."}"#, "", "<html></html>", #"{"choices":[]}"#]
  )
  func noAnswer(body: String) async throws {
    let project = RecordingProject()
    let client = RecordingHTTPClient(HTTPResponse(status: 200, body: Array(body.utf8)))
    let outcome = try await project.record(from: client)
    #expect(outcome.recorded == 0)
    #expect(outcome.failures.count == 4)
    #expect(project.files.kind(of: RecordingProject.recordingsPath) == .missing)
  }

  @Test("A backend that is not connected fails its requests")
  func notConnected() async throws {
    let project = RecordingProject()
    let recorder = Recorder(try project.plan())
    let outcome = await recorder.record(
      recorder.missing(in: [:]),
      into: try project.recordings(),
      backends: [:],
      files: project.files
    )
    #expect(
      outcome.failures.first?.error
        == BackendError(.invalidRequest, "the backend 'server' is not connected")
    )
  }

  // MARK: Batches

  private func record(
    _ count: Int,
    _ files: (InMemoryFileSystem) -> FlakyFileSystem
  ) async throws -> (
    outcome: Recorder.Outcome, files: FlakyFileSystem, progress: [Int], project: RecordingProject
  ) {
    let project = try RecordingProject(caseCount: count)
    try project.edit(
      "sluice.yaml",
      replacing: "model: sorter-1",
      with: "model: sorter-1, max-in-flight: 1"
    )
    let plan = try project.plan()
    let backend = try plan.backends[0].connect(
      RecordingProject.server,
      surroundings: project.surroundings
    )
    let recorder = Recorder(plan)
    let flaky = files(project.files)
    let progress = Locked<[Int]>([])
    let outcome = await recorder.record(
      recorder.missing(in: [:]),
      into: try project.recordings(),
      backends: ["server": backend],
      files: flaky,
      onProgress: { done, total in
        progress.withLock { $0.append(total == count ? done : -1) }
      }
    )
    return (outcome, flaky, progress.withLock { $0 }, project)
  }

  @Test("Files are written every 64 answers, so that an interrupted run keeps most, and at the end")
  func batches() async throws {
    let (outcome, files, progress, _) = try await record(130) { FlakyFileSystem($0) }
    #expect(outcome.recorded == 130)
    // The part line of the schema is one more.
    #expect(files.writes == [65, 129, 131])
    #expect(progress == Array(1...130))
  }

  @Test("A write that is refused is tried again, and only the last refusal counts")
  func refusedOnce() async throws {
    let (outcome, files, _, project) = try await record(70) { FlakyFileSystem($0, refusing: 1) }
    #expect(files.writes == [65, 71])
    #expect(outcome.fileError == nil)
    #expect(try project.recordings()["server"]?.count == 70)
  }

  @Test("A file that cannot be written is reported")
  func refused() async throws {
    let (outcome, _, _, project) = try await record(2) { FlakyFileSystem($0, refusing: 9) }
    #expect(
      outcome.fileError
        == FileError(path: RecordingProject.recordingsPath, reason: "no space left on device")
    )
    #expect(project.files.kind(of: RecordingProject.recordingsPath) == .missing)
  }
}
