/// A creator's writing style, as far as rules can follow the points of the voice.
struct ReplyVoice {
  private(set) var signature = ""
  private(set) var opening = ""
  private(set) var opensWithFirstName = false
  private(set) var maximumWords: Int?
  private(set) var maximumSentences: Int?
  private var lastEmoji = ""
  private var isLowerCase = false
  private var hasNoContractions = false
  private var hasNoExclamation = false
  private var wordForThanks = ""

  /// Reads the points.
  ///
  /// - Parameters:
  ///   - points: The points, one per element.
  ///   - language: The language of the draft. Some points have a form for it.
  ///   - isWhole: True to follow every point. Otherwise, only the opening and the signature are
  ///     used.
  init(_ points: [Substring], in language: ReplyLanguage, isWhole: Bool) {
    for point in points {
      let text = String(point)
      func rest(of start: String) -> String? {
        text.hasPrefix(start) ? String(text.dropFirst(start.count)) : nil
      }
      if let rest = rest(of: "signs with: ") ?? rest(of: "signs with ") ?? rest(of: "last line: ") {
        signature = Self.form(of: rest, in: language)
      } else if let rest = rest(of: "opens with ") {
        opening = Self.form(of: rest, in: language)
      } else if text.contains("first word is the writer's first name") {
        opensWithFirstName = true
      }
      guard isWhole else { continue }
      if text.contains("words at most") {
        maximumWords = Self.number(text)
      } else if text.contains("sentences at most") {
        maximumSentences = Self.number(text)
      }
      if text.contains("lower case") { isLowerCase = true }
      if text.contains("no contractions") { hasNoContractions = true }
      if text.contains("no exclamation") { hasNoExclamation = true }
      if text.hasPrefix("exactly one emoji") || text.hasPrefix("the last sign is") {
        lastEmoji = String(text.filter(\.isEmoji))
      }
      if let rest = rest(of: "says "), let end = rest.firstIndex(of: " ") {
        wordForThanks = String(rest[..<end])
      }
    }
  }

  /// Returns the form in brackets if the draft is in that language, as in "Namaste (in Hindi
  /// नमस्ते)".
  private static func form(of text: String, in language: ReplyLanguage) -> String {
    var form = text
    if let open = form.firstRange(of: " (in ") {
      let bracket = form[open.upperBound...].prefix { $0 != ")" }
      form = String(form[..<open.lowerBound])
      if bracket.hasPrefix(language.rawValue + " ") {
        return String(bracket.dropFirst(language.rawValue.count + 1))
      }
    }
    for tail in [", in ", " on a line"] {
      if let range = form.firstRange(of: tail) { form = String(form[..<range.lowerBound]) }
    }
    return form
  }

  private static func number(_ text: String) -> Int? {
    let words = ["one", "two", "three", "four", "five", "six"]
    guard let first = text.split(separator: " ").first else { return nil }
    return Int(first) ?? words.firstIndex(of: String(first)).map { $0 + 1 }
  }

  /// Returns a text in the creator's style, without the signature.
  func styled(_ text: String) -> String {
    var text = text
    if hasNoContractions {
      for (short, long) in Self.contractions { text = text.replacing(short, with: long) }
    }
    if !wordForThanks.isEmpty {
      for thanks in ["Thank you", "thank you", "Thanks", "thanks"] {
        let isStart = thanks.first?.isUppercase ?? false
        text = text.replacing(
          thanks,
          with: isStart ? wordForThanks.capitalisedFirst : wordForThanks
        )
      }
    }
    if hasNoExclamation { text = text.replacing("!", with: ".") }
    if !lastEmoji.isEmpty { text += " " + lastEmoji }
    return isLowerCase ? text.lowercased() : text
  }

  private static let contractions: KeyValuePairs<String, String> = [
    "I'm": "I am", "I'll": "I will", "I've": "I have", "I'd": "I would", "don't": "do not",
    "can't": "cannot", "it's": "it is", "It's": "It is", "that's": "that is", "won't": "will not",
    "isn't": "is not", "doesn't": "does not", "couldn't": "could not",
  ]
}
