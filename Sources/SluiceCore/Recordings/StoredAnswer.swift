package import SluiceSupport

/// The answer of a recording with its date, read as far as it was kept.
package struct StoredAnswer: Sendable {
  /// When the answer was given; nil where nobody knows.
  package let date: Timestamp?
  private let content: Content

  enum Content {
    /// The answer was read while the file was checked.
    case read(ModelResponse)
    // Out of line, so that the usual case stays small.
    indirect case recorded(RecordedAnswer)
    /// The row of a file of outputs says that there is no answer.
    indirect case failed(BackendError)
  }

  /// True when the answer comes from memory.
  var isKept: Bool { if case .read = content { true } else { false } }

  init(date: Timestamp, content: Content) {
    self.date = date
    self.content = content
  }

  /// The answer of a file of outputs, or the error in its place.
  init(_ answer: Result<ModelResponse, BackendError>) {
    date = nil
    switch answer {
    case .success(let response): content = .read(response)
    case .failure(let error): content = .failed(error)
    }
  }

  init(_ answer: RecordedAnswer) {
    self.init(date: answer.response.since, content: .recorded(answer))
  }

  /// Returns the answer, whose parts stand where the project said when it was recorded.
  ///
  /// - Throws: ``BackendError`` when the recording holds no answer.
  package func response() throws(BackendError) -> ModelResponse {
    switch content {
    case .read(let response): response
    case .failed(let error): throw error
    case .recorded(let answer):
      try ResponseReader.response(in: answer.response, api: answer.api, places: answer.places)
    }
  }

  /// Returns the answer, whose parts stand where the project says now.
  ///
  /// - Parameter places: Where the parts stand; nil where the protocol says it.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` when the recording holds no answer.
  package func response(places: @autoclosure () -> AnswerPlaces?) throws(BackendError)
    -> ModelResponse
  {
    switch content {
    case .read(let response): response
    case .failed(let error): throw error
    case .recorded(let answer):
      try ResponseReader.response(in: answer.response, api: answer.api, places: places())
    }
  }
}
