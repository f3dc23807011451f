/// Sends the requests of a suite that have no recording yet and keeps the answers.
package struct Recorder: Sendable {
  private let plan: SuitePlan
  /// After how many new recordings the files are written, so that an interrupted run keeps most.
  private static let batch = 64

  package init(_ plan: SuitePlan) { self.plan = plan }

  /// A request that has no recording.
  package struct Missing: Sendable {
    package var request: ModelRequest
    package var identity: RequestIdentity
    package var repetition: Int
    package var hints: Recording.Hints
  }

  /// What became of a recording run.
  package struct Outcome: Sendable {
    /// How many exchanges were recorded.
    package var recorded = 0
    /// The requests that got no usable exchange, in the order of the suite.
    package var failures: [(missing: Missing, error: BackendError)] = []
    /// Why a recordings file could not be written, if so.
    package var fileError: FileError?
  }

  /// The requests without a recording that can be used, in the order of the suite, each once.
  package func missing(in recordings: [String: RecordingFile]) -> [Missing] {
    var seen: Set<String> = []
    return (0..<plan.trialCount).compactMap { index in
      let slot = plan.slot(index)
      guard let request = try? plan.request(slot) else { return nil }
      let identity = RequestIdentity(request)
      guard seen.insert("\(identity.key) \(slot.repetition)").inserted else { return nil }
      let file = recordings[request.backend]
      let found = try? file?.recording(key: identity.key, repetition: slot.repetition)
      if found != nil { return nil }
      return Missing(
        request: request,
        identity: identity,
        repetition: slot.repetition,
        hints: plan.hints(slot)
      )
    }
  }

  /// Sends requests and writes their recordings; what failed leaves the files as they were.
  ///
  /// - Parameters:
  ///   - missing: What to send.
  ///   - recordings: The recordings so far, by backend.
  ///   - backends: The live backends, by name.
  ///   - files: Where the recordings are written.
  ///   - onProgress: Told how many of all requests are done.
  /// - Returns: What was recorded and what was not.
  package func record(
    _ missing: [Missing],
    into recordings: [String: RecordingFile],
    backends: [String: any Backend],
    files: any FileSystem,
    onProgress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async -> Outcome {
    let state = Locked(State(recordings: recordings))
    let queues = BackendQueues(plan, backends: missing.map(\.request.backend))
    let failures = await queues.map { index in
      let entry = missing[index]
      let failure = await exchange(entry, backends: backends, state: state)
      state.withLock { state in
        state.done += 1
        onProgress(state.done, missing.count)
        if state.unwritten >= Self.batch { state.write(to: files) }
      }
      return failure
    }
    return state.withLock { state in
      state.write(to: files)
      var outcome = Outcome(recorded: state.recorded, fileError: state.fileError)
      outcome.failures = zip(missing, failures).compactMap { missing, error in
        error.map { (missing, $0) }
      }
      return outcome
    }
  }

  private struct State {
    var recordings: [String: RecordingFile]
    var changed: Set<String> = []
    var recorded = 0
    var unwritten = 0
    var done = 0
    var fileError: FileError?

    mutating func write(to files: any FileSystem) {
      // What could not be written is tried again each time, so only the last failure counts.
      fileError = nil
      for backend in changed.sorted() {
        guard let file = recordings[backend] else { continue }
        do throws(FileError) {
          try files.write(file.bytes, to: file.path)
          changed.remove(backend)
        } catch {
          fileError = error
        }
      }
      unwritten = 0
    }
  }

  /// Sends one request; returns why it could not be recorded, or nil.
  private func exchange(
    _ entry: Missing,
    backends: [String: any Backend],
    state: Locked<State>
  ) async -> BackendError? {
    guard let backend = backends[entry.request.backend] else {
      return BackendError(
        .invalidRequest,
        "the backend '\(entry.request.backend)' is not connected"
      )
    }
    do throws(BackendError) {
      let exchange = try await backend.send(entry.request)
      // An exchange that holds no answer is no recording: replay could only lose the trial.
      _ = try ResponseReader.response(in: exchange)
      let recording = Recording(
        identity: entry.identity,
        repetition: entry.repetition,
        exchange: exchange,
        hints: entry.hints
      )
      state.withLock { state in
        state.recordings[entry.request.backend]?.add(recording)
        state.changed.insert(entry.request.backend)
        state.recorded += 1
        state.unwritten += 1
      }
      return nil
    } catch {
      return error
    }
  }
}
