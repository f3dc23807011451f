import SluiceGating

/// The wording about Holm's correction for several gates.
enum CorrectionText {
  /// Formats the confidence of an interval: `98.3%`.
  static func confidence(_ confidence: Double) -> String {
    let percent = confidence * 100
    // With very many gates, one decimal would round the confidence to 100%.
    let decimals = (1...6).first {
      NumberText.fixed(percent, decimals: $0).hasPrefix("100") == false
    }
    let text = NumberText.fixed(percent, decimals: decimals ?? 6)
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "%"
  }

  /// Returns sentences on the chance that any gate in a run fails although nothing got worse.
  ///
  /// Returns `nil` if gates are corrected by suite and fewer than two suites have gates that can
  /// fail.
  static func falseAlarms(_ alarms: FalseAlarms) -> String? {
    let level = whole(Correction.familyLevel)
    switch alarms.family {
    case .call:
      return
        "--family call: the regression gates of all suites are corrected together. If nothing got "
        + "worse, any of them fails in at most \(level) of such runs."
    case .suite:
      if alarms.suites < 2 { return nil }
      let gates = TerminalLines.count(alarms.gates, "regression gate")
      return
        "\(alarms.suites) suites with \(gates) have changed answers. Even if nothing got worse, "
        + "at least one gate fails in up to \(whole(alarms.chance)) of such runs (\(level) per "
        + "suite, if suites are independent). With --family call, it is at most \(level)."
    }
  }

  private static func whole(_ share: Double) -> String {
    NumberText.fixed(share * 100, decimals: 0) + "%"
  }

  // MARK: A table of gates

  /// A row in the table of corrected gates.
  struct Row {
    var gate: String
    var p: String
    var failsAlone: String
    var interval: String
    var adjustedP: String
    var fails: String

    var cells: [String] { [p, failsAlone, interval, adjustedP, fails] }
  }

  static let heads = [
    "gate", "p", "would fail alone", "at the corrected level", "corrected p", "fails",
  ]

  /// Returns a row for each gate that Holm's correction covers together with other gates.
  static func rows(_ gates: [Decision]) -> [Row] {
    gates.compactMap { gate in
      guard let correction = gate.correction, correction.gates > 1, gate.reason != .identical,
        let change = gate.change, let interval = gate.correctedInterval
      else { return nil }
      let ends = ChangeText.interval(interval, change, gate.metric.quantity)
      return Row(
        gate: gate.condition.text,
        p: NumberText.p(correction.p),
        failsAlone: gate.failsAlone ? "yes" : "no",
        interval: "\(confidence(correction.confidence)): \(ends)",
        adjustedP: NumberText.p(correction.adjustedP),
        fails: gate.verdict == .fail ? "yes" : "no"
      )
    }
  }

  /// An explanation of the correction.
  static let meaning =
    "The more gates there are, the more often one of them fails by chance. So each gate is tested "
    + "at a stricter level (Holm's method)."

  /// Returns the title of the table of corrected gates, or `nil` if no gate of a column is
  /// corrected with others.
  static func title(_ gates: [Decision]) -> String? {
    guard !rows(gates).isEmpty, let correction = gates.lazy.compactMap(\.correction).first else {
      return nil
    }
    return "Corrected for \(correction.familyText)"
  }
}

extension Decision {
  /// The correction, if the gate fails before the correction and its family has several gates.
  private var decisiveCorrection: Correction? {
    guard let correction, correction.gates > 1, failsAlone else { return nil }
    return correction
  }

  /// The change in numbers.
  ///
  /// If the gate fails before the correction, the interval has the corrected level.
  var changeText: String? {
    guard let change else { return nil }
    let quantity = metric.quantity
    guard let correction = decisiveCorrection, correction.factor > 1,
      let interval = correctedInterval
    else { return ChangeText.difference(change, quantity) }
    return ChangeText.difference(
      change,
      quantity,
      beside: (CorrectionText.confidence(correction.confidence), interval)
    )
  }

  /// The reason in a phrase, with the effect of the correction if the gate fails before the
  /// correction.
  var explanationText: String {
    guard let correction = decisiveCorrection else { return explanation }
    let corrected = "when corrected for \(correction.familyText)"
    let adjusted = "(p \(NumberText.p(correction.adjustedP)))"
    return correction.takenBack == nil
      ? "\(explanation); still credible \(corrected) \(adjusted)"
      : "fails alone (p \(NumberText.p(correction.p))); not \(corrected) \(adjusted)"
  }
}
