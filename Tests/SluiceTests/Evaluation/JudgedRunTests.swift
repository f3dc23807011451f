import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Runs with judges")
struct JudgedRunTests {
  /// Gives requests with the message "Please send it." a low grade, and all others a high one.
  private static let verdict: @Sendable (String) -> String = { text in
    JudgedProject.grade(text.contains("Please send") ? 2 : 5)
  }

  private func replay(_ judged: JudgedProject) throws -> SuiteResult {
    try #require(judged.project.replay().suites.first)
  }

  private func scores(_ result: SuiteResult, _ name: String = "llm-rubric") -> [String] {
    let reader = result.log.map { RunLogReader($0) }
    return result.columns.flatMap(\.trials).map { trial in
      var reader = reader
      let whole = reader?.whole(trial) ?? trial
      let score = whole.scores.first { $0.name == name }?.score
      return "\(trial.caseID): \(trial.outcomeName), \(score?.outcome.rawValue ?? "none"), "
        + (score?.explanation ?? "")
    }
  }

  private func metric(_ name: String, _ result: SuiteResult) throws -> ColumnResult.NamedEstimate {
    try #require(result.columns[0].metrics.first { $0.name == name })
  }

  // MARK: Replay

  @Test("Recorded verdicts are replayed and fail no trial")
  func replayed() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    let result = try replay(judged)
    let good = "expected at least 4 on the scale 1 to 5, got 5: clear"
    #expect(
      scores(result) == [
        "where: passed, passed, \(good)",
        "send: passed, failed, expected at least 4 on the scale 1 to 5, got 2: clear",
        "thanks: passed, passed, \(good)", "polite: failed, passed, \(good)",
      ]
    )
    #expect(try metric("accuracy", result).estimate.value == 0.75)
    #expect(try metric("accuracy", result).isAdvisory == false)
    let mean = try metric("llm-rubric.mean-score", result)
    #expect(mean.estimate.value == 4.25)
    #expect(mean.estimate.n == 4)
    #expect(mean.isAdvisory)
    #expect(try metric("llm-rubric.unscored-rate", result).estimate.value == 0)
    #expect(try metric("llm-rubric.pass-rate", result).estimate.value == 0.75)
    #expect(result.verdict == .pass)
  }

  @Test("The log is the same at any concurrency")
  func order() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    var logs: Set<[UInt8]> = []
    for concurrency in [1, 4] {
      let evaluation = Evaluation(
        try judged.project.suite(),
        surroundings: judged.project.surroundings
      )
      let log = try #require(evaluation.replay(concurrency: concurrency).result.log)
      logs.insert(log.bytes(0..<log.count))
    }
    #expect(logs.count == 1)
  }

  @Test("Without a recorded verdict, only the judge's score is missing")
  func missing() async throws {
    let judged = try JudgedProject()
    _ = try await judged.project.record()
    let result = try replay(judged)
    #expect(
      scores(result).first == "where: passed, unscored, no recorded verdict: the answer was never "
        + "judged"
    )
    #expect(result.columns[0].lost == 0)
    #expect(result.verdict == .pass)
    #expect(try metric("llm-rubric.unscored-rate", result).estimate.value == 1)
    #expect(try metric("llm-rubric.mean-score", result).estimate.value == nil)
    #expect(
      result.recordings.verdictMisses == [
        RecordingSummary.VerdictMissGroup(
          scorer: "llm-rubric",
          reason: "no recorded verdict: the answer was never judged",
          count: 4,
          testCase: "where"
        )
      ]
    )
  }

  @Test("If the judge's backend also answers, a missing verdict is not compared with the answers")
  func judgeOnTheAnswersBackend() async throws {
    let judged = try JudgedProject(
      "llm-rubric: {backend: server, prompt: judge.yaml, scale: [1, 5], at-least: 4}"
    )
    _ = try await judged.project.record()
    #expect(
      scores(try replay(judged)).first
        == "where: passed, unscored, no recorded verdict: the answer was never judged"
    )
  }

  @Test("A verdict on a different answer is not used, and the reason is a changed answer")
  func changedAnswer() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    // The other prompt gets the same answers except for one.
    try judged.project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    _ = try await judged.project.record(
      from: RecordingHTTPClient { request throws(HTTPError) in
        let body = try? JSONReader.value(request.body)
        let message = body?["messages"]?.array?.last?["content"]?.string
        if message == "Thanks!" { return RecordingProject.completion(text: #"{"kind": "other"}"#) }
        return try RecordingProject.answer(to: request)
      }
    )
    let result = try replay(judged)
    #expect(
      scores(result)[2]
        == "thanks: passed, unscored, no recorded verdict: answer changed (user message)"
    )
    #expect(scores(result).count { $0.contains("unscored") } == 1)
  }

  @Test("After an edit of the judge's prompt, its old verdicts are not used")
  func changedPrompt() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    try judged.project.edit(JudgedProject.judgePath, replacing: "Grade", with: "Rate")
    #expect(
      scores(try replay(judged)).first
        == "where: passed, unscored, no recorded verdict: prompt changed (user message)"
    )
  }

  @Test("Expired verdicts are requested again, like answers")
  func expired() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    try judged.project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: "recordings: {expire-after: 1 days}\nprices:"
    )
    let late = Evaluation(
      try judged.project.suite(),
      surroundings: Surroundings(
        files: judged.project.files,
        now: { Timestamp(seconds: RecordingProject.date.seconds + 10 * 86_400) }
      )
    )
    #expect(late.replay(concurrency: 1).result.columns[0].lost == 4)
  }

  // MARK: Live

  @Test("A live run asks the judge about every answer and gives the same scores as a replay")
  func live() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    let evaluation = Evaluation(
      try judged.project.suite(),
      surroundings: judged.project.surroundings,
      keepsLog: false
    )
    let live = await evaluation.live(try judged.backends(Self.verdict)).result
    #expect(scores(live) == scores(try replay(judged)))
    #expect(live.judges.map(\.requests) == [4])
  }

  @Test("A judge that fails loses no trial")
  func failingJudge() async throws {
    let judged = try JudgedProject()
    var backends = try judged.backends(Self.verdict)
    backends["judge"] = ClosureBackend { _, _ throws(BackendError) in
      throw BackendError(.serverError, "out of order")
    }
    let result = await Evaluation(
      try judged.project.suite(),
      surroundings: judged.project.surroundings,
      keepsLog: false
    ).live(backends).result
    #expect(
      scores(result).first == "where: passed, unscored, the judge gave no answer: out of order"
    )
    #expect(result.columns[0].lost == 0)
    #expect(result.judges.map(\.requests) == [0])
  }

  @Test("A function that replaces a backend is not asked to judge")
  func replacedBackend() async throws {
    let judged = try JudgedProject(
      "llm-rubric: {backend: server, prompt: judge.yaml, scale: [1, 5], at-least: 4}"
    )
    var suite = try judged.project.suite()
    suite.plan.backends = [
      BackendDefinition(name: "server", kind: .inProcess(InProcessEndpoint()))
    ]
    let backend = ClosureBackend { request, _ in .answered(request) }
    let result = await Evaluation(
      suite,
      surroundings: judged.project.surroundings,
      keepsLog: false
    ).live(["server": backend]).result
    #expect(backend.requests.count == 4)
    #expect(
      scores(result).allSatisfy {
        $0.hasSuffix(
          "there is no connection for the judge 'server'"
        )
      }
    )
  }

  @Test("When a run is resumed, unreadable verdicts are requested again")
  func resumed() async throws {
    let judged = try JudgedProject()
    let evaluation = Evaluation(
      try judged.project.suite(),
      surroundings: judged.project.surroundings
    )
    let first = await evaluation.live(
      try judged.backends { $0.contains("Thanks") ? "no idea" : JudgedProject.grade(5) },
      run: "r"
    ).result
    let log = try #require(first.log)
    let kept = KeptTrials(log, for: try judged.project.plan())
    var places: [Int] = []
    kept.forEach { index, _ in places.append(index) }
    #expect(places == [0, 1, 3])
  }

  // MARK: Spend

  @Test("The cost of judges is counted separately from the suite's cost")
  func spend() async throws {
    let judged = try JudgedProject()
    let plain = RecordingProject()
    _ = try await plain.record()
    try await judged.record(Self.verdict)
    let result = try replay(judged)
    let judge = try #require(result.judges.first)
    #expect(result.judges.count == 1)
    #expect(judge.backend == "judge")
    #expect(judge.requests == 4)
    #expect(judge.tokens == 880)
    // Four verdicts with 200 and 20 tokens.
    #expect(abs((judge.cost ?? 0) - 4 * (200 * 0.00001 + 20 * 0.00003)) < 1e-12)
    let own = try #require(plain.replay().suites.first)
    #expect(
      try metric("sum(cost)", result).estimate.value == metric("sum(cost)", own).estimate.value
    )
    let report = TerminalReport(
      RunResult(suites: [result]),
      style: TerminalStyle(isColored: false),
      isVerbose: true,
      writesReports: false
    ).text
    #expect(
      report.contains(
        """
        Judges
          judge (advisory): 4 requests, 880 tokens, $0.01040; verdicts of judge-1 at
          https://judges.test, 2026-11-21

        """
      )
    )
    #expect(report.contains("llm-rubric.mean-score"))
    #expect(report.contains("n 4, advisory"))
    let json = try JSONReader.value(JSONReport(RunResult(suites: [result])).bytes)
    let suite = json["suites"]?.array?.first
    #expect(suite?["judges"]?.array?.first?["requests"] == 4)
    #expect(suite?["judges"]?.array?.first?["advisory"] == true)
    let markdown = String(
      decoding: MarkdownReport(RunResult(suites: [result])).bytes,
      as: UTF8.self
    )
    #expect(markdown.contains("Judge of triage: `judge (advisory): 4 requests, 880 tokens,"))
    #expect(markdown.contains("| `llm-rubric.mean-score`, advisory |"))
  }

  @Test("The name that a judge's server reports cannot control the terminal")
  func hostileName() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    var result = try replay(judged)
    for place in result.columns[0].trials.indices {
      for work in result.columns[0].trials[place].output?.judging.indices ?? 0..<0 {
        result.columns[0].trials[place].output?.judging[work].provenance?.model = "a\u{1b}[31mb"
      }
    }
    let report = TerminalReport(
      RunResult(suites: [result]),
      style: TerminalStyle(isColored: false),
      writesReports: false
    ).text
    #expect(!report.unicodeScalars.contains("\u{1b}"))
    #expect(report.contains("verdicts of a\\u{1b}[31mb\n"))
  }

  @Test("The budget covers answers and verdicts together")
  func budget() async throws {
    let judged = try JudgedProject()
    // Four answers cost $0.0012, and a verdict costs $0.0026.
    let outcome = try await judged.recordPending(Self.verdict, limit: 0.003)
    #expect(outcome.answers.recorded == 4)
    #expect(outcome.verdicts.recorded < 4)
    #expect(outcome.verdicts.recorded + outcome.verdicts.unsent == 4)
  }

  // MARK: Conditions

  @Test("A gate on a judge's score is an error with a fix")
  func gate() throws {
    let judged = try JudgedProject(
      conditions: "gates:\n  - accuracy >= 60%\n  - llm-rubric.mean-score >= 4\n"
    )
    let loaded = ProjectLoader.load(from: judged.project.files)
    #expect(
      loaded.diagnostics.map(\.description).joined() == """
        prompts/triage/suite.yaml:10:5: error: 'llm-rubric.mean-score' comes from a judge that has not been compared with people, so it cannot be a gate
          10 |   - llm-rubric.mean-score >= 4
             |     ^
          fix: move it to 'goals:'

        """
    )
  }

  @Test("If every scorer is a judge, a gate on accuracy is an error")
  func idleAccuracy() throws {
    let judged = try JudgedProject()
    try judged.project.edit(
      RecordingProject.suitePath,
      replacing:
        "  - classification: {path: kind, expected: kind, labels: [question, request, other]}\n",
      with: ""
    )
    #expect(
      ProjectLoader.load(from: judged.project.files).diagnostics
        .filter { $0.severity == .error }.map(\.description).joined() == """
          prompts/triage/suite.yaml:8:5: error: every scorer of the suite is advisory, so wrong answers cannot lower 'accuracy'
            8 |   - accuracy >= 60%
              |     ^
            fix: add a scorer that is not advisory, such as 'contains' or 'json-schema'

          """
    )
  }

  @Test("If a scorer is invalid, a gate on accuracy is not an error")
  func unreadScorer() throws {
    let judged = try JudgedProject()
    try judged.project.edit(
      RecordingProject.suitePath,
      replacing: "  - classification: {",
      with: "  - clasification: {"
    )
    #expect(
      ProjectLoader.load(from: judged.project.files).diagnostics
        .filter { $0.severity == .error }.map(\.message) == ["unknown scorer 'clasification'"]
    )
  }

  @Test("A goal on a judge's score is shown as advisory")
  func goal() async throws {
    let judged = try JudgedProject(
      conditions: "gates:\n  - accuracy >= 60%\ngoals:\n  - mean-score >= 4.5\n"
    )
    try await judged.record(Self.verdict)
    let result = try replay(judged)
    #expect(result.columns[0].goals.map(\.verdict) == [.fail])
    #expect(result.verdict == .pass)
    #expect(
      result.columns[0].goals.map { $0.outcomeText(isGoal: true) } == ["4.25, 0.25 short, advisory"]
    )
  }

  @Test("A changed judge does not prevent comparing accuracy with the baseline")
  func baseline() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    let before = try replay(judged).columns[0].trials
    let digests = try judged.project.plan().scorerDigests
    try judged.project.edit(JudgedProject.judgePath, replacing: "Grade", with: "Rate")
    let after = try replay(judged).columns[0].trials
    let pairing = Pairing(
      baseline: Pairing.Side(trials: before, scorers: digests),
      candidate: Pairing.Side(trials: after, scorers: try judged.project.plan().scorerDigests)
    )
    #expect(pairing.changedScorers == [])
    #expect(pairing.changedAdvisoryScorers == ["llm-rubric"])
    #expect(pairing.changedScorers(of: Metric(.accuracy)) == [])
    #expect(pairing.changedScorers(of: Metric(.passRate(scorer: "llm-rubric"))) == ["llm-rubric"])
  }

  // MARK: Cases

  @Test("An input that the judge's prompt needs and no case has is an error")
  func missingInput() throws {
    let judged = try JudgedProject(prompt: "{{massage}} {{answer}}")
    #expect(
      ProjectLoader.load(from: judged.project.files).diagnostics.map(\.description).joined() == """
        prompts/triage/judge.yaml:2:12: error: no case of datasets/triage/cases.yaml has 'massage'
          2 |   - user: "{{massage}} {{answer}}"
            |            ^
          fix: did you mean 'message'?

        """
    )
  }

  @Test("An expectation that the judge's prompt needs must exist")
  func missingExpectation() throws {
    let judged = try JudgedProject(prompt: "{{expected.tone}} {{answer}}")
    let said = ProjectLoader.load(from: judged.project.files).diagnostics.map(\.message)
    #expect(
      said
        == ["where", "send", "thanks", "polite"].map {
          "the case '\($0)' has no 'expected.tone', which the scorer 'llm-rubric' compares with"
        }
    )
  }

  // MARK: Pairwise

  @Test("A pairwise judge is recorded in both orders and replayed")
  func pairwise() async throws {
    let judged = try JudgedProject(
      "llm-compare: {backend: judge, prompt: judge.yaml, with: reply}",
      prompt: "{{message}}: {{first}} or {{second}}",
      expected: "reply: Here."
    )
    // It always prefers the first text.
    try await judged.record { _ in #"{"better": "first"}"# }
    let result = try replay(judged)
    #expect(try metric("llm-compare.position-flip-rate", result).estimate.value == 1)
    #expect(try metric("llm-compare.tie-rate", result).estimate.value == 1)
    #expect(try metric("llm-compare.win-rate", result).estimate.value == 0)
    #expect(result.judges.map(\.requests) == [8])
  }

  // MARK: Recordings in use

  @Test("Used verdicts are not pruned, and stale ones are reported")
  func housekeeping() async throws {
    let judged = try JudgedProject()
    try await judged.record(Self.verdict)
    let housekeeping = RecordingHousekeeping(judged.project.surroundings)
    func status() throws -> RecordingStatus? {
      try housekeeping.status(DiagnosticCollector()).first {
        $0.path == JudgedProject.verdictsPath
      }
    }
    var found = try #require(try status())
    #expect(
      [found.count, found.used, found.unused, found.stale, found.missing] == [4, 4, 0, 0, 0]
    )
    #expect(try housekeeping.prunings(branches: [], DiagnosticCollector()).isEmpty)
    try judged.project.edit(JudgedProject.judgePath, replacing: "Grade", with: "Rate")
    found = try #require(try status())
    #expect(
      [found.count, found.used, found.unused, found.stale, found.missing] == [4, 0, 4, 4, 0]
    )
    let prunings = try housekeeping.prunings(branches: [], DiagnosticCollector())
    #expect(prunings.map(\.path) == [JudgedProject.verdictsPath])
    #expect(prunings.map(\.removed.count) == [4])
  }

  @Test("A draft counts requests on existing answers, and at most those on future ones")
  func draft() async throws {
    let judged = try JudgedProject()
    let session = RecordingSession(
      try judged.project.plan(),
      surroundings: judged.project.surroundings
    )
    let selection = RecordingRequest.Selection()
    var answers = session.draft(selection)
    var draft = session.judgeDraft(selection, after: answers.requests)
    #expect(draft.known.requests.isEmpty)
    #expect(draft.coming == 4)
    #expect(draft.cost == nil)
    #expect(draft.unknown == "'judge' has no recordings with a known usage")
    try await judged.record(Self.verdict)
    answers = session.draft(selection)
    draft = session.judgeDraft(selection, after: answers.requests)
    #expect(draft.isEmpty)
    #expect(draft.cost == 0)
    let all = RecordingRequest.Selection(scope: .all)
    draft = session.judgeDraft(all)
    #expect(draft.known.requests.count == 4)
    #expect(abs((draft.cost ?? 0) - 0.0104) < 1e-12)
    answers = session.draft(all)
    draft = session.judgeDraft(all, after: answers.requests)
    #expect(draft.known.requests.isEmpty)
    #expect(draft.coming == 4)
    #expect(abs((draft.cost ?? 0) - 0.0104) < 1e-12)
  }

  @Test("Pending verdicts are reported")
  func pendingVerdicts() async throws {
    let judged = try JudgedProject()
    _ = try await judged.recordPending(Self.verdict)
    let result = try replay(judged)
    #expect(result.recordings.unaccepted == 4)
    #expect(result.recordings.unacceptedVerdicts == 4)
    #expect(
      RecordingText.notes(result.recordings) == [
        "4 answers are pending, not accepted yet",
        "4 recorded verdicts pending, not accepted yet",
      ]
    )
  }
}
