/// An error in OpenAI's format.
struct ChatError: Error {
  var message: String
  var type = "invalid_request_error"
  var parameter: String?
  var code: String?

  var json: String {
    JSONText.object([
      "error": JSONText.object([
        "message": JSONText.string(message),
        "type": JSONText.string(type),
        "param": JSONText.string(parameter),
        "code": JSONText.string(code),
      ])
    ])
  }
}
