public import SluiceCore

/// The changes in a column's cases since its reference, such as the baseline.
public struct RunComparison: Sendable {
  /// A description of the reference, such as `the baseline (v1)`.
  public var reference: String
  /// True if every answer is identical to the reference's answer.
  public var isIdentical: Bool
  /// The cases that are not compared because they were edited.
  public var changedCases: [String]
  /// The cases that only the candidate has.
  public var addedCases: [String]
  /// The cases that only the reference has.
  public var removedCases: [String]
  /// The cases whose tags or cluster differ.
  ///
  /// These cases are compared, and grouped by the candidate's tags and cluster.
  public var reslicedCases: [String]
  /// The changed scorers, except advisory ones.
  ///
  /// Metrics that depend on these scorers are not compared.
  public var changedScorers: [String]
  /// The changed advisory scorers.
  ///
  /// The metrics of these scorers are not compared, but all other metrics are.
  public var changedAdvisoryScorers: [String] = []
  /// The number of answers compared per case, if candidate and reference have different numbers of
  /// answers; `nil` if the numbers are equal.
  public var shortenedTo: Int?
  /// The cases whose outcome changed or whose wrong answer changed, in the order of the suite.
  ///
  /// The list is empty if a scorer that is not advisory changed, since the scorer may have caused
  /// the flips.
  public var flips: [CaseFlip]
  /// The changes in the suite's rates.
  public var changes: [NamedChange]
  /// The changes by tag, the most credible loss first.
  ///
  /// These changes do not affect a verdict.
  public var slices: [SliceChange]

  /// A case whose outcome changed or whose wrong answer changed.
  public struct CaseFlip: Hashable, Sendable {
    /// The case.
    public var caseID: String
    /// The kind of change.
    public var flip: OutcomeFlip
  }

  /// A metric with its change.
  public struct NamedChange: Hashable, Sendable {
    /// The metric's name, as used in conditions.
    public var name: String
    /// The metric's unit.
    public var quantity: Quantity
    /// The change.
    public var change: PairedChange
  }

  /// The change in the cases that share a tag.
  public struct SliceChange: Hashable, Sendable {
    /// The tag.
    public var tag: String
    /// The number of compared cases with the tag.
    public var n: Int
    /// The number of cases that passed before and fail now.
    public var harmful: Int
    /// The number of cases that failed before and pass now.
    public var beneficial: Int
    /// The one-sided mid-p value of a loss, corrected for the number of tags (Benjamini and
    /// Hochberg 1995).
    public var adjustedP: Double
  }

  /// Returns the number of cases that flipped in a given way.
  ///
  /// - Parameter flip: The kind of flip.
  /// - Returns: The count.
  public func count(_ flip: OutcomeFlip) -> Int { flips.count { $0.flip == flip } }
}

extension RunComparison {
  /// Compares paired trials.
  ///
  /// - Parameters:
  ///   - reference: A description of the reference.
  ///   - pairing: The trials of both sides, paired by case.
  ///   - metrics: The rates to compare.
  ///   - margin: The largest acceptable loss in a rate, such as 0.05 for 5 points.
  ///   - confidence: The confidence of the intervals, between 0 and 1.
  package init(
    with reference: String,
    _ pairing: Pairing,
    metrics: [SuiteMetrics.Named],
    margin: Margin,
    confidence: Double = PairedChange.gateConfidence
  ) {
    self.reference = reference
    isIdentical = pairing.isIdentical
    changedCases = pairing.changed
    addedCases = pairing.added
    removedCases = pairing.removed
    reslicedCases = pairing.resliced
    changedScorers = pairing.changedScorers
    changedAdvisoryScorers = pairing.changedAdvisoryScorers
    shortenedTo = pairing.shortenedTo
    // A changed scorer may have caused the flip.
    flips =
      pairing.changedScorers.isEmpty
      ? pairing.flips.map { CaseFlip(caseID: $0.caseID, flip: $0.flip) } : []
    let paired = PairedEvaluator(
      baseline: MetricEvaluator(pairing.baseline),
      candidate: MetricEvaluator(pairing.candidate),
      confidence: confidence
    )
    changes = metrics.compactMap { named in
      guard pairing.changedScorers(of: named.metric).isEmpty else { return nil }
      return paired.change(named.metric, margin: margin).map {
        NamedChange(name: named.name, quantity: named.metric.quantity, change: $0)
      }
    }
    slices = Self.slices(pairing, paired)
  }

  private static func slices(_ pairing: Pairing, _ paired: PairedEvaluator) -> [SliceChange] {
    guard pairing.changedScorers.isEmpty else { return [] }
    let tags = pairing.candidate.reduce(into: Set<String>()) { $0.formUnion($1.tags) }
    var slices = tags.sorted().compactMap { tag -> SliceChange? in
      let metric = Metric(.accuracy, tag: tag)
      guard let change = paired.change(metric, margin: Margin(0)),
        case .flips(let harmful, let beneficial) = change.basis
      else { return nil }
      return SliceChange(
        tag: tag,
        n: change.n,
        harmful: harmful,
        beneficial: beneficial,
        adjustedP: McNemar.oneSidedMidP(worse: harmful, better: beneficial)
      )
    }
    let adjusted = MultipleTesting.benjaminiHochberg(slices.map(\.adjustedP))
    for (index, p) in adjusted.enumerated() { slices[index].adjustedP = p }
    return slices.filter { $0.harmful + $0.beneficial > 0 }.sorted {
      ($0.adjustedP, $1.harmful - $1.beneficial, $0.tag)
        < ($1.adjustedP, $0.harmful - $0.beneficial, $1.tag)
    }
  }
}
