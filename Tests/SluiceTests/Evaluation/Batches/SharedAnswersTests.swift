import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

private let sharedAnswers = ProcessInfo.processInfo.environment["SLUICE_ANSWERS_DIR"]
  .map { URL(filePath: $0) }

/// Answers of a language model to the requests of this project's own suites.
///
/// They are in the folder that `SLUICE_ANSWERS_DIR` names.
@Suite(
  "A language model's answers to this project's requests",
  .enabled(
    if: sharedAnswers != nil,
    "SLUICE_ANSWERS_DIR names no folder with answers to our own requests"
  )
)
struct SharedAnswersTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// This project's suites, all with the backend that the answers are for.
  private func project() throws -> InMemoryFileSystem {
    let folder = try #require(sharedAnswers)
    var files: [String: String] = [:]
    for root in ["prompts", "datasets", "prices"] {
      let url = Self.repository.appending(path: root)
      for name in try FileManager.default.subpathsOfDirectory(atPath: url.path)
      where !name.contains("recordings") {
        let file = url.appending(path: name)
        if (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile != true {
          continue
        }
        files["\(root)/\(name)"] = try String(contentsOf: file, encoding: .utf8)
          .replacing("backend: lm-round-2", with: "backend: unnamed-lm")
      }
    }
    files["sluice.yaml"] = try String(
      contentsOf: Self.repository.appending(path: "sluice.yaml"),
      encoding: .utf8
    ).split(separator: "\n").filter { !$0.hasPrefix("  lm-round-2:") }.joined(separator: "\n")
    for name in ["requests.jsonl", "answers.jsonl"] {
      files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    return InMemoryFileSystem(files)
  }

  /// Imports the answers for the named suites, or for all suites if none is named.
  private func run(_ files: InMemoryFileSystem, suites: [String] = []) throws -> (
    result: BatchImportResult, surroundings: Surroundings
  ) {
    let loaded = ProjectLoader.load(ProjectLoader.Selection(suites: suites), from: files)
    #expect(loaded.diagnostics.filter { $0.severity == .error } == [])
    let surroundings = Surroundings(files: files, now: { RecordingProject.date })
    var options = BatchImport.Options()
    options.via = .files
    options.statement = AnswerStatement(by: "a large language model", day: "2026-11-23")
    let batch = BatchImport(
      loaded.suites.map(\.plan),
      backends: ProjectLoader.backends(from: files).backends,
      surroundings,
      options
    )
    func source(_ name: String) -> BatchImport.Source {
      BatchImport.Source(name: name, path: ProjectPath(name))
    }
    let result = try batch.run(
      results: [source("answers.jsonl")],
      requests: [source("requests.jsonl")]
    )
    return (result, surroundings)
  }

  /// Returns the requests without an answer, except those that were added after the answers were
  /// made: hard cases, five suites, and v3 of a prompt.
  private func missing(_ result: BatchImportResult) -> [BatchImportResult.Missing] {
    let later = ["rephrase", "tone-rewrite", "contradictions", "status-update", "critique"]
    return result.missing.filter {
      !$0.testCase.contains("-hard") && !later.contains($0.suite) && $0.prompt != "v3"
    }
  }

  @Test(
    "All 2,827 answers are imported without invented values, except those to a changed prompt"
  )
  func all() throws {
    let files = try project()
    try leavesOut(files)
    // Only the cases of the changed prompt are missing.
    for name in ["requests.jsonl", "answers.jsonl"] {
      let text = String(decoding: try files.read(ProjectPath(name)), as: UTF8.self)
      let kept = text.split(separator: "\n").filter { $0.contains("\"custom_id\": \"tone.v2.") }
      #expect(kept.count == 256)
      try files.write(Array(kept.joined(separator: "\n").utf8), to: ProjectPath(name))
    }
    let (result, surroundings) = try run(files, suites: ["tone"])
    #expect(result.imported == 256)
    #expect(missing(result).isEmpty)
    #expect(result.faults == [])
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(suites: ["sentiment"], backends: ["unnamed-lm"]),
      from: files
    )
    let suite = try #require(loaded.suites.first)
    let replay = Evaluation(suite, surroundings: surroundings, layers: [.pending])
      .replay(concurrency: 1).result
    let column = try #require(replay.columns.first)
    #expect(column.trials.count == 168)
    for trial in column.trials {
      let output = try #require(trial.output)
      #expect(!trial.isLost)
      #expect(output.finishReason == nil)
      #expect(output.usage == nil)
      #expect(output.cost == nil)
      #expect(output.timings == ResponseTimings())
      #expect(output.provenance.host == nil)
      #expect(output.provenance.date == "2026-11-23")
    }
    #expect(
      column.provenances.map(\.phrase)
        == ["unnamed-lm (through files; by: a large language model), 2026-11-23"]
    )
  }

  /// Changes one word of a prompt, imports all answers, and restores the word.
  ///
  /// Only the cases of that prompt are missing, because of the changed part.
  private func leavesOut(_ files: InMemoryFileSystem) throws {
    let path = ProjectPath("prompts/tone/v2.yaml")
    let text = String(decoding: try files.read(path), as: UTF8.self)
    let changed = text.replacing("one chat message", with: "one short message", maxReplacements: 1)
    #expect(changed != text)
    try files.write(Array(changed.utf8), to: path)
    let (result, _) = try run(files)
    #expect(result.imported == 2_827 - 256)
    let missing = missing(result)
    #expect(missing.count == 256)
    #expect(Set(missing.map(\.testCase)).count == 256)
    #expect(
      Set(missing.map { "\($0.suite) \($0.prompt) \($0.reason)" })
        == ["tone v2 the answered request differs in: system message"]
    )
    #expect(result.refused == 256)
    #expect(result.faults.count == 256)
    try files.write(Array(text.utf8), to: path)
  }
}
