package import SluiceSupport

/// Where in the response of an app the parts of an answer stand.
///
/// A place is a path of names and indices with dots between them, such as `reply.text`. It decides how
/// a response is read, not what is asked: so it is no part of a request's key.
public struct AnswerPlaces: Hashable, Sendable {
  /// The answer's text; nil for `content`, else `text`.
  ///
  /// `.` is the whole response as it came.
  public var text: String?
  /// A piece of the text in an event of a stream; nil for `content`.
  public var piece: String?
  /// The counts of tokens; nil for `usage`.
  public var usage: String?
  /// What stands there when something went wrong; nil for `error`.
  public var error: String?
  /// The name of the model that answered; nil for `model`.
  public var model: String?
  /// Why the answer ended; nil for `finish_reason`, `finish-reason` or `finishReason`.
  public var finishReason: String?
  /// Whether the answer is asked for in pieces.
  public var isStreamed: Bool

  /// Creates places; what is nil stands at its usual place.
  ///
  /// - Parameters:
  ///   - text: The answer's text.
  ///   - piece: A piece of the text in an event of a stream.
  ///   - usage: The counts of tokens.
  ///   - error: What stands there when something went wrong.
  ///   - model: The name of the model that answered.
  ///   - finishReason: Why the answer ended.
  ///   - isStreamed: Whether the answer is asked for in pieces.
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

  /// The place that means all of it.
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

  /// Reads what ``json`` writes.
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

/// How a response is read: the protocol that it came by, and where the parts of the answer stand.
package struct AnswerForm: Hashable, Sendable {
  /// The protocol, such as `openai-chat`.
  package var api: String
  /// Nil where the protocol says it.
  package var places: AnswerPlaces?

  package init(api: String, places: AnswerPlaces? = nil) {
    self.api = api
    self.places = places
  }
}
