import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("Run result")
struct RunResultTests {
  private func suite(
    _ path: String,
    _ verdict: Verdict,
    misses: Bool = false
  ) -> SuiteResult {
    let loss = Trial.Outcome.lost(.noRecording(RecordingMiss(reason: .newCase)))
    return SuiteResult(
      name: "name",
      path: path,
      source: .recorded,
      caseCount: 1,
      repetitions: 1,
      columns: [
        ColumnResult(
          prompt: "v1",
          promptPath: "",
          backend: "b",
          isCandidate: true,
          trials: [.fixture("a", misses ? loss : .passed)],
          metrics: [],
          gates: [.fixture("accuracy >= 85%", verdict, Estimate(1, n: 1))],
          goals: []
        )
      ]
    )
  }

  private func next(
    _ suites: [SuiteResult],
    _ overrides: CommandLineOverrides = CommandLineOverrides()
  ) -> String? {
    RunResult(suites: suites).nextStep(overrides).map { "\($0.advice): \($0.command)" }
  }

  @Test("After a pass, there is no next step")
  func pass() {
    #expect(next([suite("prompts/tone/suite.yaml", .pass)]) == nil)
  }

  /// A suite with one trial of a given outcome, and a goal with a verdict.
  private func suite(_ outcome: Trial.Outcome, goal: Verdict, _ verdict: Verdict = .pass)
    -> SuiteResult
  {
    var suite = suite("prompts/tone/suite.yaml", verdict)
    suite.columns[0].trials = [.fixture("where", outcome)]
    suite.columns[0].goals = [.fixture("accuracy >= 90%", goal, Estimate(rate: 8, of: 10))]
    return suite
  }

  @Test("In CI, missing answers are recorded elsewhere and committed")
  func inCI() {
    let missing = [suite("prompts/tone/suite.yaml", .noVerdict, misses: true)]
    var overrides = CommandLineOverrides()
    #expect(
      next(missing, overrides)
        == "record the missing answers (this sends requests): sluice record tone"
    )
    overrides.isInCI = true
    #expect(
      next(missing, overrides)
        == "on your own machine, record the missing answers and commit them (this sends requests): "
        + "sluice record tone"
    )
    #expect(
      MissingAnswersStep(areAskedThroughFiles: true, isInCI: true, " tone").advice
        == "on your own machine, export the unanswered requests to a batch file, then import the "
        + "batch's results"
    )
  }

  @Test("After a pass, the next step is about a goal that is not reached, if there is one")
  func goals() {
    #expect(next([suite(.passed, goal: .pass)]) == nil)
    #expect(next([suite(.failed, goal: .pass)]) == nil)
    #expect(
      next([suite(.failed, goal: .fail)])
        == "read a failed case with its request, answer and scores: sluice show where --suite tone"
    )
    #expect(
      next([suite(.passed, goal: .inconclusive)])
        == "see how many cases are needed to decide the goals: sluice plan tone"
    )
    var unknown = suite(.passed, goal: .noVerdict)
    unknown.columns[0].goals[0].estimate = Estimate(unknown: "no price for the model")
    #expect(next([unknown]) == nil)
  }

  @Test(
    "After any other verdict, the next step is a command that shows why",
    arguments: [
      (Verdict.fail, "see all figures: sluice run tone --verbose"),
      (.inconclusive, "see how many cases are needed for a decision: sluice plan tone"),
    ]
  )
  func read(verdict: Verdict, step: String) {
    #expect(next([suite("prompts/tone/suite.yaml", verdict)]) == step)
    #expect(
      next([suite(.failed, goal: .pass, verdict)])
        == "read a failed case with its request, answer and scores: sluice show where --suite tone"
    )
    var live = suite(.failed, goal: .pass, verdict)
    live.source = .live
    // Only the reports have live answers.
    #expect(next([live]) == "read every failed case with its answer: less reports/latest/report.md")
    #expect(next([]) == nil)
  }

  /// A suite whose regression gate has no baseline yet.
  private func unbased(source: AnswerSource, unaccepted: Int = 0, accuracy: Verdict = .pass)
    -> SuiteResult
  {
    var suite = suite("prompts/tone/suite.yaml", accuracy)
    var gate = Decision.fixture(
      "no regression in accuracy beyond 5 points",
      .noVerdict,
      Estimate(1, n: 1)
    )
    gate.reason = .noBaseline
    suite.columns[0].gates.append(gate)
    suite.source = source
    suite.recordings.unaccepted = unaccepted
    return suite
  }

  @Test("Accepting a baseline is the next step only for accepted recordings that fail no gate")
  func baseline() {
    #expect(
      next([unbased(source: .recorded)])
        == "if you are content with the answers, accept them as the baseline: sluice baseline "
        + "accept tone"
    )
    #expect(
      next([unbased(source: .recorded, accuracy: .fail)])
        == "see all figures: sluice run tone --verbose"
    )
    #expect(
      next([unbased(source: .recorded, unaccepted: 2)]) == """
        read the pending answers; once accepted, they can become the baseline: \
        sluice recordings review tone
        """
    )
    #expect(
      next([unbased(source: .live)], CommandLineOverrides(backends: ["small"])) == """
        record answers, because a baseline needs recorded ones (this sends requests): \
        sluice record tone --backend small
        """
    )
  }

  @Test("After a pass on pending answers the next step is to review them, before goals are read")
  func pending() {
    var pending = suite("prompts/tone/suite.yaml", .pass)
    pending.recordings.hasPending = true
    #expect(
      next([pending, suite("prompts/inbox/suite.yaml", .pass)]) == """
        read the pending answers, then accept or reject them: sluice recordings review tone
        """
    )
  }

  @Test(
    "If recordings are missing, the next step records them for the suites that lack them",
    arguments: [
      (["prompts/tone/suite.yaml"], nil, "sluice record tone"),
      (["prompts/tone/suite.yaml", "prompts/a/b/suite.yaml"], nil, "sluice record tone a/b"),
      (
        ["prompts/tone/suite.yaml"], "prompts/tone/v2.yaml",
        "sluice record tone --prompt prompts/tone/v2.yaml"
      ),
      (
        ["prompts/my tone/suite.yaml"], "it's new.yaml",
        #"sluice record 'my tone' --prompt 'it'\''s new.yaml'"#
      ),
      (["prompts/$(rm -rf ~)/suite.yaml"], nil, "sluice record '$(rm -rf ~)'"),
    ]
  )
  func record(paths: [String], prompt: String?, command: String) {
    let suites =
      [suite("prompts/fine/suite.yaml", .fail)] + paths.map { suite($0, .pass, misses: true) }
    #expect(
      next(suites, CommandLineOverrides(prompt: prompt))
        == "record the missing answers (this sends requests): \(command)"
    )
  }

  @Test("The command repeats the backends that were tried")
  func backends() {
    #expect(
      next(
        [suite("prompts/tone/suite.yaml", .pass, misses: true)],
        CommandLineOverrides(prompt: "v2.yaml", backends: ["small", "large"])
      ) == """
        record the missing answers (this sends requests): \
        sluice record tone --prompt v2.yaml --backend small --backend large
        """
    )
  }

  @Test("Without suites, there is no verdict")
  func nothing() {
    #expect(RunResult(suites: []).verdict == .noVerdict)
  }

  @Test(
    "A word for the shell is quoted if any of its characters is special",
    arguments: [
      ("tone", "tone"), ("a/b-c_d.1", "a/b-c_d.1"), ("", "''"), ("a b", "'a b'"), ("~", "'~'"),
      ("*", "'*'"), ("a;b", "'a;b'"), ("$HOME", "'$HOME'"), ("`ls`", "'`ls`'"), ("a\"b", "'a\"b'"),
      ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("a\nb", "'a\nb'"), ("é", "'é'"), ("#1", "'#1'"),
      ("a=b", "'a=b'"), ("{a,b}", "'{a,b}'"), ("\\", "'\\'"), ("!!", "'!!'"),
    ]
  )
  func quoting(text: String, word: String) {
    #expect(ShellText.quoted(text) == word)
  }
}
