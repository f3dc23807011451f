import SluiceSupport

/// The parser of a backend's answer in a raw exchange.
package enum ResponseReader {
  /// Returns the answer in a recorded or live exchange.
  ///
  /// - Throws: ``BackendError`` if the exchange contains no answer.
  package static func response(in exchange: Exchange) throws(BackendError) -> ModelResponse {
    if let answer = exchange.answer { return answer }
    return try response(
      in: exchange.response,
      api: exchange.request.api,
      places: exchange.request.places
    )
  }

  /// Returns the answer in a response.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - api: The protocol of the response, such as `openai-chat`.
  ///   - places: The paths of the answer's parts, if the protocol does not determine them.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` if the response contains no answer.
  package static func response(
    in response: RawResponse,
    api: String,
    places: AnswerPlaces? = nil
  ) throws(BackendError) -> ModelResponse {
    var answer = try read(response, api: api, places)
    answer.fallback = response.fallback
    if let via = response.via {
      answer.provenance.take(via, response.stated)
      if !via.isMeasured { answer.timings = ResponseTimings() }
    }
    return answer
  }

  private static func read(
    _ response: RawResponse,
    api: String,
    _ places: AnswerPlaces?
  ) throws(BackendError) -> ModelResponse {
    switch api {
    case AppEndpoint.api: return try AppResponse.read(response, places ?? AnswerPlaces())
    case ProgramEndpoint.api, InProcessEndpoint.api: return try ProgramAnswer.read(response)
    case let name:
      if let api = ModelAPI(name: name) { return try AnswerReader.read(response, api) }
      throw BackendError(
        .brokenAnswer,
        "this version of Sluice does not know the protocol '\(name)'"
      )
    }
  }
}
