package import SluiceSupport

/// A request of a suite that is to be sent and recorded.
package struct RecordingRequest: Sendable {
  package var request: ModelRequest
  /// The key by which the recording is found.
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

  /// The selection of requests to record.
  package struct Selection: Hashable, Sendable {
    /// The filter for cases.
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
      /// Requests that have no usable recording.
      case missing
      /// Requests that were recorded before a time, and requests that have no recording.
      case before(Timestamp)
      case all
    }

    /// Returns the ids of the selected cases; nil if all cases are selected.
    func ids(in cases: SuitePlan.Cases) -> Set<String>? {
      filter.isEmpty ? nil : Set(cases.indices(of: filter).map { cases.stored($0).id })
    }
  }
}

extension SuitePlan {
  /// Returns the selected requests in suite order, without duplicates.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - stores: The existing recordings, by backend.
  ///   - notBefore: The time before which recordings have expired; nil if they do not expire.
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
      // Backends that answer from an outputs file receive no requests.
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

  /// Returns true if the scope includes a request.
  ///
  /// A request is included if the scope is `all`, or if its recording is missing, unusable or too
  /// old.
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
