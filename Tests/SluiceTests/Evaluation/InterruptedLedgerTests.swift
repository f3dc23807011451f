import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Tests of programs that are stopped between two writes: the command can be repeated, and
/// `recordings verify` says so.
@Suite("Recordings: interrupted commands")
struct InterruptedLedgerTests {
  private static let dataset = ProjectPath(RecordingProject.casesPath)
  private static let recordings = RecordingProject.recordingsPath
  private static let ledger = RecordingLedger.path(dataset: dataset, backend: "server")
  private static let date = RecordingProject.date

  private func stopping(_ project: RecordingProject, after steps: Int) -> StoppingFileSystem {
    StoppingFileSystem(project.files, after: steps)
  }

  private func pending(_ files: any FileSystem) -> PendingRecordings {
    PendingRecordings(dataset: Self.dataset, backend: "server", files: files)
  }

  private struct Files: Equatable {
    var recordings: [UInt8]?
    var ledger: [UInt8]?
    var journal: [UInt8]?

    init(_ project: RecordingProject) {
      func read(_ path: ProjectPath) -> [UInt8]? { try? project.files.read(path) }
      recordings = read(InterruptedLedgerTests.recordings)
      ledger = read(InterruptedLedgerTests.ledger)
      journal = read(
        RecordingFile.pendingPath(dataset: InterruptedLedgerTests.dataset, backend: "server")
      )
    }
  }

  private func verify(_ project: RecordingProject, since base: (any FileSystem)? = nil) -> (
    text: String, lines: [String]
  ) {
    let diagnostics = DiagnosticCollector()
    let changes = LedgerAudit(project.files).check(
      [Self.dataset],
      used: [Self.dataset],
      since: "main",
      in: base,
      diagnostics
    )
    return (
      diagnostics.diagnostics.map(\.description).joined(), changes.filter { $0.hasPrefix(" ") }
    )
  }

  private func copy(_ project: RecordingProject) throws -> InMemoryFileSystem {
    let copy = InMemoryFileSystem()
    for path in [Self.recordings, Self.ledger] {
      try copy.write(try project.files.read(path), to: path)
    }
    return copy
  }

  /// Returns a project with four accepted answers, two of which have pending replacements.
  private func replacing() async throws -> RecordingProject {
    let project = RecordingProject()
    _ = try await project.record()
    try await replace(project, with: "other")
    return project
  }

  private func replace(_ project: RecordingProject, with kind: String) async throws {
    _ = try await project.recordPending(
      RecordingRequest.Selection(cases: ["where", "send"], scope: .all),
      from: RecordingHTTPClient(RecordingProject.completion(text: #"{"kind":"\#(kind)"}"#))
    )
  }

  private static let unfinished = """
    \(recordings): error: accepting was interrupted: the answers of the pending set are already here
      fix: finish with: sluice recordings accept

    """

  @Test("If accepting is stopped, verify says that it can be repeated", arguments: 0...2)
  func accepting(steps: Int) async throws {
    let smooth = try await replacing()
    let base = try copy(smooth)
    _ = try smooth.pending().accept(now: Self.date)
    let project = try await replacing()
    #expect(!project.pending().isHalfAccepted)
    #expect(throws: PendingRecordings.Refusal.self) {
      try pending(stopping(project, after: steps)).accept(now: Self.date)
    }
    #expect(verify(project, since: base).text == (steps == 1 ? Self.unfinished : ""))
    #expect(project.pending().isHalfAccepted == (steps == 1))
    #expect(try project.pending().accept(now: Self.date)?.replaced == 2)
    #expect(Files(project) == Files(smooth))
    let outcome = verify(project, since: base)
    #expect(outcome.text == "")
    #expect(outcome.lines.count == 1)
  }

  @Test("After accepting was stopped, new answers do not include the accepted ones")
  func recordingAfterAccepting() async throws {
    let project = try await replacing()
    #expect(throws: PendingRecordings.Refusal.self) {
      try pending(stopping(project, after: 2)).accept(now: Self.date)
    }
    _ = try await project.recordPending(
      RecordingRequest.Selection(cases: ["polite"], scope: .all),
      from: RecordingHTTPClient(RecordingProject.completion(text: #"{"kind":"other"}"#))
    )
    #expect(try project.pending().accept(now: Self.date)?.exchanges == 1)
    #expect(verify(project).text == "")
  }

  @Test(
    "If rejecting is stopped, it can be repeated, and the line has its counts",
    arguments: 0...1
  )
  func rejecting(steps: Int) async throws {
    let smooth = try await replacing()
    _ = try smooth.pending().reject(now: Self.date)
    let project = try await replacing()
    #expect(throws: PendingRecordings.Refusal.self) {
      try pending(stopping(project, after: steps)).reject(now: Self.date)
    }
    #expect(verify(project).text == "")
    let set = try project.pending().reject(now: Self.date)
    #expect(set?.state == .rejected)
    #expect(set?.exchanges == 2)
    #expect(Files(project) == Files(smooth))
    #expect(try project.pending().reject(now: Self.date) == nil)
  }

  @Test(
    "If pruning is stopped, it can be repeated",
    arguments: [(1, 0), (1, 1), (4, 0), (4, 1)]
  )
  func pruning(count: Int, steps: Int) async throws {
    func prune(_ files: any FileSystem) throws {
      let slots = RecordingFile(reading: Self.recordings, from: files).slots
      try RecordingHousekeeping(Surroundings(files: files, now: { Self.date })).prune(
        RecordingHousekeeping.Pruning(
          path: Self.recordings,
          count: 4,
          removed: Set(slots.prefix(count)),
          keptFor: []
        )
      )
    }
    let smooth = RecordingProject()
    _ = try await smooth.record()
    let base = try copy(smooth)
    try prune(smooth.files)
    let project = RecordingProject()
    _ = try await project.record()
    #expect(throws: FileError.self) { try prune(stopping(project, after: steps)) }
    #expect(verify(project, since: base).text == "")
    try prune(project.files)
    #expect(Files(project) == Files(smooth))
    let outcome = verify(project, since: base)
    #expect(outcome.text == "")
    #expect(outcome.lines.count == 1)
  }

  /// Writes the ledger as earlier versions did: without digests of the sets' lines.
  private func writeOldLedger(_ project: RecordingProject) throws {
    let text = try project.text(of: Self.ledger.description)
    let lines = text.split(separator: "\n").map { line in
      let plain = line.replacing("\"schema\":2", with: "\"schema\":1")
        .replacing(/,"lines":"[^"]*"/, with: "").replacing(/,"digest":"[^"]*"/, with: "")
      return RecordingLines.sealed(Array(plain.utf8)) + [0x0A]
    }
    try project.files.write(Array(lines.joined()), to: Self.ledger)
  }

  @Test("If migrating is stopped, it can be repeated")
  func migrating() async throws {
    let project = try await replacing()
    _ = try project.pending().accept(now: Self.date)
    let expected = RecordingLedger(reading: Self.ledger, from: project.files)
    try writeOldLedger(project)
    let base = try copy(project)
    func migrate(_ files: any FileSystem) throws {
      _ = try RecordingHousekeeping(Surroundings(files: files, now: { Self.date }))
        .migrate(DiagnosticCollector())
    }
    #expect(throws: FileError.self) { try migrate(stopping(project, after: 0)) }
    #expect(verify(project, since: base).text == "")
    try migrate(project.files)
    #expect(verify(project, since: base).text == "")
    let sets = RecordingLedger(reading: Self.ledger, from: project.files).sets
    #expect(sets.map(\.exchanges) == expected.sets.map(\.exchanges))
    // Both sets were open in the same second, so it is not known which answers belong to which.
    let counts = sets.map { $0.lines?.entries.count ?? 0 }
    #expect(counts.reduce(0, +) == 4)
    #expect(zip(counts, sets).allSatisfy { $0 <= $1.exchanges })
    let before = Files(project)
    try migrate(project.files)
    #expect(Files(project) == before)
  }

  @Test("A clock that was set back changes nothing about the answers of a set", arguments: [0, 1])
  func clock(isOld: Int) async throws {
    let project = RecordingProject()
    _ = try await project.recordPending()
    _ = try project.pending().accept(now: Self.date - 30)
    if isOld == 1 { try writeOldLedger(project) }
    #expect(verify(project).text == "")
    let base = try copy(project)
    try await replace(project, with: "other")
    _ = try project.pending().accept(now: Self.date - 60)
    let outcome = verify(project, since: base)
    #expect(outcome.text == "")
    #expect(outcome.lines.count == 1)
  }
}
