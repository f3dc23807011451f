import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Run log reader")
struct RunLogReaderTests {
  /// Returns a recorded project whose server always answers with this text.
  private func project(answering text: String) async throws -> RecordingProject {
    let project = RecordingProject()
    let client = RecordingHTTPClient { _ throws(HTTPError) in
      RecordingProject.completion(text: text)
    }
    _ = try await project.record(from: client)
    return project
  }

  @Test(
    "A trial's omitted parts are read back from the log unchanged",
    arguments: [
      #"{"kind":"question"}"#, "", "no JSON", "\"\\\n\u{1}", String(repeating: "🙂", count: 3_999),
      String(repeating: "🙂", count: 4_001), String(repeating: "\"", count: 4_000),
    ]
  )
  func whole(text: String) async throws {
    let project = try await project(answering: text)
    let run = LoggingRun(
      try project.plan(),
      RunLog(try project.plan(), start: RecordingProject.date, mode: .replay),
      project.files
    ).replay(try project.recordings(), notBefore: nil, concurrency: 1) { _ in }
    let kept = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    var reader = RunLogReader(try #require(run.log))
    #expect(run.trials.allSatisfy { $0.output?.excerpt == "" })
    #expect(run.trials.allSatisfy { $0.scores.allSatisfy(\.score.explanation.isEmpty) })
    // In the order of the log, and in reverse order.
    #expect(run.trials.map { reader.whole($0) } == kept.map(\.trial))
    #expect(run.trials.reversed().map { reader.whole($0) } == kept.reversed().map(\.trial))
  }

  @Test("If a log was cut, the trial keeps its outcome and says so")
  func cut() async throws {
    let project = try await project(answering: #"{"kind":"other"}"#)
    let run = LoggingRun(
      try project.plan(),
      RunLog(try project.plan(), start: RecordingProject.date, mode: .replay),
      project.files
    ).replay(try project.recordings(), notBefore: nil, concurrency: 1) { _ in }
    var reader = RunLogReader(FileContents([]))
    let trial = reader.whole(try #require(run.trials.first))
    #expect(trial.outcome == .failed)
    #expect(trial.faults.map(\.explanation) == ["the run log can no longer be read"])
  }

  @Test("Trials with equal scores share them in memory")
  func shared() async throws {
    let project = try RecordingProject(caseCount: 20)
    _ = try await project.record()
    let run = LoggingRun(
      try project.plan(),
      RunLog(try project.plan(), start: RecordingProject.date, mode: .replay),
      project.files
    ).replay(try project.recordings(), notBefore: nil, concurrency: 3) { _ in }
    #expect(Set(run.trials.map { ObjectIdentifier($0.sheet) }).count == 1)
    #expect(Set(run.trials.compactMap(\.source).map(ObjectIdentifier.init)).count == 1)
  }

  @Test("Without a log, trials keep all of their parts")
  func unlogged() async throws {
    let project = try await project(answering: #"{"kind":"other"}"#)
    let run = LoggingRun(try project.plan(), nil, project.files)
      .replay(try project.recordings(), notBefore: nil, concurrency: 1) { _ in }
    let kept = Runner(try project.plan()).replay(try project.recordings(), concurrency: 1)
    #expect(run.log == nil)
    #expect(run.trials == kept.map(\.trial))
    #expect(run.trials.first?.output?.excerpt == #"{"kind":"other"}"#)
  }
}
