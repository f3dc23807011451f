import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Recordings in earlier schemas")
struct OldRecordingsTests {
  private static let path = RecordingProject.recordingsPath

  private func read(_ text: String) -> (file: RecordingFile, diagnostics: String) {
    let diagnostics = DiagnosticCollector()
    let file = RecordingFile(
      reading: Self.path,
      from: InMemoryFileSystem([Self.path.description: text])
    ).reporting(to: diagnostics)
    return (file, diagnostics.diagnostics.map(\.description).joined())
  }

  /// All recordings of a project's file.
  private func recordings(_ project: RecordingProject) throws -> [Recording] {
    let file = RecordingFile(
      reading: Self.path,
      from: project.files
    )
    return try file.slots.map { try #require(try file.recording($0)) }
  }

  /// Returns a project whose answers were recorded by an earlier version.
  private func project(schema: Int = 1) async throws -> (project: RecordingProject, new: String) {
    let project = RecordingProject()
    _ = try await project.record()
    let new = try project.text(of: Self.path.description)
    let old = OldRecordings.text(try recordings(project), schema: schema)
    try project.files.write(Array(old.utf8), to: Self.path)
    return (project, new)
  }

  /// A shortened line from a file of that version.
  private static let line = """
    {"schema":1,"key":"\(RequestIdentity.key(of: .fixture()))","repeat":1,\
    "answered-by":{"host":"http://127.0.0.1:8089","model":"m","stand-in":"m"},\
    "recorded":"2026-11-21T14:45:01Z","recorder":"sluice 0.1.0",\
    "hints":{"suite":"triage","case":"where","prompt":"v1","prompt-digest":"7df3cb886a2ff38b"},\
    "parts":{"model":"4cc4e1a9cf4d28ef","user message":"4c56b63554ad7c9c"},\
    "request":{"backend":"server","api":"openai-chat","model":"sorter-1",\
    "body":{"model":"sorter-1","messages":[{"role":"user","content":{"$part":"PART"}}],\
    "temperature":0}},"response":{"status":200,\
    "headers":{"content-type":"application/json","x-sluice-stand-in":"m"},\
    "body":{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a"},\
    "finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":5}}},\
    "timings":{"connect-ms":0.233,"first-byte-ms":23.542,"total-ms":23.572},\
    "usage":{"input":9,"output":5}}
    """

  @Test("A line of the first schema is read with its parts")
  func line() throws {
    let value = Array(#""Where is it?""#.utf8)
    let digest = SHA256.hexadecimal(value)
    let sealed = RecordingLines.sealed(Array(Self.line.replacing("PART", with: digest).utf8))
    let text = #"{"schema":1,"part":"\#(digest)","value":"Where is it?"}"# + "\n"
    let (file, diagnostics) = read(text + String(decoding: sealed, as: UTF8.self))
    #expect(diagnostics == "")
    let slot = Recording.Slot(key: RequestIdentity.key(of: .fixture()), repetition: 1)
    let recording = try #require(try file.recording(slot))
    #expect(recording.exchange.request == .fixture())
    #expect(recording.recorder == "sluice 0.1.0")
    #expect(
      recording.hints
        == Recording.Hints(
          suite: "triage",
          testCase: "where",
          inputDigest: "",
          prompt: "v1",
          templateDigest: ""
        )
    )
    let answer = try #require(try file.answer(slot))
    #expect(answer == RecordedAnswer(api: "openai-chat", response: recording.exchange.response))
    let response = try ResponseReader.response(in: answer.response, api: answer.api)
    #expect(response.text == "a")
    #expect(response.usage == TokenUsage(input: 9, output: 5))
    #expect(response.timings == ResponseTimings(connect: 0.233, firstByte: 23.542, total: 23.572))
    #expect(
      response.provenance
        == Provenance(
          host: "http://127.0.0.1:8089",
          model: "m",
          standIn: "m",
          date: "2026-11-21T14:45:01Z"
        )
    )
  }

  @Test("A recording in the first schema is read unchanged except for its hints")
  func roundTrip() throws {
    let long = String(repeating: "Say what kind of message it is. ", count: 10)
    for recording in [
      Recording.fixture(), .fixture(user: long + "é🙂\u{0}\"", system: long, fingerprint: "v7"),
      .fixture(parameters: ["response_format": ["schema": .string(long)]], repetition: 3),
    ] {
      let (file, diagnostics) = read(OldRecordings.text([recording]))
      #expect(diagnostics == "")
      var expected = recording
      (expected.hints.inputDigest, expected.hints.templateDigest) = ("", "")
      #expect(try file.recording(recording.slot) == expected)
      #expect(try file.answer(recording.slot)?.response == recording.exchange.response)
    }
  }

  @Test("A recording in the second schema is read unchanged")
  func secondSchema() throws {
    var own = Recording.fixture(user: "b", fingerprint: "v7")
    own.exchange.response.headers.append(HTTPHeader("openai-processing-ms", "7"))
    let recordings = [Recording.fixture(), own]
    let (file, diagnostics) = read(OldRecordings.text(recordings, schema: 2))
    #expect(diagnostics == "")
    for recording in recordings {
      #expect(try file.recording(recording.slot) == recording)
      #expect(try file.answer(recording.slot)?.response == recording.exchange.response)
    }
  }

  @Test("A run on old recordings has the same result as on current ones", arguments: [1, 2])
  func replay(schema: Int) async throws {
    let (project, new) = try await project(schema: schema)
    let result = try project.replay()
    #expect(result.suites.flatMap(\.misses).isEmpty)
    try project.files.write(Array(new.utf8), to: Self.path)
    let expected = try project.replay()
    #expect(JSONReport(result).bytes == JSONReport(expected).bytes)
    #expect(result.suites[0].columns[0].trials == expected.suites[0].columns[0].trials)
  }

  @Test(
    "A miss is explained without the missing hints, so a changed user message means the case",
    arguments: [
      (RecordingProject.promptPath, "Say what", "Tell what", "prompt changed (system message)"),
      (RecordingProject.casesPath, "Where is it?", "Where was it?", "case changed (user message)"),
      ("sluice.yaml", "model: sorter-1", "model: sorter-2", "model changed (model)"),
      (
        RecordingProject.promptPath, "temperature: 0", "temperature: 1",
        "parameters changed (temperature)"
      ),
    ]
  )
  func misses(path: String, old: String, new: String, what: String) async throws {
    let (project, _) = try await project()
    try project.edit(path, replacing: old, with: new)
    let miss = try #require(try project.replay().suites.flatMap(\.misses).first)
    #expect(miss.faults.map(\.explanation) == ["no recording: \(what)"])
  }

  @Test("Changed lines and parts are errors")
  func damaged() throws {
    let recording = Recording.fixture(user: "Where is it, and why there?")
    let text = OldRecordings.text([recording])
    #expect(
      read(text.replacing("and why", with: "and how")).diagnostics == """
        \(Self.path):1:1: error: the part was changed after it was recorded: its digest does not match
          fix: restore the line from version control, or delete it and record the answer again

        """
    )
    #expect(
      read(text.replacing("models.test", with: "models.evil")).diagnostics == """
        \(Self.path):2:1: error: the recording was changed after it was recorded: its digest does not match
          fix: restore the line from version control, or delete it and record the answer again

        """
    )
    let (file, diagnostics) = read(String(text.split(separator: "\n")[1]))
    #expect(diagnostics == "")
    #expect(throws: RecordingLines.Problem.self) { try file.recording(recording.slot) }
  }

  // MARK: Migrating

  private func migrate(_ project: RecordingProject) throws -> (
    migrations: [RecordingHousekeeping.Migration], diagnostics: String
  ) {
    let diagnostics = DiagnosticCollector()
    let done = try RecordingHousekeeping(project.surroundings).migrate(diagnostics)
    return (done, diagnostics.diagnostics.map(\.description).joined())
  }

  @Test(
    "Migration writes the file that this version would record, and it is never larger",
    arguments: [1, 2]
  )
  func migrated(schema: Int) async throws {
    let (project, new) = try await project(schema: schema)
    let old = try project.text(of: Self.path.description)
    let (migrations, diagnostics) = try migrate(project)
    #expect(diagnostics == "")
    #expect(migrations.map(\.path) == [Self.path])
    #expect(migrations.map(\.migrated) == [4])
    #expect(migrations.map(\.sizes.before) == [old.utf8.count])
    #expect(migrations.map(\.sizes.after) == [new.utf8.count])
    #expect(new.utf8.count <= old.utf8.count)
    #expect(try project.text(of: Self.path.description) == new)
    #expect(try migrate(project).migrations.isEmpty)
  }

  @Test("A recording that no suite uses keeps its answer, key and date, and has no hints")
  func migratedStale() async throws {
    let (project, _) = try await project()
    let before = try recordings(project)
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    #expect(try migrate(project).migrations.map(\.migrated) == [4])
    #expect(try recordings(project) == before)
    #expect(before.map(\.hints.templateDigest) == ["", "", "", ""])
  }

  @Test("In a file with two schemas, only the old lines are migrated", arguments: [1, 2])
  func mixed(schema: Int) async throws {
    let (project, new) = try await project(schema: schema)
    let old = try project.text(of: Self.path.description)
    let newLines = new.split(separator: "\n")
    let oldLines = old.split(separator: "\n")
    let mixed =
      newLines.dropLast(2) + oldLines.filter { $0.contains(#""part""#) } + oldLines.suffix(2)
    try project.files.write(Array(mixed.joined(separator: "\n").utf8), to: Self.path)
    #expect(try migrate(project).migrations.map(\.migrated) == [2])
    #expect(try project.text(of: Self.path.description) == new)
  }

  @Test("A file with a damaged line or a missing part is not migrated")
  func left() async throws {
    let (project, _) = try await project()
    let old = try project.text(of: Self.path.description)
    try project.edit(Self.path.description, replacing: "models.test", with: "models.evil")
    let damaged = try project.text(of: Self.path.description)
    let (none, diagnostics) = try migrate(project)
    #expect(none.isEmpty)
    #expect(diagnostics.contains("its digest does not match"))
    #expect(try project.text(of: Self.path.description) == damaged)

    let lost = old.split(separator: "\n").filter { !$0.contains("Say what kind") }
      .joined(separator: "\n")
    try project.files.write(Array(lost.utf8), to: Self.path)
    let second = try migrate(project)
    #expect(second.migrations.isEmpty)
    #expect(
      second.diagnostics == """
        \(Self.path): error: a recording cannot be read, so the file was not changed
          fix: run 'sluice recordings verify' to find it

        """
    )
    #expect(try project.text(of: Self.path.description) == lost)
  }
}
