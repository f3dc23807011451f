package import SluiceSupport

/// A recorded answer with its date.
///
/// The answer was already parsed, or is still in its recorded form.
package struct StoredAnswer: Sendable {
  /// The time of the answer; nil if unknown.
  package let date: Timestamp?
  private let content: Content

  enum Content {
    /// The answer, which was parsed while the file was checked.
    case read(ModelResponse)
    // Stored indirectly, to keep the usual case small.
    indirect case recorded(RecordedAnswer)
    /// The row of an outputs file contains an error instead of an answer.
    indirect case failed(BackendError)
  }

  /// True if the answer is already parsed.
  var isKept: Bool { if case .read = content { true } else { false } }

  init(date: Timestamp, content: Content) {
    self.date = date
    self.content = content
  }

  /// Creates the answer of an outputs file, or the error that its row contains.
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

  /// Returns the answer.
  ///
  /// If the project configured the paths of the answer's parts, the paths at the time of recording
  /// are used.
  ///
  /// - Throws: ``BackendError`` if the recording contains no answer.
  package func response() throws(BackendError) -> ModelResponse {
    switch content {
    case .read(let response): response
    case .failed(let error): throw error
    case .recorded(let answer):
      try ResponseReader.response(in: answer.response, api: answer.api, places: answer.places)
    }
  }

  /// Returns the answer.
  ///
  /// If the project configures the paths of the answer's parts, the current paths are used.
  ///
  /// - Parameter places: The paths of the answer's parts; nil if the protocol determines them.
  /// - Returns: The answer.
  /// - Throws: ``BackendError`` if the recording contains no answer.
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
