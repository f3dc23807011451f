import SluiceSupport

/// The scorer `stream`, which checks the speed of a streamed answer.
///
/// In a replay, the recorded times are checked.
package struct StreamScorer: SuiteScorer {
  /// A time limit for an answer.
  private struct Limit: Sendable {
    var time: Time
    var milliseconds: Double
  }

  private enum Time: String, CaseIterable, Sendable {
    case firstText = "first-text"
    case gap
    case total

    /// Returns the time in milliseconds; nil if it is unknown.
    func value(_ timings: ResponseTimings) -> Double? {
      switch self {
      case .firstText: timings.firstText
      // An answer that arrived in one piece has no gap.
      case .gap: timings.longestGap ?? 0
      case .total: timings.total
      }
    }

    var measurement: String {
      switch self {
      case .firstText: "first-text-ms"
      case .gap: "longest-gap-ms"
      case .total: "total-ms"
      }
    }

    func phrase(_ time: String) -> String {
      switch self {
      case .firstText: "the first text arrived after \(time)"
      case .gap: "the longest gap was \(time)"
      case .total: "the whole answer arrived after \(time)"
      }
    }
  }

  private let limits: [Limit]

  package var traits: ScorerTraits { ScorerTraits(judgesTextAlone: false) }

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    var limits: [Limit] = []
    var isWrong = false
    for time in Time.allCases {
      guard let node = fields.optional(time.rawValue) else { continue }
      guard let milliseconds = DurationText.milliseconds(node), milliseconds > 0 else {
        isWrong = true
        arguments.diagnostics.error(
          "'\(time.rawValue)' must be a time of more than 0",
          in: arguments.spec.file,
          at: node.position,
          fix: "write, for example, '\(time.rawValue): 500 ms' or '\(time.rawValue): 2 s'"
        )
        continue
      }
      limits.append(Limit(time: time, milliseconds: milliseconds))
    }
    fields.finish()
    let isMisspelt = fields.node.members?.contains { Time(rawValue: $0.key) == nil } ?? false
    if isWrong || limits.isEmpty && isMisspelt { return nil }
    if limits.isEmpty {
      arguments.error(
        "the scorer 'stream' needs a limit",
        fix: "write, for example, 'stream: {first-text: 500 ms, gap: 100 ms, total: 2 s}'"
      )
      return nil
    }
    self.limits = limits
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let timings = answer.response.timings
    if let fault = answer.timesFault {
      return Score(.unscored, explanation: "the time of the answer is unknown: \(fault)")
    }
    let measurements = Self.measurements(timings)
    if let flaw = answer.flaw { return .unusable(flaw, measurements: measurements) }
    if let fallback = answer.response.fallback {
      return Score(
        .failed,
        explanation: "the stream was abandoned after \(Self.text(fallback.milliseconds)) "
          + "(\(fallback.reason.rawValue)), and the whole answer was requested instead",
        measurements: measurements
      )
    }
    guard timings.firstText != nil else {
      return Score(
        .unscored,
        explanation:
          "the answer was not streamed; set 'stream: true' for its backend",
        measurements: measurements
      )
    }
    var (kept, missed): ([String], [String]) = ([], [])
    for limit in limits {
      guard let value = limit.time.value(timings) else {
        return Score(
          .unscored,
          explanation: "the time of the answer was not measured",
          measurements: measurements
        )
      }
      let phrase = limit.time.phrase(Self.text(value))
      if value <= limit.milliseconds {
        kept.append(phrase)
      } else {
        missed.append("\(phrase), over \(Self.text(limit.milliseconds))")
      }
    }
    return Score(
      missed.isEmpty ? .passed : .failed,
      explanation: (missed.isEmpty ? kept : missed).joined(separator: "; "),
      measurements: measurements
    )
  }

  private static func text(_ milliseconds: Double) -> String {
    "\(JSONWriter.number(milliseconds)) ms"
  }

  private static func measurements(_ timings: ResponseTimings) -> JSONObject {
    var measurements: JSONObject = [:]
    measurements.set(Time.firstText.measurement, timings.firstText.map(JSONValue.number))
    measurements.set(Time.gap.measurement, timings.longestGap.map(JSONValue.number))
    measurements.set(Time.total.measurement, timings.total.map(JSONValue.number))
    return measurements
  }
}
