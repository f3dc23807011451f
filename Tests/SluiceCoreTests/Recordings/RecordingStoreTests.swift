import SampleProjects
import Sluice
import Testing

@Suite("Recording store")
struct RecordingStoreTests {
  private func file(_ recordings: [Recording]) -> RecordingFile {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    for recording in recordings { file.add(recording) }
    return file
  }

  private func body(_ text: String) -> [UInt8] { Array("\"\(text)\"".utf8) }

  @Test("The first layer that contains an exchange is used")
  func layers() throws {
    let store = RecordingStore([
      .init(.scratch, file([.fixture(user: "a", body: body("scratch"))])),
      .init(
        .pending,
        file(["a", "b"].map { Recording.fixture(user: $0, body: body("pending")) })
      ),
      .init(
        .accepted,
        file(["a", "b", "c"].map { Recording.fixture(user: $0, body: body("accepted")) })
      ),
    ])
    for (user, kind) in [
      ("a", RecordingStore.Kind.scratch), ("b", .pending), ("c", .accepted),
    ] {
      let slot = Recording.fixture(user: user).slot
      #expect(store.contains(slot))
      #expect(store.layer(slot)?.kind == kind)
      #expect(try store.layer(slot)?.file.answer(slot)?.response.body == body(kind.rawValue))
      #expect(try store.recording(slot)?.exchange.response.body == body(kind.rawValue))
    }
    let unknown = Recording.fixture(user: "d").slot
    #expect(!store.contains(unknown))
    #expect(try store.answer(unknown) == nil)
    #expect(try store.recording(unknown) == nil)
    #expect(store.unacceptedCount == 3)
    #expect(store.file(.pending)?.count == 2)
  }

  @Test("An empty layer is omitted")
  func empty() {
    let store = RecordingStore([.init(.pending, file([])), .init(.accepted, file([.fixture()]))])
    #expect(store.file(.pending) == nil)
    #expect(store.file(.scratch) == nil)
    #expect(store.unacceptedCount == 0)
    #expect(RecordingStore(file([.fixture()])).layers.map(\.kind) == [.accepted])
  }

  @Test("Each layer of a suite is its own file, and a missing file is empty")
  func files() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    _ = try await project.recordPending()
    let stores = RecordingStore.all(
      of: try project.plan(),
      in: project.files,
      kinds: [.scratch, .pending, .accepted]
    )
    #expect(
      stores["server"]?.layers.map { "\($0.kind.rawValue) \($0.file.path) \($0.file.count)" } == [
        "scratch reports/scratch/datasets/triage/recordings/server.jsonl 0",
        "pending datasets/triage/recordings/pending/server.jsonl 1",
        "accepted datasets/triage/recordings/server.jsonl 4",
      ]
    )
  }

  @Test("The exchanges of a case are found by its ID, or else by its user message")
  func finder() throws {
    let recordings = [
      Recording.fixture(user: "a", testCase: "one"),
      .fixture(user: "a", parameters: ["seed": 1], testCase: "one"),
      .fixture(user: "b", testCase: "two"),
    ]
    let finder = file(recordings).finder
    let question = RequestIdentity(.fixture(user: "b")).question
    #expect(
      finder.slots(ofCase: "one", asking: question)
        == [recordings[0].slot, recordings[1].slot].sorted()
    )
    #expect(finder.slots(ofCase: "three", asking: question) == [recordings[2].slot])
    #expect(finder.slots(ofCase: "three", asking: "none") == [])
    #expect(finder.slots(ofCase: "three", asking: "") == [])
  }

  @Test("The exchanges of a case's input are found under any id, besides those of its name")
  func finderByInput() throws {
    let recordings = [
      Recording.fixture(user: "a", testCase: "one", inputDigest: "aaaa"),
      .fixture(user: "b", testCase: "two", inputDigest: "bbbb"),
      .fixture(user: "c", testCase: "two", inputDigest: ""),
    ]
    let finder = file(recordings).finder
    #expect(
      finder.slots(ofCase: "one", input: "bbbb", asking: "")
        == [recordings[0].slot, recordings[1].slot].sorted()
    )
    #expect(finder.slots(ofCase: "three", input: "bbbb", asking: "") == [recordings[1].slot])
    #expect(finder.slots(ofCase: "three", input: "", asking: "") == [])
  }

  @Test("The nearest recording is from the request's own backend, if there is one")
  func ownBackend() {
    let hints = Recording.fixture().hints
    var other = Recording.fixture(parameters: ["temperature": 0])
    other.exchange.request.backend = "other"
    other.key = RequestIdentity.key(of: other.exchange.request)
    let own = Recording.fixture(parameters: ["temperature": 1, "seed": 1])
    let request = ModelRequest.fixture(parameters: ["temperature": 0.5])
    let both = MissExplainer([
      "server": RecordingStore(file([own])), "other": RecordingStore(file([other])),
    ])
    #expect(
      both.miss(request, repetition: 1, hints: hints).message
        == "no recording: parameters changed (temperature, seed)"
    )
    let foreign = MissExplainer([
      "server": RecordingStore(file([])), "other": RecordingStore(file([other])),
    ])
    #expect(
      foreign.miss(request, repetition: 1, hints: hints).message
        == "no recording: parameters and backend changed (other → server, temperature)"
    )
  }
}
