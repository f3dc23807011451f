import SluiceCore

/// The requests that a recording would send, suite by suite, with their cost.
package struct RecordingForecast: Sendable {
  /// Requests of a kind, with their cost.
  package struct Part: Sendable {
    /// The cases that are sent, by backend in the order of names.
    package var places: [(backend: String, cases: [String])]
    /// The largest number of requests about answers that are still to be recorded.
    package var coming: Int
    /// The cost of all of them in US dollars; nil when unknown.
    package var cost: Double?
    /// Why the cost cannot be told.
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

    /// The number of requests that are known.
    package var known: Int { places.reduce(0) { $0 + $1.cases.count } }
    package var isEmpty: Bool { known == 0 && coming == 0 }
  }

  /// The requests of a suite.
  package struct Suite: Sendable {
    package var name: String
    package var answers: Part
    package var judges: Part
    /// The files that have the answers of backends that cannot be asked, in the order of the suite.
    package var outputs: [(backend: String, path: String)]
    /// True when all of the suite's backends answer from files.
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

  /// The number of requests, those that are only coming included.
  package var total: Int { parts.reduce(0) { $0 + $1.known + $1.coming } }
  package var isUpperBound: Bool { parts.contains { $0.coming > 0 } }

  /// The cost of all requests in US dollars; nil when unknown.
  package var cost: Double? { unknown == nil ? parts.compactMap(\.cost).reduce(0, +) : nil }
  /// Why the cost cannot be told.
  package var unknown: String? { parts.lazy.compactMap(\.unknown).first }
}
