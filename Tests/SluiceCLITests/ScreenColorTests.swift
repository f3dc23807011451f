import Foundation
import Testing
import TestSupport

@Suite("Colors of screens")
struct ScreenColorTests {
  /// The output of a command in a terminal.
  private func shown(
    _ project: ScratchProject,
    _ arguments: [String],
    environment: [String: String] = [:]
  ) async throws -> String {
    let terminal = try PseudoTerminal(columns: 120)
    var sluice = project.sluice
    sluice.environment = environment
    sluice.launcher = ["/bin/sh", "-c", "exec \"$0\" \"$@\" > '\(terminal.path)'"]
    _ = try await sluice.run(arguments)
    return terminal.text
  }

  @Test("A terminal gets colors unless NO_COLOR or TERM=dumb is set; a pipe gets none")
  func colors() async throws {
    let project = try ScratchProject.ofDemo()
    for command in [
      ["run", "category"], ["plan", "category"], ["noise", "category"], ["health"],
      ["history", "category"],
      ["show", "category-heart-only", "--suite", "category"],
      ["compare", "clarity", "--prompt", "prompts/clarity/without-conversation.yaml"],
    ] {
      let colored = try await shown(project, command, environment: ["TERM": "xterm"])
      if command[0] != "show" {
        #expect(colored.contains("\u{1B}["), "\(command)")
      }
      for environment in [["NO_COLOR": "1", "TERM": "xterm"], ["TERM": "dumb"]] {
        let plain = try await shown(project, command, environment: environment)
        #expect(!plain.isEmpty, "\(command)")
        #expect(!plain.contains("\u{1B}"), "\(command)")
      }
      let piped = try await project.sluice.run(command)
      #expect(!(piped.output + piped.error).contains("\u{1B}"), "\(command)")
    }
  }
}
