import SluiceSupport

/// A part of an answer that may stand in place of text, where a scorer asks for it.
package enum AnswerPart: Sendable {
  case toolCall, refusal
  /// Nothing at all: silence is the right answer.
  case emptyText

  /// The part that a response has in place of text; nil where it has none that is asked for.
  ///
  /// - Parameters:
  ///   - response: A response without text.
  ///   - parts: The parts that are asked for.
  /// - Returns: The part.
  static func substitute(in response: ModelResponse, among parts: Set<AnswerPart>) -> AnswerPart? {
    if response.refusal != nil { return parts.contains(.refusal) ? .refusal : nil }
    return !response.toolCalls.isEmpty && parts.contains(.toolCall) ? .toolCall : nil
  }

  /// The parts that an answer to a case may have in place of text.
  ///
  /// - Parameters:
  ///   - scorers: Everything that judges the case.
  ///   - takesEmptyAnswers: True when the suite says that an empty answer can be used.
  /// - Returns: The parts.
  package static func wanted(by scorers: [any SuiteScorer], takesEmptyAnswers: Bool) -> Set<
    AnswerPart
  > {
    scorers.reduce(into: takesEmptyAnswers ? [.emptyText] : []) {
      $0.formUnion($1.traits.wantedParts)
    }
  }

  /// The part in the words of an explanation.
  var phrase: String {
    switch self {
    case .toolCall: "a tool call"
    case .refusal: "a refusal"
    case .emptyText: "no text"
    }
  }
}

extension SuiteScorer {
  /// The score of an answer that has something else in place of text; nil for any other answer, and
  /// where the scorer does not need text.
  func scoreWithoutText(_ answer: Answer) -> Score? {
    if let reason = answer.undecided { return Score(.unscored, explanation: reason) }
    guard let part = answer.substitute, traits.needsText else { return nil }
    if answer.demandsText {
      return Score(.failed, explanation: "expected text, got only \(part.phrase)")
    }
    return Score(.notApplicable, explanation: "the answer is \(part.phrase), without text")
  }
}
