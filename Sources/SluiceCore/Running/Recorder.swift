package import SluiceSupport

/// The recorder of a suite's answers.
///
/// It sends requests, and appends each answer to a journal when it arrives.
package struct Recorder: Sendable {
  private let plan: SuitePlan
  private let files: any FileSystem
  private let journals: [String: Journal]
  private let redact: @Sendable (Exchange) -> Exchange

  /// The journal for the answers of a backend.
  package struct Journal: Sendable {
    package var path: ProjectPath
    /// The recordings that the journal already contains.
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
  ///   - journals: The journals, by backend.
  ///   - redact: Removes secrets from an exchange before it is written.
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

  /// The results of recording.
  package struct Outcome: Sendable {
    /// The number of recorded exchanges.
    package var recorded = 0
    /// For each backend, the number of exchanges that replaced an exchange in the journal.
    package var askedAgain: [String: Int] = [:]
    /// The cost of the recorded answers in US dollars; nil if the price of an answer is unknown.
    package var cost: Double? = 0
    /// The number of requests that were not sent because the budget was exhausted.
    package var unsent = 0
    /// The requests that led to no usable exchange, in suite order.
    package var failures: [(request: RecordingRequest, error: BackendError)] = []
    /// The error that occurred while a journal was written, if any.
    ///
    /// No request was sent after this error.
    package var fileError: FileError?
  }

  private struct State {
    var outcome = Outcome()
    /// The digests of the parts in each journal.
    var parts: [String: Set<String>]
    var unsynced = 0
  }

  private enum End {
    case recorded, unsent
    case failed(BackendError)

    var isRecorded: Bool { if case .recorded = self { true } else { false } }
  }

  /// The number of answers after which a journal is synced to disk.
  private static let batch = 64

  /// Sends requests and records their answers.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - backends: The live backends, by name.
  ///   - onProgress: Receives the progress after each finished request. It is called from several
  ///     tasks.
  /// - Returns: The results of recording.
  package func record(
    _ requests: [RecordingRequest],
    backends: [String: any Backend],
    onProgress: @escaping @Sendable (SendingProgress) -> Void = { _ in }
  ) async -> Outcome {
    let state = Locked(State(parts: journals.mapValues(\.recorded.partDigests)))
    let progress = Locked(SendingProgress(of: requests.count))
    let queues = BackendQueues(plan, backends: requests.map(\.request.backend))
    let ends = await queues.map { index in
      let (end, statistics) = await record(requests[index], backends: backends, state: state)
      progress.withLock { progress in
        progress.note(isLost: !end.isRecorded, statistics)
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
  ) async -> (end: End, statistics: SendStatistics) {
    let name = entry.request.backend
    guard let backend = backends[name], let journal = journals[name] else {
      let error = BackendError(.invalidRequest, "there is no connection for the backend '\(name)'")
      return (.failed(error), SendStatistics())
    }
    let mayGoOn = state.withLock { state in
      state.outcome.fileError == nil
    }
    guard mayGoOn else { return (.unsent, SendStatistics()) }
    do throws(BackendError) {
      let exchange = try await backend.send(entry.request)
      // An exchange that contains no answer is not recorded, since replaying it would only lose the
      // trial.
      let response = try ResponseReader.response(in: exchange)
      let recording = Recording(
        key: entry.key,
        repetition: entry.repetition,
        exchange: redact(exchange),
        hints: entry.hints
      )
      let cost = plan.prices.cost(of: response, asking: entry.request.model)
      let end = state.withLock { state in keep(recording, cost, journal, name, &state) }
      return (end, exchange.statistics)
    } catch {
      return (error.kind == .budgetSpent ? .unsent : .failed(error), error.statistics)
    }
  }

  private func keep(
    _ recording: Recording,
    _ cost: Double?,
    _ journal: Journal,
    _ backend: String,
    _ state: inout State
  ) -> End {
    // A failed write may have left a truncated line. It must stay the last line of the file.
    if state.outcome.fileError != nil { return .unsent }
    let bytes = RecordingLines.entry(of: recording, besides: &state.parts[backend, default: []])
    state.unsynced += 1
    do throws(FileError) {
      // Writes everything at once, so that a kill truncates at most the last line.
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
