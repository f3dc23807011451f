import SluiceSupport

/// The trials of a baseline and of a candidate, paired by case.
///
/// A case that is not the same on both sides, because its input or what is expected changed, or
/// because it went, is not compared. Its trials count as lost on both sides: where what they could have
/// been would change a verdict, there is none.
package struct Pairing: Sendable {
  /// One side of a comparison.
  package struct Side: Sendable {
    /// The trials, in the order of the suite.
    package var trials: [Trial]
    /// The digests of the suite's scorers, by name.
    package var scorers: [String: String]

    package init(trials: [Trial], scorers: [String: String]) {
      self.trials = trials
      self.scorers = scorers
    }

    /// True when the scores of a scorer are only shown; nil where no trial has one.
    fileprivate func isAdvisory(_ name: String) -> Bool? {
      guard scorers[name] != nil else { return nil }
      // Nearly always the first trial tells.
      for trial in trials {
        for named in trial.scores where named.name == name { return named.score.isAdvisory }
      }
      return nil
    }
  }

  /// The trials of the cases on both sides, in the order of the candidate.
  package private(set) var baseline: [Trial] = []
  package private(set) var candidate: [Trial] = []
  /// The cases that changed, by id.
  package private(set) var changed: [String] = []
  /// The cases that only the candidate has.
  package private(set) var added: [String] = []
  /// The cases that only the baseline has.
  package private(set) var removed: [String] = []
  /// The scorers that decide and that only one side has, or that changed.
  package let changedScorers: [String]
  /// The advisory scorers that only one side has, or that changed: outcomes do not depend on them.
  package let changedAdvisoryScorers: [String]
  /// Whether every answer is the same on both sides, none is lost and every case is compared.
  package private(set) var isIdentical = false
  /// The cases whose tags or cluster differ, which are sliced as the candidate's are.
  package private(set) var resliced: [String] = []
  /// How many answers to a case are compared, where one side has more of them; nil where none has.
  package private(set) var shortenedTo: Int?
  /// The cases whose answer may be that of an earlier prompt: nothing says which prompt gave it.
  package internal(set) var unattributed: [String] = []
  /// The cases whose outcome or wrong answer differs.
  package private(set) var flips: [(caseID: String, flip: OutcomeFlip)] = []

  package init(baseline: Side, candidate: Side) {
    (changedScorers, changedAdvisoryScorers) = Self.changedScorers(baseline, candidate)
    let (ids, later) = Self.byCase(candidate.trials)
    let (earlierIDs, earlier) = Self.byCase(baseline.trials)
    var isIdentical = true
    for id in ids {
      let now = later[id] ?? []
      guard let before = earlier[id], let first = now.first else {
        added.append(id)
        continue
      }
      guard before.first?.caseVersion == first.caseVersion else {
        changed.append(id)
        let given = Self.given(before.first ?? first, first)
        self.baseline += Self.lost(before, like: first, given, "the case changed")
        self.candidate += Self.lost(now, like: first, given, "the case changed")
        continue
      }
      // Flips are those of pairs of repeats, so both sides count the same number of answers.
      let answers = min(before.count, now.count)
      if before.count != now.count { shortenedTo = min(shortenedTo ?? answers, answers) }
      if before.first.map({ ($0.tags, $0.cluster) != (first.tags, first.cluster) }) == true {
        resliced.append(id)
      }
      let old = Array(before.prefix(answers))
      let new = Array(now.prefix(answers))
      self.baseline += old.map { Self.sliced($0, like: first) }
      self.candidate += new
      isIdentical = isIdentical && Self.isSame(old, new)
      if let flip = Self.flip(old, new) { flips.append((id, flip)) }
    }
    for id in earlierIDs where later[id] == nil {
      removed.append(id)
      let before = earlier[id] ?? []
      guard let first = before.first else { continue }
      let given = Self.given(first, first)
      self.baseline += Self.lost(before, like: first, given, "the case went")
      self.candidate += Self.lost(before, like: first, given, "the case went")
    }
    self.isIdentical =
      isIdentical && shortenedTo == nil && changed.isEmpty && removed.isEmpty
      && !self.candidate.isEmpty
  }

  /// Whether cases are left out because they are not the same on both sides.
  package var hasMismatches: Bool { !changed.isEmpty || !removed.isEmpty }

  /// The scorers that a metric rests on and that changed.
  package func changedScorers(of metric: Metric) -> [String] {
    switch metric.kind {
    case .accuracy, .assertionRate, .ofRepeats, .unusableRate: changedScorers
    case .passRate(let scorer), .scorer(let scorer, _):
      (changedScorers + changedAdvisoryScorers).filter { $0 == scorer }
    case .fallbackRate, .series: []
    }
  }

  /// The scorers that differ, those that decide apart from those that are advisory on every side.
  private static func changedScorers(_ baseline: Side, _ candidate: Side)
    -> (deciding: [String], advisory: [String])
  {
    var (deciding, advisory): ([String], [String]) = ([], [])
    for name in Set(baseline.scorers.keys).union(candidate.scorers.keys).sorted() {
      let roles = [baseline, candidate].compactMap { $0.isAdvisory(name) }
      // A scorer that starts or stops to decide changes outcomes, whatever its digest.
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

  private static func byCase(_ trials: [Trial]) -> (ids: [String], trials: [String: [Trial]]) {
    var ids: [String] = []
    var found: [String: [Trial]] = [:]
    for trial in trials {
      if found[trial.caseID] == nil { ids.append(trial.caseID) }
      found[trial.caseID, default: []].append(trial)
    }
    return (ids, found)
  }

  /// A trial in the slices of the other side's case: tags and clusters change no answer.
  private static func sliced(_ trial: Trial, like other: Trial) -> Trial {
    if trial.facts.labels == other.facts.labels { return trial }
    var trial = trial
    trial.facts.labels = other.facts.labels
    return trial
  }

  /// What is known of a case that is not the same on both sides: it counts wherever it does on either,
  /// or to relabel a clean case that is flagged would take it out of the false positives.
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
    _ trials: [Trial],
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

  private static func isSame(_ before: [Trial], _ now: [Trial]) -> Bool {
    zip(before, now).allSatisfy { before, now in
      guard let old = before.output, let new = now.output else { return false }
      return old.storedDigest == new.storedDigest && old.finishReason == new.finishReason
        && before.outcome == now.outcome && !now.isLost
    }
  }

  private static func flip(_ before: [Trial], _ now: [Trial]) -> OutcomeFlip? {
    func passes(_ trials: [Trial]) -> Bool? {
      MetricDefinition.RepetitionRule.majority.holds(
        trials.compactMap(\.isPassed)
      )
    }
    switch (passes(before), passes(now)) {
    case (true, false): return .harmful
    case (false, true): return .beneficial
    case (false, false):
      // The order of repeats means nothing.
      return Set(before.map(\.output?.storedDigest)) == Set(now.map(\.output?.storedDigest))
        ? nil : .wrongToWrong
    default: return nil
    }
  }
}

/// How the outcome of a case differs from what it is compared with.
public enum OutcomeFlip: String, Hashable, Sendable, CaseIterable {
  /// Passed before, fails now.
  case harmful
  /// Failed before, passes now.
  case beneficial
  /// Failed before and fails now, with another answer.
  case wrongToWrong = "wrong-to-wrong"
}
