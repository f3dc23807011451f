import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Pending recordings")
struct PendingRecordingsTests {
  private static let ledgerPath = "datasets/triage/recordings/ledger/server.jsonl"

  /// The contents of the files; nil for a missing file.
  private struct Files: Equatable {
    var accepted: String?
    var pending: String?
    var ledger: String?

    init(_ project: RecordingProject) {
      accepted = try? project.text(of: RecordingProject.recordingsPath.description)
      pending = try? project.text(of: "datasets/triage/recordings/pending/server.jsonl")
      ledger = try? project.text(of: ledgerPath)
    }
  }

  private func sets(_ project: RecordingProject) -> [RecordingSet] {
    project.pending().ledger(DiagnosticCollector()).sets
  }

  /// Returns a project with four accepted answers, and four pending answers of another prompt.
  private func prepared() async throws -> RecordingProject {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    _ = try await project.recordPending()
    return project
  }

  // MARK: Recording

  @Test("The ledger lists a pending set before its first answer is recorded")
  func begun() throws {
    let project = RecordingProject()
    let set = try project.pending().begin(
      suite: "triage",
      prompts: ["v1", "v2"],
      now: RecordingProject.date
    )
    #expect(sets(project) == [set])
    #expect(set.state == .pending)
    #expect(set.suites == ["triage"])
    #expect(set.prompts == ["v1", "v2"])
    #expect(!project.pending().exists)
    // A second suite continues the set.
    let more = try project.pending().begin(
      suite: "other",
      prompts: ["v2", "v3"],
      now: RecordingProject.date - -1
    )
    #expect(more.id == set.id)
    #expect(more.started == set.started)
    #expect(more.suites == ["triage", "other"])
    #expect(more.prompts == ["v1", "v2", "v3"])
    #expect(sets(project) == [more])
  }

  @Test("Recorded answers are pending and leave the accepted file unchanged")
  func ended() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let before = Files(project)
    let outcome = try await project.recordPending(RecordingRequest.Selection(scope: .all))
    #expect(outcome.recorded == 4)
    #expect(outcome.askedAgain == [:])
    let after = Files(project)
    #expect(after.accepted == before.accepted)
    // The same server gives the same answers at the same moment.
    #expect(after.pending == before.accepted)
    let set = try #require(sets(project).first { $0.state == .pending })
    #expect((set.exchanges, set.replaced, set.askedAgain) == (4, 4, 0))
    #expect(
      set.answeredBy == [
        Provenance(host: "https://models.test", model: "sorter-1")
      ]
    )
    #expect(sets(project).count == 2)
  }

  @Test("Repeated requests for answers of a pending set are counted")
  func askedAgain() async throws {
    let project = RecordingProject()
    _ = try await project.recordPending()
    #expect(sets(project).map(\.askedAgain) == [0])
    let again = try await project.recordPending(
      RecordingRequest.Selection(cases: ["where", "send"], scope: .all)
    )
    #expect(again.askedAgain == ["server": 2])
    #expect(sets(project).map(\.askedAgain) == [2])
    _ = try await project.recordPending(RecordingRequest.Selection(scope: .all))
    #expect(sets(project).map(\.askedAgain) == [6])
    #expect(sets(project).map(\.exchanges) == [4])
    let set = try #require(try project.pending().accept(now: RecordingProject.date))
    #expect(set.askedAgain == 6)
  }

  @Test("If nothing was recorded, there is no set and no file")
  func nothingCame() async throws {
    let project = RecordingProject()
    let client = RecordingHTTPClient(HTTPResponse(status: 503, body: []))
    let outcome = try await project.recordPending(from: client)
    #expect(outcome.recorded == 0)
    let files = Files(project)
    #expect(files.pending == nil)
    #expect(files.ledger == nil)
    // Earlier sets stay in the ledger.
    _ = try await project.record()
    let before = Files(project)
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    _ = try await project.recordPending(from: client)
    #expect(Files(project) == before)
  }

  @Test("The journal of an interrupted recording is read, sorted and continued")
  func goneOn() async throws {
    let project = RecordingProject()
    _ = try await project.recordPending()
    let whole = try #require(Files(project).pending)
    let lines = whole.split(separator: "\n")
    // The part lines, two exchanges in another order, and half of a third.
    let left = lines[..<2] + [lines[3], lines[2]]
    let text = left.joined(separator: "\n") + "\n" + lines[4].prefix(200)
    let path = project.pending().path
    try project.files.write(Array(text.utf8), to: path)
    let client = RecordingProject.server
    let outcome = try await project.recordPending(from: client)
    #expect(outcome.recorded == 2)
    #expect(client.requests.count == 2)
    #expect(Files(project).pending == whole)
  }

  @Test("A complete last line without a line break is kept")
  func noLineEnd() async throws {
    let project = RecordingProject()
    _ = try await project.recordPending()
    let whole = try #require(Files(project).pending)
    try project.files.write(Array(whole.utf8.dropLast()), to: project.pending().path)
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    let outcome = try await project.recordPending()
    #expect(outcome.recorded == 1)
    let lines = try #require(Files(project).pending).split(separator: "\n")
    #expect(lines.count == whole.split(separator: "\n").count + 1)
    #expect(whole.split(separator: "\n").allSatisfy(lines.contains))
  }

  // MARK: Accepting and rejecting

  @Test("Accepting moves the whole set into the accepted file and closes it in the ledger")
  func accepted() async throws {
    let project = try await prepared()
    let before = Files(project)
    let moment = RecordingProject.date - -1
    let set = try #require(try project.pending().accept(now: moment))
    #expect(set.state == .accepted)
    #expect(set.closed == moment)
    #expect((set.exchanges, set.replaced) == (4, 0))
    let after = Files(project)
    #expect(after.pending == nil)
    let lines = Set((before.accepted ?? "").split(separator: "\n"))
      .union((before.pending ?? "").split(separator: "\n"))
    #expect(Set((after.accepted ?? "").split(separator: "\n")) == lines)
    #expect(sets(project).map(\.state) == [.accepted, .accepted])
    #expect(sets(project).contains(set))
    #expect(try project.replay().suites.flatMap(\.misses).isEmpty)
  }

  @Test("Rejecting keeps the accepted file unchanged, and the set in the ledger")
  func rejected() async throws {
    let project = try await prepared()
    let before = Files(project)
    let set = try #require(try project.pending().reject(now: RecordingProject.date))
    #expect(set.state == .rejected)
    #expect(set.exchanges == 4)
    let after = Files(project)
    #expect(after.accepted == before.accepted)
    #expect(after.pending == nil)
    #expect(Set(sets(project).map(\.state)) == [.accepted, .rejected])
    #expect(try project.replay().suites.flatMap(\.misses).count == 4)
  }

  @Test("A pending set of which an answer is missing is not accepted, but can be rejected")
  func incomplete() async throws {
    let project = try await prepared()
    let pending = project.pending()
    var lines = try project.files.read(pending.path).split(separator: 0x0A)
    let last = try #require(lines.lastIndex { $0.starts(with: #"{"schema":3,"key""#.utf8) })
    lines.remove(at: last)
    try project.files.write(lines.flatMap { $0 + [0x0A] }, to: pending.path)
    let before = Files(project)
    let refusal = PendingRecordings.Refusal.damaged([
      Diagnostic(
        path: pending.path.description,
        message: "1 of 4 answers of the pending set are missing; a set is accepted as a whole",
        fix: "restore the file, record the missing answers, or discard the set: sluice recordings "
          + "reject"
      )
    ])
    #expect(throws: refusal) { try pending.accept(now: RecordingProject.date) }
    #expect(Files(project) == before)
    #expect(try pending.reject(now: RecordingProject.date)?.state == .rejected)
  }

  @Test("Without pending answers, there is nothing to accept or reject")
  func nothing() async throws {
    let project = RecordingProject()
    #expect(try project.pending().accept(now: RecordingProject.date) == nil)
    #expect(try project.pending().reject(now: RecordingProject.date) == nil)
    _ = try await project.record()
    let before = Files(project)
    #expect(try project.pending().accept(now: RecordingProject.date) == nil)
    #expect(try project.pending().reject(now: RecordingProject.date) == nil)
    #expect(Files(project) == before)
  }

  @Test(
    "A journal without a complete answer is removed with its ledger line when it is accepted",
    arguments: ["", "{\"schema\":2,\"key\":\"40", "{"]
  )
  func emptyJournal(text: String) async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let before = Files(project)
    _ = try project.pending().begin(suite: "triage", prompts: ["v1"], now: RecordingProject.date)
    try project.files.write(Array(text.utf8), to: project.pending().path)
    #expect(try project.pending().accept(now: RecordingProject.date) == nil)
    #expect(Files(project) == before)
  }

  @Test("Pending answers without a ledger line form a new set")
  func noLedger() async throws {
    let project = RecordingProject()
    _ = try await project.recordPending()
    try project.files.remove(ProjectPath(Self.ledgerPath))
    let set = try #require(try project.pending().accept(now: RecordingProject.date))
    #expect(set.exchanges == 4)
    #expect(sets(project) == [set])
  }

  // MARK: Damage

  private static let damages: [(path: String, message: String)] = [
    (
      RecordingProject.recordingsPath.description,
      """
      :3:1: error: the recording was changed after it was recorded: its digest does not match
        fix: restore the line from version control, or delete it and record the answer again

      """
    ),
    (
      "datasets/triage/recordings/pending/server.jsonl",
      """
      :3:1: error: the recording was changed after it was recorded: its digest does not match
        fix: restore the line from version control, or delete it and record the answer again

      """
    ),
    (
      ledgerPath,
      """
      :1:1: error: the line is not an entry of a recordings ledger
        fix: restore the line from version control, for example: git checkout -- \(ledgerPath)

      """
    ),
  ]

  private func damage(_ project: RecordingProject, _ path: String) throws {
    let old = path == Self.ledgerPath ? #""schema":1"# : #""recorded":""#
    try project.edit(path, replacing: old, with: old + "?")
  }

  @Test("A damaged line refuses all changes, and all files stay unchanged", arguments: damages)
  func damaged(path: String, message: String) async throws {
    let project = try await prepared()
    try damage(project, path)
    let before = Files(project)
    let pending = project.pending()
    func refusal(_ body: () throws(PendingRecordings.Refusal) -> Void) -> String {
      do throws(PendingRecordings.Refusal) {
        try body()
        return "none"
      } catch .damaged(let diagnostics) {
        return diagnostics.map(\.description).joined()
      } catch {
        return "\(error)"
      }
    }
    let date = RecordingProject.date
    #expect(
      refusal { () throws(PendingRecordings.Refusal) in _ = try pending.accept(now: date) } == path
        + message
    )
    #expect(
      refusal { () throws(PendingRecordings.Refusal) in
        _ = try pending.begin(suite: "triage", prompts: [], now: date)
      } == path + message
    )
    #expect(Files(project) == before)
    let isPending = path == pending.path.description
    let rejection = refusal { () throws(PendingRecordings.Refusal) in
      _ = try pending.reject(now: date)
    }
    // A set that was never accepted can be rejected, even if it is damaged.
    #expect(rejection == (isPending ? "none" : path + message))
    if isPending {
      #expect(!pending.exists)
      #expect(sets(project).contains { $0.state == .rejected && $0.exchanges == 3 })
    } else {
      #expect(Files(project) == before)
    }
  }

  @Test("A part that is missing in one file is taken from the other")
  func lostPart() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let path = RecordingProject.recordingsPath
    let whole = try project.text(of: path.description)
    let frame = try #require(whole.split(separator: "\n").first { $0.contains(#""value":{"api""#) })
    try project.edit(path.description, replacing: frame + "\n", with: "")
    for testCase in ["where", "send", "thanks", "polite"] {
      let outcome = try await project.recordPending(RecordingRequest.Selection(cases: [testCase]))
      _ = try project.pending().accept(now: RecordingProject.date)
      #expect(outcome.recorded == (testCase == "where" ? 1 : 0))
    }
    #expect(try project.text(of: path.description) == whole)
  }

  // MARK: Interruptions

  private func stopping(_ project: RecordingProject, after steps: Int) -> PendingRecordings {
    PendingRecordings(
      dataset: ProjectPath(RecordingProject.casesPath),
      backend: "server",
      files: StoppingFileSystem(project.files, after: steps)
    )
  }

  /// Returns a project with four accepted answers, two of which have pending replacements.
  private func replacing() async throws -> RecordingProject {
    let project = RecordingProject()
    _ = try await project.record()
    let other = RecordingHTTPClient(RecordingProject.completion(text: #"{"kind":"other"}"#))
    _ = try await project.recordPending(
      RecordingRequest.Selection(cases: ["where", "send"], scope: .all),
      from: other
    )
    return project
  }

  @Test(
    "An interrupted acceptance can be repeated, with the same final result",
    arguments: 0...2
  )
  func stoppedAccepting(steps: Int) async throws {
    let date = RecordingProject.date
    let smooth = try await replacing()
    let expected = try #require(try smooth.pending().accept(now: date))
    #expect((expected.exchanges, expected.replaced) == (2, 2))

    let project = try await replacing()
    let before = Files(project)
    #expect(throws: PendingRecordings.Refusal.self) {
      try stopping(project, after: steps).accept(now: date)
    }
    if steps == 0 { #expect(Files(project) == before) }
    #expect(Files(project).pending == before.pending)
    #expect(try project.pending().accept(now: date) == expected)
    #expect(Files(project) == Files(smooth))
    #expect(try project.pending().accept(now: date) == nil)
  }

  @Test(
    "After answers were written, a set can no longer be rejected, only accepted",
    arguments: 1...2
  )
  func rejectedTooLate(steps: Int) async throws {
    let date = RecordingProject.date
    let smooth = try await replacing()
    let expected = try #require(try smooth.pending().accept(now: date))
    let project = try await replacing()
    #expect(throws: PendingRecordings.Refusal.self) {
      try stopping(project, after: steps).accept(now: date)
    }
    let refusal = PendingRecordings.Refusal.halfAccepted(RecordingProject.recordingsPath)
    #expect(throws: refusal) { try project.pending().reject(now: date) }
    #expect(try project.pending().accept(now: date) == expected)
    #expect(Files(project) == Files(smooth))
  }

  @Test("Replaced answers are counted correctly after an interrupted acceptance")
  func stoppedAcceptingMixed() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    _ = try await project.recordPending(
      from: RecordingHTTPClient(
        RecordingProject.completion(text: #"{"kind":"question"}"#)
      )
    )
    #expect(throws: PendingRecordings.Refusal.self) {
      try stopping(project, after: 1).accept(now: RecordingProject.date)
    }
    let set = try #require(try project.pending().accept(now: RecordingProject.date))
    #expect((set.exchanges, set.replaced) == (1, 0))
  }

  @Test("An interrupted rejection can be repeated", arguments: 0...1)
  func stoppedRejecting(steps: Int) async throws {
    let project = try await replacing()
    let accepted = Files(project).accepted
    #expect(throws: PendingRecordings.Refusal.self) {
      try stopping(project, after: steps).reject(now: RecordingProject.date)
    }
    #expect(Files(project).accepted == accepted)
    #expect(try project.pending().reject(now: RecordingProject.date)?.state == .rejected)
    #expect(Files(project).accepted == accepted)
    #expect(!project.pending().exists)
  }

  // MARK: One at a time

  @Test("Recordings can be changed by only one process at a time")
  func busy() throws {
    let folder = try ProjectFolder()
    let files = try #require(DiskFileSystem(root: folder.path))
    let first = PendingRecordings(
      dataset: ProjectPath(RecordingProject.casesPath),
      backend: "server",
      files: files
    )
    let lock = try first.lock()
    #expect(throws: PendingRecordings.Refusal.busy(RecordingProject.recordingsPath)) {
      try first.lock()
    }
    let other = PendingRecordings(
      dataset: ProjectPath(RecordingProject.casesPath),
      backend: "second",
      files: files
    )
    #expect(throws: Never.self) { try other.lock() }
    withExtendedLifetime(lock) {}
    #expect(
      files.names(in: ProjectPath("reports/locks")) == [
        "datasets-triage-recordings-second.jsonl.lock",
        "datasets-triage-recordings-server.jsonl.lock",
      ]
    )
  }

  @Test("If one of two backends is busy, recording starts for neither")
  func busySecond() async throws {
    let project = RecordingProject()
    try project.edit(
      "sluice.yaml",
      replacing: "backends:",
      with:
        "backends:\n  second: {type: openai, base-url: \"https://models.test/v1\", model: sorter-1}"
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backends: [second, server]"
    )
    let plan = try project.plan()
    let folder = try ProjectFolder()
    let files = try #require(DiskFileSystem(root: folder.path))
    let session = RecordingSession(plan, surroundings: Surroundings(files: files))
    let draft = session.draft(RecordingRequest.Selection())
    #expect(draft.requests.count == 8)
    let lock = try PendingRecordings(dataset: plan.datasetPath, backend: "server", files: files)
      .lock()
    let client = RecordingProject.server
    let backends = try project.backends(client)
    await #expect(throws: PendingRecordings.Refusal.busy(RecordingProject.recordingsPath)) {
      try await session.record(draft, backends: backends)
    }
    withExtendedLifetime(lock) {}
    #expect(client.requests.isEmpty)
    #expect(files.kind(of: ProjectPath("datasets")) == .missing)
  }
}
