import SluiceSupport

/// The name of a metric in a condition, such as `p95(latency)` or `recall[class=urgent]`.
public struct MetricReference: Hashable, Sendable {
  /// The aggregation of a series of measurements.
  public enum Aggregate: Hashable, Sendable {
    /// The mean over the cases, where each case counts with the mean of its repeats.
    case mean
    /// The largest measurement.
    case max
    /// The smallest measurement.
    case min
    /// The sum of all measurements.
    case sum
    /// A percentile, between 0 and 100.
    case percentile(Double)
  }

  /// The text in brackets, which selects a class or a subset of the trials.
  public enum Selector: Hashable, Sendable {
    /// The trials of cases with a tag.
    case tag(String)
    /// A class, as in `recall[class=urgent]`.
    case classLabel(String)
    /// A class or a tag, as in `recall[urgent]`.
    ///
    /// If the scorer has a class of this name, the class is meant, otherwise the tag.
    case named(String)
  }

  /// The aggregation, for metrics of series such as `latency`.
  public var aggregate: Aggregate?
  /// The name of the scorer, if the condition contains it.
  public var scorer: String?
  /// The name of the metric, without the name of its scorer.
  public var name: String
  /// The selected class or tag, if any.
  public var selector: Selector?

  /// Creates a reference.
  ///
  /// - Parameters:
  ///   - aggregate: The aggregation of the series.
  ///   - scorer: The scorer's name.
  ///   - name: The metric's name.
  ///   - selector: The selected class or tag.
  public init(
    aggregate: Aggregate? = nil,
    scorer: String? = nil,
    name: String,
    selector: Selector? = nil
  ) {
    self.aggregate = aggregate
    self.scorer = scorer
    self.name = name
    self.selector = selector
  }
}

extension MetricReference: CustomStringConvertible {
  /// The reference as it is written in a condition.
  public var description: String {
    var text = scorer.map { "\($0).\(name)" } ?? name
    switch aggregate {
    case nil: break
    case .mean: text = "mean(\(text))"
    case .max: text = "max(\(text))"
    case .min: text = "min(\(text))"
    case .sum: text = "sum(\(text))"
    case .percentile(let percent): text = "p\(JSONWriter.number(percent))(\(text))"
    }
    switch selector {
    case nil: break
    case .tag(let tag): text += "[tag=\(tag)]"
    case .classLabel(let label): text += "[class=\(label)]"
    case .named(let name): text += "[\(name)]"
    }
    return text
  }
}
