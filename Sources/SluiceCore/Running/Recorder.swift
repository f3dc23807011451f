package import SluiceSupport

/// Sends requests and keeps the answers in a journal, a line as each of them comes.
package struct Recorder: Sendable {
  private let plan: SuitePlan
  private let files: any FileSystem
  private let journals: [String: Journal]
  private let redact: @Sendable (Exchange) -> Exchange

  /// Where the answers of a backend are added.
  package struct Journal: Sendable {
    package var path: ProjectPath
    /// What the journal holds already.
    package var recorded: RecordingFile

    package init(path: ProjectPath, recorded: RecordingFile) {
      self.path = path
      self.recorded = recorded
    }
  }

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - plan: The suite.
  ///   - files: The project's files.
  ///   - journals: Where answers are added, by backend.
  ///   - redact: Takes out of an exchange what must not be written.
  package init(
    _ plan: SuitePlan,
    files: any FileSystem,
    journals: [String: Journal],
    redact: @escaping @Sendable (Exchange) -> Exchange = { $0 }
  ) {
    self.plan = plan
    self.files = files
    self.journals = journals
    self.redact = redact
  }

  /// What became of a recording run.
  package struct Outcome: Sendable {
    /// How many exchanges were recorded.
    package var recorded = 0
    /// How many of them took the place of one that the journal held, by backend.
    package var askedAgain: [String: Int] = [:]
    /// What the recorded answers cost in US dollars; nil when the price of one is unknown.
    package var cost: Double? = 0
    /// How many requests were not sent because the budget is used up.
    package var unsent = 0
    /// The requests that got no usable exchange, in the order of the suite.
    package var failures: [(request: RecordingRequest, error: BackendError)] = []
    /// Why a journal could not be written, if so: nothing was sent after that.
    package var fileError: FileError?
  }

  private struct State {
    var outcome = Outcome()
    /// The digests of the parts that each journal holds.
    var parts: [String: Set<String>]
    var unsynced = 0
  }

  private enum End {
    case recorded, unsent
    case failed(BackendError)

    var isRecorded: Bool { if case .recorded = self { true } else { false } }
  }

  /// After how many answers a journal is waited for until it is on the disk.
  private static let batch = 64

  /// Sends requests and writes their recordings.
  ///
  /// - Parameters:
  ///   - requests: What to send.
  ///   - backends: The live backends, by name.
  ///   - onProgress: Told how many of all requests are done, and what came of them.
  /// - Returns: What was recorded and what was not.
  package func record(
    _ requests: [RecordingRequest],
    backends: [String: any Backend],
    onProgress: @escaping @Sendable (SendingProgress) -> Void = { _ in }
  ) async -> Outcome {
    let state = Locked(State(parts: journals.mapValues(\.recorded.partDigests)))
    let progress = Locked(SendingProgress(of: requests.count))
    let queues = BackendQueues(plan, backends: requests.map(\.request.backend))
    let ends = await queues.map { index in
      let (end, effort) = await record(requests[index], backends: backends, state: state)
      progress.withLock { progress in
        progress.note(isLost: !end.isRecorded, effort)
        onProgress(progress)
      }
      return end
    }
    return state.withLock { state in
      var outcome = state.outcome
      for (request, end) in zip(requests, ends) {
        switch end {
        case .recorded: break
        case .unsent: outcome.unsent += 1
        case .failed(let error): outcome.failures.append((request, error))
        }
      }
      return outcome
    }
  }

  private func record(
    _ entry: RecordingRequest,
    backends: [String: any Backend],
    state: Locked<State>
  ) async -> (end: End, effort: SendStatistics) {
    let name = entry.request.backend
    guard let backend = backends[name], let journal = journals[name] else {
      let error = BackendError(.invalidRequest, "the backend '\(name)' is not connected")
      return (.failed(error), SendStatistics())
    }
    let mayGoOn = state.withLock { state in
      state.outcome.fileError == nil
    }
    guard mayGoOn else { return (.unsent, SendStatistics()) }
    do throws(BackendError) {
      let exchange = try await backend.send(entry.request)
      // An exchange that holds no answer is no recording: replay could only lose the trial.
      let response = try ResponseReader.response(in: exchange)
      let recording = Recording(
        key: entry.key,
        repetition: entry.repetition,
        exchange: redact(exchange),
        hints: entry.hints
      )
      let cost = plan.prices.cost(of: response, asking: entry.request.model)
      let end = state.withLock { state in keep(recording, cost, journal, name, &state) }
      return (end, exchange.effort)
    } catch {
      return (error.kind == .budgetSpent ? .unsent : .failed(error), error.effort)
    }
  }

  private func keep(
    _ recording: Recording,
    _ cost: Double?,
    _ journal: Journal,
    _ backend: String,
    _ state: inout State
  ) -> End {
    // What failed may have left half a line, which nothing must follow.
    if state.outcome.fileError != nil { return .unsent }
    let bytes = RecordingLines.entry(of: recording, besides: &state.parts[backend, default: []])
    state.unsynced += 1
    do throws(FileError) {
      // In one piece, so that what a kill leaves is whole but for its last line.
      try files.append(bytes, to: journal.path, isSynced: state.unsynced >= Self.batch)
    } catch {
      state.outcome.fileError = error
      return .unsent
    }
    if state.unsynced >= Self.batch { state.unsynced = 0 }
    state.outcome.recorded += 1
    state.outcome.cost = state.outcome.cost.flatMap { total in cost.map { total + $0 } }
    if journal.recorded.contains(recording.slot) {
      state.outcome.askedAgain[backend, default: 0] += 1
    }
    return .recorded
  }
}
