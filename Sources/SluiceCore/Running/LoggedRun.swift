package import SluiceSupport

/// A run that was read from its log or from a baseline.
package struct LoggedRun: Sendable {
  /// A version of a prompt, as a file names it.
  package struct PromptVersion: Hashable, Sendable {
    package var name: String
    package var digest: String

    package init(name: String, digest: String) {
      self.name = name
      self.digest = digest
    }
  }

  package var suite: String
  /// True if the answers came from live backends.
  package var isLive: Bool
  /// The start time; nil for a baseline, which contains no start time.
  package var started: Timestamp?
  package var prompts: [PromptVersion]
  /// The names of the prompts that were only tried out and are not the suite's own.
  package var tried: Set<String>
  package var backends: [String]
  /// The outputs files, by the name of the backend that answers from the file.
  package var outputs: [String: OutputsSource]
  /// The digests of the suite's scorers, by name.
  package var scorers: [String: String]
  package var trials: [Trial]
  /// The part of the suite's cases that ran; nil if all cases ran.
  package var filtered: FilteredCases?
  /// True if the run ended.
  ///
  /// A log without a footer is incomplete.
  package var isComplete: Bool

  /// The reason why a file cannot be read as a log, with the line number.
  package struct Problem: Error, Hashable {
    package var line: Int
    package var message: String

    package init(line: Int, message: String) {
      self.line = line
      self.message = message
    }
  }

  /// Reads the lines of a run log or of a baseline.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - kind: The value of `kind` that the first line must have: `header` or `baseline`.
  /// - Throws: ``Problem`` for the first error.
  package init(reading file: FileContents, kind: String) throws(Problem) {
    var reading = Reading(kind)
    try file.forEachLine { (line, start) throws(Problem) in
      try reading.take(
        line.assumingMemoryBound(to: UInt8.self),
        isEnded: start + line.count < file.count
      )
    }
    self = try reading.whole()
  }

  /// Reads the lines of a run log or a baseline in memory.
  ///
  /// - Throws: ``Problem`` for the first error.
  package init(reading bytes: [UInt8], kind: String) throws(Problem) {
    try self.init(reading: FileContents(bytes), kind: kind)
  }

  /// Creates the run that a first line describes, without its trials.
  private init(_ header: TrialLines.Line, _ kind: String, _ what: String) throws(Problem) {
    guard header["kind"]?.string == kind, let suite = header["suite"]?.string else {
      throw Problem(line: 1, message: "the first line is not the header of \(what)")
    }
    guard header["schema"]?.integer == RunLog.schema else {
      throw Problem(
        line: 1,
        message: "this version reads only schema \(RunLog.schema) of \(what)"
      )
    }
    self.suite = suite
    isLive = header["mode"]?.string == RunLog.Mode.live.rawValue
    started = header["started"]?.string.flatMap(Timestamp.init(iso8601:))
    prompts = (header["prompts"]?.array ?? []).compactMap { prompt in
      prompt["name"]?.string.map {
        PromptVersion(name: $0, digest: prompt["digest"]?.string ?? "")
      }
    }
    tried = Set((header["tried"]?.array ?? []).compactMap(\.string))
    backends = (header["backends"]?.array ?? []).compactMap(\.string)
    outputs = [:]
    for member in header["outputs"]?.object?.members ?? [] {
      outputs[member.name] = OutputsSource(json: member.value)
    }
    scorers = [:]
    for scorer in header["scorers"]?.array ?? [] {
      if let name = scorer["name"]?.string { scorers[name] = scorer["digest"]?.string }
    }
    trials = []
    filtered = header["filter"].flatMap(FilteredCases.init)
    isComplete = false
  }

  /// The state that is kept while the lines of a log are read.
  private struct Reading {
    private let kind: String
    private let what: String
    private var lines = TrialLines()
    private var seen = SeenTrials()
    private var run: LoggedRun?
    /// The number of lines read so far.
    private var count = 0
    /// True if the last line read so far ended with a line break.
    private var isEnded = true
    /// The number of trials that the file states.
    ///
    /// A baseline states it in the first line, and a log in the last line.
    private var expected: Int?

    init(_ kind: String) {
      self.kind = kind
      what = kind == RunLog.kind ? "a run log" : "a baseline"
    }

    mutating func take(_ text: UnsafeBufferPointer<UInt8>, isEnded: Bool) throws(Problem) {
      count += 1
      self.isEnded = isEnded
      // The last line of a run that was killed may be truncated.
      if count > 1, text.isEmpty || kind == RunLog.kind && !isEnded { return }
      var line: TrialLines.Line
      do throws(JSONSyntaxError) {
        line = try lines.line(text)
      } catch {
        throw Problem(line: count, message: "the line is not valid JSON: \(error.message)")
      }
      guard var run = self.run.take() else {
        self.run = try LoggedRun(line, kind, what)
        expected = line["trials"]?.integer
        return
      }
      defer { self.run = run }
      if kind == Baseline.kind {
        Baseline.complete(&line.json, prompt: run.prompts.first?.name, backend: run.backends.first)
      }
      if line["kind"]?.string == "footer" {
        run.isComplete = true
        expected = line["trials"]?.integer
        return
      }
      guard let trial = lines.trial(line) else {
        throw Problem(line: count, message: "the line is not a trial")
      }
      guard seen.insert(trial) else {
        throw Problem(
          line: count,
          message: "the case '\(trial.caseID)' appears a second time"
        )
      }
      run.trials.append(trial)
    }

    /// Returns the run, after all lines were read.
    func whole() throws(Problem) -> LoggedRun {
      guard let run else {
        throw Problem(
          line: 1,
          message: "the file is empty, so it is not \(what)"
        )
      }
      if let expected, expected != run.trials.count {
        throw Problem(
          line: count + (isEnded ? 1 : 0),
          message: "number of trials in \(what): expected \(expected), got \(run.trials.count)"
        )
      }
      return run
    }
  }
}

/// The trials read so far from a file, kept to detect duplicates.
private struct SeenTrials {
  private var taken: Set<Identity> = []
  private var last: Trial?
  /// The trials so far, as long as they are sorted; nil after a trial that is out of order.
  ///
  /// The trials of a baseline are sorted by case id and repeat. As long as trials are sorted, there
  /// are no duplicates.
  private var rising: [Trial]? = []

  private struct Identity: Hashable {
    var column: Column
    var caseID: String
    var repetition: Int

    init(_ trial: Trial) {
      column = trial.facts.column
      caseID = trial.caseID
      repetition = trial.repetition
    }
  }

  /// Adds a trial; returns false if it is a duplicate.
  mutating func insert(_ trial: Trial) -> Bool {
    if rising != nil {
      guard let last else {
        last = trial
        rising?.append(trial)
        return true
      }
      if last.facts.column == trial.facts.column,
        (last.caseID, last.repetition) < (trial.caseID, trial.repetition)
      {
        self.last = trial
        rising?.append(trial)
        return true
      }
      taken = Set((rising ?? []).map(Identity.init))
      rising = nil
    }
    return taken.insert(Identity(trial)).inserted
  }
}
