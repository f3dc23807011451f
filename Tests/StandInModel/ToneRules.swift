/// The stand-in's rules for checking the tone of a message.
struct ToneRules {
  /// The instructions in the system text that the tone check follows.
  enum ToneInstruction: Instruction {
    case terse, harsh, sensitive, jargon, peers, shortButFriendly, concern, quotation, noOrders
    case rebuffs, veiled, origin, manyTerms, bareAnswers, strongWords, drafts

    var keyWords: [PhraseList] {
      switch self {
      case .terse:
        [["terse", "abrupt", "curt"], ["short", "bare", "wording"], ["warn*", "flag*"]]
      case .harsh: [["insult*", "sarcas*", "shouting", "threat*", "blame"]]
      case .sensitive:
        [["sensitive", "performance", "private life"], ["topic*", "harsh*", "pay"]]
      case .jargon: [["jargon", "technical terms"], ["not know", "simpler", "simplify"]]
      case .peers: [["peer*", "own trade", "same trade", "same role"], ["jargon", "terms"]]
      case .shortButFriendly: [["short", "brief"], ["friendly", "thanks", "greetings"]]
      case .concern:
        [["concern*", "disagree*", "declin*"], ["respectful*", "no warning", "fine"]]
      case .quotation: [["quot*", "somebody else wrote", "someone else wrote", "forward*"]]
      case .noOrders: Injection.defence
      case .rebuffs: [["refuses", "dismisses", "demands"]]
      case .veiled: [["insult*"], ["behind a smile", "behind a joke"]]
      case .origin: [["sensitive"], ["origin", "age"]]
      case .manyTerms: [["jargon"], ["terms of their own", "three or more"]]
      case .bareAnswers: [["bare fact", "bare time"]]
      case .strongWords: [["strong words"], ["machine", "oneself"]]
      case .drafts: [["drafts"], ["breaks off"]]
      }
    }
  }

  private enum Finding {
    case terse, harsh, sarcastic, shouting, threatening, sensitive, jargon, disagreeing

    var warning: String {
      switch self {
      case .terse: "This might sound abrupt. Consider adding context."
      case .harsh: "This may come across as harsh and blaming. Consider keeping to the matter."
      case .sarcastic: "This may come across as sarcastic. Consider saying plainly what you mean."
      case .shouting: "The capitals may come across as shouting. Consider a calmer wording."
      case .threatening: "This may come across as a threat. Consider saying what you need instead."
      case .sensitive:
        "This touches a sensitive topic and may be hurtful. Consider more constructive phrasing."
      case .jargon:
        "This has several technical terms. Consider simplifying for non-technical audience."
      case .disagreeing: "This might sound negative. Consider a softer wording."
      }
    }

    var alternative: String? {
      switch self {
      case .terse: "Not right now, and here is why: …"
      case .harsh, .sarcastic, .shouting: "I see a problem here. Could we look at it together?"
      case .threatening: "I would like to settle this with you. When do you have time?"
      case .sensitive: "I would like to talk with you about this in private. How can I help?"
      case .jargon, .disagreeing: nil
      }
    }
  }

  private let instructions: Set<ToneInstruction>

  init(system: String) { instructions = ToneInstruction.all(in: system) }

  /// Returns the answer or its opposite.
  ///
  /// The opposite gives a warning if the rules found no reason for one, and no warning if they
  /// found a reason.
  func answer(to layout: ChatLayout, opposite: Bool = false) -> String {
    var finding = finding(in: layout)
    if opposite { finding = finding == nil ? .terse : nil }
    return JSONText.object([
      "toneWarning": JSONText.string(finding?.warning),
      "alternativePhrasing": JSONText.string(finding?.alternative),
    ])
  }

  private func finding(in layout: ChatLayout) -> Finding? {
    if !instructions.contains(.noOrders), Injection.occurs(in: layout.message) { return nil }
    let own =
      instructions.contains(.quotation)
      ? Quotation.removed(from: layout.message) : layout.message
    let text = Text(own)
    if instructions.contains(.drafts), own.count == 1, text.wordCount == 1 { return nil }
    let hurt = hurt(in: text)
    if instructions.contains(.sensitive), isSensitive(text, isHurtful: hurt != nil) {
      return .sensitive
    }
    if instructions.contains(.harsh), let hurt { return hurt }
    if instructions.contains(.jargon), isJargon(text, for: layout) { return .jargon }
    if instructions.contains(.terse), isTerse(text) || isRebuff(text, to: layout) { return .terse }
    if !instructions.contains(.concern), Self.concerns.occurs(in: text) { return .disagreeing }
    return nil
  }

  private func hurt(in text: Text) -> Finding? {
    let isHarmless = instructions.contains(.strongWords) && ToneBorders.isAimedAtNobody(text)
    if let hurt = Self.hurt(in: text), !isHarmless { return hurt }
    return instructions.contains(.veiled) && ToneBorders.veiled.occurs(in: text) ? .sarcastic : nil
  }

  private func isSensitive(_ text: Text, isHurtful: Bool) -> Bool {
    let touches = Self.topics.occurs(in: text)
    if touches, isHurtful || Self.coldWords.occurs(in: text) { return true }
    return instructions.contains(.origin)
      && (touches || ToneBorders.origin.occurs(in: text)) && ToneBorders.scorn.occurs(in: text)
  }

  // MARK: Terse

  private func isRebuff(_ text: Text, to layout: ChatLayout) -> Bool {
    guard instructions.contains(.rebuffs), !text.hasEmoji else { return false }
    if text.wordCount <= 6, ToneBorders.rebuffs.occurs(in: text) { return true }
    if text.wordCount == 1, ToneBorders.bareRebuffs.occurs(in: text) { return true }
    // A bare "ok" after a long message with a question.
    let last = layout.conversation.last?.text ?? ""
    return text.wordCount == 1 && ToneBorders.nods.occurs(in: text) && last.count > 120
      && last.contains("?")
  }

  private func isTerse(_ text: Text) -> Bool {
    let count = text.wordCount
    if instructions.contains(.bareAnswers), ToneBorders.isBareAnswer(text) { return false }
    guard count > 0 || text.raw.contains("?") || !instructions.contains(.shortButFriendly) else {
      return false
    }
    guard instructions.contains(.shortButFriendly) else { return count <= 5 }
    guard !text.hasEmoji, !Self.friendly.occurs(in: text) else { return false }
    if count <= 2 { return !text.raw.contains("!") }
    return count <= 5 && Self.dismissive.occurs(in: text)
  }

  private static let friendly: PhraseList = [
    "thank*", "thx", "ty", "cheers", "hi", "hey", "hello", "morning", "welcome", "please", "pls",
    "sorry", "ok", "okay", "yes", "yep", "yeah", "yup", "sure", "great", "nice", "good", "cool",
    "perfect", "awesome", "lovely", "done", "agreed", "works", "fine", "lgtm", "no worries",
    "no problem", "no rush", "on it", "will do", "got it", "sounds good", "all good", "brb",
    "haha*", "lol", "congrats", "congratulations", "here you go", "bye", "happy", "enjoy", "danke",
    "gerne", "hallo", "moin", "ja", "klar", "super", "genau", "tschüss", "passt", "gracias", "hola",
    "vale", "claro", "sí", "merci", "bonjour", "salut", "oui", "ciao", "grazie", "obrigado",
    "obrigada", "asante", "ありがとう*", "了解*", "谢谢", "شكرا", "спасибо",
  ]

  private static let dismissive: PhraseList = [
    "whatever", "not my", "someone else", "somebody else", "figure it out", "look it up", "google",
    "read the", "do it", "redo", "just do", "fix it", "again", "nobody cares", "don't care",
    "so what", "your call", "obviously", "why not", "too late", "wrong", "stop", "qué",
  ]

  // MARK: Harsh

  /// Returns true if a text insults, blames, mocks, shouts or threatens.
  static func isHarsh(_ text: Text) -> Bool { hurt(in: text) != nil }

  private static func hurt(in text: Text) -> Finding? {
    if threats.occurs(in: text) { return .threatening }
    if isShouting(text) { return .shouting }
    if mockery.occurs(in: text) { return .sarcastic }
    for sentence in text.sentences {
      let isAboutSender =
        sender.occurs(in: sentence.words) && !addressee.occurs(in: sentence.words)
      if blame.occurs(in: sentence.words) { return .harsh }
      if !isAboutSender, insults.occurs(in: sentence.words),
        addressee.occurs(in: text) || sentence.words.count <= 4
      {
        return .harsh
      }
    }
    return nil
  }

  private static func isShouting(_ text: Text) -> Bool {
    let letters = text.words.filter { $0.text.contains(where: \.isLetter) }
    let shouted = letters.count(where: \.isShouted)
    return shouted >= 4 && shouted * 2 >= letters.count
  }

  private static let sender: PhraseList = ["i", "i'm", "im", "me", "my", "mine", "i've"]
  private static let addressee: PhraseList = [
    "you", "your", "you're", "youre", "yours", "u", "ur", "yourself", "you've", "he's", "she's",
    "he", "she", "du", "dein*", "tú", "tu", "você",
  ]
  private static let insults: PhraseList = [
    "idiot*", "stupid", "moron*", "useless", "incompetent", "pathetic", "lazy", "clown*", "dumb",
    "garbage", "trash", "rubbish", "crap", "amateur*", "fool*", "fraud", "liar", "arrogant",
    "incapable", "dead weight", "worthless", "hopeless", "loser*", "brainless", "a joke", "genius",
    "blind", "brain", "embarrassment", "disgrace", "dumm*", "unfähig*", "trottel", "inútil",
    "idiota*", "estúpid*",
  ]
  private static let blame: PhraseList = [
    "your fault", "you always", "you never", "you broke", "you people", "shut your mouth",
    "shut up", "what is wrong with you", "what's wrong with you", "how many times", "are you even",
    "do you even", "did you even", "were you drunk", "are you blind", "stop making excuses",
    "what kind of", "do us all a favour", "do us all a favor", "another job", "nobody wants you",
    "no offence", "no offense", "beneath you", "waste of time", "waste of space", "you clearly",
    "you obviously", "get a grip", "get lost", "too lazy", "i told you", "deine schuld", "tu culpa",
  ]
  private static let threats: PhraseList = [
    "or else", "you will regret", "you'll regret", "there will be consequences", "consequences for",
    "last warning", "think twice before", "i will make sure you", "i'll make sure you",
    "watch your back", "get you fired",
  ]
  private static let mockery: PhraseList = [
    "slow clap", "thanks for nothing", "nice job breaking", "great job breaking", "oh great",
    "oh wonderful", "oh fantastic", "sure you did", "nobody asked", "good luck with that",
    "as i have now explained", "as i already explained", "as per my last", "per my last",
    "i'll wait", "big words", "congratulations you", "wow just wow",

  ]

  // MARK: Sensitive

  private static let topics: PhraseList = [
    "performance", "quarter", "half-year", "review", "salary", "pay", "paid", "raise", "bonus",
    "sick", "ill", "doctor", "illness", "health", "pregnan*", "maternity", "parental leave",
    "divorce*", "wife", "husband", "marriage", "funeral", "father", "mother", "died", "burnout",
    "therapist", "therapy", "depress*", "adhd", "pills", "medication", "your age", "too old",
    "accent", "religion", "weight", "probation", "fired", "gehalt", "krank", "salario",
  ]
  private static let coldWords: PhraseList = [
    "embarrass*", "funny how", "pull yourself together", "let yourself go", "worst", "not cut out",
    "what we pay", "write you off", "great timing", "some of us", "the rest of us", "i suppose",
    "people like you",

  ]

  // MARK: Jargon

  private func isJargon(_ text: Text, for layout: ChatLayout) -> Bool {
    let isPeer = !layout.sender.role.isEmpty && layout.sender.role == layout.recipient.role
    if isPeer, instructions.contains(.peers) { return false }
    // Words in capitals look like abbreviations.
    if instructions.contains(.strongWords), Self.isShouting(text) { return false }
    var terms: Set<String> = []
    for word in text.words where !Self.familiar.contains(word.text) {
      let isTerm =
        Self.terms.contains(word) || word.isAcronym
        || instructions.contains(.manyTerms) && ToneBorders.isTerm(word)
      if isTerm { terms.insert(word.text) }
    }
    return terms.count >= 3
  }

  private static let familiar: Set<String> = [
    "pr", "prs", "ui", "ux", "qa", "hr", "ok", "asap", "fyi", "eod", "eow", "eta", "tbd", "faq",
    "pm", "am", "mb", "gb", "kb", "px", "url", "png", "svg", "pdf", "ios", "usa", "eu", "uk", "tv",
    "ai", "it", "id", "cdn", "api", "lgtm", "wip", "ps", "html", "css", "csv", "q1", "q2", "q3",
    "q4",
  ]
  private static let terms: PhraseList = [
    // Software.
    "hydration", "memoiz*", "mutex", "canary", "lockfile", "backport*", "shard*", "sidecar*",
    "kubernetes", "kube-proxy", "pod", "pods", "probe", "iptables", "etcd", "resolver",
    "denormali*", "dataloader", "index", "embedding*", "cross-encoder", "perplexity", "recall",
    "tombstone*", "merkle", "compact*", "gossip", "verifier", "cookie", "endpoint", "selectivity",
    "predicate", "planner", "materialised", "compositor", "shader", "vsync", "raster*", "isolate*",
    "kafka", "rebalancing", "idempotent*", "upsert*", "partition*", "deadlock*", "race condition",
    "refactor*", "middleware", "rebase", "cherry-pick*", "regression", "stack trace", "semaphore",
    "websocket*", "payload", "throughput",
    // Type, print and design.
    "dieline", "bleed", "overprint", "trapping", "separation", "knockout", "kerning", "kern",
    "ligature*", "diacritics", "glyph*", "x-height", "opsz", "ppem", "autohint", "baseline",
    // Business.
    "capex", "opex", "churn", "cohort", "payback", "deferred", "waterfall", "narrative", "blended",
    "pipeline", "runway", "arpu",
  ]

  // MARK: Concerns

  private static let concerns: PhraseList = [
    "don't agree", "disagree", "can't", "cannot", "won't", "doesn't work", "not convinced",
    "worried", "worry", "problem*", "please don't", "isn't ready", "i'm afraid", "concern*",
    "frustrat*", "interrupted", "degrading", "missed", "late", "stung", "off by", "not possible",
    "i'd rather", "no drama", "report something", "salary", "unhappy", "disappoint*", "kann nicht",
    "no puedo", "préfère ne pas",
  ]
}

extension Word {
  /// True if the word has at least two capitals and looks like an abbreviation.
  fileprivate var isAcronym: Bool {
    let letters = written.filter(\.isLetter)
    guard (2...7).contains(letters.count) else { return false }
    return letters.count(where: \.isUppercase) * 3 >= letters.count * 2
  }
}
