import SluiceSupport

/// Asks a program and says why it has no answer: a process for each request, or one that keeps running.
struct ProgramClient: Sendable {
  /// The program's name in messages and recordings.
  let place: String
  /// The values that messages may repeat and must not show.
  let secrets: [Secret]
  private let command: ProgramCommand
  private let pool: ProgramPool?
  private let limits: Limits

  /// The bounds of an answer: its time and its length.
  struct Limits: Sendable {
    var timeout: Duration
    var bytes: Int
  }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - endpoint: The program.
  ///   - owner: The part that asks it, in the words of a message: "the backend 'reply'".
  ///   - folder: The folder that it works in.
  ///   - limits: The bounds of its answers.
  ///   - surroundings: Where variables come from, and the project's files lie.
  ///   - programs: The programs that keep running, which end with the run; nil where none may.
  /// - Throws: ``BackendError`` when a variable that is passed on is not set.
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
    self.limits = limits
    command = try endpoint.started(by: owner, in: surroundings, folder: folder)
    guard endpoint.keepsRunning else {
      pool = nil
      return
    }
    guard let programs else {
      throw BackendError(
        .programFailed,
        "\(owner) keeps a program running, which nothing would end"
      )
    }
    pool = ProgramPool(command, in: programs)
  }

  /// Sends a line and returns what the program wrote.
  ///
  /// - Throws: ``BackendError`` where it wrote no answer.
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
      throw BackendError(.programFailed, "\(place) could not be started: \(error.reason)")
    }
    if let error = error(for: outcome.end, outcome.lastWords) { throw error }
    return outcome
  }

  /// Why a program has no answer; nil where it may have one.
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
      let rule = "with 'keep-running' it reads line by line and flushes each answer as a line"
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
        "\(place) wrote a line too many; with 'keep-running' each request is answered by one line",
        canRetry: false
      )
    case .givenUp(let starts, let last):
      let reason =
        error(for: last, lastWords)?.message ?? "its answer is not a JSON object on one line"
      return BackendError(
        .programFailed,
        "\(place) is not started any more, because it never answered in \(starts) starts; "
          + "the last time: \(reason)"
      )
    case .cancelled: return BackendError(.cancelled, "the request was cancelled")
    }
  }
}

extension ProgramEndpoint {
  /// The command that starts the program.
  ///
  /// - Parameters:
  ///   - owner: What starts it, in the words of a message: "the backend 'reply'".
  ///   - surroundings: Where variables come from, and the project's files lie.
  ///   - folder: The folder that it works in.
  /// - Returns: The command.
  /// - Throws: ``BackendError`` when a variable that is passed on is not set.
  func started(
    by owner: String,
    in surroundings: Surroundings,
    folder: ProjectPath = ProjectPath(".")
  ) throws(BackendError) -> ProgramCommand {
    try ProgramCommand(command, passing: variables, by: owner, in: surroundings, folder: folder)
  }

  /// The values of variables that are passed on and that are secret by their names.
  package func secrets(in environment: [String: String]) -> [Secret] {
    Self.secrets(of: variables, in: environment)
  }

  /// The values of those variables that are secret by their names.
  static func secrets(of variables: [String], in environment: [String: String]) -> [Secret] {
    let words = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"]
    return variables.filter { name in words.contains { name.uppercased().contains($0) } }
      .compactMap { environment[$0] }.filter { !$0.isEmpty }.map { Secret($0) }
  }
}

extension ProgramCommand {
  /// Prepares a program that a file of the project names.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - variables: The environment variables that are passed on, beside the usual ones.
  ///   - owner: What starts it, in the words of a message: "the backend 'reply'".
  ///   - surroundings: Where variables come from, and the project's files lie.
  ///   - folder: The folder that it works in.
  /// - Throws: ``BackendError`` when a variable that is passed on is not set.
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
          "\(owner) passes on the environment variable \(variable), which is not set"
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
      folder: path == "." ? root : "\(root)/\(path)"
    )
  }
}
