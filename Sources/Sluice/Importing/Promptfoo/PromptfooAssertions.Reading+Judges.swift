import SluiceReporting

extension PromptfooAssertions.Reading {
  typealias Outcome = PromptfooAssertions.Outcome
  typealias Rubric = PromptfooAssertions.Rubric

  // MARK: Judges

  static let questions: [String: String] = [
    "model-graded-closedqa": "Does the answer meet this criterion? ",
    "factuality":
      "Is the answer in factual agreement with this reference? Differences of style and "
      + "additions that do not contradict it are fine. Reference: ",
    "model-graded-factuality":
      "Is the answer in factual agreement with this reference? Differences of style and "
      + "additions that do not contradict it are fine. Reference: ",
    "g-eval": "Grade how well the answer meets this criterion: ",
  ]

  /// Reads an assertion that a judge decides, or returns `nil` for other types.
  mutating func rubric() -> Outcome? {
    let isRubric = plain == "llm-rubric"
    let question = Self.questions[plain]
    let others = [
      "answer-relevance", "context-faithfulness", "context-recall", "context-relevance",
      "conversation-relevance",
    ]
    if others.contains(plain) {
      refuse(
        "it needs several questions and embeddings",
        nearest: "'llm-rubric' with a prompt that shows the context of the case (docs/judges.md)"
      )
      return outcome
    }
    guard isRubric || question != nil else { return nil }
    if isNegated {
      refuse("judges cannot be negated in Sluice", nearest: "'llm-rubric' with the opposite rubric")
      return outcome
    }
    if owner.defaults.located("rubricPrompt", test.options) != nil {
      refuse("it has a custom prompt for the judge", nearest: "'llm-rubric' with a prompt file")
      return outcome
    }
    var rubric: String
    switch value?.value {
    case .string(let text)?:
      var text = text
      if text.hasPrefix("file://") {
        guard let found = file(text) else { return outcome }
        text = found.string ?? found.jsonText
      }
      guard let filled = filled(text, keepsNames: false) else { return outcome }
      rubric = filled.string ?? filled["literal"]?.string ?? ""
    case .sequence?, .mapping?: rubric = value?.json.jsonText ?? ""
    default:
      refuse("it has no rubric")
      return outcome
    }
    rubric = rubric.trimmed
    if rubric.isEmpty {
      refuse("it has no rubric")
      return outcome
    }
    var limit: Double?
    if let threshold = node.present("threshold") {
      guard case .number(let number) = threshold.value, number <= 1 else {
        refuse("no grade from 0 to 1 can reach its threshold")
        return outcome
      }
      if number > 0 { limit = number }
    } else if plain == "g-eval" {
      limit = 0.7
    }
    if let question {
      rubric = question + rubric
      context.report(
        .changed,
        .assertion,
        located.place,
        "\(type): imported as 'llm-rubric'; promptfoo has its own prompt and scale for this type",
        nearest: "edit the judge's prompt"
      )
    }
    if let weight = node.number("weight"), weight != 1 {
      note("its weight is left out, because judges are advisory in Sluice")
    }
    return .rubric(Rubric(text: rubric, threshold: limit, judge: nil, name: name()))
  }
}
