import SluiceSupport

/// The questions of a suite's scorers about one answer, with their replies.
struct ScorerInquiry: Sendable {
  /// The questions of one scorer.
  struct Entry: Sendable {
    /// The index of the scorer in the suite.
    var place: Int
    var questions: [Question]
    /// The replies, one for each question; empty until the questions are asked.
    var replies: [Reply] = []
  }

  var entries: [Entry] = []

  /// Returns the replies to a scorer's questions; empty if the scorer has no questions.
  func replies(place: Int) -> [Reply] { entries.first { $0.place == place }?.replies ?? [] }

  /// True if a question was not asked because the run was cancelled.
  var wasCancelled: Bool {
    entries.contains { entry in
      entry.replies.contains { reply in
        if case .missing(let missing) = reply { missing.isCancelled } else { false }
      }
    }
  }

  /// Asks all questions, one after another.
  mutating func ask(_ reply: (Question) async -> Reply) async {
    for index in entries.indices {
      for question in entries[index].questions {
        entries[index].replies.append(await reply(question))
      }
    }
  }

  /// Sets the reply to each question to the result of a lookup.
  mutating func find(_ reply: (Question) -> Reply) {
    for index in entries.indices {
      entries[index].replies = entries[index].questions.map(reply)
    }
  }
}
