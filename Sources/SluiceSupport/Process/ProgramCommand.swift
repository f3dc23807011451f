import Subprocess

import SluiceSystem

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A program to run without a shell, with limits on time and output.
///
/// The program runs in its own process group, so that it can be ended together with its children.
/// To keep a program running for many requests, use a ``ProgramPool``.
package struct ProgramCommand: Sendable {
  /// A path with a slash, relative to the folder, or a name to look up in PATH.
  package var program: String
  package var arguments: [String]
  /// The complete environment of the program.
  package var environment: [String: String]
  /// The absolute path of the working directory.
  package var folder: String
  /// The permission to start, which every start checks.
  private let permission: ProgramPermission

  package init(
    program: String,
    arguments: [String],
    environment: [String: String],
    folder: String,
    permission: ProgramPermission = .granted
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
    self.permission = permission
  }

  /// The end of a program, or its answer, with the output so far.
  package struct Outcome: Sendable {
    package var end: End
    /// The output; for a program that keeps running, the line with the answer.
    package var output: [UInt8] = []
    /// The last line of the program's standard error that is not blank.
    package var lastWords: String?
    /// The time to the first byte of output, measured from the moment when the program was running
    /// and had received its input.
    package var firstByte: Duration?
    /// The time until the program ended or answered, measured from the same start as
    /// ``firstByte``.
    package var total = Duration.zero
  }

  package indirect enum End: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    /// The program was ended because it ran out of time.
    case timedOut
    /// The program was ended because it wrote too much.
    case tooLarge
    /// The program was ended because the task was cancelled.
    case cancelled

    // The following cases apply to programs that keep running.
    /// The program answered with a line that is a JSON object.
    case answered
    /// The program was ended because it answered with a line that is not a JSON object.
    case unreadable
    /// The program was ended because it wrote a line although there was no request.
    case extraLine
    /// The program was ended because it ran out of time before its first answer.
    case neverAnswered
    /// The program exited with code 0 before it answered.
    case left
    /// The program is not restarted, because it did not answer after `starts` consecutive starts.
    case givenUp(starts: Int, last: End)
  }

  /// The reason why a program could not be started.
  package struct Failure: Error, Hashable {
    /// The reason as a phrase, such as "no such file".
    package var reason: String
    /// True if the program has no permission to start.
    package var isRefusal = false
  }

  /// Runs the program until it ends, and kills it if it exceeds a limit.
  ///
  /// - Parameters:
  ///   - input: The standard input of the program.
  ///   - timeout: The maximum running time.
  ///   - maximumBytes: The maximum size of the output.
  /// - Returns: The outcome of the program.
  /// - Throws: ``Failure`` if the program could not be started.
  package func run(_ input: [UInt8], timeout: Duration, maximumBytes: Int) async throws(Failure)
    -> Outcome
  {
    let talk = try ProgramTalk(input, timeout: timeout, maximumBytes: maximumBytes)
    // Runs in a separate task: if this task were cancelled, Subprocess would end only the program
    // and not its children.
    let running = Task { await start(talk.pipes) { talk.converse($0) } }
    let end = await withTaskCancellationHandler {
      await running.value
    } onCancel: {
      talk.cancel()
    }
    return talk.outcome(try end.get())
  }

  /// Starts the program in its own process group, and waits for its end.
  ///
  /// - Parameters:
  ///   - pipes: The pipes to the program.
  ///   - converse: Communicates with the program until it ends; called on a separate thread.
  /// - Returns: The exit status, or the reason why the program could not be started.
  func start(
    _ pipes: ProgramPipes,
    _ converse: @escaping @Sendable (pid_t) -> Void
  ) async -> Result<End, Failure> {
    if let reason = await permission.refusal {
      for end in [pipes.input.reading, pipes.output.writing, pipes.errors.writing] {
        FileDescriptor.close(end)
      }
      return .failure(Failure(reason: reason, isRefusal: true))
    }
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

  /// Returns true if a program has ended.
  ///
  /// Does not reap the process, since the code that started the process does that.
  static func hasEnded(_ process: pid_t) -> Bool {
    var info = siginfo_t()
    let failure = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
    return failure != 0 || info.si_signo != 0
  }

  /// The absolute path of a program whose name contains a slash.
  private var absolutePath: String {
    program.hasPrefix("/") ? program : "\(folder)/\(program)"
  }

  /// Returns the reason why the program could not be started, with a fix if one is known.
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

  /// Returns the interpreter named in a script's first line; nil if the file is not a script.
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
