import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Endings")
struct EndingTests {
  private static let words: [(Ending, [String])] = [
    (
      .done,
      [
        "stop", "eos", "end_turn", "stop_sequence", "tool_calls", "tool_use", "function_call",
        "completed", "complete",
      ]
    ),
    (
      .cutOff,
      [
        "length", "max_tokens", "max_output_tokens", "model_length",
        "model_context_window_exceeded",
      ]
    ),
    (
      .filtered,
      [
        "content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT",
        "SPII", "LANGUAGE", "MODEL_ARMOR",
      ]
    ),
    (.paused, ["pause_turn", "steered", "max_messages", "CONTINUATION", "ESCALATION"]),
    (
      .brokenCall,
      [
        "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE",
      ]
    ),
    (.failed, ["error", "network_error", "insufficient_system_resource", "abort"]),
  ]

  /// Each word with its meaning.
  static let all = words.flatMap { ending, words in words.map { ($0, ending) } }
  /// Each word of an answer with its meaning.
  static let answers = all.filter { $0.1 != .failed }

  @Test("An ending has the same meaning in any letter case", arguments: all)
  func anyCase(word: String, ending: Ending) {
    let mixed = word.prefix(2).uppercased() + word.dropFirst(2).lowercased()
    for word in [word, word.lowercased(), word.uppercased(), mixed] {
      #expect(Ending(word: word) == ending, "\(word)")
    }
  }

  @Test(
    "A word that does not match a known ending exactly is unknown",
    arguments: [
      "finished", "stopped", " stop", "stop ", "lengths", "other", "FINISH_REASON_UNSPECIFIED",
      "null", "0", String(repeating: "stop", count: 40),
    ]
  )
  func unknown(word: String) { #expect(Ending(word: word) == nil) }

  @Test("An absent or empty ending means a complete answer", arguments: [nil, ""] as [String?])
  func absent(word: String?) { #expect(Ending(word: word) == .done) }

  // MARK: From the wire

  private static let apis = ["openai-chat", "http", "exec", "in-process"]

  private func read(_ api: String, _ reason: String) throws -> ModelResponse {
    let body =
      switch api {
      case "openai-chat":
        #"{"choices":[{"message":{"content":"yes"},"finish_reason":\#(reason)}]}"#
      case "http": #"{"content":"yes","finish_reason":\#(reason)}"#
      default: #"{"text":"yes","finish-reason":\#(reason)}"#
      }
    return try ResponseReader.response(
      in: Exchange(
        request: ModelRequest(backend: "server", api: api, model: "m", body: [:]),
        body: Array(body.utf8),
        host: "https://models.test",
        date: RecordingProject.date
      )
    )
  }

  @Test("Every backend gives an ending the same meaning", arguments: apis)
  func everyBackend(api: String) throws {
    for (word, ending) in Self.answers {
      let answer = try read(api, "\"\(word)\"")
      #expect(answer.ending == ending, "\(word)")
      #expect(answer.finishReason == word)
      #expect(Answer(answer).flaw == ending.flaw, "\(word)")
    }
    for reason in ["null", "\"\""] {
      #expect(try read(api, reason).ending == .done)
      #expect(try read(api, reason).finishReason == nil)
    }
  }

  @Test("An answer that the server gave up is an error that can be retried", arguments: apis)
  func givenUp(api: String) {
    #expect(
      throws: BackendError(
        .serverError,
        "the server ended the answer with an error but did not name the error",
        canRetry: true
      )
    ) { try read(api, "\"error\"") }
    for word in ["network_error", "NETWORK_ERROR", "insufficient_system_resource", "abort"] {
      #expect(
        throws: BackendError(
          .serverError,
          "the server did not finish the answer: it ended with '\(word)'",
          canRetry: true
        )
      ) { try read(api, "\"\(word)\"") }
    }
  }

  @Test(
    "An ending that is not a text is unknown, not absent",
    arguments: [
      ("3", "3"), ("true", "true"), (#"{"type":"length"}"#, #"{"type":"length"}"#), ("[]", "[]"),
    ]
  )
  func noText(reason: String, word: String) throws {
    for api in Self.apis {
      let answer = try read(api, reason)
      #expect(answer.finishReason == word)
      #expect(answer.ending == nil)
      #expect(
        Answer(answer).flaw == "the answer has the unknown ending '\(word)'"
      )
    }
  }

  private struct Function: ModelBackend {
    var answer: ModelResponse
    func answer(_ request: ModelRequest) async throws(BackendError) -> ModelResponse { answer }
  }

  @Test("An in-process answer ends like any other, and its empty refusal is ignored")
  func inProcess() async throws {
    func ask(_ answer: ModelResponse) async throws -> ModelResponse? {
      try await InProcessBackend(Function(answer: answer))
        .send(ModelRequest(backend: "f", api: "in-process", model: "m", body: [:])).answer
    }
    #expect(try await ask(ModelResponse(text: "a", finishReason: "MAX_TOKENS"))?.ending == .cutOff)
    await #expect(
      throws: BackendError(
        .serverError,
        "the server did not finish the answer: it ended with 'network_error'"
      )
    ) { try await ask(ModelResponse(text: "a", finishReason: "network_error")) }
    let refused = try await ask(ModelResponse(text: "", refusal: "No."))
    #expect(refused?.refusal == "No.")
    #expect(refused?.text == nil)
    let empty = try await ask(ModelResponse(text: "", refusal: ""))
    #expect(empty?.refusal == nil)
    #expect(empty?.text == "")
  }

  // MARK: In a run

  /// Returns the recorded project with answers of this finish reason, and additional backend
  /// settings.
  private func project(ending word: String, _ more: String = "") async throws -> RecordingProject {
    let project = RecordingProject()
    let client = RecordingHTTPClient { request throws(HTTPError) in
      var response = try RecordingProject.answer(to: request)
      let body = String(decoding: response.body, as: UTF8.self)
      response.body = Array(
        body.replacing(#""finish_reason":"stop""#, with: #""finish_reason":"\#(word)""#).utf8
      )
      return response
    }
    #expect(try await project.record(from: client).recorded == 4)
    try project.edit("sluice.yaml", replacing: "model: sorter-1", with: "model: sorter-1\(more)")
    return project
  }

  /// Returns the outcomes of a replay, after checking that the fast and the slow path agree.
  private func outcomes(_ project: RecordingProject) throws -> [Trial.Outcome] {
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    let outcomes = trials.map(\.trial.outcome)
    let replayed = try #require(try project.replay().suites.first).columns[0].trials
    #expect(replayed.map(\.outcome) == outcomes)
    return outcomes
  }

  @Test("The ending decides the outcome of an answer, whatever its text", arguments: answers)
  func judged(word: String, ending: Ending) async throws {
    let project = try await project(ending: word)
    #expect(
      try outcomes(project)
        == (ending == .done
          ? [.passed, .passed, .passed, .failed] : Array(repeating: .failed, count: 4))
    )
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    if let flaw = ending.flaw {
      for judged in trials {
        #expect(judged.trial.scores.map(\.score.isUnusable) == [true])
        #expect(judged.trial.scores.map(\.score.explanation) == [flaw])
      }
    }
  }

  private static let unknown = BackendError(
    .unknownEnding,
    "unknown ending 'finished'; add it to the backend's 'endings' in sluice.yaml"
  )

  @Test("An unknown ending loses the trial, with an error that names the ending and the fix")
  func lost() async throws {
    let outcomes = try outcomes(await project(ending: "finished"))
    #expect(outcomes == Array(repeating: .lost(.noAnswer(Self.unknown)), count: 4))
    #expect(!Self.unknown.canRetry)
    #expect(
      Self.unknown.fix
        == "add the word and its meaning to the backend's 'endings' in sluice.yaml, such as "
        + "'endings: {finished: done}'"
    )
  }

  @Test("A live answer with an unknown ending is lost and not requested again")
  func live() async throws {
    let project = RecordingProject()
    let client = RecordingHTTPClient(
      RecordingProject.completion(text: #"{"kind":"question"}"#, finishReason: "finished")
    )
    let plan = try project.plan()
    let backend = try plan.backends[0].connect(client, surroundings: project.surroundings)
    let trials = await Runner(plan).live(["server": backend])
    #expect(trials.map(\.trial.outcome).allSatisfy { $0 == .lost(.noAnswer(Self.unknown)) })
    #expect(client.requests.count == 4)
  }

  @Test(
    "The 'endings' of a backend define the outcome of recorded answers",
    arguments: Ending.nameable
  )
  func ownWords(ending: Ending) async throws {
    let more = ", endings: {Finished: \(ending.rawValue), other: cut-off}"
    let project = try await project(ending: "finisheD", more)
    let outcomes = try outcomes(project)
    if ending == .done {
      #expect(outcomes == [.passed, .passed, .passed, .failed])
    } else {
      #expect(outcomes == Array(repeating: .failed, count: 4))
    }
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    #expect(trials.allSatisfy { $0.trial.output?.finishReason == "finisheD" })
  }

  @Test("The next step is to name the ending; then the recorded answers are read again")
  func nextStep() async throws {
    let project = try await project(ending: "finished")
    let recorded = try #require(try project.replay().nextStep(CommandLineOverrides()))
    #expect(recorded.advice == Self.unknown.fix)
    #expect(recorded.command == "sluice run triage")
    let live = await Evaluation(
      try project.suite(),
      surroundings: project.surroundings,
      keepsLog: false
    ).live([
      "server": ClosureBackend { request, _ in
        var exchange = Exchange.answered(request)
        exchange.answer?.finishReason = "finished"
        return exchange
      }
    ]).result
    let asked = try #require(RunResult(suites: [live]).nextStep(CommandLineOverrides()))
    #expect(asked.advice == Self.unknown.fix)
    #expect(asked.command == "sluice run triage --live --resume")
  }

  @Test("'endings' changes no request, and a log can be resumed if no outcome changes")
  func keys() async throws {
    let plain = RecordingProject()
    let named = RecordingProject()
    try named.edit(
      "sluice.yaml",
      replacing: "model: sorter-1",
      with: "model: sorter-1, endings: {finished: done}"
    )
    func keys(_ project: RecordingProject) throws -> [String] {
      let session = RecordingSession(try project.plan(), surroundings: project.surroundings)
      return session.draft(RecordingRequest.Selection()).requests.map(\.key)
    }
    #expect(try keys(plain) == keys(named))
    #expect(try keys(plain).count == 4)

    let other = RecordingProject()
    try other.edit(
      "sluice.yaml",
      replacing: "model: sorter-1",
      with: "model: sorter-1, endings: {finished: cut-off}"
    )
    /// Returns the number of trials that each project can reuse from a log of such answers.
    func kept(ending word: String) async throws -> [Int] {
      let plan = try named.plan()
      let client = RecordingHTTPClient(
        RecordingProject.completion(text: #"{"kind":"other"}"#, finishReason: word)
      )
      let trials = await Runner(plan).live(try named.backends(client))
      let log = RunLog(plan, start: RecordingProject.date, mode: .live).bytes(trials)
      return try [named, plain, other].map { project in
        var count = 0
        KeptTrials(FileContents(log), for: try project.plan()).forEach { _, _ in count += 1 }
        return count
      }
    }
    #expect(try await kept(ending: "stop") == [4, 4, 4])
    #expect(try await kept(ending: "Finished") == [4, 0, 0])
  }

  // MARK: Judges

  /// Returns the scores of a judge whose replies have this finish reason, recorded and live.
  private func verdicts(ending word: String, _ more: String = "") async throws -> [String] {
    let judged = try JudgedProject()
    try judged.project.edit(
      "sluice.yaml",
      replacing: "model: judge-1",
      with: "model: judge-1\(more)"
    )
    let backends = try judged.backends { _ in JudgedProject.grade(5) }
    let judge = try #require(backends["judge"])
    let edited = ClosureBackend { request, _ async throws(BackendError) in
      var exchange = try await judge.send(request)
      let body = String(decoding: exchange.response.body, as: UTF8.self)
      exchange.response.body = Array(
        body.replacing(#""finish_reason":"stop""#, with: #""finish_reason":"\#(word)""#).utf8
      )
      exchange.answer = nil
      return exchange
    }
    let result = await Evaluation(
      try judged.project.suite(),
      surroundings: judged.project.surroundings,
      keepsLog: false
    ).live(["server": try #require(backends["server"]), "judge": edited]).result
    #expect(result.judges.map(\.requests) == [4])
    return result.columns[0].trials.flatMap(\.scores).filter { $0.name == "llm-rubric" }
      .map { "\($0.score.outcome.rawValue): \($0.score.explanation)" }
  }

  @Test(
    "A judge's incomplete reply gives no verdict",
    arguments: [
      ("MAX_TOKENS", "the answer was cut off at the token limit"),
      ("SAFETY", "the answer was stopped by the provider's content filter"),
      ("finished", "the answer has the unknown ending 'finished'"),
    ]
  )
  func judges(word: String, flaw: String) async throws {
    let verdicts = try await verdicts(ending: word)
    #expect(
      verdicts == Array(repeating: "unscored: the judge gave no verdict: \(flaw)", count: 4)
    )
  }

  @Test("The 'endings' of a judge's backend apply to its verdicts")
  func judgesWords() async throws {
    let verdicts = try await verdicts(ending: "finished", ", endings: {finished: done}")
    #expect(verdicts.count == 4)
    #expect(verdicts.allSatisfy { $0.hasPrefix("passed: ") })
  }
}
