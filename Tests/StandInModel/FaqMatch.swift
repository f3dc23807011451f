/// The FAQ entry that fits a message best, and how well it fits.
struct FaqMatch {
  private(set) var best: FaqEntry?
  /// The weight of the words that the message and the entry share.
  ///
  /// Rare words weigh more.
  private(set) var score = 0.0
  /// True if the message asks about something that the entry does not mention.
  private(set) var isNearMiss = false
  /// True if some of the questions are not answered.
  private(set) var isPartial = false

  /// Searches for the entry.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - entries: The entries of the FAQ.
  ///   - takesAnyWords: True if synonyms count.
  ///   - looksAtAll: True if every one of several questions must be answered, not only the easiest.
  init(_ message: FaqMessage, in entries: [FaqEntry], takesAnyWords: Bool, looksAtAll: Bool) {
    let asked = message.questions.isEmpty ? message.all : message.questions
    func fit(_ entry: FaqEntry, _ parts: [FaqMessage.Part]) -> Double {
      var sum = 0.0
      for stem in Set(parts.flatMap(\.stems)) where entry.stems.contains(stem) {
        sum += 1.5 / Double(entries.count { $0.stems.contains(stem) })
      }
      guard takesAnyWords else { return sum }
      for concept in Set(parts.flatMap(\.concepts)) where entry.concepts.contains(concept) {
        sum += 2.0 / Double(entries.count { $0.concepts.contains(concept) })
      }
      return sum
    }
    let fits = entries.map { (entry: $0, fit: fit($0, asked) + 0.6 * fit($0, message.rest)) }
    guard let top = fits.max(by: { $0.fit < $1.fit }), top.fit > 0 else { return }
    best = top.entry
    score = top.fit
    let easiest = asked.max { fit(top.entry, [$0]) < fit(top.entry, [$1]) }
    let parts = looksAtAll ? asked : easiest.map { [$0] } ?? []
    isNearMiss = parts.contains { part in
      part.concepts.contains { $0.isAsked && !top.entry.concepts.contains($0) }
    }
    isPartial =
      message.questionCount > 1
      && message.questions.contains { part in
        let own = fit(top.entry, [part])
        return own < 1 || entries.contains { fit($0, [part]) > own }
      }
  }
}
