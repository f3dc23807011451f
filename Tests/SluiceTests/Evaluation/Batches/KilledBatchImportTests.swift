import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing

/// A batch whose results are missing, duplicated, reordered, unrelated and invalid.
///
/// However often an import is killed, each request ends with one answer or one reported error. The
/// batch has 320 requests, or the number in the variable `SLUICE_BATCH_REQUESTS`. The answers are
/// written in two pieces.
@Suite("Batches of many requests")
struct KilledBatchImportTests {
  /// A batch with its expected result.
  private struct Batch {
    var plan: SuitePlan
    var backends: [BackendDefinition]
    var files: [String: String]
    var requests: [BatchService.Request] = []
    var answered: Set<String> = []
    /// The reasons why requests have no answer, by `custom_id`.
    var errors: [String: String] = [:]
    var lines: [String] = []
    /// The number of unusable result lines.
    var refused = 0
    var doubled = 0
  }

  private static let count =
    ProcessInfo.processInfo.environment["SLUICE_BATCH_REQUESTS"].flatMap { Int($0) } ?? 320

  private static let batch = Result { try make() }

  private static func make() throws -> Batch {
    let project = try RecordingProject(caseCount: count)
    let text = try project.exported()
    var batch = Batch(
      plan: try project.plan(),
      backends: ProjectLoader.backends(from: project.files).backends,
      files: ["batch.jsonl": text],
      requests: try BatchService.requests(text)
    )
    for path in ["sluice.yaml", "prices.json", RecordingProject.promptPath] {
      batch.files[path] = try project.text(of: path)
    }
    for (number, request) in batch.requests.enumerated() {
      let answer = BatchService.answer(request.id, BatchService.kind(of: request.question))
      switch number % 40 {
      case 0: batch.errors[request.id] = "the results have no line for this request"
      case 1:
        batch.lines.append(BatchService.expiry(request.id))
        batch.refused += 1
        batch.errors[request.id] =
          "the batch service gave no answer: batch_expired: This request could not be executed "
          + "before the completion window expired."
      case 2:
        batch.lines.append(BatchService.refusal(request.id, status: 400, "Bad schema"))
        batch.refused += 1
        batch.errors[request.id] = "the server answered 400: Bad schema"
      case 3:
        batch.lines.append(String(answer.prefix(90)))
        batch.refused += 1
        batch.errors[request.id] = "the results have no line for this request"
      case 4:
        batch.lines += [answer, BatchService.answer(request.id, #"{"kind":"other"}"#)]
        batch.refused += 1
        batch.errors[request.id] = "two lines have different answers to this request"
      case 5:
        batch.lines += [answer, answer]
        batch.doubled += 1
        batch.answered.insert(request.id)
      case 6:
        // Refused at first, and answered when it was sent again.
        batch.lines += [BatchService.refusal(request.id, status: 429, "Slow down"), answer]
        batch.answered.insert(request.id)
      default:
        batch.lines.append(answer)
        batch.answered.insert(request.id)
      }
      if number % 50 == 0 {
        let stranger = SHA256.digest("stranger \(number)".utf8)
        batch.lines += [
          BatchService.answer("someone-elses-\(number)", "{}"),
          BatchService.answer(BatchRequestID(key: stranger, repetition: 1).text, "{}"), "nonsense",
          "[]",
        ]
        batch.refused += 4
      }
    }
    var generator = SeededGenerator(seed: 24)
    batch.lines.shuffle(using: &generator)
    return batch
  }

  private func files(_ batch: Batch) throws -> InMemoryFileSystem {
    let files = InMemoryFileSystem(batch.files)
    try files.write(batch.lines, to: "results.jsonl")
    return files
  }

  private func run(_ batch: Batch, _ files: any FileSystem) throws -> BatchImportResult {
    try BatchImport(
      [batch.plan],
      backends: batch.backends,
      Surroundings(files: files, now: { RecordingProject.date })
    ).run(
      results: [BatchImport.Source(name: "results.jsonl", path: ProjectPath("results.jsonl"))],
      requests: [BatchImport.Source(name: "batch.jsonl", path: ProjectPath("batch.jsonl"))]
    )
  }

  /// Returns the keys that a pending set answers, each once.
  private func recorded(_ files: any FileSystem) -> (slots: [Recording.Slot], faults: [Diagnostic])
  {
    let file = RecordingFile(
      reading: RecordingFile.pendingPath(
        dataset: ProjectPath(RecordingProject.casesPath),
        backend: "server"
      ),
      from: files,
      isJournal: true
    )
    return (file.slots, file.faults)
  }

  /// Expects each request to have one answer or one reported error.
  private func check(_ batch: Batch, _ result: BatchImportResult, _ files: any FileSystem) throws {
    let (slots, faults) = recorded(files)
    #expect(faults == [])
    let expected = try batch.answered.map { try #require(BatchRequestID($0)).slot }
    #expect(slots == expected.sorted())
    #expect(result.imported + result.known == batch.answered.count)
    #expect(result.duplicates == batch.doubled)
    #expect(result.refused == batch.refused)
    #expect(result.fileError == nil)
    let cases = Dictionary(
      uniqueKeysWithValues: batch.requests.enumerated().map { ($1.id, "case-\($0)") }
    )
    let named = Dictionary(
      result.missing.map { ($0.testCase, [$0.reason]) },
      uniquingKeysWith: { $0 + $1 }
    )
    #expect(named.count == batch.errors.count)
    for (id, reason) in batch.errors {
      let name = try #require(cases[id])
      #expect(named[name] == [reason], "\(name)")
    }
    #expect(batch.answered.count + named.count == Self.count)
    let ledger = RecordingLedger(
      reading: RecordingLedger.path(
        dataset: ProjectPath(RecordingProject.casesPath),
        backend: "server"
      ),
      from: files
    )
    #expect(ledger.faults == [])
    #expect(ledger.sets.map(\.exchanges) == [batch.answered.count])
    #expect(ledger.sets.map(\.askedAgain) == [0])
    #expect(ledger.sets.map(\.state) == [.pending])
  }

  @Test("Each request ends with one answer or one error, and a second import adds nothing")
  func once() throws {
    let batch = try Self.batch.get()
    let files = try files(batch)
    let first = try run(batch, files)
    #expect(first.known == 0)
    try check(batch, first, files)
    let path = "datasets/triage/recordings/pending/server.jsonl"
    let before = try files.read(ProjectPath(path))
    let second = try run(batch, files)
    #expect(second.imported == 0)
    #expect(second.known == batch.answered.count)
    try check(batch, second, files)
    #expect(try files.read(ProjectPath(path)) == before)
  }

  /// A point at which the import is killed, with a name.
  struct Killing: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var point: DyingFileSystem.Point

    init(_ name: String, _ point: DyingFileSystem.Point) {
      testDescription = name
      self.point = point
    }
  }

  private static let journal = "recordings/pending/server.jsonl"
  private static let ledger = "recordings/ledger/server.jsonl"

  static let killings = [
    Killing("at the lock", .init(.lock, ".lock")),
    Killing("when the set is begun in the ledger", .init(.write, ledger)),
    Killing("before the first answers are written", .init(.append, journal)),
    Killing("amid the first answers", .init(.append, journal, share: 0.5)),
    Killing("after the first answers", .init(.append, journal, share: 1)),
    Killing("amid later answers", .init(.append, journal, number: 2, share: 0.37)),
    Killing(
      "one byte before the end of a piece",
      .init(.append, journal, number: 2, share: 0.99999)
    ),
    Killing("when the journal is sorted", .init(.write, journal)),
    Killing("when the ledger counts the answers", .init(.write, ledger, number: 2)),
    Killing("when the summary is written", .init(.write, "reports/batch/import.json")),
  ]

  @Test(
    "An import that is killed at any point loses nothing and can be repeated",
    arguments: killings
  )
  func killed(_ killing: Killing) throws {
    let batch = try Self.batch.get()
    let disk = try files(batch)
    let dying = DyingFileSystem(disk, killedAt: killing.point)
    let killed = try? run(batch, dying)
    #expect(dying.isDead)
    // Every answer that the first import counted is stored.
    #expect(recorded(disk).slots.count >= killed?.imported ?? 0)
    #expect(disk.kind(of: RecordingProject.recordingsPath) == .missing)
    let second = try run(batch, disk)
    try check(batch, second, disk)
  }
}
