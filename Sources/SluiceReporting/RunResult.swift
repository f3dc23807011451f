import SluiceGating

/// The result of a run of one or more suites.
package struct RunResult: Sendable {
  /// The suites, in the order in which they ran.
  package var suites: [SuiteResult]
  /// The results of mixes of calls, which are shown but do not affect the verdict.
  package var mixes: [MixResult]
  /// The set of regression gates that Holm's correction covers together.
  package let family: GateFamily
  /// The suites that `--affected` chose and skipped; `nil` if that option was not used.
  package var selection: SuiteSelection?

  /// Creates a result.
  ///
  /// - Parameters:
  ///   - suites: The suites, in the order in which they ran.
  ///   - mixes: The results of mixes of calls.
  ///   - family: The set of regression gates that Holm's correction covers together. If the family
  ///     is ``GateFamily/call``, the gates of all suites are corrected again, as one family.
  package init(
    suites: [SuiteResult],
    mixes: [MixResult] = [],
    family: GateFamily = .suite
  ) {
    self.suites = suites
    self.mixes = mixes
    self.family = family
    if family == .call { correctAsOne() }
  }

  private mutating func correctAsOne() {
    var columns = suites.flatMap(\.columns)
    Holm.adjust(&columns, as: .call)
    var rest = columns[...]
    for index in suites.indices {
      let count = suites[index].columns.count
      suites[index].columns = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
  }

  /// The chance that any regression gate fails although nothing got worse.
  package var falseAlarms: FalseAlarms {
    FalseAlarms(suites.map(\.columns), family: family)
  }

  /// The verdict over all suites.
  ///
  /// A run without suites has no verdict. But if `--affected` found no affected suite, the verdict
  /// is a pass.
  package var verdict: Verdict {
    if suites.isEmpty, selection?.isEmpty == true { return .pass }
    return Verdict.overall(suites.map(\.verdict))
  }
}

/// The options on the command line that override settings of suites, and the working directory.
package struct CommandLineOverrides: Hashable, Sendable {
  package var prompts: [String]
  package var backends: [String]
  package var repetitions: Int?
  /// The working directory, to which paths in suggested commands are relative.
  package var folder: ProjectPath
  /// The price files that `sluice.yaml` names.
  package var prices: [ProjectPath]
  /// The damaged or missing recordings files that git can restore.
  package var committed: Set<ProjectPath> = []
  /// The filter on the cases to run.
  package var filter = CaseFilter()
  /// True if the command shows each case with its question and answer.
  package var showsCases = false
  /// True if the command runs in CI, where answers should not be recorded.
  package var isInCI = false

  package init(
    prompt: String? = nil,
    prompts: [String] = [],
    backends: [String] = [],
    repetitions: Int? = nil,
    folder: ProjectPath = ProjectPath("."),
    prices: [ProjectPath] = []
  ) {
    self.prompts = (prompt.map { [$0] } ?? []) + prompts
    self.backends = backends
    self.repetitions = repetitions
    self.folder = folder
    self.prices = prices
  }

  /// Returns a path of the project, relative to the working directory.
  package func path(_ path: ProjectPath) -> String { path.reference(from: folder) }

  /// The overrides as command-line options, each preceded by a space.
  package var options: String {
    let words =
      prompts.flatMap { ["--prompt", $0] } + backends.flatMap { ["--backend", $0] }
      + (repetitions.map { ["--repeat", String($0)] } ?? []) + filter.words
    return words.map { " " + ShellText.quoted($0) }.joined()
  }

  /// These overrides without the filter on cases.
  var withoutFilter: Self {
    var whole = self
    whole.filter = CaseFilter()
    return whole
  }

  /// Returns the options of a command that records the missing answers of suites.
  ///
  /// If the filter selects failed cases, the options name the cases one by one. Otherwise, the
  /// answers to record would depend on the scores of earlier answers.
  func optionsToRecord(_ suites: [SuiteResult]) -> String {
    guard filter.isFailed else { return options }
    var ids: [String] = []
    var seen: Set<String> = []
    for trial in suites.flatMap(\.columns).flatMap(\.trials)
    where trial.isLost && seen.insert(trial.caseID).inserted {
      ids.append(trial.caseID)
    }
    var named = self
    named.filter = CaseFilter(cases: ids)
    return named.options
  }
}

extension RunResult {
  /// Returns the next step to obtain missing answers or judges' verdicts, or `nil` if none are
  /// missing.
  func remedy(_ overrides: CommandLineOverrides) -> (advice: String, command: String)? {
    suites.contains { $0.hasMisses || $0.canGoOn || $0.hasUnknownEnding || $0.lacksVerdicts }
      ? nextStep(overrides) : nil
  }

  /// Returns the next step for a report, or `nil` after a pass without missing answers.
  ///
  /// The step is a command that records missing answers or shows why a gate does not pass.
  func reportedStep(_ overrides: CommandLineOverrides) -> (advice: String, command: String)? {
    verdict == .pass ? remedy(overrides) : nextStep(overrides)
  }

  /// Returns the next step for the user, or `nil` if there is nothing left to do.
  package func nextStep(_ overrides: CommandLineOverrides) -> (advice: String, command: String)? {
    let missing = suites.filter(\.lacksRecordings)
    if let repair = repair(overrides) { return repair }
    if !missing.isEmpty {
      let isThroughFiles = missing.allSatisfy(\.lacksAnswersThroughFiles)
      let options =
        isThroughFiles ? overrides.withoutFilter.options : overrides.optionsToRecord(missing)
      let step = MissingAnswersStep(
        areAskedThroughFiles: isThroughFiles,
        isInCI: overrides.isInCI,
        " \(missing.words)\(options)"
      )
      return (step.advice, step.command)
    }
    if let step = OutputsText.rows(of: suites, overrides) { return step }
    let unnamed = suites.filter(\.hasUnknownEnding)
    if !unnamed.isEmpty {
      // A recorded answer can be read again, but a live one must be requested again.
      let asking = unnamed.contains { $0.source == .live } ? " --live --resume" : ""
      return (
        BackendError.Kind.unknownEnding.fix,
        "sluice run \(unnamed.words)\(overrides.options)\(asking)"
      )
    }
    let unanswered = suites.filter(\.canGoOn)
    if !unanswered.isEmpty {
      return (
        Self.advice(forUnanswered: unanswered, overrides),
        "sluice run \(unanswered.words)\(overrides.options) --live --resume"
      )
    }
    if let filtered = filteredStep(overrides) { return filtered }
    let unbased = suites.filter { suite in
      suite.columns.contains { $0.isCandidate && $0.gates.contains { $0.reason == .noBaseline } }
    }
    // Answers that fail a gate should not become the baseline; the user should first read the
    // failures.
    if !unbased.isEmpty, verdict != .fail {
      return Self.wayToBaseline(unbased, overrides)
    }
    let unscored = suites.filter { suite in
      suite.columns.contains { $0.isCandidate && $0.isUnjudged }
    }
    if !unscored.isEmpty, verdict != .fail {
      let live = unscored.contains { $0.source == .live } ? " --live" : ""
      let files = unscored.map { overrides.path(ProjectPath($0.path)) }.joined(separator: ", ")
      return (
        "add 'scorers:' to \(files), then run again",
        "sluice run \(unscored.words)\(overrides.options)\(live)"
      )
    }
    let unattributed = suites.flatMap(\.columns).filter { column in
      column.isCandidate && column.gates.contains { $0.reason == .unknownRequest }
    }
    if let path = unattributed.first?.outputs?.path {
      let names = suites.filter { suite in
        suite.columns.contains { $0.gates.contains { $0.reason == .unknownRequest } }
      }
      return (
        "put the answers to the new prompt into \(overrides.path(ProjectPath(path))), or name "
          + "each row's prompt under 'prompt', then run again",
        "sluice run \(names.words)\(overrides.options)"
      )
    }
    let mismatched = suites.filter { suite in
      suite.columns.contains { $0.isCandidate && $0.gates.contains { $0.reason == .mismatch } }
    }
    if !mismatched.isEmpty {
      return (
        "judge both sides with the same suite files: compare with a revision",
        "sluice compare \(mismatched.words) --base main"
      )
    }
    switch verdict {
    case .pass:
      let unjudged = suites.filter(\.lacksVerdicts)
      let pending = suites.filter(\.recordings.hasPending)
      if unjudged.isEmpty, !pending.isEmpty {
        return (
          "read the pending answers, then accept or reject them",
          "sluice recordings review \(pending.words)"
        )
      }
      if unjudged.isEmpty { return stepToGoals(overrides) }
      return (
        "record the missing verdicts of judges (this sends requests)",
        "sluice record \(unjudged.words)\(overrides.optionsToRecord(unjudged))"
      )
    case .fail, .noVerdict, .inconclusive, .notEvaluated: return readingStep(overrides)
    }
  }
}

extension RunResult {
  /// Returns the command that shows why a gate does not pass.
  ///
  /// The command shows the first failed case. If no case can be shown, it shows all figures or the
  /// number of cases needed.
  private func readingStep(_ overrides: CommandLineOverrides) -> (advice: String, command: String)?
  {
    let ranks: [Verdict] = [.fail, .noVerdict, .inconclusive]
    let ranked = ranks.flatMap { verdict in suites.filter { $0.verdict == verdict } }
    if let reading = Self.readingStep(ranked, overrides) { return reading }
    // Name a single suite, since the other suites may lack the prompt in the options.
    let own = overrides.withoutFilter.options
    if let suite = ranked.first(where: { $0.source == .recorded && $0.verdict == .inconclusive }) {
      return (
        "see how many cases are needed for a decision", "sluice plan \([suite].words)\(own)"
      )
    }
    if let suite = ranked.first(where: { $0.source == .recorded }) {
      return ("see all figures", "sluice run \([suite].words)\(own) --verbose")
    }
    // Only the reports of a live run contain its answers.
    if ranked.isEmpty { return nil }
    let report = overrides.path(ReportWriter.folder.resolvingChild("report.md"))
    return ("read every failed case with its answer", "less \(ShellText.quoted(report))")
  }

  /// Returns the command that shows why goals are not reached yet, or `nil` if all goals are
  /// reached.
  private func stepToGoals(_ overrides: CommandLineOverrides) -> (advice: String, command: String)?
  {
    func suites(_ isMeant: (Decision) -> Bool) -> [SuiteResult] {
      self.suites.filter { suite in
        suite.source == .recorded
          && suite.columns.contains { $0.isCandidate && $0.goals.contains(where: isMeant) }
      }
    }
    if let reading = Self.readingStep(suites { $0.verdict == .fail }, overrides) { return reading }
    let open = suites { ![.pass, .fail].contains($0.verdict) && $0.estimate.value != nil }
    guard let suite = open.first else { return nil }
    return (
      "see how many cases are needed to decide the goals",
      "sluice plan \([suite].words)\(overrides.withoutFilter.options)"
    )
  }

  /// Returns the command that shows the first failed case, or `nil` if no case can be shown.
  ///
  /// A newly failing case is preferred to one that also failed in the baseline.
  private static func readingStep(_ suites: [SuiteResult], _ overrides: CommandLineOverrides)
    -> (advice: String, command: String)?
  {
    for suite in suites where suite.source == .recorded {
      for column in suite.columns where column.isCandidate {
        let new = column.newlyFailing
        let failed = column.trials.lazy.filter { $0.outcome == .failed }
        guard
          let id = (failed.first { new.contains(ExactString($0.caseID)) } ?? failed.first)?.caseID,
          !id.hasPrefix("-")
        else { continue }
        let own = overrides.withoutFilter.options
        return (
          "read a failed case with its request, answer and scores",
          "sluice show \(ShellText.quoted(id)) --suite \([suite].words)\(own)"
        )
      }
    }
    return nil
  }
}

extension RunResult {
  /// True if only some of the cases were run.
  package var isFiltered: Bool { suites.contains { $0.filtered != nil } }

  /// A phrase for the subset of cases that was run; `nil` if all cases were run.
  package var filteredPhrase: String? {
    FilteredCases.phrase(of: suites.compactMap(\.filtered))
  }

  /// Returns the next step after a run of a subset of the cases, or `nil` if all cases were run.
  private func filteredStep(_ overrides: CommandLineOverrides) -> (advice: String, command: String)?
  {
    guard isFiltered else { return nil }
    let live = suites.contains { $0.source == .live } ? " --live" : ""
    if !overrides.showsCases, live.isEmpty, suites.contains(where: \.hasFailures) {
      return (
        "read the question, expected output and answer of each case",
        "sluice run \(suites.words)\(overrides.options) --show"
      )
    }
    let whole = overrides.withoutFilter.options
    return ("run all cases for a verdict", "sluice run \(suites.words)\(whole)\(live)")
  }

  /// Returns the next step to get a baseline, which consists of accepted recordings.
  private static func wayToBaseline(_ unbased: [SuiteResult], _ overrides: CommandLineOverrides)
    -> (advice: String, command: String)
  {
    let live = unbased.filter { $0.source == .live }
    if !live.isEmpty {
      return (
        "record answers, because a baseline needs recorded ones (this sends requests)",
        "sluice record \(live.words)\(overrides.optionsToRecord(live))"
      )
    }
    let pending = unbased.filter { $0.recordings.unaccepted + $0.recordings.unacceptedVerdicts > 0 }
    if !pending.isEmpty {
      return (
        "read the pending answers; once accepted, they can become the baseline",
        "sluice recordings review \(pending.words)"
      )
    }
    return (
      "if you are content with the answers, accept them as the baseline",
      // Leave out the tried prompt: with its own answers as the baseline, it would be compared with
      // itself.
      "sluice baseline accept \(unbased.words)\(CommandLineOverrides(backends: overrides.backends).options)"
    )
  }

  /// Returns the steps to take before requesting missing answers again.
  private static func advice(forUnanswered suites: [SuiteResult], _ overrides: CommandLineOverrides)
    -> String
  {
    func isStopped(by words: String = "") -> Bool {
      suites.contains {
        $0.hasLoss { $0.kind == .budgetSpent && (words.isEmpty || $0.message.contains(words)) }
      }
    }
    let ask = "request the missing answers"
    if isStopped(by: UnknownCost.noPrice) {
      let file =
        overrides.prices.isEmpty
        ? "a price file that is named under 'prices' in sluice.yaml"
        : overrides.prices.map { TerminalText.visible(overrides.path($0)) }.joined(
          separator: " or "
        )
      return "add a price for the model to \(file), or run without a cost budget, and \(ask)"
    }
    if isStopped(by: Meter.unknownCost) { return "run without a cost budget, and \(ask)" }
    if isStopped() { return "raise the budget, and \(ask)" }
    let fix = suites.lazy.compactMap(\.lastingLoss).first.map { "\($0.fix), and " } ?? ""
    return "\(fix)request the missing answers again"
  }
}

extension SuiteResult {
  /// True if an answer failed.
  fileprivate var hasFailures: Bool { columns.contains { $0.failed > 0 } }

  /// True if some recorded answers have no recorded verdict of a judge.
  var lacksVerdicts: Bool { !recordings.verdictMisses.isEmpty }

  /// True if an answer ended for a reason (`finish_reason`) that Sluice does not know.
  var hasUnknownEnding: Bool { hasNoAnswer { $0.kind == .unknownEnding } }

  /// True if live trials got no answer, but sending their requests again may get one.
  package var canGoOn: Bool {
    hasLoss { error in
      switch error.kind {
      case .invalidRequest, .contextTooLong, .contentFilter, .unknownEnding: false
      default: true
      }
    }
  }

  /// The first error of a lost trial that would occur again if the request were sent again, such as
  /// a wrong key.
  fileprivate var lastingLoss: BackendError? {
    columns.lazy.flatMap(\.trials).compactMap { trial -> BackendError? in
      guard case .lost(.noAnswer(let error)) = trial.outcome, !error.canRetry else { return nil }
      switch error.kind {
      case .cancelled, .budgetSpent, .endpointDown, .invalidRequest, .contextTooLong,
        .contentFilter:
        return nil
      default: return error
      }
    }.first
  }

  /// Returns true if a live trial got no answer because of an error of a given kind.
  fileprivate func hasLoss(_ isMeant: (BackendError) -> Bool) -> Bool {
    source == .live && hasNoAnswer(isMeant)
  }

  /// Returns true if a trial, recorded or live, got no answer because of an error of a given kind.
  private func hasNoAnswer(_ isMeant: (BackendError) -> Bool) -> Bool {
    columns.contains { column in
      column.trials.contains { trial in
        if case .lost(.noAnswer(let error)) = trial.outcome { isMeant(error) } else { false }
      }
    }
  }
}

extension [SuiteResult] {
  /// The short names of the suites, quoted as arguments of a command.
  var words: String {
    map { ShellText.quoted(SuiteName.short(ProjectPath($0.path))) }.joined(separator: " ")
  }
}
