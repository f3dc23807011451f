import TestSupport
import Foundation
import Testing

/// The steps of `docs/ten-minutes.md` without a key: a script answers.
@Suite("Ten minutes")
struct TenMinutesTests {
  private static let path = "docs/ten-minutes.md"

  @Test("The page leads from an empty folder to a gate, and shows the actual output")
  func page() async throws {
    let page = try String(
      contentsOf: ScratchProject.repository.appending(path: Self.path),
      encoding: .utf8
    )
    let project = try ScratchProject()
    #expect(try await project.sluice("init").exitCode == 0)
    let run = try await project.sluice("run")
    #expect(run.exitCode == 0)
    #expect(page.contains("```\n\(run.output)```\n"))
    try await tickets(page, project)
    try project.git("init", "--quiet", "--initial-branch=main", ".")
    try project.commit()
    try await answerWithScript(project)
    try project.git("switch", "--quiet", "--create", "problems-that-ask")
    let old = "      - problem: something is broken, wrong, missing or late.\n"
    let new = old + "      - A question about something that does not work is a problem.\n"
    #expect(page.contains("```yaml\n\(new)```\n"))
    try project.edit("prompts/mailbox/v1.yaml", replacing: old, with: new)
    let stale = try await project.sluice("run")
    #expect(stale.exitCode == 3)
    try expectBlock("NO VERDICT", of: stale.output)
    let tried = try await project.sluice("try", "mailbox")
    #expect(tried.exitCode == 0)
    #expect(tried.error == "")
    try expectBlock("PASS  mailbox  2 configurations", of: tried.output)
    #expect(try await project.sluice("recordings", "accept").exitCode == 0)
    try project.commit()
    let accepted = try await project.sluice("run")
    #expect(accepted.exitCode == 0)
    #expect(accepted.output.contains("  – accuracy >= 90%         87.5%, 2.5 points short\n"))
    // In CI.
    #expect(try await project.sluice("init", "--ci", "github").exitCode == 0)
    var ci = project.sluice
    ci.environment = ["CI": "true"]
    #expect(try await ci("recordings", "verify").exitCode == 0)
    #expect(try await ci("run").exitCode == 0)
    #expect(try await ci("compare", "--base", "main").exitCode == 0)
  }

  /// Performs the step in which a reader without a key lets a script answer.
  private func answerWithScript(_ project: ScratchProject) async throws {
    let blocks = try DocumentPage(Self.path).blocks
    let script = try #require(blocks.firstIndex { $0.text.contains("cat > rules.sh") })
    _ = try await PageExampleTests.run(blocks[script].text, in: project)
    try project.edit(
      "sluice.yaml",
      replacing: "backends:\n",
      with: "backends:\n\(blocks[script + 1].text)"
    )
    try project.edit(
      "prompts/mailbox/suite.yaml",
      replacing: "backend: stand-in ",
      with: "backend: rules "
    )
    let printed = try await PageExampleTests.run(blocks[script + 2].text, in: project)
    #expect(printed.contains("mailbox: recorded 16 of 16 answers\n"), "\(printed)")
    #expect(printed.contains("PASS: all 2 gates pass; 2 of 2 goals not reached yet\n"))
  }

  /// Writes the suite that the page shows, and checks it.
  private func tickets(_ page: String, _ project: ScratchProject) async throws {
    let pattern = /`([a-z\/.0-9]+tickets\/[a-z0-9.]+)`:\n\n```[a-z]+\n((?:.*\n)*?)```/
    let files = page.matches(of: pattern).map { (String($0.1), String($0.2)) }
    #expect(files.count == 3)
    for (path, text) in files { try project.write(text, to: path) }
    let validated = try await project.sluice("validate", "tickets")
    #expect(validated.exitCode == 0)
    #expect(page.contains("```\n\(validated.output)```\n"), "\(validated.output)\(validated.error)")
    for folder in ["prompts/tickets", "datasets/tickets"] {
      try FileManager.default.removeItem(at: project.folder.appending(path: folder))
    }
  }

  /// Expects an output to be covered by the page's block with some opening words.
  private func expectBlock(_ words: String, of output: String) throws {
    let blocks = try DocumentPage(Self.path).blocks
    let block = try #require(blocks.first { $0.language.isEmpty && $0.text.hasPrefix(words) })
    #expect(ShownOutput.covers("\n\(output)", by: "…\n\(block.text)…\n"), "\(output)")
  }
}
