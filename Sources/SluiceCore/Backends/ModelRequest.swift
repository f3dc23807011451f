public import SluiceSupport

/// The request that a backend sends for a rendered prompt.
///
/// It contains everything that determines the answer.
///
/// An answer is recorded under the key of its request. The key does not depend on the host, the
/// date, the template or the case. So two cases with the same question share a recorded answer.
public struct ModelRequest: Hashable, Sendable {
  /// The backend's name in `sluice.yaml`.
  public var backend: String
  /// The protocol of the backend, such as `openai-chat`.
  public var api: String
  /// The requested model.
  public var model: String
  /// The body as sent.
  public var body: JSONValue
  /// The fingerprint of a prompt outside of the project, if the backend has one.
  public var fingerprint: String?
  /// The paths of the answer's parts, if the protocol does not determine them.
  ///
  /// They are not part of the key.
  public var places: AnswerPlaces?
  /// The finish reasons that the backend defines itself.
  ///
  /// They are not part of the key.
  package var endings = EndingWords()
  /// The id of the case, which programs receive in addition to the body.
  ///
  /// It is not part of the key.
  package var testCase: String?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - backend: The backend's name in `sluice.yaml`.
  ///   - api: The protocol of the backend.
  ///   - model: The requested model.
  ///   - body: The body as sent.
  ///   - fingerprint: The fingerprint of a prompt outside of the project.
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
