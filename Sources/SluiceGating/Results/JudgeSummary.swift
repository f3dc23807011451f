public import SluiceCore

/// What a judge did for a run of a suite; what it cost is no part of the suite's own cost.
public struct JudgeSummary: Hashable, Sendable {
  /// The name of the judge's backend.
  public var backend: String
  /// How many requests it answered.
  public var requests: Int
  /// The tokens of requests and answers; nil where a server did not count.
  public var tokens: Int?
  /// What they cost in US dollars; nil when unknown.
  public var cost: Double?
  /// For how many answers a verdict is not recorded.
  public var missing: Int
  /// Who judged, each once, in the order of first appearance.
  public var provenances: [Provenance]

  /// What the judges did for some trials, in the order of first appearance.
  static func all(of trials: some Sequence<Trial>) -> [JudgeSummary] {
    var summaries: [JudgeSummary] = []
    for trial in trials where trial.hasRarities {
      for work in trial.output?.judging ?? [] {
        let place = summaries.firstIndex { $0.backend == work.backend } ?? summaries.count
        if place == summaries.count {
          summaries.append(
            JudgeSummary(
              backend: work.backend,
              requests: 0,
              tokens: 0,
              cost: 0,
              missing: 0,
              provenances: []
            )
          )
        }
        summaries[place].add(work)
      }
    }
    return summaries
  }

  private mutating func add(_ work: JudgeWork) {
    if work.miss != nil { missing += 1 }
    if work.requests == 0 { return }
    requests += work.requests
    tokens = tokens.flatMap { sum in work.usage?.total.map { sum + $0 } }
    cost = cost.flatMap { sum in work.cost.map { sum + $0 } }
    guard let provenance = work.provenance?.toTheDay else { return }
    if !provenances.contains(provenance) { provenances.append(provenance) }
  }
}

/// The answers about which a judge was asked and gave no verdict that can be read.
public struct UnreadableVerdicts: Hashable, Sendable {
  /// The name of the scorer that asked.
  public var scorer: String
  /// The number of answers without a verdict.
  public var count = 0
  /// The number of answers that the judge was asked about.
  public var asked = 0
  /// The case of the first of them.
  public var caseID = ""
  /// The first reply that is not a verdict.
  public var first: JudgeWork.UnreadableReply?

  /// The judges that gave unreadable verdicts, in the order of first appearance.
  static func all(of trials: some Sequence<Trial>) -> [UnreadableVerdicts] {
    var found: [UnreadableVerdicts] = []
    for trial in trials where trial.hasRarities {
      for work in trial.output?.judging ?? [] where work.miss == nil {
        let place = found.firstIndex { $0.scorer == work.scorer } ?? found.count
        if place == found.count { found.append(UnreadableVerdicts(scorer: work.scorer)) }
        found[place].asked += 1
        guard let reply = work.unreadable else { continue }
        if found[place].count == 0 {
          found[place].caseID = trial.caseID
          found[place].first = reply
        }
        found[place].count += 1
      }
    }
    return found.filter { $0.count > 0 }
  }
}
