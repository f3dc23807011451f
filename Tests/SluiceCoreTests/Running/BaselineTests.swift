import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Baselines")
struct BaselineTests {
  private func trials(_ plan: SuitePlan) -> [Trial] {
    plan.cases.indices.map { index in
      let slot = SuitePlan.TrialIndex(testCase: index, prompt: 0, backend: 0, repetition: 1)
      return TrialJudge(plan: plan).judged(
        ModelResponse(
          text: #"{"kind":"question"}"#,
          usage: TokenUsage(input: 100, output: 10),
          provenance: Provenance(model: "sorter-1"),
          timings: ResponseTimings(total: 250)
        ),
        slot,
        key: "key-\(index)"
      )
    }
  }

  private let column = Column(prompt: "v1", backend: "server")

  @Test("A baseline is stored in reports/baselines, named after suite and backend")
  func path() {
    #expect(
      Baseline.path(suite: "triage", backend: "server")
        == ProjectPath("reports/baselines/triage.server.jsonl")
    )
  }

  @Test("A baseline has a header and one sorted line per case, without texts, reasons and slices")
  func bytes() throws {
    let plan = try RecordingProject().plan()
    let bytes = Baseline.bytes(plan, column: column, trials: trials(plan))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(
      lines[0] == #"""
        {"schema":1,"kind":"baseline","suite":"triage",\#
        "prompts":[{"name":"v1","digest":"\#(plan.prompts[0].digest)"}],"backends":["server"],\#
        "scorers":[{"name":"classification","type":"classification",\#
        "digest":"\#(plan.scorers[0].digest)"}],"repetitions":1,"trials":4}
        """#
    )
    #expect(lines.count == 5)
    #expect(
      lines[1] == #"""
        {"case":"polite","case-digest":"\#(plan.cases[3].testCase.digest)","request":"key-3",\#
        "outcome":"failed","scores":[{"scorer":"classification","outcome":"failed",\#
        "measurements":{"expected":"request","predicted":"question","invalid":false}}],\#
        "response-digest":"\#(SHA256.hexadecimal(#"{"kind":"question"}"#.utf8))",\#
        "finish-reason":"stop","usage":{"input":100,"output":10},"timings":{"total-ms":250},\#
        "answered-by":{"model":"sorter-1"}}
        """#
    )
    #expect(
      try lines.dropFirst().map { try JSONReader.value(Array($0.utf8))["case"]?.string }
        == ["polite", "send", "thanks", "where"]
    )
  }

  @Test("The order of the trials does not affect the bytes of a baseline")
  func order() throws {
    let plan = try RecordingProject().plan()
    let trials = trials(plan)
    #expect(
      Baseline.bytes(plan, column: column, trials: trials)
        == Baseline.bytes(plan, column: column, trials: trials.reversed())
    )
  }

  @Test("A baseline is read back with everything that is compared")
  func roundTrip() throws {
    let plan = try RecordingProject().plan()
    let trials = trials(plan)
    let baseline = try Baseline(
      reading: FileContents(Baseline.bytes(plan, column: column, trials: trials))
    )
    #expect(baseline.suite == "triage")
    #expect(baseline.backend == "server")
    #expect(baseline.prompt == .init(name: "v1", digest: plan.prompts[0].digest))
    #expect(baseline.scorers == plan.scorerDigests)
    #expect(baseline.trials.map(\.outcome) == [.failed, .failed, .failed, .passed])
    let pairing = Pairing(
      baseline: .init(trials: baseline.trials, scorers: baseline.scorers),
      candidate: .init(trials: trials, scorers: plan.scorerDigests)
    )
    #expect(pairing.isIdentical)
  }

  @Test("A run log, or a header without prompt or backend, is not a baseline")
  func noBaseline() throws {
    let plan = try RecordingProject().plan()
    let log = RunLog(plan, start: RecordingProject.date, mode: .live).bytes([])
    #expect(throws: LoggedRun.Problem.self) { try Baseline(reading: FileContents(log)) }
    for member in ["prompts", "backends"] {
      let text = """
        {"schema":1,"kind":"baseline","suite":"a","prompts":[{"name":"v1"}],"backends":["b"]}
        """.replacing("\"\(member)\"", with: "\"other\"")
      #expect(
        throws: LoggedRun.Problem(
          line: 1,
          message: "the first line is not the header of a baseline"
        )
      ) { try Baseline(reading: FileContents(Array(text.utf8))) }
    }
  }
}
