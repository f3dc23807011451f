import SluiceSupport

/// A part of an answer that a scorer may accept in place of text, such as a tool call.
package enum AnswerPart: Sendable {
  case toolCall, refusal
  /// An empty answer, for a feature that may correctly answer with nothing.
  case emptyText

  /// Returns the accepted part that a response contains in place of text; nil if there is none.
  ///
  /// - Parameters:
  ///   - response: A response without text.
  ///   - parts: The parts that scorers accept.
  /// - Returns: The part.
  static func substitute(in response: ModelResponse, among parts: Set<AnswerPart>) -> AnswerPart? {
    if response.refusal != nil { return parts.contains(.refusal) ? .refusal : nil }
    return !response.toolCalls.isEmpty && parts.contains(.toolCall) ? .toolCall : nil
  }

  /// Returns the parts that may replace text in an answer to a case.
  ///
  /// - Parameters:
  ///   - scorers: All scorers of the case.
  ///   - takesEmptyAnswers: True if the suite accepts empty answers.
  /// - Returns: The parts.
  package static func wanted(by scorers: [any SuiteScorer], takesEmptyAnswers: Bool) -> Set<
    AnswerPart
  > {
    scorers.reduce(into: takesEmptyAnswers ? [.emptyText] : []) {
      $0.formUnion($1.traits.wantedParts)
    }
  }

  /// The name of the part in explanations.
  var phrase: String {
    switch self {
    case .toolCall: "a tool call"
    case .refusal: "a refusal"
    case .emptyText: "no text"
    }
  }
}

extension SuiteScorer {
  /// Returns the score of an answer without text, or of an answer whose extraction is undecided.
  ///
  /// Nil for any other answer. Also nil for an answer without text if the scorer does not need
  /// text.
  func scoreWithoutText(_ answer: Answer) -> Score? {
    if let reason = answer.undecided { return Score(.unscored, explanation: reason) }
    guard let part = answer.substitute, traits.needsText else { return nil }
    if answer.demandsText {
      return Score(.failed, explanation: "expected text, got only \(part.phrase)")
    }
    return Score(.notApplicable, explanation: "the answer is \(part.phrase), without text")
  }
}
