/// The words by which the stand-in recognizes the subject of a message to a creator.
enum MatterWords {
  // MARK: Tricks

  /// Things that only a fraudster asks for.
  static let wanted: PhraseList = [
    "seed phrase", "verify your", "confirm your", "sign in", "log in", "login", "re-enter",
    "enter your", "card number", "full card", "bank login", "account number", "bank name",
    "your bank", "bank details", "phone code", "the code", "digit code", "security code",
    "backup codes", "your password", "email password", "connect wallet",
    "connect your", "your wallet", "gift card", "gift cards", "bitcoin", "passport",
    "scan of your", "copy of your", "wire", "western union", "invest", "first deposit",
    "administrator", "install", "enable macros", "apk", "exe", "run the attached",
    "zugangsdaten", "passwort", "bestätigen sie",
    "contraseña", "verifica", "verifique", "mot de passe", "şifre", "пароль",
  ]
  /// Fees that the creator must pay before receiving money.
  static let moneyFirst: PhraseList = [
    "deposit", "registration of", "registration fee", "hanging fee", "listing fee",
    "handling fee", "processing fee", "release fee", "activation fee", "shipping fee", "entry fee",
    "admin fee", "participation fee", "booth fee", "customs", "pay just", "just pay", "only pay",
    "pay only", "pay shipping", "shipping first", "first with card", "beforehand", "in advance by",
    "for the notary", "for the lawyer", "small fee", "one-time fee", "refundable", "escrow",
    "overpaid", "send the rest", "forward the rest", "pass on the", "insurance first",
    "bearbeitungsgebühr", "vorab", "kaution", "depósito", "frais de", "acompte",
    "yatırın", "anticipo",
  ]
  /// Words with which a trick creates pressure.
  static let pressure: PhraseList = [
    "today", "within", "hours", "minutes", "expires", "expire", "closes", "suspended", "on hold",
    "held", "frozen", "delisted", "locked", "deleted", "failed", "won",
    "winner", "winners", "selected", "nominated", "reserved", "urgent", "immediately", "now",
    "midnight", "noon", "quick", "in this chat only", "do not contact", "dont call", "don't call",
    "confidential", "secret", "new number", "new phone", "as soon as", "heute", "hoy",
    "aujourd'hui",
  ]
  static let spite: PhraseList = [
    "garbage", "idiot", "idiots", "stupid", "liar", "disgrace", "trash", "pathetic", "loser",
    "worthless", "shut up", "quit already", "nobody likes you", "die", "moron", "clown", "fraud",
    "shame on", "fake", "ugly", "hate you", "scum", "disgusting",
  ]
  static let chainLetter: PhraseList = [
    "forward to", "forward this", "copy this", "copy and paste", "share to", "share this with",
    "send this to", "send these", "don't break", "break the chain", "people copy", "to friends",
    "friends and", "repost", "pass it on", "to everyone on", "first-time customers",
    "leasing", "brochure", "my mentor",
    "wellness", "per month", "a month from", "freispiele",
    "副業", "フォロワー", "followers", "subs", "views", "guaranteed",
  ]

  // MARK: Offers

  static let nationalPress: PhraseList = [
    "national radio", "national television", "national tv", "national newspaper", "evening news",
    "prime time", "nationwide", "million listeners", "million viewers", "million readers", "bbc",
    "live on air", "noticiero", "tagesschau", "journal télévisé", "nachrichten",
    "public radio", "front page", "全国紙", "全国放送",
    "national daily", "national press", "broadcaster", "documentary series", "telegiornale",
  ]
  static let smallPress: PhraseList = [
    "zine", "student radio", "school paper", "local paper", "newsletter", "blog", "podcast",
    "interview", "magazine", "newspaper", "radio", "programme", "gazette", "fanzine", "entrevista",
    "intervista", "journal", "wywiad", "取材", "記者", "인터뷰",
  ]
  static let invitations: PhraseList = [
    "would you come", "would you sit", "would you show", "would you speak", "would you judge",
    "would you open", "would you play", "would you talk", "would you give", "would you be",
    "invite",
    "invitation", "panel", "talk", "workshop", "fair", "jury", "judge", "opening", "charity",
    "festival", "conference", "committee", "lecture", "vendría", "venir", "pourriez-vous",
    "wir möchten sie", "gern einladen", "einladen", "einladung", "feria", "invitar", "ورشة",
    "تزورنا",
    "auftreten",
  ]
  static let plans: PhraseList = [
    "i propose", "we propose", "my plan", "here is a plan", "here's a plan", "my idea", "joint",
    "together with you", "i'd do", "i would do", "translate*", "subtitles", "archive", "propomos",
    "propongo", "proponemos", "chcielibyśmy", "đề nghị", "vorschlag", "licence", "license",
    "let us use", "help you with", "i'd like to help", "volunteer", "run the", "organise",
  ]
  static let exposure: PhraseList = [
    "exposure", "no budget", "tag you", "for free", "free key", "free copy", "shout out",
    "shoutout",
    "follow back", "f4f", "collab?", "collab", "opportunity for you", "great opportunity",
    "say my name", "notice me", "pls reply", "please reply",
  ]

  // MARK: States

  /// Phrases that close a matter.
  static let closing: PhraseList = [
    "all done", "all sorted", "all good", "got it", "noted", "see you", "settled", "that's all",
    "works now", "works", "it worked", "perfect thanks", "thank you and", "no more questions",
    "never mind", "don't answer", "no need to answer", "regards to", "take care", "cheers",
    "thank you", "thanks", "danke", "gracias", "merci", "grazie", "ありがとう*", "cancelled", "goodbye",
  ]
  static let openEnds: PhraseList = [
    "please send", "send me", "send us", "need your", "need the", "let me know", "let us know",
    "waiting for", "can you", "could you", "will you", "would you", "do you", "shall i", "shall we",
    "may i", "may we", "we'd need", "i need", "tell me", "still", "by the", "until",
  ]
  static let nudges: PhraseList = [
    "any news", "any update", "any updates", "hello", "just checking", "following up", "bump",
    "did you see", "and", "so", "well",
  ]
  static let dates: PhraseList = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "spring", "summer", "autumn", "winter", "christmas", "easter", "tonight",
    "tomorrow", "next week", "next month", "next year", "this week", "this month", "januar",
    "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "enero", "febrero", "marzo",
    "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
    "janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre", "octobre",
    "novembre", "décembre", "gennaio", "febbraio", "aprile", "maggio", "giugno", "luglio",
    "settembre", "ottobre", "dicembre", "março", "maio", "junho", "julho", "dezembro",
  ]
  static let dateFragments: FragmentList = ["月", "नवंबर", "मई", "जनवरी", "มกราคม", "พ.ย", "월"]
  static let danger: PhraseList = [
    "hospital", "ambulance", "gas", "smoke", "fire", "injured", "bleeding", "asleep",
    "brake*", "poison*", "allerg*", "child", "children", "missing",
    "hiss*", "collapsed", "danger*", "unsafe", "dark", "alone", "fence", "drowning", "unconscious",
  ]
  static let deadlines: PhraseList = [
    "today", "tonight", "tomorrow", "within the hour", "in an hour", "by noon", "before noon",
    "this evening", "this afternoon", "right now", "hoy", "heute", "morgen",
    "mañana", "demain", "ce soir", "oggi", "domani", "an hour ago", "minutes",
  ]
  static let deadlineFragments: FragmentList = [
    "今日", "本日", "明日", "今晚", "今天", "วันนี้", "आज", "오늘", "اليوم",
  ]
  /// Words for losses after a missed deadline.
  static let losses: PhraseList = [
    "lost", "lose", "loses", "withdrawn", "cancelled", "turn back", "turned back", "turn the",
    "goes to the", "go to the next", "expired", "expires", "deleted", "deletion", "gone", "permit",
    "court", "lawyer", "fine", "penalty", "insurance", "evict*", "leaked",
    "password", "hacked", "stolen", "copied", "impersonat*", "forfeit*", "otherwise", "or else it",
    "call it off", "sonst", "verloren", "si no",
  ]
  static let requests: PhraseList = [
    "refund", "money back", "replace", "replacement", "repair", "correct", "put it right",
    "make it good", "make good", "new one", "send another", "fix it", "credit me",
    "where is my", "where's my", "compensation", "erstattung", "reembolso", "rimborso",
  ]
  static let repeated: PhraseList = [
    "third time", "second time", "again", "third message", "second message", "still nothing",
    "still no", "nobody answers", "no answer", "no reply", "since then", "weeks ago", "promised",
    "reminder", "that was on", "days now", "otherwise", "or we'll", "or i'll",
    "last time i ask", "patient", "done being", "or the money", "by the",
  ]
  static let selfNames: PhraseList = [
    "my name is", "i'm", "this is", "on behalf of", "here from", "for the", "from the", "director",
    "manager", "editor", "dr", "office", "ltd", "gmbh", "inc",
  ]
  /// A blackmailer's threats against the creator.
  static let threats: PhraseList = [
    "or i publish", "i publish", "or else", "you will regret", "you'll regret", "prison", "police",
    "arrest", "arrested", "jail", "expose you", "your contacts", "everybody will see",
    "everyone will see", "you know what", "idiot", "liar", "stupid", "shame on you", "sue you",
    "we know where", "i know where you", "revenge", "destroy you", "ruin you", "scum",
  ]
}
