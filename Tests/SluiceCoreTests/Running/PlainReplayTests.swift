import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Plain replay")
struct PlainReplayTests {
  /// A case with the answer to it.
  struct Sample: CustomTestStringConvertible, Sendable {
    var name: String
    /// The line of the case, in which `ID` stands for the name.
    var line = #"{"id":"ID","input":{"message":"ID"},"expected":{"kind":"question"}}"#
    /// The body of the answer.
    var body: String
    /// Whether bytes are enough to judge it.
    var isPlain: Bool
    /// What is put into the response beside its body.
    var edit: @Sendable (inout RawResponse) -> Void

    var testDescription: String { name }

    init(
      _ name: String,
      isPlain: Bool,
      line: String? = nil,
      body: String,
      edit: @escaping @Sendable (inout RawResponse) -> Void = { _ in }
    ) {
      self.name = name
      self.isPlain = isPlain
      if let line { self.line = line }
      self.body = body
      self.edit = edit
    }

    /// A sample whose answer is a text, which stands in quotation marks.
    init(_ name: String, isPlain: Bool, line: String? = nil, text: String) {
      let body =
        #"{"model":"m","choices":[{"message":{"content":\#(text)},"finish_reason":"stop"}],"#
        + #""usage":{"prompt_tokens":7,"completion_tokens":2}}"#
      self.init(name, isPlain: isPlain, line: line, body: body)
    }
  }

  private static let right = #""{\"kind\": \"question\"}""#

  static let samples = [
    Sample("right", isPlain: true, text: right),
    Sample("wrong", isPlain: true, text: #""{\"kind\":\"other\"}""#),
    Sample("no-label", isPlain: false, text: #""{\"kind\":\"joke\"}""#),
    Sample("no-path", isPlain: false, text: #""{\"sort\":\"question\"}""#),
    Sample("no-text", isPlain: false, text: #""{\"kind\":null}""#),
    Sample("no-object", isPlain: false, text: #""[\"question\"]""#),
    Sample("no-json", isPlain: false, text: #""It is a question.""#),
    Sample("empty", isPlain: false, text: #""""#),
    Sample(
      "escapes",
      isPlain: true,
      text: #""\n{\"kind\":\"question\",\t\"why\":\"\\\"a\\\" \\\\ \\n é 😍 / \\u0041\"}\r""#
    ),
    Sample("control", isPlain: false, text: #""{\"kind\":\"question\"}\u001f""#),
    Sample("twice", isPlain: false, text: #""{\"kind\":\"other\",\"kind\":\"question\"}""#),
    Sample(
      "nested",
      isPlain: true,
      text: #""{\"a\":[{\"kind\":1}],\"kind\":\"question\",\"b\":2}""#
    ),
    Sample("escaped-label", isPlain: false, text: #""{\"kind\":\"q\\u0075estion\"}""#),
    Sample("escaped-name", isPlain: false, text: #""{\"k\\u0069nd\":\"question\"}""#),
    Sample("unsearchable", isPlain: false, text: #""{\"kind\":\"question\",\"x\":\"forbidden\"}""#),
    Sample(
      "long",
      isPlain: false,
      text: #""{\"kind\":\"question\",\"x\":\""# + String(repeating: "é", count: 2_100) + #"\"}""#
    ),
    Sample(
      "cut-off",
      isPlain: false,
      body: #"{"choices":[{"message":{"content":\#(right)},"finish_reason":"length"}]}"#
    ),
    Sample(
      "refused",
      isPlain: false,
      body: #"{"choices":[{"message":{"content":\#(right),"refusal":"no"}}]}"#
    ),
    Sample("mistral-cut-off", isPlain: false, body: ended("model_length")),
    Sample("filtered", isPlain: false, body: ended("SAFETY")),
    Sample("paused", isPlain: false, body: ended("pause_turn")),
    Sample("ended-otherwise", isPlain: true, body: ended("END_TURN")),
    Sample("ended-with-unknown", isPlain: false, body: ended("finished")),
    Sample(
      "ended-with-number",
      isPlain: false,
      body: whole(right).replacing(#""stop""#, with: "7")
    ),
    Sample("network-error", isPlain: false, body: ended("network_error")),
    Sample(
      "error-beside",
      isPlain: false,
      body: whole(right).replacing(#"{"model""#, with: #"{"error":{"message":"late"},"model""#)
    ),
    Sample(
      "empty-error-beside",
      isPlain: false,
      body: whole(right).replacing(#"{"model""#, with: #"{"error":{},"model""#)
    ),
    Sample(
      "refused-without-text",
      isPlain: false,
      body: #"{"choices":[{"message":{"content":"","refusal":"no"}}]}"#
    ),
    Sample(
      "reasoned",
      isPlain: true,
      body: whole(right).replacing(#""usage":{"#, with: #""usage":{"reasoning_tokens":1,"#)
    ),
    Sample("null", isPlain: false, body: #"{"choices":[{"message":{"content":null}}]}"#),
    Sample("bare", isPlain: true, body: #"{"choices":[{"message":{"content":\#(right)}}]}"#),
    Sample(
      "counted",
      isPlain: true,
      body: #"{"usage":{"prompt_tokens":9,"completion_tokens":8,"total_tokens":20,"#
        + #""prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":"#
        + #"{"reasoning_tokens":3}},"model":"sorter-1","choices":[{"message":{"content":"#
        + #"\#(right)},"finish_reason":""}]}"#
    ),
    Sample(
      "two-choices",
      isPlain: false,
      body: #"{"choices":[{"message":{"content":\#(right)}},{"message":{"content":"second"}}]}"#
    ),
    Sample(
      "uncounted",
      isPlain: true,
      body: #"{"usage":{},"model":"","choices":[{"message":{"content":\#(right)}}]}"#
    ),
    Sample(
      "many-counted",
      isPlain: false,
      body: #"{"usage":{"prompt_tokens":9007199254740992},"choices":[{"message":{"content":"#
        + #"\#(right)}}]}"#
    ),
    Sample(
      "parts",
      isPlain: false,
      body: #"{"choices":[{"message":{"content":[{"type":"text","#
        + #""text":\#(right)}]}}]}"#
    ),
    Sample("no-choice", isPlain: false, body: #"{"error":null,"choices":[]}"#),
    Sample("failed", isPlain: false, body: #"{"error":{"message":"busy"}}"#),
    Sample(
      "spaced-body",
      isPlain: true,
      body: "{ \"choices\" : [\n{\"message\":{\"content\":"
        + right + "}}]}"
    ),
    Sample("escaped-body", isPlain: false, text: #""{\"kind\":\"question\",\"x\":\"\u00e9\"}""#),
    Sample(
      "labels",
      isPlain: true,
      line: #"{"id":"ID","tags":["a","b"],"split":"held-out","cluster":"c d","#
        + #""input":{"message":"ID"},"expected":{"kind":"other"}}"#,
      text: right
    ),
    Sample(
      "spaced",
      isPlain: true,
      line: #" { "id" : "ID" , "expected" : {"kind":"question", "n": [1]},"#
        + #" "input" : { "note":"\"x\" é\n", "message" : "ID" } } "#,
      text: right
    ),
    Sample(
      "number",
      isPlain: false,
      line: #"{"id":"ID","input":{"message":"ID","n":1.50},"expected":{"kind":"question"}}"#,
      text: right
    ),
    Sample(
      "escaped-input",
      isPlain: false,
      line: #"{"id":"ID","input":{"message":"ID","n":"\u00e9"},"expected":{"kind":"question"}}"#,
      text: right
    ),
    Sample(
      "asserted",
      isPlain: false,
      line: #"{"id":"ID","input":{"message":"ID"},"expected":{"kind":"question"},"#
        + #""assert":[{"contains":"kind"}]}"#,
      text: right
    ),
    Sample("unrecorded", isPlain: false, text: right),
    Sample("fell-back", isPlain: false, body: whole(right)) {
      $0.fallback = StreamFallback(reason: .timedOut, milliseconds: 30_000)
    },
    Sample("tried-in-vain", isPlain: false, body: whole(right)) { $0.timings.user = 900 },
    Sample("times-of-later", isPlain: false, body: whole(right)) { $0.timings.firstText = 9 },
    Sample("server-timed", isPlain: false, body: whole(right)) {
      $0.headers.append(HTTPHeader("openai-processing-ms", "12"))
    },
    Sample(
      "server-costed",
      isPlain: false,
      body: whole(right).replacing(#""usage":{"#, with: #""usage":{"cost":0.25,"#)
    ),
    Sample(
      "cache-written",
      isPlain: false,
      body: whole(right)
        .replacing(
          #""usage":{"#,
          with: #""usage":{"prompt_tokens_details":{"cache_write_tokens":3},"#
        )
    ),
    Sample("given-elsewhere", isPlain: false, body: whole(right)) { $0.via = .files },
    Sample("imported", isPlain: false, body: whole(right)) { $0.via = .import },
    Sample("stood-in", isPlain: true, body: whole(right)) {
      $0.headers.append(HTTPHeader("x-sluice-stand-in", "sorter"))
      $0.headers.sort { $0.name < $1.name }
    },
    Sample("no-pieces", isPlain: false, body: stream(right)),
    Sample("in-pieces", isPlain: false, body: stream(right)) { response in
      let end = response.body.count
      response.arrivals = [
        .init(milliseconds: 40, end: end / 3), .init(milliseconds: 90.5, end: end / 2),
        .init(milliseconds: 300, end: end),
      ]
    },
  ]

  /// A body whose answer is a text, which stands in quotation marks.
  private static func whole(_ text: String) -> String {
    #"{"model":"m","choices":[{"message":{"content":\#(text)},"finish_reason":"stop"}],"#
      + #""usage":{"prompt_tokens":7,"completion_tokens":2}}"#
  }

  /// The body of a right answer that ends with a word.
  private static func ended(_ word: String) -> String {
    whole(right).replacing(#""stop""#, with: "\"\(word)\"")
  }

  /// Such a body as a stream, in two pieces of text.
  private static func stream(_ text: String) -> String {
    #"data: {"model":"m","choices":[{"delta":{"content":\#(text)}}]}"# + "\n\n"
      + #"data: {"choices":[{"delta":{"content":" "},"finish_reason":"stop"}]}"# + "\n\n"
      + #"data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}"# + "\n\n"
      + "data: [DONE]\n\n"
  }

  /// A backend whose responses are edited, so that they hold what else an exchange may have.
  private struct Edited: Backend {
    var base: any Backend
    var edit: @Sendable (ModelRequest, inout RawResponse) -> Void

    func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
      var exchange = try await base.send(request)
      edit(request, &exchange.response)
      exchange.answer = nil
      return exchange
    }
  }

  /// A project with some of the samples, all but one of them recorded.
  private func project(_ samples: [Sample]) async throws -> RecordingProject {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "[question, request, other]}",
      with: "[question, request, other]}\n  - regex: 'kind'\n  - not-contains: forbidden"
    )
    try project.files.remove(ProjectPath(RecordingProject.casesPath))
    func write(_ samples: [Sample]) throws {
      let lines = samples.map { $0.line.replacingOccurrences(of: "ID", with: $0.name) + "\n" }
      try project.files.write(
        Array(lines.joined().utf8),
        to: ProjectPath("datasets/triage/cases.jsonl")
      )
    }
    let bodies = Dictionary(uniqueKeysWithValues: samples.map { ($0.name, $0.body) })
    let client = RecordingHTTPClient { request throws(HTTPError) in
      let message = (try? JSONReader.value(request.body))?["messages"]?.array?.last?["content"]
      var response = RecordingProject.completion(text: "")
      response.body = Array((message?.string.flatMap { bodies[$0] } ?? "").utf8)
      return response
    }
    let edits = Dictionary(uniqueKeysWithValues: samples.map { ($0.name, $0.edit) })
    try write(samples.filter { $0.name != "unrecorded" })
    let session = RecordingSession(try project.plan(), surroundings: project.surroundings)
    let draft = session.draft(RecordingRequest.Selection(), DiagnosticCollector())
    let backends = try project.backends(client).mapValues { backend in
      Edited(base: backend) { request, response in
        let message = request.body["messages"]?.array?.last?["content"]?.string
        message.flatMap { edits[$0] }?(&response)
      }
    }
    _ = try await session.record(draft, backends: backends)
    _ = try project.pending().accept(now: RecordingProject.date)
    try write(samples)
    return project
  }

  private func run(
    _ project: RecordingProject,
    notBefore: Timestamp? = nil,
    concurrency: Int = 1
  ) throws -> LoggingRun.Outcome {
    let plan = try project.plan()
    return LoggingRun(
      plan,
      RunLog(plan, start: RecordingProject.date, mode: .replay),
      project.files
    ).replay(
      try project.recordings(),
      notBefore: notBefore,
      concurrency: concurrency
    ) { _ in }
  }

  private func check(_ run: LoggingRun.Outcome, is trials: [JudgedTrial], _ plan: SuitePlan) throws
  {
    let log = try #require(run.log)
    let expected = RunLog(plan, start: RecordingProject.date, mode: .replay).bytes(trials)
    let lines = String(decoding: log.bytes(0..<log.count), as: UTF8.self).split(separator: "\n")
    #expect(lines == String(decoding: expected, as: UTF8.self).split(separator: "\n"))
    var reader = RunLogReader(log)
    #expect(run.trials.map { reader.whole($0) } == trials.map(\.trial))
  }

  @Test(
    "What is judged on bytes is what values give: the same trials and the same lines",
    arguments: [1, 3]
  )
  func same(concurrency: Int) async throws {
    let project = try await project(Self.samples)
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    try check(run(project, concurrency: concurrency), is: trials, project.plan())
  }

  @Test("A backend's own words for endings count on both paths, and keep the quick one quick")
  func endings() async throws {
    let samples = [
      Sample("done", isPlain: true, body: Self.ended("finished")),
      Sample("cut", isPlain: false, body: Self.ended("no_more")),
      Sample("no-json", isPlain: false, body: Self.ended("finished").replacing("kind", with: "k")),
    ]
    let project = try await project(samples)
    try project.edit(
      "sluice.yaml",
      replacing: "model: sorter-1",
      with: "model: sorter-1, endings: {finished: done, no_more: cut-off}"
    )
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    #expect(trials.map(\.trial.outcome) == [.passed, .failed, .failed])
    try check(run(project), is: trials, project.plan())
    let replay = try #require(
      PlainReplay(try project.plan(), try project.recordings(), notBefore: nil, ScoreSheets())
    )
    var lines = ByteBuffer()
    var room = PlainReplay.Scratch()
    for (index, sample) in samples.enumerated() {
      let isJudged =
        if case .judged = replay.trial(index, to: &lines, &room) { true } else { false }
      #expect(isJudged == sample.isPlain, "\(sample.name)")
    }
  }

  @Test("Times that are meaningless are so on bytes, too")
  func meaninglessTimes() async throws {
    let project = try await project(Self.samples)
    try project.edit("sluice.yaml", replacing: "{type:", with: "{times: meaningless, type:")
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    try check(run(project), is: trials, project.plan())
    #expect(trials.compactMap(\.trial.output).allSatisfy { $0.provenance.hasMeaninglessTimes })
  }

  @Test("What is unusual is left to values, and nothing else", arguments: samples)
  func plain(sample: Sample) async throws {
    let project = try await project([sample, Sample("other", isPlain: true, text: Self.right)])
    let replay = try #require(
      PlainReplay(try project.plan(), try project.recordings(), notBefore: nil, ScoreSheets())
    )
    var lines = ByteBuffer()
    var room = PlainReplay.Scratch()
    let isJudged =
      if case .judged = replay.trial(0, to: &lines, &room) { true } else { false }
    #expect(isJudged == sample.isPlain)
    #expect((lines.count > 0) == sample.isPlain)
  }

  @Test("An answer that is too old, or of an unknown protocol, answers nothing")
  func unusable() async throws {
    let project = try await project(Self.samples)
    let late = Timestamp(seconds: RecordingProject.date.seconds + 1)
    let trials = Runner(try project.plan())
      .replay(try project.recordings(), notBefore: late, concurrency: 1)
    #expect(trials.allSatisfy { $0.trial.isLost })
    try check(run(project, notBefore: late), is: trials, project.plan())
  }

  @Test("A scorer that has to see values judges every answer of its suite")
  func values() async throws {
    let project = try await project([Sample("right", isPlain: true, text: Self.right)])
    try project.edit(
      RecordingProject.suitePath,
      replacing: "  - regex: 'kind'",
      with: "  - flags: {path: kind, expected: flagged}"
    )
    try project.edit(
      "datasets/triage/cases.jsonl",
      replacing: #""expected":{"#,
      with: #""expected":{"flagged":true,"#
    )
    let plan = try project.plan()
    #expect(PlainReplay(plan, try project.recordings(), notBefore: nil, ScoreSheets()) == nil)
    let trials = Runner(plan).replay(try project.recordings(), concurrency: 1)
    try check(run(project), is: trials, plan)
  }

  @Test("A recording that was added after its file was read answers in place of the kept one")
  func added() async throws {
    let project = try await project([Sample("right", isPlain: true, text: Self.right)])
    var file = try #require(try project.recordings()["server"]?.file(.accepted))
    let slot = try #require(file.slots.first)
    func kept() -> Bool? { file.plainAnswer(slot) { _ in true }.result }
    #expect(kept() == true)
    file.add(try #require(try file.recording(slot)))
    #expect(kept() == nil)
    #expect(file.plainAnswer(slot) { _ in true }.isHere)
  }
}
