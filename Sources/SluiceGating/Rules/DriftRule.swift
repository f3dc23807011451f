import SluiceCore

/// Decides whether scores moved between two times at which the same requests were answered.
///
/// Both directions count, as a model that became better is another model, too. With the 95% interval
/// of the difference, scores moved where no change is excluded after Holm's correction over all tests,
/// and did not move where the whole interval lies within the margin on both sides. That the second is
/// a claim of its own, and not the lack of the first, is the idea of tests of equivalence (Schuirmann
/// 1987, "A comparison of the two one-sided tests procedure and the power approach").
package struct DriftRule: Hashable, Sendable {
  /// The confidence of the intervals.
  package static let confidence = 0.95
  private static let level = 0.05

  /// The distance that scores may move before it matters, as a share of 1.
  package var margin: Double

  package init(margin: Double) { self.margin = margin }

  /// Where nobody asks for another one: 5 points.
  package static let usual = DriftRule(margin: Margin.usual.size)

  /// Scores of the same cases at two times.
  package struct Test: Sendable {
    package var change: PairedChange
    /// The change with answers that did not come taken for the worst, and for the best; empty where
    /// all came.
    package var fills: [PairedChange]
    /// True when every answer is the same, none is lost and every score is the same.
    package var isIdentical: Bool

    package init(_ change: PairedChange, fills: [PairedChange] = [], isIdentical: Bool = false) {
      self.change = change
      self.fills = fills
      self.isIdentical = isIdentical
    }
  }

  /// The standing of scores.
  package enum Standing: String, Hashable, Sendable, CaseIterable {
    /// A change is credible.
    case moved
    /// A change beyond the margin is ruled out.
    case still
    /// The cases do not say.
    case undecided
    /// Nothing was compared.
    case unknown
  }

  /// Why scores stand as they do.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// A change is credible.
    case credible
    /// A change is credible, and one beyond the margin is not.
    case credibleWithinMargin = "credible-within-margin"
    /// Every answer is the same.
    case identical
    /// A change beyond the margin is ruled out.
    case withinMargin = "within-margin"
    /// Too few cases to tell.
    case tooFew = "too-few"
    /// Answers that did not come could change the outcome.
    case lostAnswers = "lost-answers"
    /// Too few clusters for any interval.
    case tooFewClusters = "too-few-clusters"
    /// No scorer passes or fails an answer.
    case unjudged
    /// Nothing is recorded that could be asked again.
    case notRecorded = "not-recorded"
    /// No answer came.
    case noAnswers = "no-answers"
  }

  /// The outcome of a test.
  package struct Outcome: Hashable, Sendable {
    package var standing: Standing
    package var reason: Reason
    /// The two-sided p value of a change, corrected over all tests (Holm 1979); nil without a test.
    package var adjustedP: Double?
    /// The number of cases that would decide; nil where 20 times as many would not, or more don't help.
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

  /// Decides tests that belong together.
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

  /// The number of cases that would decide, if those to come changed at the rate of the others.
  ///
  /// Other tests are left out of account, so it is a little less than it takes beside them.
  private func casesNeeded(_ change: PairedChange) -> Int? {
    RegressionRule.first(above: change.n) { count in
      let interval = change.enlarged(to: count).interval
      return isWithin(interval) || interval.low > 0 || interval.high < 0
    }
  }
}
