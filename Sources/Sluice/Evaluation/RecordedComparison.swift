import SluiceReporting

/// The comparison of recorded answers with new answers to the same requests.
///
/// It writes nothing.
package struct RecordedComparison: Sendable {
  private let plan: SuitePlan
  private let stores: [String: RecordingStore]

  package init(_ plan: SuitePlan, stores: [String: RecordingStore]) {
    self.plan = plan
    self.stores = stores
  }

  /// The outcome of the comparison.
  package struct Outcome: Sendable {
    package var reviews: [RecordingReview]
    package var failures: [(request: RecordingRequest, error: BackendError)]
    /// The cost of the new answers in US dollars, or `nil` if unknown.
    package var cost: Double?
    /// The number of requests that were not sent because the budget was used up.
    package var unsent = 0
  }

  /// Returns the requests that have a recording.
  package func recorded(_ requests: [RecordingRequest]) -> [RecordingRequest] {
    requests.filter { stores[$0.request.backend]?.contains($0.slot) == true }
  }

  /// Sends the requests that have a recording.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - backends: The live backends, by name.
  ///   - onProgress: A closure that is called with the progress.
  /// - Returns: The differences between the new answers and the recorded ones.
  package func compare(
    _ requests: [RecordingRequest],
    backends: [String: any Backend],
    onProgress: @escaping @Sendable (SendingProgress) -> Void = { _ in }
  ) async -> Outcome {
    let recorded = recorded(requests)
    let spent = Locked<Double?>(0)
    let progress = Locked(SendingProgress(of: recorded.count))
    let queues = BackendQueues(plan, backends: recorded.map(\.request.backend))
    let answers = await queues.map { index -> Result<ModelResponse, BackendError>? in
      let entry = recorded[index]
      func note(isLost: Bool, _ statistics: SendStatistics) {
        progress.withLock { progress in
          progress.note(isLost: isLost, statistics)
          onProgress(progress)
        }
      }
      guard let backend = backends[entry.request.backend] else {
        let name = entry.request.backend
        note(isLost: true, SendStatistics())
        return .failure(
          BackendError(
            .invalidRequest,
            "there is no connection for the backend '\(name)'"
          )
        )
      }
      do throws(BackendError) {
        let exchange = try await backend.send(entry.request)
        let response = try ResponseReader.response(in: exchange)
        let cost = plan.prices.cost(of: response, asking: entry.request.model)
        spent.withLock { total in total = total.flatMap { sum in cost.map { sum + $0 } } }
        note(isLost: false, exchange.statistics)
        return .success(response)
      } catch {
        note(isLost: true, error.statistics)
        return error.kind == .budgetSpent ? nil : .failure(error)
      }
    }
    var outcome = Outcome(reviews: [], failures: [], cost: spent.withLock { $0 })
    var entries: [String: [RecordingReview.Entry]] = [:]
    for (entry, answer) in zip(recorded, answers) {
      switch answer {
      case nil: outcome.unsent += 1
      case .failure(let error): outcome.failures.append((entry, error))
      case .success(let response):
        guard let old = (try? stores[entry.request.backend]?.recording(entry.slot)).flatMap({ $0 }),
          let before = try? ResponseReader.response(in: old.exchange)
        else { continue }
        entries[entry.request.backend, default: []].append(
          RecordingReview.Entry(
            testCase: entry.hints.testCase,
            prompt: entry.hints.prompt,
            repetition: entry.repetition,
            comparison: .replaces(ResponseDifference(from: before, to: response)),
            text: response.text,
            refusal: response.refusal
          )
        )
      }
    }
    for (backend, entries) in entries.sorted(by: { $0.key < $1.key }) {
      outcome.reviews.append(
        RecordingReview(dataset: plan.datasetPath, backend: backend, entries: entries)
      )
    }
    return outcome
  }
}
