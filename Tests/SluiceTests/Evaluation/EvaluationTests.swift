import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("Evaluation")
struct EvaluationTests {
  private static let log = ProjectPath("reports/runs/tone-20261121T122019Z.jsonl")
  private static let start = Timestamp(seconds: 1_795_263_619)

  /// The project with two prompts, of which the first never gives a warning.
  private let fixture: ProjectFixture
  private let system: InMemoryFileSystem
  private let suite: ResolvedSuite

  init() throws {
    fixture = try ProjectFixture()
      .replacing("prompt: v1.yaml", with: "prompts: [v0.yaml, v1.yaml]", in: ProjectFixture.suite)
      .replacing("- accuracy >= 85%", with: "- accuracy >= 75%", in: ProjectFixture.suite)
      .adding(["prompts/tone/v0.yaml": "messages: [{user: 'Say calm of: {{message}}'}]"])
    system = fixture.system
    suite = try #require(fixture.load().suites.first)
  }

  private func evaluation(_ files: (any FileSystem)? = nil, keepsLog: Bool = true) -> Evaluation {
    Evaluation(
      suite,
      surroundings: Surroundings(files: files ?? system, now: { Self.start }),
      keepsLog: keepsLog
    )
  }

  /// Answers by the words of the request.
  ///
  /// With the first prompt, it overlooks harsh words.
  private var backend: any Backend {
    ScriptedBackend { request throws(BackendError) in
      let text = request.body.jsonText
      if text.contains("Do it now!"), !text.contains("Say calm") {
        return #"{"warning": "harsh", "label": "harsh"}"#
      }
      return #"{"warning": "", "label": "calm"}"#
    }
  }

  private func record() async {
    let path = RecordingFile.path(dataset: ProjectPath(ProjectFixture.dataset), backend: "fast")
    let recorder = Recorder(
      suite.plan,
      files: system,
      journals: ["fast": Recorder.Journal(path: path, recorded: RecordingFile(path: path))]
    )
    let outcome = await recorder.record(
      suite.plan.recordingRequests(RecordingRequest.Selection(), in: [:]),
      backends: ["fast": backend]
    )
    #expect(outcome.recorded == 4)
  }

  private func logLines() throws -> [JSONValue] {
    try system.read(Self.log).split(separator: 0x0A).map { try JSONReader.value($0) }
  }

  // MARK: Recorded

  @Test("Each prompt is a separate column, and the last prompt is the candidate")
  func columns() async {
    await record()
    let outcome = evaluation().replay(concurrency: 1)
    #expect(outcome.diagnostics == [])
    #expect(outcome.fileError == nil)
    let result = outcome.result
    #expect(result.name == "tone")
    #expect(result.path == ProjectFixture.suite)
    #expect(result.source == .recorded)
    #expect(result.caseCount == 2)
    #expect(result.columns.map(\.prompt) == ["v0", "v1"])
    #expect(result.columns.map(\.promptPath) == ["prompts/tone/v0.yaml", "prompts/tone/v1.yaml"])
    #expect(result.columns.map(\.isCandidate) == [false, true])
    #expect(result.columns.map(\.passed) == [1, 2])
    #expect(result.columns.map(\.verdict) == [.fail, .pass])
    #expect(result.columns.map { $0.gates.map(\.verdict) } == [[.fail], [.pass]])
    #expect(result.columns.map { $0.goals.map(\.verdict) } == [[.pass], [.pass]])
    #expect(result.verdict == .pass)
  }

  @Test(
    "Metrics are listed by importance, under their names in conditions"
  )
  func metrics() async throws {
    await record()
    let result = evaluation().replay(concurrency: 1).result
    let metrics = try #require(result.columns.last?.metrics)
    #expect(
      metrics.map(\.name) == [
        "accuracy", "unusable-rate", "json-schema.pass-rate", "flags.false-positive-rate",
        "flags.recall", "flags.specificity", "flags.balanced-accuracy", "flags.precision",
        "flags.f1", "flags.pass-rate",
        "classification.precision",
        "classification.precision[class=calm]", "classification.precision[class=harsh]",
        "classification.recall", "classification.recall[class=calm]",
        "classification.recall[class=harsh]", "classification.f1", "classification.f1[class=calm]",
        "classification.f1[class=harsh]", "classification.micro-f1", "classification.weighted-f1",
        "classification.balanced-accuracy", "classification.mcc", "classification.kappa",
        "classification.invalid-label-rate",
        "classification.pass-rate", "p50(latency)", "p95(latency)", "mean(tokens)",
        "mean(input-tokens)", "mean(output-tokens)", "mean(cost)", "sum(cost)",
      ]
    )
    // A condition with any of these names refers to the same number.
    let catalog = MetricCatalog(scorers: suite.plan.scorers, tags: [])
    for metric in metrics {
      let unit = metric.quantity == .rate ? "0" : metric.quantity == .time ? "1 s" : nil
      let value = unit ?? (metric.quantity == .money ? "$1" : "1")
      let condition = try ConditionParser.parse("\(metric.name) >= \(value)")
      #expect(throws: Never.self) { try catalog.metric(condition.reference) }
    }
  }

  @Test("The log of a replay has a header, the trials in order, and a footer")
  func log() async throws {
    await record()
    _ = evaluation().replay(concurrency: 4)
    let lines = try logLines()
    #expect(
      lines.map { $0["kind"]?.string } == ["header", "trial", "trial", "trial", "trial", "footer"]
    )
    #expect(lines[0]["mode"] == "replay")
    #expect(lines[0]["started"] == "2026-11-21T12:20:19Z")
    let trials = lines[1...4]
    #expect(trials.map { $0["case"] } == ["terse", "terse", "rude", "rude"])
    #expect(trials.map { $0["prompt"] } == ["v0", "v1", "v0", "v1"])
  }

  @Test("Runs of a suite that begin within the same second write separate logs")
  func sameSecond() async throws {
    let folder = try ProjectFolder()
    let disk = try #require(DiskFileSystem(root: folder.path))
    async let first = evaluation(disk).live(["fast": backend])
    async let second = evaluation(disk).live(["fast": backend])
    let results = await [first, second]
    let third = await evaluation(disk).live(["fast": backend])
    #expect((results + [third]).map(\.fileError) == [nil, nil, nil])
    let names = disk.names(in: Self.log.folder)
    #expect(
      names == [
        "tone-20261121T122019Z.jsonl", "tone-20261121T122019Z_2.jsonl",
        "tone-20261121T122019Z_3.jsonl",
      ]
    )
    for name in names {
      let lines = try disk.read(Self.log.folder.resolvingChild(name)).split(separator: 0x0A)
      #expect(
        try lines.map { try JSONReader.value(Array($0))["kind"]?.string }
          == ["header", "trial", "trial", "trial", "trial", "footer"]
      )
    }
  }

  @Test("A run log is not written if it is turned off")
  func noLog() async {
    await record()
    let outcome = evaluation(keepsLog: false).replay(concurrency: 1)
    #expect(outcome.result.verdict == .pass)
    #expect(system.kind(of: Self.log) == .missing)
  }

  @Test("A run log that cannot be written is reported and changes no verdict")
  func logFails() async {
    await record()
    let files = ReadOnlyFileSystem(files: system)
    let outcome = evaluation(files).replay(concurrency: 1)
    #expect(outcome.result.verdict == .pass)
    #expect(outcome.fileError == FileError(path: Self.log, reason: "read-only"))
    #expect(evaluation(files, keepsLog: false).replay(concurrency: 1).fileError == nil)
  }

  @Test("Without recordings, there is no verdict, and every missing one is listed")
  func noRecordings() {
    let outcome = evaluation().replay(concurrency: 1)
    #expect(outcome.diagnostics == [])
    #expect(outcome.result.verdict == .noVerdict)
    #expect(outcome.result.misses.map(\.caseID) == ["terse", "rude", "terse", "rude"])
    #expect(outcome.result.columns.map(\.lost) == [2, 2])
  }

  @Test("Errors in a recordings file are reported, and the other recordings are used")
  func brokenRecordings() async throws {
    await record()
    let path = RecordingFile.path(dataset: ProjectPath(ProjectFixture.dataset), backend: "fast")
    try system.append(Array("{broken\n".utf8), to: path)
    let outcome = evaluation().replay(concurrency: 1)
    #expect(outcome.result.verdict == .pass)
    #expect(outcome.diagnostics.map(\.path) == [path.description])
  }

  // MARK: Live

  @Test(
    "A live run asks the backends, reports each trial and logs in suite order"
  )
  func live() async throws {
    let ended = Locked<[Int]>([])
    let outcome = await evaluation().live(["fast": backend]) { event in
      if case .finished(_, let done, let total) = event {
        ended.withLock { $0.append(done * 10 + total) }
      }
    }
    #expect(outcome.result.source == .live)
    #expect(outcome.result.verdict == .pass)
    #expect(outcome.result.columns.map(\.passed) == [1, 2])
    #expect(ended.withLock { $0.sorted() } == [14, 24, 34, 44])
    let lines = try logLines()
    #expect(lines[0]["mode"] == "live")
    #expect(lines[1...4].map { $0["case"] } == ["terse", "terse", "rude", "rude"])
    #expect(lines.count == 6)
    #expect(system.names(in: ProjectPath("datasets/tone")) == ["cases.yaml"])
  }

  @Test("During a live run, the log already contains every finished trial")
  func journal() async throws {
    let system = system
    let lengths = Locked<[Int]>([])
    let start = Self.start
    let alone = try ProjectFixture()
      .replacing("key: {env: FAST_KEY}", with: "max-in-flight: 1", in: ProjectFixture.configuration)
    let suite = try #require(alone.load().suites.first)
    let evaluation = Evaluation(suite, surroundings: Surroundings(files: system, now: { start }))
    _ = await evaluation.live(["fast": backend]) { _ in
      let lines = (try? system.read(Self.log))?.count { $0 == 0x0A } ?? 0
      lengths.withLock { $0.append(lines) }
    }
    #expect(lengths.withLock { $0 } == [2, 3])
  }

  @Test("A backend that does not answer loses trials, and there is no verdict")
  func lost() async {
    let silent = ScriptedBackend { _ throws(BackendError) in
      throw BackendError(.timedOut, "no answer within 60 s")
    }
    let outcome = await evaluation().live(["fast": silent])
    #expect(outcome.result.verdict == .noVerdict)
    #expect(outcome.result.misses.isEmpty)
    #expect(outcome.result.columns.map(\.lost) == [2, 2])
  }

  @Test("A live run whose log cannot be written continues and reports it")
  func journalFails() async {
    let outcome = await evaluation(ReadOnlyFileSystem(files: system)).live(["fast": backend])
    #expect(outcome.result.verdict == .pass)
    #expect(outcome.fileError == FileError(path: Self.log, reason: "read-only"))
  }
}

/// A file system that can only be read.
private struct ReadOnlyFileSystem: FileSystem {
  var files: InMemoryFileSystem

  func read(_ path: ProjectPath) throws(FileError) -> [UInt8] { try files.read(path) }

  func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    throw FileError(path: path, reason: "read-only")
  }

  func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    throw FileError(path: path, reason: "read-only")
  }

  func kind(of path: ProjectPath) -> FileKind { files.kind(of: path) }

  func names(in folder: ProjectPath) -> [String] { files.names(in: folder) }
}
