package import SluiceSupport

/// The log of all sets of answers that were recorded for a dataset and a backend, including
/// rejected sets.
///
/// If somebody records repeatedly until the answers look good, each attempt leaves a line.
package struct RecordingLedger: Sendable {
  /// The version of the schema in which accepted sets and prunings are written.
  ///
  /// Other sets are written as in version 1, which has no digests of lines.
  package static let schema = 2
  package let path: ProjectPath
  /// The sets, the oldest first.
  package private(set) var sets: [RecordingSet]
  /// The line numbers of the sets, by id.
  package private(set) var lines: [String: Int] = [:]
  /// The texts of unusable lines.
  package private(set) var damaged: [String] = []
  /// The errors in the file and its lines.
  package private(set) var faults: [Diagnostic] = []

  /// Returns the path of the ledger for a dataset and a backend.
  package static func path(dataset: ProjectPath, backend: String) -> ProjectPath {
    dataset.folder.resolvingChild("recordings/ledger").resolvingChild("\(backend).jsonl")
  }

  /// Creates a ledger with some sets.
  package init(path: ProjectPath, sets: [RecordingSet] = []) {
    self.path = path
    self.sets = []
    for set in sets { update(set) }
  }

  /// Reads a ledger.
  ///
  /// A missing ledger counts as empty. Unusable lines are reported.
  package init(
    reading path: ProjectPath,
    from system: any FileSystem
  ) {
    self.init(path: path)
    guard system.kind(of: path) != .missing else { return }
    do throws(FileError) {
      var number = 0
      try system.open(path).forEachLine { line, _ in
        number += 1
        if line.isEmpty { return }
        func refuse(_ message: String) {
          damaged.append(String(decoding: line, as: UTF8.self))
          faults.append(
            Diagnostic(
              path: path.description,
              position: SourcePosition(line: number, column: 1),
              message: message,
              fix: "restore the line from version control, for example: git checkout -- \(path)"
            )
          )
        }
        guard let json = try? JSONReader.value(line), let set = RecordingSet(json: json) else {
          return refuse("the line is not an entry of a recordings ledger")
        }
        guard RecordingLines.isSealed(line) || RecordingSet.isUnsealed(json) else {
          return refuse("the line was changed after it was written: its digest does not match")
        }
        // After a merge, a set may occur twice, in any order. The later state counts.
        if let known = sets.first(where: set.isSame), !set.comes(after: known) { return }
        update(set)
        lines[set.id] = number
      }
    } catch {
      faults = [Diagnostic(path: path.description, message: "cannot be read: \(error.reason)")]
    }
  }

  /// Adds a set, or replaces the earlier state of the set.
  package mutating func update(_ set: RecordingSet) {
    sets.removeAll(where: set.isSame)
    sets.append(set)
    sets.sort { ($0.started.seconds, $0.id) < ($1.started.seconds, $1.id) }
  }

  /// The set that is neither accepted nor rejected; nil if there is none.
  package var pending: RecordingSet? { sets.last { $0.state == .pending } }

  // MARK: Lines of a recordings file

  /// Returns the accepted set of each answer in a file, as an index in ``sets``.
  ///
  /// The digests of a set say which lines belong to it. An answer of an older set, without digests,
  /// is known by its suite, and by its date between the set's start and acceptance. Such a set has
  /// at most as many answers as it counts.
  package func owners(in file: RecordingFile) -> [Recording.Slot: Int] {
    var listed: [SetLines.Entry: Int] = [:]
    var room: [(index: Int, count: Int)] = []
    for (index, set) in sets.enumerated() where set.state == .accepted {
      if set.lines == nil { room.append((index, set.exchanges)) }
      for entry in set.lines?.entries ?? [] { listed[entry] = index }
    }
    var owners: [Recording.Slot: Int] = [:]
    for slot in file.slots {
      if let index = file.entry(slot).flatMap({ listed[$0] }) {
        owners[slot] = index
        continue
      }
      guard !room.isEmpty, let recording = (try? file.recording(slot)).flatMap({ $0 }) else {
        continue
      }
      let place = room.lastIndex { $0.count > 0 && sets[$0.index].wasOpen(during: recording) }
      guard let place else { continue }
      room[place].count -= 1
      owners[slot] = room[place].index
    }
    return owners
  }

  /// Adds digests to the accepted sets that have none, and renews those of rewritten lines.
  ///
  /// - Parameters:
  ///   - old: The recordings file.
  ///   - new: The same recordings as they will be written.
  package mutating func addLines(of old: RecordingFile, rewrittenAs new: RecordingFile) {
    let owners = owners(in: old)
    var renewed: [SetLines.Entry: SetLines.Entry] = [:]
    for slot in old.slots where old.line(slot) != new.line(slot) {
      if let before = old.entry(slot) { renewed[before] = new.entry(slot) }
    }
    for (index, set) in sets.enumerated() where set.state == .accepted {
      sets[index].lines =
        set.lines?.replacing(renewed)
        ?? SetLines(of: old.slots.filter { owners[$0] == index }, in: new)
    }
  }

  /// The contents of the ledger's file.
  ///
  /// Each line contains a set, and ends with a digest of the line.
  package var bytes: [UInt8] {
    sets.reduce(into: []) {
      $0 += RecordingLines.sealed(JSONWriter.line(.object($1.json))) + [0x0A]
    }
  }
}

/// A set of recorded answers, to be accepted or rejected as a whole.
package struct RecordingSet: Hashable, Sendable {
  package var id: String
  package var started: Timestamp
  /// The version of Sluice that recorded the set.
  package var recorder: String
  package var suites: [String]
  package var prompts: [String]
  /// The origins of the answers, without duplicates.
  package var answeredBy: [Provenance]
  /// The number of answers in the set.
  package var exchanges: Int
  /// The number of answers that replace an accepted answer.
  package var replaced: Int
  /// The number of answers that were requested again while the set was pending.
  ///
  /// The earlier answers are lost.
  package var askedAgain: Int
  package var state: State
  /// The time at which the set was accepted or rejected.
  package var closed: Timestamp?
  /// The digests of the set's lines, if the set is accepted; nil for sets of early versions.
  ///
  /// For ``State/pruned``, the digests of the removed lines.
  package var lines: SetLines?

  package enum State: String, Sendable {
    case pending, accepted, rejected
    /// Not a set, but the removal of answers that no suite needed.
    case pruned
  }

  /// Creates a new set.
  ///
  /// - Parameters:
  ///   - started: The start time.
  ///   - path: The path of the file with the set's answers.
  ///   - number: The number of earlier sets.
  package init(started: Timestamp, path: ProjectPath, number: Int) {
    let digest = SHA256.hexadecimal("\(started.iso8601) \(path) \(number)".utf8)
    id = String(digest.prefix(12))
    self.started = started
    recorder = "sluice \(Version.current)"
    suites = []
    prompts = []
    answeredBy = []
    exchanges = 0
    replaced = 0
    askedAgain = 0
    state = .pending
  }

  /// Returns true if this state of the set is later than another state of the same set.
  fileprivate func comes(after other: RecordingSet) -> Bool {
    func rank(_ set: RecordingSet) -> (Int, Int, Int, String, Int, String) {
      (
        set.closed?.seconds ?? .min, set.askedAgain, set.exchanges, set.state.rawValue,
        set.lines?.entries.count ?? -1, set.lines?.text ?? ""
      )
    }
    return rank(self) >= rank(other)
  }

  /// Returns true if this is a state of the same set.
  ///
  /// Two branches may accept different answers in the same second, under the same id.
  fileprivate func isSame(_ other: RecordingSet) -> Bool {
    guard id == other.id else { return false }
    guard let lines, let others = other.lines else { return true }
    return lines.overlaps(others)
  }

  /// Returns true if this is a later state of a closed set, which may only have got digests.
  package func continues(_ earlier: RecordingSet) -> Bool {
    var plain = self
    if earlier.lines.map({ lines?.haveSameRequests(as: $0) == true }) ?? (state == .accepted) {
      plain.lines = earlier.lines
    }
    return plain == earlier
  }

  /// Returns true if a recording may belong to the set, according to its suite and its date.
  fileprivate func wasOpen(during recording: Recording) -> Bool {
    let date = recording.exchange.response.date
    // If the clock was set back before the set was accepted, its dates say nothing.
    let isOrdered = closed.map { started <= $0 } ?? true
    return suites.contains(recording.hints.suite)
      && (!isOrdered || started <= date && closed.map { date <= $0 } ?? true)
  }

  var json: JSONObject {
    var object: JSONObject = [
      "schema": .number(lines == nil ? 1 : Double(RecordingLedger.schema)), "set": .string(id),
      "started": .string(started.iso8601), "recorder": .string(recorder),
      "suites": .array(suites.map(JSONValue.string)),
      "prompts": .array(prompts.map(JSONValue.string)),
      "answered-by": .array(answeredBy.map { .object($0.json) }),
      "exchanges": .number(Double(exchanges)), "replaced": .number(Double(replaced)),
      "asked-again": .number(Double(askedAgain)), "state": .string(state.rawValue),
    ]
    object.set("closed", closed.map { .string($0.iso8601) })
    object.set("lines", lines.map { .string($0.text) })
    return object
  }

  private static let members: Set<String> = [
    "schema", "set", "started", "recorder", "suites", "prompts", "answered-by", "exchanges",
    "replaced", "asked-again", "state", "closed",
  ]

  /// Returns true if the line is from an early version, which wrote no digest.
  ///
  /// Such lines contain only the members of that version. If a line of a later version has a
  /// damaged member name `digest`, that name is unknown. So the line does not count as early.
  fileprivate static func isUnsealed(_ json: JSONValue) -> Bool {
    json.object?.members.allSatisfy { members.contains($0.name) } == true
  }

  init?(json: JSONValue) {
    guard let schema = json["schema"]?.integer, (1...RecordingLedger.schema).contains(schema),
      let id = json["set"]?.string,
      let started = json["started"]?.string.flatMap(Timestamp.init(iso8601:)),
      let exchanges = json["exchanges"]?.integer,
      let state = json["state"]?.string.flatMap(State.init),
      (schema == 1) == (json["lines"] == nil)
    else { return nil }
    self.id = id
    self.started = started
    recorder = json["recorder"]?.string ?? ""
    suites = json["suites"]?.array?.compactMap(\.string) ?? []
    prompts = json["prompts"]?.array?.compactMap(\.string) ?? []
    answeredBy = (json["answered-by"]?.array ?? []).map { Provenance(json: $0) }
    self.exchanges = exchanges
    replaced = json["replaced"]?.integer ?? 0
    askedAgain = json["asked-again"]?.integer ?? 0
    self.state = state
    closed = json["closed"]?.string.flatMap(Timestamp.init(iso8601:))
    lines = json["lines"].map { SetLines(text: $0.string ?? "") }
  }
}
