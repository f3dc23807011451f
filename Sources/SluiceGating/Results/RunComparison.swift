public import SluiceCore

/// How the cases of a column changed from what it is compared with.
public struct RunComparison: Sendable {
  /// What the column is compared with, in words: `the baseline (v1)`.
  public var reference: String
  /// Whether every answer is the same.
  public var isIdentical: Bool
  /// The cases that are not compared because they changed.
  public var changedCases: [String]
  /// The cases that only the candidate has.
  public var addedCases: [String]
  /// The cases that only the reference has.
  public var removedCases: [String]
  /// The cases whose tags or cluster differ: they are compared, in the slices of the candidate.
  public var reslicedCases: [String]
  /// The scorers that decide and changed: metrics that rest on them are not compared.
  public var changedScorers: [String]
  /// The advisory scorers that changed: their own metrics are not compared, all others are.
  public var changedAdvisoryScorers: [String] = []
  /// How many answers to a case are compared, where one side has more of them; nil where none has.
  public var shortenedTo: Int?
  /// The cases whose outcome or wrong answer differs, in the order of the suite; empty where a scorer
  /// that decides changed, since that may have flipped them.
  public var flips: [CaseFlip]
  /// How the suite's rates changed.
  public var changes: [NamedChange]
  /// How cases with a tag changed, the most credible loss first; advice, never part of a verdict.
  public var slices: [SliceChange]

  /// A case whose outcome or wrong answer differs.
  public struct CaseFlip: Hashable, Sendable {
    /// The case.
    public var caseID: String
    /// How it differs.
    public var flip: OutcomeFlip
  }

  /// A metric with how it changed.
  public struct NamedChange: Hashable, Sendable {
    /// The name that a condition would use.
    public var name: String
    /// In what it is counted.
    public var quantity: Quantity
    /// How it changed.
    public var change: PairedChange
  }

  /// How the cases of a tag changed.
  public struct SliceChange: Hashable, Sendable {
    /// The tag.
    public var tag: String
    /// How many of its cases are compared.
    public var n: Int
    /// How many of them passed before and fail now.
    public var harmful: Int
    /// How many of them failed before and pass now.
    public var beneficial: Int
    /// The one-sided mid-p value of a loss, as adjusted by Benjamini and Hochberg (1995) over all
    /// tags.
    public var adjustedP: Double
  }

  /// How many cases flipped in a way.
  ///
  /// - Parameter flip: The way.
  /// - Returns: The count.
  public func count(_ flip: OutcomeFlip) -> Int { flips.count { $0.flip == flip } }
}

extension RunComparison {
  /// Compares what is paired.
  ///
  /// - Parameters:
  ///   - reference: What the column is compared with, in words.
  ///   - pairing: The trials of both, paired by case.
  ///   - metrics: The rates to compare.
  ///   - margin: The margin to compare them at.
  ///   - confidence: The confidence of the intervals.
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
    // Where a scorer changed, a flip may be its doing.
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
    let tags = Set(pairing.candidate.flatMap(\.tags)).sorted()
    var slices = tags.compactMap { tag -> SliceChange? in
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
