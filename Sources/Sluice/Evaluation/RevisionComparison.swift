import SluiceReporting

/// The comparison of a suite's current version with its version in another revision.
///
/// Both sides are scored by the current scorers. The labels and gates come from the other revision,
/// so that a change cannot pass just because it edits labels or gates. All edits to labels, gates,
/// cases and scorers are listed.
package struct RevisionComparison: Sendable {
  private let here: ResolvedSuite
  private let there: ResolvedSuite
  private let names: (here: String, there: String)

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - here: The current version of the suite.
  ///   - there: The version of the suite in the other revision.
  ///   - names: The names of the two sides, such as `here` and `at main`, which are shown after the
  ///     name of a prompt.
  package init(here: ResolvedSuite, there: ResolvedSuite, names: (here: String, there: String)) {
    self.here = here
    self.there = there
    self.names = names
  }

  /// The suite's name.
  package var suite: String { here.plan.name }
  /// The output files of the current backends.
  var outputs: [String: OutputsFile] { here.plan.outputs }
  /// The suite's current file.
  package var path: ProjectPath { here.plan.path }

  /// The outcome of a comparison.
  package struct Outcome: Sendable {
    /// The comparisons, one for each backend that has the candidate prompt in both revisions.
    package var comparisons: [ConfigurationComparison]
    /// The backends that exist only in the current version.
    package var addedBackends: [String]
    package var removedBackends: [String]
    /// The candidate's trials without a recorded answer, in the current version.
    package var missesHere: [Trial]
    package var missesThere: [Trial]
    /// The errors in the recordings files.
    package var diagnostics: [Diagnostic]
  }

  /// Runs both sides on their recordings, and compares the results.
  ///
  /// - Parameters:
  ///   - files: The project's current files.
  ///   - otherFiles: The project's files in the other revision.
  ///   - layers: The layers of current recordings to use, in order of precedence.
  ///   - margin: The largest acceptable loss in a rate that no gate tests, such as 0.05 for 5
  ///     points. If it is `nil`, ``SuiteComparison/margin(of:)`` applies.
  ///   - concurrency: The maximum number of threads to use.
  ///   - replies: The replies of scorer programs to both sides' answers.
  /// - Returns: The comparisons.
  package func compare(
    files: any FileSystem,
    otherFiles: any FileSystem,
    layers: [RecordingStore.Kind] = [.pending, .accepted],
    margin: Double?,
    concurrency: Int,
    replies: Replies = Replies()
  ) -> Outcome {
    let (candidate, base) = (candidatePlan, basePlan)
    let stores = replies.stores ?? RecordingStore.all(of: candidate, in: files, kinds: layers)
    let now = trials(candidate, stores, replies.here, concurrency)
    // Do not report errors in recordings of the other revision, which cannot be fixed here. The
    // trials count as lost.
    let otherStores = RecordingStore.all(
      of: base,
      in: otherFiles
    )
    let before = trials(base, otherStores, replies.there, concurrency)
    let own = isRescored ? trials(ownPlan, otherStores, replies.own, concurrency) : []
    let edits = YardstickChange(here: here, there: there).edits(files, otherFiles)
    let size = margin ?? SuiteComparison.margin(of: there.conditions)
    var judged = columns(candidate, now, base, before)
    var results = judged.map(\.candidate.column)
    Holm.adjust(&results, rule: there.policy.rule)
    for (index, result) in results.enumerated() { judged[index].candidate.column = result }
    let comparisons = judged.map { base, candidate in
      var comparison = SuiteComparison.compare(
        [base, candidate],
        suite: here.plan.name,
        source: .recorded,
        repetitions: here.plan.repetitions,
        metrics: SuiteMetrics(scorers),
        margin: size
      )
      comparison.edits = edits
      comparison.rescored = rescored(base, by: own)
      comparison.decide(by: candidate.column)
      comparison.filtered = here.plan.filtered
      comparison.datedPrices = basePlan.datedPrices(of: [base.column, candidate.column])
      comparison.recorded = recorded(candidate.column.trials, stores, files, otherFiles)
      return comparison
    }
    let compared = Set(judged.flatMap { [$0.base.column.backend, $0.candidate.column.backend] })
    return Outcome(
      comparisons: comparisons,
      addedBackends: candidate.backends.map(\.name).filter { !compared.contains($0) },
      removedBackends: base.backends.map(\.name).filter { !compared.contains($0) },
      missesHere: now.filter(\.isMiss),
      missesThere: before.filter(\.isMiss),
      diagnostics: stores.faults
    )
  }

  // MARK: Sides

  /// The current scorers, and the scorers of the other revision that were removed since.
  ///
  /// Removed scorers are kept, so that removing a scorer cannot make a change pass.
  private var scorers: [BoundScorer] {
    let known = Set(here.plan.scorers.map(\.name))
    return here.plan.scorers + there.plan.scorers.filter { !known.contains($0.name) }
  }

  /// The plan of the other version, with the current scorers and prices.
  private var basePlan: SuitePlan {
    var plan = there.plan
    plan.scorers = scorers
    plan.prices = here.plan.prices
    plan.prompts = Array(plan.prompts.suffix(1))
    return plan
  }

  /// The other version of the suite with its own scorers.
  private var ownPlan: SuitePlan {
    var plan = there.plan
    plan.prompts = Array(plan.prompts.suffix(1))
    return plan
  }

  /// True if the current scorers differ from the scorers of the other revision.
  private var isRescored: Bool {
    func digests(_ scorers: [BoundScorer]) -> [String: String] {
      Dictionary(scorers.filter { !$0.isAdvisory }.map { ($0.name, $0.digest) }) { old, _ in old }
    }
    return digests(scorers) != digests(there.plan.scorers)
  }

  /// Returns the base's result as judged by the base's own scorers.
  ///
  /// Returns `nil` if there are no trials, or if the current scorers agree with the base's own
  /// scorers on every case.
  private func rescored(_ side: ConfigurationComparer.Side, by own: [Trial]) -> RescoredBase? {
    let column = side.column
    let trials = there.policy.counted(own.filter { $0.backend == column.backend })
    return trials.isEmpty ? nil : RescoredBase(own: trials, current: side.counted.trials)
  }

  /// The plan of the current version, with the labels of the other revision.
  private var candidatePlan: SuitePlan {
    var plan = here.plan
    plan.scorers = scorers
    plan.prompts = Array(plan.prompts.suffix(1))
    let earlier = Dictionary(there.plan.cases.map { ($0.stored.id, $0) }) { first, _ in first }
    // Only scorers that decide may need a new label. For advisory scorers, keep the old label.
    let needed = Set(
      here.plan.scorers.filter {
        !$0.isAdvisory && there.plan.scorerDigests[$0.name] != $0.digest
      }
      .flatMap(\.traits.expectedKeys)
    )
    let cases = plan.cases.map { planned in
      guard let old = earlier[planned.stored.id], old.testCase.input == planned.testCase.input
      else { return planned }
      // If a scorer needs a key that the old label lacks, take the new label.
      let isMissing = needed.contains { key in
        old.testCase.expected[key] == nil && planned.testCase.expected[key] != nil
      }
      return isMissing ? planned : old
    }
    plan.cases = SuitePlan.Cases(cases)
    return plan
  }

  private func trials(
    _ plan: SuitePlan,
    _ stores: [String: RecordingStore],
    _ replies: ProgramReplies,
    _ concurrency: Int
  ) -> [Trial] {
    Runner(plan, programReplies: replies).replay(stores, concurrency: concurrency).map(\.trial)
  }

  /// The replies of scorer programs to the answers of both sides.
  package struct Replies: Sendable {
    fileprivate var here = ProgramReplies()
    fileprivate var there = ProgramReplies()
    /// The replies of the base's own scorers to the base's answers.
    fileprivate var own = ProgramReplies()
    /// The current recordings as they were before a program ran.
    fileprivate var stores: [String: RecordingStore]?

    package init() {}
  }

  /// Runs the current scorer programs on the answers of both sides.
  ///
  /// - Parameters:
  ///   - surroundings: The environment in which programs run.
  ///   - files: The project's current files.
  ///   - otherFiles: The project's files in the other revision.
  ///   - layers: The layers of current recordings to use, in order of precedence.
  /// - Returns: The replies, to be passed to the `compare` method with the same files.
  package func askPrograms(
    _ surroundings: Surroundings,
    files: any FileSystem,
    otherFiles: any FileSystem,
    layers: [RecordingStore.Kind] = [.pending, .accepted]
  ) async -> Replies {
    var replies = Replies()
    guard (scorers + there.plan.scorers).contains(where: { $0.scorer is ProgramScorer }) else {
      return replies
    }
    func said(_ plan: SuitePlan, _ stores: [String: RecordingStore]) async -> ProgramReplies {
      await RunningPrograms.during { programs in
        let host = ProgramHost(plan, surroundings: surroundings, programs: programs)
        return await Runner(plan, host: host).askPrograms(stores, notBefore: nil)
      }
    }
    let stores = RecordingStore.all(of: candidatePlan, in: files, kinds: layers)
    replies.stores = stores
    replies.here = await said(candidatePlan, stores)
    let otherStores = RecordingStore.all(of: basePlan, in: otherFiles)
    replies.there = await said(basePlan, otherStores)
    if isRescored { replies.own = await said(ownPlan, otherStores) }
    return replies
  }

  /// Returns the changes in a column's recordings and ledgers between the two revisions.
  private func recorded(
    _ trials: [Trial],
    _ stores: [String: RecordingStore],
    _ files: any FileSystem,
    _ otherFiles: any FileSystem
  ) -> RecordedChange {
    var old: [String: RecordingFile] = [:]
    for name in stores.keys {
      old[name] = RecordingFile(
        reading: RecordingFile.path(dataset: there.plan.datasetPath, backend: name),
        from: otherFiles
      )
    }
    var change = RecordedChange(trials, here: stores, there: old)
    for name in Set(trials.map(\.backend)) {
      func ledger(_ dataset: ProjectPath, _ files: any FileSystem) -> RecordingLedger {
        RecordingLedger(
          reading: RecordingLedger.path(dataset: dataset, backend: name),
          from: files
        )
      }
      change.add(
        ledger(here.plan.datasetPath, files),
        since: ledger(there.plan.datasetPath, otherFiles)
      )
    }
    return change
  }

  /// Pairs the candidates' columns of both sides by backend.
  ///
  /// If each side has one backend, the two are paired even if their names differ.
  private func columns(
    _ candidate: SuitePlan,
    _ now: [Trial],
    _ base: SuitePlan,
    _ before: [Trial]
  ) -> [(base: ConfigurationComparer.Side, candidate: ConfigurationComparer.Side)] {
    candidate.candidates.compactMap { column in
      let isOnly = candidate.backends.count == 1 && base.backends.count == 1
      guard
        let other = base.candidates.first(where: { $0.backend == column.backend })
          ?? (isOnly ? base.candidates.first : nil)
      else { return nil }
      let earlier = side(base, other, before, name: "\(other.prompt) \(names.there)", nil)
      let later = side(
        candidate,
        column,
        now,
        name: "\(column.prompt) \(names.here)",
        earlier,
        since: base.prompts.last?.version
      )
      return (earlier, later)
    }
  }

  private func side(
    _ plan: SuitePlan,
    _ column: Column,
    _ trials: [Trial],
    name: String,
    _ base: ConfigurationComparer.Side?,
    since prompt: LoggedRun.PromptVersion? = nil
  ) -> ConfigurationComparer.Side {
    let own = trials.filter { $0.backend == column.backend }
    let counted = Pairing.Side(
      trials: there.policy.counted(own),
      scorers: plan.scorerDigests
    )
    var pairing = base.map { Pairing(baseline: $0.counted, candidate: counted) }
    pairing?.markUnattributed(in: plan, column, since: prompt)
    // The old gates ignore added cases. Removed or edited cases count as lost, so that deleting
    // failing cases cannot make a change pass.
    let decider = Decider(
      pairing?.candidate ?? counted.trials,
      against: pairing,
      rule: there.policy.rule,
      filtered: here.plan.filtered
    )
    let result = ColumnResult(
      prompt: column.prompt,
      promptPath: plan.prompts.last?.path.description ?? "",
      backend: column.backend,
      isCandidate: true,
      trials: own,
      metrics: ColumnResult.metrics(SuiteMetrics(plan.scorers).all, of: counted.trials),
      gates: there.policy.decisions(on: there.conditions.gates, by: decider),
      goals: [],
      quarantine: there.policy.quarantine,
      evidence: Evidence(plan, stores: [:], baselines: [:]),
      outputs: plan.outputs[column.backend]?.source
    )
    return ConfigurationComparer.Side(name: name, column: result, counted: counted)
  }
}
