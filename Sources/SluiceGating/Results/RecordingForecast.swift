import SluiceCore

/// The requests that recording would send, by suite, with their cost.
package struct RecordingForecast: Sendable {
  /// The requests of a suite's prompt or of a judge, with their cost.
  package struct Part: Sendable {
    /// The cases whose requests are sent, by backend, sorted by the backend's name.
    package var places: [(backend: String, cases: [String])]
    /// The maximum number of further requests to judges, which can be built only after the missing
    /// answers are recorded.
    package var coming: Int
    /// The cost of all requests in US dollars, or `nil` if unknown.
    package var cost: Double?
    /// The reason why the cost is unknown.
    package var unknown: String?

    package init(
      _ requests: [RecordingRequest],
      coming: Int = 0,
      cost: Double?,
      unknown: String?
    ) {
      places = Dictionary(grouping: requests, by: \.request.backend).sorted { $0.key < $1.key }
        .map { ($0.key, $0.value.map(\.hints.testCase)) }
      self.coming = coming
      self.cost = cost
      self.unknown = unknown
    }

    /// The number of requests that do not depend on missing answers.
    package var known: Int { places.reduce(0) { $0 + $1.cases.count } }
    package var isEmpty: Bool { known == 0 && coming == 0 }
  }

  /// The requests of a suite.
  package struct Suite: Sendable {
    package var name: String
    package var answers: Part
    package var judges: Part
    /// The output files of backends that answer from files, in the order of the suite.
    package var outputs: [(backend: String, path: String)]
    /// True if all of the suite's backends answer from files.
    package var hasOnlyOutputs: Bool

    package init(
      name: String,
      answers: Part,
      judges: Part,
      outputs: [(backend: String, path: String)] = [],
      hasOnlyOutputs: Bool = false
    ) {
      self.outputs = outputs
      self.hasOnlyOutputs = hasOnlyOutputs
      self.name = name
      self.answers = answers
      self.judges = judges
    }
  }

  package var suites: [Suite]

  package init(_ suites: [Suite]) { self.suites = suites }

  package var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

  private var parts: [Part] { suites.map(\.answers) + suites.map(\.judges) }

  /// The maximum number of requests, reached if all missing answers are usable.
  package var total: Int { parts.reduce(0) { $0 + $1.known + $1.coming } }
  package var isUpperBound: Bool { parts.contains { $0.coming > 0 } }

  /// The cost of all requests in US dollars, or `nil` if unknown.
  package var cost: Double? { unknown == nil ? parts.compactMap(\.cost).reduce(0, +) : nil }
  /// The reason why the cost is unknown.
  package var unknown: String? { parts.lazy.compactMap(\.unknown).first }
}
