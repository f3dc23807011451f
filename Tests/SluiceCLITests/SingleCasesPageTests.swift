import Foundation
import Testing
import TestSupport

/// The steps of `docs/single-cases.md`, run on four suites with fixed recordings.
@Suite("Single cases")
struct SingleCasesPageTests {
  @Test("The page shows the output of its commands")
  func page() async throws {
    let page = try String(
      contentsOf: ScratchProject.repository.appending(path: "docs/single-cases.md"),
      encoding: .utf8
    )
    let project = try ScratchProject.ofDemo()
    #expect(try await project.sluice("run", "tone").exitCode == 0)
    let shown = page.matches(of: /```sh\nsluice ([^\n]*)\n```\n\n```\n((?:.*\n)*?)```\n/)
    try #require(shown.count == 3)
    for (index, match) in shown.enumerated() {
      if index == 2 {
        // The page describes this edit between the commands.
        try project.edit("prompts/tone/v1.yaml", replacing: "Be gentle", with: "Be kind")
      }
      let outcome = try await project.sluice.run(match.1.split(separator: " ").map(String.init))
      #expect(outcome.output == match.2, "\(match.1)\n\(outcome.output)")
    }
  }
}
