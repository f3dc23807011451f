package import SluiceSupport

/// Asks a program: a process for each request.
package struct ProgramBackend: Backend {
  private let endpoint: ProgramEndpoint
  private let command: ProgramCommand
  private let secrets: [Secret]
  private let sending: SendingPolicy
  private let now: @Sendable () -> Timestamp

  /// How much a program may write.
  static let maximumBytes = 16 << 20

  /// Creates a backend.
  ///
  /// - Throws: ``BackendError`` when a variable that is passed on is not set.
  package init(
    _ endpoint: ProgramEndpoint,
    name: String,
    sending: SendingPolicy = SendingPolicy(),
    surroundings: Surroundings
  ) throws(BackendError) {
    self.endpoint = endpoint
    self.sending = sending
    now = surroundings.now
    secrets = endpoint.secrets(in: surroundings.environment)
    command = try endpoint.started(by: "the backend '\(name)'", in: surroundings)
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let end: ProgramCommand.Outcome
    do throws(ProgramCommand.Failure) {
      end = try await command.run(
        JSONWriter.line(request.body) + [0x0A],
        timeout: sending.timeout,
        maximumBytes: Self.maximumBytes
      )
    } catch {
      throw BackendError(.programFailed, "\(endpoint.place) could not be started: \(error.reason)")
    }
    if let error = end.error(of: endpoint.place, secrets, maximumBytes: Self.maximumBytes) {
      throw error
    }
    let response = RawResponse(
      status: 0,
      body: end.output,
      timings: ResponseTimings(
        firstByte: end.firstByte.map(\.milliseconds),
        total: end.total.milliseconds
      ),
      host: endpoint.place,
      date: now()
    )
    return Exchange(
      request: request,
      response: response,
      answer: try ProgramAnswer.read(response, hiding: secrets)
    )
  }
}

extension ProgramCommand.Outcome {
  /// Why a program that ended so has no answer; nil where it may have one.
  ///
  /// - Parameters:
  ///   - place: What the program is called.
  ///   - secrets: What its last words may repeat and must not be seen.
  ///   - maximumBytes: How much it may write.
  /// - Returns: The reason.
  func error(of place: String, _ secrets: [Secret], maximumBytes: Int) -> BackendError? {
    let words = lastWords.map { ": \($0.hiding(secrets).prefix(300))" } ?? ""
    switch end {
    case .exited(0): return nil
    case .exited(let code):
      return BackendError(.programFailed, "\(place) ended with exit code \(code)\(words)")
    case .signaled(let signal):
      return BackendError(.programFailed, "\(place) was ended by signal \(signal)\(words)")
    case .timedOut: return BackendError(.timedOut, "\(place) did not answer in time")
    case .tooLarge:
      return BackendError(
        .brokenAnswer,
        "the answer of \(place) is larger than \(maximumBytes >> 20) MiB",
        canRetry: false
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
    var variables: [String: String] = [:]
    for variable in ProgramEndpoint.usualVariables {
      variables[variable] = surroundings.environment[variable]
    }
    for variable in self.variables {
      guard let value = surroundings.environment[variable] else {
        throw BackendError(
          .missingKey,
          "\(owner) passes on the environment variable \(variable), which is not set"
        )
      }
      variables[variable] = value
    }
    let root = surroundings.files.diskRoot ?? DiskFileSystem.workingFolder
    let path = folder.description
    return ProgramCommand(
      program: command[0],
      arguments: Array(command.dropFirst()),
      environment: variables,
      folder: path == "." ? root : "\(root)/\(path)"
    )
  }

  /// The values of variables that are passed on and that are secret by their names.
  package func secrets(in environment: [String: String]) -> [Secret] {
    let words = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"]
    return variables.filter { name in words.contains { name.uppercased().contains($0) } }
      .compactMap { environment[$0] }.filter { !$0.isEmpty }.map { Secret($0) }
  }
}
