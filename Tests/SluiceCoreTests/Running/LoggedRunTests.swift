import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Run read back from its log")
struct LoggedRunTests {
  private func recorded() async throws -> (log: [UInt8], trials: [Trial], plan: SuitePlan) {
    let project = RecordingProject()
    _ = try await project.record()
    // One case is lost: its request was never recorded.
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    let plan = try project.plan()
    let trials = Runner(plan).replay(try project.recordings(), concurrency: 1)
    let log = RunLog(plan, start: RecordingProject.date, mode: .replay).bytes(trials)
    return (log, trials.map(\.trial), plan)
  }

  /// Returns trials as read from a file, with the reasons of losses as text.
  private func told(_ trials: [Trial]) -> [Trial] {
    trials.map { trial in
      var trial = trial
      if case .lost(let loss) = trial.outcome { trial.outcome = .lost(.stated(loss.message)) }
      return trial
    }
  }

  private func read(_ text: String, kind: String = "header") throws -> LoggedRun {
    try LoggedRun(reading: Array(text.utf8), kind: kind)
  }

  private func problem(_ text: String, kind: String = "header") -> String? {
    do throws(LoggedRun.Problem) {
      _ = try LoggedRun(reading: Array(text.utf8), kind: kind)
      return nil
    } catch {
      return "\(error.line): \(error.message)"
    }
  }

  private static let header = """
    {"schema":1,"kind":"header","suite":"a","prompts":[{"name":"v1","digest":"d"}],\
    "backends":["fast"],"scorers":[{"name":"s","type":"regex","digest":"e"}]}

    """

  private static func trial(_ id: String, repetition: Int = 1) -> String {
    """
    {"kind":"trial","case":"\(id)","case-digest":"","prompt":"v1","backend":"fast",\
    "repeat":\(repetition),"request":"","outcome":"passed","scores":[],"response-digest":"x"}

    """
  }

  @Test("A log whose footer states another number of trials is refused")
  func countedTrials() {
    let footer = #"{"kind":"footer","trials":2}"# + "\n"
    #expect(
      problem(Self.header + Self.trial("a") + footer)
        == "4: number of trials in a run log: expected 2, got 1"
    )
    #expect(problem(Self.header + Self.trial("a") + Self.trial("b") + footer) == nil)
    // A truncated log does not contain the expected number.
    #expect(problem(Self.header + Self.trial("a")) == nil)
  }

  @Test("A log is read back with its trials, prompts, backends and scorers")
  func roundTrip() async throws {
    let (log, trials, plan) = try await recorded()
    let run = try LoggedRun(reading: log, kind: "header")
    #expect(run.trials == told(trials))
    #expect(run.trials.map(\.isLost) == [false, false, true, false])
    #expect(run.suite == "triage")
    #expect(run.prompts == [.init(name: "v1", digest: plan.prompts[0].digest)])
    #expect(run.backends == ["server"])
    #expect(run.scorers == plan.scorerDigests)
    #expect(run.isComplete)
  }

  private static let responses: [ModelResponse] = [
    ModelResponse(text: ""), ModelResponse(text: nil), ModelResponse(text: nil, refusal: "No."),
    ModelResponse(text: String(repeating: "🙂\n\u{0}\"", count: 3_000)),
    ModelResponse(
      text: "{}",
      finishReason: nil,
      usage: TokenUsage(input: 1, cachedInput: 0, output: 2, reasoning: 1),
      provenance: Provenance(host: "h", model: "m", standIn: "s", date: "2026-11-21T12:00:19Z"),
      timings: ResponseTimings(connect: 0.1, firstByte: 1e-7, total: 123_456.789)
    ),
    ModelResponse(text: "{}", usage: TokenUsage()), unusual,
  ]

  /// An answer with all uncommon fields.
  private static var unusual: ModelResponse {
    var response = ModelResponse(
      text: "{}",
      usage: TokenUsage(input: 1, output: 2, cacheWrite: 1),
      timings: ResponseTimings(firstText: 1.5, longestGap: 0.25, total: 3, server: 2)
    )
    response.timings.user = 4.5
    response.reportedCost = 0.125
    response.fallback = StreamFallback(reason: .brokenAnswer, milliseconds: 1.5)
    return response
  }

  @Test("Every kind of answer is read back unchanged", arguments: responses)
  func answers(response: ModelResponse) throws {
    let plan = try RecordingProject().plan()
    let trial = TrialJudge(plan: plan).judged(response, plan.slot(0), key: "k")
    let log = RunLog(plan, start: RecordingProject.date, mode: .live)
    let judged = JudgedTrial(
      trial: trial,
      variables: [:],
      text: response.text,
      refusal: response.refusal
    )
    #expect(try LoggedRun(reading: log.bytes([judged]), kind: "header").trials == [trial])
  }

  @Test("A trial that a scorer could not judge keeps its answer")
  func unscored() throws {
    let plan = try RecordingProject().plan()
    var trial = TrialJudge(plan: plan)
      .judged(ModelResponse(text: "x"), plan.slot(0), key: "k")
    trial.outcome = .lost(.unscored("regex: too expensive"))
    let log = RunLog(plan, start: RecordingProject.date, mode: .live)
    let bytes = log.bytes([JudgedTrial(trial: trial, variables: [:], text: "x")])
    #expect(try LoggedRun(reading: bytes, kind: "header").trials == told([trial]))
  }

  @Test("A log cut at any byte is read up to its last complete line, and is incomplete")
  func cutOff() async throws {
    let (log, trials, _) = try await recorded()
    let all = told(trials)
    let first = try #require(log.firstIndex(of: 0x0A))
    let footer = try #require(log.dropLast().lastIndex(of: 0x0A))
    for end in stride(from: first + 1, to: log.count, by: 97) {
      let part = Array(log[..<end])
      let run = try LoggedRun(reading: part, kind: "header")
      let lines = part.count { $0 == 0x0A } - 1
      #expect(run.trials == Array(all.prefix(lines)))
      #expect(run.isComplete == (end > log.count))
    }
    let open = try LoggedRun(reading: Array(log[...footer]), kind: "header")
    #expect(open.trials == all)
    #expect(!open.isComplete)
  }

  @Test("A journal without trials is an incomplete run")
  func begun() throws {
    let run = try read(Self.header)
    #expect(run.trials == [])
    #expect(!run.isComplete)
  }

  @Test("An invalid log is an error with its line number")
  func problems() {
    let header = Self.header
    #expect(problem("") == "1: the file is empty, so it is not a run log")
    #expect(problem("", kind: "baseline") == "1: the file is empty, so it is not a baseline")
    #expect(problem("x\n") == "1: the line is not valid JSON: expected a JSON value")
    #expect(problem("{}\n") == "1: the first line is not the header of a run log")
    #expect(
      problem(header, kind: "baseline") == "1: the first line is not the header of a baseline"
    )
    #expect(
      problem(header.replacing("\"schema\":1", with: "\"schema\":2"))
        == "1: this version reads only schema 1 of a run log"
    )
    #expect(
      problem(header.replacing("\"schema\":1,", with: ""))
        == "1: this version reads only schema 1 of a run log"
    )
    #expect(
      problem(header + Self.trial("a") + "garbage\n" + Self.trial("b"))
        == "3: the line is not valid JSON: expected a JSON value"
    )
    #expect(
      problem(header + Self.trial("a") + "<<<<<<< HEAD\n")
        == "3: the line is not valid JSON: expected a JSON value"
    )
    #expect(problem(header + "{\"kind\":\"trial\"}\n") == "2: the line is not a trial")
    #expect(problem(header + "[]\n") == "2: the line is not a trial")
    #expect(
      problem(header + Self.trial("a") + Self.trial("b") + Self.trial("a"))
        == "4: the case 'a' appears a second time"
    )
    #expect(problem(header + Self.trial("a") + Self.trial("a", repetition: 2)) == nil)
  }

  @Test(
    "A trial line without a required member is refused",
    arguments: [
      "case", "case-digest", "prompt", "backend", "repeat", "request", "outcome", "scores",
      "response-digest",
    ]
  )
  func missingMember(_ name: String) throws {
    let line = Self.trial("a")
    let json = try JSONReader.value(Array(line.utf8.dropLast()))
    let members = (json.object?.members ?? []).filter { $0.name != name }
    #expect(members.count + 1 == json.object?.members.count)
    let text = String(
      decoding: JSONWriter.line(.object(JSONObject(members))),
      as: UTF8.self
    )
    #expect(problem(Self.header + text + "\n") == "2: the line is not a trial")
  }

  @Test("An incomplete last line of a baseline is an error, because baselines are written at once")
  func halfBaseline() {
    let baseline = Self.header.replacing("\"header\"", with: "\"baseline\"")
    let half = String(Self.trial("b").dropLast(30))
    #expect(problem(baseline + Self.trial("a"), kind: "baseline") == nil)
    #expect(
      problem(baseline + Self.trial("a") + half, kind: "baseline")?.hasPrefix(
        "3: the line is not valid JSON"
      )
        == true
    )
  }

  @Test("Empty lines are ignored")
  func emptyLines() throws {
    let run = try read(Self.header + "\n" + Self.trial("a") + "\n\n" + Self.trial("b"))
    #expect(run.trials.map(\.caseID) == ["a", "b"])
  }
}
