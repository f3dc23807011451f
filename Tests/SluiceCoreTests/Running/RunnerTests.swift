import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Runner")
struct RunnerTests {
  private static let caseCount = 130

  private func log(_ plan: SuitePlan, _ trials: [JudgedTrial], _ mode: RunLog.Mode) -> String {
    let log = RunLog(plan, start: RecordingProject.date, mode: mode)
    return String(decoding: log.bytes(trials), as: UTF8.self)
  }

  // MARK: Recorded

  @Test("Concurrency does not affect replayed trials or their log")
  func replayInOrder() async throws {
    let project = try RecordingProject(caseCount: Self.caseCount)
    _ = try await project.record()
    let plan = try project.plan()
    let recordings = try project.recordings()
    let alone = Runner(plan).replay(recordings, concurrency: 1)
    #expect(alone.map(\.trial.caseID) == (0..<Self.caseCount).map { "case-\($0)" })
    #expect(alone.allSatisfy { $0.trial.outcome == .passed })
    for concurrency in [3, 8, 1_000] {
      let trials = Runner(plan).replay(recordings, concurrency: concurrency)
      #expect(trials.map(\.trial) == alone.map(\.trial))
      #expect(log(plan, trials, .replay) == log(plan, alone, .replay))
    }
  }

  @Test("A case whose file was edited after the check is lost without a request")
  func editedMeanwhile() throws {
    // Conditions on certain cases read some cases in advance, and may keep a piece of the file.
    let fixture = try ProjectFixture()
      .replacing("goals:\n  - false-positive-rate < 5%\n", with: "", in: ProjectFixture.suite)
      .adding([ProjectFixture.dataset: nil])
    let lines = ["one", "two"].map { id in
      #"{"id": "\#(id)", "input": {"message": "m", "sender": {"role": "r"}, "conversation": []}, "#
        + #""expected": {"flagged": false, "label": "calm"}}"#
    }.joined(separator: "\n")
    let folder = try ProjectFolder()
    try folder.write(fixture.adding(["datasets/tone/cases.jsonl": lines]).files, under: "")
    let system = try #require(DiskFileSystem(root: folder.path))
    let project = ProjectLoader.load(from: system)
    #expect(!project.hasErrors)
    let plan = try #require(project.suites.first).plan
    let edited = lines.replacing(#""two""#, with: #""tow""#)
    try folder.write(["datasets/tone/cases.jsonl": edited], under: "")
    let trials = Runner(plan).replay([:], concurrency: 1).map(\.trial)
    #expect(
      trials.map(\.outcome) == [
        .lost(.noRecording(RecordingMiss(reason: .newCase))),
        .lost(
          .noAnswer(
            BackendError(
              .invalidRequest,
              "datasets/tone/cases.jsonl changed while the suite ran"
            )
          )
        ),
      ]
    )
    #expect(trials.map(\.caseID) == ["one", "two"])
    #expect(trials[1].requestKey == "")
  }

  @Test("A replay uses no more threads than allowed", arguments: [1, 2, 3])
  func threads(concurrency: Int) async throws {
    let project = try RecordingProject(caseCount: Self.caseCount)
    _ = try await project.record()
    let threads = Locked<Set<UInt>>([])
    _ = Runner(try project.plan()).replay(try project.recordings(), concurrency: concurrency) { _ in
      threads.withLock { _ = $0.insert(UInt(bitPattern: Int(bitPattern: pthread_self()))) }
    }
    let count = threads.withLock { $0.count }
    #expect((1...concurrency).contains(count))
  }

  @Test("Each finished trial is reported once, with a count and the total", arguments: [1, 8])
  func events(concurrency: Int) async throws {
    let project = try RecordingProject(caseCount: Self.caseCount)
    _ = try await project.record()
    let seen = Locked<[(String, Int, Int)]>([])
    _ = Runner(try project.plan()).replay(try project.recordings(), concurrency: concurrency) {
      event in
      guard case .finished(let trial, let done, let total) = event else { return }
      seen.withLock { $0.append((trial.trial.caseID, done, total)) }
    }
    let events = seen.withLock { $0 }
    #expect(Set(events.map(\.0)).count == Self.caseCount)
    #expect(events.map(\.1).sorted() == Array(1...Self.caseCount))
    #expect(events.allSatisfy { $0.2 == Self.caseCount })
  }

  @Test("Without recordings, every trial is lost and none is wrong")
  func noRecordings() throws {
    let trials = Runner(try RecordingProject().plan()).replay([:], concurrency: 1)
    #expect(trials.count == 4)
    for trial in trials {
      #expect(trial.trial.outcome == .lost(.noRecording(RecordingMiss(reason: .newCase))))
      #expect(trial.text == nil)
    }
  }

  @Test(
    "Each damaged line is reported, whether there are few or many",
    // Up to 64 damaged lines are searched one by one; beyond that, keys are looked up.
    arguments: [3, 80]
  )
  func damagedLines(caseCount: Int) async throws {
    let project = try RecordingProject(caseCount: caseCount)
    _ = try await project.record()
    let path = RecordingProject.recordingsPath
    let lines = try project.text(of: path.description).split(separator: "\n")
    let damaged = lines.map { $0.replacing(#""hints""#, with: #""hintz""#) }
    try project.files.write(Array((damaged.joined(separator: "\n") + "\n").utf8), to: path)
    let places = Set(lines.indices.filter { lines[$0] != damaged[$0] }.map { $0 + 1 })
    #expect(places.count == caseCount)
    var named: Set<Int> = []
    for trial in Runner(try project.plan()).replay(try project.recordings(), concurrency: 1) {
      guard case .lost(.noRecording(let miss)) = trial.trial.outcome,
        case .damaged(path.description, let line) = miss.reason
      else {
        Issue.record("\(trial.trial.outcome)")
        continue
      }
      named.insert(line)
    }
    #expect(named == places)
  }

  @Test("A recording that cannot be used loses its trial, with the reason")
  func unusableRecording() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let path = RecordingProject.recordingsPath.description
    let part = try #require(
      try project.text(of: path).split(separator: "\n").first { $0.contains(#""value":{"api""#) }
    )
    try project.edit(path, replacing: part + "\n", with: "")
    let trial = try #require(try project.replay().suites.first?.columns.first?.trials.first)
    #expect(
      trial.outcome
        == .lost(
          .noRecording(
            RecordingMiss(
              reason: .lostPart("a part line that the recording refers to is missing")
            )
          )
        )
    )
  }

  @Test("A recorded exchange without an answer loses its trial")
  func recordedError() throws {
    let project = RecordingProject()
    let plan = try project.plan()
    let request = try plan.request(plan.slot(0))
    var recording = Recording.fixture(body: Array(#"{"error":"Overloaded."}"#.utf8))
    recording.exchange.request = request
    recording.key = RequestIdentity.key(of: request)
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    file.add(recording)
    let trials = Runner(plan).replay(["server": RecordingStore(file)], concurrency: 1)
    #expect(
      trials.first?.trial.outcome
        == .lost(
          .noAnswer(
            BackendError(.brokenAnswer, "the server answered 200 with an error: Overloaded.")
          )
        )
    )
  }

  // MARK: Live

  /// Gates that open on command.
  private actor Gates {
    private var open: Set<String> = []
    private var waiting: [String: CheckedContinuation<Void, Never>] = [:]

    func pass(_ name: String) async {
      if open.contains(name) { return }
      await withCheckedContinuation { waiting[name] = $0 }
    }

    func open(_ name: String) {
      open.insert(name)
      waiting.removeValue(forKey: name)?.resume()
    }
  }

  @Test("Live trials keep the suite's order even if they finish in reverse")
  func liveInReverse() async throws {
    let count = 12
    let project = try RecordingProject(caseCount: count)
    let plan = try project.plan()
    let gates = Gates()
    await gates.open("Number \(count - 1)?")
    let backend = ScriptedBackend(date: RecordingProject.date) { request throws(BackendError) in
      await gates.pass(request.body.value(at: "messages.1.content")?.string ?? "")
      return #"{"kind":"question"}"#
    }
    let ended = Locked<[String]>([])
    let trials = await Runner(plan).live(["server": backend]) { event in
      guard case .finished(let trial, let done, _) = event else { return }
      ended.withLock { $0.append(trial.trial.caseID) }
      // Each finished trial lets the previous one finish.
      Task { await gates.open("Number \(count - 1 - done)?") }
    }
    let order = (0..<count).map { "case-\($0)" }
    #expect(ended.withLock { $0 } == order.reversed())
    #expect(trials.map(\.trial.caseID) == order)

    let prompt = ScriptedBackend(date: RecordingProject.date) { _ in #"{"kind":"question"}"# }
    let straight = await Runner(plan).live(["server": prompt])
    #expect(log(plan, trials, .live) == log(plan, straight, .live))
  }

  @Test("The number of concurrent requests does not affect a live log")
  func liveInFlight() async throws {
    var logs: Set<String> = []
    for inFlight in [1, 3, 8] {
      let project = try RecordingProject(caseCount: 20)
      try project.edit(
        "sluice.yaml",
        replacing: "model: sorter-1",
        with: "model: sorter-1, max-in-flight: \(inFlight)"
      )
      let plan = try project.plan()
      let backend = try plan.backends[0].connectPlainly(
        RecordingProject.server,
        surroundings: project.surroundings
      )
      logs.insert(log(plan, await Runner(plan).live(["server": backend]), .live))
    }
    #expect(logs.count == 1)
  }

  @Test("A live trial without an answer is lost, and the others are judged")
  func liveFailure() async throws {
    let backend = ScriptedBackend { request throws(BackendError) in
      let message = request.body.value(at: "messages.1.content")?.string ?? ""
      if message.hasPrefix("Please") { throw BackendError(.rateLimited, "slow down") }
      return #"{"kind":"question"}"#
    }
    let trials = await Runner(try RecordingProject().plan()).live(["server": backend]).map(\.trial)
    #expect(
      trials.map(\.outcome) == [
        .passed, .lost(.noAnswer(BackendError(.rateLimited, "slow down"))), .failed, .failed,
      ]
    )
  }

  @Test("Trials of a backend that is not connected are lost")
  func notConnected() async throws {
    let trials = await Runner(try RecordingProject().plan()).live([:])
    let error = BackendError(
      .invalidRequest,
      "there is no connection for the backend 'server'"
    )
    #expect(trials.map(\.trial.outcome) == Array(repeating: .lost(.noAnswer(error)), count: 4))
  }
}
