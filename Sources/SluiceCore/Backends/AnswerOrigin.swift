import SluiceSupport

/// The provenance of answers, with the values that are computed from it.
///
/// Answers with the same provenance can share an instance.
package final class AnswerOrigin: Hashable, Sendable {
  package let provenance: Provenance
  /// The provenance as JSON, as run logs contain it.
  let json: [UInt8]
  /// True if the times of the answers are known.
  package let hasTimes: Bool
  /// True if the costs of the answers can be known.
  ///
  /// False for answers of a stand-in, and for answers from a file of existing answers.
  package let hasCost: Bool
  /// True if prices per token apply to the answers.
  let hasPrice: Bool
  /// True if a batch service gave the answers.
  let isBatch: Bool

  init(_ provenance: Provenance) {
    self.provenance = provenance
    hasTimes = provenance.hasTimes
    hasCost = provenance.hasCost
    hasPrice = provenance.via?.hasPrice ?? true
    isBatch = provenance.via == .batch
    json = JSONWriter.line(.object(provenance.json))
  }

  package static func == (left: AnswerOrigin, right: AnswerOrigin) -> Bool {
    left === right || left.provenance == right.provenance
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(provenance) }
}

/// The origins of a run's answers.
///
/// Consecutive answers with the same origin share one ``AnswerOrigin``.
final class AnswerOrigins: Sendable {
  private let latest = Locked(AnswerOrigin(Provenance()))

  /// Returns the shared instance that is equal to an origin.
  func origin(_ origin: AnswerOrigin) -> AnswerOrigin {
    latest.withLock { latest in
      if latest != origin { latest = origin }
      return latest
    }
  }
}
