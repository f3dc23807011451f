import SluiceSupport

/// The stemmer that reduces English words to their stems (Porter 1980).
///
/// It includes NLTK's modifications, which rouge-score uses.
enum PorterStemmer {
  /// Returns the stem of a word that consists of digits and the letters a to z.
  static func stem(_ word: ArraySlice<UInt32>) -> ArraySlice<UInt32> {
    var stem = Word(word)
    if let known = irregular[stem.letters] { return known }
    guard word.count > 2 else { return word }
    stem.cutPlural()
    stem.cutPast()
    stem.turnY()
    stem.cutDoubleSuffix()
    stem.apply(adjectiveSuffixes)
    stem.apply(lastSuffixes)
    stem.cutFinalE()
    stem.cutDoubleL()
    return stem.letters
  }

  private static let irregular: [ArraySlice<UInt32>: ArraySlice<UInt32>] = [
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "inning": "inning", "innings": "inning", "outing": "outing", "outings": "outing",
    "canning": "canning", "cannings": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
  ].reduce(into: [:]) { $0[letters($1.key)] = letters($1.value) }

  private static func letters(_ text: String) -> ArraySlice<UInt32> { text.scalarValues[...] }

  /// A suffix with its replacement and its condition.
  ///
  /// Of a list of rules, only the first whose suffix matches is used.
  private struct Rule {
    var suffix: ArraySlice<UInt32>
    var replacement: ArraySlice<UInt32>
    /// The minimum of ``Word/measure(_:)`` for the rest of the word.
    var measure: Int
    /// The number of letters of the suffix that are measured together with the rest of the word.
    var measuredTail = 0
    /// The letters with which the rest of the word may end; empty if every letter is allowed.
    var endings: Set<UInt32> = []

    init(_ suffix: String, _ replacement: String, measure: Int) {
      self.suffix = letters(suffix)
      self.replacement = letters(replacement)
      self.measure = measure
    }
  }

  private static func rules(_ pairs: KeyValuePairs<String, String>, measure: Int) -> [Rule] {
    pairs.map { Rule($0.key, $0.value, measure: measure) }
  }

  /// The rules of the second step in Porter's paper.
  private static let doubleSuffixes: [Rule] = {
    var all = rules(
      [
        "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
        "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
        "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
        "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "fulli": "ful",
        "logi": "log",
      ],
      measure: 1
    )
    // The l of -logi is measured together with the letters before it.
    all[all.count - 1].measuredTail = 1
    return all
  }()

  /// The rules of the third step in Porter's paper.
  private static let adjectiveSuffixes = rules(
    [
      "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
    ],
    measure: 1
  )

  /// The rules of the fourth step in Porter's paper.
  private static let lastSuffixes: [Rule] = {
    var all = rules(
      [
        "al": "", "ance": "", "ence": "", "er": "", "ic": "", "able": "", "ible": "", "ant": "",
        "ement": "", "ment": "", "ent": "", "ion": "", "ou": "", "ism": "", "ate": "", "iti": "",
        "ous": "", "ive": "", "ize": "",
      ],
      measure: 2
    )
    for place in all.indices where all[place].suffix == letters("ion") {
      all[place].endings = Set("st".scalarValues)
    }
    return all
  }()

  /// A word that is being stemmed.
  private struct Word {
    var letters: ArraySlice<UInt32>

    init(_ letters: ArraySlice<UInt32>) { self.letters = letters }

    private static let vowels = Set("aeiou".scalarValues)
    private static let y: UInt32 = 0x79

    /// Returns a flag for each letter, which is true for a consonant.
    ///
    /// A y is a consonant, unless the letter before it is a consonant.
    private static func consonants(_ part: ArraySlice<UInt32>) -> [Bool] {
      var flags: [Bool] = []
      flags.reserveCapacity(part.count)
      for letter in part {
        flags.append(
          letter == y ? !(flags.last ?? false) : !vowels.contains(letter)
        )
      }
      return flags
    }

    /// Returns how often a consonant follows a vowel.
    private static func measure(_ part: ArraySlice<UInt32>) -> Int {
      let flags = consonants(part)
      return zip(flags, flags.dropFirst()).count { !$0 && $1 }
    }

    /// Returns true if a part ends with a consonant, a vowel, and a consonant other than w, x and
    /// y.
    ///
    /// Also true if it consists of a vowel and a consonant.
    private static func endsShort(_ part: ArraySlice<UInt32>) -> Bool {
      let flags = consonants(part)
      if part.count == 2 { return flags == [false, true] }
      guard part.count > 2, let last = part.last else { return false }
      return flags.suffix(3) == [true, false, true] && !Set("wxy".scalarValues).contains(last)
    }

    private func ends(_ suffix: String) -> Bool { ends(PorterStemmer.letters(suffix)) }

    private func ends(_ suffix: ArraySlice<UInt32>) -> Bool {
      letters.count >= suffix.count && letters.suffix(suffix.count) == suffix
    }

    private var endsDouble: Bool {
      letters.count >= 2 && letters.last == letters.dropLast().last
        && Self.consonants(letters).last == true
    }

    mutating func apply(_ rules: [Rule]) {
      guard let rule = rules.first(where: { ends($0.suffix) }) else { return }
      let rest = letters.dropLast(rule.suffix.count)
      let measured = letters.dropLast(rule.suffix.count - rule.measuredTail)
      guard Self.measure(measured) >= rule.measure else { return }
      if !rule.endings.isEmpty {
        guard let last = rest.last, rule.endings.contains(last) else { return }
      }
      letters = rest + rule.replacement
    }

    /// Performs the second step of Porter's paper.
    mutating func cutDoubleSuffix() {
      // -alli becomes -al, which later rules may match.
      if ends("alli"), Self.measure(letters.dropLast(4)) > 0 { letters = letters.dropLast(2) }
      apply(doubleSuffixes)
    }

    /// Performs step 1a of Porter's paper, which removes plural endings.
    mutating func cutPlural() {
      if ends("sses") {
        letters = letters.dropLast(2)
      } else if ends("ies") {
        letters = letters.dropLast(letters.count == 4 ? 1 : 2)
      } else if !ends("ss"), ends("s") {
        letters = letters.dropLast()
      }
    }

    /// Performs step 1b of Porter's paper, for -ed and -ing.
    mutating func cutPast() {
      if ends("ied") {
        letters = letters.dropLast(letters.count == 4 ? 1 : 2)
        return
      }
      if ends("eed") {
        if Self.measure(letters.dropLast(3)) > 0 { letters = letters.dropLast() }
        return
      }
      guard let suffix = ["ed", "ing"].first(where: { ends($0) }) else { return }
      let rest = letters.dropLast(suffix.utf8.count)
      guard Self.consonants(rest).contains(false) else { return }
      letters = rest
      if ends("at") || ends("bl") || ends("iz") {
        letters.append(0x65)
      } else if endsDouble {
        if let last = letters.last, !Set("lsz".scalarValues).contains(last) {
          letters = letters.dropLast()
        }
      } else if Self.measure(letters) == 1, Self.endsShort(letters) {
        letters.append(0x65)
      }
    }

    /// Performs step 1c of Porter's paper, for a y after a consonant.
    mutating func turnY() {
      let rest = letters.dropLast()
      guard letters.last == Self.y, rest.count > 1, Self.consonants(rest).last == true else {
        return
      }
      letters = rest + PorterStemmer.letters("i")
    }

    /// Performs step 5a of Porter's paper, for a final e.
    mutating func cutFinalE() {
      guard ends("e") else { return }
      let rest = letters.dropLast()
      let measure = Self.measure(rest)
      if measure > 1 || measure == 1 && !Self.endsShort(rest) { letters = rest }
    }

    /// Performs step 5b of Porter's paper, for a double l.
    mutating func cutDoubleL() {
      if ends("ll"), Self.measure(letters.dropLast()) > 1 { letters = letters.dropLast() }
    }
  }
}
