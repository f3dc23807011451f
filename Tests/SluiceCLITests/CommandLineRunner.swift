import Foundation
import Sluice
import Testing
import TestSupport

/// Runs the built `sluice` program as a person would.
struct CommandLineRunner {
  /// The folder that the program is started in.
  var folder: URL
  var environment: [String: String] = [:]
  /// A command that starts the program, such as one that takes the network away.
  var launcher: [String] = []
  /// What the program writes standard error to; nil for a file.
  var terminal: PseudoTerminal?
  /// What the program reads from standard input; nil for nothing.
  var input: Data?
  /// Keeps the folder in being while the program runs.
  var owner: ScratchProject?

  typealias Outcome = ChildProcess.Outcome

  func callAsFunction(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  func run(_ arguments: [String]) async throws -> Outcome {
    defer { withExtendedLifetime(owner) {} }
    return try await start(arguments).outcome()
  }

  /// Starts the program and goes on.
  func start(_ arguments: [String]) throws -> ChildProcess {
    let program = try Self.program.path
    let usual = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
      // How long a call takes, and so what it says meanwhile, is the machine's.
      "SLUICE_PROGRESS": "off",
    ]
    return try ChildProcess(
      launcher + [program] + arguments,
      in: folder.path,
      environment: usual.merging(environment) { $1 },
      input: input,
      terminal: terminal
    )
  }

  /// The program beside the running tests.
  static var program: URL {
    get throws {
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

/// A project in a temporary folder, removed when the last reference goes.
final class ScratchProject {
  let folder: URL

  /// The folder of this project's own sources.
  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// An empty folder.
  init() throws {
    folder = FileManager.default.temporaryDirectory
      .resolvingSymlinksInPath().appending(path: "sluice-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A copy of four suites with recordings and baselines that do not change: what tests say of
  /// figures holds whatever becomes of this project's own suites.
  static func ofDemo() throws -> ScratchProject {
    try copy(of: repository.appending(path: "Tests/SluiceCLITests/Fixtures/four-suites"))
  }

  /// A copy of this project's own suites, with their recordings and baselines.
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

  /// Replaces the first occurrence of a text, which must be there.
  func edit(_ path: String, replacing old: String, with new: String) throws {
    let text = try read(path)
    let range = try #require(text.range(of: old), "\(path) does not hold '\(old)'")
    try write(text.replacingCharacters(in: range, with: new), to: path)
  }

  /// Removes the lines that hold a text; there must be some.
  func removeLines(of path: String, holding part: String) throws {
    let lines = try read(path).split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { !$0.contains(part) }
    try #require(kept.count < lines.count, "\(path) does not hold '\(part)'")
    try write(kept.joined(separator: "\n"), to: path)
  }
}
