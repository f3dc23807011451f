import SluiceReporting

/// The search for sets of recordings that are missing from ledgers.
///
/// It compares the ledgers with the ledgers of a git revision, or with the recorded answers.
package struct LedgerAudit: Sendable {
  let files: any FileSystem

  /// Creates an audit.
  ///
  /// - Parameter files: The project's files.
  package init(_ files: any FileSystem) { self.files = files }

  /// Returns the backends that have a ledger or recorded answers for a dataset.
  ///
  /// - Parameters:
  ///   - dataset: The dataset's file.
  ///   - others: A second file system to search, such as the files of a revision, or `nil`.
  /// - Returns: The names of the backends, sorted.
  package func backends(of dataset: ProjectPath, and others: (any FileSystem)?) -> [String] {
    let folders = [
      RecordingLedger.path(dataset: dataset, backend: "any").folder,
      RecordingFile.path(dataset: dataset, backend: "any").folder,
    ]
    let names = [files, others].compactMap(\.self).flatMap { system in
      folders.flatMap { system.names(in: $0) }
    }
    return Set(names).filter { $0.hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }.sorted()
  }

  private static let ending = ".jsonl"

  // MARK: Against a revision

  /// The location of a dataset's ledger.
  package struct Place: Sendable {
    package var dataset: ProjectPath
    /// The path of the dataset in the revision, which may differ from the current one.
    package var earlier: ProjectPath
    package var backend: String
  }

  /// Reports damaged lines of a ledger, and sets that are missing or changed since a revision.
  ///
  /// - Parameters:
  ///   - place: The ledger.
  ///   - revision: The name of the revision, for messages.
  ///   - base: The files of the revision.
  ///   - diagnostics: Collects the errors.
  /// - Returns: The number of faults.
  package func checkLosses(
    of place: Place,
    since revision: String,
    in base: any FileSystem,
    _ diagnostics: DiagnosticCollector
  ) -> Int {
    let reported = diagnostics.count
    let path = RecordingLedger.path(dataset: place.dataset, backend: place.backend)
    let ledger = RecordingLedger(reading: path, from: files).reporting(to: diagnostics)
    let before = RecordingLedger(
      reading: RecordingLedger.path(dataset: place.earlier, backend: place.backend),
      from: base
    )
    // Only a pending set without answers may be missing: closing such a set removes its line.
    let kept = before.sets.filter { $0.state != .pending || $0.exchanges > 0 || $0.askedAgain > 0 }
    let checkout =
      "git checkout \(ShellText.quoted(revision)) -- \(ShellText.quoted(before.path.description))"
    if files.kind(of: path) == .missing, !kept.isEmpty {
      let rejected = kept.count { $0.state == .rejected }
      let sets = TerminalLines.count(kept.count, "set")
      diagnostics.report(
        "\(path)",
        "the ledger is missing; at \(revision) it lists \(sets)"
          + (rejected == 0 ? "" : ", \(rejected) rejected"),
        checkout
      )
      return diagnostics.count - reported
    }
    let known = Set(before.sets.map(\.id))
    let hasOwn = ledger.sets.contains { !known.contains($0.id) }
    for set in kept {
      // The set's line is damaged, which was already reported.
      if ledger.damaged.contains(where: { $0.contains(set.id) }) { continue }
      let now = ledger.sets.filter { $0.id == set.id }
      // Any change to a pending set is allowed, since accepting or rejecting the set changes it.
      if set.state == .pending ? !now.isEmpty : now.contains(where: { $0.continues(set) }) {
        continue
      }
      let line = before.lines[set.id] ?? 1
      diagnostics.report(
        at: SourcePosition(line: line, column: 1),
        "\(revision):\(before.path)",
        "the ledger in the working copy "
          + (now.isEmpty ? "no longer lists this set" : "describes this set differently")
          + ": \(set.state.rawValue), started \(set.started.iso8601), "
          + Self.answers(set.exchanges),
        // Later lines of the ledger must stay.
        ledger.path == before.path && !hasOwn
          ? checkout
          : "git show \(ShellText.quoted("\(revision):./\(before.path)")) | sed -n \(line)p "
            + ">> \(ShellText.quoted(ledger.path.description))"
      )
    }
    return diagnostics.count - reported
  }

  // MARK: Against the recordings

  /// Reports answers that belong to no accepted set, because they were changed, for example, and
  /// answers of accepted sets that are lost.
  ///
  /// An answer may be lost if a later set replaced it, or if the ledger says that it was pruned.
  /// Recordings with the first schema are older than ledgers, so they need no set.
  ///
  /// - Parameters:
  ///   - dataset: The dataset's file.
  ///   - backend: The name of the backend.
  ///   - onlyWithDigests: True to look for answers of no set only if all sets have digests.
  ///   - diagnostics: Collects the errors.
  /// - Returns: The number of errors.
  package func checkAnswers(
    of dataset: ProjectPath,
    _ backend: String,
    onlyWithDigests: Bool = false,
    _ diagnostics: DiagnosticCollector
  ) -> Int {
    let (ledger, file) = read(dataset, backend, files)
    // Stop at damaged lines, since it is unknown which answers they covered.
    if !(ledger.faults + file.faults).isEmpty { return 0 }
    let journal = RecordingFile(
      reading: RecordingFile.pendingPath(dataset: dataset, backend: backend),
      from: files,
      isJournal: true
    )
    let owners = ledger.owners(in: file)
    let accepted = ledger.sets.filter { $0.state == .accepted }
    let requests = Set(accepted.flatMap { $0.lines?.entries ?? [] }.map(SetLines.request))
    let stray = file.slots.filter { slot in
      owners[slot] == nil
        && (!Self.isOlderThanLedgers(file.line(slot))
          || file.entry(slot).map { requests.contains(SetLines.request($0)) } == true)
    }
    // Accepting moves the answers first, and then closes the set.
    let isHalf =
      stray.contains(where: journal.contains)
      && journal.slots.allSatisfy { journal.line($0) == file.line($0) }
    let uncovered = stray.filter { !isHalf || !journal.contains($0) }
    let there = Set(file.slots.compactMap(file.entry).map(SetLines.request))
    // An answer that was replaced before it was pruned is gone, too.
    let pruned = Set(
      ledger.sets.filter { $0.state == .pruned }.flatMap { $0.lines?.entries ?? [] }
        .map(SetLines.request)
    )
    let reported = diagnostics.count
    for set in accepted {
      let lost = (set.lines?.entries ?? []).count {
        !there.contains(SetLines.request($0)) && !pruned.contains(SetLines.request($0))
      }
      if lost == 0 { continue }
      diagnostics.report(
        at: SourcePosition(line: ledger.lines[set.id] ?? 1, column: 1),
        "\(ledger.path)",
        "lost after their set \(set.id) was accepted: \(Self.answers(lost))",
        Self.restored
      )
    }
    if isHalf {
      diagnostics.report(
        "\(file.path)",
        "accepting was interrupted: the answers of the pending set are already here",
        "finish with: sluice recordings accept"
      )
    }
    if let first = uncovered.first, !onlyWithDigests || accepted.allSatisfy({ $0.lines != nil }) {
      reportUncovered(uncovered.count, first, file, ledger, diagnostics)
    }
    return diagnostics.count - reported
  }

  private func reportUncovered(
    _ count: Int,
    _ first: Recording.Slot,
    _ file: RecordingFile,
    _ ledger: RecordingLedger,
    _ diagnostics: DiagnosticCollector
  ) {
    if files.kind(of: ledger.path) == .missing {
      return diagnostics.report(
        "\(ledger.path)",
        "the ledger is missing, but \(TerminalLines.count(count, "recorded answer")) came from one "
          + "of its sets",
        "restore the file from version control, for example: git checkout -- \(ledger.path)"
      )
    }
    let what =
      count == 1
      ? "this recorded answer does not belong to any accepted set of the ledger"
      : "\(count) recorded answers, from this one on, do not belong to any accepted set of the "
        + "ledger"
    diagnostics.report(
      at: Self.place(first, in: file),
      "\(file.path)",
      what,
      "restore \(ledger.path) from version control, or delete the "
        + (count == 1 ? "line and record the answer" : "lines and record the answers") + " again"
    )
  }

  static let restored =
    "restore the recordings and their ledger from version control, or record the answers again"

  static func answers(_ count: Int) -> String { TerminalLines.count(count, "answer") }

  static func place(_ slot: Recording.Slot, in file: RecordingFile) -> SourcePosition {
    SourcePosition(line: file.lineNumber(slot) ?? 1, column: 1)
  }

  static func isOlderThanLedgers(_ line: [UInt8]?) -> Bool {
    line?.starts(with: #"{"schema":1,"#.utf8) == true
  }

  func read(_ dataset: ProjectPath, _ backend: String, _ system: any FileSystem)
    -> (ledger: RecordingLedger, file: RecordingFile)
  {
    (
      RecordingLedger(
        reading: RecordingLedger.path(dataset: dataset, backend: backend),
        from: system
      ),
      RecordingFile(reading: RecordingFile.path(dataset: dataset, backend: backend), from: system)
    )
  }
}

extension DiagnosticCollector {
  func report(at place: SourcePosition? = nil, _ path: String, _ message: String, _ fix: String) {
    report(Diagnostic(path: path, position: place, message: message, fix: fix))
  }
}
