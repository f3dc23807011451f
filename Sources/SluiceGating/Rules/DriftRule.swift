import SluiceCore

/// The rule that decides if the scores of the same requests changed between two times.
///
/// A gain also counts as a change, since a model that became better is also a different model.
/// Scores moved if the 95% interval of the difference, after Holm's correction for all tests,
/// excludes zero. Scores did not move if the whole interval lies within the margin on both sides.
/// So a lack of evidence for a move is not enough to conclude that scores did not move. See
/// equivalence tests (Schuirmann 1987, "A comparison of the two one-sided tests procedure and the
/// power approach").
package struct DriftRule: Hashable, Sendable {
  /// The confidence of the intervals.
  package static let confidence = 0.95
  private static let level = 0.05

  /// The largest acceptable change in scores, such as 0.05 for 5 points.
  package var margin: Double

  package init(margin: Double) { self.margin = margin }

  /// The rule with the default margin of 5 points.
  package static let usual = DriftRule(margin: Margin.usual.size)

  /// The paired scores of the same cases at two times.
  package struct Test: Sendable {
    package var change: PairedChange
    /// The change if missing answers count as the worst outcome, and the change if they count as
    /// the best outcome.
    ///
    /// The list is empty if no answer is missing.
    package var fills: [PairedChange]
    /// True if all answers and scores are identical and no answer is missing.
    package var isIdentical: Bool

    package init(_ change: PairedChange, fills: [PairedChange] = [], isIdentical: Bool = false) {
      self.change = change
      self.fills = fills
      self.isIdentical = isIdentical
    }
  }

  /// The result of a test on scores.
  package enum Standing: String, Hashable, Sendable, CaseIterable {
    /// A change in scores is credible.
    case moved
    /// A change larger than the margin is ruled out.
    case still
    /// There are too few cases to decide.
    case undecided
    /// Nothing was compared.
    case unknown
  }

  /// The reason for a standing.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// A change in scores is credible.
    case credible
    /// A change is credible, but it may be smaller than the margin.
    case credibleWithinMargin = "credible-within-margin"
    /// Every answer is identical.
    case identical
    /// A change beyond the margin is ruled out.
    case withinMargin = "within-margin"
    /// There are too few cases to decide.
    case tooFew = "too-few"
    /// Missing answers could change the outcome.
    case lostAnswers = "lost-answers"
    /// There are too few clusters for any interval.
    case tooFewClusters = "too-few-clusters"
    /// No scorer passes or fails answers.
    case unjudged
    /// No recorded answer could be requested again.
    case notRecorded = "not-recorded"
    /// No answer was received.
    case noAnswers = "no-answers"
  }

  /// The outcome of a test.
  package struct Outcome: Hashable, Sendable {
    package var standing: Standing
    package var reason: Reason
    /// The two-sided p value of a change, corrected for the number of tests (Holm 1979); `nil` if
    /// nothing was tested.
    package var adjustedP: Double?
    /// The number of cases needed to decide.
    ///
    /// This is `nil` if 20 times as many cases would still be inconclusive, or if more cases do not
    /// help.
    package var casesNeeded: Int?

    package init(
      _ standing: Standing,
      _ reason: Reason,
      adjustedP: Double? = nil,
      casesNeeded: Int? = nil
    ) {
      self.standing = standing
      self.reason = reason
      self.adjustedP = adjustedP
      self.casesNeeded = casesNeeded
    }
  }

  /// Decides several tests, and corrects their p values for the number of tests.
  package func outcomes(of tests: [Test]) -> [Outcome] {
    let p = tests.map(\.change.p)
    let adjusted = MultipleTesting.holm(p)
    return tests.indices.map { index in
      let test = tests[index]
      if test.isIdentical, test.change.isNothing {
        return Outcome(.still, .identical, adjustedP: adjusted[index])
      }
      if let clusters = test.change.effectiveClusters, FewClusters.explanation(clusters) != nil {
        return Outcome(.undecided, .tooFewClusters, adjustedP: adjusted[index])
      }
      let standing = standing(test.change, adjusted[index])
      let isOpen = test.fills.contains { fill in
        var others = p
        others[index] = fill.p
        return self.standing(fill, MultipleTesting.holm(others)[index]) != standing
      }
      if isOpen { return Outcome(.undecided, .lostAnswers, adjustedP: adjusted[index]) }
      return Outcome(
        standing,
        reason(standing, test.change),
        adjustedP: adjusted[index],
        casesNeeded: standing == .undecided ? casesNeeded(test.change) : nil
      )
    }
  }

  private func standing(_ change: PairedChange, _ adjustedP: Double) -> Standing {
    if adjustedP <= Self.level { return .moved }
    return isWithin(change.interval) ? .still : .undecided
  }

  private func reason(_ standing: Standing, _ change: PairedChange) -> Reason {
    switch standing {
    case .moved: isWithin(change.interval) ? .credibleWithinMargin : .credible
    case .still: .withinMargin
    case .undecided, .unknown: .tooFew
    }
  }

  private func isWithin(_ interval: Interval) -> Bool {
    interval.low > -margin && interval.high < margin
  }

  /// Returns the number of cases needed to decide, if further cases change at the same rate.
  ///
  /// The number ignores the correction for several tests, so it is slightly too low if there are
  /// several tests.
  private func casesNeeded(_ change: PairedChange) -> Int? {
    RegressionRule.first(above: change.n) { count in
      let interval = change.enlarged(to: count).interval
      return isWithin(interval) || interval.low > 0 || interval.high < 0
    }
  }
}
