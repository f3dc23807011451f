import SluiceReporting

/// The check for drift of a model, on samples of recorded answers.
///
/// It sends the sampled requests again, and compares the scores of the new and the recorded
/// answers.
package struct DriftCheck: Sendable {
  private let surroundings: Surroundings
  private let selection: RecordingRequest.Selection
  private let size: Int
  private let seed: UInt64

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - surroundings: The project's files, the clock and the environment.
  ///   - filter: The cases that may be sampled.
  ///   - size: The number of requests to sample for each suite and backend.
  ///   - seed: The seed of the sample. The same seed draws the same sample.
  package init(
    _ surroundings: Surroundings,
    filter: CaseFilter = CaseFilter(),
    size: Int,
    seed: UInt64
  ) {
    self.surroundings = surroundings
    selection = RecordingRequest.Selection(filter, scope: .all)
    self.size = size
    self.seed = seed
  }

  /// The sampled requests of a suite on one backend.
  package struct Sample: Sendable {
    /// The suite with only the sampled cases.
    package let suite: ResolvedSuite
    package let column: Column
    /// The number of recorded answers from which the sample was drawn.
    package let available: Int
    package let answers: RecordingSession.Draft
    package let judges: RecordingSession.JudgeDraft

    /// The errors in the recordings.
    package var faults: [Diagnostic] { answers.faults }
  }

  // MARK: Drawing

  /// Returns a sample for each suite and backend, with the requests of the candidate prompt.
  package func samples(of suites: [ResolvedSuite]) -> [Sample] {
    suites.flatMap { suite in suite.plan.candidates.map { sample(suite, $0) } }
  }

  private func sample(_ suite: ResolvedSuite, _ column: Column) -> Sample {
    var suite = suite
    suite.plan.prompts = suite.plan.prompts.filter { $0.name == column.prompt }
    suite.plan.backends = suite.plan.backends.filter { $0.name == column.backend }
    // Sample only first repeats. A further case adds more information than a further repeat.
    suite.plan.repetitions = 1
    let recorded = recordedCases(suite)
    let strata = recorded.map { suite.plan.cases[$0].stored.labels.tags.joined(separator: " ") }
    let places = SystematicSample.places(of: strata, size: size, seed: seed)
    suite.plan.cases = SuitePlan.Cases(places.map { suite.plan.cases[recorded[$0]] })
    let session = RecordingSession(suite.plan, surroundings: surroundings)
    let answers = session.draft(selection)
    return Sample(
      suite: suite,
      column: column,
      available: recorded.count,
      answers: answers,
      judges: session.judgeDraft(selection, after: answers.requests)
    )
  }

  /// Returns the indices of the cases with a valid recorded answer, except exempt cases.
  ///
  /// If several cases have the same request, only one of them is included.
  private func recordedCases(_ suite: ResolvedSuite) -> [Int] {
    let plan = suite.plan
    let draft = RecordingSession(plan, surroundings: surroundings).draft(selection)
    let notBefore = notBefore(plan)
    let asked = Set(
      draft.requests.lazy.filter { request in
        !SuitePlan.isWanted(
          .missing,
          draft.stores[request.request.backend],
          request.slot,
          notBefore
        )
      }.map { ExactString($0.hints.testCase) }
    )
    return plan.cases.indices.filter { index in
      let testCase = plan.cases[index].stored
      return asked.contains(ExactString(testCase.id)) && suite.policy.quarantine[testCase.id] == nil
    }
  }

  private func notBefore(_ plan: SuitePlan) -> Timestamp? {
    plan.recordings.expiresBefore(surroundings.now())
  }

  // MARK: Sending

  /// Returns the evaluation of a sample, which writes no log.
  package func evaluation(of sample: Sample) -> Evaluation {
    Evaluation(sample.suite, surroundings: surroundings, keepsLog: false)
  }

  /// Wraps the backends for sending a sample.
  ///
  /// The wrapped judges use their recorded verdicts for unchanged answers. The wrapped backend
  /// under test collects system fingerprints.
  ///
  /// - Parameters:
  ///   - backends: The live backends, by name.
  ///   - sample: The sample.
  /// - Returns: The backends by name, and the collector of system fingerprints.
  package func backends(
    _ backends: [String: any Backend],
    for sample: Sample
  ) -> (backends: [String: any Backend], heard: HeardFingerprints) {
    let heard = HeardFingerprints()
    let plan = sample.suite.plan
    var result = backends
    for judge in plan.judges {
      guard let backend = result[judge.name], let store = sample.answers.stores[judge.name]
      else { continue }
      result[judge.name] = RecordedFirstBackend(
        backend,
        store,
        notBefore: notBefore(plan),
        alwaysSending: Set(sample.answers.requests.map(\.key))
      )
    }
    if let backend = result[sample.column.backend] {
      result[sample.column.backend] = FingerprintNotingBackend(backend, heard)
    }
    return (result, heard)
  }

  // MARK: Comparing

  /// Returns a column without a comparison, for a sample whose requests got no answers.
  package func column(of sample: Sample) -> DriftResult.Column {
    DriftResult.Column(
      suite: sample.suite.plan.name,
      prompt: sample.column.prompt,
      backend: sample.column.backend,
      available: sample.available,
      asked: sample.answers.requests.count
    )
  }

  /// Compares the answers to a sample with the recorded ones.
  ///
  /// - Parameters:
  ///   - sample: The sample.
  ///   - recorded: The trials from the recordings.
  ///   - fresh: The trials from the new answers.
  ///   - heard: The system fingerprints in the new answers.
  ///   - margin: The largest acceptable change in scores, such as 0.05 for 5 points.
  /// - Returns: The column with its test. The decision is made later, when all columns are known.
  package func column(
    of sample: Sample,
    recorded: [Trial],
    fresh: [Trial],
    heard: HeardFingerprints,
    margin: Double
  ) -> DriftResult.Column {
    var column = column(of: sample)
    let plan = sample.suite.plan
    column.lost = fresh.count(where: \.isLost)
    column.isJudged = plan.cases.contains { planned in
      !planned.assertions.isEmpty
        || plan.scorers.contains { !$0.isAdvisory && !($0.scorer is MeasureScorer) }
    }
    let earlier = Dictionary(recorded.map { (ExactString($0.caseID), $0) }) { first, _ in first }
    let pairs = fresh.compactMap { now in earlier[ExactString(now.caseID)].map { ($0, now) } }
    column.identities = identities(sample, pairs, heard)
    guard column.lost < fresh.count else { return column }
    let scorers = plan.scorerDigests
    let pairing = Pairing(
      baseline: Pairing.Side(trials: recorded, scorers: scorers),
      candidate: Pairing.Side(trials: fresh, scorers: scorers)
    )
    for (before, now) in pairs {
      guard let old = before.output, let new = now.output else { continue }
      let isSame = old.digest == new.digest && old.finishReason == new.finishReason
      if isSame { column.identical += 1 }
      if !isSame, before.isPassed == now.isPassed { column.reworded += 1 }
      guard let was = before.isPassed, let isNow = now.isPassed, was != isNow else { continue }
      column.moved.append(
        DriftResult.MovedCase(was ? .harmful : .beneficial, before: before, after: now)
      )
    }
    column.moved =
      column.moved.filter { $0.flip == .harmful } + column.moved.filter { $0.flip != .harmful }
    let paired = PairedEvaluator(
      baseline: MetricEvaluator(pairing.baseline),
      candidate: MetricEvaluator(pairing.candidate),
      confidence: DriftRule.confidence
    )
    column.test = test(pairing, paired, margin)
    column.figures = figures(plan, pairs, paired)
    return column
  }

  private func test(_ pairing: Pairing, _ paired: PairedEvaluator, _ margin: Double)
    -> DriftRule.Test?
  {
    let accuracy = Metric(.accuracy)
    guard let change = paired.change(accuracy, margin: Margin(margin)) else { return nil }
    let fills: [PairedChange] =
      paired.touchesLostTrials(accuracy)
      ? [.worst, .best].compactMap {
        paired.change(accuracy, margin: Margin(margin), fill: $0)
      } : []
    return DriftRule.Test(change, fills: fills, isIdentical: pairing.isIdentical)
  }

  private func identities(
    _ sample: Sample,
    _ pairs: [(before: Trial, now: Trial)],
    _ heard: HeardFingerprints
  ) -> [DriftResult.IdentityChange] {
    func models(_ trials: [Trial]) -> Set<String> {
      Set(trials.compactMap { $0.output?.provenance.model })
    }
    let recorded = sample.answers.requests.compactMap { request in
      (try? sample.answers.stores[request.request.backend]?.recording(request.slot))
        .flatMap { $0 }.flatMap { SystemFingerprint.of($0.exchange.response) }
    }
    return [
      DriftResult.IdentityChange(
        .model,
        recorded: models(pairs.map(\.before)),
        now: models(pairs.map(\.now))
      ),
      DriftResult.IdentityChange(
        .systemFingerprint,
        recorded: Set(recorded),
        now: heard.all
      ),
    ].compactMap(\.self)
  }

  // MARK: Figures

  /// Returns the figures that are shown but do not affect the decision.
  ///
  /// They are the length of answers, unusable answers, tokens, latency, cost, and the scorers'
  /// metrics.
  private func figures(
    _ plan: SuitePlan,
    _ pairs: [(before: Trial, now: Trial)],
    _ paired: PairedEvaluator
  ) -> [DriftResult.Figure] {
    func figure(_ name: String, _ metric: Metric) -> DriftResult.Figure? {
      paired.change(metric, margin: Margin(0)).map {
        DriftResult.Figure(name: name, quantity: metric.quantity, change: $0)
      }
    }
    let tokens = figure("mean(output-tokens)", Metric(.series(.outputTokens, .mean)))
    // Leave out accuracy, which the test already covers.
    var figures = SuiteMetrics(plan.scorers).compared.filter { $0.metric.kind != .accuracy }
      .compactMap { figure($0.name, $0.metric) }
    let behind = figures.firstIndex { $0.name == "unusable-rate" }.map { $0 + 1 } ?? 0
    figures.insert(contentsOf: [length(pairs), tokens].compactMap(\.self), at: behind)
    return figures
  }

  /// Returns the mean length in characters of the answers.
  ///
  /// Truncated answers are left out.
  private func length(_ pairs: [(before: Trial, now: Trial)]) -> DriftResult.Figure? {
    func length(_ trial: Trial) -> Double? {
      guard let output = trial.output, !output.isCut else { return nil }
      return Double(output.excerpt.count)
    }
    let lengths = pairs.compactMap { pair -> (before: Double, now: Double)? in
      guard let before = length(pair.before), let now = length(pair.now) else { return nil }
      return (before, now)
    }
    guard let inference = MeanInference(lengths.map { $0.now - $0.before }, bounds: nil) else {
      return nil
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    let (before, now) = (mean(lengths.map(\.before)), mean(lengths.map(\.now)))
    return DriftResult.Figure(
      name: "mean(length)",
      quantity: .count,
      change: PairedChange(
        baseline: before,
        candidate: now,
        difference: now - before,
        interval: inference.interval(DriftRule.confidence),
        confidence: DriftRule.confidence,
        n: lengths.count,
        basis: .contributions,
        pWorse: inference.pAtLeast(0),
        pBeyondMargin: inference.pAtLeast(0),
        margin: 0,
        prefersSmall: false,
        inference: inference
      )
    )
  }

  // MARK: Forecast

  /// Returns the number of requests that the samples need, with their estimated cost.
  package static func forecast(of samples: [Sample]) -> RecordingForecast {
    RecordingForecast(
      samples.map { sample in
        RecordingForecast.Suite(
          name: sample.suite.plan.name,
          answers: .init(
            sample.answers.requests,
            cost: sample.answers.cost,
            unknown: sample.answers.unknown
          ),
          judges: .init(
            sample.judges.known.requests,
            coming: sample.judges.coming,
            cost: sample.judges.cost,
            unknown: sample.judges.unknown
          )
        )
      }
    )
  }
}
