import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Scorer names, and scorers that apply to some cases")
struct ScorerPartsTests {
  private static let dataset = "datasets/tickets/cases.yaml"
  private static let suite = "prompts/tickets/suite.yaml"

  /// Returns a project with a suite and cases.
  ///
  /// Its backend is never asked.
  private func project(_ suite: String, dataset: String = Self.cases) -> InMemoryFileSystem {
    InMemoryFileSystem([
      "sluice.yaml": "backends: {model: {type: openai, model: m-1}}\n",
      "prompts/tickets/v1.yaml": "messages: [{user: \"{{message}}\"}]\n",
      Self.suite: "suite: tickets\nprompt: v1.yaml\ndataset: tickets\nbackend: model\n" + suite,
      Self.dataset: dataset,
    ])
  }

  private static let cases = """
    - {id: late, tags: [order], input: {message: a}, expected: {kind: order, number: "48213"}}
    - {id: hello, tags: [talk], input: {message: b}, expected: {kind: other}}

    """

  private func said(_ files: InMemoryFileSystem) -> String {
    ProjectLoader.load(from: files).diagnostics.map(\.description).joined()
  }

  /// Returns the trials of answers in case order.
  private func trials(_ files: InMemoryFileSystem, _ answers: [String]) throws -> [Trial] {
    let loaded = ProjectLoader.load(from: files)
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    let plan = try #require(loaded.suites.first).plan
    let judge = TrialJudge(plan: plan)
    return answers.enumerated().map { index, text in
      judge.judged(ModelResponse(text: text), plan.slot(index), key: "")
    }
  }

  @Test("A scorer has the name in the suite, and unnamed ones of a type are numbered")
  func names() {
    let scorers = ScoringFixture(
      """
      - {contains: a, name: politeness}
      - contains: b
      - {contains: c, name: contains-2}
      - contains: d
      - {type: contains, value: e, name: long-form}
      """
    )
    #expect(
      scorers.scorers.map(\.name)
        == ["politeness", "contains", "contains-2", "contains-3", "long-form"]
    )
    #expect(scorers.said == "")
  }

  @Test("A scorer's name does not change its digest")
  func digests() {
    let digests = ScoringFixture(
      "- contains: a\n- {contains: a, name: n}\n- {contains: a, applies-to: {tag: x}}"
    ).scorers.map(\.digest)
    #expect(digests[0] == digests[1])
    #expect(digests[0] != digests[2])
  }

  @Test("Every invalid name and selection is reported with its position")
  func faults() {
    #expect(
      ScoringFixture(
        """
        - {contains: a, name: answer}
        - {contains: a, name: 7}
        - {contains: a, name: "my scorer"}
        - {contains: a, name: twice}
        - {contains: b, name: twice}
        - {contains: a, applies-to: order}
        - {contains: a, applies-to: {}}
        - {contains: a, applies-to: {tags: [order]}}
        - {contains: a, applies-to: {tag: []}}
        - flags: {path: a, when: non-empty, applies-to: {tag: a}}
        - assert-set: {assert: [{contains: x, applies-to: {tag: a}}]}
        - {contains: a, aplies-to: {tag: a}}
        - json-path: {path: a, name: order}
        """
      ).saidWithoutLines == """
        suite.yaml:1:23: error: the name 'answer' is reserved for reports
          fix: choose another name
        suite.yaml:2:23: error: 'name' must be a text, not a number
          fix: put it in quotes: "7"
        suite.yaml:3:23: error: the name of a scorer must consist of letters, digits, '-' and '_', and must start with a letter
          fix: write 'name: my-scorer'
        suite.yaml:5:23: error: two scorers are named 'twice'
          fix: rename one of the two
        suite.yaml:6:29: error: 'applies-to' must be a mapping, not a text
          fix: write 'applies-to: {tag: order}'
        suite.yaml:7:29: error: 'applies-to' does not select any cases
          fix: write 'applies-to: {tag: NAME}' or 'applies-to: {expected: KEY}'
        suite.yaml:8:30: error: unknown key 'tags' in 'applies-to'
          fix: write 'tag:'
        suite.yaml:9:35: error: 'tag' is empty
        suite.yaml:10:37: error: 'applies-to' must be next to 'flags', not among its arguments
          fix: move it to a separate line below '- flags: …'
        suite.yaml:11:51: error: 'applies-to' must be next to 'assert-set', because it applies to the whole set
          fix: move it there
        suite.yaml:12:17: error: unknown key 'aplies-to' next to 'contains'
          fix: did you mean 'applies-to'?
        suite.yaml:13:24: error: 'name' must be next to 'json-path', not among its arguments
          fix: move it to a separate line below '- json-path: …'

        """
    )
  }

  @Test("Conditions and reports use the scorer's name")
  func conditions() throws {
    let files = project(
      """
      scorers:
        - {classification: {path: kind, expected: kind, labels: [order, other]}, name: severity}
        - {contains: x, name: polite}
      gates:
        - severity.recall[order] >= 50%
        - polite >= 90%

      """
    )
    #expect(
      said(files) == """
        prompts/tickets/suite.yaml:10:5: error: no scorer of the suite produces the metric 'polite'
          10 |   - polite >= 90%
             |     ^
          fix: did you mean 'polite.pass-rate'?

        """
    )
  }

  @Test("A scorer ignores cases to which it does not apply, and needs no expectation from them")
  func selection() throws {
    let files = project(
      """
      scorers:
        - classification: {path: kind, expected: kind, labels: [order, other]}
        - {json-path: {path: number, expected: number}, applies-to: {expected: number}}
        - {contains: "{{expected.number}}", applies-to: {tag: [order, late]}}
      gates:
        - accuracy >= 50%

      """,
      dataset: Self.cases.replacing("tags: [order]", with: "tags: [order, late]")
    )
    #expect(said(files) == "")
    let trials = try trials(files, [#"{"kind":"order","number":1}"#, #"{"kind":"other"}"#])
    #expect(trials.map(\.outcome) == [.failed, .passed])
    #expect(
      trials[1].scores.map { "\($0.name): \($0.score.outcome.rawValue), \($0.score.explanation)" }
        == [
          "classification: passed, other as expected",
          "json-path: not-applicable, applies only to cases with an expected 'number'",
          "contains: not-applicable, applies only to cases with one of the tags 'order', 'late'",
        ]
    )
    let metrics = MetricEvaluator(trials)
    #expect(metrics.estimate(Metric(.passRate(scorer: "json-path"))).n == 1)
    #expect(metrics.estimate(Metric(.accuracy)).n == 2)
  }

  @Test("An unknown tag or key in applies-to is an error, and so is a pair that no case has")
  func idle() {
    #expect(
      said(
        project(
          """
          scorers:
            - is-json
            - {contains: a, applies-to: {tag: ordr}}
            - {contains: a, applies-to: {expected: nmber}}
            - {contains: a, applies-to: {expected: number, tag: talk}}
          gates: [accuracy >= 50%]

          """,
          dataset: Self.cases.replacing(", number:", with: ", kinds: a, number:")
            .replacing("{kind: other}", with: "{kind: other, kinds: b}")
        )
      ).split(separator: "\n").filter { !$0.contains("kind") && !$0.contains(" | ") }
        .joined(separator: "\n") == """
          prompts/tickets/suite.yaml:7:37: error: no case of datasets/tickets/cases.yaml has the tag 'ordr'
            fix: did you mean 'order'?
          prompts/tickets/suite.yaml:8:42: error: no case of datasets/tickets/cases.yaml has an expected 'nmber'
            fix: did you mean 'number'?
          prompts/tickets/suite.yaml:9:31: error: no case of datasets/tickets/cases.yaml has both tags
            fix: remove one of the two
          """
    )
  }

  @Test("An unknown key in an expression is an error with the nearest name")
  func idleKeys() {
    let files = project(
      """
      scorers:
        - expression: answer.n == expected.nubmer or input.message == "a"
        - expression: expected.kind != null
        - classification: {path: kind, expected: kind, labels: [order, other]}
      gates: [accuracy >= 50%]

      """
    )
    #expect(
      said(files).split(separator: "\n").filter { !$0.contains(" | ") }.joined(separator: "\n")
        == """
        prompts/tickets/suite.yaml:6:17: error: no case of datasets/tickets/cases.yaml has 'expected.nubmer'
          fix: did you mean 'expected.number'?
        """
    )
  }

  @Test("A case that no scorer judges is unjudged and does not count")
  func unjudged() throws {
    let files = project(
      """
      scorers:
        - {contains: a, applies-to: {tag: order}}
      gates: [accuracy >= 50%]

      """,
      dataset: Self.cases.replacing(", expected: {kind: other}", with: "")
        .replacing("kind: order, number: \"48213\"", with: "")
    )
    #expect(
      said(files) == """
        prompts/tickets/suite.yaml:6:3: warning: cases that no scorer judges: 1 of 2, such as 'hello'
          6 |   - {contains: a, applies-to: {tag: order}}
            |   ^
          fix: add a scorer without 'applies-to', or add an 'assert' to these cases

        """
    )
    for answer in ["b", ""] {
      let trials = try trials(files, ["a", answer])
      #expect(trials.map(\.outcome) == [.passed, .unjudged])
      let metrics = MetricEvaluator(trials)
      #expect(metrics.estimate(Metric(.accuracy)).n == 1)
      var line = ByteBuffer()
      var key: [UInt8] = []
      line.append("{")
      trials[1].appendMembers(to: &line, key: &key)
      line.append("}")
      #expect(Trial(json: try JSONReader.value(Array(line.units)))?.outcome == .unjudged)
    }
  }

  @Test("A suite without scorers gives a warning, and its accuracy gates have no verdict")
  func none() throws {
    let files = project("gates: [accuracy >= 50%]\n")
    #expect(
      said(files).split(separator: "\n").prefix(4).joined(separator: "\n") == """
        prompts/tickets/suite.yaml:1:1: warning: the suite has no scorers, so its answers are shown but not judged
          1 | suite: tickets
            | ^
          fix: add 'scorers:' with, for example, '- contains: …', or add an 'assert' to each case
        """
    )
    let trials = try trials(files, ["a", "b"])
    #expect(trials.map(\.outcome) == [.unjudged, .unjudged])
    let suite = try #require(ProjectLoader.load(from: files).suites.first)
    let result = ColumnJudge(suite, source: .recorded).result(trials, baselines: [:])
    #expect(result.verdict == .noVerdict)
    let gate = try #require(result.columns[0].gates.first)
    #expect(gate.estimate == Estimate(unknown: "no scorer judges the answers"))
    let run = RunResult(suites: [result])
    #expect(
      run.nextStep(CommandLineOverrides())?.advice
        == "add 'scorers:' to prompts/tickets/suite.yaml, then run again"
    )
    let text = TerminalReport(run, style: TerminalStyle(isColored: false)).text
    #expect(text.contains("\nNot judged, 2 answers\n  late: a\n  hello: b\n"))
    #expect(!text.contains("accuracy   "))
  }
}
