import SluiceReporting

/// The state of an import: the answers to write, and the result for each line and request.
struct BatchImportWork {
  let batch: BatchImport
  let files: BatchFiles
  let targets: BatchTargets
  let matches: BatchMatches
  var outcome = BatchImportResult(files: [])

  /// The answered requests, including the requests that were recorded before the import.
  var answered: Set<Recording.Slot> = []
  /// The reasons why answers are missing, for the requests whose result lines give a reason.
  var reasons: [Recording.Slot: String] = [:]
  /// The number of unknown requests for which the import searched for a similar request.
  var compared = 0
  /// The requests of the project that were found as the most similar to an unknown request, by key.
  var replaced: [Digest: BatchNearest.Found] = [:]
  var stores: [Destination: RecordingStore] = [:]

  /// The dataset and the backend of a recordings file.
  struct Destination: Hashable {
    var dataset: ProjectPath
    var backend: String
  }

  init(
    _ batch: BatchImport,
    _ files: BatchFiles,
    _ targets: BatchTargets,
    _ matches: BatchMatches
  ) {
    self.batch = batch
    self.files = files
    self.targets = targets
    self.matches = matches
    outcome.lines = files.results.count + files.faults.count + files.unlisted
    outcome.faults = files.faults
  }

  var surroundings: Surroundings { batch.surroundings }

  func destination(_ place: BatchTargets.Place) -> Destination {
    Destination(
      dataset: targets.plans[place.plan].datasetPath,
      backend: targets.backend(place)
    )
  }

  func notBefore(_ place: BatchTargets.Place) -> Timestamp? {
    targets.plans[place.plan].recordings.expiresBefore(surroundings.now())
  }

  func fault(
    _ kind: BatchImportResult.Fault.Kind,
    _ line: BatchFiles.Line,
    _ message: String,
    fix: String? = nil
  ) -> BatchImportResult.Fault {
    BatchImportResult.Fault(
      kind,
      id: line.id,
      files.diagnostic(
        line,
        "'\(line.id)' \(message)",
        fix: fix,
        kind == .duplicate ? .warning : .error
      )
    )
  }

  mutating func add(_ fault: BatchImportResult.Fault) {
    if outcome.faults.count < BatchLimits.faults {
      outcome.faults.append(fault)
    } else {
      outcome.unlisted += 1
    }
  }

  // MARK: Existing recordings

  /// Checks the existing recordings to which answers are added.
  ///
  /// - Throws: An error if recordings are damaged, since rewriting the file would lose its damaged
  ///   part.
  mutating func checkRecordings() throws(BatchImport.Refusal) {
    let diagnostics = DiagnosticCollector()
    for group in matches.groups {
      for place in matches.places[group.key] ?? [] {
        let destination = destination(place)
        if stores[destination] != nil { continue }
        let store = store(destination)
        diagnostics.report(["": store].faults)
        stores[destination] = store
      }
    }
    if diagnostics.hasErrors { throw .files(diagnostics.diagnostics) }
  }

  func store(_ destination: Destination) -> RecordingStore {
    RecordingStore(
      RecordingSession.layers(isScratch: false).map { kind in
        let path = kind.path(dataset: destination.dataset, backend: destination.backend)
        return RecordingStore.Layer(
          kind,
          RecordingFile(reading: path, from: surroundings.files, isJournal: kind != .accepted)
        )
      }
    )
  }

  // MARK: Recording

  /// The key of a set of recordings: a suite and a backend.
  private struct SetKey: Hashable {
    var plan: Int
    var backend: String
  }

  /// Records the answers, one set after the other.
  ///
  /// - Throws: An error if nothing could be recorded. If a set cannot be written after another set
  ///   was recorded, the import ends early without an error.
  mutating func record() throws(BatchImport.Refusal) {
    var order: [SetKey] = []
    var members: [SetKey: [(group: Int, place: BatchTargets.Place)]] = [:]
    for (number, group) in matches.groups.enumerated() {
      for place in matches.places[group.key] ?? [] {
        let key = SetKey(plan: place.plan, backend: targets.backend(place))
        if members[key] == nil { order.append(key) }
        members[key, default: []].append((number, place))
      }
    }
    var reported: Set<Int> = []
    for key in order {
      do throws(PendingRecordings.Refusal) {
        try record(members[key] ?? [], key, &reported)
      } catch {
        guard case .file(let fileError) = error, outcome.imported > 0 else {
          throw .recordings(error)
        }
        outcome.fileError = fileError
      }
      if outcome.fileError != nil { return }
    }
  }

  private mutating func record(
    _ members: [(group: Int, place: BatchTargets.Place)],
    _ key: SetKey,
    _ reported: inout Set<Int>
  ) throws(PendingRecordings.Refusal) {
    let plan = targets.plans[key.plan]
    let session = RecordingSession(plan, surroundings: surroundings)
    let redaction = session.redaction
    var prompts: [String] = []
    for member in members where !prompts.contains(targets.prompt(member.place)) {
      prompts.append(targets.prompt(member.place))
    }
    var set = OpenSet(session, backend: key.backend, prompts: prompts, surroundings.files)
    do throws(PendingRecordings.Refusal) {
      for (number, place) in members {
        let decided = decide(
          matches.groups[number],
          place,
          redaction,
          reportsFaults: reported.insert(number).inserted
        )
        for answer in decided { try keep(answer, place, plan, &set) }
      }
      try set.flush()
      if set.isClosed, isUncounted(key) { _ = try set.open() }
    } catch {
      // Keep the answers that are already on disk. The next import adds the others.
      _ = try? set.close()
      note(set)
      throw error
    }
    note(set)
    try set.close()
  }

  /// Returns true if the ledger's number of pending answers is wrong, because an earlier import was
  /// killed.
  private func isUncounted(_ key: SetKey) -> Bool {
    let dataset = targets.plans[key.plan].datasetPath
    let pending = PendingRecordings(
      dataset: dataset,
      backend: key.backend,
      files: surroundings.files
    )
    let store = stores[Destination(dataset: dataset, backend: key.backend)]
    guard let count = store?.file(.pending)?.count else { return false }
    return pending.ledger(DiagnosticCollector()).pending?.exchanges != count
  }

  private mutating func note(_ set: OpenSet) {
    for (place, slots) in set.written {
      add(\.imported, slots.count, at: place)
      answered.formUnion(slots)
    }
  }

  private mutating func add(
    _ count: WritableKeyPath<BatchImportResult.Part, Int>,
    _ number: Int,
    at place: OpenSet.Name
  ) {
    let index = outcome.parts.firstIndex {
      $0.suite == place.suite && $0.backend == place.backend && $0.prompt == place.prompt
    }
    if let index {
      outcome.parts[index][keyPath: count] += number
      return
    }
    var part = BatchImportResult.Part(
      suite: place.suite,
      backend: place.backend,
      prompt: place.prompt
    )
    part[keyPath: count] = number
    outcome.parts.append(part)
  }

  // MARK: One request

  /// An answer that was chosen for a repeat of a request.
  private struct Decided {
    var line: BatchFiles.Line
    var repetition: Int
    var request: RecordingRequest
    var exchange: Exchange
    var answer: ModelResponse
  }

  /// Decides which lines answer which repeats of a request.
  private mutating func decide(
    _ group: BatchMatches.Group,
    _ place: BatchTargets.Place,
    _ redaction: Redaction,
    reportsFaults: Bool
  ) -> [Decided] {
    let allowed = targets.plans[place.plan].repetitions
    var decided: [Int: Decided] = [:]
    var conflicts: Set<Int> = []
    var ids: Set<String> = []
    var failures: [(line: BatchFiles.Line, repetition: Int?, message: String)] = []
    func tell(_ fault: @autoclosure () -> BatchImportResult.Fault) {
      if reportsFaults { add(fault()) }
    }
    for (result, explicit) in group.lines {
      var read: Decided
      switch self.read(result, group.key, place, redaction) {
      case .success(let value): read = value
      case .failure(let reason):
        failures.append((result.line, explicit, redaction.redacted(reason.message)))
        continue
      }
      // A further line with the same custom_id is a duplicate, not the answer to another repeat.
      let isNew = ids.insert(result.line.id).inserted
      let last = decided.keys.max() ?? 0
      if let explicit {
        read.repetition = explicit
      } else {
        let same = decided.values.first { Self.isSame($0, read) }
        let isFree = last < allowed && (isNew || same == nil)
        read.repetition = isFree ? last + 1 : same?.repetition ?? max(last, 1)
      }
      guard let first = decided[read.repetition] else {
        if !conflicts.contains(read.repetition) { decided[read.repetition] = read }
        continue
      }
      if Self.isSame(first, read) {
        tell(
          fault(
            .duplicate,
            read.line,
            "already has the same answer on \(files.name(first.line)); only one of the two is imported"
          )
        )
      } else {
        conflicts.insert(read.repetition)
        let message =
          "already has a different answer on \(files.name(first.line)), so neither is imported"
        tell(fault(.conflict, read.line, message, fix: "remove one of the two lines"))
      }
    }
    func slot(_ repetition: Int) -> Recording.Slot {
      Recording.Slot(key: group.key, repetition: repetition)
    }
    for repetition in conflicts {
      decided[repetition] = nil
      reasons[slot(repetition)] = "two lines have different answers to this request"
    }
    for (line, repetition, message) in failures {
      // Ignore the failure on one line if another line has an answer to the same request.
      let isAnswered =
        repetition.map { decided[$0] != nil } ?? ids.contains(line.id) || decided.count >= allowed
      if isAnswered { continue }
      tell(fault(.failed, line, "has no answer: \(message)"))
      let place = slot(repetition ?? (decided.keys.max() ?? 0) + 1)
      reasons[place] = reasons[place] ?? message
    }
    return decided.values.sorted { $0.repetition < $1.repetition }
  }

  private static func isSame(_ left: Decided, _ right: Decided) -> Bool {
    ResponseDifference(from: left.answer, to: right.answer).isSame
  }

  /// Reads the answer in a result line.
  private func read(
    _ found: BatchFiles.Result,
    _ key: Digest,
    _ place: BatchTargets.Place,
    _ redaction: Redaction
  ) -> Result<Decided, BackendError> {
    if let failure = found.failure { return .failure(BackendError(.serverError, failure)) }
    let line = found.line
    guard let result = files.result(line),
      let response = result.response(
        batch.options.via,
        batch.options.statement,
        now: surroundings.now()
      ),
      let request = targets.request(place, key: key, repetition: 1)
    else {
      return .failure(BackendError(.brokenAnswer, "the file changed while it was read"))
    }
    if let answered = result.api, let asked = ModelAPI(name: request.request.api),
      answered.type != asked.type
    {
      return .failure(
        BackendError(
          .brokenAnswer,
          "the line has an answer in the format of \(answered.title), but "
            + "'\(request.request.backend)' uses \(asked.title)"
        )
      )
    }
    let exchange = redaction.redacted(Exchange(request: request.request, response: response))
      .exchange
    do throws(BackendError) {
      return .success(
        Decided(
          line: line,
          repetition: 1,
          request: request,
          exchange: exchange,
          answer: try ResponseReader.response(in: exchange)
        )
      )
    } catch {
      return .failure(error)
    }
  }

  /// Adds an answer to its set, unless the request has a recording that must not be replaced.
  private mutating func keep(
    _ decided: Decided,
    _ place: BatchTargets.Place,
    _ plan: SuitePlan,
    _ set: inout OpenSet
  ) throws(PendingRecordings.Refusal) {
    var request = decided.request
    request.repetition = decided.repetition
    let destination = destination(place)
    let name = OpenSet.Name(
      suite: plan.name,
      backend: destination.backend,
      prompt: targets.prompt(place)
    )
    if !isWanted(decided, request.slot, place, destination, name) { return }
    if try set.open() {
      // Check again under the lock, since another process may have added recordings.
      stores[destination] = store(destination)
      if !isWanted(decided, request.slot, place, destination, name) { return }
    }
    let provenance = decided.answer.provenance.toTheDay
    if !outcome.provenances.contains(provenance) { outcome.provenances.append(provenance) }
    try set.add(
      Recording(
        key: request.key,
        repetition: request.repetition,
        exchange: decided.exchange,
        hints: request.hints
      ),
      of: name
    )
  }

  /// Returns true if the answer must be recorded.
  ///
  /// Otherwise, the request already has a recording. If the recorded answer is identical, the answer
  /// is counted as known. If it differs, the answer is reported.
  private mutating func isWanted(
    _ decided: Decided,
    _ slot: Recording.Slot,
    _ place: BatchTargets.Place,
    _ destination: Destination,
    _ name: OpenSet.Name
  ) -> Bool {
    let store = stores[destination]
    if SuitePlan.isWanted(.missing, store, slot, notBefore(place)) { return true }
    let known = (try? store?.answer(slot)?.response()).flatMap(\.self)
    if let known, ResponseDifference(from: known, to: decided.answer).isSame {
      answered.insert(slot)
      add(\.known, 1, at: name)
      return false
    }
    if batch.options.replaces { return true }
    answered.insert(slot)
    add(
      fault(
        .recorded,
        decided.line,
        "already has a recording with another answer",
        fix: "to replace the recorded answer, add --all"
      )
    )
    return false
  }
}
