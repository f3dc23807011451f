package import SluiceSupport

/// All recordings for the requests to a backend.
///
/// The files are layers. The first layer that contains an exchange counts.
///
/// A pending set comes before the accepted recordings, so that it can be evaluated before it is
/// accepted.
package struct RecordingStore: Sendable {
  /// The files in order of precedence.
  package let layers: [Layer]
  /// The path of the accepted recordings, if the file existed earlier but is missing.
  package let lostFile: ProjectPath?
  /// The dataset's recordings from backends that the suite does not use.
  let neighbors: NeighborRecordings?

  /// A file with its kind.
  ///
  /// It is a class, because it is passed along with each answer, and copying it would be slow.
  package final class Layer: Sendable {
    package let kind: Kind
    package let file: RecordingFile
    /// True if the file contains no exchanges, which is usual for a pending set.
    fileprivate let isEmpty: Bool

    package init(_ kind: Kind, _ file: RecordingFile) {
      self.kind = kind
      self.file = file
      isEmpty = file.count == 0
    }

    // The layer's methods read the file in place. Access from outside would copy it.
    fileprivate func keptAnswers(_ slots: [Recording.Slot]) -> [StoredAnswer?] {
      file.keptAnswers(slots)
    }

    fileprivate func answer(_ slot: Recording.Slot, _ repeated: inout RepeatedValues)
      throws(RecordingLines.Problem) -> StoredAnswer?
    {
      try file.storedAnswer(slot, &repeated)
    }
  }

  /// The state of the recordings in a file.
  package enum Kind: String, Sendable {
    /// The recordings are for experiments, and never committed.
    case scratch
    /// The recordings were neither accepted nor rejected yet.
    case pending
    case accepted
  }

  package init(
    _ layers: [Layer],
    lostFile: ProjectPath? = nil,
    neighbors: NeighborRecordings? = nil
  ) {
    self.layers = layers
    self.lostFile = lostFile
    self.neighbors = neighbors
  }

  /// Creates a store that contains only accepted recordings.
  package init(_ file: RecordingFile) { self.init([Layer(.accepted, file)]) }

  /// A copy of the store that reads each answer from its line, because it has no cache.
  ///
  /// After a replay, only a few answers are needed, so the cache would waste memory.
  package var withoutCachedAnswers: RecordingStore {
    RecordingStore(
      layers.map { Layer($0.kind, $0.file.withoutCachedAnswers) },
      lostFile: lostFile,
      neighbors: neighbors
    )
  }

  /// Returns the first layer that contains an exchange.
  package func layer(_ slot: Recording.Slot) -> Layer? {
    layers.first { $0.file.contains(slot) }
  }

  package func contains(_ slot: Recording.Slot) -> Bool { layer(slot) != nil }

  /// Returns the file and the line of a damaged recording for a request; nil if there is none.
  func damagedPlace(key: String, repetition: Int) -> (path: String, line: Int)? {
    for layer in layers {
      if let line = layer.file.damagedLine(key: key, repetition: repetition) {
        return (layer.file.path.description, line)
      }
    }
    return nil
  }

  /// Returns the recorded answer to a request; nil if there is none.
  ///
  /// - Throws: ``RecordingLines/Problem`` if the line cannot be used.
  package func answer(_ slot: Recording.Slot) throws(RecordingLines.Problem) -> StoredAnswer? {
    var repeated = RepeatedValues()
    return try answer(slot, &repeated)
  }

  /// Returns the recorded answer to a request, reusing parsed values of previous lines.
  func answer(_ slot: Recording.Slot, _ repeated: inout RepeatedValues)
    throws(RecordingLines.Problem) -> StoredAnswer?
  {
    for layer in layers where !layer.isEmpty {
      if let answer = try layer.answer(slot, &repeated) { return answer }
    }
    return nil
  }

  /// Returns the cached answers to many requests.
  ///
  /// A result is nil if ``answer(_:_:)`` must be called for the request.
  func keptAnswers(_ slots: [Recording.Slot]) -> [StoredAnswer?] {
    let filled = layers.filter { !$0.isEmpty }
    return filled.count == 1 ? filled[0].keptAnswers(slots) : slots.map { _ in nil }
  }

  /// Returns a recorded exchange with its request; nil if there is none.
  ///
  /// - Throws: ``RecordingLines/Problem`` if the line cannot be used.
  package func recording(_ slot: Recording.Slot) throws(RecordingLines.Problem) -> Recording? {
    try layer(slot)?.file.recording(slot)
  }

  /// Returns the file of a kind, if it exists and is not empty.
  package func file(_ kind: Kind) -> RecordingFile? {
    layers.first { $0.kind == kind && $0.file.count > 0 }?.file
  }

  /// The number of exchanges in layers that are not accepted.
  package var unacceptedCount: Int {
    layers.filter { $0.kind != .accepted }.reduce(0) { $0 + $1.file.count }
  }
}
