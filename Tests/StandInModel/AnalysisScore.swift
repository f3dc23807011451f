/// The value of an answer, in the bands of the analysis prompt.
struct AnalysisScore {
  let instructions: Set<AnalysisRules.AnalysisInstruction>

  /// Returns the score of a conversation.
  ///
  /// - Parameters:
  ///   - matter: The subject of the conversation.
  ///   - category: The category of the conversation.
  ///   - isClosed: True if the last entry only says thanks or goodbye.
  ///   - last: The last entry of the other people.
  /// - Returns: The score, from 0 to 100.
  func value(
    of matter: Matter,
    in category: CategoryRules.Label,
    isClosed: Bool,
    last: Text
  ) -> Int {
    let isLoyal = category == .superFan
    if category == .spam { return instructions.contains(.nothing) ? 5 : 30 }
    if isClosed { return instructions.contains(.nothing) ? 15 : 45 }
    if category == .urgent {
      if matter.isDangerous { return veryMuch(95) }
      return matter.payment ?? 0 < 100 && matter.isQuestion ? much(75) : veryMuch(90)
    }
    if category == .business {
      if matter.feeling.anger >= 2, matter.isRequest || matter.isRepeated { return much(75) }
      if (matter.payment ?? 0) >= 500, matter.hasDate { return veryMuch(90) }
      if matter.isNationalPress { return veryMuch(85) }
      return isWaiting(matter, last: last) ? much(65) : little(30)
    }
    if matter.isRequest, matter.feeling.faults >= 2 || matter.feeling.anger >= 2 {
      return much(matter.isRepeated ? 75 : 70)
    }
    if isLoyal, matter.isPlan, matter.isQuestion || last.wordCount >= 40 { return much(70) }
    if matter.isQuestion { return some(isLoyal ? 55 : 50) }
    if last.wordCount >= 30 { return some(isLoyal ? 50 : 45) }
    return little(isLoyal ? 35 : last.wordCount <= 5 ? 25 : 30)
  }

  /// Returns true if the creator must take the next step.
  private func isWaiting(_ matter: Matter, last: Text) -> Bool {
    matter.isQuestion || MatterWords.openEnds.occurs(in: last)
  }

  // A band that the prompt does not define is replaced by the one below it; the lowest band is
  // replaced by the one above it.

  private func little(_ score: Int) -> Int { instructions.contains(.little) ? score : 50 }

  private func some(_ score: Int) -> Int { instructions.contains(.some) ? score : 25 }

  private func much(_ score: Int) -> Int { instructions.contains(.much) ? score : 45 }

  private func veryMuch(_ score: Int) -> Int { instructions.contains(.veryMuch) ? score : 65 }
}
