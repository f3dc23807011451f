/// A reader of a message, which collects its action items.
struct ActionItemReader {
  let sender: String
  let recipient: String
  let sent: CalendarDay
  let instructions: Set<ActionItemRules.ActionItemInstruction>
  var items: [ActionItemRules.Item] = []

  private var lastName: String?
  /// The number of clauses in the sentence that assign a task to a person.
  private var divisions = 0
  private var header = Header()

  /// The contents of a line above a list, such as "Can you, by Friday:".
  private struct Header {
    var isList = false
    var assignee: String?
    var day: CalendarDay?
  }

  init(
    sender: String,
    recipient: String,
    sent: CalendarDay,
    instructions: Set<ActionItemRules.ActionItemInstruction>
  ) {
    self.sender = sender
    self.recipient = recipient
    self.sent = sent
    self.instructions = instructions
  }

  mutating func read(_ message: String) {
    for line in Text.paragraphs(of: message) { read(line: line[...]) }
  }

  mutating func read(_ request: String, acceptedFrom acceptance: ActionItemRules.Acceptance) {
    // In the other person's turn, "you" is the sender of this message and "I" is its recipient.
    var other = ActionItemReader(
      sender: recipient,
      recipient: sender,
      sent: sent,
      instructions: instructions.union([.commitments, .requests])
    )
    other.read(acceptance == .theirWork ? request.offersAsPromises : request)
    let owner = acceptance == .theirWork ? recipient : sender
    items += other.items.filter { $0.assignee == owner }.prefix(1)
  }

  private mutating func read(line: Substring) {
    let (marker, content) = ListMarker.split(line)
    if marker == .ticked, instructions.contains(.onlyOpen) { return }
    let text = Text(String(content))
    guard !text.words.isEmpty else { return }
    if marker == .none || text.words.last?.after.hasSuffix(":") ?? false {
      for sentence in text.sentences { read(sentence) }
      setHeader(text)
    } else if !readListLine(text) {
      for sentence in text.sentences { read(sentence) }
    }
  }

  private mutating func setHeader(_ text: Text) {
    let words = text.words[...]
    let ends = words.last?.after.contains(":") ?? false
    header = Header()
    let isPlan = Self.ownPlan.occurs(in: words)
    let isRequest = Self.listForOther.occurs(in: words)
    let isShared = Self.sharedList.occurs(in: words)
    guard ends || isRequest || isPlan || isShared else { return }
    if instructions.contains(.onlyOpen), Self.notATask.occurs(in: words) { return }
    header.isList = isPlan || isRequest || isShared
    header.assignee = isPlan ? sender : (isRequest ? recipient : nil)
    header.day = Deadline.all(in: words, sent: sent).compactMap(\.day).first
  }

  /// Reads `- Emre: measure …`, `🍕 you order …`, `[ ] upload … ← you`, `1. answer …`.
  private mutating func readListLine(_ text: Text) -> Bool {
    var words = text.words[...]
    var owner = header.assignee
    func dropArrow() {
      while let last = words.last, !last.text.contains(where: { $0.isLetter || $0.isNumber }) {
        words.removeLast()
      }
    }
    var isTask = header.isList
    if let last = words.last?.text, ["you", "me"].contains(last), words.count > 2 {
      owner = last == "you" ? recipient : sender
      isTask = true
      words = words.dropLast()
      dropArrow()
    }
    guard let first = words.first else { return false }
    if first.after.hasPrefix(":"), let named = person(first) {
      owner = named
      isTask = true
      words = words.dropFirst()
    } else if words.count > 1, let named = person(first),
      WorkVerb.base(of: words[words.startIndex + 1].text) != nil
    {
      owner = named
      words = words.dropFirst()
    }
    guard isTask, let verb = words.first, WorkVerb.base(of: verb.text) != nil else {
      return false
    }
    add(words, of: text.words[...], owner: owner, fallback: header.day)
    return true
  }

  private func person(_ word: Word) -> String? {
    switch word.text {
    case "you": recipient
    case "me", "i", "i'm": sender
    case recipient, sender: word.text
    default: word.isName ? word.text : nil
    }
  }

  // MARK: Sentences

  /// Reads a sentence by itself.
  mutating func read(_ sentence: Sentence) {
    let words = sentence.words
    let skips = instructions.contains(.onlyOpen) && Self.notATask.occurs(in: words)
    divisions = words.indices.count { startsDivision(at: $0, in: words) }
    let deadlines = Deadline.all(in: words, sent: sent)
    var index = words.startIndex
    while index < words.endIndex, !skips {
      guard let trigger = trigger(at: index, in: words) else {
        if words[index].isName, words[index].text != recipient { lastName = words[index].text }
        index += 1
        continue
      }
      let end = end(of: trigger.start, in: words)
      if trigger.start < end, allows(trigger.kind) {
        var deadline = deadlines.last { $0.range.upperBound <= index }
        if deadline == nil, let later = deadlines.first(where: { $0.range.lowerBound >= end }),
          !hasTrigger(in: words[end...])
        {
          deadline = later
        }
        add(
          words[trigger.start..<end],
          of: words,
          owner: trigger.owner,
          fallback: deadline?.day
        )
      }
      index = max(end, index + 1)
    }
    if !skips, allows(.request) { readPassive(words) }
  }

  /// Reads "the certificate must be renewed by …", which names no owner.
  private mutating func readPassive(_ words: ArraySlice<Word>) {
    guard let range = Self.passives.firstMatch(in: words), range.upperBound < words.endIndex,
      let verb = WorkVerb.base(ofParticiple: words[range.upperBound].text),
      !(words.last?.after.contains("?") ?? false)
    else { return }
    var subject = words[words.startIndex..<range.lowerBound]
    if let comma = subject.lastIndex(where: \.endsClause) { subject = subject[(comma + 1)...] }
    guard let first = subject.first, Self.objectStarters.contains(first.text) || first.isName
    else {
      return
    }
    let day = Deadline.all(in: words[range.upperBound...], sent: sent).compactMap(\.day).first
    let command = Text(verb).words + subject
    items.append(ActionItemRules.Item(words: command, assignee: nil, day: day, context: words))
  }

  private enum Kind { case commitment, request, name, done }

  private func allows(_ kind: Kind) -> Bool {
    switch kind {
    case .commitment: instructions.contains(.commitments)
    case .request: instructions.contains(.requests)
    case .name: true
    case .done: !instructions.contains(.onlyOpen)
    }
  }

  private func hasTrigger(in words: ArraySlice<Word>) -> Bool {
    words.indices.contains { trigger(at: $0, in: words) != nil }
  }

  /// Returns the owner and the first word of a task that is announced at an index.
  private func trigger(at index: Int, in words: ArraySlice<Word>)
    -> (kind: Kind, owner: String?, start: Int)?
  {
    func task(after end: Int) -> Int? {
      var start = end
      while start < words.endIndex, Self.adverbs.contains(words[start].text) { start += 1 }
      guard start < words.endIndex, !Self.noTask.contains(words[start].text) else { return nil }
      return start
    }
    if let range = Self.commitments.match(at: index, in: words),
      let start = task(after: range.upperBound), !words[start - 1].endsClause
    {
      return (.commitment, sender, start)
    }
    if let range = Self.requests.match(at: index, in: words),
      let start = task(after: range.upperBound), !Self.notAsked.contains(words[start].text)
    {
      return (.request, recipient, start)
    }
    if Self.politeWords.contains(words[index].text), let start = task(after: index + 1),
      WorkVerb.isBase(words[start].text) || words[index].text == "bitte"
    {
      return (.request, recipient, start)
    }
    if Self.anybody.contains(words[index].text), index + 1 < words.endIndex,
      let range = Self.duties.match(at: index + 1, in: words),
      let start = task(after: range.upperBound)
    {
      return (.request, nil, start)
    }
    if let named = namedTask(at: index, in: words) { return named }
    let startsClause =
      index == words.startIndex || words[index - 1].endsClause
      || (words[index - 1].text == "and" && index - words.startIndex <= 3)
    guard startsClause else { return nil }
    if WorkVerb.isBase(words[index].text), isImperative(at: index, in: words) {
      return (.request, recipient, index)
    }
    if words[index].text.hasSuffix("ing"), WorkVerb.base(of: words[index].text) != nil,
      index == words.startIndex, !Self.talking.contains(words[index].text),
      !Deadline.all(in: words, sent: sent).isEmpty
    {
      return (.commitment, sender, index)
    }
    if words[index].text == "will", index == words.startIndex, index + 1 < words.endIndex,
      WorkVerb.isBase(words[index + 1].text)
    {
      return (.commitment, sender, index + 1)
    }
    if words[index].text == "mind", index + 1 < words.endIndex,
      words[index + 1].text.hasSuffix("ing")
    {
      return (.request, recipient, index + 1)
    }
    // "Ich teste bis Freitag …".
    if words[index].text == "ich", index + 1 < words.endIndex,
      words[index + 1].text.hasSuffix("e"), !Deadline.all(in: words, sent: sent).isEmpty
    {
      return (.commitment, sender, index + 1)
    }
    if index == words.startIndex, Self.past.contains(words[index]) {
      return (.done, sender, index)
    }
    return nil
  }

  private func namedTask(at index: Int, in words: ArraySlice<Word>)
    -> (kind: Kind, owner: String?, start: Int)?
  {
    let word = words[index]
    let isPronoun = ["she", "he", "she'll", "he'll"].contains(word.text)
    let isPlainPerson = ["you", "i", "i'm"].contains(word.text)
    guard isPronoun || isPlainPerson || word.isName, index + 1 < words.endIndex else {
      return nil
    }
    var owner: String? = person(word)
    var kind = Kind.name
    if isPronoun { owner = lastName }
    if word.text.hasSuffix("'ll"), !isPronoun { owner = String(word.text.dropLast(3)) }
    if owner == recipient { kind = .request }
    if owner == sender { kind = .commitment }
    if kind == .name, !instructions.contains(.names) { owner = nil }
    if !isPlainPerson, let range = Self.duties.match(at: index + 1, in: words),
      range.upperBound < words.endIndex, !Self.noTask.contains(words[range.upperBound].text)
    {
      return (kind, owner, range.upperBound)
    }
    if word.text.hasSuffix("'ll") { return (kind, owner, index + 1) }
    // "Sofia runs the QA pass on Friday" is a task only with a date, or if the sentence divides up
    // work.
    guard startsDivision(at: index, in: words) else { return nil }
    if divisions >= 2 { return (kind, owner, index + 1) }
    let task = words[index..<end(of: index + 1, in: words)]
    let hasDay = Deadline.all(in: task, sent: sent).contains { $0.day != nil }
    return hasDay ? (kind, owner, index + 1) : nil
  }

  /// Returns true if a person and their task start a clause: "you port", "Nadia writes".
  private func startsDivision(at index: Int, in words: ArraySlice<Word>) -> Bool {
    let word = words[index]
    guard index + 1 < words.endIndex, !word.endsClause else { return false }
    let startsClause =
      index == words.startIndex || words[index - 1].endsClause
      || ["and", "→", "so"].contains(words[index - 1].text) || words[index - 1].text.isEmpty
      || words[index - 1].text.contains(where: \.isEmoji)
    let verb = words[index + 1].text
    guard startsClause, WorkVerb.base(of: verb) != nil else { return false }
    switch word.text {
    case "i'm": return verb.hasSuffix("ing")
    case "you", "i": return WorkVerb.isBase(verb)
    default: return word.isName && verb.hasSuffix("s")
    }
  }

  /// Returns true if a work verb at the start of a clause is an order, not a noun or a question.
  private func isImperative(at index: Int, in words: ArraySlice<Word>) -> Bool {
    guard index + 1 < words.endIndex, !words[index].endsClause else { return false }
    let next = words[index + 1].text
    if Self.verbsOfBeing.contains(next) { return false }
    if index > words.startIndex {
      // Later in the clause, the verb is an order only after a vocative, an interjection or another
      // order.
      return index - words.startIndex <= 3 && Self.objectStarters.contains(next)
    }
    return Self.objectStarters.contains(next) || !(words.last?.after.contains("?") ?? false)
  }

  /// Returns the index at which the task that starts at an index ends.
  private func end(of start: Int, in words: ArraySlice<Word>) -> Int {
    var index = start
    while index < words.endIndex {
      if index > start {
        if words[index].before.contains("(") || Self.closers.contains(words[index].text) {
          return index
        }
        if words[index].text == "and" || words[index].text == "→",
          index + 1 < words.endIndex, trigger(at: index + 1, in: words) != nil
        {
          return index
        }
        if trigger(at: index, in: words) != nil { return index }
      }
      if words[index].endsClause, !continues(after: index, in: words) { return index + 1 }
      index += 1
    }
    return index
  }

  /// Returns true if the words after a comma continue the list of tasks.
  private func continues(after index: Int, in words: ArraySlice<Word>) -> Bool {
    words[index].after.hasSuffix(",") && chained(at: index + 1, in: words) != nil
  }

  /// Returns the index of the verb after "and", "and then" or "then" at an index.
  private func chained(at index: Int, in words: ArraySlice<Word>) -> Int? {
    guard let range = Self.chain.match(at: index, in: words) else { return nil }
    let verb = range.upperBound
    guard verb < words.endIndex, WorkVerb.base(of: words[verb].text) != nil else { return nil }
    return verb
  }

  /// Adds a task, or several tasks that "and" joins, without their dates.
  private mutating func add(
    _ words: ArraySlice<Word>,
    of sentence: ArraySlice<Word>,
    owner: String?,
    fallback: CalendarDay?
  ) {
    var parts: [ArraySlice<Word>] = []
    var start = words.startIndex
    for index in words.indices where index > start {
      guard let verb = chained(at: index, in: words) else { continue }
      parts.append(words[start..<index])
      start = verb
    }
    parts.append(words[start...])
    let days = parts.map { Deadline.all(in: $0, sent: sent).compactMap(\.day).first }
    let shared = days.compactMap { $0 }.last ?? fallback
    for (part, day) in zip(parts, days) {
      let dates = Deadline.all(in: part, sent: sent).map(\.range)
      let task = part.indices.filter { index in !dates.contains { $0.contains(index) } }
        .map { part[$0] }
      guard !task.isEmpty else { continue }
      items.append(
        ActionItemRules.Item(words: task, assignee: owner, day: day ?? shared, context: sentence)
      )
    }
  }

  // MARK: Words

  private static let commitments: PhraseList = [
    "i'll", "ill", "i will", "i'm going to", "im going to", "i am going to", "i'm gonna", "let me",
    "i can", "i promise to", "i shall", "what i will do is", "ich werde", "voy a", "vou", "je vais",
  ]
  private static let requests: PhraseList = [
    "can you", "could you", "can u", "could u", "would you", "will you", "would you mind",
    "i need you to", "i'd like you to", "any chance you could", "you can", "you could",
    "you should", "you need to", "make sure to", "don't forget to", "remember to", "kannst du",
    "könntest du", "puedes", "podrías", "peux-tu", "tu peux", "please could you", "feel free to",
  ]
  private static let politeWords: Set<String> = ["please", "pls", "plz", "kindly", "bitte"]
  private static let duties: PhraseList = [
    "will", "should", "needs to", "has to", "must", "is going to", "ought to", "to", "can you",
    "has agreed to", "agreed to", "offered to", "promised to", "volunteered to", "is supposed to",
    "could you", "please", "would you", "can",
  ]
  private static let passives: PhraseList = [
    "must be", "needs to be", "need to be", "has to be", "have to be", "should be", "still needs",
  ]
  private static let anybody: Set<String> = ["someone", "somebody", "anyone", "anybody"]
  private static let adverbs: Set<String> = [
    "just", "also", "then", "please", "pls", "definitely", "quickly", "probably", "go", "ahead",
    "and", "you", "maybe", "perhaps", "now", "instead", "first", "kindly", "du", "possibly", "to",
    "still", "personally", "happily", "gladly",
  ]
  private static let talking: Set<String> = [
    "asking", "looking", "speaking", "talking", "going", "writing", "reading", "working",
  ]
  private static let noTask: Set<String> = [
    "be", "have", "see", "know", "miss", "never", "not", "tell", "think", "hear", "believe",
    "imagine", "understand", "need", "want", "feel", "love", "like", "get", "admit", "say", "die",
    "guess", "remember", "wait", "only", "sleep", "live", "i", "it", "the", "that",
  ]
  private static let notAsked: Set<String> = ["explain", "see", "hear", "remember", "recall"]
  private static let closers: Set<String> = [
    "because", "when", "if", "since", "while", "which", "but", "whenever", "once", "unless",
    "although", "though", "before", "so", "weil", "porque", "→", "ps", "okay", "as",
  ]
  private static let chain: PhraseList = [
    "and", "and then", "then", "and after that", "after that", "and also", "und", "y",
  ]
  private static let objectStarters: Set<String> = [
    "the", "a", "an", "my", "your", "our", "this", "that", "these", "those", "it", "them", "all",
    "every", "both", "me", "us", "him", "her", "any", "each", "two", "three",
  ]
  private static let verbsOfBeing: Set<String> = [
    "is", "are", "was", "were", "has", "have", "will", "would", "looks", "went", "came", "and",
  ]
  private static let past: PhraseList = [
    "merged", "closed", "fixed", "shipped", "sent", "updated", "finished", "deployed", "added",
    "removed", "reviewed", "uploaded", "done",
  ]
  private static let ownPlan: PhraseList = [
    "my plan", "my list", "my todo", "my to-do", "i will",
  ]
  private static let listForOther: PhraseList = [
    "for you", "can you", "could you", "please", "your tasks", "your list", "your part",
  ]
  private static let sharedList: PhraseList = [
    "who does what", "action items", "next steps", "to do", "to-do", "to-dos", "todo", "todos",
    "tasks", "still open",
  ]
  private static let notATask: PhraseList = [
    "if i", "if we had", "if i were", "i wish", "wish", "would be", "could have", "should have",
    "would have", "never said", "no need", "don't need", "needn't", "cancelled", "canceled",
    "suppose", "one day", "someday", "can you believe", "you hear", "let me tell you",
    "let me know", "won't", "not going to", "haven't said", "no thanks", "supposed to",
    "was going to", "nobody is", "in theory", "hypothetically", "dream", "we talked about", "keşke",
    "si tuviéramos",
  ]
}

extension String {
  /// The text with "shall I …?" replaced by "I will …", so that an offer reads as a promise.
  fileprivate var offersAsPromises: String {
    var words: [String] = []
    for word in split(whereSeparator: \.isWhitespace) {
      if word == "I" || word == "i",
        let last = words.last?.lowercased(), ["shall", "should", "can", "could"].contains(last)
      {
        words[words.count - 1] = "I"
        words.append("will")
      } else {
        words.append(String(word))
      }
    }
    return words.joined(separator: " ")
  }
}
