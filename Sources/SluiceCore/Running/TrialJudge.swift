import SluiceSupport

/// The scorers of a suite, prepared to score responses and create their trials.
package struct TrialJudge: Sendable {
  let plan: SuitePlan
  private let origins = AnswerOrigins()
  /// The suite's scorers with their names.
  ///
  /// Data that is needed only for digests is left out.
  private let scorers: [Entry]
  /// True if a scorer of the suite asks questions.
  let asks: Bool
  /// The columns of all prompts and backends.
  private let columns: [Column]

  package init(plan: SuitePlan) {
    self.plan = plan
    scorers = plan.scorers.map(Entry.init)
    asks = scorers.contains { $0.asking != nil }
    columns = plan.columns
  }

  /// A scorer with the properties that are needed for every trial.
  private final class Entry: Sendable {
    let name: String
    let scorer: any SuiteScorer
    /// The scorer, if it is one that asks questions.
    let asking: (any AskingScorer)?
    /// The assertion, if it contains templates that each case fills in.
    let template: Assertion?
    let isAdvisory: Bool
    let extraction: Extraction?
    let selection: CaseSelection?

    init(_ bound: BoundScorer) {
      name = bound.name
      scorer = bound.scorer
      asking = bound.scorer as? any AskingScorer
      template = (bound.scorer as? Assertion).flatMap { $0.isTemplated ? $0 : nil }
      isAdvisory = bound.isAdvisory
      extraction = bound.extraction
      selection = bound.selection
    }

    func applies(to testCase: TestCase) -> Bool { selection?.contains(testCase) ?? true }

    /// Returns the scorer, filled in with the values of a case.
    func scorer(for testCase: TestCase) -> any SuiteScorer {
      template?.bound(to: testCase) ?? scorer
    }
  }

  /// Returns the questions of all scorers about an answer.
  func inquiry(_ answer: Answer, _ testCase: TestCase) -> ScorerInquiry {
    var inquiry = ScorerInquiry()
    for (place, entry) in scorers.enumerated()
    where entry.applies(to: testCase)
      && (answer.substitute == nil || !entry.scorer.traits.needsText)
    {
      let questions =
        entry.asking?.questions(
          about: entry.extraction?.answer(from: answer) ?? answer,
          for: testCase
        ) ?? []
      if !questions.isEmpty {
        inquiry.entries.append(ScorerInquiry.Entry(place: place, questions: questions))
      }
    }
    return inquiry
  }

  /// Returns an answer in the form in which scorers receive it.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - slot: The trial.
  ///   - testCase: The case, if it was already read; nil to read it.
  /// - Returns: The answer, with the settings that determine whether it is usable.
  func answer(
    _ response: ModelResponse,
    _ slot: SuitePlan.TrialIndex,
    _ testCase: TestCase? = nil
  ) -> Answer {
    var response = response
    if plan.backends[slot.backend].hasMeaninglessTimes {
      response.provenance.hasMeaninglessTimes = true
    }
    // An answer from an outputs file has no price, but the file may state its cost. For the answer
    // of a stand-in, scorers see both the cost and the times.
    let model = plan.backends[slot.backend].model ?? ""
    return Answer(
      response,
      cost: response.origin.hasPrice
        ? plan.prices.cost(of: response, asking: model) : response.reportedCost,
      wanting: Answer.isUsableOnlyIfAccepted(response) ? wantedParts(slot, testCase) : []
    )
  }

  /// Returns the parts of an answer, other than text, that the scorers of a trial's case accept.
  private func wantedParts(_ slot: SuitePlan.TrialIndex, _ testCase: TestCase?) -> Set<AnswerPart> {
    let testCase = testCase ?? plan.cases[slot.testCase].testCase
    return AnswerPart.wanted(
      by: scorers.filter { $0.applies(to: testCase) }.map { $0.scorer(for: testCase) }
        + plan.cases[slot.testCase].assertions.map(\.scorer),
      takesEmptyAnswers: plan.takesEmptyAnswers
    )
  }

  /// Returns the trial of an answer about which scorers ask no questions.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - slot: The trial.
  ///   - key: The key of the request.
  ///   - testCase: The case, if it was already read; nil to read it.
  /// - Returns: The trial with its scores.
  package func judged(
    _ response: ModelResponse,
    _ slot: SuitePlan.TrialIndex,
    key: DigestText,
    testCase: TestCase? = nil
  ) -> Trial {
    let testCase = testCase ?? plan.cases[slot.testCase].testCase
    return judged(
      answer(response, slot, testCase),
      slot,
      key: key,
      testCase: testCase,
      ScorerInquiry()
    )
  }

  /// Returns the trial of an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - slot: The trial.
  ///   - key: The key of the request.
  ///   - testCase: The case.
  ///   - inquiry: The questions about the answer, with their replies.
  /// - Returns: The trial with its scores.
  func judged(
    _ answer: Answer,
    _ slot: SuitePlan.TrialIndex,
    key: DigestText,
    testCase: TestCase,
    _ inquiry: ScorerInquiry
  ) -> Trial {
    let assertions = plan.cases.assertions(slot.testCase)
    let response = answer.response
    var scores: [Trial.NamedScore] = []
    scores.reserveCapacity(scorers.count + assertions.count + 1)
    for (place, entry) in scorers.enumerated() {
      if let selection = entry.selection, !selection.contains(testCase) {
        scores.append(Trial.NamedScore(name: entry.name, score: selection.score))
        continue
      }
      func score(_ answer: Answer) -> Score {
        let scorer = entry.scorer(for: testCase)
        return scorer.scoreWithoutText(answer)
          ?? entry.asking?.score(answer, for: testCase, inquiry: inquiry.replies(place: place))
          ?? scorer.score(answer, for: testCase)
      }
      var found = entry.extraction.map { score($0.answer(from: answer)) } ?? score(answer)
      if entry.isAdvisory { found.isAdvisory = true }
      scores.append(Trial.NamedScore(name: entry.name, score: found))
    }
    if !assertions.isEmpty {
      var demanding = answer
      demanding.demandsText = true
      for bound in assertions {
        let score = bound.score(demanding, for: testCase)
        scores.append(Trial.NamedScore(name: bound.name, score: score))
      }
    }
    let isDecided = scores.contains { !$0.score.isAdvisory && $0.score.outcome != .notApplicable }
    // An unusable answer fails even if no scorer reports its flaw. The flaw is then the reason.
    let isTold = scores.contains { $0.score.isUnusable && !$0.score.isAdvisory }
    if let flaw = answer.flaw, !isTold {
      scores.append(Trial.NamedScore(name: "answer", score: .unusable(flaw)))
    }
    let outcome = isDecided ? Self.outcome(scores) : .unjudged
    let source = origins.origin(response.origin)
    let asked = plan.backends[slot.backend].model ?? ""
    let model = plan.prices.name(of: source.provenance.model, asking: asked)
    let pricing =
      source.hasPrice
      ? plan.prices.pricing(of: response.usage, model: model, tier: response.pricedTier) : nil
    var output = Trial.Output(response, pricing, source: source)
    let works = inquiry.entries.compactMap { entry -> JudgeWork? in
      var work = JudgeWork(scorers[entry.place].name, entry, plan.prices)
      if scores[entry.place].score.outcome == .unscored,
        let judge = scorers[entry.place].scorer as? any JudgeScorer
      {
        work?.noteUnreadable(in: entry, by: judge)
      }
      return work
    }
    if !works.isEmpty { output.judging = works }
    return trial(slot, key: key, outcome, scores, consume output)
  }

  /// Returns the outcome that the scores of an answer determine.
  static func outcome(_ scores: [Trial.NamedScore]) -> Trial.Outcome {
    var outcome = Trial.Outcome.passed
    for named in scores where !named.score.isAdvisory {
      switch named.score.outcome {
      case .unscored: return .lost(.unscored("\(named.name): \(named.score.explanation)"))
      case .failed: outcome = .failed
      case .passed, .notApplicable: break
      }
    }
    return outcome
  }

  /// Returns the trial of a request that has no answer.
  ///
  /// - Parameters:
  ///   - loss: The reason why there is no answer.
  ///   - slot: The trial.
  ///   - key: The key of the request.
  ///   - testCase: The case, if it was already read; nil to read it.
  /// - Returns: The trial. Its scores contain only the measurements that do not depend on an
  ///   answer.
  package func lost(
    _ loss: Trial.Loss,
    _ slot: SuitePlan.TrialIndex,
    key: DigestText,
    testCase: TestCase? = nil
  ) -> Trial {
    let testCase = testCase ?? plan.cases[slot.testCase].testCase
    let scores = plan.scorers.map { bound in
      if let selection = bound.selection, !selection.contains(testCase) {
        return Trial.NamedScore(name: bound.name, score: selection.score)
      }
      var score = Score(
        .unscored,
        explanation: loss.message,
        measurements: bound.scorer.given(testCase)
      )
      score.isAdvisory = bound.isAdvisory
      return Trial.NamedScore(name: bound.name, score: score)
    }
    return trial(slot, key: key, .lost(loss), scores, nil)
  }

  private func trial(
    _ slot: SuitePlan.TrialIndex,
    key: DigestText,
    _ outcome: Trial.Outcome,
    _ scores: [Trial.NamedScore],
    _ output: consuming Trial.Output?
  ) -> Trial {
    let stored = plan.cases.stored(slot.testCase)
    return Trial(
      Trial.Facts(
        caseID: stored.id,
        caseDigest: DigestText(stored.digest),
        labels: stored.labels,
        column: columns[slot.prompt * plan.backends.count + slot.backend],
        repetition: slot.repetition,
        requestKey: key,
        outcome: outcome,
        sheet: ScoreSheet(scores),
        output: output
      )
    )
  }
}

extension SuitePlan {
  /// Returns one trial for each case, without an answer.
  ///
  /// The trials contain the scores that depend only on the case.
  ///
  /// - Parameter limit: The maximum number of cases, counted from the first case. By default, all
  ///   cases are used.
  /// - Returns: The trials, in the order of the cases.
  package func unansweredTrials(first limit: Int = .max) -> [Trial] {
    guard !prompts.isEmpty, !backends.isEmpty else { return [] }
    let judge = TrialJudge(plan: self)
    return cases.indices.prefix(limit).map { index in
      let slot = TrialIndex(testCase: index, prompt: prompts.count - 1, backend: 0, repetition: 1)
      return judge.lost(.stated("not sent yet"), slot, key: "")
    }
  }
}
