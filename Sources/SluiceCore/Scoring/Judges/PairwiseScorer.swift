import SluiceSupport

/// The scorer `llm-compare`, which asks a judge if the answer is better than a text of the case.
///
/// It asks twice, in both orders, because judges tend to prefer one of the positions (Zheng et al.
/// 2023). If both verdicts name the same text, that text wins. Otherwise the result is a tie.
package struct PairwiseScorer: JudgeScorer {
  package let judge: Judge
  /// The key under `expected:` of the text with which the answer is compared.
  private let key: String

  private static let names = (first: "first", second: "second")
  private static let verdictName = "better"
  private enum Measurement {
    static let (win, loss, tie) = ("win", "loss", "tie")
    static let (flip, unscored) = ("position-flip", "unscored")
  }

  /// The verdict of the judge.
  private enum Better: String, CaseIterable {
    case first, second, tie
  }

  /// The result for the answer.
  private enum End {
    case win, loss, tie
  }

  package init?(_ arguments: ScorerArguments) {
    guard let asking = arguments.whatItAsks(), let fields = arguments.fields() else { return nil }
    let judge = Judge.read(
      fields,
      judging: [Self.names.first, Self.names.second],
      arguments,
      asking
    )
    let key = fields.requiredText("with")
    fields.finish()
    guard let judge, let key else { return nil }
    self.judge = judge
    self.key = key
  }

  private var metrics: [MetricDefinition] {
    func share(_ name: String, _ measurement: String, prefersSmall: Bool = false)
      -> MetricDefinition
    {
      MetricDefinition(
        name,
        .share(of: MetricDefinition.Part(measurement)),
        prefersSmall: prefersSmall
      )
    }
    return [
      share("win-rate", Measurement.win),
      share("loss-rate", Measurement.loss, prefersSmall: true),
      share("tie-rate", Measurement.tie),
      share("position-flip-rate", Measurement.flip, prefersSmall: true),
      share("unscored-rate", Measurement.unscored, prefersSmall: true),
    ]
  }

  package var traits: ScorerTraits { judge.traits(metrics: metrics, expectedKeys: expectedKeys) }

  package var requestsPerAnswer: Int { 2 }
  private var expectedKeys: [String] { Set(judge.expectedKeys + [key]).sorted() }

  package func check(_ expectation: Expectation) {
    for key in expectedKeys {
      guard let node = expectation.required(key, by: "llm-compare"), key.isIdentical(to: self.key)
      else { continue }
      if case .string = node.value { continue }
      expectation.error("'\(key)' must be a text, not \(node.kind)", at: node)
    }
  }

  package func questions(about answer: Answer, for testCase: TestCase) -> [Question] {
    guard answer.flaw == nil, let other = testCase.expected[key]?.string else { return [] }
    let orders = [(answer.text, other), (other, answer.text)]
    let questions = orders.compactMap { first, second in
      judge.question(
        about: [(Self.names.first, first), (Self.names.second, second)],
        for: testCase
      )
    }
    return questions.count == orders.count ? questions : []
  }

  package func score(_ answer: Answer, for testCase: TestCase, inquiry replies: [Reply]) -> Score {
    if let flaw = answer.flaw { return .unusable(flaw) }
    do throws(JudgeReply.Unreadable) {
      let ahead = try verdict(replies.first)
      let behind = try verdict(replies.count == 2 ? replies[1] : nil)
      return compared(
        (Self.end(ahead.better, isFirst: true), ahead.reason),
        (Self.end(behind.better, isFirst: false), behind.reason)
      )
    } catch {
      return Score(
        .unscored,
        explanation: error.reason,
        measurements: [Measurement.unscored: true]
      )
    }
  }

  package func fault(of reply: Reply) -> String? {
    do throws(JudgeReply.Unreadable) {
      _ = try verdict(reply)
      return nil
    } catch {
      return error.fault
    }
  }

  private func verdict(_ reply: Reply?) throws(JudgeReply.Unreadable)
    -> (better: Better, reason: String)
  {
    let verdict = try JudgeReply(reply, needing: Self.verdictName)
    let said = verdict[Self.verdictName]?.json ?? .null
    guard let better = said.string.flatMap(Better.init(rawValue:)) else {
      let words = Better.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw JudgeReply.unreadable(
        "needs '\(Self.verdictName)' to be one of \(words), not \(Excerpt.json(said))"
      )
    }
    return (better, verdict.reason)
  }

  private static func end(_ better: Better, isFirst: Bool) -> End {
    switch better {
    case .first: isFirst ? .win : .loss
    case .second: isFirst ? .loss : .win
    case .tie: .tie
    }
  }

  private func compared(_ ahead: (end: End, reason: String), _ behind: (end: End, reason: String))
    -> Score
  {
    let isFlip = ahead.end != behind.end
    let end = isFlip ? End.tie : ahead.end
    let other = "the text under 'expected.\(key)'"
    var explanation =
      switch end {
      case .win: "better than \(other), in both orders"
      case .loss: "expected an answer no worse than \(other), but it is worse in both orders"
      case .tie:
        isFlip ? "a tie with \(other): the verdict depends on the order" : "a tie with \(other)"
      }
    if !ahead.reason.isEmpty { explanation += ": \(ahead.reason)" }
    return Score(
      end == .loss ? .failed : .passed,
      explanation: explanation,
      measurements: [
        Measurement.win: .bool(end == .win), Measurement.loss: .bool(end == .loss),
        Measurement.tie: .bool(end == .tie), Measurement.flip: .bool(isFlip),
        Measurement.unscored: false,
      ]
    )
  }
}
