package import SluiceSupport

/// The answers of a pending set, compared with the accepted answers that they would replace.
package struct RecordingReview: Sendable {
  package var dataset: ProjectPath
  package var backend: String
  package var entries: [Entry]
  /// The answers that Sluice did not request itself, by origin.
  package var origins = GivenAnswers()

  /// A pending answer.
  package struct Entry: Sendable {
    package var testCase: String
    package var prompt: String
    package var repetition: Int
    package var comparison: Comparison
    /// The text of the new answer; nil if the answer has no text.
    package var text: String?
    /// The text of the model's refusal; nil if it did not refuse.
    package var refusal: String?
    /// The exchange and the previous accepted answer, for scoring.
    ///
    /// Nil if the answers are not scored.
    package var exchange: Exchange?

    /// A pending answer with its request, and the accepted answer to compare it with.
    package struct Exchange: Sendable {
      package var slot: Recording.Slot
      package var hints: Recording.Hints
      package var request: ModelRequest
      package var response: ModelResponse
      package var earlier: ModelResponse?
    }

    package init(
      testCase: String,
      prompt: String,
      repetition: Int,
      comparison: Comparison,
      text: String? = nil,
      refusal: String? = nil,
      exchange: Exchange? = nil
    ) {
      self.testCase = testCase
      self.prompt = prompt
      self.repetition = repetition
      self.comparison = comparison
      self.text = text
      self.refusal = refusal
      self.exchange = exchange
    }
  }

  /// The accepted answer that a pending answer is compared with.
  package enum Comparison: Sendable {
    /// The accepted answer to the same request.
    ///
    /// The pending answer would replace it.
    case replaces(ResponseDifference)
    /// The case has an accepted answer, but to another request.
    ///
    /// `parts` are the parts of the request that changed.
    case follows(ResponseDifference, parts: [String])
    /// The case was edited, so its accepted answer is to another question.
    ///
    /// `parts` are the parts of the request that changed.
    case anotherQuestion(parts: [String])
    /// The case has no accepted answer.
    case new

    package var difference: ResponseDifference? {
      switch self {
      case .replaces(let difference), .follows(let difference, _): difference
      case .anotherQuestion, .new: nil
      }
    }
  }

  package init(dataset: ProjectPath, backend: String, entries: [Entry]) {
    self.dataset = dataset
    self.backend = backend
    self.entries = entries
  }

  /// Compares a pending set with the accepted answers.
  package init(
    dataset: ProjectPath,
    backend: String,
    pending: RecordingFile,
    accepted: RecordingFile
  ) {
    self.dataset = dataset
    self.backend = backend
    let explainer = MissExplainer([backend: RecordingStore(accepted)])
    origins = GivenAnswers(of: [pending])
    entries = pending.slots.compactMap { slot in
      guard let recording = (try? pending.recording(slot)).flatMap({ $0 }),
        let response = try? ResponseReader.response(in: recording.exchange)
      else { return nil }
      let (comparison, earlier) = Self.comparison(recording, response, accepted, explainer)
      return Entry(
        testCase: recording.hints.testCase,
        prompt: recording.hints.prompt,
        repetition: recording.repetition,
        comparison: comparison,
        text: response.text,
        refusal: response.refusal,
        exchange: Entry.Exchange(
          slot: slot,
          hints: recording.hints,
          request: recording.exchange.request,
          response: response,
          earlier: earlier
        )
      )
    }
    entries.sort {
      ($0.testCase, $0.prompt, $0.repetition) < ($1.testCase, $1.prompt, $1.repetition)
    }
  }

  private static func comparison(
    _ recording: Recording,
    _ response: ModelResponse,
    _ accepted: RecordingFile,
    _ explainer: MissExplainer
  ) -> (Comparison, earlier: ModelResponse?) {
    if let old = (try? accepted.recording(recording.slot)).flatMap({ $0 }),
      let before = try? ResponseReader.response(in: old.exchange)
    {
      return (.replaces(ResponseDifference(from: before, to: response)), before)
    }
    let nearest = explainer.nearest(to: recording.exchange.request, hints: recording.hints)
    // If the answers are to different questions, a change of verdict says nothing about the prompt.
    if let change = nearest?.change, change.kinds.contains(.testCase) {
      return (.anotherQuestion(parts: change.parts), nil)
    }
    if let nearest,
      let before = try? ResponseReader.response(in: nearest.recording.exchange)
    {
      let difference = ResponseDifference(from: before, to: response)
      return (.follows(difference, parts: nearest.change.parts), before)
    }
    return (.new, nil)
  }
}
