/// The counts of a text's words that express its writer's feelings.
struct Feeling {
  /// Words of praise and joy.
  ///
  /// Habitual phrases count half.
  private(set) var praise = 0
  private(set) var thanks = 0
  private(set) var anger = 0
  /// Words of grief and fear.
  private(set) var sorrow = 0
  /// The number of things that went wrong for a customer.
  private(set) var faults = 0
  private(set) var politeness = 0
  private(set) var hasContrast = false
  /// True if the text mocks with its own praise.
  private(set) var isMockery = false
  private(set) var isTeasing = false
  private(set) var isHelpfulNote = false
  private(set) var isLeaving = false

  /// Reads a text.
  ///
  /// - Parameter text: The text, without quotations.
  init(_ text: Text) {
    for sentence in text.sentences { add(sentence.words) }
    thanks += 2 * FeelingWords.thanksFragments.count(in: text.raw)
    praise += 2 * FeelingWords.praiseFragments.count(in: text.raw)
    anger += 2 * FeelingWords.angerFragments.count(in: text.raw)
    sorrow += 2 * FeelingWords.sorrowFragments.count(in: text.raw)
    faults += 2 * FeelingWords.faultFragments.count(in: text.raw)
    let emoji = EmojiMood(text.raw)
    praise += min(emoji.good, 2)
    anger += min(emoji.bad, 2)
    hasContrast = FeelingWords.contrast.occurs(in: text)
    isTeasing = FeelingWords.teasing.occurs(in: text)
    isHelpfulNote = FeelingWords.helpfulNotes.occurs(in: text)
    isLeaving = FeelingWords.leaving.occurs(in: text)
    let mocks = FeelingWords.mockery.matches(in: text.words[...]).count
    // In "Wonderful, it broke on the first day", praise and fault follow each other directly.
    let isOneBreath = praise >= 2 && faults >= 2 && !hasContrast && text.wordCount <= 30
    isMockery = thanks == 0 && (mocks >= 2 || mocks == 1 && faults + anger > 0 || isOneBreath)
  }

  /// Ignores trouble for which no one is blamed.
  mutating func dropTrouble() {
    sorrow = 0
    faults = 0
  }

  private mutating func add(_ words: ArraySlice<Word>) {
    let polite = FeelingWords.politeness.matches(in: words)
    politeness += polite.count
    // The kindness in "kind regards" does not express a feeling.
    func isMeant(_ range: Range<Int>) -> Bool { !polite.contains { $0.overlaps(range) } }
    for range in FeelingWords.praise.matches(in: words) where isMeant(range) {
      if Self.isNegated(range, in: words) { anger += 2 } else { praise += 2 }
    }
    for range in FeelingWords.mildPraise.matches(in: words) where isMeant(range) {
      if Self.isNegated(range, in: words) { anger += 1 } else { praise += 1 }
    }
    for range in FeelingWords.anger.matches(in: words) where !Self.isNegated(range, in: words) {
      anger += 2
    }
    thanks += 2 * FeelingWords.thanks.matches(in: words).count
    for range in FeelingWords.sorrow.matches(in: words) where !Self.isNegated(range, in: words) {
      sorrow += 2
    }
    for range in FeelingWords.faults.matches(in: words) where !Self.isNegated(range, in: words) {
      faults += 2
    }
  }

  /// Returns true if one of the three words before a phrase negates it.
  private static func isNegated(_ range: Range<Int>, in words: ArraySlice<Word>) -> Bool {
    let start = max(words.startIndex, range.lowerBound - 3)
    guard
      let index = words[start..<range.lowerBound].lastIndex(where: { negators.contains($0.text) })
    else { return false }
    return !words[index..<range.lowerBound].contains(where: \.endsClause)
  }

  private static let negators: Set<String> = [
    "not", "no", "never", "don't", "dont", "doesn't", "didn't", "isn't", "wasn't", "aren't",
    "weren't", "won't", "can't", "cannot", "couldn't", "wouldn't", "hardly", "nothing", "without",
    "neither", "nor", "nicht", "kein", "keine", "nie", "ni", "pas", "jamais", "non", "não", "nunca",
    "niet", "geen", "nem", "не", "değil",
  ]
}

/// The moods that emoji show.
struct EmojiMood {
  private(set) var good = 0
  private(set) var bad = 0
  /// Emoji without a mood, such as things and question marks.
  private(set) var other = 0

  init(_ text: String) {
    for character in text {
      guard let first = character.unicodeScalars.first else { continue }
      if Self.goodOnes.contains(first) {
        good += 1
      } else if Self.badOnes.contains(first) {
        bad += 1
      } else if character.isEmoji {
        other += 1
      }
    }
  }

  private static let goodOnes = Set(
    "❤♥💛💚💙💜🧡🖤🤍🤎💖💕💞💓💗💘💝😍🥰😘🤩🔥👏😂🤣👍😊😀😃😄😁🙂☺😻🎉🥳🙌💯🤗😋🤤⭐🌟✨🏆👌💪🥹🫶🙏🌹🌸💐😎🤝".unicodeScalars
  )
  private static let badOnes = Set(
    "😡🤬😠👎🤮🤢🙄😴💩😤😒😞😔😢😭☹🙁😩😫💔😣😖😟😰😨😱🥱🤡🖕😑😕".unicodeScalars
  )
}
