package import SluiceSupport

/// An HTTP endpoint of the app under test.
///
/// The app contains the prompt and chooses the model.
package struct AppEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests and recordings.
  package static let api = "http"

  package var server: ServerAccess
  /// The name of the model in price files; nil if unknown.
  package var model: String?
  package var body: BodyTemplate
  package var places: AnswerPlaces
  package var fingerprint: Fingerprint

  package init(
    server: ServerAccess,
    model: String? = nil,
    body: BodyTemplate,
    places: AnswerPlaces = AnswerPlaces(),
    fingerprint: Fingerprint
  ) {
    self.server = server
    self.model = model
    self.body = body
    self.places = places
    self.fingerprint = fingerprint
  }

  /// Returns the request for a case.
  ///
  /// - Throws: ``Template/Problem`` about the first variable for which the case has no value.
  package func request(for prompt: RenderedPrompt, input: JSONValue, backend: String)
    throws(Template.Problem) -> ModelRequest
  {
    var request = ModelRequest(
      backend: backend,
      api: Self.api,
      model: model ?? backend,
      body: try body.filled(prompt.context(with: input)),
      fingerprint: fingerprint.digest
    )
    request.places = places
    return request
  }

  /// Returns true if a request asks for a streamed answer.
  static func isStreamed(_ request: ModelRequest) -> Bool {
    request.api == api && request.places?.isStreamed == true
  }

  /// Returns a request for the same answer without streaming.
  static func unstreamed(_ request: ModelRequest) -> ModelRequest {
    var plain = request
    plain.places?.isStreamed = false
    if var body = request.body.object, body["stream"] == .bool(true) {
      body["stream"] = false
      plain.body = .object(body)
    }
    return plain
  }
}
