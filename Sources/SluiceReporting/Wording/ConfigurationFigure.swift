import SluiceGating

/// A column in the table of configurations, such as the cost of a call of each configuration.
struct ConfigurationFigure {
  var name: String
  /// The value of each configuration with its interval, or `unknown`.
  var cells: [String]

  /// Returns accuracy, and all other figures that at least one configuration has.
  static func all(_ comparison: ConfigurationComparison) -> [ConfigurationFigure] {
    func figure(_ name: String, _ metric: String, _ quantity: Quantity) -> ConfigurationFigure? {
      let estimates = comparison.configurations.map { comparison.estimate(metric, of: $0) }
      if estimates.allSatisfy({ $0?.value == nil }) { return nil }
      return ConfigurationFigure(
        name: name,
        cells: estimates.map { $0.map { NumberText.text($0, quantity) } ?? "unknown" }
      )
    }
    let costs = comparison.configurations.map(\.costPerRightAnswer.value)
    let perRightAnswer =
      costs.allSatisfy { $0 == nil }
      ? nil
      : ConfigurationFigure(
        name: "Cost per right answer",
        cells: costs.map { $0.map { NumberText.text($0, .money) } ?? "unknown" }
      )
    let millions = comparison.configurations.map { configuration in
      comparison.estimate("mean(cost)", of: configuration).flatMap(NumberText.millionCalls)
    }
    let perMillion =
      millions.allSatisfy { $0 == nil }
      ? nil
      : ConfigurationFigure(name: "Cost per million calls", cells: millions.map { $0 ?? "unknown" })
    let accuracy =
      figure("Accuracy", "accuracy", .rate)
      ?? ConfigurationFigure(
        name: "Accuracy",
        cells: comparison.configurations.map { _ in "unknown" }
      )
    return [
      accuracy, comparison.falsePositives.flatMap { figure("False positives", $0, .rate) },
      figure("Cost per call", "mean(cost)", .money), perMillion, perRightAnswer,
      figure("Tokens per call", "mean(tokens)", .count), figure("p50", "p50(latency)", .time),
      figure("p95", "p95(latency)", .time),
    ].compactMap(\.self)
  }
}
