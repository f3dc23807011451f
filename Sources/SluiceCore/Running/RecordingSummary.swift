package import SluiceSupport

/// A summary of the recordings that answered the trials of a suite, and of the missing recordings.
package struct RecordingSummary: Hashable, Sendable {
  /// The trials without a recording, by reason, in suite order.
  package var misses: [MissGroup] = []
  /// The answers for which a verdict is not recorded, by scorer and reason, in suite order.
  package var verdictMisses: [VerdictMissGroup] = []
  /// The number of judges' recordings that were not accepted.
  package var unacceptedVerdicts = 0
  /// The number of trials whose answer comes from a recording that was not accepted.
  package var unaccepted = 0
  /// True if an answer or verdict that was not accepted comes from a pending set.
  ///
  /// False if all answers and verdicts that were not accepted come from scratch recordings.
  package var hasPending = false
  /// The answers that are so old that they cause a warning.
  package var old: Old?
  /// The numbers of sets recorded so far, for all backends of the suite.
  package var sets = Sets()
  /// The damaged or missing files whose recordings would have been used.
  package var faults: [Fault] = []

  /// A recordings file that is damaged or missing.
  package struct Fault: Hashable, Sendable {
    package var path: String
    package var isMissing: Bool
    /// The number of the first damaged line.
    ///
    /// Nil if the number is unknown, or if no line is damaged.
    package var line: Int?
  }

  /// Trials whose recordings are missing for the same reason.
  package struct MissGroup: Hashable, Sendable {
    package var reason: String
    package var count: Int
    package var prompt: String
    package var backend: String
    /// The case of the first trial.
    package var testCase: String
    /// The recording that is most similar to the request of the first trial, if there is one.
    package var nearest: Nearest?

    package struct Nearest: Hashable, Sendable {
      package var day: String
      package var testCase: String
      package var prompt: String
      package var difference: RequestDifference
      /// The former name of the backend, if nothing else in the request changed; nil otherwise.
      package var formerBackend: String?
    }
  }

  /// Answers whose verdicts are missing for the same reason.
  package struct VerdictMissGroup: Hashable, Sendable {
    package var scorer: String
    package var reason: String
    package var count: Int
    /// The case of the first answer.
    package var testCase: String
  }

  package struct Old: Hashable, Sendable {
    package var count: Int
    /// The date of the oldest answer.
    package var oldest: String
    /// The date before which answers cause a warning.
    package var limit: String
  }

  /// The numbers of answer sets.
  package struct Sets: Hashable, Sendable {
    package var accepted = 0
    package var rejected = 0
    /// The number of answers that were requested again before they were accepted.
    package var askedAgain = 0
  }

  package init() {}

  /// Explains the trials that have no recording, and counts the trials whose recording was not
  /// accepted.
  package init(_ trials: [Trial], plan: SuitePlan, stores: [String: RecordingStore]) {
    let answering = Set(plan.backends.map(\.name))
    for judge in plan.judges where !answering.contains(judge.name) {
      unacceptedVerdicts += stores[judge.name]?.unacceptedCount ?? 0
      if stores[judge.name]?.file(.pending) != nil { hasPending = true }
    }
    addVerdictMisses(of: trials)
    let hasUnaccepted = stores.values.contains { $0.unacceptedCount > 0 }
    var places: [MissGroup.Key: Int] = [:]
    for (index, trial) in trials.enumerated() {
      if case .lost(.noRecording(let miss)) = trial.outcome {
        let key = MissGroup.Key(
          reason: miss.message,
          prompt: trial.prompt,
          backend: trial.backend
        )
        if let place = places[key] {
          misses[place].count += 1
        } else {
          places[key] = misses.count
          misses.append(
            MissGroup(
              reason: key.reason,
              count: 1,
              prompt: key.prompt,
              backend: key.backend,
              testCase: trial.caseID,
              nearest: Self.nearest(miss, plan, plan.slot(index), stores)
            )
          )
          add(Self.fault(miss, RecordingFile.path(dataset: plan.datasetPath, backend: key.backend)))
        }
      } else if hasUnaccepted, !trial.isLost {
        let slot = Recording.Slot(key: trial.requestKey, repetition: trial.repetition)
        if let layer = stores[trial.backend]?.layer(slot), layer.kind != .accepted {
          unaccepted += 1
          if layer.kind == .pending { hasPending = true }
        }
      }
    }
  }

  /// Returns the reason why a trial has no recording, with the most similar recording.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: The index of the trial in the plan.
  ///   - plan: The suite.
  ///   - stores: The recordings, by backend.
  /// - Returns: The reason; nil if the trial has a recording.
  package static func group(
    of trial: Trial,
    at index: Int,
    _ plan: SuitePlan,
    _ stores: [String: RecordingStore]
  ) -> MissGroup? {
    guard case .lost(.noRecording(let miss)) = trial.outcome else { return nil }
    return MissGroup(
      reason: miss.message,
      count: 1,
      prompt: trial.prompt,
      backend: trial.backend,
      testCase: trial.caseID,
      nearest: nearest(miss, plan, plan.slot(index), stores)
    )
  }

  private mutating func add(_ fault: Fault?) {
    guard let fault, !faults.contains(where: { $0.path == fault.path }) else { return }
    faults.append(fault)
  }

  /// Returns the file that caused a miss; nil if no damaged or missing file caused it.
  private static func fault(_ miss: RecordingMiss, _ path: ProjectPath) -> Fault? {
    switch miss.reason {
    case .fileMissing(let path): return Fault(path: path, isMissing: true)
    case .lostPart: return Fault(path: path.description, isMissing: false)
    case .damaged(let path, let line): return Fault(path: path, isMissing: false, line: line)
    // Other problems, such as two answers to one request, would also occur with another copy of the
    // file.
    case .unusable, .newCase, .usedUp, .changed, .expired, .noRow: return nil
    }
  }

  private mutating func addVerdictMisses(of trials: [Trial]) {
    for trial in trials where trial.hasUncommonFields {
      for work in trial.output?.judging ?? [] {
        guard let reason = work.miss else { continue }
        let place = verdictMisses.firstIndex { $0.scorer == work.scorer && $0.reason == reason }
        if let place {
          verdictMisses[place].count += 1
        } else {
          verdictMisses.append(
            VerdictMissGroup(
              scorer: work.scorer,
              reason: reason,
              count: 1,
              testCase: trial.caseID
            )
          )
        }
      }
    }
  }

  private static func nearest(
    _ miss: RecordingMiss,
    _ plan: SuitePlan,
    _ slot: SuitePlan.TrialIndex,
    _ stores: [String: RecordingStore]
  ) -> MissGroup.Nearest? {
    guard case .changed = miss.reason, let request = try? plan.request(slot),
      let nearest = MissExplainer(stores).nearest(to: request, hints: plan.hints(slot))
    else { return nil }
    let recording = nearest.recording
    let old = recording.exchange.request
    let difference = RequestDifference(from: old, to: request)
    return MissGroup.Nearest(
      day: recording.exchange.response.date.day,
      testCase: recording.hints.testCase,
      prompt: recording.hints.prompt,
      difference: difference,
      formerBackend: difference.parts.count == 1 && old.backend != request.backend
        ? old.backend : nil
    )
  }

  /// Counts the answers that were recorded before a time.
  package mutating func add(datesOf trials: [Trial], warningBefore moment: Timestamp?) {
    guard let moment else { return }
    let limit = moment.iso8601
    let dates = trials.compactMap { $0.output?.provenance.since }.filter { $0 < limit }
    guard let oldest = dates.min() else { return }
    old = Old(count: dates.count, oldest: String(oldest.prefix(10)), limit: moment.day)
  }

  /// Counts the sets of a ledger.
  package mutating func add(_ ledger: RecordingLedger) {
    sets.accepted += ledger.sets.count { $0.state == .accepted }
    sets.rejected += ledger.sets.count { $0.state == .rejected }
    sets.askedAgain += ledger.sets.reduce(0) { $0 + $1.askedAgain }
  }
}

extension RecordingSummary.MissGroup {
  fileprivate struct Key: Hashable {
    var reason: String
    var prompt: String
    var backend: String
  }
}
