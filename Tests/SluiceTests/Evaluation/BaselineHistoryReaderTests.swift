import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
import Testing
import TestSupport

@Suite("Committed baselines over time")
struct BaselineHistoryReaderTests {
  /// Returns the lines of a baseline in which one case has a given outcome.
  private func baseline(_ outcome: String, answer: String, prompt: String = "v1") -> String {
    let digest = SHA256.hexadecimal(answer.utf8)
    return """
      {"schema":1,"kind":"baseline","suite":"triage","prompts":[{"name":"\(prompt)","digest":"\(digest)"}],\
      "backends":["server"],"scorers":[],"repetitions":1,"trials":2}
      {"case":"a","case-digest":"\(digest)","request":"\(digest)","outcome":"\(outcome)","scores":[],\
      "response-digest":"\(digest)","timings":{},"answered-by":{"model":"m"}}
      {"case":"b","case-digest":"\(digest)","repeat":2,"request":"\(digest)","outcome":"lost","reason":"none","scores":[]}

      """
  }

  @Test("A version has the outcome of each case and repeat, and says if the answer is today's")
  func version() throws {
    let version = try #require(
      BaselineVersion(
        Array(baseline("failed", answer: "yes").utf8),
        commit: "0123456789",
        date: Timestamp(seconds: 0),
        isCurrent: false
      )
    )
    #expect(version.prompt == "v1")
    var trial = Trial.fixture("x", .passed)
    trial.caseID = "a"
    let other = try #require(version.entry(of: trial))
    #expect(other.outcome == "failed")
    #expect(!other.hasSameAnswer)
    #expect(other.isOtherCase)
    trial.caseID = "b"
    #expect(version.entry(of: trial) == nil)
    trial.repetition = 2
    #expect(version.entry(of: trial)?.outcome == "lost")
    for text in ["", "not JSON\n", "{\"kind\":\"header\"}\n"] {
      #expect(
        BaselineVersion(
          Array(text.utf8),
          commit: "0",
          date: Timestamp(seconds: 0),
          isCurrent: false
        ) == nil
      )
    }
  }

  @Test(
    "Versions come from commits, at most eight, from oldest to newest"
  )
  func commits() async throws {
    let suite = try RecordingProject().suite()
    let path = "reports/baselines/triage.server.jsonl"
    let repository = try ScratchRepository()
    let files = try #require(DiskFileSystem(root: repository.path))
    func read() async -> [BaselineVersion] {
      await BaselineHistoryReader.read(
        [suite],
        files: files,
        projectRoot: repository.path
      ).versions(suite: "triage", backend: "server")
    }
    #expect(await read().isEmpty)
    try repository.commit(["other.txt": "nothing"])
    #expect(await read().isEmpty)
    for number in 0..<10 {
      try repository.commit([path: baseline("passed", answer: "\(number)", prompt: "v\(number)")])
    }
    let versions = await read()
    #expect(versions.map(\.prompt) == (2..<10).map { "v\($0)" })
    #expect(versions.map(\.isCurrent) == Array(repeating: false, count: 7) + [true])
    #expect(versions.allSatisfy { $0.commit.count == 40 })
    try repository.folder.write([path: baseline("failed", answer: "edit")], under: "")
    #expect(await read().map(\.isCurrent) == Array(repeating: false, count: 8))
  }

  @Test("Outside a repository, there is no history")
  func elsewhere() async throws {
    let folder = try ProjectFolder()
    let path = "reports/baselines/triage.server.jsonl"
    try folder.write([path: baseline("passed", answer: "yes")], under: "")
    let history = await BaselineHistoryReader.read(
      [try RecordingProject().suite()],
      files: try #require(DiskFileSystem(root: folder.path)),
      projectRoot: folder.path
    )
    #expect(history.versions(suite: "triage", backend: "server").isEmpty)
  }
}
