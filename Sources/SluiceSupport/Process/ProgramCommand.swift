import Subprocess

import SluiceSystem

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs a program without a shell: a text in, a text out, within a time and a size.
///
/// A ``ProgramPool`` keeps one running for many requests.
///
/// The program has a process group of its own, so that it can be ended with all that it started.
package struct ProgramCommand: Sendable {
  /// A path with a slash, seen from the folder, or a name that PATH finds.
  package var program: String
  package var arguments: [String]
  /// All of its environment.
  package var environment: [String: String]
  /// The absolute path of the folder that it works in.
  package var folder: String

  package init(
    program: String,
    arguments: [String],
    environment: [String: String],
    folder: String
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
  }

  /// The end of a program or its answer, with its output until then.
  package struct Outcome: Sendable {
    package var end: End
    /// Its output; the line that answers where it keeps running.
    package var output: [UInt8] = []
    /// The last line of its errors that says something.
    package var lastWords: String?
    /// When it wrote its first byte, from when it was running and given its input.
    package var firstByte: Duration?
    /// When it ended or had answered, from then on.
    package var total = Duration.zero
  }

  package indirect enum End: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    /// It was ended because its time was up, it wrote too much, or the task was cancelled.
    case timedOut, tooLarge, cancelled

    // Of a program that keeps running:
    /// It answered with a line that is a JSON object.
    case answered
    /// It was ended because its line is not a JSON object.
    case unreadable
    /// It was ended because it wrote a line that no request asked for.
    case extraLine
    /// It was ended because its time was up before it had ever answered.
    case neverAnswered
    /// It ended with exit code 0 before it answered.
    case left
    /// It is not started any more, because it never answered in so many starts.
    case givenUp(starts: Int, last: End)
  }

  /// Why a program could not be started.
  package struct Failure: Error, Hashable {
    /// A phrase: "no such file".
    package var reason: String
  }

  /// Runs the program to its end, or ends it.
  ///
  /// - Parameters:
  ///   - input: What it can read.
  ///   - timeout: How long it may run.
  ///   - maximumBytes: How much it may write.
  /// - Returns: How it ended.
  /// - Throws: ``Failure`` when it could not be started.
  package func run(_ input: [UInt8], timeout: Duration, maximumBytes: Int) async throws(Failure)
    -> Outcome
  {
    let talk = try ProgramTalk(input, timeout: timeout, maximumBytes: maximumBytes)
    // A task of its own: a cancelled one would have Subprocess end the program alone, and not what it
    // started.
    let running = Task { await start(talk.pipes) { talk.converse($0) } }
    let end = await withTaskCancellationHandler {
      await running.value
    } onCancel: {
      talk.cancel()
    }
    return talk.outcome(try end.get())
  }

  /// Starts the program in a process group of its own, and waits until it has ended.
  ///
  /// - Parameters:
  ///   - pipes: What it reads and writes.
  ///   - converse: Talks with it until it has ended or was ended, on a thread of its own.
  /// - Returns: How it ended, or why it could not be started.
  func start(
    _ pipes: ProgramPipes,
    _ converse: @escaping @Sendable (pid_t) -> Void
  ) async -> Result<End, Failure> {
    var options = PlatformOptions()
    options.processGroupID = 0
    do {
      let outcome = try await Subprocess.run(
        program.contains("/") ? .path(FilePath(absolutePath)) : .name(program),
        arguments: Arguments(arguments),
        environment: .custom(
          Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0), $1) })
        ),
        workingDirectory: FilePath(folder),
        platformOptions: options,
        input: .fileDescriptor(
          .init(rawValue: pipes.input.reading),
          closeAfterSpawningProcess: true
        ),
        output: .fileDescriptor(
          .init(rawValue: pipes.output.writing),
          closeAfterSpawningProcess: true
        ),
        error: .fileDescriptor(
          .init(rawValue: pipes.errors.writing),
          closeAfterSpawningProcess: true
        )
      ) { execution in
        let process = execution.processIdentifier.value
        await withCheckedContinuation { continuation in
          OwnThread.start {
            let mask = PipeSignal.block(on: pipes.input.writing)
            converse(process)
            mask.restore()
            continuation.resume()
          }
        }
      }
      switch outcome.terminationStatus {
      case .exited(let code): return .success(.exited(code))
      case .signaled(let signal): return .success(.signaled(signal))
      }
    } catch {
      return .failure(Failure(reason: reason(error)))
    }
  }

  /// Returns true when a program has ended; its end is left to be found by the code that started it.
  static func hasEnded(_ process: pid_t) -> Bool {
    var info = siginfo_t()
    let failure = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
    return failure != 0 || info.si_signo != 0
  }

  /// Where a program lies that was named with a slash.
  private var absolutePath: String {
    program.hasPrefix("/") ? program : "\(folder)/\(program)"
  }

  /// Why the program could not be started, with what to do where that is known.
  private func reason(_ error: any Error) -> String {
    if program.contains("/"), access(absolutePath, F_OK) == 0 {
      if access(absolutePath, X_OK) != 0 {
        return "it is not executable; fix: chmod +x \(program)"
      }
      if let interpreter = Self.interpreter(of: absolutePath), access(interpreter, F_OK) != 0 {
        return "its interpreter \(interpreter.debugDescription) is missing"
      }
    }
    guard let error = error as? SubprocessError else { return "\(error)" }
    return error.code == .executableNotFound ? "no such program" : "\(error)"
  }

  /// The program that a script's first line names; nil where the file is no script.
  private static func interpreter(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    let line = bytes[..<count].prefix { $0 != 0x0A }
    guard line.starts(with: Array("#!".utf8)) else { return nil }
    return line.dropFirst(2).split { $0 == 0x20 || $0 == 0x09 }.first
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
