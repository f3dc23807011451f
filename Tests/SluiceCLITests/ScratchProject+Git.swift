import Foundation
import StandInModel
import Testing

extension ScratchProject {
  static let clarityPrompt = "prompts/clarity/v1.yaml"

  /// The demo in a git repository of two commits: the second one dropped an instruction of a prompt.
  static func ofDemoWithDroppedInstruction() throws -> ScratchProject {
    let project = try ofDemo()
    try project.makeRepository()
    try project.dropInstruction()
    try project.commit()
    return project
  }

  /// Puts the prompt without an instruction in the place of the one that the suite runs.
  func dropInstruction() throws {
    try write(try read("prompts/clarity/without-conversation.yaml"), to: Self.clarityPrompt)
  }

  /// Makes the folder, or one above, a git repository with all that is there in its first commit.
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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org"] + arguments
    process.currentDirectoryURL = folder
    // Neither the user's own configuration nor a hook that runs the tests has a part in it.
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
    environment["GIT_CONFIG_NOSYSTEM"] = "1"
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "git \(arguments.joined(separator: " "))")
    return text
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
  /// Runs a command of plain words, as an output asks to copy it.
  func line(_ line: String) async throws -> Outcome {
    let words = line.split(separator: " ").map { String($0) }
    try #require(words.first == "sluice", "\(line)")
    return try await run(Array(words.dropFirst()))
  }

  /// The command that an output asks to copy.
  static func nextCommand(_ output: String) -> String? {
    let lines = output.split(separator: "\n")
    guard let next = lines.firstIndex(where: { $0.hasPrefix("Next: ") }),
      let command = lines.dropFirst(next + 1).first
    else { return nil }
    return String(command.drop { $0 == " " })
  }
}
