internal import ArgumentParser
internal import Sluice

/// The options of a drift check on a sample.
struct DriftOptions: ParsableArguments {
  enum Output: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(
    help: """
      Send only this many requests of each suite and backend again, and test the change of the \
      scores. Default: send every request and compare the answers word by word.
      """
  )
  var sample: Int?

  @Option(help: "The seed of the sample; the same seed draws the same requests.")
  var seed: UInt64?

  @Option(help: "The smallest change of a score that matters, in points. Default: 5.")
  var margin: Double?

  @Option(help: "The output format: text, or json for programs.")
  var output: Output?

  private static let usualSeed: UInt64 = 1

  func validate() throws {
    guard let sample else {
      let names = [
        ("--seed", seed != nil), ("--margin", margin != nil), ("--output", output != nil),
      ]
      if let name = names.first(where: { $0.1 })?.0 {
        throw ValidationError("\(name) needs --sample.")
      }
      return
    }
    guard (1...1_000_000).contains(sample) else {
      throw ValidationError("--sample must be between 1 and 1000000.")
    }
    if let margin, !(margin > 0 && margin <= 100) {
      throw ValidationError("--margin must be more than 0 and at most 100 points, such as 5.")
    }
  }

  var chosenSeed: UInt64 { seed ?? Self.usualSeed }
  /// The smallest change in scores that matters, such as 0.05 for 5 points.
  var share: Double { margin.map { $0 / 100 } ?? DriftRule.usual.margin }
  var isJSON: Bool { output == .json }
}

/// A drift check that sends a sample of recorded requests again and compares the scores.
struct SampledDrift {
  private let project: Project
  private let recording: RecordingOptions
  private let options: DriftOptions
  private let limit: Int?

  init(_ project: Project, _ recording: RecordingOptions, _ options: DriftOptions, limit: Int?) {
    self.project = project
    self.recording = recording
    self.options = options
    self.limit = limit
  }

  /// Sends the requests and reports the differences.
  ///
  /// - Throws: The exit code of the verdict, unless it is a pass.
  func run(sample size: Int) async throws {
    try project.requireNothingPendingInCI()
    let check = DriftCheck(
      project.surroundings,
      filter: recording.selection.filter,
      size: size,
      seed: options.chosenSeed
    )
    let samples = check.samples(of: project.loaded.suites)
    let faults = samples.flatMap(\.faults).reduce(into: [Diagnostic]()) { found, fault in
      if !found.contains(fault) { found.append(fault) }
    }
    project.printDiagnostics(faults)
    // Stop if a recording is damaged, since the user must repair it first.
    if faults.contains(where: { $0.severity == .error }) { throw Sluice.ExitCode.usage }
    let forecast = DriftCheck.forecast(of: samples)
    if let most = recording.maxCost, !forecast.isEmpty,
      let fault = TerminalSending.budgetFault(forecast, limit: most)
    {
      throw project.refusal(
        fault.message,
        forecast.unknown == nil ? "raise --max-cost, or send fewer requests: --sample N" : fault.fix
      )
    }
    let columns = try await project.keepingPrograms { programs in
      try await ask(check, samples, programs)
    }
    let result = DriftResult(
      sample: size,
      seed: options.chosenSeed,
      margin: options.share,
      columns: columns
    )
    Console.output(text(result))
    let code = Sluice.ExitCode(result.verdict)
    if code != .pass { throw code }
  }

  private func ask(
    _ check: DriftCheck,
    _ samples: [DriftCheck.Sample],
    _ programs: RunningPrograms
  ) async throws -> [DriftResult.Column] {
    if samples.allSatisfy(\.answers.requests.isEmpty) { return samples.map(check.column) }
    let meter = project.meter(cost: recording.maxCost)
    let backends: [String: any Backend]
    do {
      backends = try project.connect(meter, programs, redactsAnswers: true)
    } catch Sluice.ExitCode.usage {
      // Files and options are correct, but no request can be sent without the key. That is not a
      // usage error.
      throw Sluice.ExitCode.noVerdict
    }
    var columns: [DriftResult.Column] = []
    for sample in samples {
      columns.append(
        sample.answers.requests.isEmpty
          ? check.column(of: sample) : try await ask(check, sample, backends, meter)
      )
    }
    return columns
  }

  private func ask(
    _ check: DriftCheck,
    _ sample: DriftCheck.Sample,
    _ backends: [String: any Backend],
    _ meter: Meter
  ) async throws -> DriftResult.Column {
    let evaluation = check.evaluation(of: sample)
    let recorded = try await evaluation.replayInterruptibly(concurrency: 4)
    let (asked, heard) = check.backends(backends, for: sample)
    let line = LiveLine(sample.suite.plan.name, of: sample.suite.plan.trialCount, meter)
    let (fresh, wasInterrupted) = await Interruption.guarding {
      await evaluation.live(asked) { event in
        if case .finished(let judged, _, _) = event {
          line.update { $0.note(isLost: judged.trial.isLost, judged.statistics) }
        }
      }
    }
    line.finish()
    if wasInterrupted { throw Interruption.reported }
    let trials = fresh.result.columns.flatMap(\.trials)
    report(losses: trials, of: sample)
    return check.column(
      of: sample,
      recorded: recorded.result.columns.flatMap(\.trials),
      fresh: trials,
      heard: heard,
      margin: options.share
    )
  }

  /// Reports the requests that got no answer, with the reasons.
  private func report(losses trials: [Trial], of sample: DriftCheck.Sample) {
    let requests = Dictionary(
      sample.answers.requests.map { ($0.hints.testCase, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var unsent = 0
    let failures = trials.compactMap { trial -> (RecordingRequest, BackendError)? in
      guard case .lost(let loss) = trial.outcome, let request = requests[trial.caseID] else {
        return nil
      }
      guard case .noAnswer(let error) = loss else {
        return (request, BackendError(.invalidRequest, loss.message))
      }
      if error.kind == .budgetSpent {
        unsent += 1
        return nil
      }
      return (request, error)
    }
    Console.error(
      TerminalSending.failures(
        failures,
        of: sample.answers.requests.count,
        unsent: unsent,
        isOption: recording.maxCost != nil
      )
    )
  }

  private func text(_ result: DriftResult) -> String {
    if options.isJSON { return String(decoding: DriftJSON(result).bytes, as: UTF8.self) }
    var words = project.overrides.options + recording.selectionText
    if options.seed != nil { words += " --seed \(options.chosenSeed)" }
    return TerminalDrift(
      result,
      TerminalDrift.Call(
        suites: project.suiteNames.map { " " + ShellText.quoted($0) }.joined(),
        options: words,
        limit: limit
      ),
      style: Console.style(for: 1, project.surroundings.environment)
    ).text
  }
}
