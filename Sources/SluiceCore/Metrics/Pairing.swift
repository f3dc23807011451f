import SluiceSupport

/// The trials of a baseline and a candidate, paired by case.
///
/// A case is not compared if its input or expectation changed, or if it was removed. The trials of
/// such a case count as lost on both sides. If a verdict depends on the results that these trials
/// might have had, there is no verdict.
package struct Pairing: Sendable {
  /// One side of a comparison.
  package struct Side: Sendable {
    /// The trials, in suite order.
    package var trials: [Trial]
    /// The digests of the suite's scorers, by name.
    package var scorers: [String: String]

    package init(trials: [Trial], scorers: [String: String]) {
      self.trials = trials
      self.scorers = scorers
    }

    /// Returns true if the scores of a scorer are advisory; nil if no trial contains a score of
    /// this scorer.
    fileprivate func isAdvisory(_ name: String) -> Bool? {
      guard scorers[name] != nil else { return nil }
      // The first trial nearly always contains a score of this scorer.
      for trial in trials {
        for named in trial.scores where named.name == name { return named.score.isAdvisory }
      }
      return nil
    }
  }

  /// The baseline's trials in the order of the candidate's cases, followed by removed cases.
  ///
  /// The trials of changed and removed cases are marked as lost. Added cases are left out.
  package private(set) var baseline: [Trial] = []
  /// The candidate's trials, in the same order of cases as ``baseline``.
  package private(set) var candidate: [Trial] = []
  /// The ids of the changed cases.
  package private(set) var changed: [String] = []
  /// The ids of the cases that only the candidate contains.
  package private(set) var added: [String] = []
  /// The ids of the cases that only the baseline contains.
  package private(set) var removed: [String] = []
  /// The changed scorers that affect outcomes.
  ///
  /// A scorer counts as changed if it exists on one side only.
  package let changedScorers: [String]
  /// The changed scorers that are advisory.
  ///
  /// Outcomes do not depend on advisory scorers.
  package let changedAdvisoryScorers: [String]
  /// True if all cases are compared, no trial is lost, and all answers are identical.
  package private(set) var isIdentical = false
  /// The ids of the cases whose tags or cluster differ between the sides.
  ///
  /// The tags and the cluster of the candidate are used.
  package private(set) var resliced: [String] = []
  /// The smallest number of answers compared, among the cases that have fewer answers on one side.
  ///
  /// Nil if each case has the same number of answers on both sides.
  package private(set) var shortenedTo: Int?
  /// The ids of the cases whose answer may belong to an earlier prompt, because the answer does not
  /// name its prompt.
  package internal(set) var unattributed: [String] = []
  /// The cases whose outcome changed, or whose wrong answer changed to another wrong answer.
  package private(set) var flips: [(caseID: String, flip: OutcomeFlip)] = []

  package init(baseline: Side, candidate: Side) {
    (changedScorers, changedAdvisoryScorers) = Self.changedScorers(baseline, candidate)
    let earlier = CaseGroups(baseline.trials)
    let later = CaseGroups(candidate.trials)
    var places = earlier.placesByID()
    self.baseline.reserveCapacity(candidate.trials.count)
    self.candidate.reserveCapacity(candidate.trials.count)
    var isIdentical = true
    for now in later {
      guard let first = now.first else { continue }
      guard let before = places.removeValue(forKey: first.caseID).map({ earlier[$0] }) else {
        added.append(first.caseID)
        continue
      }
      guard before.first?.caseVersion == first.caseVersion else {
        changed.append(first.caseID)
        let given = Self.given(before.first ?? first, first)
        self.baseline += Self.lost(before, like: first, given, "the case changed")
        self.candidate += Self.lost(now, like: first, given, "the case changed")
        continue
      }
      // Repeats are compared in pairs, so the same number of answers is used on both sides.
      let answers = min(before.count, now.count)
      if before.count != now.count { shortenedTo = min(shortenedTo ?? answers, answers) }
      if before.first.map({ ($0.tags, $0.cluster) != (first.tags, first.cluster) }) == true {
        resliced.append(first.caseID)
      }
      let (old, new) = (before.prefix(answers), now.prefix(answers))
      for trial in old { self.baseline.append(Self.sliced(trial, like: first)) }
      self.candidate += new
      isIdentical = isIdentical && Self.isSame(old, new)
      if let flip = Self.flip(old, new) { flips.append((first.caseID, flip)) }
    }
    for before in earlier {
      // Only cases that the candidate does not contain are still in `places`.
      guard let first = before.first, places[first.caseID] != nil else { continue }
      removed.append(first.caseID)
      let given = Self.given(first, first)
      self.baseline += Self.lost(before, like: first, given, "the case was removed")
      self.candidate += Self.lost(before, like: first, given, "the case was removed")
    }
    self.isIdentical =
      isIdentical && shortenedTo == nil && changed.isEmpty && removed.isEmpty
      && !self.candidate.isEmpty
  }

  /// True if some cases cannot be compared, because they were changed or removed.
  package var hasMismatches: Bool { !changed.isEmpty || !removed.isEmpty }

  /// Returns the changed scorers that affect a metric.
  package func changedScorers(of metric: Metric) -> [String] {
    switch metric.kind {
    case .accuracy, .assertionRate, .ofRepeats, .unusableRate: changedScorers
    case .passRate(let scorer), .scorer(let scorer, _):
      (changedScorers + changedAdvisoryScorers).filter { $0 == scorer }
    case .fallbackRate, .series: []
    }
  }

  /// Returns the changed scorers.
  ///
  /// Scorers that are advisory on both sides are listed separately from scorers that affect
  /// outcomes.
  private static func changedScorers(_ baseline: Side, _ candidate: Side)
    -> (deciding: [String], advisory: [String])
  {
    var (deciding, advisory): ([String], [String]) = ([], [])
    for name in Set(baseline.scorers.keys).union(candidate.scorers.keys).sorted() {
      let roles = [baseline, candidate].compactMap { $0.isAdvisory(name) }
      // A scorer that becomes advisory, or stops being advisory, changes outcomes even if its
      // digest is the same.
      guard baseline.scorers[name] != candidate.scorers[name] || Set(roles).count > 1 else {
        continue
      }
      if !roles.isEmpty, roles.allSatisfy(\.self) {
        advisory.append(name)
      } else {
        deciding.append(name)
      }
    }
    return (deciding, advisory)
  }

  /// Returns a trial with the tags and the cluster of another trial.
  ///
  /// Tags and clusters do not affect answers.
  private static func sliced(_ trial: Trial, like other: Trial) -> Trial {
    if trial.facts.labels == other.facts.labels { return trial }
    var trial = trial
    trial.facts.labels = other.facts.labels
    return trial
  }

  /// Returns the scores of a changed case, as far as they are known without an answer.
  ///
  /// A case is marked as positive or clean if either side marks it. Otherwise, relabeling a wrongly
  /// flagged clean case would hide a false positive.
  private static func given(_ before: Trial, _ now: Trial) -> [Trial.NamedScore] {
    let earlier = Dictionary(before.scores.map { ($0.name, $0.score) }) { first, _ in first }
    return now.scores.map { named in
      var members: JSONObject = [:]
      let old = earlier[named.name]?.measurements ?? named.score.measurements
      for name in RateRule.caseMeasurements.sorted() {
        switch (old[name], named.score.measurements[name]) {
        case (.bool(let before), .bool(let now)): members[name] = .bool(before || now)
        case (let before?, let now?) where before == now: members[name] = now
        default: break
        }
      }
      return Trial.NamedScore(
        name: named.name,
        score: Score(.unscored, explanation: "", measurements: members)
      )
    }
  }

  private static func lost(
    _ trials: ArraySlice<Trial>,
    like other: Trial,
    _ given: [Trial.NamedScore],
    _ reason: String
  ) -> [Trial] {
    trials.prefix(1).map { trial in
      var trial = sliced(trial, like: other)
      trial.outcome = .lost(.incomparable(reason))
      trial.scores = given
      for index in trial.scores.indices { trial.scores[index].score.explanation = reason }
      trial.output = nil
      return trial
    }
  }

  private static func isSame(_ before: ArraySlice<Trial>, _ now: ArraySlice<Trial>) -> Bool {
    zip(before, now).allSatisfy { before, now in
      guard let old = before.output, let new = now.output else { return false }
      return old.storedDigest == new.storedDigest && old.finishReason == new.finishReason
        && before.outcome == now.outcome && !now.isLost
    }
  }

  private static func flip(_ before: ArraySlice<Trial>, _ now: ArraySlice<Trial>)
    -> OutcomeFlip?
  {
    func passes(_ trials: ArraySlice<Trial>) -> Bool? {
      MetricDefinition.RepetitionRule.majority.holds(
        trials.compactMap(\.isPassed)
      )
    }
    switch (passes(before), passes(now)) {
    case (true, false): return .harmful
    case (false, true): return .beneficial
    case (false, false):
      // The order of repeats does not matter.
      return Set(before.map(\.output?.storedDigest)) == Set(now.map(\.output?.storedDigest))
        ? nil : .wrongToWrong
    default: return nil
    }
  }
}

/// Trials grouped by case, in the order in which the cases first appear.
private struct CaseGroups: RandomAccessCollection {
  private var trials: [Trial]
  /// The index of the first trial of each group, and the number of trials at the end.
  private var starts: [Int] = []

  init(_ trials: [Trial]) {
    self.trials = trials
    if setStarts() { return }
    // The trials of some cases are not adjacent, so the trials of each case are collected.
    var order: [String: Int] = [:]
    for trial in trials where order[trial.caseID] == nil { order[trial.caseID] = order.count }
    let ranked = trials.map { (rank: order[$0.caseID] ?? 0, trial: $0) }
    // The sort is stable.
    self.trials = ranked.sorted { $0.rank < $1.rank }.map(\.trial)
    _ = setStarts()
  }

  /// Finds the groups; returns false if the trials of a case are not adjacent.
  private mutating func setStarts() -> Bool {
    starts = []
    var seen: Set<String> = []
    for (index, trial) in trials.enumerated()
    where index == 0 || trials[index - 1].caseID != trial.caseID {
      guard seen.insert(trial.caseID).inserted else { return false }
      starts.append(index)
    }
    starts.append(trials.count)
    return true
  }

  var startIndex: Int { 0 }
  var endIndex: Int { starts.count - 1 }

  subscript(index: Int) -> ArraySlice<Trial> { trials[starts[index]..<starts[index + 1]] }

  /// Returns the index of each group, by the id of the group's case.
  func placesByID() -> [String: Int] {
    var places: [String: Int] = [:]
    for (index, group) in enumerated() {
      if let first = group.first { places[first.caseID] = index }
    }
    return places
  }
}

/// The change of a case's outcome between the baseline and the candidate.
public enum OutcomeFlip: String, Hashable, Sendable, CaseIterable {
  /// The case passed before and fails now.
  case harmful
  /// The case failed before and passes now.
  case beneficial
  /// The case failed before and fails now, with another answer.
  case wrongToWrong = "wrong-to-wrong"
}
