import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Report writer")
struct ReportWriterTests {
  /// A file system to which nothing can be written.
  private struct ReadOnlyFileSystem: FileSystem {
    func read(_ path: ProjectPath) throws(FileError) -> [UInt8] { [] }
    func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
      throw FileError(path: path, reason: "read-only file system")
    }
    func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {}
    func kind(of path: ProjectPath) -> FileKind { .missing }
    func names(in folder: ProjectPath) -> [String] { [] }
  }

  @Test("The writer writes five files with the contents of their reports")
  func files() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let result = try project.replay()
    try ReportWriter.write(result, to: project.files)
    #expect(
      project.files.names(in: ProjectPath("reports/latest")) == [
        "junit.xml", "report.csv", "report.html", "report.json", "report.md",
      ]
    )
    func bytes(_ name: String) throws -> [UInt8] {
      try project.files.read(ProjectPath("reports/latest/\(name)"))
    }
    #expect(try bytes("report.json") == JSONReport(result).bytes)
    #expect(try bytes("report.csv") == CSVReport(result).bytes)
    #expect(try bytes("junit.xml") == JUnitReport(result).bytes)
    #expect(try bytes("report.md") == MarkdownReport(result).bytes)
    #expect(try bytes("report.html") == Array(HTMLPageFixture(result).text.utf8))
  }

  @Test("Only left-over pages of an earlier, larger report are removed")
  func leftPages() throws {
    let files = InMemoryFileSystem([
      "reports/latest/report-2.html": "old", "reports/latest/report-12.html": "old",
      "reports/latest/report-1.html": "", "reports/latest/report-02.html": "",
      "reports/latest/report-2.html.bak": "", "reports/latest/report-old.html": "",
      "reports/latest/compare-2.html": "",
    ])
    var result = RunResult.everywhere("x")
    result.suites[0].columns[0].trials = (0..<12_000).map { index in
      var trial = Trial.fixture("x", .passed)
      trial.caseID = "case-\(index)"
      return trial
    }
    try ReportWriter.write(result, to: files)
    #expect(
      files.names(in: ReportWriter.folder) == [
        "compare-2.html", "junit.xml", "report-02.html", "report-1.html", "report-2.html",
        "report-2.html.bak", "report-old.html", "report.csv", "report.html", "report.json",
        "report.md",
      ]
    )
    let second = try files.read(ProjectPath("reports/latest/report-2.html"))
    #expect(second == Array(HTMLPageFixture(result, page: 1).text.utf8))
  }

  /// A file system that records which files are synced to disk.
  private struct SyncingFileSystem: FileSystem {
    let synced = Locked<[ProjectPath]>([])
    private let files = InMemoryFileSystem([:])

    func read(_ path: ProjectPath) throws(FileError) -> [UInt8] { try files.read(path) }
    func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
      synced.withLock { $0.append(path) }
      try files.write(bytes, to: path)
    }
    func write(
      to path: ProjectPath,
      isSynced: Bool,
      _ produce: (inout FileSink) throws(FileError) -> Void
    ) throws(FileError) {
      if isSynced { synced.withLock { $0.append(path) } }
      try files.write(to: path, isSynced: isSynced, produce)
    }
    func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {}
    func kind(of path: ProjectPath) -> FileKind { files.kind(of: path) }
    func names(in folder: ProjectPath) -> [String] { files.names(in: folder) }
  }

  @Test("Reports are not synced to disk, because they can be written again")
  func unsynced() throws {
    let files = SyncingFileSystem()
    try ReportWriter.write(RunResult.everywhere("x"), hasCodeQuality: true, to: files)
    try ReportWriter.write(SluiceReporting.ComparisonResult([.everywhere("x")]), to: files)
    try ReportWriter.write(History(lines: []), to: files)
    #expect(files.names(in: ReportWriter.folder).count == 11)
    #expect(files.synced.withLock { $0 } == [])
    // Irreplaceable files are synced by default.
    try files.write(to: ProjectPath("kept")) { sink in sink.buffer += [0x0A] }
    #expect(files.synced.withLock { $0 } == [ProjectPath("kept")])
  }

  @Test(
    "Only requested reports are written, and old reports of other formats are removed",
    arguments: [
      ([], ["report.md"]), ([.junit], ["junit.xml", "report.md"]),
      ([.html, .csv], ["report.csv", "report.html", "report.md"]),
    ] as [(Set<ReportFormat>, [String])]
  )
  func formats(formats: Set<ReportFormat>, names: [String]) throws {
    let left = (ReportFormat.allCases.map(\.fileName) + ["report-2.html"])
      .map { ("reports/latest/\($0)", "old") }
    let files = InMemoryFileSystem(Dictionary(uniqueKeysWithValues: left))
    try ReportWriter.write(RunResult.everywhere("x"), formats: formats, to: files)
    #expect(files.names(in: ReportWriter.folder) == names)
  }

  @Test(
    "The names of the reports fit on one line",
    arguments: [
      (.all, "report.html, .md, .json, .csv; junit.xml"), ([], "report.md"),
      ([.junit], "report.md; junit.xml"), ([.csv, .html], "report.html, .md, .csv"),
    ] as [(Set<ReportFormat>, String)]
  )
  func names(formats: Set<ReportFormat>, names: String) {
    #expect(formats.fileNames == names)
  }

  @Test("For GitLab, findings are written with paths relative to the repository's root")
  func codeQuality() throws {
    let files = InMemoryFileSystem([:])
    let (result, folder) = (RunResult.everywhere("x"), ProjectPath("evals"))
    try ReportWriter.write(result, folder: folder, hasCodeQuality: true, to: files)
    let bytes = try files.read(ProjectPath("reports/latest/gl-code-quality.json"))
    #expect(bytes == CodeQualityReport(result, folder: folder).bytes)
  }

  @Test("Every run writes the same bytes, with any concurrency and on any day")
  func sameBytes() async throws {
    let project = try RecordingProject(caseCount: 130)
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Number 7?", with: "Number seven?")
    try project.edit(RecordingProject.casesPath, replacing: "kind: question", with: "kind: other")
    var outputs: Set<[[UInt8]]> = []
    for (concurrency, date) in [(1, 0), (3, 86_400), (8, 1_900_000_000)] {
      let surroundings = Surroundings(files: project.files, now: { Timestamp(seconds: date) })
      let evaluation = Evaluation(try project.suite(), surroundings: surroundings)
      let result = RunResult(suites: [evaluation.replay(concurrency: concurrency).result])
      outputs.insert([
        JSONReport(result).bytes, CSVReport(result).bytes, JUnitReport(result).bytes,
        MarkdownReport(result).bytes,
        Array(TerminalReport(result, style: TerminalStyle(isColored: true)).text.utf8),
      ])
    }
    #expect(outputs.count == 1)
  }

  @Test(
    "A row is the same whether its texts come from the answer or from the run log",
    arguments: [
      #"{"kind":"question"}"#, #"{"kind":"other"}"#, "", "no JSON", "\"\\\n\u{1}, =1+1 <b>]]></b>",
      String(repeating: "🙂", count: 4_001),
    ]
  )
  func answerOrLine(text: String) async throws {
    let project = RecordingProject()
    let client = RecordingHTTPClient { _ throws(HTTPError) in
      RecordingProject.completion(text: text)
    }
    _ = try await project.record(from: client)
    let logged = try project.replay()
    var kept = logged
    let log = try #require(logged.suites[0].log)
    var reader = RunLogReader(log)
    kept.suites[0].log = nil
    for column in kept.suites[0].columns.indices {
      let trials = kept.suites[0].columns[column].trials
      #expect(trials.allSatisfy { $0.output?.excerpt == "" })
      kept.suites[0].columns[column].trials = trials.map { reader.whole($0) }
    }
    #expect(JSONReport(logged).bytes == JSONReport(kept).bytes)
    #expect(CSVReport(logged).bytes == CSVReport(kept).bytes)
    #expect(JUnitReport(logged).bytes == JUnitReport(kept).bytes)
    #expect(MarkdownReport(logged).bytes == MarkdownReport(kept).bytes)
    #expect(HTMLPageFixture(logged).text == HTMLPageFixture(kept).text)
  }

  @Test("A file that cannot be written is an error")
  func readOnly() {
    #expect(
      throws: FileError(
        path: ProjectPath("reports/latest/report.json"),
        reason: "read-only file system"
      )
    ) { try ReportWriter.write(RunResult(suites: []), to: ReadOnlyFileSystem()) }
  }
}
