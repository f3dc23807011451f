import Foundation
import StandInModel
import Testing
import TestSupport

extension ScratchProject {
  static let clarityPrompt = "prompts/clarity/v1.yaml"

  /// The demo in a git repository with two commits.
  ///
  /// The second one drops an instruction from a prompt.
  static func ofDemoWithDroppedInstruction() throws -> ScratchProject {
    let project = try ofDemo()
    try project.makeRepository()
    try project.dropInstruction()
    try project.commit()
    return project
  }

  /// Replaces the suite's prompt with the one that lacks an instruction.
  func dropInstruction() throws {
    try write(try read("prompts/clarity/without-conversation.yaml"), to: Self.clarityPrompt)
  }

  /// Makes a git repository of the folder, or of one above it, and commits all its files.
  func makeRepository() throws {
    try write("reports/runs/\nreports/latest/\n", to: ".gitignore")
    try git("init", "--quiet", "--initial-branch=main", ".")
    try commit()
  }

  func commit() throws {
    try git("add", "--all")
    try git("commit", "--quiet", "--allow-empty", "--message=change")
  }

  @discardableResult
  func git(_ arguments: String...) throws -> String {
    try Git.run(arguments, in: folder.path)
  }

  /// Runs a test on a copy of the demo whose backend is a stand-in in this process.
  static func withStandIn(_ body: (ScratchProject) async throws -> Void) async throws {
    let server = try StandInServer(port: 0)
    let port = try await server.start()
    do {
      let project = try ofDemo()
      try project.edit("sluice.yaml", replacing: "127.0.0.1:8089", with: "127.0.0.1:\(port)")
      try await body(project)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}

extension CommandLineRunner {
  /// Runs a command line of plain words, as an output suggests it.
  func line(_ line: String) async throws -> Outcome {
    let words = line.split(separator: " ").map { String($0) }
    try #require(words.first == "sluice", "\(line)")
    return try await run(Array(words.dropFirst()))
  }

  /// The command that an output suggests.
  static func nextCommand(_ output: String) -> String? {
    let lines = output.split(separator: "\n")
    guard let next = lines.firstIndex(where: { $0.hasPrefix("Next: ") }),
      let command = lines.dropFirst(next + 1).first
    else { return nil }
    return String(command.drop { $0 == " " })
  }
}
