import SluiceSupport

/// The task that a system text describes, with the rules for its instructions.
enum Rules: Sendable {
  case clarity(ClarityRules)
  case tone(ToneRules)
  case actionItems(ActionItemRules)
  case callInstead(CallInsteadRules)
  case decisions(DecisionRules)
  case summary(SummaryRules)
  case feedback(FeedbackRules)
  case category(CategoryRules)
  case sentiment(SentimentRules)
  case opportunity(OpportunityRules)
  case analysis(AnalysisRules)
  case faq(FaqRules)
  case smartReply(SmartReplyRules)
  case mailbox(MailboxRules)

  /// The system texts that were read last.
  ///
  /// Reading one takes longer than most answers.
  private static let read = Locked<[String: Rules?]>([:])
  /// The maximum number of system texts to keep.
  private static let readLimit = 32

  /// Returns the rules of a system text, or `nil` if its task is unknown.
  static func of(_ system: String) -> Rules? {
    if let known = read.withLock({ $0[system] }) { return known }
    let rules = Rules(system: system)
    read.withLock { texts in
      if texts.count >= readLimit { texts.removeAll() }
      texts[system] = .some(rules)
    }
    return rules
  }

  /// Creates the rules by the name of an answer field, or else by the subject of the text.
  private init?(system: String) {
    let text = Text(system)
    func says(_ phrases: PhraseList) -> Bool { phrases.occurs(in: text) }
    if says(["clarityissues"]) {
      self = .clarity(ClarityRules(system: system))
    } else if says(["tonewarning"]) {
      self = .tone(ToneRules(system: system))
    } else if says(["keypoints"]) {
      self = .summary(SummaryRules(system: system))
    } else if says(["actionitems", "action items"]) {
      self = .actionItems(ActionItemRules(system: system))
    } else if says(["raisedby"]) {
      self = .feedback(FeedbackRules(system: system))
    } else if says(["callinstead"]) {
      self = .callInstead(CallInsteadRules(system: system))
    } else if says(["decisions is a list"]) {
      self = .decisions(DecisionRules(system: system))
    } else if says(["you draft a reply"]) {
      self = .smartReply(SmartReplyRules(system: system))
    } else if says(["answerid"]) {
      self = .faq(FaqRules(system: system))
    } else if says(["category is one of"]), says(["sentiment is one of"]) {
      self = .analysis(AnalysisRules(system: system))
    } else if says(["category", "super_fan"]) {
      self = .category(CategoryRules(system: system))
    } else if says(["sentiment"]) {
      self = .sentiment(SentimentRules(system: system))
    } else if says(["score is a whole number"]) {
      self = .opportunity(OpportunityRules(system: system))
    } else if says(["support mailbox"]) {
      self = .mailbox(MailboxRules(system: system))
    } else if says(["ask back", "ambiguous", "unclear"]) {
      self = .clarity(ClarityRules(system: system))
    } else if says(["tone"]) {
      self = .tone(ToneRules(system: system))
    } else {
      return nil
    }
  }
}
