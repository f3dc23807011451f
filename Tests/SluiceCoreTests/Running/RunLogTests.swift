import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Run log")
struct RunLogTests {
  private func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("A log is stored in reports/runs, named after the suite and the start")
  func path() throws {
    let log = RunLog(try RecordingProject().plan(), start: RecordingProject.date, mode: .replay)
    #expect(log.path == ProjectPath("reports/runs/triage-20261121T120019Z.jsonl"))
  }

  @Test("Logs that begin in the same second have different names, which sort by time")
  func names() throws {
    let folder = try ProjectFolder()
    let files = try #require(DiskFileSystem(root: folder.path))
    let plan = try RecordingProject().plan()
    var logs = (0..<3).map { _ in RunLog(plan, start: RecordingProject.date, mode: .live) }
    // The first one has ended, and the second one is being written.
    #expect(logs[0].takeName(in: files) != nil)
    try files.write(logs[0].header, to: logs[0].path)
    let second = logs[1].takeName(in: files)
    let third = logs[2].takeName(in: files)
    #expect(second != nil)
    #expect(third != nil)
    withExtendedLifetime((second, third)) {}
    let names = [
      "triage-20261121T120019Z.jsonl", "triage-20261121T120019Z_2.jsonl",
      "triage-20261121T120019Z_3.jsonl",
    ]
    #expect(logs.map(\.path.name) == names)
    #expect(files.names(in: RunLog.folder) == names)
  }

  @Test("Of unfinished logs from the same second, the later one is resumed")
  func newestName() throws {
    let files = RecordingProject().files
    let plan = try RecordingProject().plan()
    for run in ["a", "b"] {
      var log = RunLog(plan, start: RecordingProject.date, mode: .live, run: run)
      let lock = log.takeName(in: files)
      try files.write(log.header, to: log.path)
      withExtendedLifetime(lock) {}
    }
    #expect(UnfinishedRun.newest(of: ["triage"], in: files)?.id == "b")
  }

  @Test("A log has a header, a line per trial in the suite's order, and a footer")
  func whole() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    let plan = try project.plan()
    let log = RunLog(plan, start: RecordingProject.date, mode: .replay)
    let trials = Runner(plan).replay(try project.recordings(), concurrency: 1)
    let digests = plan.cases.map(\.testCase.digest)
    let keys = try (0..<4).map { RequestIdentity(try plan.request(plan.slot($0))).key }
    let answer = #"""
      "finish-reason":"stop","usage":{"input":100,"output":10},"cost":0.0003,\#
      "timings":{"connect-ms":1,"first-byte-ms":200,"total-ms":250.5},\#
      "answered-by":{"host":"https://models.test","model":"sorter-1",\#
      "date":"2026-11-21T12:00:19Z"}
      """#
    func digest(_ text: String) -> String { SHA256.hexadecimal(text.utf8) }
    #expect(
      lines(log.bytes(trials)) == [
        #"""
        {"schema":1,"kind":"header","version":"\#(Version.current)","suite":"triage",\#
        "mode":"replay","started":"2026-11-21T12:00:19Z",\#
        "prompts":[{"name":"v1","digest":"\#(plan.prompts[0].digest)"}],"backends":["server"],\#
        "scorers":[{"name":"classification","type":"classification",\#
        "digest":"\#(plan.scorers[0].digest)"}],"repetitions":1,"cases":4}
        """#,
        #"""
        {"kind":"trial","case":"where","case-digest":"\#(digests[0])",\#
        "tags":["short"],"prompt":"v1","backend":"server",\#
        "repeat":1,"request":"\#(keys[0])","outcome":"passed",\#
        "scores":[{"scorer":"classification","outcome":"passed","explanation":"question as expected",\#
        "measurements":{"expected":"question","predicted":"question","invalid":false}}],\#
        "response-digest":"\#(digest(#"{"kind":"question"}"#))",\#
        \#(answer),"variables":{"message":"Where is it?"},\#
        "text":"{\"kind\":\"question\"}"}
        """#,
        #"""
        {"kind":"trial","case":"send","case-digest":"\#(digests[1])",\#
        "tags":[],"prompt":"v1","backend":"server",\#
        "repeat":1,"request":"\#(keys[1])","outcome":"passed",\#
        "scores":[{"scorer":"classification","outcome":"passed","explanation":"request as expected",\#
        "measurements":{"expected":"request","predicted":"request","invalid":false}}],\#
        "response-digest":"\#(digest(#"{"kind":"request"}"#))",\#
        \#(answer),"variables":{"message":"Please send it."},\#
        "text":"{\"kind\":\"request\"}"}
        """#,
        #"""
        {"kind":"trial","case":"thanks","case-digest":"\#(digests[2])",\#
        "tags":[],"prompt":"v1","backend":"server",\#
        "repeat":1,"request":"\#(keys[2])","outcome":"lost",\#
        "reason":"no recording: case changed (user message)",\#
        "scores":[{"scorer":"classification","outcome":"unscored",\#
        "explanation":"no recording: case changed (user message)",\#
        "measurements":{"expected":"other"}}],"variables":{"message":"Thank you!"}}
        """#,
        #"""
        {"kind":"trial","case":"polite","case-digest":"\#(digests[3])",\#
        "tags":[],"prompt":"v1","backend":"server",\#
        "repeat":1,"request":"\#(keys[3])","outcome":"failed",\#
        "scores":[{"scorer":"classification","outcome":"failed",\#
        "explanation":"expected request, got question",\#
        "measurements":{"expected":"request","predicted":"question","invalid":false}}],\#
        "response-digest":"\#(digest(#"{"kind":"question"}"#))",\#
        \#(answer),"variables":{"message":"Could you send it?"},\#
        "text":"{\"kind\":\"question\"}"}
        """#,
        #"{"kind":"footer","trials":4,"passed":2,"failed":1,"lost":1}"#,
        "",
      ]
    )
  }

  @Test("A case's split and cluster, and a text of any length, are logged completely")
  func longText() throws {
    var plan = try RecordingProject().plan()
    plan.cases[0].testCase.split = "held-out"
    plan.cases[0].testCase.cluster = "places"
    let text = String(repeating: "🙂\n", count: 5_000)
    let trial = TrialJudge(plan: plan).judged(ModelResponse(text: text), plan.slot(0), key: "k")
    let line = RunLog.line(JudgedTrial(trial: trial, variables: [:], text: text))
    #expect(line.filter { $0 == 0x0A }.count == 1)
    let json = try JSONReader.value(line)
    #expect(json["split"] == "held-out")
    #expect(json["cluster"] == "places")
    #expect(json["text"] == .string(text))
    #expect(json["response-digest"] == .string(SHA256.hexadecimal(text.utf8)))
    // A missing value has no member.
    #expect(json["usage"] == nil)
    #expect(json["cost"] == nil)
  }

  @Test("An empty run has a header and a footer")
  func empty() throws {
    let log = RunLog(try RecordingProject().plan(), start: RecordingProject.date, mode: .live)
    let lines = lines(log.bytes([]))
    #expect(lines.count == 3)
    #expect(lines[0] + "\n" == String(decoding: log.header, as: UTF8.self))
    #expect(lines[0].contains(#""mode":"live""#))
    #expect(lines[1] == #"{"kind":"footer","trials":0,"passed":0,"failed":0,"lost":0}"#)
  }
}
