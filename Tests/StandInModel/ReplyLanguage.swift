/// The languages in which the stand-in knows phrases.
///
/// Facts keep their original language.
enum ReplyLanguage: String {
  case english = "English"
  case german = "German"
  case spanish = "Spanish"
  case french = "French"
  case italian = "Italian"
  case portuguese = "Portuguese"
  case dutch = "Dutch"
  case arabic = "Arabic"
  case hindi = "Hindi"
  case japanese = "Japanese"

  /// Detects the language of a text by its letters or its function words.
  init(of text: String) {
    let scalars = text.unicodeScalars
    func share(_ range: ClosedRange<UInt32>) -> Bool {
      scalars.count { range.contains($0.value) } * 3 > scalars.count
    }
    if share(0x600...0x6FF) {
      self = .arabic
    } else if share(0x900...0x97F) {
      self = .hindi
    } else if scalars.contains(where: { (0x3040...0x30FF).contains($0.value) }) {
      self = .japanese
    } else {
      let words = Text(text).words
      let counts = Self.holdingWords.map { language, list in
        (language: language, count: words.count { list.contains($0.text) })
      }
      let best = counts.max { $0.count < $1.count }
      self = best.map { $0.count >= 2 ? $0.language : .english } ?? .english
    }
  }

  private static let holdingWords: KeyValuePairs<ReplyLanguage, Set<String>> = [
    .english: [
      "the", "is", "and", "you", "my", "it", "of", "your", "i", "to", "for", "was", "that", "be",
    ],
    .german: [
      "der", "die", "das", "und", "ist", "ich", "nicht", "wir", "ihr", "sie", "auf", "ein",
    ],
    .spanish: [
      "el", "los", "que", "y", "una", "por", "mi", "para", "tu", "del", "es", "con", "nos",
    ],
    .french: [
      "le", "les", "et", "vous", "une", "est", "pour", "nous", "des", "je", "dans", "votre",
    ],
    .italian: [
      "il", "che", "di", "non", "una", "per", "sono", "della", "ciao", "è", "la", "dalla",
    ],
    .portuguese: ["o", "e", "que", "não", "uma", "um", "para", "você", "com", "os", "meu", "da"],
    .dutch: ["het", "een", "van", "ik", "niet", "en", "dat", "je", "is", "wij", "mijn", "op"],
  ]

  /// The phrases of a draft in this language.
  var phrases: Phrases {
    switch self {
    case .english:
      Phrases(
        hello: "Hello",
        thanks: "Thank you for writing",
        about: "about",
        yes: "Yes, gladly.",
        no: "I'm afraid I have to say no.",
        sorry: "I'm sorry",
        ask: "Could you tell me",
        and: "and"
      )
    case .german:
      Phrases(
        hello: "Guten Tag",
        thanks: "Vielen Dank für Ihre Nachricht",
        about: "zu",
        yes: "Ja, sehr gern.",
        no: "Leider muss ich Nein sagen, das geht nicht.",
        sorry: "Es tut mir sehr leid, Entschuldigung",
        ask: "Können Sie mir sagen",
        and: "und"
      )
    case .spanish:
      Phrases(
        hello: "Hola",
        thanks: "Gracias por escribirme",
        about: "sobre",
        yes: "Sí, con mucho gusto.",
        no: "Lo siento, no puedo.",
        sorry: "Perdón, lo siento mucho",
        ask: "¿Me dices",
        and: "y"
      )
    case .french:
      Phrases(
        hello: "Bonjour",
        thanks: "Merci pour votre message",
        about: "sur",
        yes: "Oui, avec plaisir.",
        no: "Malheureusement, je dois dire non.",
        sorry: "Je suis désolé, toutes mes excuses",
        ask: "Pouvez-vous me dire",
        and: "et"
      )
    case .italian:
      Phrases(
        hello: "Ciao",
        thanks: "Grazie per il messaggio",
        about: "su",
        yes: "Sì, volentieri.",
        no: "Purtroppo devo dire di no.",
        sorry: "Scusami, mi dispiace molto",
        ask: "Mi puoi dire",
        and: "e"
      )
    case .portuguese:
      Phrases(
        hello: "Olá",
        thanks: "Obrigado pela mensagem",
        about: "sobre",
        yes: "Sim, com prazer.",
        no: "Infelizmente não posso.",
        sorry: "Desculpe, sinto muito",
        ask: "Pode me dizer",
        and: "e"
      )
    case .dutch:
      Phrases(
        hello: "Hallo",
        thanks: "Bedankt voor je bericht",
        about: "over",
        yes: "Ja, graag.",
        no: "Helaas, dat kan niet.",
        sorry: "Het spijt me, sorry",
        ask: "Kun je me zeggen",
        and: "en"
      )
    case .arabic:
      Phrases(
        hello: "مرحبا",
        thanks: "شكرا على رسالتك",
        about: "عن",
        yes: "نعم، بكل سرور.",
        no: "أعتذر، لا أستطيع.",
        sorry: "أعتذر منك، آسف جدا",
        ask: "هل يمكنك أن تخبرني",
        and: "و"
      )
    case .hindi:
      Phrases(
        hello: "नमस्ते",
        thanks: "आपके संदेश के लिए धन्यवाद",
        about: "और",
        yes: "हाँ, ज़रूर।",
        no: "माफ़ कीजिए, नहीं हो पाएगा।",
        sorry: "माफ़ कीजिए, मुझे खेद है",
        ask: "क्या आप बताएँगे",
        and: "और"
      )
    case .japanese:
      Phrases(
        hello: "こんにちは",
        thanks: "メッセージをありがとうございます",
        about: "",
        yes: "はい、喜んでお引き受けします。",
        no: "申し訳ありませんが、お断りします。",
        sorry: "申し訳ありません",
        ask: "教えてください",
        and: "と"
      )
    }
  }

  struct Phrases {
    let hello: String
    let thanks: String
    /// The words between the thanks and the reason for them.
    let about: String
    let yes: String
    let no: String
    let sorry: String
    let ask: String
    let and: String
  }
}
