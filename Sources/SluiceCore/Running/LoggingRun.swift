package import SluiceSupport

/// Runs a suite and writes its log while the run goes on, so that no answer's text stays in memory.
package struct LoggingRun: Sendable {
  private let plan: SuitePlan
  /// The log; nil where none is kept.
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

  /// What a run left behind.
  package struct Outcome: Sendable {
    /// The trials in the order of the suite; where there is a log without what it has.
    package var trials: [Trial] = []
    /// The log; nil where none is kept, or it could not be written.
    package var log: FileContents?
    /// Why the log could not be written, if so.
    package var fileError: FileError?
  }

  // MARK: Recorded

  /// Runs on recordings.
  ///
  /// A log that cannot be written stops no run; its trials then lack what it should have held.
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
    // Without a log, or where not even its first byte could be written.
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

  /// The lines of some trials, and what is kept of these.
  private final class LoggedPiece: Sendable {
    let lines: ByteBuffer
    /// With places counted from the start of the piece.
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

  /// Adds the line of a trial.
  ///
  /// - Parameters:
  ///   - judged: The trial.
  ///   - bytes: What is added to.
  ///   - sheets: The scores that are kept.
  ///   - key: Room to work in.
  /// - Returns: What is left of the trial in memory: all but its explanations and its text.
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

  /// Runs against live backends.
  ///
  /// While the run goes on the log is the journal. When the run ends it is written anew, in the order
  /// of the suite; when it is cancelled the journal is left as it is, to be gone on with.
  ///
  /// - Parameters:
  ///   - backends: The backends by name.
  ///   - previous: The log of an earlier run, whose answers are kept where they answer the same.
  ///   - onEvent: Told of each trial as it ends; called from several tasks.
  /// - Returns: What the run left behind.
  package func live(
    _ backends: [String: any Backend],
    goingOnWith previous: FileContents? = nil,
    onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> Outcome {
    let (kept, isBegun) = previous.map(keep) ?? ([:], false)
    if previous != nil { onEvent(.kept(kept.count, of: plan.trialCount)) }
    // Nobody goes on with a log while it is written. Where nothing was kept of an earlier one, whoever
    // took the log's name has the lock already; else the file is a new one.
    let lock = log.flatMap { log in (try? files.lock(log.path)).flatMap { $0 } }
    defer { withExtendedLifetime(lock) {} }
    let journal = log.map { RunJournal($0, files, isBegun: isBegun) }
    let judged = await runner.live(backends, besides: kept, onEvent: onEvent) {
      [sheets] trial in
      guard let journal else { return trial }
      // What was not asked is no part of the run.
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
        // What could not be put in order is still there as it came.
        outcome.fileError = outcome.fileError ?? error
        outcome.log = try? files.open(log.path)
      }
    }
    return outcome
  }

  /// Begins the log with the answers of an earlier one that are kept.
  ///
  /// A kill then leaves either the earlier log as the newest, or one that has all of its answers.
  ///
  /// - Returns: What is kept of them, by their places, and whether the log was begun.
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
      // The disk has no room for them, and the journal will say so; nothing is asked twice for that.
      kept = [:]
      old.forEach { index, trial in kept[index] = trial }
      return (kept, false)
    }
  }

  /// Writes the log in the order of the suite, from the lines of the journal.
  ///
  /// - Returns: The trials with the places of their lines.
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
            throw FileError(path: log.path, reason: "it was cut short while the run went on")
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
