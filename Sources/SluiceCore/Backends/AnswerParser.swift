import SluiceSupport

/// A parser that assembles one answer of a vendor's API.
///
/// The answer arrives as a whole body, or as the events of a stream.
protocol AnswerParser {
  /// The members of an unstreamed body that only repeat the request. The parser skips them.
  static var echoes: [StaticString] { get }

  /// Creates an empty parser.
  ///
  /// - Parameters:
  ///   - status: The status of the response.
  ///   - secret: The key, which the server may repeat and which must be redacted.
  init(status: Int, hiding secret: Secret?)

  /// Reads the body of an answer that was not streamed.
  ///
  /// - Throws: ``BackendError`` if the body contains no answer.
  func whole(_ body: JSONValue) throws(BackendError) -> AnswerDraft

  /// Parses an event of a stream.
  ///
  /// - Parameters:
  ///   - event: The event's data.
  ///   - name: The name of the event, if the stream gives one.
  ///   - milliseconds: The arrival time, counted from when the request was sent; nil if unknown.
  /// - Returns: True if the answer is complete, so that later events are ignored.
  /// - Throws: ``BackendError`` if the event reports that there is no answer.
  mutating func take(_ event: JSONValue, named name: String?, at milliseconds: Double?)
    throws(BackendError) -> Bool

  /// Returns the answer of a stream that has ended.
  ///
  /// - Parameter isClosed: True if the server marked the end of the stream.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` if the stream ended before the answer was complete.
  func streamed(isClosed: Bool) throws(BackendError) -> AnswerDraft
}

extension AnswerParser {
  static var echoes: [StaticString] { [] }
}

/// A parsed answer that does not have a provenance yet.
struct AnswerDraft {
  var first: ModelResponse.Choice
  var others: [ModelResponse.Choice] = []
  var model: String?
  var usage: TokenUsage?
  var serviceTier: String?
  /// The cost that the server reported, in US dollars.
  var reportedCost: Double?
  /// The processing time that the server reported, in milliseconds.
  var serverTime: Double?
  var clock = TextClock()
  /// The meaning of the finish reason, if other members of the response determine it; otherwise
  /// nil.
  var ending: Ending?
}

/// The arrival times of the visible text in a stream.
struct TextClock: Hashable, Sendable {
  private(set) var first: Double?
  private(set) var longestGap: Double?
  private var last: Double?

  /// Records the arrival time of a piece of text.
  ///
  /// - Parameter milliseconds: The time since the request was sent; nil if unknown.
  mutating func tick(_ milliseconds: Double?) {
    guard let milliseconds else { return }
    if let last { longestGap = max(longestGap ?? 0, milliseconds - last) }
    first = first ?? milliseconds
    last = milliseconds
  }
}

extension BackendError {
  /// The error for a stream that ended too early.
  static let brokenOff = BackendError(
    .brokenAnswer,
    "the server's stream ended before the answer was complete"
  )
}
