import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Runs with streamed answers")
struct StreamedRunTests {
  /// The project with a streaming backend.
  ///
  /// The stream of one case hangs, and its answer is requested again as a whole.
  private func project() throws -> RecordingProject {
    let project = RecordingProject()
    try project.edit(
      "sluice.yaml",
      replacing: "model: sorter-1}",
      with: "model: sorter-1, stream: true}"
    )
    return project
  }

  private func backends(_ project: RecordingProject) throws -> [String: any Backend] {
    let time = TestClock()
    let client = RecordingHTTPClient { request throws(HTTPError) in
      let whole = try RecordingProject.answer(to: request)
      let body = try? JSONReader.value(request.body)
      if body?["stream"] == nil { return whole }
      let message = body?["messages"]?.array?.last?["content"]?.string ?? ""
      if message == "Thanks!" {
        time.advance(by: .seconds(30))
        throw HTTPError(.timedOut, detail: "")
      }
      let answered = try? JSONReader.value(whole.body)
      let text = answered?.value(at: "choices.0.message.content")?.string ?? ""
      let start = Double(message.count) * 10
      return StreamedCompletion.response([
        (start, String(text.prefix(4))), (start + 40, String(text.dropFirst(4).prefix(3))),
        (start + 100, String(text.dropFirst(7))),
      ])
    }
    var backends: [String: any Backend] = [:]
    for backend in try project.plan().backends {
      backends[backend.name] = try backend.connect(
        client,
        surroundings: project.surroundings,
        clock: time.clock
      )
    }
    return backends
  }

  private func recorded(_ project: RecordingProject) async throws {
    let session = RecordingSession(try project.plan(), surroundings: project.surroundings)
    let draft = session.draft(RecordingRequest.Selection())
    let outcome = try await session.record(draft, backends: try backends(project))
    #expect(outcome.recorder.recorded == 4)
    _ = try project.pending().accept(now: RecordingProject.date)
  }

  private static let timings = [
    ResponseTimings(connect: 1, firstByte: 80, firstText: 120, longestGap: 60, total: 400),
    ResponseTimings(connect: 1, firstByte: 80, firstText: 150, longestGap: 60, total: 400),
    {
      var timings = ResponseTimings(connect: 1, firstByte: 200, total: 250.5)
      timings.user = 30_250.5
      return timings
    }(),
    ResponseTimings(connect: 1, firstByte: 80, firstText: 180, longestGap: 60, total: 400),
  ]
  private static let fallback = StreamFallback(reason: .timedOut, milliseconds: 30_000)

  @Test("Stream times and fallbacks are the same live, recorded and read from the log")
  func alike() async throws {
    let project = try project()
    let evaluation = Evaluation(try project.suite(), surroundings: project.surroundings)
    let live = await evaluation.live(try backends(project)).result
    func check(_ trials: [Trial]?) {
      #expect(trials?.map(\.output?.timings) == Self.timings)
      #expect(trials?.map(\.output?.fallback) == [nil, nil, Self.fallback, nil])
    }
    check(live.columns.first?.trials)
    try await recorded(project)
    let line = try #require(
      project.text(of: RecordingProject.recordingsPath.description).split(separator: "\n")
        .first { $0.contains("Thanks!") && $0.contains("\"response\"") }
    )
    #expect(line.contains(#""fallback":{"reason":"timed-out","after-ms":30000},"body":"#))
    let result = try project.replay(concurrency: 2)
    check(result.suites.first?.columns.first?.trials)
    let log = try #require(result.suites.first?.log)
    let run = try LoggedRun(reading: log.bytes(0..<log.count), kind: RunLog.kind)
    check(run.trials)
    let text = String(decoding: log.bytes(0..<log.count), as: UTF8.self)
    #expect(
      text.contains(
        #""timings":{"connect-ms":1,"first-byte-ms":80,"first-text-ms":120,"longest-gap-ms":60,"#
          + #""total-ms":400},"answered-by""#
      )
    )
    #expect(
      text.contains(
        #""timings":{"connect-ms":1,"first-byte-ms":200,"total-ms":250.5,"user-ms":30250.5},"#
          + #""fallback":{"reason":"timed-out","after-ms":30000},"answered-by""#
      )
    )
    let report = String(decoding: JSONReport(result).bytes, as: UTF8.self)
    #expect(
      report.contains(
        #""user-ms":30250.5},"fallback":{"reason":"timed-out","after-ms":30000}}"#
      )
    )
  }

  @Test("A baseline stores what a comparison of streams needs")
  func baseline() async throws {
    let project = try project()
    try await recorded(project)
    let plan = try project.plan()
    let trials = Runner(plan).replay(try project.recordings(), concurrency: 1).map(\.trial)
    let bytes = Baseline.bytes(plan, column: .init(prompt: "v1", backend: "server"), trials: trials)
    let lines = String(decoding: bytes, as: UTF8.self)
    #expect(
      lines.contains(#""timings":{"first-text-ms":120,"longest-gap-ms":60,"total-ms":400},"#)
    )
    #expect(
      lines.contains(
        #""timings":{"total-ms":250.5,"user-ms":30250.5},"#
          + #""fallback":{"reason":"timed-out","after-ms":30000},"#
      )
    )
    let read = try Baseline(reading: FileContents(bytes)).trials
    #expect(read.map(\.delivery) == [.streamed, .streamed, .fellBack, .streamed])
  }

  @Test("Conditions on streams use the recorded times, and reports show the figures")
  func report() async throws {
    let project = try project()
    try await recorded(project)
    try project.edit(
      RecordingProject.suitePath,
      replacing: "  - accuracy >= 60%\n",
      with: """
          - accuracy >= 60%
          - fallback-rate <= 30%
          - max(longest-gap) <= 100 ms
          - mean(first-text) < 10 s
          - max(user-latency) < 40 s

        """
    )
    let result = try project.replay()
    #expect(
      TerminalReport(result, style: TerminalStyle(isColored: false)).text == """
        PASS  triage  v1 on server · 4 cases
              accuracy 75.0% [30.1%, 95.4%]

        Gates
          ✓ accuracy >= 60%             75.0%
          ✓ fallback-rate <= 30%        25.0%
          ✓ max(longest-gap) <= 100 ms  60 ms
          ✓ mean(first-text) < 10 s     7.68 s
          ✓ max(user-latency) < 40 s    30.25 s

        Goals  1 of 3 not reached yet, 1 undecided
          – accuracy >= 90%             75.0%, 15.0 points short
          ? p95(latency) < 1 s
              400 ms, 4 measurements cannot give an interval for this percentile; 59
              needed
          ✓ mean(cost) <= $0.004        $0.00030, $0.00370 to spare

        Figures
          unusable-rate                        0.0%  [0.0%, 49.0%]     n 4
          classification.precision            83.3%  [29.4%, 100.0%]   n 4
          latency                           p50 400 ms · p95 400 ms (recorded)
          latency including retries         p50 400 ms · p95 25.77 s (recorded)
          first text                        p50 165 ms · p95 25.74 s (recorded)
          longest gap                       p50 60 ms · p95 60 ms (recorded)
          usage                             110 tokens per call · $0.00120 in total
          and 3 more: --verbose

        Failed, 1 case
          polite
            answer          {"kind":"question"}
            classification  expected request, got question

        Recorded answers of sorter-1 at https://models.test, 2026-11-21.

        PASS: all 5 gates pass; 1 of 3 goals not reached yet, 1 undecided
        Reports: reports/latest/report.html, .md, .json, .csv; junit.xml
        Next: read a failed case with its request, answer and scores:
          sluice show polite --suite triage

        """
    )
  }

  @Test("The stream scorer uses the recorded times and reports a fallback")
  func scorer() async throws {
    let project = try project()
    try await recorded(project)
    try project.edit(
      RecordingProject.suitePath,
      replacing: "scorers:\n",
      with: "scorers:\n  - stream: {first-text: 160 ms, gap: 0.1 s, total: 2 s}\n"
    )
    let trials = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    #expect(
      trials.map { $0.trial.scores.first?.score.explanation } == [
        "the first text arrived after 120 ms; the longest gap was 60 ms; "
          + "the whole answer arrived after 400 ms",
        "the first text arrived after 150 ms; the longest gap was 60 ms; "
          + "the whole answer arrived after 400 ms",
        "the stream was abandoned after 30000 ms (timed-out), and the whole answer was requested "
          + "instead",
        "the first text arrived after 180 ms, over 160 ms",
      ]
    )
    #expect(trials.map(\.trial.outcome) == [.passed, .passed, .failed, .failed])
  }

  @Test("Failed attempts count only in the latency that the user sees")
  func retried() async throws {
    let project = RecordingProject()
    let time = TestClock()
    let client = RecordingHTTPClient { request throws(HTTPError) in
      if time.now == .zero {
        time.advance(by: .milliseconds(700))
        throw HTTPError(.connectionFailed, detail: "")
      }
      return try RecordingProject.answer(to: request)
    }
    let backend = try #require(try project.plan().backends.first)
    let session = RecordingSession(try project.plan(), surroundings: project.surroundings)
    let draft = session.draft(
      RecordingRequest.Selection(cases: ["where"])
    )
    _ = try await session.record(
      draft,
      backends: [
        "server": try backend.connect(client, surroundings: project.surroundings, clock: time.clock)
      ]
    )
    _ = try project.pending().accept(now: RecordingProject.date)
    let trial = try #require(project.replay().suites.first?.columns.first?.trials.first)
    #expect(trial.output?.timings.total == 250.5)
    #expect(trial.output?.timings.user == 950.5)
  }
}
