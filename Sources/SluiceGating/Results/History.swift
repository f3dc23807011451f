package import SluiceCore

/// How the figures of suites went, from run to run and from one committed baseline to the next.
package struct History: Hashable, Sendable {
  /// What was measured again and again, in the order of the project.
  package var lines: [Line]

  package init(lines: [Line]) { self.lines = lines }

  /// The candidates of a suite on a backend, or a prompt that was measured beside them or tried in
  /// their place, over time.
  package struct Line: Hashable, Sendable {
    package var suite: String
    package var backend: String
    /// The prompt, where it was measured beside the suite's candidate or tried in its place; nil for
    /// the candidates, whose prompts may change from point to point.
    package var prompt: String?
    /// Whether that prompt was only ever tried, and never one of the suite's.
    package var isTried = false
    /// What was measured.
    package var metrics: [Metric]
    /// The oldest first.
    package var points: [Point]
    /// Whether there are older ones, which are left out.
    package var hasOlder: Bool
  }

  /// A metric that the suite's gates are about.
  package struct Metric: Hashable, Sendable {
    /// The name that conditions use.
    package var name: String
    package var quantity: Quantity
    /// The gates that are about it.
    package var gates: [Condition]

    package init(name: String, quantity: Quantity, gates: [Condition] = []) {
      self.name = name
      self.quantity = quantity
      self.gates = gates
    }
  }

  /// Where a point comes from.
  package enum Source: Hashable, Sendable {
    case run(log: ProjectPath, isLive: Bool)
    /// A baseline as a commit has it, by the commit's full id.
    case baseline(commit: String)

    /// Whether the answers came while it ran.
    package var isLive: Bool {
      if case .run(_, isLive: true) = self { true } else { false }
    }

    /// Whether both are runs of a kind; a baseline is one that somebody accepted, each by itself.
    fileprivate func isLike(_ other: Source) -> Bool {
      switch (self, other) {
      case (.run(_, let isLive), .run(_, let isOtherLive)): isLive == isOtherLive
      default: false
      }
    }
  }

  /// What a run or a baseline came to, or several runs that came to the same.
  package struct Point: Hashable, Sendable {
    /// Where the first of them comes from.
    package var source: Source
    /// When the first run began, or the commit was made.
    package var date: Timestamp
    /// When the last of them began.
    package var lastDate: Timestamp
    /// How many there are.
    package var count = 1
    package var prompt: LoggedRun.PromptVersion
    /// The models that answered, by name, sorted.
    package var models: [String]
    /// In the order of the line's metrics.
    package var estimates: [Estimate]
    /// How many cases there were.
    package var cases: Int
    /// How many trials were lost.
    package var lost: Int
    /// What is not as it was at the point before; empty for the first one.
    package var changes: [Change]
    /// The gates that are missed, in the order of the line's metrics; empty where none of any is.
    package var missed: [[Condition]] = []

    /// The gates about a metric that are missed.
    package func missed(_ metric: Int) -> [Condition] {
      missed.indices.contains(metric) ? missed[metric] : []
    }
  }

  /// What may change a figure beside chance.
  package enum Change: Hashable, Sendable {
    /// The prompts by name; the same name where its text was edited.
    case prompt(from: String, to: String)
    case models(from: [String], to: [String])
    /// How many cases are new, gone, and changed in what is asked or expected.
    case dataset(added: Int, removed: Int, changed: Int)
    /// The scorers that are new, gone or changed.
    case scorers([String])
    case repetitions(from: Int, to: Int)
  }

  /// A run or a baseline, before it is compared with the one before.
  package struct Measurement: Sendable {
    package var source: Source
    package var date: Timestamp
    package var prompt: LoggedRun.PromptVersion
    package var models: [String]
    package var estimates: [Estimate]
    /// What tells versions of cases apart, by id.
    package var cases: [String: String]
    /// The digests of the scorers, by name.
    package var scorers: [String: String]
    package var repetitions: Int
    package var lost: Int
    /// Whether its prompt was tried, and is not one of the suite's.
    package var isTried = false
    /// The gates that are missed, in the order of what was measured; empty where none of any is.
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
  /// Puts measurements into their order and says what changed between them.
  ///
  /// Runs of one kind with the same numbers, between which nothing changed, become one point.
  ///
  /// - Parameters:
  ///   - suite: The suite's name.
  ///   - backend: The backend's name.
  ///   - prompt: The prompt, where it was measured beside the suite's candidate.
  ///   - metrics: What was measured.
  ///   - measurements: The runs and baselines, in any order.
  ///   - limit: How many of the newest are shown, at least 1.
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
      // Where every trial was lost nobody answered, and the next answers are held against earlier ones.
      let models = measurement.models.isEmpty ? before?.models ?? [] : measurement.models
      before = measurement
      before?.models = models
      // What changed since one that is not shown is told all the same.
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

  /// Whether both say the same, where nothing changed between them.
  fileprivate func isLike(_ other: Self) -> Bool {
    source.isLike(other.source) && estimates == other.estimates && lost == other.lost
      && missed == other.missed
  }
}
