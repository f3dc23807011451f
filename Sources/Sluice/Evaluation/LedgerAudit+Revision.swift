import SluiceReporting

extension LedgerAudit {
  /// The sets of a recordings file that are new since a revision.
  package struct Change: Sendable {
    package var path: ProjectPath
    /// The revision, and the former folder if the dataset was moved.
    package var title: String
    /// A line for each new set, with what it replaces or removes.
    package var lines: [String]
  }

  /// Reports sets and answers that were changed, or that are missing since a revision.
  ///
  /// - Parameters:
  ///   - datasets: The datasets' files.
  ///   - used: The datasets that suites use. Others may be removed with all their recordings.
  ///   - revision: The name of the revision, for messages.
  ///   - base: The files of the revision, or `nil` if there is none.
  ///   - diagnostics: Collects the errors. If it has errors of a recordings file already, its answers
  ///     are not compared, since these errors explain the differences.
  /// - Returns: The changes by sets that are new since the revision.
  package func check(
    _ datasets: [ProjectPath],
    used: [ProjectPath],
    since revision: String,
    in base: (any FileSystem)?,
    _ diagnostics: DiagnosticCollector
  ) -> [Change] {
    let used = Set(used.map(\.folder))
    let faulty = Set(diagnostics.diagnostics.map(\.path))
    let earlier = base ?? InMemoryFileSystem()
    return places(of: datasets, in: earlier).compactMap { place in
      let path = RecordingFile.path(dataset: place.dataset, backend: place.backend)
      var lines: [String] = []
      if !used.contains(place.dataset.folder), let line = removal(of: place, in: earlier) {
        lines = [line]
      } else if checkLosses(of: place, since: revision, in: earlier, diagnostics) == 0,
        !faulty.contains(path.description),
        checkAnswers(of: place.dataset, place.backend, diagnostics) == 0, base != nil
      {
        lines = checkChanges(of: place, since: revision, in: earlier, diagnostics)
      }
      let isMoved = place.dataset != place.earlier
      if lines.isEmpty, !isMoved { return nil }
      let moved = isMoved ? ", moved from \(place.earlier.folder)" : ""
      return Change(path: path, title: " since \(revision)\(moved):", lines: lines)
    }
  }

  /// Returns the ledgers and recordings of datasets, here and in a revision.
  ///
  /// The ledger of a dataset that was moved lists the same sets, so it is found by their ids.
  private func places(of datasets: [ProjectPath], in base: any FileSystem) -> [Place] {
    var places = datasets.flatMap { dataset in
      backends(of: dataset, and: base).map {
        Place(dataset: dataset, earlier: dataset, backend: $0)
      }
    }
    for place in places where isAbsent(place, from: files) {
      let ids = Set(ledger(place.dataset, place.backend, base).sets.map(\.id))
      let moved = places.firstIndex { other in
        other.backend == place.backend && isAbsent(other, from: base)
          && ledger(other.dataset, other.backend, files).sets.contains { ids.contains($0.id) }
      }
      guard let moved else { continue }
      places[moved].earlier = place.dataset
      places.removeAll { $0.dataset == place.dataset && $0.backend == place.backend }
    }
    return places
  }

  private func isAbsent(_ place: Place, from system: any FileSystem) -> Bool {
    [
      RecordingFile.path(dataset: place.dataset, backend: place.backend),
      RecordingLedger.path(dataset: place.dataset, backend: place.backend),
    ].allSatisfy { system.kind(of: $0) == .missing }
  }

  /// Returns a line about a dataset that was removed with all its recordings, or `nil` if it was
  /// not removed.
  private func removal(of place: Place, in base: any FileSystem) -> String? {
    let folder = RecordingFile.path(dataset: place.dataset, backend: place.backend).folder
    guard files.kind(of: folder) == .missing else { return nil }
    let count = recordings(place.earlier, place.backend, base).count
    return "removed \(TerminalLines.count(count, "answer")) with the dataset, which no suite uses"
  }

  /// Compares the recorded answers with those of a revision.
  ///
  /// Reports answers of the revision that are changed or lost, and answers that are new, unless a
  /// set that is new since the revision contains or removes them. The digests in the ledger do not
  /// matter, since whoever changes an answer can compute them again.
  ///
  /// - Parameters:
  ///   - place: The ledger.
  ///   - revision: The name of the revision, for messages.
  ///   - base: The files of the revision.
  ///   - diagnostics: Collects the errors.
  /// - Returns: A line for each set that is new since the revision, with what it replaces or
  ///   removes.
  private func checkChanges(
    of place: Place,
    since revision: String,
    in base: any FileSystem,
    _ diagnostics: DiagnosticCollector
  ) -> [String] {
    let (before, old) = (
      ledger(place.earlier, place.backend, base), recordings(place.earlier, place.backend, base)
    )
    let (ledger, now) = (
      ledger(place.dataset, place.backend, files), recordings(place.dataset, place.backend, files)
    )
    if !(ledger.faults + now.faults).isEmpty { return [] }
    let (owners, earlier) = (ledger.owners(in: now), before.owners(in: old))
    let closed = before.sets.filter { $0.state != .pending }
    let new = ledger.sets.indices.filter { index in
      !closed.contains { $0.id == ledger.sets[index].id && ledger.sets[index].continues($0) }
    }
    var changes = [Int: Changes](uniqueKeysWithValues: new.map { ($0, Changes()) })
    var removed: [SetLines.Entry: Int] = [:]
    for index in new where ledger.sets[index].state == .pruned {
      for entry in ledger.sets[index].lines?.known ?? [] { removed[entry] = index }
    }
    var faults: [Fault: [Recording.Slot]] = [:]
    func fault(_ kind: Fault.Kind, _ slot: Recording.Slot, _ what: String = "") {
      let set = earlier[slot].map { before.sets[$0].id }
      faults[Fault(kind: kind, set: set, what: what), default: []].append(slot)
    }
    for slot in old.slots {
      let lost = earlier[slot].map { before.sets[$0].id }
      if let line = now.line(slot) {
        let isKept = line == old.line(slot) || Self.isMigrated(old, now, slot)
        let index = owners[slot] ?? -1
        if changes[index] == nil {
          if !isKept { fault(.changed, slot, Self.difference(old, now, slot)) }
        } else if isKept, lost != nil, ledger.sets[index].lines != nil {
          fault(.claimed, slot)
        } else {
          changes[index]?.add(slot, replacing: lost)
        }
      } else if let index = old.entry(slot).flatMap({ removed[$0] }) {
        changes[index]?.add(slot, replacing: lost)
      } else {
        fault(.lost, slot)
      }
    }
    for slot in now.slots where !old.contains(slot) {
      if let index = owners[slot], changes[index] != nil {
        changes[index]?.add(slot, replacing: nil)
      } else if owners[slot] != nil || Self.isOlderThanLedgers(now.line(slot)) {
        fault(.gained, slot)
      }
    }
    for (fault, slots) in faults.sorted(by: {
      ($0.value[0], $0.key.what) < ($1.value[0], $1.key.what)
    }) {
      let isThere = fault.kind != .lost
      diagnostics.report(
        Diagnostic(
          path: isThere ? now.path.description : "\(revision):\(old.path)",
          position: Self.place(slots[0], in: isThere ? now : old),
          message: fault.message(slots.count, revision),
          fix: Self.restored
            + (isThere ? "" : "; remove unused answers with: sluice recordings prune")
        )
      )
    }
    return new.sorted().compactMap { index in
      let (set, change) = (ledger.sets[index], changes[index] ?? Changes())
      if set.state == .pending { return nil }
      let origins = now.origins(of: change.slots)
      checkOrigins(origins, of: set, ledger, diagnostics)
      return line(of: set, change, origins.isEmpty ? set.answeredBy : origins)
    }
  }

  /// The answers of the revision, and the new answers, that belong to a new set.
  private struct Changes {
    var slots: [Recording.Slot] = []
    /// The number of answers that the set replaced or removed, by the earlier set.
    var replaced: [String: Int] = [:]

    mutating func add(_ slot: Recording.Slot, replacing set: String?) {
      slots.append(slot)
      if let set { replaced[set, default: 0] += 1 }
    }
  }

  /// A difference from the revision that no new set explains.
  private struct Fault: Hashable {
    enum Kind { case changed, lost, gained, claimed }
    var kind: Kind
    var set: String?
    var what: String

    func message(_ count: Int, _ revision: String) -> String {
      let answers = TerminalLines.count(count, "answer")
      let own = set.map { " of the set \($0)" } ?? ""
      let verbs =
        count == 1
        ? (are: "is", differ: "differs", them: "it") : (are: "are", differ: "differ", them: "them")
      return switch kind {
      case .changed:
        "\(answers)\(own) \(verbs.differ) from \(revision) (\(what)), and no later set replaced "
          + verbs.them
      case .lost:
        "\(answers)\(own) \(verbs.are) missing from the working copy, and no later set replaced or "
          + "pruned \(verbs.them)"
      case .gained:
        "\(answers) \(verbs.are) not in \(revision), and no later set contains \(verbs.them)"
      case .claimed: "a later set contains \(answers)\(own) that did not change since \(revision)"
      }
    }
  }

  /// Reports a new set whose line in the ledger names other origins than its answers.
  private func checkOrigins(
    _ origins: [Provenance],
    of set: RecordingSet,
    _ ledger: RecordingLedger,
    _ diagnostics: DiagnosticCollector
  ) {
    let stated = Set(set.answeredBy.map(\.phrase))
    guard set.state == .accepted, let other = origins.first(where: { !stated.contains($0.phrase) })
    else { return }
    diagnostics.report(
      Diagnostic(
        path: ledger.path.description,
        position: SourcePosition(line: ledger.lines[set.id] ?? 1, column: 1),
        message: "the set \(set.id) has answers of \(other.phrase), which the ledger does not name",
        fix: "restore the ledger from version control, or record the answers again"
      )
    )
  }

  private func line(of set: RecordingSet, _ change: Changes, _ origins: [Provenance]) -> String {
    let replaced = change.replaced.sorted { $0.key < $1.key }
      .map { "\($0.value) of the set \($0.key)" }.joined(separator: ", ")
    switch set.state {
    case .pruned:
      let count = TerminalLines.count(set.exchanges, "answer")
      return "pruned \(count) (\(set.id))" + (replaced.isEmpty ? "" : ": \(replaced)")
    case .rejected, .pending:
      return "rejected the set \(set.id): \(TerminalLines.count(set.exchanges, "answer"))"
    case .accepted:
      return "accepted the set \(set.id): \(TerminalLines.count(change.slots.count, "answer")) of "
        + origins.map(\.phrase).joined(separator: "; ")
        + (replaced.isEmpty ? "" : "; replaced \(replaced)")
    }
  }

  // MARK: Comparing answers

  /// Returns true if a line differs only because `recordings migrate` rewrote it.
  private static func isMigrated(_ old: RecordingFile, _ now: RecordingFile, _ slot: Recording.Slot)
    -> Bool
  {
    guard let line = old.line(slot), !RecordingLines.isOfCurrentSchema(line),
      now.line(slot).map(RecordingLines.isOfCurrentSchema) == true
    else { return false }
    return difference(old, now, slot).isEmpty
  }

  /// Returns the parts in which two answers to the same request differ, in words.
  private static func difference(
    _ old: RecordingFile,
    _ now: RecordingFile,
    _ slot: Recording.Slot
  ) -> String {
    guard let before = (try? old.recording(slot)).flatMap({ $0 }),
      let after = (try? now.recording(slot)).flatMap({ $0 })
    else { return "unreadable" }
    let (was, response) = (before.exchange.response, after.exchange.response)
    let isMigrated = old.line(slot).map(RecordingLines.isOfCurrentSchema) == false
    let parts: [(String, Bool)] = [
      ("request", before.key == after.key && before.exchange.request == after.exchange.request),
      (
        "answer",
        was.body == response.body && was.status == response.status
          && was.arrivals == response.arrivals && was.fallback == response.fallback
      ),
      (
        "origin",
        was.host == response.host && was.stated == response.stated && was.via == response.via
          && was.headers == response.headers && before.recorder == after.recorder
      ),
      ("date", was.date == response.date), ("times", was.timings == response.timings),
      ("case or prompt", isMigrated || before.hints == after.hints),
    ]
    let words = parts.filter { !$0.1 }.map(\.0)
    if words.isEmpty, !isMigrated { return "stored form" }
    return words.joined(separator: ", ")
  }
}
