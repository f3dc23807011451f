package import SluiceSupport

/// The paths of an answer's parts in the response of an app.
///
/// A path consists of names and indices separated by dots, such as `reply.text`. Paths affect
/// only the reading of a response, so they are not part of a request's key.
public struct AnswerPlaces: Hashable, Sendable {
  /// The path of the answer's text.
  ///
  /// If nil, the path is `content`. If the response has no `content`, the path is `text`.
  ///
  /// The path `.` means the whole response, exactly as it was received.
  public var text: String?
  /// The path of a piece of text in an event of a stream.
  ///
  /// If nil, the path is `content`.
  public var piece: String?
  /// The path of the token counts.
  ///
  /// If nil, the path is `usage`.
  public var usage: String?
  /// The path of an error.
  ///
  /// If nil, the path is `error`.
  public var error: String?
  /// The path of the name of the model that answered.
  ///
  /// If nil, the path is `model`.
  public var model: String?
  /// The path of the finish reason.
  ///
  /// If nil, the reader tries `finish_reason`, `finish-reason` and `finishReason`, in this order.
  public var finishReason: String?
  /// True if the answer is streamed.
  public var isStreamed: Bool

  /// Creates paths.
  ///
  /// If a path is nil, the default that its property describes is used.
  ///
  /// - Parameters:
  ///   - text: The path of the answer's text.
  ///   - piece: The path of a piece of text in an event of a stream.
  ///   - usage: The path of the token counts.
  ///   - error: The path of an error.
  ///   - model: The path of the name of the model that answered.
  ///   - finishReason: The path of the finish reason.
  ///   - isStreamed: True if the answer is streamed.
  public init(
    text: String? = nil,
    piece: String? = nil,
    usage: String? = nil,
    error: String? = nil,
    model: String? = nil,
    finishReason: String? = nil,
    isStreamed: Bool = false
  ) {
    self.text = text
    self.piece = piece
    self.usage = usage
    self.error = error
    self.model = model
    self.finishReason = finishReason
    self.isStreamed = isStreamed
  }

  /// The path that means the whole response.
  static let whole = "."
}

extension AnswerPlaces {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("text", text.map(JSONValue.string))
    object.set("piece", piece.map(JSONValue.string))
    object.set("usage", usage.map(JSONValue.string))
    object.set("error", error.map(JSONValue.string))
    object.set("model", model.map(JSONValue.string))
    object.set("finish-reason", finishReason.map(JSONValue.string))
    if isStreamed { object["stream"] = true }
    return object
  }

  /// Parses JSON in the format of the property ``json``.
  package init(json: JSONValue) {
    self.init(
      text: json["text"]?.string,
      piece: json["piece"]?.string,
      usage: json["usage"]?.string,
      error: json["error"]?.string,
      model: json["model"]?.string,
      finishReason: json["finish-reason"]?.string,
      isStreamed: json["stream"]?.bool ?? false
    )
  }
}

/// The format of a response: its protocol, and the paths of the answer's parts.
package struct AnswerForm: Hashable, Sendable {
  /// The protocol, such as `openai-chat`.
  package var api: String
  /// The paths; nil if the protocol determines them.
  package var places: AnswerPlaces?

  package init(api: String, places: AnswerPlaces? = nil) {
    self.api = api
    self.places = places
  }
}
