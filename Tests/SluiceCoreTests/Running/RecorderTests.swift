import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Recorder")
struct RecorderTests {
  /// A file system that logs appends, and rejects them after a limit.
  private final class FlakyFileSystem: FileSystem {
    private let files: InMemoryFileSystem
    private let limit: Int
    private let state = Locked<[(lines: Int, isSynced: Bool)]>([])

    init(_ files: InMemoryFileSystem, refusingAfter limit: Int = .max) {
      self.files = files
      self.limit = limit
    }

    /// The number of lines of each append, and true if the append was synced.
    var appended: [(lines: Int, isSynced: Bool)] { state.withLock { $0 } }

    func read(_ path: ProjectPath) throws(FileError) -> [UInt8] { try files.read(path) }
    func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
      try files.write(bytes, to: path)
    }
    func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
      try append(bytes, to: path, isSynced: true)
    }
    func kind(of path: ProjectPath) -> FileKind { files.kind(of: path) }
    func names(in folder: ProjectPath) -> [String] { files.names(in: folder) }

    func append(_ bytes: [UInt8], to path: ProjectPath, isSynced: Bool) throws(FileError) {
      let isRefused = state.withLock { state in
        state.append((bytes.count { $0 == 0x0A }, isSynced))
        return state.count > limit
      }
      if isRefused { throw FileError(path: path, reason: "no space left on device") }
      try files.append(bytes, to: path)
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

  /// Returns the lines of exchanges, without the lines of parts.
  private func exchanges(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.hasPrefix(#"{"schema":3,"key":"#) }
  }

  // MARK: Requests

  @Test("Only missing recordings are requested, and a second run requests nothing")
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

  @Test("Missing recordings are listed in the suite's order, with their hints")
  func missing() throws {
    let project = RecordingProject()
    let plan = try project.plan()
    let missing = plan.recordingRequests(RecordingRequest.Selection(), in: [:])
    #expect(missing.map(\.hints.testCase) == ["where", "send", "thanks", "polite"])
    #expect(missing.map(\.repetition) == [1, 1, 1, 1])
    for (index, entry) in missing.enumerated() {
      #expect(entry.request == (try plan.request(plan.slot(index))))
      #expect(entry.key == RequestIdentity.key(of: entry.request))
      #expect(entry.hints.prompt == "v1")
      #expect(entry.hints.suite == "triage")
    }
  }

  @Test("Two cases with the same request are sent once and share the answer")
  func equalRequests() async throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Where is it?")
    let client = RecordingProject.server
    #expect(try await project.record(from: client).recorded == 3)
    #expect(messages(client).filter { $0 == "Where is it?" }.count == 1)
    #expect(try project.replay().suites.flatMap(\.misses).isEmpty)
  }

  @Test("Every repeat is requested, and more repeats are added to the existing ones")
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
    _ = try await project.record()
    let whole = try text(project)
    let part = try #require(whole.split(separator: "\n").first { $0.contains(#""value":{"api""#) })
    try project.edit(
      RecordingProject.recordingsPath.description,
      replacing: part + "\n",
      with: ""
    )
    #expect(try project.replay().suites.flatMap(\.misses).count == 4)
    #expect(try await project.record().recorded == 4)
    #expect(try text(project) == whole)
  }

  // MARK: Recordings

  @Test("A recording states who answered, and contains no secret")
  func provenance() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let text = try text(project)
    let sources = try text.split(separator: "\n").filter { $0.contains("answered-by") }.map {
      line in
      try JSONReader.value(Array(line.utf8))
    }
    #expect(sources.count == 1)
    let source = try #require(sources.first)
    #expect(
      source["value"]?["answered-by"]
        == ["host": "https://models.test", "model": "sorter-1"]
    )
    let reference = "\"source\":\(source["part"]?.jsonText ?? "")"
    #expect(exchanges(text).allSatisfy { $0.contains(reference) })
    #expect(!text.contains("session=secret"))
  }

  @Test("The number of concurrent requests does not affect the files")
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

  @Test("A failed request is reported and leaves the files unchanged")
  func failures() async throws {
    let project = RecordingProject()
    let client = RecordingHTTPClient(HTTPResponse(status: 503, body: []))
    let outcome = try await project.record(from: client)
    #expect(outcome.recorded == 0)
    #expect(
      outcome.failures.map(\.request.hints.testCase) == ["where", "send", "thanks", "polite"]
    )
    #expect(
      outcome.failures.map(\.error)
        == Array(
          repeating: BackendError(.serverError, "the server answered 503", status: 503),
          count: 4
        )
    )
    #expect(project.files.kind(of: RecordingProject.recordingsPath) == .missing)
  }

  @Test("Answers are kept even if other requests fail")
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
    #expect(outcome.failures.map(\.request.hints.testCase) == ["send"])
    let kept = try text(other).split(separator: "\n")
    #expect(kept == whole.split(separator: "\n").filter { !$0.contains(#""case":"send""#) })
  }

  @Test(
    "An exchange without an answer is not recorded",
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

  @Test("Requests to a backend that is not connected fail")
  func notConnected() async throws {
    let project = RecordingProject()
    let plan = try project.plan()
    let outcome = await Recorder(plan, files: project.files, journals: [:]).record(
      plan.recordingRequests(RecordingRequest.Selection(), in: [:]),
      backends: [:]
    )
    #expect(
      outcome.failures.first?.error
        == BackendError(
          .invalidRequest,
          "there is no connection for the backend 'server'"
        )
    )
  }

  // MARK: The journal

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
    let flaky = files(project.files)
    let path = project.pending().path
    let progress = Locked<[Int]>([])
    let recorder = Recorder(
      plan,
      files: flaky,
      journals: ["server": Recorder.Journal(path: path, recorded: RecordingFile(path: path))]
    )
    let outcome = await recorder.record(
      plan.recordingRequests(RecordingRequest.Selection(), in: [:]),
      backends: try project.backends(RecordingProject.server),
      onProgress: { now in
        progress.withLock { $0.append(now.total == count ? now.done : -1) }
      }
    )
    return (outcome, flaky, progress.withLock { $0 }, project)
  }

  @Test("Each answer is appended to the journal at once, and every 64th append is synced")
  func appended() async throws {
    let (outcome, files, progress, project) = try await record(130) { FlakyFileSystem($0) }
    #expect(outcome.recorded == 130)
    // The part lines of source, frame and system message are written with the first exchange.
    #expect(files.appended.map(\.lines) == [3] + Array(repeating: 1, count: 129))
    #expect(files.appended.enumerated().filter(\.element.isSynced).map(\.offset) == [63, 127])
    #expect(progress == Array(1...130))
    let journal = RecordingFile(
      reading: project.pending().path,
      from: project.files,
      isJournal: true
    )
    #expect(journal.count == 130)
  }

  @Test("If the journal can no longer be written, no more requests are sent")
  func refused() async throws {
    let (outcome, files, _, _) = try await record(5) { FlakyFileSystem($0, refusingAfter: 2) }
    #expect(outcome.recorded == 2)
    #expect(outcome.unsent == 3)
    #expect(outcome.fileError?.reason == "no space left on device")
    #expect(files.appended.count == 3)
  }
}
