import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing
import TestSupport

private let sharedAnswers = ProcessInfo.processInfo.environment["SLUICE_ANSWERS_DIR"]
  .map { URL(filePath: $0) }
private let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
/// The commit whose requests were answered.
private let answeredCommit = "8e26453d2859986df0647ba1ae9ea3029caaef73"
private let hasCommit =
  (try? Git.run(["cat-file", "-e", "\(answeredCommit)^{commit}"], in: repository.path)) != nil

/// Tests the health of this project's suites at the commit whose requests a language model
/// answered.
@Suite(
  "The health of this project's suites with a language model's answers",
  .enabled(
    if: sharedAnswers != nil,
    "SLUICE_ANSWERS_DIR names no folder with answers to our own requests"
  ),
  .enabled(if: hasCommit, "the repository lacks the commit that was answered")
)
struct SharedHealthTests {
  /// The project at that commit, with a backend for the answers, which have no times.
  private func project() throws -> InMemoryFileSystem {
    let folder = try #require(sharedAnswers)
    let scratch = try ProjectFolder()
    let archive = scratch.url("project.tar").path
    let roots = ["prompts", "datasets", "prices", "sluice.yaml"]
    try Git.run(["archive", "--output", archive, answeredCommit] + roots, in: repository.path)
    let tar = try ChildProcess(
      ["tar", "-xf", archive],
      in: scratch.url("").path,
      environment: ProcessInfo.processInfo.environment
    )
    #expect(try tar.wait().exitCode == 0)
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.url("").path)
    where !name.contains("recordings") && !name.hasSuffix(".tar") {
      let file = scratch.url(name)
      if (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true {
        files[name] = try String(contentsOf: file, encoding: .utf8)
      }
    }
    files["sluice.yaml"] = files["sluice.yaml"]?.replacing(
      "\nprices:",
      with: "\n  unnamed-lm: {type: openai, model: unnamed-lm}\nprices:"
    )
    for name in ["no-history", "thorough"] {
      files["prompts/clarity/\(name).yaml"] = try String(
        contentsOf: folder.appending(path: "prompts/clarity.\(name).yaml"),
        encoding: .utf8
      )
    }
    for name in ["requests.jsonl", "answers.jsonl"] {
      files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    let suite = "prompts/smart-reply/suite.yaml"
    let timed = ["stream:", "longest-gap", "first-text", "fallback-rate"]
    files[suite] = files[suite]?.replacing("stand-in-stream", with: "unnamed-lm")
      .split(separator: "\n").filter { line in !timed.contains { line.contains($0) } }
      .joined(separator: "\n")
    return InMemoryFileSystem(files)
  }

  @Test("Nine suites are saturated, one is nearly saturated, and three are not")
  func standings() async throws {
    let files = try project()
    let loaded = ProjectLoader.load(from: files)
    #expect(loaded.diagnostics.filter { $0.severity == .error } == [])
    let surroundings = Surroundings(files: files, now: { RecordingProject.date })
    let backends = ProjectLoader.backends(from: files).backends
    var options = BatchImport.Options()
    options.via = .files
    let plans = loaded.suites.map(\.plan)
    let result = try BatchImport(plans, backends: backends, surroundings, options).run(
      results: [.init(name: "answers.jsonl", path: ProjectPath("answers.jsonl"))],
      requests: [.init(name: "requests.jsonl", path: ProjectPath("requests.jsonl"))]
    )
    #expect(result.isComplete)
    var standings: [String: String] = [:]
    for suite in loaded.suites {
      _ = try PendingRecordings(
        dataset: suite.plan.datasetPath,
        backend: "unnamed-lm",
        files: files
      ).accept(now: RecordingProject.date)
      let outcome = await HealthReader(suite, backends: backends, surroundings: surroundings)
        .read(concurrency: 2)
      #expect(outcome.diagnostics == [])
      let health = outcome.health.health
      #expect(health.models == ["unnamed-lm"])
      #expect(health.columns.count == (suite.plan.name == "clarity" ? 5 : 1))
      #expect(outcome.health.suspects.isEmpty)
      standings[suite.plan.name] = HealthText.Standing(health).rawValue
    }
    let saturated = [
      "category", "sentiment", "opportunity", "analysis", "faq", "action-items", "decisions",
      "feedback", "call-instead",
    ]
    var expected = Dictionary(uniqueKeysWithValues: saturated.map { ($0, "saturated") })
    expected["clarity"] = "nearly-saturated"
    for name in ["tone", "smart-reply", "summary"] { expected[name] = "open" }
    #expect(standings == expected)
  }
}
