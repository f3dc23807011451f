import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing

@Suite("Recording summary")
struct RecordingSummaryTests {
  private func summary(_ project: RecordingProject) throws -> RecordingSummary {
    try project.replay().suites[0].recordings
  }

  @Test("If all recordings are accepted and recent, the summary contains only their sets")
  func nothing() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    var expected = RecordingSummary()
    expected.sets.accepted = 1
    #expect(try summary(project) == expected)
  }

  @Test("Misses are grouped by reason, with the nearest recording of the first case in each group")
  func misses() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(
      RecordingProject.promptPath,
      replacing: "temperature: 0",
      with: "temperature: 1"
    )
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    try project.edit(
      RecordingProject.casesPath,
      replacing: "- {id: polite",
      with: "- {id: fresh, input: {message: New.}, expected: {kind: request}}\n- {id: polite"
    )
    let groups = try summary(project).misses
    #expect(
      groups.map { "\($0.count) \($0.testCase) \($0.prompt) \($0.backend): \($0.reason)" } == [
        "3 where v1 server: no recording: parameters changed (temperature)",
        "1 thanks v1 server: no recording: case and parameters changed (user message, temperature)",
        "1 fresh v1 server: no recording: new case",
      ]
    )
    #expect(
      groups.map(\.nearest) == [
        .init(
          day: "2026-11-21",
          testCase: "where",
          prompt: "v1",
          difference: RequestDifference(parts: [
            .init(name: "temperature", lines: ["- 0", "+ 1"])
          ])
        ),
        .init(
          day: "2026-11-21",
          testCase: "thanks",
          prompt: "v1",
          difference: RequestDifference(parts: [
            .init(name: "user message", lines: ["- Thanks!", "+ Thank you!"]),
            .init(name: "temperature", lines: ["- 0", "+ 1"]),
          ])
        ),
        nil,
      ]
    )
  }

  @Test("Pending answers are counted, whether or not they replace accepted ones")
  func unaccepted() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    _ = try await project.recordPending()
    _ = try await project.recordPending(
      RecordingRequest.Selection(cases: ["where"], scope: .all)
    )
    let summary = try summary(project)
    #expect(summary.unaccepted == 2)
    #expect(summary.hasPending)
    #expect(summary.misses.isEmpty)
    #expect(summary.sets == RecordingSummary.Sets(accepted: 1))
  }

  @Test("Old answers are counted, with the oldest day and the limit")
  func old() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: "recordings: {warn-after: 30 days, expire-after: 60 days}\nprices:"
    )
    func replayed(after days: Int) throws -> SuiteResult {
      Evaluation(
        try project.suite(),
        surroundings: Surroundings(files: project.files, now: { RecordingProject.date - -days })
      ).replay(concurrency: 1).result
    }
    #expect(try replayed(after: 30).recordings.old == nil)
    #expect(
      try replayed(after: 31).recordings.old
        == RecordingSummary.Old(count: 4, oldest: "2026-11-21", limit: "2026-11-22")
    )
    #expect(try replayed(after: 60).misses.isEmpty)
    let expired = try replayed(after: 61)
    #expect(
      expired.misses.flatMap(\.faults).map(\.explanation)
        == Array(repeating: "expired recording: recorded 2026-11-21", count: 4)
    )
    #expect(expired.recordings.old == nil)
    #expect(expired.recordings.misses.map(\.count) == [4])
    #expect(expired.recordings.misses.map(\.nearest) == [nil])
  }

  @Test("Sets are counted by state, and repeated requests for answers are counted")
  func sets() async throws {
    let project = RecordingProject()
    _ = try await project.recordPending()
    _ = try await project.recordPending(RecordingRequest.Selection(cases: ["send"], scope: .all))
    _ = try project.pending().reject(now: RecordingProject.date)
    _ = try await project.record()
    #expect(
      try summary(project).sets == RecordingSummary.Sets(accepted: 1, rejected: 1, askedAgain: 1)
    )
  }
}

@Suite("Recordings added by a change")
struct RecordedChangeTests {
  private func change(_ here: RecordingProject, since there: RecordingProject) throws
    -> RecordedChange
  {
    let trials = try here.replay().suites[0].columns[0].trials
    let files = try there.recordings().mapValues { $0.layers[1].file }
    var change = RecordedChange(trials, here: try here.recordings(), there: files)
    change.add(
      here.pending().ledger(DiagnosticCollector()),
      since: there.pending().ledger(DiagnosticCollector())
    )
    return change
  }

  private func copy(_ project: RecordingProject) throws -> RecordingProject {
    let copy = RecordingProject()
    for path in [
      RecordingProject.recordingsPath.description, RecordingProject.casesPath,
      "datasets/triage/recordings/ledger/server.jsonl",
    ] {
      try copy.files.write(Array(try project.text(of: path).utf8), to: ProjectPath(path))
    }
    return copy
  }

  private func recorded() async throws -> (here: RecordingProject, there: RecordingProject) {
    let here = RecordingProject()
    _ = try await here.record()
    return (here, try copy(here))
  }

  @Test("Without new recordings, the change is empty")
  func nothing() async throws {
    let (here, there) = try await recorded()
    var expected = RecordedChange()
    expected.answers = 4
    #expect(try change(here, since: there) == expected)
  }

  @Test("Answers to new requests count as added, and other answers to old ones as recorded again")
  func both() async throws {
    let (here, there) = try await recorded()
    try here.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    _ = try await here.record()
    _ = try await here.recordPending(
      RecordingRequest.Selection(cases: ["where"], scope: .all),
      from: RecordingHTTPClient(RecordingProject.completion(text: #"{"kind":"other"}"#))
    )
    let change = try change(here, since: there)
    #expect((change.answers, change.added, change.again) == (4, 1, 1))
    #expect(change.cases == ["where", "thanks"])
    // The pending set is neither accepted nor rejected.
    #expect(change.sets == RecordingSummary.Sets(accepted: 1))
  }

  @Test("A migrated file contains no new answers")
  func migrated() async throws {
    let (here, there) = try await recorded()
    let path = RecordingProject.recordingsPath
    let file = RecordingFile(reading: path, from: there.files)
    let recordings = try file.slots.map { try #require(try file.recording($0)) }
    try there.files.write(Array(OldRecordings.text(recordings).utf8), to: path)
    #expect(try change(here, since: there).added == 0)
    #expect(try change(here, since: there).again == 0)
  }

  @Test("For a set that was started earlier, only later events are counted")
  func sets() async throws {
    let here = RecordingProject()
    _ = try await here.record()
    try here.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    _ = try await here.recordPending()
    _ = try await here.recordPending(RecordingRequest.Selection(cases: ["thanks"], scope: .all))
    let there = try copy(here)
    _ = try await here.recordPending(RecordingRequest.Selection(cases: ["thanks"], scope: .all))
    _ = try here.pending().reject(now: RecordingProject.date)
    #expect(
      try change(here, since: there).sets == RecordingSummary.Sets(rejected: 1, askedAgain: 1)
    )
  }
}
