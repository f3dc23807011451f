/// The rules for borderline cases in the inbox, which version 2 of the prompt adds.
enum CategoryBorders {
  /// Returns the degree of long or repeated support in a text.
  ///
  /// It is negative for big words without proof.
  static func devotion(in text: Text) -> Int {
    let words = text.words[...]
    var score = min(4, 2 * deeds.matches(in: words).count)
    if words.contains(where: isHighOrdinal) { score += 2 }
    if score == 0, bigWords.occurs(in: words) { score -= 2 }
    return score
  }

  /// Returns true for a high ordinal: "ninth", "47th".
  private static func isHighOrdinal(_ word: Word) -> Bool {
    if ordinals.contains(word.text) { return true }
    let digits = word.text.prefix(while: \.isNumber)
    return (Int(digits) ?? 0) >= 4
      && ["th", "st", "nd", "rd"].contains(word.text.dropFirst(digits.count))
  }

  private static let ordinals: Set<String> = [
    "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
    "twentieth", "fiftieth", "hundredth", "cinquième", "sixième", "septième", "huitième",
    "neuvième", "dixième", "quinto", "sexto", "séptimo", "octavo", "noveno", "décimo", "fünfte",
    "sechste", "siebte", "achte", "neunte", "zehnte",
  ]
  private static let deeds: PhraseList = [
    "every volume", "all volumes",
    "all your books", "all the records", "tier", "subscriber since", "season ticket",
    "fan group", "our group", "i run", "volunteer*", "fundraiser", "have to cancel my membership",
    "translated", "each of your", "todos los", "todos tus", "alle deine",
    "会員*", "メンバー*", "ทุก*", "สมาชิก*", "عضو*", "كل حلقة", "हर एपिसोड", "सदस्य",
  ]
  private static let bigWords: PhraseList = [
    "biggest fan", "number one fan", "greatest fan", "no 1 fan", "huge fan", "super fan",
    "superfan", "größter fan", "mayor fan",
  ]

  /// Returns the degree to which a text requests or offers paid work in any form.
  static func trade(in text: Text) -> Int { min(4, 2 * offers.matches(in: text.words[...]).count) }

  private static let offers: PhraseList = [
    "estimate", "borrow*", "rent", "lend", "hire", "on loan", "per month", "per hour", "insurance",
    "shipping and", "how much do you charge", "your price", "prices",
    "what do you charge", "do a gig", "play at our", "for our wedding", "for our shop",
    "alquil*", "precio", "precios", "tarif", "tarifs", "prestation", "mieten", "preise", "preis",
    "معرض*", "أسعار*", "شروط*", "تعاون", "謝礼", "ご検討*", "報酬", "शुल्क", "सहयोग",
  ]

  /// Returns the degree of danger in a text, including the danger of a loss if nobody acts today.
  static func danger(in text: Text) -> Int {
    min(4, 2 * dangers.matches(in: text.words[...]).count)
  }

  private static let dangers: PhraseList = [
    "leak", "home address", "my address is", "ran away", "run away from home", "alone at the",
    "knife", "gun", "threat*", "loose", "unsafe to", "don't climb", "overdose", "pills",
    "can't go on", "no way out", "suicid*", "allergic reaction", "chest pain",
    "in two hours", "in one hour", "starts tonight", "doors at", "strike", "cancelled at",
    "cuchillo", "policía", "polícia", "messer", "polizei",
    "سكين", "الشرطة", "خطر", "الآن", "चाकू", "पुलिस", "खतरा", "危険*", "警察*",
  ]

  /// Returns a text without its loud parts, which are words in capitals and quotations.
  static func withoutNoise(_ text: Text) -> Text {
    let own = Quotation.removed(from: text.raw)
    let words = own.split(omittingEmptySubsequences: false) { $0 == " " }.filter { word in
      let letters = word.filter(\.isLetter)
      return letters.count < 4 || letters.contains(where: \.isLowercase)
        || !letters.contains(where: \.isUppercase)
    }
    return Text(words.joined(separator: " "))
  }
}
