/// Turns responses into trials.
struct TrialJudge: Sendable {
  let plan: SuitePlan

  /// The trial of an answer.
  func judged(_ response: ModelResponse, _ slot: SuitePlan.Slot, key: DigestText) -> Trial {
    let planned = plan.cases[slot.testCase]
    let testCase = planned.testCase
    let answer = Answer(response)
    var scores: [Trial.NamedScore] = []
    scores.reserveCapacity(plan.scorers.count + planned.assertions.count)
    for bounds in [plan.scorers, planned.assertions] {
      for bound in bounds {
        let score = bound.scorer.score(answer, for: testCase)
        scores.append(Trial.NamedScore(name: bound.name, score: score))
      }
    }
    // Where no scorer had anything to do with it, the trial would fail without a reason.
    if let flaw = answer.flaw, !scores.contains(where: \.score.isUnusable) {
      scores.append(Trial.NamedScore(name: "answer", score: .unusable(flaw)))
    }
    let outcome: Trial.Outcome
    if let unscored = scores.first(where: { $0.score.outcome == .unscored }) {
      outcome = .lost(.unscored("\(unscored.name): \(unscored.score.explanation)"))
    } else if scores.contains(where: { $0.score.outcome == .failed }) {
      outcome = .failed
    } else {
      outcome = .passed
    }
    var trial = empty(slot, key: key, outcome)
    trial.scores = scores
    let model = response.provenance.model ?? ""
    trial.output = Trial.Output(response, cost: plan.prices.cost(of: response.usage, model: model))
    return trial
  }

  /// The trial of a request that got no answer.
  func lost(_ loss: Trial.Loss, _ slot: SuitePlan.Slot, key: DigestText) -> Trial {
    var trial = empty(slot, key: key, .lost(loss))
    let testCase = plan.cases[slot.testCase].testCase
    trial.scores = plan.scorers.map { bound in
      Trial.NamedScore(
        name: bound.name,
        score: Score(
          .unscored,
          explanation: loss.message,
          measurements: bound.scorer.given(testCase)
        )
      )
    }
    return trial
  }

  private func empty(
    _ slot: SuitePlan.Slot,
    key: DigestText,
    _ outcome: Trial.Outcome
  ) -> Trial {
    let stored = plan.cases[slot.testCase].stored
    var trial = Trial(
      caseID: stored.id,
      caseDigest: "",
      tags: stored.labels.tags,
      split: stored.labels.split,
      cluster: stored.labels.cluster,
      prompt: plan.prompts[slot.prompt].name,
      backend: plan.backends[slot.backend].name,
      repetition: slot.repetition,
      requestKey: "",
      outcome: outcome,
      scores: []
    )
    trial.storedCaseDigest = DigestText(stored.digest)
    trial.storedRequestKey = key
    return trial
  }
}

extension SuitePlan {
  /// A trial for each case that is not answered yet, with what the case alone decides of its scores.
  package var unansweredTrials: [Trial] {
    guard !prompts.isEmpty, !backends.isEmpty else { return [] }
    let judge = TrialJudge(plan: self)
    return cases.indices.map { index in
      let slot = Slot(testCase: index, prompt: prompts.count - 1, backend: 0, repetition: 1)
      return judge.lost(.told("not asked yet"), slot, key: "")
    }
  }
}
