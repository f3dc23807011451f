import SluiceSupport

/// The origin of an answer, shared by the answers of one model on one day.
package final class AnswerOrigin: Hashable, Sendable {
  package let provenance: Provenance
  /// The provenance as written in run logs.
  let json: [UInt8]
  /// A Boolean value that indicates whether the times of the answers were measured.
  package let hasTimes: Bool
  /// A Boolean value that indicates whether the costs of the answers can be known.
  package let hasCost: Bool
  /// A Boolean value that indicates whether the price file can determine the cost of the answers.
  let hasPrice: Bool
  /// A Boolean value that indicates whether a batch service answered.
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

/// The origins of a run's answers; consecutive answers share an instance.
final class AnswerOrigins: Sendable {
  private let latest = Locked(AnswerOrigin(Provenance()))

  /// Returns the shared instance of an origin.
  func origin(_ origin: AnswerOrigin) -> AnswerOrigin {
    latest.withLock { latest in
      if latest != origin { latest = origin }
      return latest
    }
  }
}
