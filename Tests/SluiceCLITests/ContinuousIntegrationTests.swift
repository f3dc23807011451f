import TestSupport
import Foundation
import Testing

@Suite("sluice run on CI services")
struct ContinuousIntegrationTests {
  /// A project at the root of a repository, with one suite that fails.
  private func project() throws -> ScratchProject {
    let project = try ScratchProject.ofDemo()
    try project.git("init", "--quiet", ".")
    try project.edit(
      "prompts/category/suite.yaml",
      replacing: "accuracy >= 80%",
      with: "accuracy >= 99%"
    )
    return project
  }

  @Test("In GitHub Actions, run annotates the prompts of failed gates after its usual output")
  func annotations() async throws {
    let project = try project()
    var sluice = project.sluice
    let plain = try await sluice("run", "category")
    sluice.environment = ["CI": "true", "GITHUB_ACTIONS": "true"]
    let outcome = try await sluice("run", "category")
    #expect(outcome.exitCode == 1)
    #expect(outcome.error == "")
    let commands = outcome.output.dropFirst(plain.output.count)
    #expect(outcome.output.hasPrefix(plain.output))
    #expect(
      commands.hasPrefix(
        "::error file=prompts/category/v1.yaml,line=1,title=Sluice%3A category::"
          + "category on stand-in: accuracy >= 99%25: "
      )
    )
    #expect(commands.split(separator: "\n").count == 1)
  }

  @Test("Paths are relative to the repository's root, wherever the project is")
  func folder() async throws {
    let inner = try project()
    let outer = try ScratchProject()
    try outer.git("init", "--quiet", ".")
    try FileManager.default.removeItem(at: inner.folder.appending(path: ".git"))
    try FileManager.default.copyItem(
      at: inner.folder,
      to: outer.folder.appending(path: "evals")
    )
    var sluice = outer.sluice
    sluice.folder = outer.folder.appending(path: "evals")
    sluice.environment = ["GITHUB_ACTIONS": "true", "GITLAB_CI": "true"]
    let outcome = try await sluice("run", "category")
    #expect(outcome.output.contains("::error file=evals/prompts/category/v1.yaml,"))
    let junit = try outer.read("evals/reports/latest/junit.xml")
    #expect(junit.contains("file=\"evals/datasets/category/cases.yaml\""))
    let findings = try outer.read("evals/reports/latest/gl-code-quality.json")
    #expect(findings.contains("\"path\": \"evals/prompts/category/v1.yaml\""))
  }

  @Test("run and compare append their reports to the step's summary")
  func summary() async throws {
    let project = try project()
    var sluice = project.sluice
    try project.git("add", "--all")
    try project.git("commit", "--quiet", "--message", "all")
    try project.write("before\n", to: "out/summary")
    sluice.environment = [
      "GITHUB_ACTIONS": "true",
      "GITHUB_STEP_SUMMARY": project.folder.appending(path: "out/summary").path,
    ]
    #expect(try await sluice("run", "category").exitCode == 1)
    let report = try project.read("reports/latest/report.md")
    #expect(try project.read("out/summary") == "before\n\(report)\n")
    #expect(try await sluice("compare", "category", "--base", "HEAD").exitCode == 1)
    let comparison = try project.read("reports/latest/compare.md")
    #expect(try project.read("out/summary") == "before\n\(report)\n\(comparison)\n")
  }

  @Test("A full or unwritable summary is a warning and does not change the verdict")
  func noSummary() async throws {
    let project = try project()
    var sluice = project.sluice
    try project.write(String(repeating: "x", count: 1 << 20), to: "summary")
    let full = project.folder.appending(path: "summary").path
    let nowhere = project.folder.appending(path: "no/summary").path
    for (path, why) in [
      (full, "\(full): the summary would be larger than 1 MiB"),
      (nowhere, "\(project.folder.appending(path: "no").path): is not a folder"),
    ] {
      sluice.environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": path]
      let outcome = try await sluice("run", "category")
      #expect(outcome.exitCode == 1)
      #expect(
        outcome.error == "sluice: warning: could not write the summary of this CI step: \(why)\n"
      )
    }
  }

  @Test("Outside GitHub and GitLab, there are no annotations, summary or findings")
  func elsewhere() async throws {
    let project = try project()
    var sluice = project.sluice
    sluice.environment = ["CI": "true", "GITHUB_STEP_SUMMARY": "summary"]
    let outcome = try await sluice("run", "category")
    #expect(!outcome.output.contains("::"))
    #expect(!FileManager.default.fileExists(atPath: project.folder.appending(path: "summary").path))
    #expect(throws: (any Error).self) { try project.read("reports/latest/gl-code-quality.json") }
  }
}
