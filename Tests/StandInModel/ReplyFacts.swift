/// A creator's facts as sentences of a draft.
enum ReplyFacts {
  /// Returns the facts as sentences, without those that say what to ask.
  static func sentences(_ facts: [Substring]) -> [String] {
    facts.filter { !$0.hasPrefix("ask ") && !$0.isEmpty }
      .map { addressed($0).capitalisedFirst + "." }
  }

  /// Returns the facts that say what to ask, as questions.
  static func questions(_ facts: [Substring], asking: String) -> [String] {
    facts.compactMap { fact in
      for start in ["ask for ", "ask "] where fact.hasPrefix(start) {
        return "\(asking) \(addressed(fact.dropFirst(start.count)))?"
      }
      return nil
    }
  }

  /// Returns a fact such as "Yes, on Tuesday" without its "yes".
  static func withoutYes(_ fact: Substring) -> Substring {
    guard fact.hasPrefix("yes") else { return fact }
    return fact.dropFirst(3).drop { $0 == "," || $0 == " " }
  }

  /// Rewrites a fact about the writer to address the writer: "he works" becomes "you work".
  private static func addressed(_ fact: Substring) -> String {
    var isVerb = false
    return fact.split(separator: " ").map { word in
      let wasSubject = isVerb
      isVerb = word == "he" || word == "she"
      switch word {
      case "he", "she", "him": return "you"
      case "his", "her": return "your"
      case "has" where wasSubject: return "have"
      default: return wasSubject && word.hasSuffix("s") ? String(word.dropLast()) : String(word)
      }
    }.joined(separator: " ")
  }

  /// Returns the first name of a writer with a full name, or `nil` for handles and companies.
  static func firstName(_ writer: String) -> String? {
    let words = writer.split { $0 == " " || $0 == "," }
      .filter { !["Dr", "Dr.", "Mr", "Mr.", "Ms", "Ms.", "Mrs", "Sister", "The"].contains($0) }
    guard let first = words.first, first.first?.isUppercase ?? false, words.count >= 2,
      first.allSatisfy(\.isLetter)
    else { return nil }
    return String(first)
  }
}
