import Foundation
import TestSupport
import Testing

@Suite("Backends that exchange files")
struct AskedThroughFilesTests {
  /// Four suites whose backend exchanges files, and an edited prompt of one of them.
  private func project() throws -> ScratchProject {
    let project = try ScratchProject.ofDemo()
    let settings = try project.read("sluice.yaml")
    let marked = settings.replacing(
      "model: stand-in-1}",
      with: "model: stand-in-1, asked: through-files}"
    )
    #expect(marked != settings)
    try project.write(marked, to: "sluice.yaml")
    let path = "prompts/tone/v1.yaml"
    let prompt = try project.read(path)
    try project.write(prompt.replacing("before it is sent", with: "before it goes"), to: path)
    #expect(try project.read(path) != prompt)
    return project
  }

  @Test("After an edit without answers, run suggests a batch file instead of sending requests")
  func edited() async throws {
    let project = try project()
    let outcome = try await project.sluice("run", "tone", "--tag", "terse")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.output.hasSuffix(
        """
        Next: export the unanswered requests to a batch file, then import the batch's
        results:
          sluice batch export missing.jsonl tone

        """
      )
    )
    let export = try await project.sluice("batch", "export", "missing.jsonl", "tone")
    #expect(export.exitCode == 0)
    #expect(try project.read("missing.jsonl").split(separator: "\n").count == 20)
  }

  @Test("The list of backends says \"through files\" and shows no address")
  func list() async throws {
    let outcome = try await project().sluice("backends")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        """
        stand-in
          type openai · where through files · model stand-in-1 · key not needed

        """
      )
    )
  }

  @Test(
    "Commands that would send requests refuse and suggest a batch file",
    arguments: [["record"], ["run", "--live"]]
  )
  func sending(_ command: [String]) async throws {
    let outcome = try await project().sluice.run(command + ["tone"])
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: the backend 'stand-in' cannot send requests: its answers come from files
          fix: write the missing requests as a batch file: sluice batch export missing.jsonl --backend stand-in

        """
    )
  }
}
