package import Sluice

/// Trials that contain only what statistics use.
package enum StatisticsTrials {
  package static func trial(
    _ caseID: String,
    _ outcome: Trial.Outcome = .passed,
    tags: [String] = [],
    repetition: Int = 1,
    scores: [Trial.NamedScore] = [],
    output: Trial.Output? = nil
  ) -> Trial {
    Trial(
      caseID: caseID,
      caseDigest: "",
      tags: tags,
      prompt: "v1",
      backend: "fast",
      repetition: repetition,
      requestKey: "",
      outcome: outcome,
      scores: scores,
      output: output
    )
  }

  /// Returns the trials of a case, one per letter: passed, failed or lost.
  package static func trials(_ caseID: String, _ letters: String, tags: [String] = []) -> [Trial] {
    letters.enumerated().map { index, letter in
      let outcome: Trial.Outcome = letter == "p" ? .passed : letter == "f" ? .failed : loss
      return trial(caseID, outcome, tags: tags, repetition: index + 1)
    }
  }

  /// Returns one case per letter: passed, failed or lost.
  package static func cases(_ letters: String) -> [Trial] {
    letters.enumerated().flatMap { trials("case-\($0)", String($1)) }
  }

  package static let loss = Trial.Outcome.lost(.unscored("regex: pattern too expensive"))

  /// Returns the trials of cases with scores of the scorer `s`; each case has its own list.
  package static func scored(_ cases: [[JSONObject?]]) -> [Trial] {
    cases.enumerated().flatMap { index, repetitions in
      repetitions.enumerated().map { repetition, measurements in
        trial(
          "case-\(index)",
          repetition: repetition + 1,
          scores: measurements.map {
            [.init(name: "s", score: Score(.passed, explanation: "", measurements: $0))]
          } ?? []
        )
      }
    }
  }

  /// Returns a lost trial with the measurements that its case alone determines.
  package static func lost(_ caseID: String, given: JSONObject, repetition: Int = 1) -> Trial {
    let score = Score(.unscored, explanation: "", measurements: given)
    return trial(caseID, loss, repetition: repetition, scores: [.init(name: "s", score: score)])
  }

  /// Returns one case per answer.
  package static func answered(_ outputs: [Trial.Output]) -> [Trial] {
    outputs.enumerated().map { trial("case-\($0)", output: $1) }
  }

  package static func output(
    cost: Double? = nil,
    usage: TokenUsage? = nil,
    milliseconds: Double? = nil
  ) -> Trial.Output {
    Trial.Output(
      ModelResponse(text: "", usage: usage, timings: ResponseTimings(total: milliseconds)),
      cost: cost
    )
  }
}
