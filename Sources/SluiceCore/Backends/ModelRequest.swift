public import SluiceSupport

/// What a backend sends for a rendered prompt: all that decides the answer.
///
/// The host, the date, the template and the case are not in it: two cases that ask the same share an
/// answer.
public struct ModelRequest: Hashable, Sendable {
  /// The backend's name in `sluice.yaml`.
  public var backend: String
  /// The protocol that the backend speaks, such as `openai-chat`.
  public var api: String
  /// The model that is asked.
  public var model: String
  /// The body as it is sent.
  public var body: JSONValue
  /// What stands for a prompt that lives outside of the project, if the backend has one.
  public var fingerprint: String?
  /// Where the parts of an answer stand, where the protocol does not say it; no part of the key.
  public var places: AnswerPlaces?
  /// The backend's own words for endings; no part of the key.
  package var endings = EndingWords()
  /// The id of the case that asks, which programs are told beside the body; no part of the key.
  package var testCase: String?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - backend: The backend's name in `sluice.yaml`.
  ///   - api: The protocol that the backend speaks.
  ///   - model: The model that is asked.
  ///   - body: The body as it is sent.
  ///   - fingerprint: What stands for a prompt that lives outside of the project.
  public init(
    backend: String,
    api: String,
    model: String,
    body: JSONValue,
    fingerprint: String? = nil
  ) {
    self.backend = backend
    self.api = api
    self.model = model
    self.body = body
    self.fingerprint = fingerprint
  }
}
