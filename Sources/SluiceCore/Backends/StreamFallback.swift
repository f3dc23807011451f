package import SluiceSupport

/// The stream that failed before the answer was requested again without streaming.
public struct StreamFallback: Hashable, Sendable {
  /// The kind of error with which the stream failed.
  public var reason: BackendError.Kind
  /// The time that was spent on the stream, in milliseconds.
  public var milliseconds: Double

  /// Creates a stream fallback.
  ///
  /// - Parameters:
  ///   - reason: The kind of error with which the stream failed.
  ///   - milliseconds: The time that was spent on the stream, in milliseconds.
  public init(reason: BackendError.Kind, milliseconds: Double) {
    self.reason = reason
    self.milliseconds = milliseconds
  }

  package var json: JSONObject {
    ["reason": .string(reason.rawValue), "after-ms": .number(milliseconds)]
  }

  /// Parses JSON in the format of the property ``json``; nil for other JSON.
  package init?(json: JSONValue) {
    guard let reason = json["reason"]?.string.flatMap(BackendError.Kind.init),
      let milliseconds = json["after-ms"]?.number
    else { return nil }
    self.init(reason: reason, milliseconds: milliseconds)
  }
}
