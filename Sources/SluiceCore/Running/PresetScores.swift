import SluiceSupport

/// The sheets that the ready scores of a suite's scorers make together, each made once.
final class PresetScores: Sendable {
  /// What a trial gets whose answer was scored so.
  final class Judgement: Sendable {
    let outcome: Trial.Outcome
    /// The scores without their explanations.
    let sheet: ScoreSheet
    /// The scores as a line of the run log has them.
    let json: [UInt8]
    /// The member `outcome` of a line, with a comma before it.
    let outcomeMember: [UInt8]

    init(_ scores: [Trial.NamedScore], _ sheets: ScoreSheets) {
      outcome = TrialJudge.outcome(scores)
      var (json, key): ([UInt8], [UInt8]) = ([], [])
      Trial.NamedScore.append(scores, to: &json, key: &key)
      self.json = json
      sheet = sheets.unexplained(scores, key: key)
      outcomeMember = Array(",\"outcome\":\"\(outcome.name)\"".utf8)
    }
  }

  /// How many ready scores each scorer has.
  let counts: [Int]
  private let scorers: [(name: String, scores: [Score])]
  private let sheets: ScoreSheets
  private let judgements: Locked<[Judgement?]>
  /// Up to how many sheets there is a place for each.
  private static let limit = 4_096

  /// Prepares the sheets of some scorers; nil where there are too many, or none.
  init?(_ scorers: [(name: String, scores: [Score])], _ sheets: ScoreSheets) {
    counts = scorers.map(\.scores.count)
    let product = counts.reduce(1) { min($0 * $1, Self.limit + 1) }
    guard (1...Self.limit).contains(product) else { return nil }
    self.scorers = scorers
    self.sheets = sheets
    judgements = Locked(Array(repeating: nil, count: product))
  }

  /// The judgement of a number: the places of the scores among those of their scorers, the last
  /// counting one by one.
  func judgement(_ number: Int) -> Judgement? {
    judgements.withLock { judgements in
      guard judgements.indices.contains(number) else { return nil }
      if let known = judgements[number] { return known }
      var rest = number
      var scores: [Trial.NamedScore] = []
      for scorer in scorers.reversed() {
        scores.append(
          Trial.NamedScore(name: scorer.name, score: scorer.scores[rest % scorer.scores.count])
        )
        rest /= scorer.scores.count
      }
      // A trial that is lost says why in its line.
      let judgement = Judgement(scores.reversed(), sheets)
      if case .lost = judgement.outcome { return nil }
      judgements[number] = judgement
      return judgement
    }
  }
}
