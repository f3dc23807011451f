/// The messages of two people.
///
/// The last message is about to be sent.
struct Exchange {
  private let turns: [Text]
  /// The sender's own words, without quotations.
  private let message: Text
  private let messageLength: Int
  let hasOrders: Bool
  /// True if an embedded instruction asks for a call.
  let ordersCall: Bool

  init(_ layout: ChatLayout) {
    message = Text(Quotation.removed(from: layout.message))
    messageLength = layout.message.count
    turns = layout.conversation.map { Text($0.text) } + [message]
    let text = Text(layout.message)
    hasOrders =
      Injection.occursInThread(layout.message) || Words.orders.occurs(in: text)
    ordersCall = Words.ordersForCall.occurs(in: text)
  }

  private func count(_ phrases: PhraseList) -> Int { turns.count { phrases.occurs(in: $0) } }

  /// The last few messages.
  private var end: ArraySlice<Text> { turns.suffix(3) }

  // MARK: Obstacles to a call

  var cannotTalk: Bool {
    Words.unable.occurs(in: message) || end.contains { Words.appointed.occurs(in: $0) }
  }

  /// True if the message ends the matter.
  var isOver: Bool {
    Words.peace.occurs(in: message) && !Words.doubt.occurs(in: message)
  }

  // MARK: Reasons for a call

  /// True if a message mentions a call.
  var speaksOfCall: Bool { count(Words.calls) > 0 }

  /// True if there was trouble at some point, even if it was resolved.
  var hadTrouble: Bool {
    turns.contains(where: Self.isRepair) || count(Words.sharp) > 0 || count(Words.broken) > 0
  }

  func isSensitive(evenIfSlight: Bool) -> Bool {
    let own = Words.grave.occurs(in: message)
    if own { return true }
    if Words.touchy.occurs(in: message), end.contains(where: { Words.heavy.occurs(in: $0) }) {
      return true
    }
    return evenIfSlight
      && (Words.slight.occurs(in: message) || Words.slight.occurs(in: end.first ?? message))
  }

  func isHeated(evenIfOnce: Bool, atAnybody: Bool) -> Bool {
    let isFun = turns.contains { Words.fun.occurs(in: $0) }
    if isFun, !evenIfOnce { return false }
    func isSharp(_ turn: Text) -> Bool {
      let isAtOther = atAnybody || Words.addressee.occurs(in: turn)
      return isAtOther
        && (Words.sharp.occurs(in: turn) || Words.accusing.occurs(in: turn)
          || ToneRules.isHarsh(turn))
    }
    let before = turns.dropLast().count(where: isSharp)
    let isPersonal = turns.dropLast().count { Words.addressee.occurs(in: $0) } >= 3
    if isSharp(message) { return before >= 1 || isPersonal || evenIfOnce }
    let isAimed = Words.addressee.matches(in: message.words[...]).count >= 2
    return before >= 1 && isAimed && !Words.polite.occurs(in: message)
  }

  func isIncident(evenIfOver: Bool) -> Bool {
    guard count(Words.broken) >= 1 else { return false }
    if evenIfOver { return true }
    let words = turns.reduce(0) { $0 + $1.wordCount }
    let isHasty = words <= 13 * turns.count && turns.count >= 4
    return isHasty && isOpen && !Words.mended.occurs(in: message)
  }

  /// True if the message asks a question or is incomplete.
  private var isOpen: Bool {
    message.raw.contains { "?？؟".contains($0) } || Draft.breaksOff(message)
  }

  func goesRound(evenIfOrderly: Bool) -> Bool {
    let isOrderly = turns.contains { $0.words.count(where: Self.isPointNumber) >= 2 }
    if isOrderly { return evenIfOrderly && turns.count >= 5 }
    return turns.count >= 5 && count(Words.pivots) >= 4
      && (Words.again.occurs(in: message) || Words.pivots.occurs(in: message) && isOpen)
  }

  /// Returns true if a word is the number of a point: "3" or "3:".
  private static func isPointNumber(_ word: Word) -> Bool {
    word.text.count == 1 && word.text.allSatisfy(\.isNumber)
  }

  func isMisunderstood(evenIfOnce: Bool) -> Bool {
    let repairs = turns.count(where: Self.isRepair)
    if evenIfOnce { return repairs >= 1 && !Words.peace.occurs(in: message) }
    return repairs >= 2 && turns.count >= 4
  }

  /// Returns true if a message corrects a misunderstanding of the previous one.
  private static func isRepair(_ turn: Text) -> Bool {
    if let first = turn.words.first, Words.noes.contains(first.text) { return true }
    if Words.repairs.occurs(in: turn) { return true }
    return turn.words.contains { $0.isShouted && Words.emphasised.contains($0.text) }
  }

  var isLong: Bool { turns.count >= 6 || messageLength > 300 }
}
