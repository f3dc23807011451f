package import Sluice
import TestSupport

/// A suite of many cases with gates of every form, judged on a test's answers.
package struct GatedSuite {
  package let suite: ResolvedSuite

  static let gates = """
    gates:
      - accuracy >= 60%
      - accuracy >= 90% at 95% confidence
      - no regression in accuracy beyond 5 points
      - p95(latency) < 1 s (live)
    """

  /// Creates a suite with a number of cases, of which every third has the tag `third`.
  package init(
    cases: Int,
    gates: String = gates,
    scorer: String = "- classification: {path: kind, expected: kind, labels: [question, other]}"
  ) throws {
    let project = RecordingProject()
    let dataset = (0..<cases).map { number in
      "- {id: case-\(number), \(number % 3 == 0 ? "tags: [third], " : "")"
        + "input: {message: \"Number \(number)?\"}, expected: {kind: question}}\n"
    }
    try project.files.write(
      Array(dataset.joined().utf8),
      to: ProjectPath(RecordingProject.casesPath)
    )
    try project.files.write(
      Array(
        """
        suite: triage
        prompt: v1.yaml
        dataset: triage
        backend: server
        scorers:
          \(scorer)
        \(gates)
        """.utf8
      ),
      to: ProjectPath(RecordingProject.suitePath)
    )
    let loaded = ProjectLoader.load(
      from: project.files,
      today: Timestamp(seconds: 1_795_263_619)
    )
    guard let suite = loaded.suites.first else {
      throw FileError(
        path: ProjectPath(RecordingProject.suitePath),
        reason: loaded.diagnostics.map(\.description).joined()
      )
    }
    self.suite = suite
  }

  /// Returns the trials of answers: right, wrong in one of two ways, or `nil` for a lost trial.
  package func trials(_ answer: (_ testCase: Int, _ repetition: Int) -> Answer?) -> [Trial] {
    let plan = suite.plan
    return (0..<plan.trialCount).map { index in
      let slot = plan.slot(index)
      let judge = TrialJudge(plan: plan)
      guard let answer = answer(slot.testCase, slot.repetition) else {
        let error = BackendError(.timedOut, "no answer within 60 s")
        return judge.lost(.noAnswer(error), slot, key: "key-\(slot.testCase)")
      }
      let response = ModelResponse(
        text: answer.text,
        usage: TokenUsage(input: 100, output: 10),
        provenance: Provenance(host: "https://models.test", model: "sorter-1"),
        timings: ResponseTimings(total: 250)
      )
      return judge.judged(response, slot, key: "key-\(slot.testCase)")
    }
  }

  package enum Answer {
    case right, wrong, otherwiseWrong

    package var text: String {
      switch self {
      case .right: #"{"kind":"question"}"#
      case .wrong: #"{"kind":"other"}"#
      case .otherwiseWrong: #"{"kind":"unheard of"}"#
      }
    }
  }

  /// Returns the baseline with given answers.
  package func baseline(_ answer: (Int, Int) -> Answer?) throws -> Baseline {
    let plan = suite.plan
    return try Baseline(
      reading: FileContents(Baseline.bytes(plan, column: plan.columns[0], trials: trials(answer)))
    )
  }

  /// Returns the result of a run, compared with a baseline if there is one.
  package func result(
    against baseline: Baseline? = nil,
    source: AnswerSource = .recorded,
    _ answer: (Int, Int) -> Answer?
  ) -> RunResult {
    let result = ColumnJudge(suite, source: source)
      .result(trials(answer), baselines: baseline.map { ["server": $0] } ?? [:])
    return RunResult(suites: [result])
  }
}
