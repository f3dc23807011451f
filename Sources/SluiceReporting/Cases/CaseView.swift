import SluiceGating

/// A case of a suite with its question, answers and scores, as shown on screens and in JSON.
package struct CaseView: Sendable {
  /// The name of the suite.
  package var suite: String
  /// The id of the case.
  package var id: String
  package var tags: [String]
  /// The file and line of the case, such as `datasets/clarity/cases.yaml:41`.
  package var place: String?
  /// The question: the last user message, or the case's inputs if there is no user message.
  package var question: [Field]
  /// The expectations of the case, and its own assertions.
  package var expected: [Field]
  /// The answers, by prompt and backend.
  package var columns: [AnswerColumn]

  /// A text with a name, such as an input of the case.
  package struct Field: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  package init(
    suite: String,
    id: String,
    tags: [String] = [],
    place: String? = nil,
    question: [Field],
    expected: [Field],
    columns: [AnswerColumn]
  ) {
    self.suite = suite
    self.id = id
    self.tags = tags
    self.place = place
    self.question = question
    self.expected = expected
    self.columns = columns
  }

  /// The overall outcome: failed if any answer failed; otherwise lost if any answer was lost.
  package var outcome: Standing {
    let all = Set(columns.flatMap(\.answers).map(\.standing))
    return [Standing.failed, .lost, .unjudged, .passed].first(where: all.contains) ?? .lost
  }

  /// An outcome without its reasons.
  package enum Standing: String, Hashable, Sendable {
    case passed, failed, unjudged, lost

    package init(_ outcome: Trial.Outcome) {
      self =
        switch outcome {
        case .passed: .passed
        case .failed: .failed
        case .unjudged: .unjudged
        case .lost: .lost
        }
    }
  }
}

/// The answers to a case from one prompt on one backend.
package struct AnswerColumn: Sendable {
  package var prompt: String
  package var backend: String
  /// The request, or `nil` if the view does not show requests.
  package var request: SentRequest?
  /// The answers, by repeat.
  package var answers: [ShownAnswer]
  /// The outcomes of the case in the committed versions of the baseline, oldest first.
  package var past: [PastAnswer]

  package init(
    prompt: String,
    backend: String,
    request: SentRequest? = nil,
    answers: [ShownAnswer],
    past: [PastAnswer] = []
  ) {
    self.prompt = prompt
    self.backend = backend
    self.request = request
    self.answers = answers
    self.past = past
  }

  package var name: String { "\(prompt) on \(backend)" }
}

/// An answer with its scores, or the reason why there is no answer.
package struct ShownAnswer: Sendable {
  /// The trial, with the explanations of its scores.
  package var trial: Trial
  /// The whole text of the answer, or `nil` if it has no text.
  package var text: String?
  /// The text of the model's refusal.
  package var refusal: String?
  /// The tool calls of the answer, each with its arguments.
  package var toolCalls: [CaseView.Field]
  /// The kind of recordings that the answer comes from; `nil` if it is live, or if there is no
  /// answer.
  package var source: RecordingStore.Kind?
  /// The most similar recording, if there is no answer.
  package var miss: RecordingSummary.MissGroup?

  package init(
    trial: Trial,
    text: String?,
    refusal: String? = nil,
    toolCalls: [CaseView.Field] = [],
    source: RecordingStore.Kind? = nil,
    miss: RecordingSummary.MissGroup? = nil
  ) {
    self.trial = trial
    self.text = text
    self.refusal = refusal
    self.toolCalls = toolCalls
    self.source = source
    self.miss = miss
  }

  package var standing: CaseView.Standing { CaseView.Standing(trial.outcome) }

  /// Returns true if another answer has the same text and the same scores.
  func isAlike(_ other: ShownAnswer) -> Bool {
    trial.outcome == other.trial.outcome && text == other.text && refusal == other.refusal
      && toolCalls == other.toolCalls && trial.scores == other.trial.scores
      && source == other.source
  }
}

/// A request as messages and parameters, for people.
package struct SentRequest: Hashable, Sendable {
  /// The messages, each named after its role; the members of the body if it has no messages.
  package var messages: [CaseView.Field]
  /// All members of the body other than ``messages`` that affect the answer, such as the model.
  package var parameters: [CaseView.Field]
  /// The body as sent.
  package var body: JSONValue

  /// Reads a request.
  package init(_ request: ModelRequest) {
    body = request.body
    messages = []
    parameters = []
    guard let object = request.body.object else {
      messages.append(CaseView.Field("body", Self.text(request.body)))
      return
    }
    let names = ModelAPI.messageNames(in: request.api)
    for (name, value) in object.members {
      switch name {
      case names.list where value.array != nil:
        messages += (value.array ?? []).map { message in
          CaseView.Field(message["role"]?.string ?? "message", Self.content(message, names))
        }
      case "system" where object[names.list] != nil:
        messages.insert(CaseView.Field("system", Self.text(value)), at: 0)
      case "systemInstruction" where object[names.list] != nil:
        messages.insert(CaseView.Field("system", Self.content(value, names)), at: 0)
      default: parameters.append(CaseView.Field(name, FlowText.text(value)))
      }
    }
    if messages.isEmpty {
      // A body without messages, such as that of an app's endpoint, is shown as a whole.
      messages = object.members.map { CaseView.Field($0.name, Self.text($0.value)) }
      parameters = []
    }
  }

  /// The last user message, or `nil` if there is none.
  package var question: CaseView.Field? { messages.last { $0.name == "user" } }

  private static func content(_ message: JSONValue, _ names: ModelAPI.MessageNames) -> String {
    guard let content = message[names.content] else { return message.jsonText }
    guard let parts = content.array else { return text(content) }
    return parts.map { $0["text"]?.string ?? $0.jsonText }.joined(separator: "\n")
  }

  private static func text(_ value: JSONValue) -> String {
    value.string ?? String(decoding: JSONWriter.pretty(value), as: UTF8.self).trimmed
  }
}
