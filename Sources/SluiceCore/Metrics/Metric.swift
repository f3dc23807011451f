import SluiceSupport

/// A metric that is computed from the trials of a suite.
public struct Metric: Hashable, Sendable {
  /// The measured property.
  public enum Kind: Hashable, Sendable {
    /// The share of trials that pass every scorer.
    case accuracy
    /// The share of cases whose repeats pass every scorer.
    ///
    /// Depending on the rule, one repeat, most repeats or all repeats must pass.
    case ofRepeats(MetricDefinition.RepetitionRule)
    /// The number of passed scores divided by the number of passed and failed scores.
    ///
    /// The scores of all scorers and assertions count, except advisory scores.
    case assertionRate
    /// The share of trials whose answer the app could not use.
    case unusableRate
    /// The share of streamed answers that had to be requested again without streaming.
    case fallbackRate
    /// The share of trials that pass a scorer, among the trials to which it applies.
    case passRate(scorer: String)
    /// A metric computed from a scorer's measurements.
    case scorer(String, MetricDefinition.Formula)
    /// An aggregate of a series of measurements, such as the mean latency of the answers.
    case series(Series, MetricReference.Aggregate)
  }

  /// The measured property.
  public var kind: Kind
  /// The tag of the cases that count; nil if all cases count.
  public var tag: String?
  /// The class of a per-class metric; nil for other metrics, and for the mean over all classes.
  public var classLabel: String?
  /// True if smaller values are better.
  public var prefersSmall: Bool
  /// True if the metric depends on advisory scores.
  ///
  /// Gates must not use an advisory metric.
  public var isAdvisory = false

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - kind: The measured property.
  ///   - tag: The tag of the cases that count; nil if all cases count.
  ///   - classLabel: The class of a per-class metric; nil for the mean over all classes.
  ///   - prefersSmall: True if smaller values are better. By default, this is true only for series
  ///     and for the rates of unusable answers and fallbacks.
  public init(
    _ kind: Kind,
    tag: String? = nil,
    classLabel: String? = nil,
    prefersSmall: Bool? = nil
  ) {
    self.kind = kind
    self.tag = tag
    self.classLabel = classLabel
    switch kind {
    case .unusableRate, .fallbackRate, .series: self.prefersSmall = prefersSmall ?? true
    case .accuracy, .assertionRate, .ofRepeats, .passRate, .scorer:
      self.prefersSmall = prefersSmall ?? false
    }
  }

  /// The unit of the metric.
  public var quantity: Quantity {
    switch kind {
    case .scorer(_, .mean(_, .number, _)), .scorer(_, .mean(_, .deviation, _)),
      .scorer(_, .mean(_, .distance, _)),
      .scorer(_, .correlation), .scorer(_, .median), .scorer(_, .sum),
      .scorer(_, .labels(.matthewsCorrelation)), .scorer(_, .labels(.kappa)):
      .number
    case .accuracy, .assertionRate, .ofRepeats, .unusableRate, .fallbackRate, .passRate, .scorer:
      .rate
    case .series(let series, _): series.quantity
    }
  }

  /// True if the metric can be compared case by case.
  var isSumOfCases: Bool {
    switch kind {
    case .scorer(_, .median), .scorer(_, .sum), .scorer(_, .correlation): false
    default: true
    }
  }

  /// The range of possible values; nil if the values are unbounded.
  var range: ClosedRange<Double>? {
    switch kind {
    case .series: nil
    case .scorer(_, .mean(_, _, let scale)): scale
    case .scorer(_, .median), .scorer(_, .sum): nil
    case .scorer(_, .correlation), .scorer(_, .labels(.matthewsCorrelation)),
      .scorer(_, .labels(.kappa)):
      -1...1
    case .accuracy, .assertionRate, .ofRepeats, .unusableRate, .fallbackRate, .passRate, .scorer:
      0...1
    }
  }
}

/// The unit of a number.
public enum Quantity: Hashable, Sendable {
  /// A share, from 0 to 1.
  case rate
  /// Milliseconds.
  case time
  /// US dollars.
  case money
  /// A count.
  case count
  /// A number with another unit, or without a unit.
  case number
}

/// Measurements of the responses, one per trial.
public enum Series: String, Hashable, Sendable, CaseIterable {
  /// The duration of the whole exchange, in milliseconds.
  case latency
  /// The time to the first text, in milliseconds.
  ///
  /// If the stream failed and the answer was requested again without streaming, this is the time
  /// from the start of the stream until the whole answer arrived.
  case firstText = "first-text"
  /// The longest delay between two pieces of text, in milliseconds.
  ///
  /// Answers that were requested again without streaming have no value.
  case longestGap = "longest-gap"
  /// The time that a user would have waited, including the time of failed attempts, in
  /// milliseconds.
  case userLatency = "user-latency"
  /// The cost in US dollars, computed with the price files.
  ///
  /// If the price files contain no price, this is the cost that the server reported.
  case cost
  /// The cost that the server reported, in US dollars, even if the price files contain a price.
  case reportedCost = "reported-cost"
  /// The number of tokens of the request and the answer.
  case tokens
  /// The number of tokens of the request.
  case inputTokens = "input-tokens"
  /// The number of tokens of the answer.
  case outputTokens = "output-tokens"

  /// The unit of the series.
  public var quantity: Quantity {
    switch self {
    case .latency, .firstText, .longestGap, .userLatency: .time
    case .cost, .reportedCost: .money
    case .tokens, .inputTokens, .outputTokens: .count
    }
  }

  /// Returns the measurement of an answer; nil if it is unknown.
  func value(_ output: Trial.Output) -> Double? {
    switch quantity {
    case .time: if !output.source.hasTimes { return nil }
    case .money: if !output.source.hasCost { return nil }
    case .rate, .count, .number: break
    }
    return switch self {
    case .latency: output.total.value
    // If the answer was requested again, the user saw the first text only with the whole answer.
    case .firstText:
      output.fallback.flatMap { fallback in
        output.total.value.map { fallback.milliseconds + $0 }
      } ?? output.timings.firstText
    // An answer that arrived in one piece has no delay between pieces.
    case .longestGap:
      output.delivery == .streamed ? output.timings.longestGap ?? 0 : nil
    case .userLatency:
      output.hasUncommonFields ? output.timings.user ?? output.total.value : output.total.value
    case .cost: output.cost
    case .reportedCost: output.reportedCost
    case .tokens: output.usage?.total.map(Double.init)
    case .inputTokens: output.usage?.input.map(Double.init)
    case .outputTokens: output.usage?.output.map(Double.init)
    }
  }

  /// Returns true if the series applies to an answer, even if the measurement is unknown.
  func applies(to output: Trial.Output) -> Bool {
    self != .longestGap || output.delivery != .fellBack
  }

  /// The series for which only unusual answers have measurements.
  static let rare: Set<Series> = [.firstText, .longestGap, .userLatency, .reportedCost]

  /// Returns the reason why the source of an answer does not provide the measurement; nil if the
  /// source is not the reason.
  ///
  /// For example, imported answers may have no times.
  ///
  /// - Parameter trial: The trial of the answer.
  /// - Returns: The reason, as a clause.
  func fault(of trial: Trial) -> String? {
    guard let source = trial.source else { return nil }
    return switch quantity {
    case .time: source.hasTimes ? nil : source.provenance.timesFault(of: trial.backend)
    // If a stand-in's answer has no cost anyway, the missing price or usage is the more useful
    // reason.
    case .money:
      source.hasCost || source.provenance.standIn != nil && !trial.hasAnyCost
        ? nil : source.provenance.costFault
    case .rate, .count, .number: nil
    }
  }

  /// Returns the reason why the measurements of some answers are unknown.
  ///
  /// A cost is known only if the price and the usage are known.
  ///
  /// - Parameter trials: The trials whose answers have no known measurement.
  /// - Returns: The reason, as a clause.
  func unknownReason(of trials: some Sequence<Trial>) -> String {
    switch self {
    case .latency, .userLatency: "the latency was not recorded"
    case .firstText, .longestGap: "the answers were not streamed"
    case .reportedCost: "the server did not report the cost of the answers"
    case .cost: UnknownCost(trials.lazy.map(\.costLack)).reason
    case .tokens, .inputTokens, .outputTokens: "the server sent no usage"
    }
  }
}
