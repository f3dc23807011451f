/// The stand-in's rules for unclear parts of a message that a recipient would ask about.
struct ClarityRules {
  /// The instructions in the system text that the clarity check follows.
  enum ClarityInstruction: Instruction {
    case pronouns, vagueReferences, missingContext, conversation, wholeMessage, drafts, smallTalk
    case quotedQuestion, dummyPronouns, noOrders
    case twoCandidates, knownThings, ownPlans, askingBack, moreNouns, withoutObject

    var keyWords: [PhraseList] {
      switch self {
      case .pronouns: [["ambiguous", "unclear"], ["pronoun*"]]
      case .vagueReferences: [["vague"], ["reference*"]]
      case .missingContext: [["missing context", "lacks", "missing information"]]
      case .conversation:
        [["conversation", "earlier message", "earlier messages"], ["earlier", "first"]]
      case .wholeMessage: [["whole message", "message itself", "entire message"]]
      case .drafts: [["unfinished", "draft*", "half-typed", "still typing"]]
      case .smallTalk: [["small talk", "greetings", "thanks"]]
      case .quotedQuestion: [["question"], ["quote*"]]
      case .dummyPronouns: [["weather", "dummy", "stands for nothing", "refers to nothing"]]
      case .noOrders: Injection.defence
      case .twoCandidates: [["two candidates", "two or more things"]]
      case .knownThings: [["known things", "only one of"]]
      case .ownPlans: [["own plans", "own work"]]
      case .askingBack: [["asking back", "asks what is meant"]]
      case .moreNouns: [["vague"], ["icon", "document"]]
      case .withoutObject: [["missing context"], ["without an object"]]
      }
    }
  }

  private struct Issue {
    var question: String
    var word: String
  }

  private let instructions: Set<ClarityInstruction>

  init(system: String) { instructions = ClarityInstruction.all(in: system) }

  /// Returns the answer or its opposite.
  ///
  /// The opposite reports an issue if the rules found none, and no issue if they found some.
  func answer(to layout: ChatLayout, opposite: Bool = false) -> String {
    var issues = issues(in: layout)
    if opposite {
      issues = issues.isEmpty ? [Issue(question: "What is this about?", word: "")] : []
    }
    guard !issues.isEmpty else {
      return JSONText.object(["clarityIssues": "null", "suggestedRevision": "null"])
    }
    let questions =
      instructions.contains(.quotedQuestion)
      ? issues.map(\.question) : ["Something in this message may be unclear."]
    return JSONText.object([
      "clarityIssues": JSONText.array(questions.map { JSONText.string($0) }),
      "suggestedRevision": JSONText.string(revision(of: layout.message, for: issues)),
    ])
  }

  private func issues(in layout: ChatLayout) -> [Issue] {
    if !instructions.contains(.noOrders), Injection.occurs(in: layout.message) { return [] }
    let own = Quotation.removed(from: layout.message)
    let text = Text(own)
    let isSmallTalk = SmallTalk.isAll(of: text)
    if isSmallTalk {
      if instructions.contains(.smallTalk) { return [] }
      if layout.conversation.isEmpty || !instructions.contains(.conversation) {
        return [Issue(question: "What is this about?", word: "")]
      }
    }
    if instructions.contains(.askingBack), ClarityBorders.asksBack(text) { return [] }
    var issues: [Issue] = []
    if Draft.breaksOff(text), !instructions.contains(.drafts), let last = text.words.last {
      issues.append(
        Issue(question: "How does the sentence that ends in \"\(last.written)\" go on?", word: "")
      )
    }
    let message = References(in: text)
    // Text that the sender quotes is part of the message.
    let quoted = own == layout.message ? nil : References(in: Text(layout.message))
    let earlier =
      instructions.contains(.conversation)
      ? References(in: Text(layout.conversationText)) : References(in: Text(""))
    for sentence in text.sentences {
      for index in sentence.words.indices {
        if let issue = issue(
          at: index,
          in: sentence,
          message: message,
          quoted: quoted,
          earlier: earlier
        ),
          !issues.contains(where: { $0.question == issue.question })
        {
          issues.append(issue)
        }
      }
    }
    if instructions.contains(.missingContext) {
      if let issue = allusion(in: text, earlier: earlier) { issues.append(issue) }
      if issues.isEmpty, let issue = bareRequest(in: text, message: message, earlier: earlier) {
        issues.append(issue)
      }
    }
    return Array(issues.prefix(3))
  }

  private func issue(
    at index: Int,
    in sentence: Sentence,
    message: References,
    quoted: References?,
    earlier: References
  ) -> Issue? {
    let words = sentence.words
    if instructions.contains(.pronouns), let pronoun = Pronoun(at: index, in: words) {
      if instructions.contains(.dummyPronouns) || pronoun.isPlainlyEmpty {
        if pronoun.isDummy { return nil }
      }
      if instructions.contains(.dummyPronouns), ClarityBorders.isIdle(at: index, in: words) {
        return nil
      }
      if instructions.contains(.knownThings), ClarityBorders.isDepartment(words[index]) {
        return nil
      }
      let kind = pronoun.kind
      let isTwofold = instructions.contains(.twoCandidates) && earlier.hasCandidates(for: kind)
      if earlier.explains(kind), !isTwofold { return nil }
      if instructions.contains(.wholeMessage),
        message.explains(kind, at: index, in: sentence) || quoted?.explains(kind) ?? false
      {
        return nil
      }
      return Issue(question: kind.question(pronoun.written), word: pronoun.written)
    }
    if instructions.contains(.vagueReferences),
      let reference = VagueReference(
        at: index,
        in: words,
        evenIfRare: instructions.contains(.moreNouns)
      )
    {
      if instructions.contains(.ownPlans), ClarityBorders.isOwnPlan(words) { return nil }
      if instructions.contains(.knownThings), ClarityBorders.isKnown(reference, in: words) {
        return nil
      }
      let isTwofold =
        instructions.contains(.twoCandidates) && earlier.hasCandidates(for: reference.noun)
      if earlier.mentions(reference.noun), !isTwofold { return nil }
      if instructions.contains(.wholeMessage) {
        if reference.isExplainedBehind || message.specifies(reference.noun, at: index)
          || quoted?.mentions(reference.noun) ?? false
        {
          return nil
        }
      }
      return Issue(
        question: "Which \(reference.noun) do you mean by \"\(reference.written)\"? "
          + "Consider adding context.",
        word: reference.noun
      )
    }
    return nil
  }

  /// Finds "as discussed" without an earlier discussion.
  private func allusion(in text: Text, earlier: References) -> Issue? {
    guard earlier.isEmpty, let range = Self.allusions.firstMatch(in: text.words[...]) else {
      return nil
    }
    let phrase = text.words[range].map(\.written).joined(separator: " ")
    return Issue(question: "What exactly is meant by \"\(phrase)\"?", word: phrase)
  }

  /// Finds "Can you check?" without an object.
  private func bareRequest(in text: Text, message: References, earlier: References) -> Issue? {
    let range =
      Self.bareRequests.firstMatch(in: text.words[...])
      ?? (instructions.contains(.withoutObject)
        ? ClarityBorders.bareRequests.firstMatch(in: text.words[...]) : nil)
    guard let range, hasNoObject(behind: range.upperBound, in: text), earlier.isEmpty
    else { return nil }
    if instructions.contains(.wholeMessage), !message.isEmpty { return nil }
    let verb = text.words[range.upperBound - 1].written
    return Issue(question: "What should I \(verb), and what is the issue?", word: verb)
  }

  private func hasNoObject(behind index: Int, in text: Text) -> Bool {
    guard text.words.indices.contains(index), !text.words[index - 1].endsSentence else {
      return true
    }
    return Self.urging.contains(text.words[index].text)
      || !text.words[index].text.contains(where: \.isLetter)
  }

  private func revision(of message: String, for issues: [Issue]) -> String? {
    guard let word = issues.first?.word, !word.isEmpty, message.utf8.count < 300,
      let range = message.firstRange(ofWord: word)
    else { return nil }
    return message[..<range.lowerBound] + "[\(word): which one?]" + message[range.upperBound...]
  }

  private static let allusions: PhraseList = [
    "what you said", "what we said", "as discussed", "like last time", "same as last time",
    "same as before", "as before", "the usual", "option a", "option b", "option c", "last time",
    "the first one", "the second one", "you know what", "like we said", "as agreed", "how it was",
    "the same in",
  ]
  private static let urging: Set<String> = [
    "asap", "now", "today", "tomorrow", "please", "pls", "soon", "quickly", "tonight", "when", "by",
  ]
  private static let bareRequests: PhraseList = [
    "can you check", "could you check", "can you look", "could you look", "please check",
    "can you reproduce", "could you reproduce", "can you review", "could you review",
    "please review", "please fix", "can you fix", "any update", "any updates", "any news",
    "thoughts", "can you confirm", "could you confirm", "please confirm", "can you help",
    "is everything ready", "did you finish", "are you done", "when will you be done",
    "can you take a look", "could you take a look", "please advise", "done yet", "ready yet",
    "how many", "when", "where", "which one",
  ]
}

extension String {
  /// Returns the first occurrence of a whole word.
  fileprivate func firstRange(ofWord word: String) -> Range<Index>? {
    ranges(of: word).first { range in
      let before = self[..<range.lowerBound].last
      let after = self[range.upperBound...].first
      return !(before?.isLetter ?? false) && !(after?.isLetter ?? false)
    }
  }
}
