import SluiceReporting

/// Records a suite: what is sent, what it may cost, and where the answers are kept.
package struct RecordingSession: Sendable {
  let plan: SuitePlan
  let surroundings: Surroundings
  private let isScratch: Bool

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - plan: The suite.
  ///   - surroundings: Where recordings are read and written.
  ///   - isScratch: Whether answers are kept outside of what is committed.
  package init(_ plan: SuitePlan, surroundings: Surroundings, isScratch: Bool = false) {
    self.plan = plan
    self.surroundings = surroundings
    self.isScratch = isScratch
  }

  /// The recordings that may answer, those that count first.
  package static func layers(isScratch: Bool) -> [RecordingStore.Kind] {
    isScratch ? [.scratch, .pending, .accepted] : [.pending, .accepted]
  }

  // MARK: What would be sent

  /// What a recording run would send.
  package struct Draft: Sendable {
    package var requests: [RecordingRequest]
    /// What the answers would cost in US dollars, by what the nearest recordings used; nil when it
    /// cannot be told.
    package var cost: Double?
    /// Why the cost cannot be told.
    package var unknown: String?
    package var stores: [String: RecordingStore]

    /// The faults of the recordings that exist already.
    package var faults: [Diagnostic] { stores.faults }
  }

  /// What a selection would send.
  ///
  /// - Parameters:
  ///   - selection: Which requests.
  ///   - others: What is sent already for other suites of the same dataset.
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

  /// What judges would be asked.
  package struct JudgeDraft: Sendable {
    /// About answers that are there.
    package var known: Draft
    /// How many requests there will be at most about answers that are still to be recorded.
    package var coming: Int
    /// What all of them would cost in US dollars; nil when it cannot be told.
    package var cost: Double?
    /// Why the cost cannot be told.
    package var unknown: String?

    package var isEmpty: Bool { known.requests.isEmpty && coming == 0 }

    /// Of a suite whose judges are not asked, or that has none.
    package static let none = JudgeDraft(
      known: Draft(requests: [], cost: 0, unknown: nil, stores: [:]),
      coming: 0,
      cost: 0
    )
  }

  /// What a selection would ask judges.
  ///
  /// - Parameters:
  ///   - selection: Which answers are judged.
  ///   - answers: What is recorded of answers first.
  ///   - others: What is sent already for other suites of the same dataset.
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
    // What other backends recorded are answers, and cost something else than verdicts.
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
          ?? "nothing is recorded through '\(backend.name)' that would tell its usage"
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
      case .unknown(let lack): return (nil, "\(lack.reason), asking '\(model)'")
      }
      total += cost
      let mean = means[request.backend] ?? (0, 0)
      means[request.backend] = (mean.sum + cost, mean.count + 1)
    }
    // What was never recorded costs what the rest of the same backend does on average.
    for (backend, count) in unmeasured.sorted(by: { $0.key < $1.key }) {
      let asked = requests.first { $0.request.backend == backend }?.request.model ?? ""
      guard let mean = means[backend] ?? measured(stores[backend], asking: asked) else {
        return (nil, "nothing is recorded through '\(backend)' that would tell its usage")
      }
      total += mean.sum / Double(mean.count) * Double(count)
    }
    return (total, nil)
  }

  /// An answer with the tokens of both sides, which a cost is made of; nil when the server did not
  /// count them.
  private static func measured(_ exchange: Exchange) -> ModelResponse? {
    let answer = try? ResponseReader.response(in: exchange)
    return answer?.usage?.total == nil ? nil : answer
  }

  /// The cost of an answer like a recorded one when it is asked for by a request of its own, which a
  /// recorded answer of a batch was not.
  private func price(_ answer: ModelResponse, as model: String) -> PriceList.Pricing {
    let tier = answer.serviceTier == PriceList.batch ? nil : answer.serviceTier
    return plan.prices.pricing(of: answer.usage, model: model, tier: tier)
  }

  /// By whose price an answer is paid: the model that answered, where the same one is asked again, else
  /// the one that is asked now.
  private func pricedModel(asking model: String, _ recorded: Exchange) -> String {
    guard recorded.request.model == model else { return model }
    let answered = (try? ResponseReader.response(in: recorded))?.provenance.model
    return plan.prices.name(of: answered, asking: model)
  }

  /// What answers as long as the recordings of a backend cost; nil when none tells it.
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

  /// What a recording run came to.
  package struct Outcome: Sendable {
    package var recorder: Recorder.Outcome
    /// The backends with answers that now wait to be accepted.
    package var pending: [String]
  }

  /// Sends requests and keeps the answers, pending or as scratch.
  ///
  /// - Parameters:
  ///   - draft: What to send.
  ///   - backends: The live backends, by name.
  ///   - onProgress: Told how many of all requests are done, and what came of them.
  /// - Returns: What came.
  /// - Throws: Why nothing could be recorded; then nothing was sent either.
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

  /// Takes out of exchanges what must not be written.
  var redaction: Redaction {
    Redaction(of: plan.allBackends, in: surroundings)
  }

  /// The journals that answers are added to, with the sets that they make and the locks on them.
  struct Opened {
    fileprivate var locks: [FileLock] = []
    fileprivate var sets: [String: RecordingSet] = [:]
    /// The journals by backend.
    var journals: [String: Recorder.Journal] = [:]
  }

  /// Begins a set for each of some backends, or goes on with the one that is pending.
  ///
  /// - Parameters:
  ///   - names: The names of the backends.
  ///   - prompts: The names of the prompts that answers are for.
  /// - Returns: The journals.
  /// - Throws: Why nothing can be recorded; no set is begun then.
  func open(_ names: [String], prompts: [String]) throws(PendingRecordings.Refusal) -> Opened {
    let kind: RecordingStore.Kind = isScratch ? .scratch : .pending
    var opened = Opened()
    // All or none: a set that is begun leaves a line.
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
      // Under the lock, so that it is what will be added to.
      let recorded = RecordingFile(
        reading: path,
        from: surroundings.files,
        isJournal: true
      )
      opened.journals[name] = Recorder.Journal(path: path, recorded: recorded)
    }
    return opened
  }

  /// Brings the ledgers up to date and gives the locks back.
  ///
  /// - Parameters:
  ///   - opened: The journals.
  ///   - askedAgain: How many answers took the place of one that a journal held, by backend.
  /// - Returns: The backends with answers that wait to be accepted.
  /// - Throws: Why the files cannot be written.
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

  /// Takes half a line off the end of a journal, which a recorder that was killed may have left, and
  /// ends a whole one.
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
