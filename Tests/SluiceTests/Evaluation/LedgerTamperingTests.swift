import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Tests of what `recordings verify --base` notices, with digests computed again or not.
@Suite("Recordings: tampering")
struct LedgerTamperingTests {
  private static let recordings = "datasets/triage/recordings/server.jsonl"
  private static let ledger = "datasets/triage/recordings/ledger/server.jsonl"
  private static let unused = "datasets/old/recordings/server.jsonl"
  private static let unusedLedger = "datasets/old/recordings/ledger/server.jsonl"

  // MARK: The project

  /// Returns a project with several sets.
  ///
  /// The sets are: four answers; two that replace two of the four; a rejected one; the pruning of
  /// one of the four. A dataset that no suite uses has the same recordings.
  private static func prepared() async throws -> Copy {
    if let known = cache.withLock({ $0 }) { return known }
    let project = RecordingProject()
    _ = try await project.record()
    for isAccepted in [true, false] {
      let kind = isAccepted ? "other" : "request"
      let other = RecordingHTTPClient(
        RecordingProject.completion(text: #"{"kind":"\#(kind)"}"#)
      )
      _ = try await project.recordPending(
        RecordingRequest.Selection(cases: ["where", "send"], scope: .all),
        from: other
      )
      _ =
        isAccepted
        ? try project.pending().accept(now: RecordingProject.date)
        : try project.pending().reject(now: RecordingProject.date)
    }
    let path = ProjectPath(recordings)
    let file = RecordingFile(reading: path, from: project.files)
    let thanks = file.slots.filter {
      (try? file.recording($0)).flatMap(\.self)?.hints.testCase == "thanks"
    }
    try RecordingHousekeeping(project.surroundings).prune(
      RecordingHousekeeping.Pruning(path: path, count: 4, removed: Set(thanks), keptFor: [])
    )
    var copy = Copy(files: [:])
    for path in [recordings, ledger] { copy.files[path] = try project.text(of: path) }
    copy.files[unused] = copy.files[recordings]
    copy.files[unusedLedger] = copy.files[ledger]
    cache.withLock { $0 = copy }
    return copy
  }

  private static let cache = Locked<Copy?>(nil)

  /// The texts of a project's recordings and ledgers.
  fileprivate struct Copy: Sendable {
    var files: [String: String]

    func lines(_ path: String) -> [String] {
      (files[path] ?? "").split(separator: "\n").map(String.init)
    }

    /// Returns the index of the only line that contains a text.
    func index(_ part: String, in path: String) throws -> Int {
      let found = lines(path).indices.filter { lines(path)[$0].contains(part) }
      try #require(found.count == 1, "\(part) in \(path)")
      return found[0]
    }

    mutating func edit(_ path: String, _ body: (inout [String]) throws -> Void) rethrows {
      var lines = lines(path)
      try body(&lines)
      files[path] = lines.map { $0 + "\n" }.joined()
    }

    mutating func rewrite(
      _ part: String,
      in path: String,
      isSealed: Bool = true,
      _ change: (JSONValue) throws -> JSONValue
    ) throws {
      let index = try index(part, in: path)
      try edit(path) { lines in
        lines[index] = try Self.changed(lines[index], isSealed: isSealed, change)
      }
    }

    static func changed(
      _ line: String,
      isSealed: Bool = true,
      _ change: (JSONValue) throws -> JSONValue
    ) throws -> String {
      let value = try JSONReader.value(Array(line.utf8))
      var object = try #require(try change(value).object)
      let digest = try #require(value["digest"]?.string)
      object["digest"] = nil
      let bytes = JSONWriter.line(.object(object))
      return isSealed
        ? String(decoding: RecordingLines.sealed(bytes), as: UTF8.self)
        : String(decoding: bytes.dropLast(), as: UTF8.self) + ",\"digest\":\"\(digest)\"}"
    }

    /// Computes the digests in the ledger again, as somebody who wants to hide a change would.
    mutating func forgeLedger(since before: Copy, _ path: String, _ ledger: String) throws {
      func file(_ copy: Copy) -> RecordingFile {
        RecordingFile(reading: ProjectPath(path), from: InMemoryFileSystem(copy.files))
      }
      var book = RecordingLedger(
        reading: ProjectPath(ledger),
        from: InMemoryFileSystem(files)
      )
      book.addLines(of: file(before), rewrittenAs: file(self))
      files[ledger] = String(decoding: book.bytes, as: UTF8.self)
    }
  }

  /// Checks a project against another state of it, as `recordings verify --base main` does.
  private static func verify(_ now: Copy, since base: Copy?, used: Bool = true) -> (
    errors: [String], lines: [String]
  ) {
    let files = InMemoryFileSystem(now.files)
    let earlier = base.map { InMemoryFileSystem($0.files) }
    let folders = [files, earlier].compactMap(\.self).flatMap {
      RecordingFolder.parents(below: ProjectPath("."), in: $0)
    }
    let datasets = Set(folders).map { $0.resolvingChild("cases.jsonl") }
      .sorted { $0.description < $1.description }
    let diagnostics = DiagnosticCollector()
    for file in RecordingFolder.files(of: datasets, in: files) {
      _ = RecordingAudit().check(
        file.path,
        in: files,
        isJournal: file.isJournal,
        diagnostics: diagnostics
      )
    }
    let changes = LedgerAudit(files).check(
      datasets,
      used: [ProjectPath("datasets/triage/cases.yaml")],
      since: "main",
      in: earlier,
      diagnostics
    )
    let errors = diagnostics.diagnostics.filter { $0.severity == .error }.map(\.description)
    return (errors, changes)
  }

  // MARK: Values

  /// Returns a value with the member at a path replaced, or removed if the new value is nil.
  private static func set(_ path: String, _ new: JSONValue?)
    -> @Sendable (JSONValue) throws
    -> JSONValue
  {
    { value in
      func set(_ value: JSONValue, _ names: ArraySlice<Substring>) throws -> JSONValue {
        let name = try #require(names.first)
        let rest = names.dropFirst()
        if var list = value.array {
          let index = try #require(Int(name))
          list[index] = rest.isEmpty ? try #require(new) : try set(list[index], rest)
          return .array(list)
        }
        var object = value.object ?? [:]
        let changed = rest.isEmpty ? new : try set(object[String(name)] ?? [:], rest)
        if let changed { object[String(name)] = changed } else { object[String(name)] = nil }
        return .object(object)
      }
      return try set(value, path.split(separator: ".")[...])
    }
  }

  // MARK: Changed answers

  /// A change to a line of a recordings file.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (JSONValue) throws -> JSONValue

    init(_ name: String, _ path: String, _ new: JSONValue?) {
      testDescription = name
      change = LedgerTamperingTests.set(path, new)
    }
  }

  static let edits: [Edit] = [
    Edit(
      "the text",
      "response.body.choices.0.message.content",
      #"{"kind":"request"}"#
    ),
    Edit("an empty text", "response.body.choices.0.message.content", ""),
    Edit("a refusal", "response.body.choices.0.message.refusal", "No."),
    Edit("the finish reason", "response.body.choices.0.finish_reason", "length"),
    Edit("no finish reason", "response.body.choices.0.finish_reason", nil),
    Edit("the model", "response.body.model", "vendor-5"),
    Edit("the tokens in the body", "response.body.usage.completion_tokens", 1),
    Edit("the counted tokens", "usage.output", 1),
    Edit("no counted tokens", "usage", .null),
    Edit("a service tier", "response.body.service_tier", "batch"),
    Edit("the status", "response.status", 500),
    Edit("a header", "response.headers", ["server-timing": "inference;dur=1"]),
    Edit("a body as text", "response.body-text", "{}"),
    Edit("a stream", "response.events", [[1, "data: [DONE]"]]),
    Edit("a fallback", "response.fallback", ["reason": "x", "after-ms": 1]),
    Edit("the date", "recorded", "2026-11-28T12:00:19Z"),
    Edit("the total time", "timings.total-ms", 1),
    Edit("the time to the first byte", "timings.first-byte-ms", 1),
    Edit("the user's time", "timings.user-ms", 1),
    Edit("no times", "timings", [:]),
    Edit("the route", "via", "batch"),
    Edit("the route through files", "via", "files"),
    Edit("the case", "hints.case", "other"),
    Edit("the input's digest", "hints.input-digest", "0123456789abcdef"),
    Edit("the parts", "parts.user message", "0123456789abcdef"),
    Edit("the request's text", "request.messages.1.content", "Hello?"),
    Edit("the repeat", "repeat", 2),
    Edit("the key", "key", .string(String(repeating: "0", count: 64))),
    Edit("an unknown member", "note", "x"),
    Edit("the schema", "schema", 2),
    Edit("the first schema", "schema", 1),
  ]

  /// The other digests that a forger computes again.
  enum Forging: CaseIterable {
    case nothing, lineDigest, ledgerDigests
  }

  @Test(
    "A changed answer is noticed, whatever digests are computed again",
    arguments: edits,
    Forging.allCases
  )
  func changedAnswer(_ edit: Edit, _ forging: Forging) async throws {
    let base = try await Self.prepared()
    // An answer of the first set, one of the second, and one that no suite uses.
    for (testCase, path, ledger) in [
      ("polite", Self.recordings, Self.ledger), ("where", Self.recordings, Self.ledger),
      ("polite", Self.unused, Self.unusedLedger),
    ] {
      var now = base
      try now.rewrite(
        #""case":"\#(testCase)""#,
        in: path,
        isSealed: forging != .nothing,
        edit.change
      )
      if forging == .ledgerDigests { try now.forgeLedger(since: base, path, ledger) }
      #expect(!Self.verify(now, since: base).errors.isEmpty, "\(testCase) in \(path)")
      // Without a base, only a forged ledger hides the change.
      if forging != .ledgerDigests { #expect(!Self.verify(now, since: nil).errors.isEmpty) }
    }
  }

  /// A change of the source that many answers share.
  static let sources: [Edit] = [
    Edit("the host", "answered-by.host", "https://api.vendor.com"),
    Edit("the model", "answered-by.model", "vendor-5"),
    Edit("a person", "answered-by.by", "a person"),
    Edit("a stand-in", "answered-by.stand-in", "stand-in-1"),
    Edit("the header", "headers.x-sluice-stand-in", "stand-in-1"),
    Edit("the recorder", "recorder", "sluice 9.9.9"),
    Edit("the suite", "suite", "other"),
    Edit("the prompt", "prompt", "v9"),
    Edit("the template", "template-digest", "0123456789abcdef"),
  ]

  @Test("A changed origin is noticed", arguments: sources, Forging.allCases)
  func changedSource(_ edit: Edit, _ forging: Forging) async throws {
    let base = try await Self.prepared()
    var now = base
    let old = try #require(base.lines(Self.recordings).first { $0.contains(#""answered-by""#) })
    let value = try #require(try JSONReader.value(Array(old.utf8))["value"])
    let digest = try #require(try JSONReader.value(Array(old.utf8))["part"]?.string)
    let bytes = JSONWriter.canonical(try edit.change(value))
    let part = forging == .nothing ? digest : RecordingLines.partDigest(bytes)
    let new = String(decoding: RecordingLines.partLine(digest: part, value: bytes), as: UTF8.self)
    try now.edit(Self.recordings) { lines in
      lines = try lines.map { line in
        if line == old { return new }
        return line.contains(#""source":"\#(digest)""#)
          ? try Copy.changed(line, Self.set("source", .string(part))) : line
      }
    }
    if forging == .ledgerDigests {
      try now.forgeLedger(since: base, Self.recordings, Self.ledger)
    }
    let outcome = Self.verify(now, since: base)
    #expect(!outcome.errors.isEmpty)
    if forging == .ledgerDigests {
      #expect(outcome.errors.contains { $0.contains("changed since main (source") })
    }
  }

  // MARK: Lines and files

  /// A change to the files.
  struct Tampering: Sendable, CustomTestStringConvertible {
    var testDescription: String
    fileprivate var change: @Sendable (inout Copy) throws -> Void

    fileprivate init(_ name: String, _ change: @escaping @Sendable (inout Copy) throws -> Void) {
      (testDescription, self.change) = (name, change)
    }

    /// Removes the lines that contain a text.
    fileprivate static func without(_ name: String, _ part: String, _ path: String) -> Tampering {
      Tampering(name) { copy in
        copy.edit(path) { lines in lines.removeAll { $0.contains(part) } }
      }
    }

    /// Changes the ledger line of the set with a state and a number of answers.
    fileprivate static func line(
      _ name: String,
      _ part: String,
      _ path: String,
      _ new: JSONValue?,
      isSealed: Bool = true
    ) -> Tampering {
      Tampering(name) { copy in
        try copy.rewrite(
          part,
          in: LedgerTamperingTests.ledger,
          isSealed: isSealed,
          LedgerTamperingTests.set(path, new)
        )
      }
    }
  }

  private static let first = #""exchanges":4"#
  private static let second = #""exchanges":2,"replaced":2,"asked-again":0,"state":"accepted""#
  private static let third = #""state":"rejected""#
  private static let pruning = #""state":"pruned""#

  static let tamperings: [Tampering] = [
    .without("a lost answer", #""case":"polite""#, recordings),
    .without("a lost answer of the second set", #""case":"send""#, recordings),
    .without("all answers lost", #""key":"#, recordings),
    .without("the parts lost", #""part":"#, recordings),
    .without("a lost answer that no suite uses", #""case":"polite""#, unused),
    Tampering("answers exchanged between requests") { copy in
      try copy.edit(recordings) { lines in
        let places = lines.indices.filter { lines[$0].contains(#""key":"#) }
        let values = try places.map { try JSONReader.value(Array(lines[$0].utf8)) }
        lines[places[0]] = try Copy.changed(
          lines[places[0]],
          set("response", values[1]["response"])
        )
        lines[places[1]] = try Copy.changed(
          lines[places[1]],
          set("response", values[0]["response"])
        )
      }
    },
    Tampering("an answer for another repeat gained") { copy in
      let index = try copy.index(#""case":"polite""#, in: recordings)
      try copy.edit(recordings) { lines in
        lines.append(try Copy.changed(lines[index], set("repeat", 2)))
      }
    },
    Tampering("an answer of the first schema gained") { copy in
      let index = try copy.index(#""case":"polite""#, in: recordings)
      try copy.edit(recordings) { lines in
        lines.append(
          try Copy.changed(lines[index]) { try set("schema", 1)(set("repeat", 2)($0)) }
        )
      }
    },
    Tampering("two answers to one request") { copy in
      let index = try copy.index(#""case":"polite""#, in: recordings)
      try copy.edit(recordings) { lines in
        lines.append(try Copy.changed(lines[index], set("timings.total-ms", 1)))
      }
    },
    Tampering("the recordings file deleted") { $0.files[recordings] = nil },
    Tampering("the recordings file emptied") { $0.files[recordings] = "" },
    Tampering("the ledger deleted") { $0.files[ledger] = nil },
    Tampering("the ledger emptied") { $0.files[ledger] = "" },
    Tampering("both deleted") { ($0.files[recordings], $0.files[ledger]) = (nil, nil) },
    Tampering("the recordings file renamed") { copy in
      copy.files["datasets/triage/recordings/other.jsonl"] = copy.files[recordings]
      copy.files[recordings] = nil
    },
    Tampering("the ledger renamed") { copy in
      copy.files["datasets/triage/recordings/ledger/other.jsonl"] = copy.files[ledger]
      copy.files[ledger] = nil
    },
    Tampering("both renamed to another backend") { copy in
      for path in [recordings, ledger] {
        copy.files[path.replacing("server", with: "other")] = copy.files[path]
        copy.files[path] = nil
      }
    },
    Tampering("the ledger moved without the recordings") { copy in
      copy.files["datasets/new/recordings/ledger/server.jsonl"] = copy.files[ledger]
      copy.files[ledger] = nil
    },
    .without("the first set's line deleted", first, ledger),
    .without("the second set's line deleted", second, ledger),
    .without("the rejected set's line deleted", third, ledger),
    .without("the pruning's line deleted", pruning, ledger),
    .without("a set's line deleted that no suite uses", first, unusedLedger),
    .line("an accepted set rejected", first, "state", "rejected"),
    .line("an accepted set pending", first, "state", "pending"),
    .line("an accepted set pruned", first, "state", "pruned"),
    .line("a rejected set accepted", third, "state", "accepted"),
    .line("a pruning accepted", pruning, "state", "accepted"),
    .line("other origins", first, "answered-by.0.host", "https://api.vendor.com"),
    .line("another model", first, "answered-by.0.model", "vendor-5"),
    .line("no origins", first, "answered-by", []),
    .line("more answers", first, "exchanges", 400),
    .line("fewer answers", first, "exchanges", 3),
    .line("a rejected set of fewer answers", third, "exchanges", 0),
    .line("nothing replaced", second, "replaced", 0),
    .line("requests sent again", first, "asked-again", 9),
    .line("an earlier start", first, "started", "2026-11-01T12:00:19Z"),
    .line("a later acceptance", first, "closed", "2026-12-01T12:00:19Z"),
    .line("no acceptance", first, "closed", nil),
    .line("other suites", first, "suites", ["other"]),
    .line("other prompts", first, "prompts", ["v9"]),
    .line("another recorder", first, "recorder", "sluice 9.9.9"),
    .line("another id", first, "set", "0123456789ab"),
    .line("no digests", first, "lines", nil),
    .line("no digests, as an old set", first, "schema", 1),
    .line("an invalid digest", first, "lines", "AAAA"),
    .line("empty digests", first, "lines", ""),
    .line("a line not sealed", first, "exchanges", 400, isSealed: false),
    Tampering("an old set without digests") { copy in
      try copy.rewrite(first, in: ledger) { try set("schema", 1)(set("lines", nil)($0)) }
    },
    Tampering("an old set without digests or seal") { copy in
      let index = try copy.index(first, in: ledger)
      try copy.edit(ledger) { lines in
        let changed = try Copy.changed(lines[index]) {
          try set("schema", 1)(set("lines", nil)(set("exchanges", 9)($0)))
        }
        lines[index] = changed.replacing(/,"digest":"[0-9a-f]*"/, with: "")
      }
    },
    Tampering("an answer moved to another set") { copy in
      var book = RecordingLedger(
        reading: ProjectPath(ledger),
        from: InMemoryFileSystem(copy.files)
      )
      let file = RecordingFile(
        reading: ProjectPath(recordings),
        from: InMemoryFileSystem(copy.files)
      )
      for set in book.sets where set.state == .accepted {
        var set = set
        set.lines = SetLines(of: set.exchanges == 4 ? [] : file.slots, in: file)
        book.update(set)
      }
      copy.files[ledger] = String(decoding: book.bytes, as: UTF8.self)
    },
    Tampering("a second line for the first set") { copy in
      let index = try copy.index(first, in: ledger)
      try copy.edit(ledger) { lines in
        lines.append(try Copy.changed(lines[index], set("closed", "2026-12-01T12:00:19Z")))
      }
    },
    Tampering("a pruning that names another answer, which is gone") { copy in
      let file = RecordingFile(
        reading: ProjectPath(recordings),
        from: InMemoryFileSystem(copy.files)
      )
      let lines = SetLines(of: [file.slots[0]], in: file)
      try copy.rewrite(pruning, in: ledger, set("lines", .string(lines.text)))
      copy.edit(recordings) { $0.remove(at: $0.firstIndex { $0.contains(#""key":"#) } ?? 0) }
    },
  ]

  @Test("Lost lines, changed ledgers and moved files are noticed", arguments: tamperings)
  func tampered(_ tampering: Tampering) async throws {
    let base = try await Self.prepared()
    var now = base
    try tampering.change(&now)
    let errors = Self.verify(now, since: base).errors
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { $0.contains("\n  fix: ") })
  }

  @Test("An answer from before its replacement cannot return", arguments: Forging.allCases)
  func rolledBack(_ forging: Forging) async throws {
    let base = try await Self.prepared()
    let project = RecordingProject()
    _ = try await project.record()
    let old = try project.text(of: Self.recordings)
    var now = base
    let line = try #require(
      old.split(separator: "\n").first { $0.contains(#""case":"where""#) }
    )
    let index = try now.index(#""case":"where""#, in: Self.recordings)
    now.edit(Self.recordings) { $0[index] = String(line) }
    if forging == .ledgerDigests {
      try now.forgeLedger(since: base, Self.recordings, Self.ledger)
    }
    #expect(!Self.verify(now, since: base).errors.isEmpty)
  }

  // MARK: What is listed

  @Test("The unchanged project has no errors, and nothing is listed")
  func unchanged() async throws {
    let base = try await Self.prepared()
    let outcome = Self.verify(base, since: base)
    #expect(outcome.errors == [])
    #expect(outcome.lines == [])
    #expect(Self.verify(base, since: nil).errors == [])
    #expect(Self.verify(base, since: Copy(files: [:])).errors == [])
  }

  /// Adds a set to the ledger of the used dataset.
  private static func add(
    _ state: RecordingSet.State,
    _ slots: [Recording.Slot],
    to copy: inout Copy,
    of lines: Copy,
    answeredBy: Provenance = Provenance(host: "https://models.test", model: "sorter-1"),
    exchanges: Int? = nil
  ) -> RecordingSet {
    var book = RecordingLedger(
      reading: ProjectPath(ledger),
      from: InMemoryFileSystem(copy.files)
    )
    var set = RecordingSet(
      started: RecordingProject.date - -1,
      path: ProjectPath(recordings),
      number: 9
    )
    let file = RecordingFile(
      reading: ProjectPath(recordings),
      from: InMemoryFileSystem(lines.files)
    )
    (set.state, set.closed) = (state, RecordingProject.date - -1)
    (set.suites, set.answeredBy) = (["triage"], [answeredBy])
    set.exchanges = exchanges ?? slots.count
    set.lines = SetLines(of: slots, in: file)
    book.update(set)
    copy.files[ledger] = String(decoding: book.bytes, as: UTF8.self)
    return set
  }

  private static func slot(_ testCase: String, in copy: Copy) throws -> Recording.Slot {
    let file = RecordingFile(
      reading: ProjectPath(recordings),
      from: InMemoryFileSystem(copy.files)
    )
    return try #require(
      file.slots.first { (try? file.recording($0)).flatMap(\.self)?.hints.testCase == testCase }
    )
  }

  private static func ids(_ copy: Copy) -> [String: String] {
    let book = RecordingLedger(reading: ProjectPath(ledger), from: InMemoryFileSystem(copy.files))
    return Dictionary(
      book.sets.map { ("\($0.state.rawValue) \($0.exchanges)", $0.id) }
    ) { first, _ in first }
  }

  @Test("A later set may replace an answer, and is listed with its origin")
  func replaced() async throws {
    let base = try await Self.prepared()
    var now = base
    try now.rewrite(
      #""case":"polite""#,
      in: Self.recordings,
      Self.set("response.body.choices.0.message.content", #"{"kind":"request"}"#)
    )
    let slot = try Self.slot("polite", in: now)
    let set = Self.add(.accepted, [slot], to: &now, of: now)
    let first = try #require(Self.ids(base)["accepted 4"])
    let outcome = Self.verify(now, since: base)
    #expect(outcome.errors == [])
    #expect(
      outcome.lines == [
        "\(Self.recordings) since main:",
        "  accepted the set \(set.id): 1 answer of sorter-1 at https://models.test; "
          + "replaces or removes 1 of the set \(first)",
      ]
    )
  }

  @Test("A pruned answer is listed with its set")
  func pruned() async throws {
    let base = try await Self.prepared()
    var now = base
    let slot = try Self.slot("polite", in: now)
    let set = Self.add(.pruned, [slot], to: &now, of: base)
    #expect(Self.verify(now, since: nil).errors == [])
    now.edit(Self.recordings) { lines in
      lines.removeAll { $0.contains(#""case":"polite""#) }
    }
    let first = try #require(Self.ids(base)["accepted 4"])
    for earlier in [base, nil] {
      let outcome = Self.verify(now, since: earlier)
      #expect(outcome.errors == [])
      if earlier == nil { continue }
      #expect(
        outcome.lines == [
          "\(Self.recordings) since main:",
          "  pruned the set \(set.id): 1 answer; replaces or removes 1 of the set \(first)",
        ]
      )
    }
  }

  @Test("An answer that a later set replaced, and that was then pruned, is not lost")
  func replacedAndPruned() async throws {
    var now = try await Self.prepared()
    _ = Self.add(.pruned, [try Self.slot("where", in: now)], to: &now, of: now)
    now.edit(Self.recordings) { lines in
      lines.removeAll { $0.contains(#""case":"where""#) }
    }
    #expect(Self.verify(now, since: nil).errors == [])
  }

  @Test("A later set must name its own origins, its own answers and their number")
  func lies() async throws {
    let base = try await Self.prepared()
    var changed = base
    try changed.rewrite(
      #""case":"polite""#,
      in: Self.recordings,
      Self.set("timings.total-ms", 1)
    )
    let slot = try Self.slot("polite", in: changed)
    func errors(_ body: (inout Copy) -> RecordingSet) -> [String] {
      var now = changed
      _ = body(&now)
      return Self.verify(now, since: base).errors
    }
    #expect(
      errors {
        Self.add(
          .accepted,
          [slot],
          to: &$0,
          of: changed,
          answeredBy: Provenance(host: "https://api.vendor.com", model: "vendor-5")
        )
      }
      .contains { $0.contains("which the ledger does not name") }
    )
    var inflated = changed
    _ = Self.add(.accepted, [slot], to: &inflated, of: changed, exchanges: 200)
    #expect(
      Self.verify(inflated, since: base).lines.contains {
        $0.contains(": 1 answer (the ledger counts 200) of sorter-1")
      }
    )
    let other = try Self.slot("send", in: base)
    #expect(
      errors { Self.add(.accepted, [slot, other], to: &$0, of: changed) }
        .contains { $0.contains("unchanged since main, but in a later set: 1 answer of the set") }
    )
    // The set has the digest of the earlier line.
    #expect(!errors { Self.add(.accepted, [slot], to: &$0, of: base) }.isEmpty)
    #expect(!errors { Self.add(.rejected, [slot], to: &$0, of: changed) }.isEmpty)
    #expect(!errors { Self.add(.pruned, [slot], to: &$0, of: base) }.isEmpty)
  }

  @Test("A moved dataset is compared with its former place")
  func moved() async throws {
    let base = try await Self.prepared()
    var now = base
    for path in [Self.recordings, Self.ledger] {
      now.files[path.replacing("triage", with: "mail")] = now.files[path]
      now.files[path] = nil
    }
    let outcome = Self.verify(now, since: base)
    #expect(outcome.errors == [])
    #expect(
      outcome.lines == [
        "datasets/mail/recordings/server.jsonl since main, moved from datasets/triage:"
      ]
    )
    let path = Self.recordings.replacing("triage", with: "mail")
    try now.rewrite(#""case":"polite""#, in: path, Self.set("timings.total-ms", 1))
    try now.forgeLedger(since: base, path, Self.ledger.replacing("triage", with: "mail"))
    #expect(!Self.verify(now, since: base).errors.isEmpty)
  }

  @Test("A dataset that no suite uses may be removed with its recordings, which is listed")
  func removed() async throws {
    let base = try await Self.prepared()
    var now = base
    (now.files[Self.unused], now.files[Self.unusedLedger]) = (nil, nil)
    let outcome = Self.verify(now, since: base)
    #expect(outcome.errors == [])
    #expect(
      outcome.lines == [
        "\(Self.unused) since main:",
        "  removed with the dataset, which no suite uses: 3 answers",
      ]
    )
  }

  @Test("If the revision's ledger has no digests, its lines count", arguments: Forging.allCases)
  func oldBase(_ forging: Forging) async throws {
    let new = try await Self.prepared()
    var base = new
    base.files[Self.ledger] = try new.lines(Self.ledger).filter { !$0.contains(Self.pruning) }.map {
      try Copy.changed($0) { try Self.set("schema", 1)(Self.set("lines", nil)($0)) } + "\n"
    }.joined()
    // The new version may have added digests, or not.
    for forgedBase in [base, new] {
      let earlier = forgedBase.files == new.files ? base : forgedBase
      #expect(Self.verify(forgedBase, since: earlier).errors == [])
      var now = forgedBase
      try now.rewrite(
        #""case":"polite""#,
        in: Self.recordings,
        isSealed: forging != .nothing,
        Self.set("response.body.choices.0.message.content", #"{"kind":"request"}"#)
      )
      if forging == .ledgerDigests {
        try now.forgeLedger(since: forgedBase, Self.recordings, Self.ledger)
      }
      #expect(!Self.verify(now, since: earlier).errors.isEmpty)
    }
  }
}
