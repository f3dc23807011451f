import SluiceSupport

/// Puts an answer of a vendor's API together, from a whole body or from the events of a stream.
protocol AnswerParser {
  /// The members of a whole body that repeat the request, and are not read.
  static var echoes: [StaticString] { get }

  /// Creates a parser to which nothing has come.
  ///
  /// - Parameters:
  ///   - status: The status of the response.
  ///   - secret: The key that a server may repeat.
  init(status: Int, hiding secret: Secret?)

  /// Reads the body of an answer that came as a whole.
  ///
  /// - Throws: ``BackendError`` when it holds no answer.
  func whole(_ body: JSONValue) throws(BackendError) -> AnswerDraft

  /// Takes an event of a stream.
  ///
  /// - Parameters:
  ///   - event: The event's data.
  ///   - name: The name that the framing gives it, if it does.
  ///   - milliseconds: When it came, since the request was sent; nil where that is not known.
  /// - Returns: True when the answer is complete, so that nothing after it counts.
  /// - Throws: ``BackendError`` when it says that there is no answer.
  mutating func take(_ event: JSONValue, named name: String?, at milliseconds: Double?)
    throws(BackendError) -> Bool

  /// Returns the answer of a stream that has ended.
  ///
  /// - Parameter isClosed: True when the server said that nothing more comes.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` when the stream ended before its answer did: a part of a text is no
  ///   answer.
  func streamed(isClosed: Bool) throws(BackendError) -> AnswerDraft
}

extension AnswerParser {
  static var echoes: [StaticString] { [] }
}

/// An answer as an API's body or stream has it, before it is known who gave it.
struct AnswerDraft {
  var first: ModelResponse.Choice
  var others: [ModelResponse.Choice] = []
  var model: String?
  var usage: TokenUsage?
  var serviceTier: String?
  /// The cost that the server states, in US dollars.
  var reportedCost: Double?
  /// The time that the server states, in milliseconds.
  var serverTime: Double?
  var clock = TextClock()
  /// The meaning of the ending where its word alone does not say it.
  var ending: Ending?
}

/// When the visible text of a stream came.
struct TextClock: Hashable, Sendable {
  private(set) var first: Double?
  private(set) var longestGap: Double?
  private var last: Double?

  /// Takes note of a piece of text.
  mutating func tick(_ milliseconds: Double?) {
    guard let milliseconds else { return }
    if let last { longestGap = max(longestGap ?? 0, milliseconds - last) }
    first = first ?? milliseconds
    last = milliseconds
  }
}

extension BackendError {
  /// The error of a stream that ended too early.
  static let brokenOff = BackendError(
    .brokenAnswer,
    "the server's stream broke off before the answer's end"
  )
}
