package import SluiceSupport

/// The answers of a dataset through a backend that wait to be accepted or rejected as a whole.
///
/// Recording adds to a journal line by line, so that whatever ends it, what came is kept; accepting
/// puts the set into the committed file, and both leave a line in the ledger. One process at a time:
/// the others are told to wait.
package struct PendingRecordings: Sendable {
  package let dataset: ProjectPath
  package let backend: String
  private let files: any FileSystem

  package init(dataset: ProjectPath, backend: String, files: any FileSystem) {
    self.dataset = dataset
    self.backend = backend
    self.files = files
  }

  /// The backends through which answers of a dataset wait, whatever its suites name.
  package static func backends(of dataset: ProjectPath, in files: any FileSystem) -> [String] {
    let ending = ".jsonl"
    return files.names(in: RecordingFile.pendingPath(dataset: dataset, backend: "any").folder)
      .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
  }

  package var path: ProjectPath {
    RecordingFile.pendingPath(dataset: dataset, backend: backend)
  }
  private var acceptedPath: ProjectPath { RecordingFile.path(dataset: dataset, backend: backend) }
  private var ledgerPath: ProjectPath { RecordingLedger.path(dataset: dataset, backend: backend) }

  /// Whether a set waits.
  package var exists: Bool { files.kind(of: path) == .file }

  /// Why a set cannot be begun, accepted or rejected.
  package enum Refusal: Error, Hashable {
    /// Another process records, accepts or rejects.
    case busy(ProjectPath)
    /// The program was stopped while it accepted the set, whose answers are in the file already.
    case halfAccepted(ProjectPath)
    /// Files are damaged; writing them anew would lose lines.
    case damaged([Diagnostic])
    case file(FileError)
  }

  /// Takes the lock that keeps a second process away.
  ///
  /// - Throws: ``Refusal/busy(_:)`` when another process has it.
  package func lock() throws(Refusal) -> FileLock {
    let words = acceptedPath.description.split(separator: "/").joined(separator: "-")
    let path = ProjectPath("reports/locks/\(words).lock")
    let lock: FileLock?
    do throws(FileError) {
      lock = try files.lock(path)
    } catch {
      throw .file(error)
    }
    guard let lock else { throw .busy(acceptedPath) }
    return lock
  }

  /// The ledger as it stands.
  package func ledger(_ diagnostics: DiagnosticCollector) -> RecordingLedger {
    RecordingLedger(reading: ledgerPath, from: files).reporting(to: diagnostics)
  }

  /// The committed recordings and those that wait, both whole.
  ///
  /// - Throws: ``Refusal/damaged(_:)`` when a line cannot be used.
  private func read() throws(Refusal) -> (
    accepted: RecordingFile, pending: RecordingFile, ledger: RecordingLedger
  ) {
    let diagnostics = DiagnosticCollector()
    let accepted = RecordingFile(reading: acceptedPath, from: files).reporting(to: diagnostics)
    let pending = RecordingFile(
      reading: path,
      from: files,
      isJournal: true
    ).reporting(to: diagnostics)
    let ledger = ledger(diagnostics)
    if diagnostics.hasErrors { throw .damaged(diagnostics.diagnostics) }
    return (accepted, pending, ledger)
  }

  /// The pending answers beside those that they would replace.
  package func review(_ diagnostics: DiagnosticCollector) -> RecordingReview {
    RecordingReview(
      dataset: dataset,
      backend: backend,
      pending: RecordingFile(
        reading: path,
        from: files,
        isJournal: true
      ).reporting(to: diagnostics),
      accepted: RecordingFile(reading: acceptedPath, from: files).reporting(to: diagnostics)
    )
  }

  // MARK: Recording

  /// Writes into the ledger that a set is being recorded, before the first answer of it comes.
  ///
  /// - Parameters:
  ///   - suite: The suite that is recorded.
  ///   - prompts: The names of its prompts.
  ///   - now: When.
  /// - Returns: The set, which goes on when one is pending.
  /// - Throws: Why it cannot be recorded.
  package func begin(suite: String, prompts: [String], now: Timestamp) throws(Refusal)
    -> RecordingSet
  {
    var (_, _, ledger) = try read()
    if var gone = ledger.pending, !exists, gone.exchanges > 0 {
      // Somebody removed its file, which is to reject it.
      (gone.state, gone.closed) = (.rejected, now)
      ledger.update(gone)
    }
    var set =
      ledger.pending ?? RecordingSet(started: now, path: acceptedPath, number: ledger.sets.count)
    if !set.suites.contains(suite) { set.suites.append(suite) }
    for prompt in prompts where !set.prompts.contains(prompt) { set.prompts.append(prompt) }
    ledger.update(set)
    try write(ledger)
    return set
  }

  /// Writes the journal anew, sorted and without what was replaced, and brings the ledger up to date.
  ///
  /// - Parameters:
  ///   - set: The set.
  ///   - askedAgain: How many answers of it were replaced by new ones.
  /// - Throws: Why the files cannot be written.
  package func end(_ set: RecordingSet, askedAgain: Int) throws(Refusal) {
    var (accepted, pending, ledger) = try read()
    var set = set
    set.askedAgain += askedAgain
    count(&set, pending, accepted)
    if pending.count > 0 {
      try write([pending], to: path)
      ledger.update(set)
    } else {
      // Nothing came: there is no set.
      try remove(path)
      ledger = RecordingLedger(
        path: ledger.path,
        sets: ledger.sets.filter { $0.id != set.id || set.askedAgain > 0 }
      )
    }
    try write(ledger)
  }

  private func count(
    _ set: inout RecordingSet,
    _ pending: RecordingFile,
    _ accepted: RecordingFile
  ) {
    set.exchanges = pending.count
    set.replaced = pending.slots.count(where: accepted.contains)
    var seen: Set<Provenance> = []
    set.answeredBy = []
    for slot in pending.slots {
      guard let answer = (try? pending.answer(slot)).flatMap({ $0 }),
        let response = try? ResponseReader.response(
          in: answer.response,
          api: answer.api,
          places: answer.places
        )
      else { continue }
      let provenance = response.provenance.undated
      if seen.insert(provenance).inserted { set.answeredBy.append(provenance) }
    }
  }

  // MARK: Accepting and rejecting

  /// Puts the set into the committed file.
  ///
  /// - Parameter now: When.
  /// - Returns: The set; nil when none waits.
  /// - Throws: Why it cannot be accepted; everything then stands as it stood.
  package func accept(now: Timestamp) throws(Refusal) -> RecordingSet? {
    guard exists else { return nil }
    var (accepted, pending, ledger) = try read()
    if pending.count == 0 {
      // A recorder was killed before the first answer was whole.
      try discard(ledger)
      return nil
    }
    if ledger.pending == nil, isAccepted(pending, accepted),
      let last = ledger.sets.last(where: {
        $0.state == .accepted && $0.exchanges == pending.count
      })
    {
      // It was accepted, and the program stopped before it could say so.
      try remove(path)
      return last
    }
    let set = closing(ledger, pending, accepted, .accepted, now)
    // First what is new, then the end of the set: stopped in between, it is accepted once more.
    try write([pending, accepted], to: acceptedPath)
    ledger.update(set)
    try write(ledger)
    try remove(path)
    return set
  }

  /// Throws the set away; its line in the ledger stays.
  ///
  /// - Parameter now: When.
  /// - Returns: The set; nil when none waits.
  /// - Throws: Why it cannot be rejected; everything then stands as it stood. A set whose answers are
  ///   committed, because accepting it was stopped midway, can only be accepted.
  package func reject(now: Timestamp) throws(Refusal) -> RecordingSet? {
    guard exists else { return nil }
    let diagnostics = DiagnosticCollector()
    // What is damaged may go: it was never accepted.
    let damages = DiagnosticCollector()
    let pending = RecordingFile(
      reading: path,
      from: files,
      isJournal: true
    ).reporting(to: damages)
    let accepted = RecordingFile(reading: acceptedPath, from: files).reporting(to: diagnostics)
    var ledger = ledger(diagnostics)
    if diagnostics.hasErrors { throw .damaged(diagnostics.diagnostics) }
    if pending.count > 0, !damages.hasErrors, isAccepted(pending, accepted) {
      throw .halfAccepted(acceptedPath)
    }
    let set = closing(ledger, pending, accepted, .rejected, now)
    ledger.update(set)
    try write(ledger)
    try remove(path)
    return set
  }

  /// Whether every answer of the set stands in the committed file.
  private func isAccepted(_ pending: RecordingFile, _ accepted: RecordingFile) -> Bool {
    pending.slots.allSatisfy { accepted.line($0) == pending.line($0) }
  }

  /// Takes away a set without any answer, and its line in the ledger.
  private func discard(_ ledger: RecordingLedger) throws(Refusal) {
    try remove(path)
    guard let empty = ledger.pending, empty.askedAgain == 0 else { return }
    try write(RecordingLedger(path: ledger.path, sets: ledger.sets.filter { $0.id != empty.id }))
  }

  private func closing(
    _ ledger: RecordingLedger,
    _ pending: RecordingFile,
    _ accepted: RecordingFile,
    _ state: RecordingSet.State,
    _ now: Timestamp
  ) -> RecordingSet {
    var set =
      ledger.pending ?? RecordingSet(started: now, path: acceptedPath, number: ledger.sets.count)
    // Where accepting was stopped after the answers were written, they are no longer told apart from
    // those that they replaced: what was counted before stands.
    let isWritten = set.exchanges == pending.count && isAccepted(pending, accepted)
    if !isWritten { count(&set, pending, accepted) }
    set.state = state
    set.closed = now
    return set
  }

  // MARK: Files

  private func write(_ layers: [RecordingFile], to path: ProjectPath) throws(Refusal) {
    do throws(FileError) {
      try files.write(to: path) { (sink) throws(FileError) in
        try RecordingFile.write(layers, to: &sink)
      }
    } catch {
      throw .file(error)
    }
  }

  private func write(_ ledger: RecordingLedger) throws(Refusal) {
    do throws(FileError) {
      if ledger.sets.isEmpty { return try files.remove(ledger.path) }
      try files.write(ledger.bytes, to: ledger.path)
    } catch {
      throw .file(error)
    }
  }

  private func remove(_ path: ProjectPath) throws(Refusal) {
    do throws(FileError) {
      try files.remove(path)
    } catch {
      throw .file(error)
    }
  }
}
