import SluiceReporting

/// The search for sets of recordings that are missing from ledgers.
///
/// It compares the ledgers with the ledgers of a git revision, or with the recorded answers.
package struct LedgerAudit: Sendable {
  private let files: any FileSystem

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

    package init(dataset: ProjectPath, earlier: ProjectPath, backend: String) {
      self.dataset = dataset
      self.earlier = earlier
      self.backend = backend
    }
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
    let found = DiagnosticCollector()
    let path = RecordingLedger.path(dataset: place.dataset, backend: place.backend)
    let ledger = RecordingLedger(reading: path, from: files).reporting(to: found)
    let before = RecordingLedger(
      reading: RecordingLedger.path(dataset: place.earlier, backend: place.backend),
      from: base
    )
    let kept = before.sets.filter(Self.isLasting)
    if files.kind(of: path) == .missing, !kept.isEmpty {
      found.report(
        Diagnostic(
          path: path.description,
          message: "the ledger is missing; at \(revision) it lists \(Self.count(kept))",
          fix: "git checkout \(ShellText.quoted(revision)) -- "
            + ShellText.quoted(before.path.description)
        )
      )
    } else {
      let now = Dictionary(ledger.sets.map { ($0.id, $0) }) { first, _ in first }
      for set in kept {
        // The set's line is damaged, which was already reported.
        if ledger.damaged.contains(where: { $0.contains(set.id) }) { continue }
        guard let problem = Self.problem(set, now[set.id]) else { continue }
        let line = before.lines[set.id] ?? 1
        found.report(
          Diagnostic(
            path: "\(revision):\(before.path)",
            position: SourcePosition(line: line, column: 1),
            message: "\(problem): \(Self.text(set))",
            fix: Self.restoring(line, before, ledger, revision)
          )
        )
      }
    }
    for diagnostic in found.diagnostics { diagnostics.report(diagnostic) }
    return found.diagnostics.count
  }

  /// Returns true if a set must stay in its ledger.
  ///
  /// Only a pending set without answers may be missing: closing such a set removes its line.
  private static func isLasting(_ set: RecordingSet) -> Bool {
    set.state != .pending || set.exchanges > 0 || set.askedAgain > 0
  }

  /// Returns an error if a set is missing or was edited, or else `nil`.
  ///
  /// Any change to a pending set is allowed, since accepting or rejecting the set changes it.
  private static func problem(_ before: RecordingSet, _ now: RecordingSet?) -> String? {
    guard let now else { return "the ledger in the working copy no longer lists this set" }
    return before.state == .pending || now == before
      ? nil : "the ledger in the working copy describes this set differently"
  }

  /// Returns the command that restores a line of the ledger and keeps later lines.
  private static func restoring(
    _ line: Int,
    _ before: RecordingLedger,
    _ ledger: RecordingLedger,
    _ revision: String
  ) -> String {
    let known = Set(before.sets.map(\.id))
    let own = ledger.sets.contains { !known.contains($0.id) }
    let path = ShellText.quoted(before.path.description)
    if ledger.path == before.path, !own {
      return "git checkout \(ShellText.quoted(revision)) -- \(path)"
    }
    return "git show \(ShellText.quoted("\(revision):./\(before.path)")) | sed -n \(line)p "
      + ">> \(ShellText.quoted(ledger.path.description))"
  }

  private static func text(_ set: RecordingSet) -> String {
    "\(set.state.rawValue), started \(set.started.iso8601), "
      + TerminalLines.count(set.exchanges, "answer")
  }

  private static func count(_ sets: [RecordingSet]) -> String {
    let rejected = sets.count { $0.state == .rejected }
    return TerminalLines.count(sets.count, "set") + (rejected == 0 ? "" : ", \(rejected) rejected")
  }

  // MARK: Against the recordings

  /// Reports committed answers that belong to no accepted set of their ledger.
  ///
  /// An answer belongs to a set if the suite is the same and if it was recorded while the set was
  /// open. Prompts are not compared: a judge's verdict is recorded like an answer, but with the
  /// judge's prompt. Recordings with the first schema are ignored, since they are older than
  /// ledgers.
  ///
  /// - Parameters:
  ///   - dataset: The dataset's file.
  ///   - backend: The name of the backend.
  ///   - diagnostics: Collects the errors.
  package func checkCover(
    of dataset: ProjectPath,
    _ backend: String,
    _ diagnostics: DiagnosticCollector
  ) {
    let faults = DiagnosticCollector()
    let path = RecordingLedger.path(dataset: dataset, backend: backend)
    let ledger = RecordingLedger(reading: path, from: files).reporting(to: faults)
    // Stop at damaged lines, since it is unknown which answers they covered.
    if faults.hasErrors { return }
    let file = RecordingFile(
      reading: RecordingFile.path(dataset: dataset, backend: backend),
      from: files
    ).reporting(to: faults)
    let accepted = ledger.sets.filter { $0.state == .accepted }
    let uncovered = file.slots.filter { slot in
      guard !Self.isOlderThanLedgers(file.line(slot)),
        let recording = (try? file.recording(slot)).flatMap({ $0 })
      else { return false }
      let date = recording.exchange.response.date.seconds
      return !accepted.contains { set in
        set.started.seconds <= date && date <= (set.closed?.seconds ?? .max)
          && set.suites.contains(recording.hints.suite)
      }
    }
    guard let first = uncovered.first else { return }
    if files.kind(of: path) == .missing {
      diagnostics.report(
        Diagnostic(
          path: path.description,
          message: "the ledger is missing, but "
            + "\(TerminalLines.count(uncovered.count, "recorded answer")) came from one of its "
            + "sets",
          fix: "restore the file from version control, for example: git checkout -- \(path)"
        )
      )
      return
    }
    let what =
      uncovered.count == 1
      ? "this recorded answer does not belong to any accepted set of the ledger"
      : "\(uncovered.count) recorded answers, from this one on, do not belong to any accepted set "
        + "of the ledger"
    diagnostics.report(
      Diagnostic(
        path: file.path.description,
        position: SourcePosition(line: file.lineNumber(first) ?? 1, column: 1),
        message: what,
        fix: "restore \(path) from version control, or delete the "
          + (uncovered.count == 1 ? "line and record the answer" : "lines and record the answers")
          + " again"
      )
    )
  }

  private static func isOlderThanLedgers(_ line: [UInt8]?) -> Bool {
    line?.starts(with: #"{"schema":1,"#.utf8) == true
  }
}
