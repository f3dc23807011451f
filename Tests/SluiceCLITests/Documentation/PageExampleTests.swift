import Foundation
import Testing
import TestSupport

/// Tests of the opening examples of the pages in `docs/`.
///
/// An example consists of a page's first block of shell commands and the block of output after it.
/// The commands run in the project that `sluice init` writes, committed to git. A line `…` of the
/// output matches any lines, and a `…` within a line matches any text.
@Suite("The examples in the documentation")
struct PageExampleTests {
  /// Pages without an example that runs in a new project.
  static let exceptions: Set<String> = [
    // This page begins in an empty folder; TenMinutesTests runs its commands.
    "docs/ten-minutes.md",
    // These pages have no example: an index, an explanation of concepts, and a plan for authors.
    "docs/README.md", "docs/concepts.md", "docs/pages.md",
    // Programs in Benchmarks write these pages.
    "docs/operating-characteristics.md", "docs/prompt-edits.md",
  ]

  @Test(
    "The first commands of a page print the output that the page shows",
    arguments: DocumentPage.guides.filter { !exceptions.contains($0.path) }
  )
  func example(page: DocumentPage) async throws {
    let blocks = page.blocks
    let commands = try #require(blocks.first, "\(page.path) has no example")
    let output = try #require(blocks.dropFirst().first, "\(page.path) shows no output")
    #expect(commands.language == "sh", "\(page.path) opens with a block of '\(commands.language)'")
    #expect(output.language == "", "\(page.path) shows no output below its first commands")
    #expect(commands.line <= 20, "\(page.path) begins with its example on line \(commands.line)")
    let project = try ScratchProject()
    #expect(try await project.sluice("init").exitCode == 0)
    try project.makeRepository()
    let printed = try await Self.run(commands.text, in: project)
    #expect(
      ShownOutput.covers(printed, by: output.text),
      "\(page.path) does not show what its commands print:\n\(printed)"
    )
  }

  /// Returns the output and errors of commands that run in a project.
  static func run(_ commands: String, in project: ScratchProject) async throws -> String {
    let tools = try CommandLineRunner.program.deletingLastPathComponent().path
    let inherited = ProcessInfo.processInfo.environment
    let outcome = try await ChildProcess(
      ["sh", "-c", "exec 2>&1\n" + commands],
      in: project.folder.path,
      environment: [
        "PATH": "\(tools):\(inherited["PATH"] ?? "/usr/bin:/bin")",
        "LD_LIBRARY_PATH": inherited["LD_LIBRARY_PATH"] ?? "",
        "SLUICE_PROGRESS": "off",
        "HOME": project.folder.path,
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.example",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.example",
      ]
    ).outcome()
    withExtendedLifetime(project) {}
    return outcome.output
  }
}
