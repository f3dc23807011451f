import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Recorded answers kept in memory")
struct StoredAnswerTests {
  /// A case with its answer.
  struct Sample: CustomTestStringConvertible, Sendable {
    var name: String
    /// The line of the case, with `ID` as a placeholder for the name.
    var line = #"{"id":"ID","input":{"message":"ID"},"expected":{"kind":"question"}}"#
    /// The body of the answer.
    var body: String
    /// True if the answer is kept in memory while the file is checked.
    var isKept: Bool
    /// Modifies the response in addition to its body.
    var edit: @Sendable (inout RawResponse) -> Void

    var testDescription: String { name }

    init(
      _ name: String,
      isKept: Bool,
      line: String? = nil,
      body: String,
      edit: @escaping @Sendable (inout RawResponse) -> Void = { _ in }
    ) {
      self.name = name
      self.isKept = isKept
      if let line { self.line = line }
      self.body = body
      self.edit = edit
    }

    /// Creates a sample whose answer is a text in quotation marks.
    init(_ name: String, isKept: Bool, line: String? = nil, text: String) {
      let body =
        #"{"model":"m","choices":[{"message":{"content":\#(text)},"finish_reason":"stop"}],"#
        + #""usage":{"prompt_tokens":7,"completion_tokens":2}}"#
      self.init(name, isKept: isKept, line: line, body: body)
    }
  }

  private static let right = #""{\"kind\": \"question\"}""#

  static let samples = [
    Sample("right", isKept: true, text: right),
    Sample("wrong", isKept: true, text: #""{\"kind\":\"other\"}""#),
    Sample("no-label", isKept: true, text: #""{\"kind\":\"joke\"}""#),
    Sample("no-path", isKept: true, text: #""{\"sort\":\"question\"}""#),
    Sample("no-text", isKept: true, text: #""{\"kind\":null}""#),
    Sample("no-object", isKept: true, text: #""[\"question\"]""#),
    Sample("no-json", isKept: true, text: #""It is a question.""#),
    Sample("empty", isKept: true, text: #""""#),
    Sample(
      "escapes",
      isKept: true,
      text: #""\n{\"kind\":\"question\",\t\"why\":\"\\\"a\\\" \\\\ \\n é 😍 / \\u0041\"}\r""#
    ),
    Sample("control", isKept: false, text: #""{\"kind\":\"question\"}\u001f""#),
    Sample("twice", isKept: true, text: #""{\"kind\":\"other\",\"kind\":\"question\"}""#),
    Sample(
      "nested",
      isKept: true,
      text: #""{\"a\":[{\"kind\":1}],\"kind\":\"question\",\"b\":2}""#
    ),
    Sample("escaped-label", isKept: true, text: #""{\"kind\":\"q\\u0075estion\"}""#),
    Sample("escaped-name", isKept: true, text: #""{\"k\\u0069nd\":\"question\"}""#),
    Sample("unsearchable", isKept: true, text: #""{\"kind\":\"question\",\"x\":\"forbidden\"}""#),
    Sample(
      "long",
      isKept: false,
      text: #""{\"kind\":\"question\",\"x\":\""# + String(repeating: "é", count: 2_100) + #"\"}""#
    ),
    Sample(
      "cut-off",
      isKept: true,
      body: #"{"choices":[{"message":{"content":\#(right)},"finish_reason":"length"}]}"#
    ),
    Sample(
      "refused",
      isKept: false,
      body: #"{"choices":[{"message":{"content":\#(right),"refusal":"no"}}]}"#
    ),
    Sample("mistral-cut-off", isKept: true, body: ended("model_length")),
    Sample("filtered", isKept: true, body: ended("SAFETY")),
    Sample("paused", isKept: true, body: ended("pause_turn")),
    Sample("ended-otherwise", isKept: true, body: ended("END_TURN")),
    Sample("ended-with-unknown", isKept: true, body: ended("finished")),
    Sample(
      "ended-with-number",
      isKept: false,
      body: whole(right).replacing(#""stop""#, with: "7")
    ),
    Sample("network-error", isKept: false, body: ended("network_error")),
    Sample(
      "error-beside",
      isKept: false,
      body: whole(right).replacing(#"{"model""#, with: #"{"error":{"message":"late"},"model""#)
    ),
    Sample(
      "empty-error-beside",
      isKept: false,
      body: whole(right).replacing(#"{"model""#, with: #"{"error":{},"model""#)
    ),
    Sample(
      "refused-without-text",
      isKept: false,
      body: #"{"choices":[{"message":{"content":"","refusal":"no"}}]}"#
    ),
    Sample(
      "reasoned",
      isKept: true,
      body: whole(right).replacing(#""usage":{"#, with: #""usage":{"reasoning_tokens":1,"#)
    ),
    Sample("null", isKept: false, body: #"{"choices":[{"message":{"content":null}}]}"#),
    Sample("bare", isKept: true, body: #"{"choices":[{"message":{"content":\#(right)}}]}"#),
    Sample(
      "counted",
      isKept: true,
      body: #"{"usage":{"prompt_tokens":9,"completion_tokens":8,"total_tokens":20,"#
        + #""prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":"#
        + #"{"reasoning_tokens":3}},"model":"sorter-1","choices":[{"message":{"content":"#
        + #"\#(right)},"finish_reason":""}]}"#
    ),
    Sample(
      "two-choices",
      isKept: false,
      body: #"{"choices":[{"message":{"content":\#(right)}},{"message":{"content":"second"}}]}"#
    ),
    Sample(
      "uncounted",
      isKept: false,
      body: #"{"usage":{},"model":"","choices":[{"message":{"content":\#(right)}}]}"#
    ),
    Sample(
      "many-counted",
      isKept: false,
      body: #"{"usage":{"prompt_tokens":9007199254740992},"choices":[{"message":{"content":"#
        + #"\#(right)}}]}"#
    ),
    Sample(
      "parts",
      isKept: false,
      body: #"{"choices":[{"message":{"content":[{"type":"text","#
        + #""text":\#(right)}]}}]}"#
    ),
    Sample("no-choice", isKept: false, body: #"{"error":null,"choices":[]}"#),
    Sample("failed", isKept: false, body: #"{"error":{"message":"busy"}}"#),
    Sample(
      "spaced-body",
      isKept: true,
      body: "{ \"choices\" : [\n{\"message\":{\"content\":"
        + right + "}}]}"
    ),
    Sample("escaped-body", isKept: false, text: #""{\"kind\":\"question\",\"x\":\"\u00e9\"}""#),
    Sample(
      "labels",
      isKept: true,
      line: #"{"id":"ID","tags":["a","b"],"split":"held-out","cluster":"c d","#
        + #""input":{"message":"ID"},"expected":{"kind":"other"}}"#,
      text: right
    ),
    Sample(
      "spaced",
      isKept: true,
      line: #" { "id" : "ID" , "expected" : {"kind":"question", "n": [1]},"#
        + #" "input" : { "note":"\"x\" é\n", "message" : "ID" } } "#,
      text: right
    ),
    Sample(
      "number",
      isKept: true,
      line: #"{"id":"ID","input":{"message":"ID","n":1.50},"expected":{"kind":"question"}}"#,
      text: right
    ),
    Sample(
      "escaped-input",
      isKept: true,
      line: #"{"id":"ID","input":{"message":"ID","n":"\u00e9"},"expected":{"kind":"question"}}"#,
      text: right
    ),
    Sample(
      "asserted",
      isKept: true,
      line: #"{"id":"ID","input":{"message":"ID"},"expected":{"kind":"question"},"#
        + #""assert":[{"contains":"kind"}]}"#,
      text: right
    ),
    Sample("unrecorded", isKept: true, text: right),
    Sample("fell-back", isKept: false, body: whole(right)) {
      $0.fallback = StreamFallback(reason: .timedOut, milliseconds: 30_000)
    },
    Sample("tried-in-vain", isKept: false, body: whole(right)) { $0.timings.user = 900 },
    Sample("times-of-later", isKept: false, body: whole(right)) { $0.timings.firstText = 9 },
    Sample("server-timed", isKept: false, body: whole(right)) {
      $0.headers.append(HTTPHeader("openai-processing-ms", "12"))
    },
    Sample(
      "server-costed",
      isKept: false,
      body: whole(right).replacing(#""usage":{"#, with: #""usage":{"cost":0.25,"#)
    ),
    Sample(
      "cache-written",
      isKept: false,
      body: whole(right)
        .replacing(
          #""usage":{"#,
          with: #""usage":{"prompt_tokens_details":{"cache_write_tokens":3},"#
        )
    ),
    Sample("given-elsewhere", isKept: false, body: whole(right)) { $0.via = .files },
    Sample("imported", isKept: false, body: whole(right)) { $0.via = .import },
    Sample("stood-in", isKept: true, body: whole(right)) {
      $0.headers.append(HTTPHeader("x-sluice-stand-in", "sorter"))
      $0.headers.sort { $0.name < $1.name }
    },
    Sample("no-pieces", isKept: false, body: stream(right)),
    Sample("in-pieces", isKept: false, body: stream(right)) { response in
      let end = response.body.count
      response.arrivals = [
        .init(milliseconds: 40, end: end / 3), .init(milliseconds: 90.5, end: end / 2),
        .init(milliseconds: 300, end: end),
      ]
    },
  ]

  /// Returns a body whose answer is a text in quotation marks.
  private static func whole(_ text: String) -> String {
    #"{"model":"m","choices":[{"message":{"content":\#(text)},"finish_reason":"stop"}],"#
      + #""usage":{"prompt_tokens":7,"completion_tokens":2}}"#
  }

  /// Returns the body of a correct answer with this finish reason.
  private static func ended(_ word: String) -> String {
    whole(right).replacing(#""stop""#, with: "\"\(word)\"")
  }

  /// Returns the same body as a stream, in two pieces of text.
  private static func stream(_ text: String) -> String {
    #"data: {"model":"m","choices":[{"delta":{"content":\#(text)}}]}"# + "\n\n"
      + #"data: {"choices":[{"delta":{"content":" "},"finish_reason":"stop"}]}"# + "\n\n"
      + #"data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}"# + "\n\n"
      + "data: [DONE]\n\n"
  }

  /// A backend that edits its responses, so that they contain everything that an exchange can have.
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

  /// Returns a project with some of the samples, all but one of them recorded.
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
    let draft = session.draft(RecordingRequest.Selection())
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
    "The log of a replay contains exactly the trials of a plain replay",
    arguments: [1, 3]
  )
  func logged(concurrency: Int) async throws {
    let project = try await project(Self.samples)
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    try check(run(project, concurrency: concurrency), is: trials, project.plan())
  }

  @Test("An answer kept in memory equals the one from its line", arguments: samples)
  func same(sample: Sample) async throws {
    let project = try await project([sample, Sample("other", isKept: true, text: Self.right)])
    let store = try #require(try project.recordings()["server"])
    let file = try #require(store.file(.accepted))
    for slot in file.slots {
      let recorded = try #require(try file.answer(slot))
      let stored = try #require(try store.answer(slot))
      #expect(stored.date == recorded.response.date)
      #expect(Self.result(stored) == Self.result(StoredAnswer(recorded)))
    }
  }

  private static func result(_ answer: StoredAnswer) -> Result<ModelResponse, BackendError> {
    do throws(BackendError) {
      return .success(try answer.response())
    } catch {
      return .failure(error)
    }
  }

  @Test("Only answers in the usual form are kept in memory", arguments: samples)
  func kept(sample: Sample) async throws {
    if sample.name == "unrecorded" { return }
    let project = try await project([sample])
    let store = try #require(try project.recordings()["server"])
    // An error is not an answer, and no part of it is accepted.
    let slot = store.file(.accepted)?.slots.first
    #expect(try slot.flatMap { try store.answer($0)?.isKept } ?? false == sample.isKept)
  }

  @Test("An answer that is too old is not used")
  func tooOld() async throws {
    let project = try await project(Self.samples)
    let late = Timestamp(seconds: RecordingProject.date.seconds + 1)
    let trials = Runner(try project.plan())
      .replay(try project.recordings(), notBefore: late, concurrency: 1)
    #expect(trials.allSatisfy { $0.trial.isLost })
    try check(run(project, notBefore: late), is: trials, project.plan())
  }

  @Test("A recording added after its file was read replaces the answer kept in memory")
  func added() async throws {
    let project = try await project([Sample("right", isKept: true, text: Self.right)])
    var file = try #require(try project.recordings()["server"]?.file(.accepted))
    let slot = try #require(file.slots.first)
    #expect(try RecordingStore(file).answer(slot)?.isKept == true)
    file.add(try #require(try file.recording(slot)))
    #expect(try RecordingStore(file).answer(slot)?.isKept == false)
  }
}
