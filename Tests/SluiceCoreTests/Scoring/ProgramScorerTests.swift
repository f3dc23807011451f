import SampleProjects
@testable import SluiceCore
import Testing

@Suite("Program scorer")
struct ProgramScorerTests {
  private static let files = ["polite.py": "print()", "words.txt": "please"]

  private func fixture(
    _ arguments: String,
    files: [String: String] = files,
    environment: [String: String] = [:]
  ) -> ScoringFixture {
    ScoringFixture("- exec: \(arguments)", files: files, environment: environment)
  }

  private func scorer(
    _ arguments: String =
      "{command: [python3, polite.py], fingerprint: [polite.py], measures: [politeness]}"
  ) throws -> ProgramScorer {
    let fixture = fixture(arguments)
    #expect(fixture.said == "")
    return try #require(fixture.scorers.first?.scorer as? ProgramScorer)
  }

  private func score(_ reply: Reply) throws -> Score {
    try scorer().score(
      Answer(ModelResponse(text: "yes")),
      for: TestCase(id: "case", input: [:]),
      inquiry: [reply]
    )
  }

  private func score(_ output: String) throws -> Score { try score(.output(Array(output.utf8))) }

  // MARK: The question

  @Test("The program receives the case and the answer in one line of JSON")
  func question() throws {
    var response = ModelResponse(
      text: #"{"ok": true}"#,
      usage: TokenUsage(input: 3, output: 2),
      timings: ResponseTimings(total: 12.5)
    )
    response.toolCalls = [ToolCall(id: "1", name: "send", arguments: "{}")]
    let testCase = TestCase(
      id: "late",
      tags: ["short"],
      input: ["message": "Where?"],
      expected: ["kind": "question"]
    )
    let questions = try scorer().questions(about: Answer(response), for: testCase)
    guard case .program(let question)? = questions.first else {
      Issue.record("no program is asked")
      return
    }
    #expect(questions.count == 1)
    #expect(
      String(decoding: question.input, as: UTF8.self) == """
        {"schema":1,"case":{"id":"late","input":{"message":"Where?"},\
        "expected":{"kind":"question"},"tags":["short"]},\
        "answer":{"text":"{\\"ok\\": true}","json":{"ok":true},"finish-reason":"stop",\
        "tool-calls":[{"name":"send","arguments":"{}"}],"usage":{"input":3,"output":2},\
        "timings":{"total-ms":12.5}}}

        """
    )
    #expect(question.program.endpoint.command == ["python3", "polite.py"])
    #expect(question.program.timeout == .seconds(10))
    #expect(question.program.maximumInFlight == 4)
  }

  @Test("Missing parts of an answer are null, and a refusal is included")
  func bareAnswer() throws {
    let response = ModelResponse(text: nil, refusal: "No.", finishReason: nil)
    let questions = try scorer().questions(
      about: Answer(response),
      for: TestCase(id: "a", input: [:])
    )
    guard case .program(let question)? = questions.first else {
      Issue.record("no program is asked")
      return
    }
    #expect(
      String(decoding: question.input, as: UTF8.self) == """
        {"schema":1,"case":{"id":"a","input":{},"expected":{},"tags":[]},\
        "answer":{"text":null,"refusal":"No.","finish-reason":null,"tool-calls":[],"usage":null,\
        "timings":{}}}

        """
    )
  }

  // MARK: The reply

  @Test(
    "A reply is an outcome with an explanation and the measurements that the suite declares",
    arguments: [
      (
        #"{"outcome":"passed","explanation":"says please","measurements":{"politeness":4,"x":1}}"#,
        Score(.passed, explanation: "says please", measurements: ["politeness": 4])
      ),
      (
        "\n {\"outcome\":\"failed\",\"measurements\":{\"politeness\":0}}\n",
        Score(
          .failed,
          explanation: "exec:python3 gave no explanation",
          measurements: ["politeness": 0]
        )
      ),
      (
        #"{"outcome":"unscored","explanation":"two\nlines"}"#,
        Score(.unscored, explanation: "two\\nlines")
      ),
      (
        #"{"outcome":"passed","measurements":{"politeness":true}}"#,
        Score(
          .passed,
          explanation: "exec:python3 gave no explanation",
          measurements: ["politeness": true]
        )
      ),
    ]
  )
  func reply(output: String, expected: Score) throws {
    #expect(try score(output) == expected)
  }

  @Test(
    "An invalid reply is unscored with the reason, never passed",
    arguments: [
      ("", "is not one JSON object: the JSON value ends too early"),
      ("passed", "is not one JSON object: expected a JSON value"),
      (
        #"{"outcome":"passed"} {"outcome":"passed"}"#,
        "is not one JSON object: text after the end of the JSON value"
      ),
      (#"["passed"]"#, "is not one JSON object but a list"),
      (
        #"{"outcome":"failed","outcome":"passed","measurements":{"politeness":1}}"#,
        #"repeats the member "outcome""#
      ),
      (
        #"{"outcome":"passed","score":1}"#, #"has the unknown member "score""#
      ),
      ("{}", "needs an 'outcome' that is one of 'passed', 'failed', 'unscored'"),
      (
        #"{"outcome":"not-applicable"}"#,
        #"needs an 'outcome' that is one of 'passed', 'failed', 'unscored', not "not-applicable""#
      ),
      (
        #"{"outcome":true}"#,
        "needs an 'outcome' that is one of 'passed', 'failed', 'unscored', not true"
      ),
      (#"{"outcome":"passed","explanation":7}"#, "has an 'explanation' that is not a text: 7"),
      (
        #"{"outcome":"passed","measurements":[4]}"#,
        "has 'measurements' that are not an object: [4]"
      ),
      (
        #"{"outcome":"passed","measurements":{"politeness":"4"}}"#,
        #"has a measurement "politeness" that is not a number: "4""#
      ),
      (#"{"outcome":"passed"}"#, "has no measurement 'politeness'"),
      (#"{"outcome":"failed","measurements":{}}"#, "has no measurement 'politeness'"),
    ]
  )
  func strictness(output: String, reason: String) throws {
    #expect(
      try score(output) == Score(.unscored, explanation: "the reply of exec:python3 \(reason)")
    )
  }

  @Test("A reply that is not valid UTF-8 is unscored")
  func invalidText() throws {
    #expect(try score(.output([0x22, 0xFF, 0x22])).outcome == .unscored)
  }

  @Test("Without a reply, an answer is unscored with the reason")
  func silence() throws {
    let silence = MissingReply(reason: "exec:python3 did not answer in time")
    #expect(
      try score(.missing(silence))
        == Score(.unscored, explanation: "exec:python3 did not answer in time")
    )
    #expect(
      try scorer().score(Answer(ModelResponse(text: "x")), for: TestCase(id: "a", input: [:]))
        == Score(.unscored, explanation: "the judge was not asked")
    )
  }

  @Test("An explanation is cut to 500 characters")
  func longExplanation() throws {
    let text = String(repeating: "a", count: 1_000_000)
    let score = try score(
      #"{"outcome":"failed","explanation":"\#(text)","measurements":{"politeness":0}}"#
    )
    #expect(score.explanation == String(repeating: "a", count: 500) + "…")
  }

  // MARK: The arguments

  @Test("The digest covers the command and the fingerprint's files, but no other files")
  func digests() throws {
    func digest(_ arguments: String, _ files: [String: String] = Self.files) throws -> String {
      let fixture = fixture(arguments, files: files)
      #expect(fixture.said == "")
      return try #require(fixture.scorers.first?.digest)
    }
    let plain = "{command: [python3, polite.py], fingerprint: [polite.py]}"
    var edited = Self.files
    edited["polite.py"] = "print(1)"
    #expect(try digest(plain) == digest(plain))
    #expect(try digest(plain) != digest(plain, edited))
    #expect(
      try digest(plain) != digest("{command: [python, polite.py], fingerprint: [polite.py]}")
    )
    edited = Self.files
    edited["words.txt"] = "thanks"
    #expect(try digest(plain) == digest(plain, edited))
  }

  @Test("Each declared measurement has a metric: its mean, on its own scale")
  func metrics() throws {
    let fixture = fixture(
      "{command: [python3], fingerprint: {version: '1'}, measures: [politeness, words]}"
    )
    #expect(fixture.said == "")
    let catalog = MetricCatalog(scorers: fixture.scorers, tags: [])
    #expect(
      catalog.names == [
        "accuracy", "any-of-k", "all-of-k", "unusable-rate", "fallback-rate", "politeness", "words",
        "exec.pass-rate",
      ]
    )
    let metric = try catalog.metric(MetricReference(scorer: "exec", name: "politeness"))
    #expect(metric == Metric(.scorer("exec", .mean(of: "politeness", in: .number))))
    #expect(metric.quantity == .number)
  }

  @Test(
    "Invalid arguments are errors at their positions",
    arguments: [
      (
        "{command: [python3]}",
        """
        suite.yaml:1:9: error: the scorer 'exec' needs 'fingerprint': without 'fingerprint', Sluice would not notice a change of the program
          fix: list the files that determine its answers ('fingerprint: [functions/reply.ts]'), or write '{version: TEXT}' or '{env: NAME}'

        """
      ),
      (
        "{fingerprint: [polite.py]}",
        """
        suite.yaml:1:9: error: the scorer 'exec' needs 'command'
          fix: add 'command: …'

        """
      ),
      (
        "{command: [./gone.sh], fingerprint: [polite.py]}",
        """
        suite.yaml:1:20: error: file not found: gone.sh

        """
      ),
      (
        "{command: [../x.sh], fingerprint: [polite.py]}",
        """
        suite.yaml:1:20: error: '../x.sh' is outside the project
          fix: move the file into the project, or list its folder under 'allow-folders' in \
        sluice.yaml

        """
      ),
      (
        "{command: [python3], fingerprint: {env: VERSION}}",
        """
        suite.yaml:1:9: error: the scorer 'exec' reads its version from the environment variable VERSION, which is not set
          fix: set VERSION to the version of the program

        """
      ),
      (
        "{command: [python3], fingerprint: [polite.py], measures: [Politeness, pass-rate, a, a]}",
        """
        suite.yaml:1:67: error: 'Politeness' is not a valid name of a metric
          fix: use lowercase letters, digits and hyphens, beginning with a letter
        suite.yaml:1:79: error: every scorer already has 'pass-rate'
          fix: choose another name
        suite.yaml:1:93: error: 'a' appears twice
          fix: remove one of the two

        """
      ),
      (
        "{command: [python3], fingerprint: [polite.py], timeout: 0, max-in-flight: 0, mesures: [a]}",
        """
        suite.yaml:1:65: error: 'timeout' must be between 0.001 and 86400 seconds
        suite.yaml:1:83: error: 'max-in-flight' must be between 1 and 256, not 0
        suite.yaml:1:86: error: unknown key 'mesures' in the scorer 'exec'
          fix: did you mean 'measures'?

        """
      ),
    ]
  )
  func wrongArguments(arguments: String, said: String) {
    let fixture = fixture(arguments)
    #expect(fixture.saidWithoutLines == said)
  }

  @Test("A program scorer is refused as an assertion of a case")
  func assertion() throws {
    let dataset = """
      - id: terse
        input: {message: Done., sender: {role: engineer}, conversation: []}
        expected: {flagged: false, label: calm}
        assert:
          - exec: {command: [python3], fingerprint: {version: '1'}}

      """
    let project = ProjectFixture().adding([ProjectFixture.dataset: dataset])
    #expect(
      project.report() == """
        datasets/tone/cases.yaml:5:7: error: 'exec' sends requests, so it can only be used under 'scorers:' of a suite
          5 |     - exec: {command: [python3], fingerprint: {version: '1'}}
            |       ^
          fix: move it there; it then judges every case

        """
    )
  }
}
