public import Sluice

extension SuiteResult {
  /// Returns the estimate of a metric for the prompt that the suite's gates judge.
  ///
  /// ```swift
  /// let accuracy = try SuiteTest("clarity", in: #filePath).check().estimate("accuracy")
  /// #expect(accuracy.value > 0.9, "\(accuracy.n) cases")
  /// ```
  ///
  /// - Parameters:
  ///   - metric: The metric's name in conditions, such as `accuracy` or
  ///     `flags.false-positive-rate`. The last part of the name is enough if no other metric's name
  ///     ends with it.
  ///   - backend: The backend that answered. It is required if the suite has several backends.
  /// - Returns: The value with its 95% confidence interval and the number of cases.
  /// - Throws: ``SuiteTestError`` if there is no such metric or if its value is unknown. The error
  ///   lists the known names or gives the reason.
  public func estimate(
    _ metric: String,
    on backend: String? = nil
  ) throws(SuiteTestError) -> MetricEstimate {
    let estimates = try column(on: backend).metrics
    var found = estimates.filter { $0.name == metric }
    if found.isEmpty { found = estimates.filter { $0.name.hasSuffix(".\(metric)") } }
    guard let only = found.first, found.count == 1 else {
      let names = (found.isEmpty ? estimates : found).map(\.name)
      let list = names.joined(separator: ", ")
      guard found.isEmpty else {
        throw SuiteTestError(
          "\(found.count) metrics of the suite '\(name)' end in '\(metric)': \(list)\n"
            + "  fix: write the whole name, such as '\(names[0])'"
        )
      }
      throw SuiteTestError(
        "the suite '\(name)' has no metric '\(metric)'\n  fix: "
          + (NearestName.suggestion(for: metric, among: names) ?? "name one of: \(list)")
          + (names.isEmpty ? "" : "\n  known: \(list)")
      )
    }
    guard let value = only.estimate.value else {
      throw SuiteTestError(
        "the value of '\(only.name)' of the suite '\(name)' is unknown: "
          + (only.estimate.unknown ?? "no case was judged")
      )
    }
    return MetricEstimate(value: value, interval: only.estimate.interval, n: only.estimate.n)
  }

  /// Returns the candidate's column on a backend.
  private func column(on backend: String?) throws(SuiteTestError) -> ColumnResult {
    let candidates = columns.filter(\.isCandidate)
    let names = candidates.map(\.backend)
    let list = names.joined(separator: ", ")
    if let backend {
      guard let column = candidates.first(where: { $0.backend == backend }) else {
        throw SuiteTestError(
          "the suite '\(name)' has no answers of a backend '\(backend)'\n  fix: name one of: "
            + "\(list)"
        )
      }
      return column
    }
    guard let column = candidates.first, candidates.count == 1 else {
      throw SuiteTestError(
        "the suite '\(name)' has \(candidates.count) backends: \(list)\n"
          + "  fix: name one: estimate(…, on: \"\(names.first ?? "NAME")\")"
      )
    }
    return column
  }
}

/// The value of a metric, with its uncertainty.
public struct MetricEstimate: Hashable, Sendable {
  /// The value in the metric's unit, such as 0.85 for 85%.
  ///
  /// The unit is a share for a rate, milliseconds for a time, US dollars for a cost, or a plain
  /// number.
  public var value: Double
  /// The 95% confidence interval; `nil` if the metric has none.
  public var interval: Interval?
  /// The number of cases from which the value is computed.
  public var n: Int
}
