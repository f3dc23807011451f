public import SluiceCore

/// The requests and the cost of a judge in a run of a suite.
///
/// The cost is not part of the suite's own cost.
public struct JudgeSummary: Hashable, Sendable {
  /// The name of the judge's backend.
  public var backend: String
  /// The number of requests that the judge answered.
  public var requests: Int
  /// The tokens of requests and answers, or `nil` if a server did not count them.
  public var tokens: Int?
  /// The cost in US dollars, or `nil` if unknown.
  public var cost: Double?
  /// The number of answers for which no verdict of the judge is recorded.
  public var missing: Int
  /// The models and servers that gave the verdicts, without duplicates, in order of first
  /// appearance.
  public var provenances: [Provenance]

  /// Returns a summary for each judge that some trials used, in order of first appearance.
  static func all(of trials: some Sequence<Trial>) -> [JudgeSummary] {
    var summaries: [JudgeSummary] = []
    for trial in trials where trial.hasUncommonFields {
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

/// The answers for which a scorer's judge did not return a readable verdict.
public struct UnreadableVerdicts: Hashable, Sendable {
  /// The name of the scorer that asked the judge.
  public var scorer: String
  /// The number of answers without a readable verdict.
  public var count = 0
  /// The number of answers that the judge was asked to grade.
  public var asked = 0
  /// The id of the case of the first unreadable verdict.
  public var caseID = ""
  /// The first reply that could not be read.
  public var first: JudgeWork.UnreadableReply?

  /// Returns the judges with unreadable verdicts, in order of first appearance.
  static func all(of trials: some Sequence<Trial>) -> [UnreadableVerdicts] {
    var found: [UnreadableVerdicts] = []
    for trial in trials where trial.hasUncommonFields {
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
