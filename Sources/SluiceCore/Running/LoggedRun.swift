package import SluiceSupport

/// A run as its log, or a baseline, tells it.
package struct LoggedRun: Sendable {
  /// A prompt's version, as a file names it.
  package struct PromptVersion: Hashable, Sendable {
    package var name: String
    package var digest: String

    package init(name: String, digest: String) {
      self.name = name
      self.digest = digest
    }
  }

  package var suite: String
  /// Whether the answers came live.
  package var isLive: Bool
  /// When the run began; nil where the file does not say it, as baselines never do.
  package var started: Timestamp?
  package var prompts: [PromptVersion]
  /// The names of those that were tried, and are not the suite's own prompt.
  package var tried: Set<String>
  package var backends: [String]
  /// The digests of the suite's scorers, by name.
  package var scorers: [String: String]
  package var trials: [Trial]
  /// Whether the run ended: a log without its footer was cut off.
  package var isComplete: Bool

  /// Why a file is no log that can be read, and in which line.
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
  ///   - bytes: The file.
  ///   - kind: What its first line must say that it is: `header` or `baseline`.
  /// - Throws: The first thing that is wrong with it.
  package init(reading bytes: [UInt8], kind: String) throws(Problem) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    var reader = TrialLines()
    func line(_ index: Int) throws(Problem) -> TrialLines.Line {
      let line = lines[index].withUnsafeBufferPointer { text in
        Result { () throws(JSONSyntaxError) in try reader.line(text) }
      }
      do throws(JSONSyntaxError) {
        return try line.get()
      } catch {
        throw Problem(line: index + 1, message: "not a line of JSON: \(error.message)")
      }
    }
    let what = kind == RunLog.kind ? "a run log" : "a baseline"
    guard !bytes.isEmpty else { throw Problem(line: 1, message: "an empty file is not \(what)") }
    let header = try line(0)
    guard header["kind"]?.string == kind, let suite = header["suite"]?.string else {
      throw Problem(line: 1, message: "the first line is not the header of \(what)")
    }
    guard header["schema"]?.integer == RunLog.schema else {
      throw Problem(
        line: 1,
        message: "\(what) of another version: this one reads schema \(RunLog.schema)"
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
    scorers = [:]
    for scorer in header["scorers"]?.array ?? [] {
      if let name = scorer["name"]?.string { scorers[name] = scorer["digest"]?.string }
    }
    trials = []
    isComplete = false
    // A baseline says in its first line how many there are, a log in its last.
    var expected = header["trials"]?.integer
    var seen = SeenTrials()
    for index in lines.indices.dropFirst() {
      if lines[index].isEmpty { continue }
      // The last line of a run that was killed may be half a line.
      if kind == RunLog.kind, index == lines.count - 1 { break }
      var line = try line(index)
      if kind == Baseline.kind {
        Baseline.complete(&line.json, prompt: prompts.first?.name, backend: backends.first)
      }
      if line["kind"]?.string == "footer" {
        isComplete = true
        expected = line["trials"]?.integer
        continue
      }
      guard let trial = reader.trial(line) else {
        throw Problem(line: index + 1, message: "not the line of a trial")
      }
      guard seen.insert(trial) else {
        throw Problem(
          line: index + 1,
          message: "the case '\(trial.caseID)' stands here for a second time"
        )
      }
      trials.append(trial)
    }
    if let expected, expected != trials.count {
      throw Problem(
        line: lines.count,
        message: "\(what) of \(expected) trials, of which \(trials.count) are here"
      )
    }
  }
}

/// Tells trials that stand in a file for a second time.
private struct SeenTrials {
  private var taken: Set<Identity> = []
  private var last: Trial?
  /// The trials up to here, while they rise as those of a baseline do: then none can be there twice.
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

  /// Takes a trial; false where it was taken before.
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
