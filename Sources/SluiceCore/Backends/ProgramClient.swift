import SluiceSupport

/// A client that sends requests to a program, and explains missing answers.
///
/// It starts a process for each request, or keeps processes running between requests.
struct ProgramClient: Sendable {
  /// The program's name in messages and recordings.
  let place: String
  /// The values that messages may repeat and that must be redacted.
  let secrets: [Secret]
  private let owner: String
  private let command: ProgramCommand
  private let pool: ProgramPool?
  private let limits: Limits

  /// The limits of an answer: its time, and its size in bytes.
  struct Limits: Sendable {
    var timeout: Duration
    var bytes: Int
  }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - endpoint: The program.
  ///   - owner: The words for the backend or scorer that starts the program, such as "the backend
  ///     'reply'".
  ///   - folder: The working directory.
  ///   - limits: The limits of each answer.
  ///   - surroundings: The environment, which contains the variables and the project's files.
  ///   - programs: The programs that keep running until the run ends; nil if no program may keep
  ///     running.
  /// - Throws: ``BackendError`` if an environment variable of the program is not set.
  init(
    _ endpoint: ProgramEndpoint,
    of owner: String,
    folder: ProjectPath = ProjectPath("."),
    limits: Limits,
    surroundings: Surroundings,
    programs: RunningPrograms?
  ) throws(BackendError) {
    place = endpoint.place
    secrets = endpoint.secrets(in: surroundings.environment)
    (self.limits, self.owner) = (limits, owner)
    command = try endpoint.started(by: owner, in: surroundings, folder: folder)
    guard endpoint.keepsRunning else {
      pool = nil
      return
    }
    guard let programs else {
      throw BackendError(
        .programFailed,
        "\(owner) has 'keep-running', which is not supported here: nothing would stop the program"
      )
    }
    pool = ProgramPool(command, in: programs)
  }

  /// Sends a line and returns the program's output.
  ///
  /// - Throws: ``BackendError`` if there is no answer.
  func ask(_ line: [UInt8]) async throws(BackendError) -> ProgramCommand.Outcome {
    let outcome: ProgramCommand.Outcome
    do throws(ProgramCommand.Failure) {
      if let pool {
        outcome = try await pool.ask(line, timeout: limits.timeout, maximumBytes: limits.bytes)
      } else {
        outcome = try await command.run(
          line,
          timeout: limits.timeout,
          maximumBytes: limits.bytes
        )
      }
    } catch {
      throw error.isRefusal
        ? .refused("\(place) of \(owner)", error.reason)
        : BackendError(.programFailed, "\(place) could not be started: \(error.reason)")
    }
    if let error = error(for: outcome.end, outcome.lastWords) { throw error }
    return outcome
  }

  /// Returns the error for a program that gave no answer; nil if there may be an answer.
  private func error(for end: ProgramCommand.End, _ lastWords: String?) -> BackendError? {
    let words = lastWords.map { ": \($0.hiding(secrets).prefix(300))" } ?? ""
    switch end {
    case .exited(0), .answered, .unreadable: return nil
    case .exited(let code):
      return BackendError(.programFailed, "\(place) ended with exit code \(code)\(words)")
    case .signaled(let signal):
      return BackendError(.programFailed, "\(place) was ended by signal \(signal)\(words)")
    case .left:
      return BackendError(.programFailed, "\(place) ended before it answered\(words)")
    case .timedOut: return BackendError(.timedOut, "\(place) did not answer in time")
    case .neverAnswered:
      let rule =
        "with 'keep-running', the program must read line by line and flush its output after each answer"
      return BackendError(.timedOut, "\(place) did not answer in time; \(rule)")
    case .tooLarge:
      return BackendError(
        .brokenAnswer,
        "the answer of \(place) is larger than \(limits.bytes >> 20) MiB",
        canRetry: false
      )
    case .extraLine:
      return BackendError(
        .brokenAnswer,
        "\(place) wrote an extra line; with 'keep-running', it must answer each request with one "
          + "line",
        canRetry: false
      )
    case .givenUp(let starts, let last):
      let reason =
        error(for: last, lastWords)?.message ?? "its answer is not a JSON object on one line"
      return BackendError(
        .programFailed,
        "\(place) will not be started again, because it was started \(starts) times and never "
          + "answered; the last failure: \(reason)"
      )
    case .cancelled: return BackendError(.cancelled, "the request was cancelled")
    }
  }
}

extension BackendError {
  /// Returns the error for a program that may not start.
  static func refused(_ program: String, _ reason: String) -> BackendError {
    var error = BackendError(.programFailed, "program not run: \(program): \(reason)")
    error.advice = "read the program and the files that it uses, then allow it with --programs"
    return error
  }
}

extension ProgramEndpoint {
  /// Returns the command that starts the program.
  ///
  /// - Parameters:
  ///   - owner: The words for the backend or scorer that starts the program, such as "the backend
  ///     'reply'".
  ///   - surroundings: The environment, which contains the variables and the project's files.
  ///   - folder: The working directory.
  /// - Returns: The command.
  /// - Throws: ``BackendError`` if an environment variable of the program is not set.
  func started(
    by owner: String,
    in surroundings: Surroundings,
    folder: ProjectPath = ProjectPath(".")
  ) throws(BackendError) -> ProgramCommand {
    try ProgramCommand(command, passing: variables, by: owner, in: surroundings, folder: folder)
  }

  /// Returns the secrets among the values of the program's variables.
  package func secrets(in environment: [String: String]) -> [Secret] {
    Self.secrets(of: variables, in: environment)
  }
}

extension ProgramCommand {
  /// Creates the command for a program that a project file names.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - variables: The environment variables that the program receives in addition to the usual ones.
  ///   - owner: The words for the backend or scorer that starts the program, such as "the backend
  ///     'reply'".
  ///   - surroundings: The environment, which contains the variables and the project's files.
  ///   - folder: The working directory.
  /// - Throws: ``BackendError`` if an environment variable of the program is not set.
  init(
    _ words: [String],
    passing variables: [String],
    by owner: String,
    in surroundings: Surroundings,
    folder: ProjectPath = ProjectPath(".")
  ) throws(BackendError) {
    var environment: [String: String] = [:]
    for variable in ProgramEndpoint.usualVariables {
      environment[variable] = surroundings.environment[variable]
    }
    for variable in variables {
      guard let value = surroundings.environment[variable] else {
        throw BackendError(
          .missingKey,
          "\(owner) needs the environment variable \(variable), which is not set"
        )
      }
      environment[variable] = value
    }
    let root = surroundings.files.diskRoot ?? DiskFileSystem.workingFolder
    let path = folder.description
    self.init(
      program: words[0],
      arguments: Array(words.dropFirst()),
      environment: environment,
      folder: path == "." ? root : "\(root)/\(path)",
      permission: surroundings.programs
    )
  }
}
