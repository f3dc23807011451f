import SluiceReporting

/// The recording of a suite, from the plan of the requests and their cost to the stored answers.
package struct RecordingSession: Sendable {
  let plan: SuitePlan
  let surroundings: Surroundings
  private let isScratch: Bool

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - plan: The suite.
  ///   - surroundings: The project's files, the clock and the environment.
  ///   - isScratch: True to store the answers as scratch answers, separately from the committed
  ///     ones.
  package init(_ plan: SuitePlan, surroundings: Surroundings, isScratch: Bool = false) {
    self.plan = plan
    self.surroundings = surroundings
    self.isScratch = isScratch
  }

  /// Returns the layers of recordings to use, in order of precedence.
  package static func layers(isScratch: Bool) -> [RecordingStore.Kind] {
    isScratch ? [.scratch, .pending, .accepted] : [.pending, .accepted]
  }

  // MARK: Planning

  /// The requests to record.
  package struct Draft: Sendable {
    package var requests: [RecordingRequest]
    /// The estimated cost in US dollars, based on similar recordings; `nil` if unknown.
    package var cost: Double?
    /// The reason why the cost is unknown.
    package var unknown: String?
    package var stores: [String: RecordingStore]

    /// The errors in the existing recordings.
    package var faults: [Diagnostic] { stores.faults }
  }

  /// Returns the requests for a selection of answers.
  ///
  /// - Parameters:
  ///   - selection: The requests to include.
  ///   - others: The requests that are already planned for other suites of the same dataset.
  /// - Returns: The requests, with their cost.
  package func draft(
    _ selection: RecordingRequest.Selection,
    besides others: Set<Recording.Slot> = []
  ) -> Draft {
    let stores = RecordingStore.all(
      of: plan,
      in: surroundings.files,
      kinds: Self.layers(isScratch: isScratch)
    )
    let requests = plan.recordingRequests(
      selection,
      in: stores,
      notBefore: plan.recordings.expiresBefore(surroundings.now())
    ).filter { !others.contains($0.slot) }
    let (cost, unknown) = cost(of: requests, stores)
    return Draft(requests: requests, cost: cost, unknown: unknown, stores: stores)
  }

  /// The requests to judges.
  package struct JudgeDraft: Sendable {
    /// The requests about answers that are already recorded.
    package var known: Draft
    /// An upper bound on the number of requests about answers that are not recorded yet.
    package var coming: Int
    /// The cost of all requests in US dollars, or `nil` if unknown.
    package var cost: Double?
    /// The reason why the cost is unknown.
    package var unknown: String?

    package var isEmpty: Bool { known.requests.isEmpty && coming == 0 }

    /// The draft of a suite without requests to judges.
    package static let none = JudgeDraft(
      known: Draft(requests: [], cost: 0, unknown: nil, stores: [:]),
      coming: 0,
      cost: 0
    )
  }

  /// Returns the requests to judges for a selection of answers.
  ///
  /// - Parameters:
  ///   - selection: The answers to judge.
  ///   - answers: The requests whose answers are recorded first.
  ///   - others: The requests that are already planned for other suites of the same dataset.
  /// - Returns: The requests, with their cost.
  package func judgeDraft(
    _ selection: RecordingRequest.Selection,
    after answers: [RecordingRequest] = [],
    besides others: Set<Recording.Slot> = []
  ) -> JudgeDraft {
    let judges = plan.scorers.compactMap { $0.scorer as? any JudgeScorer }
    if judges.isEmpty { return .none }
    var draft = JudgeDraft.none.known
    let stores = RecordingStore.all(
      of: plan,
      in: surroundings.files,
      kinds: Self.layers(isScratch: isScratch)
    )
    let notBefore = plan.recordings.expiresBefore(surroundings.now())
    draft.requests = Runner(plan).judgeRequests(
      selection,
      stores,
      notBefore: notBefore,
      excluding: Set(answers.map(\.slot))
    ).filter { request in
      !others.contains(request.slot)
        && SuitePlan.isWanted(
          selection.scope,
          stores[request.request.backend],
          request.slot,
          notBefore
        )
    }
    // Estimate the cost of verdicts only from recordings of the judges.
    let names = Set(plan.judges.map(\.name))
    draft.stores = stores.filter { names.contains($0.key) }
    (draft.cost, draft.unknown) = cost(of: draft.requests, draft.stores)
    var result = JudgeDraft(
      known: draft,
      coming: 0,
      cost: draft.cost,
      unknown: draft.unknown
    )
    for scorer in judges where !answers.isEmpty {
      let count = answers.count * scorer.requestsPerAnswer
      result.coming += count
      let backend = scorer.judge.backend
      if let mean = measured(stores[backend.name], asking: backend.model ?? "") {
        result.cost = result.cost.map { $0 + mean.sum / Double(mean.count) * Double(count) }
      } else {
        result.cost = nil
        result.unknown =
          result.unknown
          ?? "'\(backend.name)' has no recordings with a known usage"
      }
    }
    return result
  }

  private func cost(of requests: [RecordingRequest], _ stores: [String: RecordingStore])
    -> (Double?, String?)
  {
    if requests.isEmpty { return (0, nil) }
    let explainer = MissExplainer(stores)
    var total = 0.0
    var means: [String: (sum: Double, count: Int)] = [:]
    var unmeasured: [String: Int] = [:]
    for entry in requests {
      let request = entry.request
      let own = (try? stores[request.backend]?.recording(entry.slot)).flatMap { $0 }
      let known = own ?? explainer.nearest(to: request, hints: entry.hints)?.recording
      guard let known, let answer = Self.measured(known.exchange) else {
        unmeasured[request.backend, default: 0] += 1
        continue
      }
      let model = pricedModel(asking: request.model, known.exchange)
      let cost: Double
      switch price(answer, as: model) {
      case .cost(let known): cost = known
      case .unknown(.model): return (nil, "the price file has no price for '\(model)'")
      case .unknown(let lack): return (nil, "\(lack.reason) for '\(model)'")
      }
      total += cost
      let mean = means[request.backend] ?? (0, 0)
      means[request.backend] = (mean.sum + cost, mean.count + 1)
    }
    // For a request without a similar recording, assume the mean cost of its backend.
    for (backend, count) in unmeasured.sorted(by: { $0.key < $1.key }) {
      let asked = requests.first { $0.request.backend == backend }?.request.model ?? ""
      guard let mean = means[backend] ?? measured(stores[backend], asking: asked) else {
        return (nil, "'\(backend)' has no recordings with a known usage")
      }
      total += mean.sum / Double(mean.count) * Double(count)
    }
    return (total, nil)
  }

  /// Returns a recorded answer with its token counts, or `nil` if its tokens were not counted.
  private static func measured(_ exchange: Exchange) -> ModelResponse? {
    let answer = try? ResponseReader.response(in: exchange)
    return answer?.usage?.total == nil ? nil : answer
  }

  /// Returns the cost of an answer that is requested individually, without the discount of a batch.
  private func price(_ answer: ModelResponse, as model: String) -> PriceList.Pricing {
    let tier = answer.serviceTier == PriceList.batch ? nil : answer.serviceTier
    return plan.prices.pricing(of: answer.usage, model: model, tier: tier)
  }

  /// Returns the model whose price is used to estimate the cost of a new request, based on a similar
  /// recorded request.
  ///
  /// If both requests name the same model, this is the model that gave the recorded answer.
  /// Otherwise, it is the model that the new request names.
  private func pricedModel(asking model: String, _ recorded: Exchange) -> String {
    guard recorded.request.model == model else { return model }
    let answered = (try? ResponseReader.response(in: recorded))?.provenance.model
    return plan.prices.name(of: answered, asking: model)
  }

  /// Returns the number and the total cost of a backend's recordings, or `nil` if no cost is known.
  ///
  /// To save time, only the first 200 recordings of each file are read. Recordings with an unknown
  /// cost do not count.
  private func measured(_ store: RecordingStore?, asking model: String) -> (
    sum: Double, count: Int
  )? {
    var mean = (sum: 0.0, count: 0)
    for file in store?.layers.map(\.file) ?? [] {
      for slot in file.slots.prefix(200) {
        guard let exchange = (try? file.recording(slot)).flatMap({ $0 })?.exchange,
          let answer = Self.measured(exchange),
          let cost = price(answer, as: pricedModel(asking: model, exchange)).cost
        else { continue }
        mean = (mean.sum + cost, mean.count + 1)
      }
    }
    return mean.count == 0 ? nil : mean
  }

  // MARK: Recording

  /// The result of recording.
  package struct Outcome: Sendable {
    package var recorder: Recorder.Outcome
    /// The backends that have pending answers now.
    package var pending: [String]
  }

  /// Sends requests, and stores the answers as pending or as scratch.
  ///
  /// - Parameters:
  ///   - draft: The requests to send.
  ///   - backends: The live backends, by name.
  ///   - onProgress: A closure that is called with the progress.
  /// - Returns: The result.
  /// - Throws: An error if answers cannot be stored. In that case, nothing was sent.
  package func record(
    _ draft: Draft,
    backends: [String: any Backend],
    onProgress: @escaping @Sendable (SendingProgress) -> Void = { _ in }
  ) async throws(PendingRecordings.Refusal) -> Outcome {
    let opened = try open(
      Set(draft.requests.map(\.request.backend)).sorted(),
      prompts: plan.prompts.map(\.name)
    )
    let redaction = redaction
    let recorder = Recorder(
      plan,
      files: surroundings.files,
      journals: opened.journals,
      redact: { redaction.redacted($0).exchange }
    )
    let outcome = await recorder.record(
      draft.requests,
      backends: backends,
      onProgress: onProgress
    )
    return Outcome(recorder: outcome, pending: try close(opened, askedAgain: outcome.askedAgain))
  }

  /// The redaction that removes secrets from recordings before they are written.
  var redaction: Redaction {
    Redaction(of: plan.allBackends, in: surroundings)
  }

  /// The open journals, to which answers are added, with their sets and locks.
  struct Opened {
    fileprivate var locks: [FileLock] = []
    fileprivate var sets: [String: RecordingSet] = [:]
    /// The journals by backend.
    var journals: [String: Recorder.Journal] = [:]
  }

  /// Creates a set of recordings for each backend, or continues the pending set.
  ///
  /// - Parameters:
  ///   - names: The names of the backends.
  ///   - prompts: The names of the prompts of the answers.
  /// - Returns: The journals.
  /// - Throws: An error if answers cannot be stored. In that case, no set was created.
  func open(_ names: [String], prompts: [String]) throws(PendingRecordings.Refusal) -> Opened {
    let kind: RecordingStore.Kind = isScratch ? .scratch : .pending
    var opened = Opened()
    // Take all locks before creating sets, since each set leaves a line in its ledger.
    for name in names { opened.locks.append(try pending(name).lock()) }
    for name in names where !isScratch {
      do throws(PendingRecordings.Refusal) {
        opened.sets[name] = try pending(name).begin(
          suite: plan.name,
          prompts: prompts,
          now: surroundings.now()
        )
      } catch {
        for (name, set) in opened.sets { try? pending(name).end(set, askedAgain: 0) }
        throw error
      }
    }
    for name in names {
      let path = kind.path(dataset: plan.datasetPath, backend: name)
      try mend(path)
      // Read the file under the lock, so that no other process changes it.
      let recorded = RecordingFile(
        reading: path,
        from: surroundings.files,
        isJournal: true
      )
      opened.journals[name] = Recorder.Journal(path: path, recorded: recorded)
    }
    return opened
  }

  /// Updates the ledgers and releases the locks.
  ///
  /// - Parameters:
  ///   - opened: The journals.
  ///   - askedAgain: For each backend, the number of answers in the journal that were replaced by
  ///     newer answers.
  /// - Returns: The backends that have pending answers now.
  /// - Throws: An error if the files cannot be written.
  func close(
    _ opened: Opened,
    askedAgain: [String: Int]
  ) throws(PendingRecordings.Refusal) -> [String] {
    var waiting: [String] = []
    for (name, set) in opened.sets.sorted(by: { $0.key < $1.key }) {
      try pending(name).end(set, askedAgain: askedAgain[name] ?? 0)
      if pending(name).exists { waiting.append(name) }
    }
    withExtendedLifetime(opened.locks) {}
    return waiting
  }

  private func pending(_ backend: String) -> PendingRecordings {
    PendingRecordings(dataset: plan.datasetPath, backend: backend, files: surroundings.files)
  }

  /// Repairs the last line of a journal whose writer may have been killed.
  ///
  /// An incomplete line is removed, and a complete line without a line feed gets one.
  private func mend(_ path: ProjectPath) throws(PendingRecordings.Refusal) {
    guard surroundings.files.kind(of: path) == .file else { return }
    do throws(FileError) {
      let bytes = try surroundings.files.read(path)
      guard let last = bytes.last, last != 0x0A else { return }
      let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      let isWhole = bytes[end...].withUnsafeBytes { (try? RecordingLines.kind(of: $0)) != nil }
      let mended = isWhole ? bytes + [0x0A] : Array(bytes[..<end])
      try surroundings.files.write(mended, to: path)
    } catch {
      throw .file(error)
    }
  }
}
