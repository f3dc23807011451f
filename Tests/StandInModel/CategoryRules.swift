/// The stand-in's rules for classifying a conversation in a creator's inbox.
struct CategoryRules {
  /// The instructions in the system text that the classification follows.
  enum CategoryInstruction: Instruction {
    case fan, superFan, business, spam, urgent, urgentWins, noOrders, onlyListed
    case evidence, anyForm, danger, loud

    var keyWords: [PhraseList] {
      switch self {
      case .fan: [["fan"], ["likes", "casual", "thanks", "feedback"]]
      case .superFan:
        [["super_fan"], ["devoted", "supporter", "long-time", "collector", "follower"]]
      case .business: [["business"], ["offer", "sponsorship", "collaboration", "booking"]]
      case .spam: [["spam"], ["advertising", "scam*", "phishing", "giveaways"]]
      case .urgent: [["urgent"], ["today", "safety", "deadline", "hacked"], ["needs", "answer"]]
      case .urgentWins: [["urgent"], ["wins", "first", "precedence", "goes before"], ["pressure"]]
      case .onlyListed:
        [["only", "exactly", "no other", "nothing else"], ["five", "list", "listed", "labels"]]
      case .noOrders:
        [["orders", "instructions", "commands"], ["never", "not", "ignore", "only text"]]
      case .evidence: [["super_fan"], ["evidence"]]
      case .anyForm: [["business"], ["however small", "clumsily", "blunt"]]
      case .danger: [["urgent"], ["leaked", "health"]]
      case .loud: [["loud"], ["pressing", "capitals"]]
      }
    }
  }

  enum Label: String, CaseIterable {
    case fan, superFan = "super_fan", business, spam, urgent

    var definition: CategoryInstruction {
      switch self {
      case .fan: .fan
      case .superFan: .superFan
      case .business: .business
      case .spam: .spam
      case .urgent: .urgent
      }
    }
  }

  private let instructions: Set<CategoryInstruction>

  init(system: String) { self.init(instructions: CategoryInstruction.all(in: system)) }

  init(instructions: Set<CategoryInstruction>) { self.instructions = instructions }

  func answer(to layout: ChatLayout) -> String {
    JSONText.object(["category": JSONText.string(category(of: layout))])
  }

  private func category(of layout: ChatLayout) -> String {
    let turns = layout.conversation.filter { $0.from.lowercased() != layout.creator.lowercased() }
    let all = Text(turns.map(\.text).joined(separator: "\n"))
    if !instructions.contains(.noOrders), let ordered = Self.orderedLabel(in: all) {
      return ordered
    }
    // Two answers that real models give although they are not listed.
    if !instructions.contains(.onlyListed) {
      if Self.every.occurs(in: all) { return "all" }
      if all.words.contains(where: { $0.written == "VIP" }) { return "vip" }
    }
    let isKnown = turns.count < layout.conversation.count
    return label(of: all, last: Text(turns.last?.text ?? ""), isKnown: isKnown).rawValue
  }

  /// Returns the label that an order in the text names.
  static func orderedLabel(in text: Text) -> String? {
    guard Injection.occurs(in: text.raw) || orders.occurs(in: text) else { return nil }
    return Label.allCases.reversed().first { label in
      text.words.contains { $0.text == label.rawValue }
    }?.rawValue ?? "urgent"
  }

  /// Returns the label with the most evidence.
  ///
  /// `isKnown` is true if the creator has answered before.
  func label(of all: Text, last: Text, isKnown: Bool) -> Label {
    var scores: [Label: Int] = [:]
    let calm = instructions.contains(.loud) ? CategoryBorders.withoutNoise(last) : last
    for label in Label.allCases where instructions.contains(label.definition) {
      scores[label] = Self.evidence(for: label, in: all, last: calm)
    }
    if instructions.contains(.evidence) {
      scores[.superFan, default: 0] += CategoryBorders.devotion(in: all)
    }
    if instructions.contains(.anyForm) {
      scores[.business, default: 0] += CategoryBorders.trade(in: all)
    }
    if instructions.contains(.danger) {
      scores[.urgent, default: 0] += CategoryBorders.danger(in: calm)
    }
    if isKnown { scores[.spam, default: 0] -= 1 }
    let urgency = scores[.urgent] ?? 0
    if instructions.contains(.urgentWins) {
      if !isKnown, scores[.spam] ?? 0 >= 3 { scores[.spam, default: 0] += min(urgency, 2) }
      if urgency >= 3 { scores[.urgent, default: 0] += 2 }
    } else if urgency > 0 {
      // Without the instruction, urgency does not come first, and a stranger's hurry is believed.
      scores[.urgent, default: 0] += scores[.spam] ?? 0 >= 3 ? 3 : -2
    }
    let order: [Label] = [.urgent, .spam, .business, .superFan]
    let best = order.max { left, right in
      let (first, second) = (scores[left] ?? 0, scores[right] ?? 0)
      return first == second
        ? (order.firstIndex(of: left) ?? 0) > (order.firstIndex(of: right) ?? 0) : first < second
    }
    if let best, scores[best] ?? 0 >= 2 { return best }
    if instructions.contains(.fan) { return .fan }
    // Without a definition of a fan, other conversations must get some category.
    return (scores[.business] ?? 0) > 0 ? .business : .superFan
  }

  private static func evidence(for label: Label, in all: Text, last: Text) -> Int {
    func count(_ phrases: PhraseList, in text: Text) -> Int {
      let words = text.words[...]
      return Set(phrases.matches(in: words).map { words[$0.lowerBound].text }).count
    }
    switch label {
    case .fan: return 0
    case .spam:
      let text = Text(Quotation.removed(from: all.raw))
      let strong = count(strongSpam, in: text)
      var score = strong * 2 + min(count(weakSpam, in: text), strong > 0 ? 4 : 2)
      if text.hasLink {
        score += strong > 0 ? 1 : 0
        if credentials.occurs(in: text) { score += 3 }
      }
      if strong > 0, text.words.count(where: \.isShouted) >= 3 { score += 1 }
      // A mail merge that went wrong: "Dear [CREATOR_NAME]".
      if text.words.contains(where: { $0.before.hasSuffix("[") && $0.isShouted }) { score += 3 }
      return score
    case .urgent:
      // Something urgent earlier in a conversation may be settled by now.
      let strong = count(strongUrgent, in: last)
      var score = strong * 2 + min(count(weakUrgent, in: last), strong > 0 ? 3 : 1)
      if hasCountdown(last.words[...]) { score += 2 }
      if calm.occurs(in: last) || last.raw.contains(where: { "😂🤣😹😄😅".contains($0) }) {
        score -= 3
      }
      return last.wordCount > 250 ? score / 3 : score
    case .business:
      return count(strongBusiness, in: all) * 2 + min(count(weakBusiness, in: all), 3)
    case .superFan:
      let history = hasLongHistory(all.words[...]) ? 2 : 0
      return count(strongDevotion, in: all) * 2 + min(count(weakDevotion, in: all), 3) + history
    }
  }

  /// Returns the degree to which a text resembles advertising or a trick.
  ///
  /// A text with a degree of 3 or more most likely is one.
  static func spamEvidence(in text: Text) -> Int { evidence(for: .spam, in: text, last: text) }

  /// Returns the degree to which a text resembles an offer.
  ///
  /// A text with a degree of 2 or more most likely is one.
  static func businessEvidence(in text: Text) -> Int {
    evidence(for: .business, in: text, last: text)
  }

  /// Returns the degree to which a text is urgent.
  static func urgentEvidence(in text: Text) -> Int { evidence(for: .urgent, in: text, last: text) }

  /// Returns the degree to which a text resembles a message of a long-time supporter.
  static func devotionEvidence(in text: Text) -> Int {
    evidence(for: .superFan, in: text, last: text)
  }

  // MARK: Words

  private static let every: PhraseList = ["all of the above", "enter all", "everything above"]
  private static let orders: PhraseList = [
    "answer fan", "put it under", "put this under", "classify this", "classify as",
    "categorize this", "categorise this", "label this", "mark this as", "file this under",
    "put me in",
  ]

  private static let credentials: PhraseList = [
    "password", "passwort", "contraseña", "log in", "login", "code", "codes", "username", "bank",
    "card number",
  ]
  private static let calm: PhraseList = [
    "no rush", "no hurry", "take your time", "nothing is wrong", "no pressure", "just kidding",
    "whenever", "lol", "haha*",
  ]
  private static let strongSpam: PhraseList = [
    "followers", "backlinks", "guaranteed", "guarantee", "giveaway", "winner", "lottery", "crypto",
    "bitcoin", "forex", "trading", "investor*", "signals", "airdrop", "wallet", "seed phrase",
    "nft", "gift card", "gift cards", "free audit", "casino", "betting", "barrister", "inheritance",
    "widow", "million dollars", "million usd", "enable macros", "release fee", "handling fee",
    "processing fee", "customs fee", "shipping fee", "activation fee", "cheapest", "ambassador",
    "promo code", "discount", "discount code", "no password needed", "wire transfer", "seo",
    "first page", "act immediately", "act now", "buy now", "order now", "will be suspended",
    "been suspended", "will be deleted", "unusual activity", "verify your", "confirm your identity",
    "backup codes", "double your", "earn", "passive income", "from home", "per day", "whatsapp",
    "telegram", "guest post", "link exchange", "boost your", "grow your", "loan", "loans",
    "replica", "viagra", "singles", "selected winner", "donate", "life or death", "copy this",
    "viral", "money back", "auto-likes", "engagement", "likes", "digit code", "expires in",
    "abonnenten", "invest*", "apuesta*", "ganar dinero", "bono", "retiros", "premio", "seguidores",
    "gewinnspiel", "gewonnen", "geld verdienen", "abonnés", "gagnez", "seguaci", "ganhe",
    "заработок", "подписчик*", "криптовалют*", "免费", "粉丝", "glückwunsch", "hauptgewinn*",
    "bearbeitungsgebühr", "überweis*", "cheque", "deduct", "lonely", "widower", "gold",
    "your full name", "send me ur", "bio link", "rights holder",
  ]
  private static let weakSpam: PhraseList = [
    "free", "cheap", "claim", "congratulation*", "dear sir", "dear friend", "beloved", "hun",
    "babe", "gorgeous", "limited", "expire*", "expires", "offer", "click", "password", "bank",
    "login", "profit", "visitors", "views", "packages", "promotion", "sale", "100%", "usd", "fee",
    "lucky", "selected", "verification", "dollars", "bonus", "gratis", "kostenlos", "gratuit",
    "trust me", "god", "download", "coins", "credit", "account", "codes", "reply",
  ]
  private static let strongUrgent: PhraseList = [
    "hacked", "in your account", "your password", "stolen", "leaked", "impersonat*", "emergency",
    "ambulance", "hospital", "gas", "allergy", "allergic", "peanut*", "want to be here any more",
    "want to live", "want to die", "kill myself", "hurt myself", "goodbye", "waiting room",
    "are you there", "where are you", "before midnight", "midnight today", "right now",
    "right away", "straight away", "this minute", "at once", "please call", "call me", "ring me",
    "answer your phone", "wake up", "missing", "injured", "bleeding", "smoke", "unconscious",
    "collapsed", "recall", "take it down", "take the page down", "starts in", "begins in", "on air",
    "doors open", "poison*", "locked out", "police", "lawsuit", "takedown", "charged twice",
    "by noon", "within the hour", "in an hour", "in half an hour", "closes at", "last day",
    "deadline today", "evacuat*", "flood*", "hearing", "can't swallow", "cant swallow",
    "cant breathe", "fainted", "vomit*", "got into", "logged in as you", "nobody hears", "are gone",
    "before we close", "don't let anyone", "has broken in", "ruf an", "burst", "can't breathe",
    "esta noche", "sofort", "notfall", "urgencia", "dringend", "urgent", "tout de suite",
    "ahora mismo", "sasa hivi", "subito", "срочно", "紧急", "至急",
  ]
  private static let weakUrgent: PhraseList = [
    "now", "tonight", "today", "immediately", "asap", "minutes", "mins", "hour", "hours",
    "deadline", "help", "call", "somebody", "someone", "password", "dark", "waiting", "still",
    "danger*", "blood", "fire", "court", "lawyer", "stuck", "storm", "unsafe", "heute", "hoy",
    "ahora", "jetzt", "noon", "stop", "signature", "midnight", "phone", "evening",
    "sorry to bother", "what do we do", "oggi", "aujourd'hui", "leo",
  ]
  private static let strongBusiness: PhraseList = [
    "sponsor*", "collaborat*", "cooperat*", "partnership", "licence", "license", "licensing",
    "interview", "booking", "book you", "commission", "budget", "rates", "quote", "invoice",
    "contract", "print run", "liability", "magazine", "publisher", "publishing", "agency", "brand",
    "our company", "workshops", "festival", "weddings", "engage you", "fee of", "your fee",
    "per copy", "royalt*", "proposal", "kind regards", "best regards", "masterclass", "wholesale",
    "retail*", "distribut*", "keynote", "conference", "exhibition", "gallery", "rights",
    "would you be interested", "press kit", "joint", "quotation*", "best rate", "revenue", "editor",
    "a meeting", "a call", "journalist", "radio", "podcast", "gage", "honorar", "angebot",
    "zusammenarbeit", "mit freundlichen grüßen", "colaboración", "presupuesto", "tarifa*",
    "saludos cordiales", "devis", "partenariat", "cordialement", "compenso", "collaborazione",
    "cordiali saluti", "vergoeding", "voorstel", "parceria", "orçamento", "協力", "取材", "お仕事", "ご依頼",
    "협업", "제안",
  ]
  private static let weakBusiness: PhraseList = [
    "dear mr", "dear ms", "fee", "euro", "euros", "pay", "paid", "we'd like", "we would like",
    "our", "campaign", "guests", "event", "company", "product", "produce", "factory", "programme",
    "study", "anniversary", "available", "availability", "dates", "talk", "per", "credit", "offer",
    "terms", "sehr geehrte", "estimada", "estimado", "madame", "gentile", "team", "school",
    "museum",
  ]
  private static let strongDevotion: PhraseList = [
    "member no", "membership*", "mitgliedschaft", "since ep", "since the first", "since the very",
    "since the beginning", "very first", "since day one", "day one", "years today", "every week",
    "every episode", "every single", "every concert", "every year", "i funded", "i backed",
    "founding", "patron", "patreon", "tattoo*", "moderator", "mods", "the wiki", "signed copy",
    "collection", "all eight", "oldest", "long-time", "longtime", "hundredth", "fan club",
    "fan page", "fan art", "meet-up", "meetup", "subtitles", "translated every", "pre-ordered",
    "preordered", "membro", "членство", "멤버십*", "สมาชิก*", "üyeli*", "membresía", "desde hace",
    "socia", "socio", "named my", "named our", "for years", "never missed", "i started a",
    "your listeners", "your readers",
  ]
  private static let weakDevotion: PhraseList = [
    "since", "years", "year", "member", "bought", "always", "every", "again", "own", "organise*",
    "organize*", "translat*", "collect*", "supporter", "backer", "seit", "jahre", "jahren", "años",
    "depuis", "ans", "anos", "anni", "times", "all of your", "gifted", "donated", "still have",
  ]
  private static let sinceWords: Set<String> = [
    "since", "seit", "desde", "depuis", "dal", "sejak", "sinds", "od", "from",
  ]
  private static let smallNumbers: Set<String> = [
    "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty",
  ]

  /// Returns true if the words count down: "in 18 minutes", "eighteen minutes".
  private static func hasCountdown(_ words: ArraySlice<Word>) -> Bool {
    zip(words, words.dropFirst()).contains { number, unit in
      ["minutes", "mins", "min", "minuten", "minutos", "minuti"].contains(unit.text)
        && ((Int(number.text) ?? 60) < 60 || number.text.hasSuffix("teen")
          || number.text == "twenty")
    }
  }

  /// Returns true for "since 2019" or "for six years", which say more than either word alone.
  private static func hasLongHistory(_ words: ArraySlice<Word>) -> Bool {
    zip(words, words.dropFirst()).contains { first, second in
      if let year = Int(second.text.prefix(4)), (2000...2030).contains(year) {
        // Some languages attach "since" to the year: 2020년부터, 2017'den.
        if sinceWords.contains(first.text) || second.text.dropFirst(4).contains(where: \.isLetter) {
          return true
        }
      }
      guard ["years", "jahre", "jahren", "años", "ans", "anni", "anos"].contains(second.text) else {
        return false
      }
      return smallNumbers.contains(first.text) || (Int(first.text) ?? 0) >= 3
    }
  }
}
