extension Exchange {
  /// The words by which an exchange is judged.
  enum Words {
    static let orders: PhraseList = [
      "note to the checker", "to the checker", "callinstead", "suggest a call",
      "checker", "dear model", "ai note",
    ]
    static let ordersForCall: PhraseList = [
      "callinstead true", "must be true", "suggest a call", "flag this", "set true",
    ]
    static let unable: PhraseList = [
      "can't talk", "cant talk", "cannot talk", "can't call", "can't right now", "can't now",
      "train",
      "asleep", "no voice", "lost my voice", "dentist", "in writing", "stay in writing",
      "rather write", "prefer writing", "in a meeting", "no call", "not on the phone",
      "don't ring", "can't phone", "hoarse", "no phone",
    ]
    static let appointed: PhraseList = [
      "room link", "my room", "see you there", "see you at", "talk at", "call at", "on the call",
      "in the call", "dialling in", "joining now", "ring you at", "calling you", "i'll call you",
      "tomorrow at", "after the call", "as discussed on the phone", "on the phone",
      "was good to talk",
    ]
    /// Phrases about having a call.
    static let calls: PhraseList = [
      "quick call", "a call", "call you", "call me", "talk it through", "talk about it", "ring me",
      "on the phone", "hop on", "huddle", "video call", "to talk", "in person", "telefonieren",
      "llamada", "appel", "कॉल", "مكالمة", "通話", "電話",
    ]
    static let peace: PhraseList = [
      "thanks", "thank you", "thx", "agreed", "perfect", "got it", "understood", "my fault",
      "my bad", "i apologise", "apologies", "makes sense", "leaving it", "fixed", "fixed since",
      "it's over", "exactly", "all good", "clear now", "sleep well", "good night", "decide on",
      "no hurry", "danke", "gracias", "qué bien", "merci", "धन्यवाद", "شكرا", "ありがとう*",
    ]
    static let doubt: PhraseList = [
      "still", "but", "never", "no idea", "don't know how", "you always",
    ]
    static let grave: PhraseList = [
      "biopsy", "cancer", "tumour", "tumor", "hospital", "surgery", "treatment", "died",
      "passed away", "funeral", "death", "miscarriage", "stroke", "burnout", "burned out",
      "handing in my notice", "my notice", "resign*", "quitting", "i quit", "leaving the company",
      "let you go", "laid off", "redundan*", "your post", "your job", "your position",
      "made redundant",
      "keep you in the role", "work with you any more", "haven't slept", "divorce*",
      "separat*", "depress*", "panic attack*", "can't do it any more", "pip", "severance",
      "krebs", "gestorben", "gekündigt", "kündig*", "falleció", "murió", "cáncer", "renuncio",
      "مرض", "توفي*", "استقال*", "निधन", "बीमारी", "इस्तीफ़ा", "亡くな*", "退職*", "病気",
      "diagnosis", "diagnosed", "chemo*", "operation", "accident", "heart attack", "lost the baby",
      "lost my", "lost our", "grief", "mourning", "dementia", "suicid*", "addict*", "rehab",
      "breaking up", "broke up", "moved out", "left me", "custody", "burnt out", "exhausted",
      "can't sleep", "anxiety", "sick leave", "fired", "dismiss*", "being cut", "been cut",
      "restructur*", "layoff*", "pay cut", "no raise", "demot*", "improvement plan",
      "underperform*", "expectations", "probation", "giving notice", "my resignation", "last day",
      "step down", "stepping down", "harass*", "bullied", "discriminat*", "can't go on",
      "not renewed", "won't be renewed", "terminated",
    ]
    static let heavy: PhraseList = [
      "not easy", "isn't easy", "wasn't easy", "putting it off", "honest", "in tears",
      "i'm so sorry", "so sorry", "crying", "afraid", "ashamed", "hard to write", "hard to say",
    ]
    static let touchy: PhraseList = [
      "performance", "level", "raise", "salary", "pay", "sick", "ill", "health", "doctor", "mother",
      "father", "son", "daughter", "wife", "husband", "alone", "lonely", "feedback",
    ]
    static let slight: PhraseList = [
      "flu", "cold", "fever", "ill", "sick", "doctor", "pregnan*", "baby", "wedding", "flat",
      "promoted", "promotion", "feedback", "salary", "raise", "not well",
    ]
    static let fun: PhraseList = [
      "😂", "🤣", "😘", "😄", "😜", "😉", "lol", "haha*", "just kidding", "kidding",
    ]
    static let addressee: PhraseList = [
      "you", "your", "you're", "you've", "yours", "yourself", "du", "dein*", "tú", "tu", "आप*",
      "तुम*",
      "أنت", "あなた",
    ]
    static let sharp: PhraseList = [
      "excuse*", "blame", "sick of", "fed up", "talk down", "attitude", "congratulations",
      "petty", "here we go", "oh please", "not my problem",
      "without a word", "high horse", "ridiculous", "as usual",
      "once again",
      "don't understand", "you could have", "you always", "you never", "lovely", "how dare",
      "typical", "unbelievable", "bravo", "impossible", "arrogant", "childish",
      "schuld", "immer du", "typisch", "siempre", "harto", "कभी नहीं", "हमेशा", "दائما", "いつも",
      "i'm done", "enough", "for the last time", "how many times", "don't tell me", "stop telling",
      "do your job", "your job", "who do you think", "unprofessional", "embarrass*", "lazy",
      "careless", "sloppy", "useless", "always me", "every single time", "as always", "if you had",
      "if you'd", "had you", "maybe if you", "learn to", "grow up", "calm down", "spare me",
      "save it", "thanks a lot", "great job", "well done", "nice one", "seriously",
      "do whatever you want", "wow", "of course you", "sarcas*", "insult*", "pathetic", "joke",
      "nonsense", "clearly",
    ]
    static let accusing: PhraseList = [
      "you don't", "you didn't", "you never", "you always", "you could have", "you should have",
      "you're being", "you're the", "you promise*", "you people", "you just", "you keep",
      "you broke",
      "don't you", "your fault", "yourself", "du hast", "immer", "nunca", "siempre",
    ]
    static let polite: PhraseList = [
      "please", "thanks", "thank you", "could you", "can you", "would you", "glad", "agreed",
      "as promised",
    ]
    static let broken: PhraseList = [
      "down", "dead", "is white", "blank", "stuck", "broke", "not arriving", "broken", "crash*",
      "outage",
      "offline", "error", "errors", "locked out", "5xx", "500", "502", "503", "429", "disk full",
      "doppelt", "ausgefallen", "caído", "caída", "timeout*", "hangs", "everyone", "customers",
      "बंद", "معطل", "落ち*",
      "production", "prod", "unavailable", "not loading", "won't load", "failing", "fails", "spike",
      "spiking", "can't log in", "can't pay", "can't order", "nothing works", "still red",
      "still down", "alarm*", "pager", "restart*", "rollback", "roll back", "revert*", "timing out",
      "unreachable", "not responding", "gone", "on fire", "every request", "users",
    ]
    static let mended: PhraseList = [
      "fixed", "it's over", "is over", "resolved", "back up", "green again", "for the record",
      "post-mortem", "postmortem", "queue empty", "recovered", "all green",
    ]
    static let pivots: PhraseList = [
      "then", "so", "but", "unless", "without", "instead", "otherwise", "back", "again",
      "after all",
      "as i said", "we said", "can't", "needs", "need", "means", "before", "dann", "aber",
      "entonces", "pero", "إذن", "بدونه", "لكن", "فل*", "तो", "लेकिन", "でも", "なら",
    ]
    static let again: PhraseList = [
      "again", "back", "after all", "unless", "which means", "bring back", "still open",
      "once more", "wieder", "doch", "otra vez", "volvemos", "نرجع", "ربما", "फिर", "やっぱり", "また",
    ]
    static let noes: Set<String> = ["no", "not", "nein", "नहीं", "لا", "いいえ", "nope", "non"]
    static let repairs: PhraseList = [
      "i meant", "i mean", "i said", "i never", "i asked for", "you asked", "third time",
      "three times", "twice", "not what", "still not", "that's not",
      "don't get", "don't understand", "don't follow", "not that", "wrong one", "other one",
      "misread", "nicht das", "meinte", "no es", "quería decir", "तीसरी", "नहीं चाहिए", "ليس", "أقصد",
      "違*", "じゃなく*",
      "i was talking about", "i'm talking about", "not the", "no i", "that's what i", "didn't say",
      "never said", "not what i", "what i meant", "as i wrote", "like i said", "already told",
      "already said", "read it again", "talking past", "misunderst*", "no no", "already explained",
      "asked you", "which i said",
    ]
    static let emphasised: Set<String> = [
      "not", "be", "said", "only", "left", "right", "the", "and",
    ]
    static let lost: PhraseList = [
      "don't know how", "how is this", "no idea", "differently", "what do you", "confused",
    ]
  }
}
