package import SluiceSupport

/// A request of a suite that is to be sent and recorded.
package struct RecordingRequest: Sendable {
  package var request: ModelRequest
  /// The key of the request in the recordings.
  package var key: String
  package var repetition: Int
  package var hints: Recording.Hints

  package init(
    request: ModelRequest,
    key: String,
    repetition: Int,
    hints: Recording.Hints
  ) {
    self.request = request
    self.key = key
    self.repetition = repetition
    self.hints = hints
  }

  package var slot: Recording.Slot { Recording.Slot(key: key, repetition: repetition) }

  /// Which requests of a suite are recorded.
  package struct Selection: Hashable, Sendable {
    /// The cases that are meant.
    package var filter: CaseFilter
    package var scope: Scope

    package init(_ filter: CaseFilter, scope: Scope = .missing) {
      self.filter = filter
      self.scope = scope
    }

    package init(cases: Set<String> = [], tags: Set<String> = [], scope: Scope = .missing) {
      self.init(CaseFilter(cases: cases.sorted(), tags: tags.sorted()), scope: scope)
    }

    package enum Scope: Hashable, Sendable {
      /// What no usable recording answers.
      case missing
      /// What was recorded before a moment, and what is missing.
      case before(Timestamp)
      case all
    }

    /// The ids of the cases that are meant; nil for all.
    func ids(in cases: SuitePlan.Cases) -> Set<String>? {
      filter.isEmpty ? nil : Set(cases.indices(of: filter).map { cases.stored($0).id })
    }
  }
}

extension SuitePlan {
  /// The requests that a selection means, in the order of the suite, each once.
  ///
  /// - Parameters:
  ///   - selection: Which.
  ///   - stores: The recordings that are there, by backend.
  ///   - notBefore: Before when a recording is too old to answer; nil when none is.
  /// - Returns: The requests.
  package func recordingRequests(
    _ selection: RecordingRequest.Selection,
    in stores: [String: RecordingStore],
    notBefore: Timestamp? = nil
  ) -> [RecordingRequest] {
    var seen: Set<Recording.Slot> = []
    let ids = selection.ids(in: cases)
    return (0..<trialCount).compactMap { index in
      let slot = slot(index)
      // A file of outputs is not asked.
      guard outputs(slot) == nil, ids?.contains(cases.stored(slot.testCase).id) ?? true,
        let request = try? request(slot)
      else { return nil }
      let key = RequestIdentity.key(of: request)
      let place = Recording.Slot(key: key, repetition: slot.repetition)
      guard seen.insert(place).inserted else { return nil }
      guard Self.isWanted(selection.scope, stores[request.backend], place, notBefore) else {
        return nil
      }
      return RecordingRequest(
        request: request,
        key: key,
        repetition: slot.repetition,
        hints: hints(slot)
      )
    }
  }

  /// Whether all are meant, or no recording answers that is young enough.
  package static func isWanted(
    _ scope: RecordingRequest.Selection.Scope,
    _ store: RecordingStore?,
    _ place: Recording.Slot,
    _ notBefore: Timestamp?
  ) -> Bool {
    if scope == .all { return true }
    let answer = (try? store?.answer(place)).flatMap { $0 }
    guard let date = answer?.date else { return true }
    if let notBefore, date < notBefore { return true }
    if case .before(let moment) = scope { return date < moment }
    return false
  }
}
