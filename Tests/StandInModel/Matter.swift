/// The subject of a conversation in a creator's inbox, as far as its words reveal it.
struct Matter {
  /// The degree to which the conversation resembles advertising or a trick.
  let spam: Int
  /// True if a person without proof asks for a secret, or for money in advance.
  let isPretence: Bool
  let isSpite: Bool
  /// True if silence soon leads to harm or a loss.
  let isCostly: Bool
  let isDangerous: Bool
  let isToday: Bool
  /// The degree to which the conversation resembles an offer.
  let offer: Int
  /// The amount offered, in euros.
  let payment: Int?
  let hasDate: Bool
  let isNationalPress: Bool
  let isSmallPress: Bool
  let isInvitation: Bool
  let isPlan: Bool
  let isBegging: Bool
  /// The degree to which the conversation resembles a message of a long-time supporter.
  let devotion: Int
  let isQuestion: Bool
  let isRequest: Bool
  let isRepeated: Bool
  let hasAddress: Bool
  let wordCount: Int
  let feeling: Feeling

  /// Reads a conversation.
  ///
  /// - Parameters:
  ///   - text: The entries of the other people to consider.
  ///   - last: The last entry.
  ///   - isKnown: True if the creator has answered them before.
  init(_ text: Text, last: Text, isKnown: Bool) {
    func count(_ phrases: PhraseList) -> Int {
      Set(phrases.matches(in: text.words[...]).map { text.words[$0.lowerBound].text }).count
    }
    func has(_ phrases: PhraseList) -> Bool { phrases.occurs(in: text) }
    spam = CategoryRules.spamEvidence(in: text) - (isKnown ? 1 : 0)
    let wanted = count(MatterWords.wanted)
    let first = count(MatterWords.moneyFirst)
    let pressing = count(MatterWords.pressure)
    isPretence =
      wanted >= 2 || (wanted >= 1 && (text.hasLink || pressing >= 1 || first >= 1))
      || (first >= 1 && (pressing >= 1 || text.hasLink) && !isKnown)
    isSpite = count(MatterWords.spite) >= 2 && !text.raw.contains("?")
    let isToday =
      MatterWords.deadlines.occurs(in: last) || MatterWords.deadlineFragments.occurs(in: last.raw)
    self.isToday = isToday
    let urgency = CategoryRules.urgentEvidence(in: last)
    let danger = Set(
      MatterWords.danger.matches(in: last.words[...]).map { last.words[$0.lowerBound].text }
    )
    isDangerous = danger.count >= 2
    isCostly =
      urgency >= 4 || (urgency >= 2 && isToday)
      || (isToday && MatterWords.losses.occurs(in: last))
      || (danger.count >= 2 && (isToday || last.raw.contains("?")))
    offer = CategoryRules.businessEvidence(in: text)
    payment = Money.largest(in: text)
    hasDate = has(MatterWords.dates) || MatterWords.dateFragments.occurs(in: text.raw)
    isNationalPress = has(MatterWords.nationalPress)
    isSmallPress = has(MatterWords.smallPress)
    isInvitation = has(MatterWords.invitations)
    isPlan = has(MatterWords.plans)
    isBegging = has(MatterWords.exposure)
    devotion = CategoryRules.devotionEvidence(in: text)
    isQuestion = last.raw.contains { "?？؟".contains($0) } && last.wordCount >= 4
    isRequest = has(MatterWords.requests)
    isRepeated = has(MatterWords.repeated)
    hasAddress = text.words.contains { $0.text.contains("@") && $0.text.contains(".") }
    wordCount = text.wordCount
    feeling = Feeling(text)
  }

  /// Returns true if the last entry only says thanks or goodbye.
  static func isClosing(_ last: Text) -> Bool {
    last.wordCount <= 40 && !last.raw.contains { "?？؟".contains($0) }
      && MatterWords.closing.occurs(in: last) && !MatterWords.openEnds.occurs(in: last)
  }

  /// Returns true if the last entry is only a reminder of an earlier one.
  static func isNudge(_ last: Text) -> Bool {
    last.wordCount <= 1 || last.wordCount <= 6 && MatterWords.nudges.occurs(in: last)
  }
}
