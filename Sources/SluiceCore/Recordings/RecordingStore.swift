package import SluiceSupport

/// All recordings that may answer a backend's requests: files in layers, of which the first counts.
///
/// A pending set lies over what was accepted, so that it can be judged before it is.
package struct RecordingStore: Sendable {
  /// The files, the one that counts first.
  package let layers: [Layer]
  /// The file of accepted recordings where there once was one that is missing now.
  package let lostFile: ProjectPath?

  /// A file with what it is: a reference, as it is handed out for each answer.
  package final class Layer: Sendable {
    package let kind: Kind
    package let file: RecordingFile
    /// True when the file holds no exchange, as that of a pending set does most of the time.
    fileprivate let isEmpty: Bool

    package init(_ kind: Kind, _ file: RecordingFile) {
      self.kind = kind
      self.file = file
      isEmpty = file.count == 0
    }

    // Methods of the layer read the file in place: from outside it would be copied.
    fileprivate func keptAnswers(_ slots: [Recording.Slot]) -> [StoredAnswer?] {
      file.keptAnswers(slots)
    }

    fileprivate func answer(_ slot: Recording.Slot, _ repeated: inout RepeatedValues)
      throws(RecordingLines.Problem) -> StoredAnswer?
    {
      try file.storedAnswer(slot, &repeated)
    }
  }

  /// What became of the recordings of a file.
  package enum Kind: String, Sendable {
    /// Tried out, outside of what is committed.
    case scratch
    /// Recorded, and neither accepted nor rejected yet.
    case pending
    case accepted
  }

  package init(_ layers: [Layer], lostFile: ProjectPath? = nil) {
    self.layers = layers
    self.lostFile = lostFile
  }

  /// A store of accepted recordings alone.
  package init(_ file: RecordingFile) { self.init([Layer(.accepted, file)]) }

  /// The first layer that holds an exchange.
  package func layer(_ slot: Recording.Slot) -> Layer? {
    layers.first { $0.file.contains(slot) }
  }

  package func contains(_ slot: Recording.Slot) -> Bool { layer(slot) != nil }

  /// The file and line of the damaged recording of a request; nil when none of its lines is damaged.
  func damagedPlace(key: String, repetition: Int) -> (path: String, line: Int)? {
    for layer in layers {
      if let line = layer.file.damagedLine(key: key, repetition: repetition) {
        return (layer.file.path.description, line)
      }
    }
    return nil
  }

  /// What the recording of a request answers with; nil when there is none.
  ///
  /// - Throws: ``RecordingLines/Problem`` when the line cannot be used.
  package func answer(_ slot: Recording.Slot) throws(RecordingLines.Problem) -> StoredAnswer? {
    var repeated = RepeatedValues()
    return try answer(slot, &repeated)
  }

  /// What the recording of a request answers with, where many are asked for in a row.
  func answer(_ slot: Recording.Slot, _ repeated: inout RepeatedValues)
    throws(RecordingLines.Problem) -> StoredAnswer?
  {
    for layer in layers where !layer.isEmpty {
      if let answer = try layer.answer(slot, &repeated) { return answer }
    }
    return nil
  }

  /// Returns the answers to many requests that are at hand; nil for each that ``answer(_:_:)`` has to
  /// look for.
  func keptAnswers(_ slots: [Recording.Slot]) -> [StoredAnswer?] {
    let filled = layers.filter { !$0.isEmpty }
    return filled.count == 1 ? filled[0].keptAnswers(slots) : slots.map { _ in nil }
  }

  /// The recorded exchange with its request; nil when there is none.
  ///
  /// - Throws: ``RecordingLines/Problem`` when the line cannot be used.
  package func recording(_ slot: Recording.Slot) throws(RecordingLines.Problem) -> Recording? {
    try layer(slot)?.file.recording(slot)
  }

  /// The layer of a kind, if there is one with anything in it.
  package func file(_ kind: Kind) -> RecordingFile? {
    layers.first { $0.kind == kind && $0.file.count > 0 }?.file
  }

  /// How many of the exchanges that count lie in a layer that is not accepted.
  package var unacceptedCount: Int {
    layers.filter { $0.kind != .accepted }.reduce(0) { $0 + $1.file.count }
  }
}
