import Foundation
import Sluice
@testable import SluiceCLI
import Testing
import TestSupport

/// A runner of `sluice` commands, as a user would run them.
///
/// Most commands run in this process, which is much faster than starting the built program.
struct CommandLineRunner {
  /// The folder in which the program starts.
  var folder: URL
  var environment: [String: String] = [:]
  /// A command that starts the program, for example without a network.
  var launcher: [String] = []
  /// The terminal for the program's standard error, or `nil` for a file.
  var terminal: PseudoTerminal?
  /// The text on the program's standard input, or `nil` for nothing.
  var input: Data?
  /// True to start the built program, for tests of exit codes, signals and output as the system
  /// sees them.
  var startsProgram = false
  /// The owner of the folder, which keeps the folder alive while the program runs.
  var owner: ScratchProject?

  typealias Outcome = ChildProcess.Outcome

  func callAsFunction(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  func run(_ arguments: [String]) async throws -> Outcome {
    defer { withExtendedLifetime(owner) {} }
    if startsProgram || Self.given != nil || !launcher.isEmpty || terminal != nil || input != nil
      || !Self.areRead(environment.keys)
    {
      return try await start(arguments).outcome()
    }
    let written = Locked((output: "", error: ""))
    let code = await Program.run(
      arguments,
      as: Invocation(
        folder: try #require(DiskFileSystem(root: folder.path)).root,
        environment: variables
      ) { text, descriptor in
        written.withLock { written in
          if descriptor == STDOUT_FILENO { written.output += text } else { written.error += text }
        }
      }
    )
    let (output, error) = written.withLock { $0 }
    return Outcome(exitCode: code, output: output, error: error)
  }

  /// Starts the program without waiting for it.
  func start(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      launcher + [try Self.program.path] + arguments,
      in: folder.path,
      environment: variables,
      input: input,
      terminal: terminal
    )
  }

  private var variables: [String: String] {
    let usual = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
      // Progress lines depend on the speed of the machine.
      "SLUICE_PROGRESS": "off",
    ]
    return usual.merging(environment) { $1 }
  }

  /// Returns true if only commands read these variables, not the system, a library or git.
  private static func areRead(_ names: some Sequence<String>) -> Bool {
    names.allSatisfy { name in
      ["CI", "SLUICE_BASE"].contains(name) || name.hasSuffix("_KEY")
        || ["CI_", "GITHUB_", "GITLAB_"].contains { name.hasPrefix($0) }
    }
  }

  /// The path in `SLUICE_BINARY`, or `nil` if it is not set.
  private static let given = ProcessInfo.processInfo.environment["SLUICE_BINARY"].flatMap {
    $0.isEmpty ? nil : $0
  }

  /// The program next to the running tests, or the one that `SLUICE_BINARY` names, such as a release.
  static var program: URL {
    get throws {
      if let path = given {
        let isProgram = FileManager.default.isExecutableFile(atPath: path)
        return try #require(
          isProgram ? URL(fileURLWithPath: path) : nil,
          "SLUICE_BINARY names '\(path)', which is not a program"
        )
      }
      var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      for _ in 0..<5 {
        let candidate = folder.appending(path: "sluice")
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
          !isFolder.boolValue
        {
          return candidate
        }
        folder.deleteLastPathComponent()
      }
      return try #require(nil as URL?, "the program 'sluice' is not beside the tests")
    }
  }
}

/// A project in a temporary folder, which is removed with the last reference.
final class ScratchProject {
  let folder: URL

  /// The root folder of this repository.
  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// An empty folder.
  init() throws {
    folder = FileManager.default.temporaryDirectory
      .resolvingSymlinksInPath().appending(path: "sluice-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Returns a copy of four suites with fixed recordings and baselines, so that expected figures do
  /// not depend on this project's own suites.
  static func ofDemo() throws -> ScratchProject {
    try copy(of: repository.appending(path: "Tests/SluiceCLITests/Fixtures/four-suites"))
  }

  /// Returns a copy of this project's own suites, with their recordings and baselines.
  static func ofOwnProject() throws -> ScratchProject { try copy(of: repository) }

  private static func copy(of source: URL) throws -> ScratchProject {
    let project = try ScratchProject()
    let reports = project.folder.appending(path: "reports")
    try FileManager.default.createDirectory(at: reports, withIntermediateDirectories: true)
    for name in ["sluice.yaml", "prices", "prompts", "datasets", "reports/baselines"] {
      try FileManager.default.copyItem(
        at: source.appending(path: name),
        to: project.folder.appending(path: name)
      )
    }
    return project
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var sluice: CommandLineRunner { CommandLineRunner(folder: folder, owner: self) }

  /// The built program, which runs in a separate process.
  var program: CommandLineRunner {
    var program = sluice
    program.startsProgram = true
    return program
  }

  func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
  }

  func write(_ text: String, to path: String) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }

  /// Replaces the first occurrence of a text, which must exist.
  func edit(_ path: String, replacing old: String, with new: String) throws {
    let text = try read(path)
    let range = try #require(text.range(of: old), "\(path) does not hold '\(old)'")
    try write(text.replacingCharacters(in: range, with: new), to: path)
  }

  /// Removes the lines that contain a text.
  ///
  /// At least one must contain it.
  func removeLines(of path: String, holding part: String) throws {
    let lines = try read(path).split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { !$0.contains(part) }
    try #require(kept.count < lines.count, "\(path) does not hold '\(part)'")
    try write(kept.joined(separator: "\n"), to: path)
  }
}
