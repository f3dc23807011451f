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
    var variables: [String: String] = [:]
    for variable in ProgramEndpoint.usualVariables {
      variables[variable] = surroundings.environment[variable]
    }
    for variable in endpoint.variables {
      guard let value = surroundings.environment[variable] else {
        throw BackendError(
          .missingKey,
          "the backend '\(name)' passes on the environment variable \(variable), which is not set"
        )
      }
      variables[variable] = value
    }
    secrets = endpoint.secrets(in: surroundings.environment)
    command = ProgramCommand(
      program: endpoint.command[0],
      arguments: Array(endpoint.command.dropFirst()),
      environment: variables,
      folder: (surroundings.files as? DiskFileSystem)?.root ?? DiskFileSystem.workingFolder
    )
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
    if let error = error(of: end) { throw error }
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

  /// Why a program that ended so has no answer; nil where it may have one.
  private func error(of outcome: ProgramCommand.Outcome) -> BackendError? {
    let place = endpoint.place
    let words = outcome.lastWords.map { ": \($0.hiding(secrets).prefix(300))" } ?? ""
    switch outcome.end {
    case .exited(0): return nil
    case .exited(let code):
      return BackendError(.programFailed, "\(place) ended with exit code \(code)\(words)")
    case .signaled(let signal):
      return BackendError(.programFailed, "\(place) was ended by signal \(signal)\(words)")
    case .timedOut: return BackendError(.timedOut, "\(place) did not answer in time")
    case .tooLarge:
      return BackendError(
        .brokenAnswer,
        "the answer of \(place) is larger than \(Self.maximumBytes >> 20) MiB",
        canRetry: false
      )
    case .cancelled: return BackendError(.cancelled, "the request was cancelled")
    }
  }
}

extension ProgramEndpoint {
  /// The values of variables that are passed on and that are secret by their names.
  package func secrets(in environment: [String: String]) -> [Secret] {
    let words = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"]
    return variables.filter { name in words.contains { name.uppercased().contains($0) } }
      .compactMap { environment[$0] }.filter { !$0.isEmpty }.map { Secret($0) }
  }
}
