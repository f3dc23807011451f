import SluiceReporting

extension LedgerAudit {
  /// Reports sets and answers that were changed, or that are missing since a revision.
  ///
  /// - Parameters:
  ///   - datasets: The datasets' files.
  ///   - used: The datasets that suites use. Others may be removed with all their recordings.
  ///   - revision: The name of the revision, for messages.
  ///   - base: The files of the revision, or `nil` if there is none.
  ///   - diagnostics: Collects the errors. If it has errors of a recordings file already, its answers
  ///     are not compared, since these errors explain the differences.
  /// - Returns: For each recordings file with sets that are new since the revision, a title, and a
  ///   line for each new set with what it replaces or removes.
  package func check(
    _ datasets: [ProjectPath],
    used: [ProjectPath],
    since revision: String,
    in base: (any FileSystem)?,
    _ diagnostics: DiagnosticCollector
  ) -> [String] {
    let used = Set(used.map(\.folder))
    let faulty = Set(diagnostics.diagnostics.filter { $0.severity == .error }.map(\.path))
    let earlier = base ?? InMemoryFileSystem()
    return places(of: datasets, in: earlier).flatMap { place -> [String] in
      let path = RecordingFile.path(dataset: place.dataset, backend: place.backend)
      var lines: [String] = []
      if !used.contains(place.dataset.folder), isAbsent(place, from: files) {
        let count = read(place.dataset, place.backend, earlier).file.count
        lines = ["removed with the dataset, which no suite uses: \(Self.answers(count))"]
      } else if checkLosses(of: place, since: revision, in: earlier, diagnostics) == 0,
        !faulty.contains(path.description),
        checkAnswers(of: place.dataset, place.backend, diagnostics) == 0, base != nil
      {
        lines = checkChanges(of: place, since: revision, in: earlier, diagnostics)
      }
      let isMoved = place.dataset != place.earlier
      if lines.isEmpty, !isMoved { return [] }
      let moved = isMoved ? ", moved from \(place.earlier.folder)" : ""
      return ["\(path) since \(revision)\(moved):"] + lines.map { "  " + $0 }
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
      let ids = Set(read(place.dataset, place.backend, base).ledger.sets.map(\.id))
      let moved = places.firstIndex { other in
        other.backend == place.backend && isAbsent(other, from: base)
          && read(other.dataset, place.backend, files).ledger.sets.contains { ids.contains($0.id) }
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

  /// Compares the recorded answers with those of a revision.
  ///
  /// Reports answers of the revision that are changed or lost, and answers that are new, unless a
  /// set that is new since the revision contains or removes them. The digests in the ledger do not
  /// matter, since a person who changes an answer can compute them again.
  ///
  /// - Returns: A line for each new set, with what it replaces or removes.
  private func checkChanges(
    of place: Place,
    since revision: String,
    in base: any FileSystem,
    _ diagnostics: DiagnosticCollector
  ) -> [String] {
    let (before, old) = read(place.earlier, place.backend, base)
    let (ledger, now) = read(place.dataset, place.backend, files)
    if !(ledger.faults + now.faults).isEmpty { return [] }
    // Git has no text of files in LFS, for example. That matters if the caller named a revision.
    for fault in before.faults + old.faults where fault.position == nil && revision != "HEAD" {
      diagnostics.report(
        "\(revision):\(fault.path)",
        "\(fault.message), so the answers cannot be compared",
        "keep recordings and ledgers in git itself, and fetch all commits"
      )
    }
    let (owners, earlier) = (ledger.owners(in: now), before.owners(in: old))
    let closed = before.sets.filter { $0.state != .pending }
    let new = ledger.sets.indices.filter { index in
      let set = ledger.sets[index]
      return !closed.contains { $0 == set || set.continues($0) && !ledger.sets.contains($0) }
    }
    var removed: [SetLines.Entry: Int] = [:]
    for index in new where ledger.sets[index].state == .pruned {
      for entry in ledger.sets[index].lines?.entries ?? [] {
        removed[SetLines.request(entry)] = index
      }
    }
    // The answers of new sets, those that they replaced or removed, and those with faults.
    var contents: [Int: [Recording.Slot]] = [:]
    var replaced: [Int: [Recording.Slot]] = [:]
    var faults: [[String]: [Recording.Slot]] = [:]
    func set(_ slot: Recording.Slot) -> String {
      earlier[slot].map { " of the set \(before.sets[$0].id)" } ?? ""
    }
    for slot in Set(old.slots).union(now.slots).sorted() {
      let owner = owners[slot]
      let isNew = owner.map(new.contains) == true
      let difference = Self.difference(old, now, slot)
      var fault: String?
      if !old.contains(slot) {
        if !isNew { fault = "not in \(revision), and in no later set" }
      } else if !now.contains(slot) {
        let pruning = old.entry(slot).flatMap { removed[SetLines.request($0)] }
        if let pruning { replaced[pruning, default: []].append(slot) }
        if pruning == nil { fault = "lost since \(revision), neither replaced nor pruned" }
      } else if isNew, let owner {
        replaced[owner, default: []].append(slot)
        if difference.isEmpty, earlier[slot] != nil, ledger.sets[owner].lines != nil {
          fault = "unchanged since \(revision), but in a later set"
        }
      } else if !difference.isEmpty {
        fault = "changed since \(revision) (\(difference)), and in no later set"
      }
      if isNew, let owner { contents[owner, default: []].append(slot) }
      if let fault { faults[[fault, set(slot)], default: []].append(slot) }
    }
    for (fault, slots) in faults.sorted(by: { $0.value[0] < $1.value[0] }) {
      let isHere = now.contains(slots[0])
      diagnostics.report(
        at: Self.place(slots[0], in: isHere ? now : old),
        isHere ? "\(now.path)" : "\(revision):\(old.path)",
        "\(fault[0]): \(Self.answers(slots.count))\(fault[1])",
        Self.restored + (isHere ? "" : "; remove unused answers with: sluice recordings prune")
      )
    }
    return new.filter { ledger.sets[$0].state != .pending }.map { index in
      let (set, slots) = (ledger.sets[index], contents[index] ?? [])
      let origins = now.origins(of: slots).map(\.phrase)
      let stated = set.answeredBy.map(\.phrase)
      if let other = origins.first(where: { !stated.contains($0) }) {
        diagnostics.report(
          at: SourcePosition(line: ledger.lines[set.id] ?? 1, column: 1),
          "\(ledger.path)",
          "the set \(set.id) has answers of \(other), which the ledger does not name",
          Self.restored
        )
      }
      let sets = Dictionary(grouping: replaced[index] ?? [], by: set(_:))
      let isShort = set.state == .accepted && slots.count != set.exchanges
      let count = isShort ? slots.count : set.exchanges
      return "\(set.state.rawValue) the set \(set.id): \(Self.answers(count))"
        + (isShort ? " (the ledger counts \(set.exchanges))" : "")
        + (origins.isEmpty ? "" : " of \(origins.joined(separator: "; "))")
        + sets.sorted { $0.key < $1.key }
        .map { "; replaces or removes \($0.value.count)\($0.key)" }.joined()
    }.sorted()
  }

  /// Returns the members in which two lines differ; empty if they have the same content.
  ///
  /// `recordings migrate` may have rewritten a line, and completed its hints.
  private static func difference(
    _ old: RecordingFile,
    _ now: RecordingFile,
    _ slot: Recording.Slot
  ) -> String {
    guard let (before, after) = old.line(slot).flatMap({ old in now.line(slot).map { (old, $0) } }),
      before != after
    else { return "" }
    if !RecordingLines.isOfCurrentSchema(before), RecordingLines.isOfCurrentSchema(after),
      var was = (try? old.recording(slot)).flatMap({ $0 }),
      let recording = (try? now.recording(slot)).flatMap({ $0 })
    {
      was.hints = recording.hints
      if was == recording { return "" }
    }
    let (left, right) = (try? JSONReader.value(before), try? JSONReader.value(after))
    let names = [right, left].flatMap { $0?.object?.members.map(\.name) ?? [] }
    let changed = Set(names).filter { $0 != "digest" && left?[$0] != right?[$0] }.sorted()
    return changed.isEmpty ? "form" : changed.joined(separator: ", ")
  }
}
