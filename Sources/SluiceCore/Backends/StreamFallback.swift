package import SluiceSupport

/// What went before an answer that was asked for again without streaming.
public struct StreamFallback: Hashable, Sendable {
  /// The trouble with the stream.
  public var reason: BackendError.Kind
  /// How long the stream was waited for, in milliseconds.
  public var milliseconds: Double

  /// Creates what went before an answer.
  ///
  /// - Parameters:
  ///   - reason: The trouble with the stream.
  ///   - milliseconds: How long the stream was waited for, in milliseconds.
  public init(reason: BackendError.Kind, milliseconds: Double) {
    self.reason = reason
    self.milliseconds = milliseconds
  }

  package var json: JSONObject {
    ["reason": .string(reason.rawValue), "after-ms": .number(milliseconds)]
  }

  /// Reads what ``json`` writes; nil for all else.
  package init?(json: JSONValue) {
    guard let reason = json["reason"]?.string.flatMap(BackendError.Kind.init),
      let milliseconds = json["after-ms"]?.number
    else { return nil }
    self.init(reason: reason, milliseconds: milliseconds)
  }
}
