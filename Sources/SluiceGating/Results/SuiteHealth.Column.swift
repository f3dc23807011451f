package import SluiceCore

extension SuiteHealth {
  /// A prompt on a backend, with the outcome of each case over all repeats.
  package struct Column: Sendable {
    package var prompt: String
    package var backend: String
    package var origin: Origin
    /// True if the prompt is the suite's own, in its current version.
    package var isOwn: Bool
    /// The names of the models that answered.
    package var models: [String]
    /// The stand-ins that answered.
    package var standIns: [String]
    /// The date of the newest answer, or `nil` if unknown.
    package var day: String?
    /// The outcome of each case; `nil` for a case without a judged answer.
    package var marks: [Mark?]
    /// The cases that fail on all repeats with the same finding, by case index.
    package var failures: [Int: Failure]
    /// The reason why the first lost trial was lost, or `nil` if no trial was lost.
    package var fault: String?
    /// The numbers of cases that can still change, and the smallest change that these cases can
    /// show.
    ///
    /// This is `nil` if no answer was judged.
    package var headroom: Headroom?

    /// The kind of a column's answers: recorded, from a live run, or ratings by people.
    package enum Origin: String, Sendable {
      case recorded, live, ratings
    }

    /// The outcome of a case over its repeats.
    package enum Mark: String, Sendable {
      case passed, failed, mixed
    }

    /// The wrong answer to a case whose repeats all fail with the same finding.
    package struct Failure: Hashable, Sendable {
      package var finding: Finding
      /// The model of the first answer, or the name of the ratings file; `nil` if unknown.
      package var model: String?
      /// The first answer, shortened for display.
      package var text: String
    }

    /// True if all answers come from models rather than stand-ins.
    package var isReal: Bool { standIns.isEmpty && answered > 0 }

    /// The number of cases with a judged answer.
    package var answered: Int { headroom?.cases ?? 0 }

    package var name: String { "\(prompt) on \(backend)" }

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - prompt: The name of the prompt.
    ///   - backend: The name of the backend, or of the file of ratings.
    ///   - origin: The kind of the answers.
    ///   - isOwn: True if the prompt is the suite's own.
    ///   - trials: The trials outside quarantine.
    ///   - places: The indices of the cases outside quarantine, by id.
    ///   - headroom: The headroom of the trials, if already computed.
    package init(
      prompt: String,
      backend: String,
      origin: Origin,
      isOwn: Bool,
      trials: [Trial],
      places: [ExactString: Int],
      headroom: Headroom? = nil
    ) {
      self.prompt = prompt
      self.backend = backend
      self.origin = origin
      self.isOwn = isOwn
      // All answers of a model on the same day share one origin.
      let origins = Dictionary(
        trials.compactMap { trial in trial.source.map { (ObjectIdentifier($0), $0) } }
      ) { first, _ in first }
      let sources = origins.values.map(\.provenance)
      models = Set(sources.filter { $0.standIn == nil }.map { $0.model ?? backend }).sorted()
      standIns = Set(sources.compactMap(\.standIn)).sorted()
      day = sources.compactMap { $0.date.map { String($0.prefix(10)) } }.max()
      marks = Array(repeating: nil, count: places.count)
      failures = [:]
      fault =
        trials.lazy.compactMap { trial -> String? in
          if case .lost(let loss) = trial.outcome { loss.message } else { nil }
        }.first
      self.headroom = headroom ?? Headroom(MetricEvaluator(trials))
      var divided: Set<Int> = []
      for trial in trials {
        guard let place = places[ExactString(trial.caseID)], let isPassed = trial.isPassed else {
          continue
        }
        let mark: Mark = isPassed ? .passed : .failed
        marks[place] = (marks[place] ?? mark) == mark ? mark : .mixed
        if let finding = Finding(trial), failures[place].map({ $0.finding == finding }) ?? true {
          let model = origin == .ratings ? backend : trial.source?.provenance.model
          let failure = Failure(
            finding: finding,
            model: model,
            text: trial.output?.excerpt ?? ""
          )
          failures[place] = failures[place] ?? failure
        } else {
          divided.insert(place)
        }
      }
      for place in divided { failures[place] = nil }
    }
  }

  /// The label or text that a wrong answer gives instead of the expected one.
  ///
  /// Two answers agree if their findings are equal.
  package struct Finding: Hashable, Sendable {
    private var parts: [String]

    /// Reads the finding of a trial.
    ///
    /// Returns `nil` if the trial did not fail, or if the answer is unusable.
    init?(_ trial: Trial) {
      guard trial.isPassed == false, !trial.isUnusable else { return nil }
      let failed = trial.scores.filter { $0.score.outcome == .failed && !$0.score.isAdvisory }
      parts = failed.compactMap { named -> String? in
        let measurements = named.score.measurements
        if let label = measurements[MetricDefinition.predictedLabel]?.string {
          return "\(named.name): \(label)"
        }
        return measurements["flagged"]?.bool.map { "\(named.name): \($0)" }
      }
      // Answers without a label agree only if their texts are identical.
      if parts.isEmpty, let output = trial.output { parts = [output.digest] }
      if parts.isEmpty { return nil }
    }
  }
}
