package import SluiceSupport

/// A pending set: the answers of one backend for a dataset, to be accepted or rejected together.
///
/// Recording appends the answers to a journal, line by line. If recording is interrupted, the
/// answers received so far are kept. Accepting moves the set into the committed file. Accepting and
/// rejecting both leave a line in the ledger. A lock ensures that only one process works on the set
/// at a time.
package struct PendingRecordings: Sendable {
  package let dataset: ProjectPath
  package let backend: String
  private let files: any FileSystem

  package init(dataset: ProjectPath, backend: String, files: any FileSystem) {
    self.dataset = dataset
    self.backend = backend
    self.files = files
  }

  /// Returns the backends that have pending answers or a ledger for a dataset, including backends
  /// that no suite names.
  package static func backends(of dataset: ProjectPath, in files: any FileSystem) -> [String] {
    let ending = ".jsonl"
    let folders = [RecordingFile.pendingPath, RecordingLedger.path].map {
      $0(dataset, "any").folder
    }
    return folders.flatMap(files.names)
      .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
  }

  package var path: ProjectPath {
    RecordingFile.pendingPath(dataset: dataset, backend: backend)
  }
  private var acceptedPath: ProjectPath { RecordingFile.path(dataset: dataset, backend: backend) }
  private var ledgerPath: ProjectPath { RecordingLedger.path(dataset: dataset, backend: backend) }

  /// True if there is a pending set.
  package var exists: Bool { files.kind(of: path) == .file }

  /// The reason why a set cannot be started, accepted or rejected.
  package enum Refusal: Error, Hashable {
    /// Another process is recording, accepting or rejecting.
    ///
    /// The value is the path of the accepted recordings.
    case busy(ProjectPath)
    /// The program was stopped while it accepted the set.
    ///
    /// The answers are already in the file of accepted recordings, whose path is the value.
    case halfAccepted(ProjectPath)
    /// Files are damaged. Rewriting these files would lose lines.
    case damaged([Diagnostic])
    case file(FileError)
  }

  /// Takes the lock that keeps other processes out.
  ///
  /// - Throws: ``Refusal/busy(_:)`` if another process holds the lock.
  package func lock() throws(Refusal) -> FileLock {
    let words = acceptedPath.description.split(separator: "/").joined(separator: "-")
    let path = ProjectPath("reports/locks/\(words).lock")
    let lock = try onFiles { (files) throws(FileError) in try files.lock(path) }
    guard let lock else { throw .busy(acceptedPath) }
    return lock
  }

  /// Reads the ledger.
  package func ledger(_ diagnostics: DiagnosticCollector) -> RecordingLedger {
    RecordingLedger(reading: ledgerPath, from: files).reporting(to: diagnostics)
  }

  /// Reads the committed and the pending recordings, and the ledger.
  ///
  /// None of these files may be damaged.
  ///
  /// - Throws: ``Refusal/damaged(_:)`` if a line cannot be used.
  private func read() throws(Refusal) -> (
    accepted: RecordingFile, pending: RecordingFile, ledger: RecordingLedger
  ) {
    let diagnostics = DiagnosticCollector()
    let (accepted, pending) = (accepted(diagnostics), pending(diagnostics))
    let ledger = ledger(diagnostics)
    if diagnostics.hasErrors { throw .damaged(diagnostics.diagnostics) }
    return (accepted, pending, ledger)
  }

  private func accepted(_ diagnostics: DiagnosticCollector) -> RecordingFile {
    RecordingFile(reading: acceptedPath, from: files).reporting(to: diagnostics)
  }

  private func pending(_ diagnostics: DiagnosticCollector) -> RecordingFile {
    RecordingFile(reading: path, from: files, isJournal: true).reporting(to: diagnostics)
  }

  /// Returns the pending answers, together with the accepted answers that they would replace.
  package func review(_ diagnostics: DiagnosticCollector) -> RecordingReview {
    RecordingReview(
      dataset: dataset,
      backend: backend,
      pending: pending(diagnostics),
      accepted: accepted(diagnostics)
    )
  }

  // MARK: Recording

  /// Records the start of a set in the ledger, before the set's first answer arrives.
  ///
  /// - Parameters:
  ///   - suite: The suite to record.
  ///   - prompts: The names of the suite's prompts.
  ///   - now: The current time.
  /// - Returns: The pending set, or a new set if none is pending.
  /// - Throws: ``Refusal`` if the start cannot be recorded.
  package func begin(suite: String, prompts: [String], now: Timestamp) throws(Refusal)
    -> RecordingSet
  {
    var (accepted, pending, ledger) = try read()
    _ = try finish(pending, accepted, &ledger)
    _ = closeLost(&ledger, now)
    var set =
      ledger.pending ?? RecordingSet(started: now, path: acceptedPath, number: ledger.sets.count)
    if !set.suites.contains(suite) { set.suites.append(suite) }
    for prompt in prompts where !set.prompts.contains(prompt) { set.prompts.append(prompt) }
    ledger.update(set)
    try write(ledger)
    return set
  }

  /// Sorts the journal, removes replaced answers from it, and updates the ledger.
  ///
  /// - Parameters:
  ///   - set: The set.
  ///   - askedAgain: The number of the set's answers that new answers replaced.
  /// - Throws: ``Refusal`` if the files cannot be written.
  package func end(_ set: RecordingSet, askedAgain: Int) throws(Refusal) {
    var (accepted, pending, ledger) = try read()
    var set = set
    set.askedAgain += askedAgain
    count(&set, pending, accepted)
    if pending.count > 0 {
      try write([pending], to: path)
      ledger.update(set)
    } else {
      // A set without answers is removed. If answers were requested again, its line stays in the
      // ledger.
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
    set.answeredBy = pending.origins(of: pending.slots)
  }

  // MARK: Accepting and rejecting

  /// Moves the set into the committed file.
  ///
  /// - Parameter now: The current time.
  /// - Returns: The set; nil if no set is pending.
  /// - Throws: ``Refusal`` if the set cannot be accepted. Nothing is changed then.
  package func accept(now: Timestamp) throws(Refusal) -> RecordingSet? {
    guard exists else { return nil }
    var (accepted, pending, ledger) = try read()
    if pending.count == 0 {
      // The program was killed while recording, before the first answer was complete.
      try discard(ledger)
      return nil
    }
    if let set = try finish(pending, accepted, &ledger) { return set }
    let missing = (ledger.pending?.exchanges ?? 0) - pending.count
    if missing > 0 {
      throw .damaged([
        Diagnostic(
          path: path.description,
          message:
            "\(missing) of \(missing + pending.count) answers of the pending set are missing; a "
            + "set is accepted as a whole",
          fix: "restore the file, record the missing answers, or discard the set: sluice "
            + "recordings reject"
        )
      ])
    }
    var set = closing(ledger, pending, accepted, .accepted, now)
    set.lines = SetLines(of: pending.slots, in: pending)
    // Writes the answers before closing the set. If this is interrupted, accepting is simply
    // repeated.
    try write([pending, accepted], to: acceptedPath)
    ledger.update(set)
    try write(ledger)
    try remove(path)
    return set
  }

  /// Discards the answers of the set.
  ///
  /// The line of the set stays in the ledger.
  ///
  /// - Parameter now: The current time.
  /// - Returns: The set; nil if no set is pending.
  /// - Throws: ``Refusal`` if the set cannot be rejected. Nothing is changed then. If accepting a
  ///   set was interrupted after its answers were moved, the set can only be accepted.
  package func reject(now: Timestamp) throws(Refusal) -> RecordingSet? {
    let diagnostics = DiagnosticCollector()
    if !exists {
      var ledger = ledger(diagnostics)
      if diagnostics.hasErrors { throw .damaged(diagnostics.diagnostics) }
      guard let lost = closeLost(&ledger, now) else { return nil }
      try write(ledger)
      return lost
    }
    // Damaged lines may be discarded, since their answers were never accepted.
    let damages = DiagnosticCollector()
    let (pending, accepted) = (pending(damages), accepted(diagnostics))
    var ledger = ledger(diagnostics)
    if diagnostics.hasErrors { throw .damaged(diagnostics.diagnostics) }
    if pending.count > 0, !damages.hasErrors, isAccepted(pending, accepted) {
      throw .halfAccepted(acceptedPath)
    }
    let set = closing(ledger, pending, accepted, .rejected, now)
    ledger.update(set)
    // Removes the answers first. If this is interrupted, the set counts as rejected.
    try remove(path)
    try write(ledger)
    return set
  }

  /// Rejects the set in the ledger if its answers were removed; returns `nil` if it has answers.
  private func closeLost(_ ledger: inout RecordingLedger, _ now: Timestamp) -> RecordingSet? {
    guard var lost = ledger.pending, !exists, lost.exchanges > 0 else { return nil }
    (lost.state, lost.closed) = (.rejected, now)
    ledger.update(lost)
    return lost
  }

  /// Removes the journal if the program stopped after it accepted the set.
  ///
  /// Returns the set; nil if the answers were not accepted.
  private func finish(
    _ pending: RecordingFile,
    _ accepted: RecordingFile,
    _ ledger: inout RecordingLedger
  ) throws(Refusal) -> RecordingSet? {
    guard pending.count > 0, ledger.pending == nil, isAccepted(pending, accepted) else {
      return nil
    }
    let lines = SetLines(of: pending.slots, in: pending)
    let last = ledger.sets.last {
      $0.state == .accepted && $0.exchanges == pending.count && $0.lines ?? lines == lines
    }
    guard var set = last else { return nil }
    if set.lines == nil {
      set.lines = lines
      ledger.update(set)
      try write(ledger)
    }
    try remove(path)
    return set
  }

  /// True if the program stopped after it moved the answers of the set to the accepted file, before
  /// it closed the set.
  package var isHalfAccepted: Bool {
    guard exists, let (accepted, pending, ledger) = try? read() else { return false }
    return ledger.pending != nil && pending.count > 0 && isAccepted(pending, accepted)
  }

  /// Returns true if the committed file contains every answer of the set.
  private func isAccepted(_ pending: RecordingFile, _ accepted: RecordingFile) -> Bool {
    pending.slots.allSatisfy { accepted.line($0) == pending.line($0) }
  }

  /// Discards a set without answers.
  ///
  /// Also removes the line of the set from the ledger.
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
    // If accepting was interrupted after the answers were written, the replaced answers can no
    // longer be counted. So the earlier counts are kept.
    let isWritten = set.exchanges == pending.count && isAccepted(pending, accepted)
    if !isWritten { count(&set, pending, accepted) }
    set.state = state
    set.closed = now
    return set
  }

  // MARK: Files

  private func write(_ layers: [RecordingFile], to path: ProjectPath) throws(Refusal) {
    try onFiles { (files) throws(FileError) in
      try files.write(to: path) { (sink) throws(FileError) in
        try RecordingFile.write(layers, to: &sink)
      }
    }
  }

  private func write(_ ledger: RecordingLedger) throws(Refusal) {
    if ledger.sets.isEmpty { return try remove(ledger.path) }
    try onFiles { (files) throws(FileError) in try files.write(ledger.bytes, to: ledger.path) }
  }

  private func remove(_ path: ProjectPath) throws(Refusal) {
    try onFiles { (files) throws(FileError) in try files.remove(path) }
  }

  private func onFiles<Result>(_ work: (any FileSystem) throws(FileError) -> Result)
    throws(Refusal) -> Result
  {
    do throws(FileError) {
      return try work(files)
    } catch {
      throw .file(error)
    }
  }
}
