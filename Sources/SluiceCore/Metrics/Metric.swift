import SluiceSupport

/// A metric of a suite, resolved from a reference.
public struct Metric: Hashable, Sendable {
  /// The measured property.
  public enum Kind: Hashable, Sendable {
    /// The share of trials that pass every scorer.
    case accuracy
    /// The share of cases of which any repeat passes every scorer, or all repeats do.
    case ofRepeats(MetricDefinition.RepetitionRule)
    /// The share of assertions and scorers that pass over all cases, among those that decide.
    case assertionRate
    /// The share of trials with an answer that the app could not use.
    case unusableRate
    /// The share of streamed answers that had to be requested again as a whole.
    case fallbackRate
    /// The share of trials that pass one scorer, among those to which it applies.
    case passRate(scorer: String)
    /// A metric of a scorer's measurements.
    case scorer(String, MetricDefinition.Formula)
    /// An aggregated series of measurements of the response.
    case series(Series, MetricReference.Aggregate)
  }

  /// The measured property.
  public var kind: Kind
  /// The tag of the cases that count; nil for all.
  public var tag: String?
  /// The class of labels that counts.
  public var classLabel: String?
  /// True if smaller values are better.
  public var prefersSmall: Bool
  /// True if it depends on advisory scores, on which no gate decides.
  public var isAdvisory = false

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - kind: The measured property.
  ///   - tag: The tag of the cases that count; nil for all.
  ///   - classLabel: The class of labels that counts.
  ///   - prefersSmall: True if smaller values are better. By default, this holds only for rates of
  ///     unusable answers and of fallbacks, and for series.
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

  /// True if the contributions of single cases add up to the metric, so that it is compared case by
  /// case.
  var isSumOfCases: Bool {
    switch kind {
    case .scorer(_, .median), .scorer(_, .sum), .scorer(_, .correlation): false
    default: true
    }
  }

  /// The range of possible values; nil if it is unbounded.
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
  /// A number with another unit, or none.
  case number
}

/// Measurements of the responses, one per trial.
public enum Series: String, Hashable, Sendable, CaseIterable {
  /// The whole exchange, in milliseconds.
  case latency
  /// The time to the first text, in milliseconds.
  ///
  /// For a fallback answer, it is the time until all of it arrived, from the start of its stream.
  case firstText = "first-text"
  /// The longest delay between two pieces of text, in milliseconds; fallback answers have none.
  case longestGap = "longest-gap"
  /// The time that a user would have waited, including failed attempts, in milliseconds.
  case userLatency = "user-latency"
  /// The cost in US dollars.
  case cost
  /// The cost in US dollars reported by the server.
  case reportedCost = "reported-cost"
  /// The tokens of request and answer.
  case tokens
  /// The tokens of the request.
  case inputTokens = "input-tokens"
  /// The tokens of the answer.
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
    // The user of a fallback saw the first text only with the whole answer.
    case .firstText:
      output.fallback.flatMap { fallback in
        output.total.value.map { fallback.milliseconds + $0 }
      } ?? output.timings.firstText
    // An answer in one piece has no delay between pieces.
    case .longestGap:
      output.delivery == .streamed ? output.timings.longestGap ?? 0 : nil
    case .userLatency:
      output.hasRarities ? output.timings.user ?? output.total.value : output.total.value
    case .cost: output.cost
    case .reportedCost: output.reportedCost
    case .tokens: output.usage?.total.map(Double.init)
    case .inputTokens: output.usage?.input.map(Double.init)
    case .outputTokens: output.usage?.output.map(Double.init)
    }
  }

  /// Returns true if an answer has such a measurement, known or not.
  func applies(to output: Trial.Output) -> Bool {
    self != .longestGap || output.delivery != .fellBack
  }

  /// The series that only unusual answers have.
  static let rare: Set<Series> = [.firstText, .longestGap, .userLatency, .reportedCost]

  /// Returns the reason why an existing measurement of an answer is unknown; nil if there is no
  /// such measurement.
  ///
  /// - Parameter trial: The trial of the answer.
  /// - Returns: The reason, as a clause.
  func fault(of trial: Trial) -> String? {
    guard let source = trial.source else { return nil }
    return switch quantity {
    case .time: source.hasTimes ? nil : source.provenance.timesFault(of: trial.backend)
    // If a stand-in's cost would be unknown anyway, the missing price or usage is the more useful
    // reason.
    case .money:
      source.hasCost || source.provenance.standIn != nil && !trial.hasAnyCost
        ? nil : source.provenance.costFault
    case .rate, .count, .number: nil
    }
  }

  /// Returns the reason why the measurement is unknown.
  ///
  /// - Parameter trials: The answers without a known measurement; a cost needs a price and a usage.
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
