import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Trials kept from an earlier live run")
struct KeptTrialsTests {
  private static let scripted = ScriptedBackend(date: RecordingProject.date) { _ in
    #"{"kind":"question"}"#
  }

  /// Returns the log of a live run of a project.
  private func log(_ project: RecordingProject) async throws -> [UInt8] {
    let plan = try project.plan()
    let trials = await Runner(plan).live(["server": Self.scripted])
    return RunLog(plan, start: RecordingProject.date, mode: .live, run: "r").bytes(trials)
  }

  private func kept(_ log: [UInt8], _ plan: SuitePlan) -> [Int: JudgedTrial] {
    var kept: [Int: JudgedTrial] = [:]
    KeptTrials(FileContents(log), for: plan).forEach { kept[$0] = $1 }
    return kept
  }

  @Test("Kept trials are unchanged, including their texts and positions")
  func same() async throws {
    let project = RecordingProject()
    let plan = try project.plan()
    let trials = await Runner(plan).live(["server": Self.scripted])
    let log = RunLog(plan, start: RecordingProject.date, mode: .live, run: "r")
    let kept = kept(log.bytes(trials), plan)
    #expect(kept.keys.sorted() == [0, 1, 2, 3])
    let all = (0..<4).compactMap { kept[$0] }
    #expect(all.map(\.trial) == trials.map(\.trial))
    #expect(log.bytes(all) == log.bytes(trials))
  }

  @Test(
    "Only trials that a change affects are requested again",
    arguments: [
      (RecordingProject.casesPath, "Thanks!", "Thank you!", [0, 1, 3]),
      (RecordingProject.casesPath, "{kind: other}", "{kind: question}", [0, 1, 3]),
      (RecordingProject.casesPath, "tags: [short]", "tags: [long]", [0, 1, 2, 3]),
      (RecordingProject.casesPath, "- {id: send, ", "- {id: sent, ", [0, 2, 3]),
      (RecordingProject.promptPath, "Say what kind", "Tell what kind", []),
      (RecordingProject.promptPath, "temperature: 0", "temperature: 1", []),
      ("sluice.yaml", "model: sorter-1", "model: sorter-2", []),
      ("sluice.yaml", "https://models.test", "https://other.test", [0, 1, 2, 3]),
      (RecordingProject.suitePath, "[question, request, other]", "[other, request, question]", []),
      (RecordingProject.suitePath, "accuracy >= 60%", "accuracy >= 50%", [0, 1, 2, 3]),
    ]
  )
  func changed(path: String, old: String, new: String, places: [Int]) async throws {
    let project = RecordingProject()
    let log = try await log(project)
    try project.edit(path, replacing: old, with: new)
    let kept = kept(log, try project.plan())
    #expect(kept.keys.sorted() == places)
    if new.hasPrefix("tags") { #expect(kept[0]?.trial.tags == ["long"]) }
  }

  @Test("No trial from another version of Sluice is kept, because it may read answers differently")
  func otherVersion() async throws {
    let project = RecordingProject()
    let log = String(decoding: try await log(project), as: UTF8.self)
    let old = log.replacing(#""version":"\#(Version.current)""#, with: #""version":"0.0.9""#)
    #expect(old != log)
    #expect(kept(Array(old.utf8), try project.plan()).isEmpty)
  }

  @Test("Trials whose answers were read from other positions are not kept")
  func otherPlaces() async throws {
    let project = RecordingProject()
    let log = String(decoding: try await log(project), as: UTF8.self)
    let other = log.replacing(#","run":"r""#, with: #","places":{"server":{"text":"a"}},"run":"r""#)
    #expect(other != log)
    #expect(kept(Array(other.utf8), try project.plan()).isEmpty)
  }

  @Test("If 'repeat' grows, existing repeats are kept; if it shrinks, only the first ones are used")
  func repetitions() async throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.suitePath, replacing: "backend:", with: "repeat: 2\nbackend:")
    let log = try await log(project)
    try project.edit(RecordingProject.suitePath, replacing: "repeat: 2", with: "repeat: 3")
    #expect(kept(log, try project.plan()).keys.sorted() == [0, 1, 3, 4, 6, 7, 9, 10])
    try project.edit(RecordingProject.suitePath, replacing: "repeat: 3", with: "repeat: 1")
    #expect(kept(log, try project.plan()).keys.sorted() == [0, 1, 2, 3])
  }

  @Test("A lost trial is requested again, but an unscored trial keeps its answer")
  func lost() async throws {
    let project = RecordingProject()
    let plan = try project.plan()
    var trials = await Runner(plan).live(["server": Self.scripted])
    trials[1].trial.outcome = .lost(.unscored("classification: too expensive"))
    trials[2].trial.outcome = .lost(.noAnswer(BackendError(.timedOut, "too slow")))
    trials[2].trial.output = nil
    let log = RunLog(plan, start: RecordingProject.date, mode: .live).bytes(trials)
    let kept = kept(log, plan)
    #expect(kept.keys.sorted() == [0, 1, 3])
    #expect(kept[1]?.trial.outcome == trials[1].trial.outcome)
  }

  @Test("From a log that is cut at any byte, all complete lines are kept")
  func cutOff() async throws {
    let project = RecordingProject()
    let log = try await log(project)
    let plan = try project.plan()
    for end in stride(from: 0, to: log.count, by: 61) {
      let lines = log[..<end].count { $0 == 0x0A }
      #expect(kept(Array(log[..<end]), plan).count == min(4, max(0, lines - 1)))
    }
  }

  @Test("Invalid lines are skipped, and of two lines for one trial the first is used")
  func strange() async throws {
    let project = RecordingProject()
    let log = try await log(project)
    let lines = log.split(separator: 0x0A).map { Array($0) + [0x0A] }
    let plan = try project.plan()
    let mixed = lines[0] + Array("garbage\n\n[]\n".utf8) + lines[1] + lines[1] + lines[3]
    #expect(kept(mixed, plan).keys.sorted() == [0, 2])
    // Without a header, the scorers of the trials are unknown.
    #expect(kept(lines[1] + lines[2], plan).isEmpty)
  }

  // MARK: Choice of the log

  /// Writes logs with these suites, run IDs and states.
  private func files(
    _ logs: [(suite: String, second: Int, run: String?, isFinished: Bool)]
  ) async throws -> InMemoryFileSystem {
    let project = RecordingProject()
    let trials = await Runner(try project.plan()).live(["server": Self.scripted])
    for entry in logs {
      var plan = try project.plan()
      plan.name = entry.suite
      let log = RunLog(
        plan,
        start: Timestamp(seconds: entry.second),
        mode: entry.run == nil ? .replay : .live,
        run: entry.run
      )
      let bytes = entry.isFinished ? log.bytes(trials) : log.header + RunLog.line(trials[0])
      try project.files.write(bytes, to: log.path)
    }
    return project.files
  }

  private func newest(
    _ logs: [(suite: String, second: Int, run: String?, isFinished: Bool)],
    of suites: [String] = ["triage"]
  ) async throws -> UnfinishedRun? {
    UnfinishedRun.newest(of: suites, in: try await files(logs))
  }

  @Test("The newest run with an unfinished log is resumed")
  func newestCall() async throws {
    let run = try await newest([
      ("triage", 10, "a", false), ("triage", 20, "b", false), ("triage", 30, "c", true),
      ("triage", 40, nil, true), ("triage-b", 50, "d", false),
    ])
    #expect(run?.id == "b")
    #expect(run?.started == "1970-01-01T00:00:20Z")
    #expect(run?.logs == ["triage": ProjectPath("reports/runs/triage-19700101T000020Z.jsonl")])
  }

  @Test("A run that was resumed to its end counts as finished, whatever its older logs contain")
  func superseded() async throws {
    #expect(try await newest([("triage", 10, "a", false), ("triage", 20, "a", true)]) == nil)
    #expect(try await newest([]) == nil)
    #expect(try await newest([("triage", 10, nil, false)]) == nil)
  }

  @Test("Finished logs of other suites belong to the same run")
  func severalSuites() async throws {
    let run = try await newest(
      [("a", 10, "x", true), ("b", 11, "x", false), ("a", 12, "y", true)],
      of: ["a", "b"]
    )
    #expect(run?.id == "x")
    #expect(run?.logs.keys.sorted() == ["a", "b"])
  }

  @Test("A log with lost trials is unfinished, even with a footer")
  func lostTrials() async throws {
    let project = RecordingProject()
    let plan = try project.plan()
    let trials = await Runner(plan).live([:])
    let log = RunLog(plan, start: RecordingProject.date, mode: .live, run: "a")
    try project.files.write(log.bytes(trials), to: log.path)
    #expect(UnfinishedRun.newest(of: ["triage"], in: project.files)?.id == "a")
  }
}
