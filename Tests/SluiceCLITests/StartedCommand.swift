import Foundation

/// The program while it runs, so that a test can end it in the middle of what it does.
final class StartedCommand {
  private let process: Process
  private let scratch: URL
  private let end: AsyncStream<Void>
  private var output: URL { scratch.appending(path: "out") }
  private var error: URL { scratch.appending(path: "err") }

  /// Starts a process whose output is kept.
  init(_ process: Process) throws {
    self.process = process
    // Files rather than pipes: a pipe that nobody reads would stall a long output.
    scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    // Waiting must not hold a thread: the server that some tests talk to runs in this process.
    let (end, ended) = AsyncStream<Void>.makeStream()
    self.end = end
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    try Data().write(to: output)
    try Data().write(to: error)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: error)
    process.standardInput = FileHandle.nullDevice
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
  }

  deinit { try? FileManager.default.removeItem(at: scratch) }

  var isRunning: Bool { process.isRunning }

  /// Ends the program as a power cut would: it is told nothing.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// What Ctrl-C does.
  func interrupt() { send(SIGINT) }

  func send(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

  /// What it wrote to standard output until now.
  var outputSoFar: String { get throws { try Self.text(of: output) } }
  /// What it wrote to standard error until now.
  var errorSoFar: String { get throws { try Self.text(of: error) } }

  private static func text(of file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// Waits until the program has ended.
  func outcome() async throws -> CommandLineRunner.Outcome {
    for await _ in end {}
    return CommandLineRunner.Outcome(
      exitCode: process.terminationStatus,
      output: try outputSoFar,
      error: try errorSoFar
    )
  }
}
