package import SluiceCore

/// The figures of suites over time, from runs or from committed baselines.
package struct History: Hashable, Sendable {
  /// The measured series, in the order of the project.
  package var lines: [Line]

  package init(lines: [Line]) { self.lines = lines }

  /// The measurements of one prompt of a suite on one backend, over time.
  ///
  /// Most lines are about the suite's candidate. A line about another prompt exists if that prompt
  /// was measured in addition to the candidate, or tried instead of it with `--prompt`.
  package struct Line: Hashable, Sendable {
    package var suite: String
    package var backend: String
    /// The prompt, if it was measured in addition to the suite's candidate or tried instead of it.
    ///
    /// This is `nil` for the line of the candidates, whose prompt may change from point to point.
    package var prompt: String?
    /// True if the prompt was only tried and never belonged to the suite.
    package var isTried = false
    /// The metrics that were measured.
    package var metrics: [Metric]
    /// The points, oldest first.
    package var points: [Point]
    /// True if older points are left out.
    package var hasOlder: Bool
  }

  /// A metric that the suite's gates test.
  package struct Metric: Hashable, Sendable {
    /// The metric's name, as used in conditions.
    package var name: String
    package var quantity: Quantity
    /// The gates that test the metric.
    package var gates: [Condition]

    package init(name: String, quantity: Quantity, gates: [Condition] = []) {
      self.name = name
      self.quantity = quantity
      self.gates = gates
    }
  }

  /// The origin of a point.
  package enum Source: Hashable, Sendable {
    case run(log: ProjectPath, isLive: Bool)
    /// A baseline in a commit, identified by the full commit id.
    case baseline(commit: String)

    /// True if models answered during the run, rather than recordings.
    package var isLive: Bool {
      if case .run(_, isLive: true) = self { true } else { false }
    }

    /// Returns true if both sources are runs of the same kind, whose points may be combined.
    ///
    /// Baselines are never combined.
    fileprivate func isLike(_ other: Source) -> Bool {
      switch (self, other) {
      case (.run(_, let isLive), .run(_, let isOtherLive)): isLive == isOtherLive
      default: false
      }
    }
  }

  /// The result of a run or a baseline, or of several runs with the same result.
  package struct Point: Hashable, Sendable {
    /// The origin of the first measurement.
    package var source: Source
    /// The start of the first run, or the date of the commit.
    package var date: Timestamp
    /// The start of the last run.
    package var lastDate: Timestamp
    /// The number of measurements.
    package var count = 1
    package var prompt: LoggedRun.PromptVersion
    /// The names of the models that answered, sorted.
    package var models: [String]
    /// The estimates, in the order of the line's metrics.
    package var estimates: [Estimate]
    /// The number of cases.
    package var cases: Int
    /// The number of lost trials.
    package var lost: Int
    /// The changes since the previous point; empty for the first one.
    package var changes: [Change]
    /// The missed gates of each metric, in the order of the line's metrics; empty if no gate was
    /// missed.
    package var missed: [[Condition]] = []

    /// Returns the missed gates on a metric.
    package func missed(_ metric: Int) -> [Condition] {
      missed.indices.contains(metric) ? missed[metric] : []
    }
  }

  /// A change that may explain why a figure differs from the previous one.
  package enum Change: Hashable, Sendable {
    /// The prompt changed; the names are equal if only its text was edited.
    case prompt(from: String, to: String)
    case models(from: [String], to: [String])
    /// Cases were added or removed, or their input or expectation changed.
    case dataset(added: Int, removed: Int, changed: Int)
    /// The scorers that were added, removed or changed.
    case scorers([String])
    case repetitions(from: Int, to: Int)
  }

  /// A run or a baseline that is yet to be compared with the previous one.
  package struct Measurement: Sendable {
    package var source: Source
    package var date: Timestamp
    package var prompt: LoggedRun.PromptVersion
    package var models: [String]
    package var estimates: [Estimate]
    /// The versions of the cases, by case id.
    package var cases: [String: String]
    /// The digests of the scorers, by name.
    package var scorers: [String: String]
    package var repetitions: Int
    package var lost: Int
    /// True if the prompt was only tried and does not belong to the suite.
    package var isTried = false
    /// The missed gates of each metric, in the order of the metrics; empty if no gate was missed.
    package var missed: [[Condition]] = []

    package init(
      source: Source,
      date: Timestamp,
      prompt: LoggedRun.PromptVersion,
      models: [String],
      estimates: [Estimate],
      cases: [String: String],
      scorers: [String: String],
      repetitions: Int,
      lost: Int,
      isTried: Bool = false,
      missed: [[Condition]] = []
    ) {
      self.source = source
      self.date = date
      self.prompt = prompt
      self.models = models
      self.estimates = estimates
      self.cases = cases
      self.scorers = scorers
      self.repetitions = repetitions
      self.lost = lost
      self.isTried = isTried
      self.missed = missed
    }
  }
}

extension History.Line {
  /// Sorts measurements by time and finds the changes between them.
  ///
  /// Consecutive runs of the same kind with the same figures and no changes become one point.
  ///
  /// - Parameters:
  ///   - suite: The suite's name.
  ///   - backend: The backend's name.
  ///   - prompt: The prompt, if it is not the suite's candidate.
  ///   - metrics: The metrics that were measured.
  ///   - measurements: The runs and baselines, in any order.
  ///   - limit: The maximum number of points to keep, at least 1; the oldest are dropped.
  package init(
    suite: String,
    backend: String,
    prompt: String? = nil,
    metrics: [History.Metric],
    measurements: [History.Measurement],
    limit: Int
  ) {
    self.suite = suite
    self.backend = backend
    self.prompt = prompt
    self.metrics = metrics
    isTried = !measurements.isEmpty && measurements.allSatisfy(\.isTried)
    let sorted = measurements.enumerated().sorted {
      ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }.map(\.element)
    let omitted = max(0, sorted.count - limit)
    hasOlder = omitted > 0
    points = []
    var before: History.Measurement?
    for (index, measurement) in sorted.enumerated() {
      let changes = before.map { Self.changes(from: $0, to: measurement) } ?? []
      // If every trial was lost, no model answered. Keep the earlier models for the next
      // comparison.
      let models = measurement.models.isEmpty ? before?.models ?? [] : measurement.models
      before = measurement
      before?.models = models
      // Changes are relative to the previous point, even if that point is not shown.
      if index < omitted { continue }
      let point = History.Point(measurement, changes)
      if changes.isEmpty, let last = points.last, last.isLike(point) {
        points[points.count - 1].count += 1
        points[points.count - 1].lastDate = point.date
      } else {
        points.append(point)
      }
    }
  }

  private static func changes(from earlier: History.Measurement, to later: History.Measurement)
    -> [History.Change]
  {
    var changes: [History.Change] = []
    if earlier.prompt != later.prompt {
      changes.append(.prompt(from: earlier.prompt.name, to: later.prompt.name))
    }
    if earlier.models != later.models, !earlier.models.isEmpty, !later.models.isEmpty {
      changes.append(.models(from: earlier.models, to: later.models))
    }
    let added = later.cases.count { earlier.cases[$0.key] == nil }
    let removed = earlier.cases.count { later.cases[$0.key] == nil }
    let changed = later.cases.count { id, version in
      earlier.cases[id].map { $0 != version } ?? false
    }
    if added + removed + changed > 0 {
      changes.append(.dataset(added: added, removed: removed, changed: changed))
    }
    let scorers = Set(earlier.scorers.keys).union(later.scorers.keys)
      .filter { earlier.scorers[$0] != later.scorers[$0] }
    if !scorers.isEmpty { changes.append(.scorers(scorers.sorted())) }
    if earlier.repetitions != later.repetitions {
      changes.append(.repetitions(from: earlier.repetitions, to: later.repetitions))
    }
    return changes
  }
}

extension History.Point {
  fileprivate init(_ measurement: History.Measurement, _ changes: [History.Change]) {
    source = measurement.source
    date = measurement.date
    lastDate = measurement.date
    prompt = measurement.prompt
    models = measurement.models
    estimates = measurement.estimates
    cases = measurement.cases.count
    lost = measurement.lost
    self.changes = changes
    missed = measurement.missed.allSatisfy(\.isEmpty) ? [] : measurement.missed
  }

  /// Returns true when both measurements have the same figures and nothing changed between them.
  fileprivate func isLike(_ other: Self) -> Bool {
    source.isLike(other.source) && estimates == other.estimates && lost == other.lost
      && missed == other.missed
  }
}
