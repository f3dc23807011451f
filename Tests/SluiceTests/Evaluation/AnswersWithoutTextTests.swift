import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

/// Tests of suites on recorded answers that have no text, from the project's files to the trials.
@Suite("Answers without text")
struct AnswersWithoutTextTests {
  /// A suite with one case and its answer.
  struct Sample: CustomTestStringConvertible, Sendable {
    var name: String
    /// The entries of `scorers:` in YAML's flow style.
    var scorers: String
    /// Further lines of the suite.
    var suite = ""
    /// The value of `assert:` in JSON.
    var assertions = "[]"
    /// The members of the model's message.
    var message: String
    /// The explanation of each score, with the scorer's name.
    var scores: [String]
    var isPassed: Bool

    var testDescription: String { name }
  }

  private static let call =
    #""content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"search","#
    + #""arguments":"{\"q\":\"rain\"}"}}]"#
  private static let refusal = #""content":null,"refusal":"I can't help with <that>.""#

  static let samples = [
    Sample(
      name: "an empty answer fails even a negated check",
      scorers: "[not-contains: zzz]",
      message: #""content":"""#,
      scores: ["not-contains failed, unusable: the answer is empty"],
      isPassed: false
    ),
    Sample(
      name: "an answer of blanks, also of zero width, counts as empty",
      scorers: "[not-contains: zzz, {latency: 10 s}]",
      message: #""content":"\n \u200b\ufeff""#,
      scores: [
        "not-contains failed, unusable: the answer is empty",
        "latency passed: expected the answer to be complete within 10000 ms: it took 250.5 ms",
      ],
      isPassed: false
    ),
    Sample(
      name: "an empty answer fails even if no scorer checks its text",
      scorers: "[{latency: 10 s}]",
      message: #""content":" ""#,
      scores: [
        "latency passed: expected the answer to be complete within 10000 ms: it took 250.5 ms",
        "answer failed, unusable: the answer is empty",
      ],
      isPassed: false
    ),
    Sample(
      name: "a case may expect empty text",
      scorers: "[not-contains: zzz]",
      assertions: #"[{"equals":""}]"#,
      message: #""content":"""#,
      scores: [
        #"not-contains passed: expected the answer not to contain "zzz": it does not"#,
        "assert.equals passed: expected the answer to equal nothing: it does",
      ],
      isPassed: true
    ),
    Sample(
      name: "a member of an assert-set may expect empty text, too",
      scorers: #"[{assert-set: {assert: [{equals: ""}, {not-contains: zzz}]}}]"#,
      message: #""content":"""#,
      scores: ["assert-set passed: expected the answer to meet 2 assertions: grade 1"],
      isPassed: true
    ),
    Sample(
      name: "a negated member of an assert-set does not expect empty text",
      scorers: #"[not-equals: "", {assert-set: {assert: [{not-equals: "x"}]}}]"#,
      message: #""content":"""#,
      scores: [
        "not-equals failed, unusable: the answer is empty",
        "assert-set failed, unusable: the answer is empty",
      ],
      isPassed: false
    ),
    Sample(
      name: "a suite may accept empty answers",
      scorers: "[not-contains: zzz]",
      suite: "empty-answer: usable",
      message: #""content":"""#,
      scores: [#"not-contains passed: expected the answer not to contain "zzz": it does not"#],
      isPassed: true
    ),
    Sample(
      name: "a suite that accepts empty answers does not accept refusals",
      scorers: "[not-contains: zzz]",
      suite: "empty-answer: usable",
      message: refusal,
      scores: ["not-contains failed, unusable: the model refused to answer"],
      isPassed: false
    ),
    Sample(
      name: "an answer with the expected call needs no text",
      scorers: "[{tool-calls: [search]}, {contains: rain}, is-json]",
      message: call,
      scores: [
        #"tool-calls passed: expected the answer to call only search: it called search({"q":"rain"})"#,
        "contains not-applicable: the answer is a tool call, without text",
        "is-json not-applicable: the answer is a tool call, without text",
      ],
      isPassed: true
    ),
    Sample(
      name: "a case may expect a call",
      scorers: "[{contains: rain}, {word-count: 3}]",
      assertions: #"[{"tool-calls":[{"name":"search","arguments":{"q":"rain"}}]}]"#,
      message: call,
      scores: [
        "contains not-applicable: the answer is a tool call, without text",
        "word-count not-applicable: the answer is a tool call, without text",
        #"assert.tool-calls passed: expected the answer to call only search({"q":"rain"}): "#
          + #"it called search({"q":"rain"})"#,
      ],
      isPassed: true
    ),
    Sample(
      name: "a call without text fails if the case expects text",
      scorers: "[{tool-calls: [search]}]",
      assertions: #"[{"not-contains":"snow"}]"#,
      message: call,
      scores: [
        #"tool-calls passed: expected the answer to call only search: it called search({"q":"rain"})"#,
        "assert.not-contains failed: expected text, got only a tool call",
      ],
      isPassed: false
    ),
    Sample(
      name: "an answer with the wrong call fails",
      scorers: "[{contains: rain}, {tool-calls: [open]}]",
      message: call,
      scores: [
        "contains not-applicable: the answer is a tool call, without text",
        #"tool-calls failed: expected the answer to call only open: it called search({"q":"rain"})"#,
      ],
      isPassed: false
    ),
    Sample(
      name: "a call is not an answer if no scorer or case expects a call",
      scorers: "[not-contains: zzz, {tool-calls: []}, {not-tool-calls: [open]}]",
      message: call,
      scores: [
        "not-contains failed, unusable: "
          + "the answer has no text, only a tool call that no scorer checks",
        #"tool-calls failed: expected the answer to call no function: it called search({"q":"rain"})"#,
        "not-tool-calls passed: expected the answer not to call only open: "
          + #"it called search({"q":"rain"})"#,
      ],
      isPassed: false
    ),
    Sample(
      name: "in a set of the suite, a text check does not apply to a call",
      scorers: "[{assert-set: {assert: [{tool-calls: [search]}, {contains: rain}]}}]",
      message: call,
      scores: ["assert-set passed: expected the answer to meet 2 assertions: grade 1"],
      isPassed: true
    ),
    Sample(
      name: "in a set of the case, a text check fails for a call",
      scorers: "[{latency: 10 s}]",
      assertions: #"[{"assert-set":{"assert":[{"tool-calls":["search"]},{"contains":"rain"}]}}]"#,
      message: call,
      scores: [
        "latency passed: expected the answer to be complete within 10000 ms: it took 250.5 ms",
        "assert.assert-set failed: expected the answer to meet 2 assertions: grade 0.5; contains: "
          + "expected text, got only a tool call",
      ],
      isPassed: false
    ),
    Sample(
      name: "a member with weight 0 in a set expects nothing",
      scorers:
        "[{assert-set: {assert: [{tool-calls: [search], weight: 0}, {not-contains: zzz}]}}]",
      message: call,
      scores: [
        "assert-set failed, unusable: "
          + "the answer has no text, only a tool call that no scorer checks"
      ],
      isPassed: false
    ),
    Sample(
      name: "an expected refusal passes",
      scorers: "[{not-contains: zzz}, is-json]",
      assertions: #"["is-refusal"]"#,
      message: refusal,
      scores: [
        "not-contains not-applicable: the answer is a refusal, without text",
        "is-json not-applicable: the answer is a refusal, without text",
        "assert.is-refusal passed: expected the answer to be a refusal: it does",
      ],
      isPassed: true
    ),
    Sample(
      name: "an unexpected refusal fails",
      scorers: "[{not-contains: zzz}, not-is-refusal]",
      message: refusal,
      scores: [
        "not-contains failed, unusable: the model refused to answer",
        "not-is-refusal failed: expected the answer not to be a refusal, got "
          + #""I can't help with <that>.""#,
      ],
      isPassed: false
    ),
    Sample(
      name: "an empty answer is not a refusal",
      scorers: "[is-refusal]",
      message: #""content":"""#,
      scores: [
        "is-refusal failed: expected the answer to be a refusal, got nothing",
        "answer failed, unusable: the answer is empty",
      ],
      isPassed: false
    ),
  ]

  /// A project with a sample's answer recorded.
  private func project(_ sample: Sample) async throws -> RecordingProject {
    let project = RecordingProject()
    try project.files.write(
      Array(
        """
        suite: triage
        prompt: v1.yaml
        dataset: triage
        backend: server
        scorers: \(sample.scorers)
        \(sample.suite)
        gates: [accuracy >= 100%]
        """.utf8
      ),
      to: ProjectPath(RecordingProject.suitePath)
    )
    try project.files.remove(ProjectPath(RecordingProject.casesPath))
    let line = #"{"id":"only","input":{"message":"hello"},"assert":ASSERT}"#
      .replacing(#","assert":ASSERT"#, with: sample.assertions == "[]" ? "" : #","assert":ASSERT"#)
      .replacing("ASSERT", with: sample.assertions)
    try project.files.write(
      Array((line + "\n").utf8),
      to: ProjectPath("datasets/triage/cases.jsonl")
    )
    let body = #"{"model":"sorter-1","choices":[{"message":{"role":"assistant",MESSAGE},"#
      .replacing("MESSAGE", with: sample.message)
    let client = RecordingHTTPClient { _ throws(HTTPError) in
      var response = RecordingProject.completion(text: "")
      response.body = Array((body + #""finish_reason":"stop"}]}"#).utf8)
      return response
    }
    _ = try await project.record(from: client)
    return project
  }

  private func shown(_ trial: Trial) -> [String] {
    trial.scores.map { named in
      "\(named.name) \(named.score.outcome.rawValue)\(named.score.isUnusable ? ", unusable" : ""): "
        + named.score.explanation
    }
  }

  @Test(
    "An answer without text passes if the scorers accept it, and is unusable otherwise",
    arguments: samples
  )
  func judged(_ sample: Sample) async throws {
    let project = try await project(sample)
    let plan = try project.plan()
    let trials = Runner(plan).replay(try project.recordings(), concurrency: 1)
    #expect(trials.map { shown($0.trial) } == [sample.scores])
    #expect(trials.map(\.trial.outcome) == [sample.isPassed ? .passed : .failed])

    // The fast path gives the same trial and the same log line.
    let log = RunLog(plan, start: RecordingProject.date, mode: .replay)
    let run = LoggingRun(plan, log, project.files)
      .replay(try project.recordings(), notBefore: nil, concurrency: 1) { _ in }
    let file = try #require(run.log)
    var reader = RunLogReader(file)
    #expect(run.trials.map { reader.whole($0) } == trials.map(\.trial))
    #expect(file.bytes(0..<file.count) == log.bytes(trials))
    let result = try project.replay()
    #expect(result.suites[0].columns[0].verdict == (sample.isPassed ? .pass : .fail))
  }

  @Test("empty-answer is either usable or unusable")
  func words() throws {
    func project(_ word: String) throws -> ProjectFixture {
      try ProjectFixture().replacing(
        "backend: fast\n",
        with: "backend: fast\nempty-answer: \(word)\n",
        in: ProjectFixture.suite
      )
    }
    #expect(
      try project("useable").report() == """
        prompts/tone/suite.yaml:5:15: error: 'empty-answer' must be 'usable' or 'unusable', not 'useable'
          5 | empty-answer: useable
            |               ^
          fix: did you mean 'usable'?

        """
    )
    let usable = try #require(try project("usable").load().suites.first)
    let unusable = try #require(try project("unusable").load().suites.first)
    #expect(usable.plan.takesEmptyAnswers)
    #expect(!unusable.plan.takesEmptyAnswers)
    // Baselines with different values of `empty-answer` are not comparable.
    #expect(
      Set(usable.plan.scorerDigests.keys).subtracting(unusable.plan.scorerDigests.keys)
        == ["empty-answer"]
    )
    #expect(
      YardstickChange(here: usable, there: unusable)
        .edits(InMemoryFileSystem(), InMemoryFileSystem()).map(\.text)
        == ["empty-answer: was unusable, now usable"]
    )
  }

  @Test("An empty known good output is valid only if empty answers are usable")
  func knownOutputs() throws {
    func report(_ more: String) throws -> [String] {
      try ProjectFixture()
        .replacing(
          """
            - json-schema: answer.schema.json
            - flags: {path: warning, when: non-empty}
            - classification: {path: label, expected: label, labels: [calm, harsh]}
          gates:
            - accuracy >= 85%
          goals:
            - false-positive-rate < 5%
          """,
          with: "  - not-contains: zzz\ngates: [accuracy >= 85%]\n\(more)",
          in: ProjectFixture.suite
        )
        .replacing(
          "  expected: {flagged: false, label: calm}\n",
          with: "  good: [' ']\n",
          in: ProjectFixture.dataset
        )
        .load().diagnostics.filter { $0.severity == .error }.map(\.message)
    }
    #expect(
      try report("") == [
        "the good output of the case 'terse' is rejected by 'not-contains': the answer is empty"
      ]
    )
    #expect(try report("empty-answer: usable") == [])
  }

  @Test("A refusal has a separate field in the run log and in every report")
  func refusalWords() async throws {
    let sample = try #require(Self.samples.first { $0.message == Self.refusal && !$0.isPassed })
    let project = try await project(sample)
    let plan = try project.plan()
    let words = "I can't help with <that>."
    let trials = Runner(plan).replay(try project.recordings(), concurrency: 1)
    let line = try JSONReader.value(RunLog.line(try #require(trials.first)))
    #expect(line["refusal"]?.string == words)
    #expect(line["text"] == nil)
    let result = try project.replay()
    let output = try #require(result.suites[0].columns[0].trials[0].output)
    #expect(output.refusal == words)
    #expect(output.excerpt == "")
    func report(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let json = report(JSONReport(result).bytes)
    #expect(json.contains(#","text":"","refusal":"I can't help with <that>.","text-digest":"#))
    let csv = report(CSVReport(result).bytes)
    #expect(csv.contains(#","not-contains: explanation","refusal""# + "\r\n"))
    #expect(csv.hasSuffix(#","I can't help with <that>.""# + "\r\n"))
    let markdown = report(MarkdownReport(result).bytes)
    #expect(markdown.contains("  - refusal: `I can't help with <that>.`\n"))
    #expect(!markdown.contains("  - answer:"))
    let page = report(
      FileSink.bytes { (sink) throws(FileError) in
        try HTMLReport(result).write(to: &sink)
      }
    )
    #expect(page.contains(#","I can't help with \u003cthat>."]"# + "\n"))
    let junit = report(JUnitReport(result).bytes)
    #expect(junit.contains("\nrefusal: I can't help with &lt;that&gt;.</failure>"))
  }
}
