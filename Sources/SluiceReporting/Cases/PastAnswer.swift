import SluiceGating

/// The outcome of a case in a committed version of its suite's baseline.
package struct PastAnswer: Hashable, Sendable {
  package var day: String
  /// The first digits of the commit.
  package var commit: String
  package var prompt: String
  package var standing: CaseView.Standing
  /// True if the answer in that version is identical to the answer that is shown.
  package var hasSameAnswer: Bool
  /// True if the content of the case was different in that version.
  package var isOtherCase: Bool
  /// True if this version is the one in the working tree.
  package var isCurrent: Bool

  package init(
    day: String,
    commit: String,
    prompt: String,
    standing: CaseView.Standing,
    hasSameAnswer: Bool,
    isOtherCase: Bool = false,
    isCurrent: Bool = false
  ) {
    (self.day, self.commit, self.prompt) = (day, commit, prompt)
    (self.standing, self.hasSameAnswer) = (standing, hasSameAnswer)
    (self.isOtherCase, self.isCurrent) = (isOtherCase, isCurrent)
  }

  /// Creates the outcome of a trial's case in a version, or returns `nil` if the version lacks the
  /// case.
  init?(_ version: BaselineVersion, _ trial: Trial) {
    guard let entry = version.entry(of: trial),
      let standing = CaseView.Standing(rawValue: entry.outcome)
    else { return nil }
    self.init(
      day: version.date.day,
      commit: String(version.commit.prefix(7)),
      prompt: version.prompt,
      standing: standing,
      hasSameAnswer: entry.hasSameAnswer,
      isOtherCase: entry.isOtherCase,
      isCurrent: version.isCurrent
    )
  }

  /// A phrase that compares the version's answer with the answer that is shown, such as `same
  /// answer`.
  var remark: String {
    let answer =
      isOtherCase ? "another case then" : hasSameAnswer ? "same answer" : "another answer"
    return isCurrent ? "\(answer), today's baseline" : answer
  }

  var json: JSONValue {
    [
      "date": .string(day), "commit": .string(commit), "prompt": .string(prompt),
      "outcome": .string(standing.rawValue), "same-answer": .bool(hasSameAnswer),
      "other-case": .bool(isOtherCase), "current": .bool(isCurrent),
    ]
  }
}

extension CaseView {
  /// Adds the committed versions of the suite's baselines to the columns.
  ///
  /// - Parameter history: The versions of all baselines.
  package mutating func addPast(_ history: BaselineHistory) {
    for index in columns.indices {
      guard let trial = columns[index].answers.first?.trial else { continue }
      columns[index].past = history.versions(suite: suite, backend: columns[index].backend)
        .compactMap { PastAnswer($0, trial) }
    }
  }
}
