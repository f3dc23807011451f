import SluiceSupport

/// A metric that a suite has: what a reference turned out to mean.
public struct Metric: Hashable, Sendable {
  /// What the metric measures.
  public enum Kind: Hashable, Sendable {
    /// The share of trials that every scorer passes.
    case accuracy
    /// The share of cases of whose repeats any passes every scorer, or all do.
    case ofRepeats(MetricDefinition.RepetitionRule)
    /// The share of the assertions and scorers that pass over all cases, of those that decide.
    case assertionRate
    /// The share of trials with an answer that the app could not have used.
    case unusableRate
    /// The share of answers that were to come in pieces and had to be asked for again as a whole.
    case fallbackRate
    /// The share of trials that one scorer passes, of those that it applies to.
    case passRate(scorer: String)
    /// A metric of a scorer's measurements.
    case scorer(String, MetricDefinition.Formula)
    /// A series of measurements of the response, aggregated.
    case series(Series, MetricReference.Aggregate)
  }

  /// What the metric measures.
  public var kind: Kind
  /// The tag that a case must have to count.
  public var tag: String?
  /// The class of labels that counts.
  public var classLabel: String?
  /// Whether small numbers are the good ones.
  public var prefersSmall: Bool
  /// Whether it rests on scores that are only shown: no gate decides on it.
  public var isAdvisory = false

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - kind: What the metric measures.
  ///   - tag: The tag that a case must have to count.
  ///   - classLabel: The class of labels that counts.
  ///   - prefersSmall: Whether small numbers are the good ones; by itself only rates of unusable
  ///     answers and of fallbacks, and series, prefer them.
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

  /// In what the metric is counted.
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

  /// True when what single cases contribute adds up to the metric, so that it is compared case by case.
  var isSumOfCases: Bool {
    switch kind {
    case .scorer(_, .median), .scorer(_, .sum), .scorer(_, .correlation): false
    default: true
    }
  }

  /// Between what the metric lies; nil where nothing bounds it.
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

/// In what a number is counted.
public enum Quantity: Hashable, Sendable {
  /// A share, from 0 to 1.
  case rate
  /// Milliseconds.
  case time
  /// US dollars.
  case money
  /// A count.
  case count
  /// A number in units of its own, or in none.
  case number
}

/// Measurements of the responses, one for each trial.
public enum Series: String, Hashable, Sendable, CaseIterable {
  /// The whole exchange, in milliseconds.
  case latency
  /// Until the first text came, in milliseconds; of an answer that fell back when all of it came,
  /// counted from the start of its stream.
  case firstText = "first-text"
  /// The longest wait between two pieces of text, in milliseconds; an answer that fell back has none.
  case longestGap = "longest-gap"
  /// How long a person would have waited, with what was tried in vain, in milliseconds.
  case userLatency = "user-latency"
  /// The cost in US dollars.
  case cost
  /// The cost in US dollars as the server says.
  case reportedCost = "reported-cost"
  /// Tokens of request and answer.
  case tokens
  /// Tokens of the request.
  case inputTokens = "input-tokens"
  /// Tokens of the answer.
  case outputTokens = "output-tokens"

  /// In what the series is counted.
  public var quantity: Quantity {
    switch self {
    case .latency, .firstText, .longestGap, .userLatency: .time
    case .cost, .reportedCost: .money
    case .tokens, .inputTokens, .outputTokens: .count
    }
  }

  /// The measurement of an answer; nil when it is unknown.
  func value(_ output: Trial.Output) -> Double? {
    switch quantity {
    case .time: if !output.source.hasTimes { return nil }
    case .money: if !output.source.hasCost { return nil }
    case .rate, .count, .number: break
    }
    return switch self {
    case .latency: output.total.value
    // Who was shown the whole answer at last saw the first text then.
    case .firstText:
      output.fallback.flatMap { fallback in
        output.total.value.map { fallback.milliseconds + $0 }
      } ?? output.timings.firstText
    // What came in one piece made nobody wait between two.
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

  /// Whether an answer has such a measurement, known or not.
  func applies(to output: Trial.Output) -> Bool {
    self != .longestGap || output.delivery != .fellBack
  }

  /// The series that only answers have that are unusual in some respect.
  static let rare: Set<Series> = [.firstText, .longestGap, .userLatency, .reportedCost]

  /// Why the measurement of an answer is unknown although it has one; nil where it has none.
  ///
  /// - Parameter trial: The trial of the answer.
  /// - Returns: The reason, as a clause.
  func fault(of trial: Trial) -> String? {
    guard let source = trial.source else { return nil }
    return switch quantity {
    case .time: source.hasTimes ? nil : source.provenance.timesFault(of: trial.backend)
    // A stand-in's cost that would be unknown anyway has the better reason: what it lacks.
    case .money:
      source.hasCost || source.provenance.standIn != nil && !trial.hasAnyCost
        ? nil : source.provenance.costFault
    case .rate, .count, .number: nil
    }
  }

  /// Why the measurement is unknown where it is.
  ///
  /// - Parameter trials: The answers of which it is unknown; a cost takes a price and a usage.
  /// - Returns: The reason, as a clause.
  func unknownReason(of trials: some Sequence<Trial>) -> String {
    switch self {
    case .latency, .userLatency: "the latency was not recorded"
    case .firstText, .longestGap: "the answers were not streamed"
    case .reportedCost: "the server did not say what the answers cost"
    case .cost: UnknownCost(trials.lazy.map(\.costLack)).reason
    case .tokens, .inputTokens, .outputTokens: "the server sent no usage"
    }
  }
}
