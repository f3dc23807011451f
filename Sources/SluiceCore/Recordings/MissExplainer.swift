import SluiceSupport

/// The explanation of missing recordings.
///
/// A request without a recording is compared with the most similar recording.
package struct MissExplainer: Sendable {
  private let stores: [String: RecordingStore]
  private let readsNeighbors: Bool
  private let backends: [BackendDefinition]

  /// Creates an explainer.
  ///
  /// - Parameters:
  ///   - stores: The recordings of the dataset, by backend.
  ///   - readsNeighbors: True to compare requests also with recordings of backends that the suite
  ///     does not use.
  ///   - backends: The definitions of backends. If a fingerprint changed, the explanation names the
  ///     files that the definition lists for it.
  package init(
    _ stores: [String: RecordingStore],
    readsNeighbors: Bool = true,
    backends: [BackendDefinition] = []
  ) {
    self.stores = stores
    self.readsNeighbors = readsNeighbors
    self.backends = backends
  }

  /// The recording that differs least from a request, with the difference.
  package struct Nearest: Sendable {
    package var recording: Recording
    package var change: RecordingMiss.Change
  }

  /// Returns the reason why a request has no recording.
  package func miss(
    _ request: ModelRequest,
    repetition: Int,
    hints: Recording.Hints
  ) -> RecordingMiss {
    miss(request, repetition: repetition, hints: hints) { _ in true }
  }

  /// Returns the reason why a request to a judge has no recorded verdict.
  ///
  /// The recordings of the judge's backend may also contain answers of the app. So only verdicts
  /// for the same judge prompt are compared.
  package func verdictMiss(_ request: ModelRequest, hints: Recording.Hints) -> RecordingMiss {
    // Recordings of other backends are answers, or verdicts by other judges.
    let own = MissExplainer(
      stores.filter { $0.key == request.backend },
      readsNeighbors: false
    )
    return own.miss(request, repetition: 1, hints: hints) { $0.prompt == hints.prompt }
  }

  private func miss(
    _ request: ModelRequest,
    repetition: Int,
    hints: Recording.Hints,
    comparing isComparable: (Recording.Hints) -> Bool
  ) -> RecordingMiss {
    let key = RequestIdentity.key(of: request)
    let store = stores[request.backend]
    if let place = store?.damagedPlace(key: key, repetition: repetition) {
      return RecordingMiss(reason: .damaged(path: place.path, line: place.line))
    }
    let earlier = (1..<max(repetition, 1)).count { repetition in
      store?.contains(Recording.Slot(key: key, repetition: repetition)) == true
    }
    if earlier > 0 { return RecordingMiss(reason: .usedUp(recorded: earlier)) }
    if let path = store?.lostFile {
      return RecordingMiss(reason: .fileMissing(path.description))
    }
    guard let nearest = nearest(to: request, hints: hints, comparing: isComparable) else {
      return RecordingMiss(reason: .newCase)
    }
    // A later repeat was recorded, but this repeat is missing.
    if nearest.change.parts.isEmpty {
      return RecordingMiss(reason: .usedUp(recorded: recordedRepeats(of: key, request.backend)))
    }
    return RecordingMiss(reason: .changed(nearest.change))
  }

  private func recordedRepeats(of key: String, _ backend: String) -> Int {
    let wanted = Recording.Slot(key: key, repetition: 1)
    let slots = (stores[backend]?.layers ?? []).flatMap(\.file.slots)
    return Set(slots.filter { $0.high == wanted.high && $0.low == wanted.low }).count
  }

  /// Returns the recording that differs least from a request.
  ///
  /// A recording is compared only if it has the case, the input or the user messages of the
  /// request. Recordings of other backends are compared only if the request's backend has none to
  /// compare.
  ///
  /// A recording with the same input is preferred, so that an unchanged case is never reported as
  /// changed. Next in order of preference are the same prompt, fewer changes, and a later date.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - hints: The suite, case and prompt of the request.
  ///   - isComparable: Returns true if a recording with these hints may be compared.
  /// - Returns: The recording and the difference; nil if no recording is comparable.
  package func nearest(
    to request: ModelRequest,
    hints: Recording.Hints,
    comparing isComparable: (Recording.Hints) -> Bool = { _ in true }
  ) -> Nearest? {
    let identity = RequestIdentity(request)
    func found(in store: RecordingStore) -> [Nearest] {
      var seen: Set<Recording.Slot> = []
      var found: [Nearest] = []
      for layer in store.layers {
        let slots = layer.file.finder.slots(
          ofCase: hints.testCase,
          input: hints.inputDigest,
          asking: identity.question
        )
        for slot in slots where seen.insert(slot).inserted {
          guard let recording = (try? layer.file.recording(slot)).flatMap({ $0 }),
            isComparable(recording.hints)
          else { continue }
          found.append(
            Nearest(
              recording: recording,
              change: change(from: recording, to: identity, hints: hints)
            )
          )
        }
      }
      return found
    }
    let own = stores[request.backend].map(found) ?? []
    /// Returns recordings of the request's API and model, from backends that the suite does not
    /// use.
    ///
    /// If there are any, the request's backend was probably renamed.
    func neighbors() -> [Nearest] {
      guard readsNeighbors, let neighbors = stores[request.backend]?.neighbors else { return [] }
      return neighbors.stores.flatMap(found).filter { nearest in
        let known = nearest.recording.exchange.request
        return (known.api, known.model) == (request.api, request.model)
      }
    }
    let candidates = own.isEmpty ? others(than: request.backend).flatMap(found) + neighbors() : own
    func distance(_ nearest: Nearest) -> (Int, Int, Int, Int) {
      let known = nearest.recording.hints
      return (
        known.inputDigest == hints.inputDigest ? 0 : 1, known.prompt == hints.prompt ? 0 : 1,
        nearest.change.parts.count, -nearest.recording.exchange.response.date.seconds
      )
    }
    return candidates.min { distance($0) < distance($1) }
  }

  private func others(than backend: String) -> [RecordingStore] {
    stores.sorted { $0.key < $1.key }.filter { $0.key != backend }.map(\.value)
  }

  /// Returns the difference between a recorded request and a new request.
  private func change(
    from recording: Recording,
    to new: RequestIdentity,
    hints: Recording.Hints
  ) -> RecordingMiss.Change {
    let old = RequestIdentity(recording.exchange.request)
    let parts = RequestDifference.changedParts(from: old, to: new)
    var kinds: [RecordingMiss.Change.Kind] = []
    for part in parts {
      for kind in self.kinds(of: part, recording.hints, hints) where !kinds.contains(kind) {
        kinds.append(kind)
      }
    }
    let order = RecordingMiss.Change.Kind.allCases
    kinds.sort { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) }
    return RecordingMiss.Change(
      kinds: kinds,
      parts: parts.map { part in
        if part.isBackendName { return "\(old.backend) → \(new.backend)" }
        guard part.kind == .fingerprint else { return part.name }
        return backends.first { $0.name == new.backend }?.fingerprint?.sources ?? part.name
      }
    )
  }

  /// Returns the possible causes of a changed part.
  ///
  /// A message changes with its template, with the case, or with both.
  private func kinds(
    of part: RequestIdentity.Part,
    _ old: Recording.Hints,
    _ new: Recording.Hints
  ) -> [RecordingMiss.Change.Kind] {
    switch part.kind {
    case .backend: return [.backend]
    case .model: return [.model]
    case .fingerprint: return [.fingerprint]
    case .parameters: return [.parameters]
    case .tools: return [.tools]
    case .schema: return [.schema]
    case .message:
      // Recordings of the first schema contain no digests of templates and inputs. A changed user
      // message is then attributed to the case.
      let isTemplateKnown = !old.templateDigest.isEmpty && !old.inputDigest.isEmpty
      guard isTemplateKnown else {
        return part.name.hasPrefix(MessageRole.user.rawValue) ? [.testCase] : [.prompt]
      }
      let hasPromptChanged = old.templateDigest != new.templateDigest
      let hasCaseChanged = old.inputDigest != new.inputDigest
      if hasPromptChanged, hasCaseChanged { return [.prompt, .testCase] }
      return hasCaseChanged ? [.testCase] : [.prompt]
    }
  }
}
