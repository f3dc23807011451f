import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Recording ledger")
struct RecordingLedgerTests {
  private static let path = ProjectPath("datasets/triage/recordings/ledger/server.jsonl")

  private func set(
    _ number: Int,
    _ state: RecordingSet.State = .accepted,
    started: Timestamp = RecordingProject.date
  ) -> RecordingSet {
    var set = RecordingSet(started: started, path: RecordingProject.recordingsPath, number: number)
    set.state = state
    return set
  }

  private func read(_ text: String) -> (ledger: RecordingLedger, diagnostics: String) {
    let diagnostics = DiagnosticCollector()
    let ledger = RecordingLedger(
      reading: Self.path,
      from: InMemoryFileSystem([Self.path.description: text])
    ).reporting(to: diagnostics)
    return (ledger, diagnostics.diagnostics.map(\.description).joined())
  }

  private func text(_ sets: [RecordingSet]) -> String {
    String(decoding: RecordingLedger(path: Self.path, sets: sets).bytes, as: UTF8.self)
  }

  @Test("The ledger is stored next to the recordings, in one file per backend")
  func place() {
    #expect(
      RecordingLedger.path(dataset: ProjectPath("datasets/triage/cases.csv"), backend: "server")
        == Self.path
    )
  }

  @Test("A line records the set's time, suites, prompts, model, counts, state and digest")
  func line() {
    var set = set(3, .rejected)
    set.suites = ["triage", "other"]
    set.prompts = ["v1"]
    set.answeredBy = [Provenance(host: "https://models.test", model: "sorter-1", standIn: "sorter")]
    (set.exchanges, set.replaced, set.askedAgain) = (12, 3, 2)
    set.closed = RecordingProject.date - -1
    let content = """
      {"schema":1,"set":"\(set.id)","started":"2026-11-21T12:00:19Z",\
      "recorder":"sluice \(Version.current)","suites":["triage","other"],"prompts":["v1"],\
      "answered-by":[{"host":"https://models.test","model":"sorter-1","stand-in":"sorter"}],\
      "exchanges":12,"replaced":3,"asked-again":2,"state":"rejected",\
      "closed":"2026-11-22T12:00:19Z"}
      """
    let digest = SHA256.hexadecimal(content.utf8)
    #expect(text([set]) == "\(content.dropLast()),\"digest\":\"\(digest)\"}\n")
    #expect(read(text([set])).ledger.sets == [set])
    #expect(read(text([set])).diagnostics == "")
  }

  /// The digests of a number of lines, the first of which has a number.
  private func lines(_ numbers: [Int]) -> SetLines {
    let path = RecordingProject.recordingsPath
    var file = RecordingFile(path: path)
    let slots = numbers.map { number in
      let recording = Recording.fixture(user: "\(number)")
      file.add(recording)
      return recording.slot
    }
    return SetLines(of: slots.sorted(), in: file)
  }

  @Test("The line of an accepted set has the digest of each answer's line, and schema 2")
  func lineDigests() throws {
    var set = set(3)
    (set.exchanges, set.lines) = (2, lines([1, 2]))
    let line = try JSONReader.value(Array(text([set]).utf8))
    #expect(line["schema"]?.integer == 2)
    // Six bytes for the request and eight for the line.
    #expect(line["lines"]?.string.flatMap(Base64.decode)?.count == 28)
    #expect(read(text([set])).ledger.sets == [set])
    #expect(read(text([set])).ledger.sets.first?.lines?.entries.count == 2)
  }

  @Test(
    "Digests only occur with schema 2, and schema 2 only with digests and a seal",
    arguments: [
      ("\"schema\":2", "\"schema\":1"), ("\"schema\":2", "\"schema\":3"),
      ("\"lines\"", "\"linez\""),
    ]
  )
  func schemas(_ old: String, _ new: String) throws {
    var set = set(3)
    (set.exchanges, set.lines) = (1, lines([1]))
    let plain = Self.unsealed(text([set])).replacing("\n", with: "")
    let changed = plain.replacing(old, with: new)
    #expect(changed != plain)
    let sealed = String(decoding: RecordingLines.sealed(Array(changed.utf8)), as: UTF8.self)
    #expect(read(sealed).diagnostics.contains("is not an entry of a recordings ledger"))
    #expect(read(plain).diagnostics.contains("its digest does not match"))
  }

  @Test("The ledger of an earlier version is read, and written with the same bytes")
  func earlierVersion() throws {
    let old = """
      {"schema":1,"set":"fadb27408daf","started":"2026-11-22T11:40:56Z","recorder":"sluice 0.1.0",\
      "suites":["mailbox"],"prompts":["v1"],"answered-by":[{"host":"http://127.0.0.1:8089",\
      "model":"stand-in-1","stand-in":"stand-in-1"}],"exchanges":16,"replaced":0,"asked-again":0,\
      "state":"accepted","closed":"2026-11-22T11:40:56Z",\
      "digest":"b4bc96972f497799d1a6883f3094e201f4f3bacbc508c2c6b040a40ab34a2113"}

      """
    let (ledger, diagnostics) = read(old)
    #expect(diagnostics == "")
    #expect(ledger.sets.map(\.exchanges) == [16])
    #expect(ledger.sets.map(\.lines) == [nil])
    #expect(String(decoding: ledger.bytes, as: UTF8.self) == old)
  }

  @Test("After a merge, the line with digests counts, and of two such lines the one with more")
  func mergedDigests() {
    var old = set(0)
    (old.exchanges, old.closed) = (3, RecordingProject.date)
    let (few, all) = (lines([1]), lines([1, 2, 3]))
    let merges: [(states: [SetLines?], last: SetLines)] = [
      ([nil, few], few), ([few, all], all), ([nil, few, all], all),
    ]
    for (states, last) in merges {
      let sets = states.map { (lines: SetLines?) -> RecordingSet in
        var set = old
        set.lines = lines
        return set
      }
      for order in [sets, sets.reversed()] {
        #expect(read(order.map { text([$0]) }.joined()).ledger.sets.map(\.lines) == [last])
      }
    }
  }

  @Test("Two branches may accept different answers in the same second, under the same id")
  func twins() {
    var first = set(0)
    (first.exchanges, first.closed) = (1, RecordingProject.date)
    var second = first
    (first.lines, second.lines) = (lines([1]), lines([2]))
    for order in [[first, second], [second, first]] {
      let (ledger, diagnostics) = read(order.map { text([$0]) }.joined())
      #expect(Set(ledger.sets) == [first, second])
      #expect(read(String(decoding: ledger.bytes, as: UTF8.self)).ledger.sets.count == 2)
      #expect(diagnostics == "")
    }
  }

  @Test("A set's ID is unique and does not depend on its state")
  func ids() {
    let sets = [
      set(0), set(1), set(0, started: RecordingProject.date - 1),
      RecordingSet(started: RecordingProject.date, path: ProjectPath("other"), number: 0),
    ]
    #expect(Set(sets.map(\.id)).count == 4)
    #expect(sets.allSatisfy { $0.id.utf8.count == 12 })
    #expect(set(0, .pending).id == set(0, .rejected).id)
  }

  @Test("Sets are sorted by the time at which they were started")
  func order() {
    let sets = (0..<5).map { set($0, started: RecordingProject.date - (9 - $0)) }
    #expect(RecordingLedger(path: Self.path, sets: sets.reversed()).sets == sets)
    let lines = text(sets).split(separator: "\n").reversed().joined(separator: "\n")
    #expect(read(lines).ledger.sets == sets)
  }

  @Test("An update replaces the previous state of a set")
  func update() {
    var ledger = RecordingLedger(path: Self.path, sets: [set(0), set(1, .pending)])
    #expect(ledger.pending?.id == set(1).id)
    ledger.update(set(1, .rejected))
    #expect(ledger.pending == nil)
    #expect(
      ledger.sets.map(\.state).sorted { $0.rawValue < $1.rawValue } == [.accepted, .rejected]
    )
  }

  @Test("Of two states of the same set, as after a merge, the latest closed one is used")
  func merged() {
    let pending = set(0, .pending)
    var accepted = set(0, .accepted)
    accepted.closed = RecordingProject.date
    var rejected = set(0, .rejected)
    rejected.closed = RecordingProject.date - -1
    for (sets, last) in [
      ([pending, accepted], accepted), ([pending, rejected], rejected),
      ([accepted, rejected], rejected), ([pending, accepted, rejected], rejected),
    ] {
      for order in [sets, sets.reversed()] {
        let (ledger, diagnostics) = read(order.map { text([$0]) }.joined())
        #expect(ledger.sets == [last])
        #expect(diagnostics == "")
      }
    }
  }

  @Test("Invalid lines are reported by number, and the other lines are read")
  func damaged() {
    let line = Self.unsealed(text([set(0)]))
    let (ledger, diagnostics) = read(
      """
      \(line)
      {"schema":1,"set":"a"}
      nonsense
      \(line.replacing("\"schema\":1", with: "\"schema\":2"))\
      \(line.replacing("accepted", with: "lost"))\
      \(line.replacing("2026-11-21T", with: "yesterday "))
      """
    )
    #expect(ledger.sets == [set(0)])
    #expect(
      diagnostics
        == [3, 4, 5, 6, 7].map { number in
          """
          \(Self.path):\(number):1: error: the line is not an entry of a recordings ledger
            fix: restore the line from version control, for example: git checkout -- \(Self.path)

          """
        }.joined()
    )
  }

  /// The lines in the format of early versions, without digests.
  private static func unsealed(_ text: String) -> String {
    text.replacing(/,"digest":"[0-9a-f]{64}"}/, with: "}")
  }

  @Test("A line without a digest, from an early version, is read and gets a digest when written")
  func unsealed() {
    let sealed = text([set(0), set(1, .rejected)])
    let old = Self.unsealed(sealed)
    #expect(!old.contains("digest"))
    let (ledger, diagnostics) = read(old)
    #expect(diagnostics == "")
    #expect(String(decoding: ledger.bytes, as: UTF8.self) == sealed)
  }

  @Test("A flipped bit anywhere in a line is detected, and the line is ignored")
  func flipped() {
    let line = Array(text([set(0, .rejected)]).utf8.dropLast())
    for place in line.indices {
      var changed = line
      changed[place] ^= 1
      // A change that merges two lines is reported twice.
      let diagnostics = DiagnosticCollector()
      let files = InMemoryFileSystem()
      try? files.write(changed, to: Self.path)
      let ledger = RecordingLedger(reading: Self.path, from: files).reporting(to: diagnostics)
      #expect(ledger.sets == [], "byte \(place)")
      #expect(diagnostics.hasErrors, "byte \(place)")
    }
  }

  @Test("A changed line is an error with the command that restores it")
  func changed() {
    let text = text([set(0, .rejected)]).replacing("\"rejected\"", with: "\"accepted\"")
    #expect(
      read(text).diagnostics == """
        \(Self.path):1:1: error: the line was changed after it was written: its digest does not match
          fix: restore the line from version control, for example: git checkout -- \(Self.path)

        """
    )
  }

  @Test("A missing ledger is empty, and a folder in its place is an error")
  func missing() throws {
    #expect(read("").ledger.sets == [])
    let diagnostics = DiagnosticCollector()
    let system = InMemoryFileSystem(["\(Self.path)/a": ""])
    let ledger = RecordingLedger(reading: Self.path, from: system).reporting(to: diagnostics)
    #expect(ledger.sets == [])
    #expect(
      diagnostics.diagnostics.map(\.description)
        == ["\(Self.path): error: cannot be read: no such file\n"]
    )
  }
}
