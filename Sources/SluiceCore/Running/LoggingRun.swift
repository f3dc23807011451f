package import SluiceSupport

/// A run of a suite that writes its log as it goes, so that the texts of answers need not stay in
/// memory.
package struct LoggingRun: Sendable {
  private let plan: SuitePlan
  /// The log; nil if no log is written.
  private let log: RunLog?
  private let files: any FileSystem
  private let sheets = ScoreSheets()
  private let runner: Runner

  package init(
    _ plan: SuitePlan,
    _ log: RunLog?,
    _ files: any FileSystem,
    runner: Runner? = nil
  ) {
    self.plan = plan
    self.log = log
    self.files = files
    self.runner = runner ?? Runner(plan)
  }

  /// The results of a run.
  package struct Outcome: Sendable {
    /// The trials, in suite order.
    ///
    /// If there is a log, the trials lack the parts that only the log stores.
    package var trials: [Trial] = []
    /// The log; nil if no log is written, or if writing failed.
    package var log: FileContents?
    /// The error that occurred while the log was written, if any.
    package var fileError: FileError?
  }

  // MARK: Recorded

  /// Runs the suite on recordings.
  ///
  /// If the log cannot be written, the run continues. The trials then lack the parts that only the
  /// log would store.
  package func replay(
    _ recordings: [String: RecordingStore],
    notBefore: Timestamp?,
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void
  ) -> Outcome {
    var outcome = Outcome()
    outcome.trials.reserveCapacity(plan.trialCount)
    let done = Locked(0)
    @Sendable func advance(_ count: Int) {
      let done = done.withLock { done in
        done += count
        return done
      }
      onEvent(.advanced(done: done, of: plan.trialCount))
    }
    if let log {
      do throws(FileError) {
        try files.write(to: log.path) { (sink) throws(FileError) in
          var failure: FileError?
          var start = log.header.count
          sink.buffer += log.header
          runner.replay(recordings, notBefore: notBefore, concurrency: concurrency) {
            range,
            judged in
            defer { advance(range.count) }
            return LoggedPiece(range, sheets, judged)
          } take: { piece in
            for trial in piece.trials { trial.movePlace(by: start) }
            outcome.trials += piece.trials
            start += piece.lines.count
            if failure != nil { return }
            sink.buffer.append(piece.lines.bytes)
            do throws(FileError) {
              try sink.spill()
            } catch {
              failure = error
            }
          }
          if let failure { throw failure }
          sink.buffer += RunLog.footer(outcome.trials)
        }
        outcome.log = try files.open(log.path)
      } catch {
        outcome.fileError = error
      }
    }
    // Covers runs without a log, and logs that could not even be started.
    if outcome.trials.isEmpty {
      runner.replay(recordings, notBefore: notBefore, concurrency: concurrency) { range, judged in
        defer { advance(range.count) }
        return range.map { judged($0).trial }
      } take: { trials in
        outcome.trials += trials
      }
    }
    return outcome
  }

  /// The log lines of some trials, and the parts of these trials that stay in memory.
  private final class LoggedPiece: Sendable {
    let lines: ByteBuffer
    /// The trials.
    ///
    /// Their offsets are relative to the start of the piece.
    let trials: [Trial]

    init(_ range: Range<Int>, _ sheets: ScoreSheets, _ judged: (Int) -> JudgedTrial) {
      var trials: [Trial] = []
      trials.reserveCapacity(range.count)
      var lines = ByteBuffer(capacity: range.count * 1_280)
      var key: [UInt8] = []
      for index in range {
        let judged = judged(index)
        judged.trial.become(LoggingRun.append(judged, to: &lines, sheets, &key))
        trials.append(judged.trial)
      }
      self.lines = lines
      self.trials = trials
    }
  }

  /// Appends the line of a trial.
  ///
  /// - Parameters:
  ///   - judged: The trial.
  ///   - bytes: The buffer to append to.
  ///   - sheets: The shared scores.
  ///   - key: A scratch buffer.
  /// - Returns: The part of the trial that stays in memory, which has no explanations and no text.
  private static func append(
    _ judged: JudgedTrial,
    to bytes: inout ByteBuffer,
    _ sheets: ScoreSheets,
    _ key: inout [UInt8]
  ) -> Trial.Remainder {
    key.removeAll(keepingCapacity: true)
    let place = RunLog.append(judged, to: &bytes, key: &key)
    let sheet = sheets.unexplained(judged.trial.sheet.scores, key: key)
    return Trial.Remainder(sheet: sheet, place: place)
  }

  // MARK: Live

  /// Runs the suite against live backends.
  ///
  /// During the run, the log is a journal. When the run ends, the log is rewritten in suite order.
  /// If the run is cancelled, the journal stays as it is, so that the run can be resumed.
  ///
  /// - Parameters:
  ///   - backends: The backends by name.
  ///   - previous: The log of an earlier run. Valid answers in this log are reused.
  ///   - onEvent: Receives each trial when it ends. It is called from several tasks.
  /// - Returns: The results of the run.
  package func live(
    _ backends: [String: any Backend],
    goingOnWith previous: FileContents? = nil,
    onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> Outcome {
    let (kept, isBegun) = previous.map(keep) ?? ([:], false)
    if previous != nil { onEvent(.kept(kept.count, of: plan.trialCount)) }
    // The lock keeps other processes from resuming from a log that is still being written. If there
    // is an earlier log, `keep` has created a new file, which is not locked yet. If there is no
    // earlier log, the caller that reserved the name still holds the lock, and this attempt returns
    // nil.
    let lock = log.flatMap { log in (try? files.lock(log.path)).flatMap { $0 } }
    defer { withExtendedLifetime(lock) {} }
    let journal = log.map { RunJournal($0, files, isBegun: isBegun) }
    let judged = await runner.live(backends, besides: kept, onEvent: onEvent) {
      [sheets] trial in
      guard let journal else { return trial }
      // Trials whose requests were not sent do not belong to the run.
      if trial.trial.wasCancelled { return trial }
      var line = ByteBuffer(capacity: 2_048)
      var key: [UInt8] = []
      var remainder = Self.append(trial, to: &line, sheets, &key)
      guard let start = journal.append(Array(line.units)) else { return trial }
      remainder.place.start = start
      return JudgedTrial(trial: trial.trial.reduced(to: remainder), variables: .null)
    }
    var outcome = Outcome(trials: judged.map(\.trial))
    journal?.sync()
    outcome.fileError = journal?.failure
    if Task.isCancelled {
      outcome.log = log.flatMap { try? files.open($0.path) }
      return outcome
    }
    if let log {
      do throws(FileError) {
        outcome.trials = try rewrite(log, judged)
        outcome.log = try files.open(log.path)
      } catch {
        // A log that could not be rewritten is still in the order of the journal.
        outcome.fileError = outcome.fileError ?? error
        outcome.log = try? files.open(log.path)
      }
    }
    return outcome
  }

  /// Starts the log with the answers that are kept from an earlier log.
  ///
  /// If the program is killed while this method runs, the newest log still contains all earlier
  /// answers.
  ///
  /// - Returns: The kept trials by index, and a Boolean value that is true if the log was started.
  private func keep(_ previous: FileContents) -> (kept: [Int: JudgedTrial], isBegun: Bool) {
    let old = KeptTrials(previous, for: plan)
    var kept: [Int: JudgedTrial] = [:]
    guard let log else {
      old.forEach { index, trial in kept[index] = trial }
      return (kept, false)
    }
    do throws(FileError) {
      try files.write(to: log.path) { (sink) throws(FileError) in
        sink.buffer += log.header
        var start = sink.buffer.count
        var key: [UInt8] = []
        try old.forEach { (index, trial) throws(FileError) in
          var remainder = Self.append(trial, to: &sink.buffer, sheets, &key)
          remainder.place.start = start
          start += Int(remainder.place.length) + 1
          try sink.spill()
          kept[index] = JudgedTrial(trial: trial.trial.reduced(to: remainder), variables: .null)
        }
      }
      return (kept, true)
    } catch {
      // The log cannot be written, which the journal will report. The earlier answers are still
      // kept, so that no request is sent twice.
      kept = [:]
      old.forEach { index, trial in kept[index] = trial }
      return (kept, false)
    }
  }

  /// Rewrites the log in suite order from the lines of the journal.
  ///
  /// - Returns: The trials, with the offsets of their lines in the new log.
  private func rewrite(_ log: RunLog, _ judged: [JudgedTrial]) throws(FileError) -> [Trial] {
    let journal = try files.open(log.path)
    var trials: [Trial] = []
    trials.reserveCapacity(judged.count)
    var key: [UInt8] = []
    try files.write(to: log.path) { (sink) throws(FileError) in
      sink.buffer += log.header
      var start = sink.buffer.count
      for entry in judged {
        var remainder: Trial.Remainder
        if let place = entry.trial.place {
          let end = place.start + Int(place.length) + 1
          let line = journal.bytes(place.start..<end)
          guard line.count == end - place.start else {
            throw FileError(path: log.path, reason: "the file became shorter during the run")
          }
          sink.buffer += line
          remainder = Trial.Remainder(sheet: entry.trial.sheet, place: place)
        } else {
          remainder = Self.append(entry, to: &sink.buffer, sheets, &key)
        }
        remainder.place.start = start
        start += Int(remainder.place.length) + 1
        trials.append(entry.trial.reduced(to: remainder))
        try sink.spill()
      }
      sink.buffer += RunLog.footer(trials)
    }
    return trials
  }
}
