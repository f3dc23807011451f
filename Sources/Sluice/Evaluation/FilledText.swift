import SluiceReporting

/// A template that each case of a suite fills, with the place where it is written.
struct FilledText {
  var template: Template
  var position: TextPosition
  /// The file that it stands in.
  var path: ProjectPath
  /// What it is part of, in the words of a message: "the prompt".
  var owner: String
  /// The roles that a prompt beside the input has; nil where there is none beside it.
  private var beside: RenderedPrompt?
  /// What a judge's prompt finds beside the input, or in place of it.
  private var supplied: JSONObject?
  /// True where what a case expects stands beside its input.
  private var isAssertion = false
  /// The cases that fill it; nil where all do.
  private var selection: CaseSelection?

  /// The templates of a prompt.
  static func all(of prompt: Prompt) -> [FilledText] {
    prompt.messages.map {
      FilledText(
        template: $0.template,
        position: $0.position,
        path: prompt.path,
        owner: "the prompt",
        beside: nil
      )
    }
  }

  /// The templates of a judge's prompt, which find the texts that are judged beside a case's input.
  private static func all(of judge: Judge) -> [FilledText] {
    judge.prompt.messages.map {
      FilledText(
        template: $0.template,
        position: $0.position,
        path: judge.prompt.path,
        owner: "the judge's prompt",
        beside: nil,
        supplied: JSONObject(judge.ownNames.map { (name: $0, value: .string("a text")) })
      )
    }
  }

  /// The templates of a backend's body, which find the prompt beside a case's input.
  static func all(of backend: BackendDefinition, beside prompts: [Prompt]) -> [FilledText] {
    guard let body = backend.body else { return [] }
    // Only which roles speak matters: prompts of the same roles supply the same names.
    var roles: [[MessageRole]] = []
    for prompt in body.inputs.contains(BodyTemplate.promptName) ? prompts : [] {
      let all = MessageRole.allCases.filter { role in prompt.messages.contains { $0.role == role } }
      if !roles.contains(all) { roles.append(all) }
    }
    return (roles.isEmpty ? [[]] : roles).flatMap { roles in
      body.texts.map {
        FilledText(
          template: $0.template,
          position: $0.position,
          path: ProjectPath(ProjectConfiguration.fileName),
          owner: "the body",
          beside: RenderedPrompt(messages: roles.map { ChatMessage(role: $0, text: "a text") })
        )
      }
    }
  }

  /// The templates of a suite's assertions and of its judges' prompts.
  static func all(of scorers: [BoundScorer], path: ProjectPath) -> [FilledText] {
    let judged = scorers.flatMap { bound in
      ((bound.scorer as? any JudgeScorer)?.judge).map(all)?.map { $0.filled(for: bound) } ?? []
    }
    return judged
      + scorers.flatMap { bound in
        ((bound.scorer as? Assertion)?.check.templates ?? []).map {
          FilledText(
            template: $0.template,
            position: $0.position,
            path: path,
            owner: "the assertion",
            isAssertion: true
          ).filled(for: bound)
        }
      }
  }

  private func filled(for bound: BoundScorer) -> FilledText {
    var text = self
    text.selection = bound.selection
    return text
  }

  /// Returns true for a case that fills the text.
  func applies(tags: [String], expected: JSONValue) -> Bool {
    selection?.contains(tags: tags, expected: expected) ?? true
  }

  /// Whether a case supplies every name.
  func isFilled(by input: JSONValue, expecting expected: JSONValue) -> Bool {
    if beside == nil, supplied == nil, !isAssertion { return template.isFilled(by: input) }
    return problems(filling: input, expecting: expected).isEmpty
  }

  /// The names that a case does not supply, in the order of the text, each once.
  func problems(filling input: JSONValue, expecting expected: JSONValue) -> [Template.Problem] {
    if isAssertion {
      return template.problems(
        fillingAssertionFor: TestCase(id: "", input: input, expected: expected)
      )
    }
    if let supplied {
      var context = input.object ?? [:]
      for (name, value) in supplied.members { context[name] = value }
      // What is expected is looked for by the scorer.
      return template.problems(filling: .object(context)).filter {
        !$0.message.hasPrefix("\(Judge.expectedName).")
      }
    }
    guard let beside else { return template.problems(filling: input) }
    return template.problems(fillingValue: beside.context(with: input))
  }
}
