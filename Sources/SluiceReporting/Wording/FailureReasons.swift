import SluiceGating

/// The worst failing gates of a run in words, for the headline of a page.
///
/// `Accuracy 77.2%, needs 95%; false-positive-rate 27.6%, needs less than 5%.`
struct FailureReasons {
  private let result: RunResult
  private static let shownGates = 2

  init(_ result: RunResult) { self.result = result }

  /// The sentence, or `nil` if no gate fails or the figures of failing gates are unknown.
  var sentence: String? {
    // If a metric fails several gates, name only one, preferably a gate with a required value.
    let all = reasons.reduce(into: [Reason]()) { kept, reason in
      guard let place = kept.firstIndex(where: { $0.subject == reason.subject }) else {
        return kept.append(reason)
      }
      if kept[place].isChange, !reason.isChange { kept[place] = reason }
    }
    let worst = Set(
      all.indices.sorted { (-all[$0].severity, $0) < (-all[$1].severity, $1) }
        .prefix(Self.shownGates)
    )
    let shown = all.indices.filter(worst.contains).map { all[$0] }
    // A suite is named only once, before its first reason.
    let texts = shown.indices.map { index in
      let suite = shown[index].subject[0]
      let isNamed = result.suites.count > 1 && (index == 0 || shown[index - 1].subject[0] != suite)
      return (isNamed ? "\(Excerpt.cut(suite)): " : "") + shown[index].text
    }
    return texts.isEmpty ? nil : VerdictText.sentence(texts.joined(separator: "; "))
  }

  private struct Reason {
    /// The suite, the prompt, the backend and the metric.
    var subject: [String]
    var text: String
    var isChange: Bool
    /// The distance to the limit, as a share of 1.
    var severity: Double
  }

  private var reasons: [Reason] {
    result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).flatMap { column in
        column.gates.filter { $0.effect == .fail }.compactMap { gate in
          guard let (words, severity) = Self.reason(gate) else { return nil }
          return Reason(
            subject: [suite.name, column.prompt, column.backend, gate.condition.metricText],
            text: words,
            isChange: gate.change != nil,
            severity: severity
          )
        }
      }
    }
  }

  private static func reason(_ gate: Decision) -> (words: String, severity: Double)? {
    let (name, quantity) = (gate.condition.metricText, gate.metric.quantity)
    if let change = gate.change {
      if case .exceedances = change.basis { return nil }
      let isUp = (change.difference > 0) != change.prefersSmall
      let sizes = [change.difference.magnitude, change.margin].map { size in
        quantity == .rate ? NumberText.margin(size) : NumberText.text(size, quantity)
      }
      let excess = -change.difference - change.margin
      let words = "\(name) \(isUp ? "rose" : "fell") by \(sizes[0]), at most \(sizes[1]) allowed"
      return (words, quantity == .rate ? excess : excess / max(change.baseline.magnitude, 1e-12))
    }
    guard case .comparison(let comparison, let bound, _) = gate.condition.demand,
      let value = gate.estimate.value
    else { return nil }
    let needed =
      switch comparison {
      case .atLeast: ""
      case .atMost: "at most "
      case .above: "more than "
      case .below: "less than "
      }
    let limit = NumberText.bound(bound, quantity)
    let distance = (value - bound).magnitude
    return (
      "\(name) \(gate.valueText), needs \(needed)\(limit)",
      quantity == .rate ? distance : min(1, distance / max(bound.magnitude, 1e-12))
    )
  }
}
