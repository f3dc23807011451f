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
  /// The list of messages that it names, where it is not a text.
  private(set) var list: MessageList?
  /// Of the first list in a prompt without any message of its own: all lists of the prompt.
  private var onlyLists: [MessageList] = []
  /// A prompt beside the input, where its roles depend on the case.
  private var besidePrompt: Prompt?

  /// The templates of a prompt.
  static func all(of prompt: Prompt) -> [FilledText] {
    all(of: prompt, owner: "the prompt", supplied: nil)
  }

  private static func all(of prompt: Prompt, owner: String, supplied: JSONObject?) -> [FilledText] {
    var texts = prompt.parts.map { part in
      var text = FilledText(
        template: part.template,
        position: part.position,
        path: prompt.path,
        owner: owner,
        beside: nil,
        supplied: supplied
      )
      if case .list(let list) = part { text.list = list }
      return text
    }
    if prompt.messages.isEmpty, !texts.isEmpty { texts[0].onlyLists = prompt.lists }
    return texts
  }

  /// The templates of a judge's prompt, which find the texts that are judged beside a case's input.
  private static func all(of judge: Judge) -> [FilledText] {
    all(
      of: judge.prompt,
      owner: "the judge's prompt",
      supplied: JSONObject(judge.ownNames.map { (name: $0, value: .string("a text")) })
    )
  }

  /// The templates of a backend's body, which find the prompt beside a case's input.
  static func all(of backend: BackendDefinition, beside prompts: [Prompt]) -> [FilledText] {
    guard let body = backend.body else { return [] }
    func texts(beside messages: RenderedPrompt?, _ prompt: Prompt? = nil) -> [FilledText] {
      body.texts.map {
        FilledText(
          template: $0.template,
          position: $0.position,
          path: ProjectPath(ProjectConfiguration.fileName),
          owner: "the body",
          beside: messages,
          besidePrompt: prompt
        )
      }
    }
    let prompts = body.inputs.contains(BodyTemplate.promptName) ? prompts : []
    // Only which roles speak matters: prompts of the same roles supply the same names.
    var roles: [[MessageRole]] = []
    for prompt in prompts where prompt.lists.isEmpty {
      let all = MessageRole.allCases.filter { role in prompt.messages.contains { $0.role == role } }
      if !roles.contains(all) { roles.append(all) }
    }
    if prompts.isEmpty { roles = [[]] }
    let fixed = roles.flatMap { roles in
      texts(beside: RenderedPrompt(messages: roles.map { ChatMessage(role: $0, text: "a text") }))
    }
    return fixed
      + prompts.filter { !$0.lists.isEmpty }.flatMap { texts(beside: nil, $0) }
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
    if beside == nil, supplied == nil, !isAssertion, list == nil, besidePrompt == nil {
      return template.isFilled(by: input)
    }
    return problems(filling: input, expecting: expected).isEmpty
      && listFault(filling: input, expecting: expected) == nil
  }

  /// Why what a case supplies cannot be inserted as messages; nil where it can be, or is missing.
  func listFault(filling input: JSONValue, expecting expected: JSONValue) -> MessageList.Fault? {
    guard let list else { return nil }
    var context = input.object ?? [:]
    for (name, value) in supplied?.members ?? [] { context[name] = value }
    if supplied != nil { context[Judge.expectedName] = expected }
    func messages(_ list: MessageList) throws(MessageList.Fault) -> [ChatMessage]? {
      guard let value = try? list.template.value(.object(context)), value != .null else {
        return nil
      }
      return try MessageList.messages(value, named: list.name)
    }
    do throws(MessageList.Fault) {
      guard try messages(list)?.isEmpty ?? false else { return nil }
    } catch {
      return error
    }
    // Another list may supply messages, or have a fault of its own.
    guard !onlyLists.isEmpty,
      onlyLists.allSatisfy({ (try? messages($0))?.isEmpty ?? false })
    else { return nil }
    return list.emptyFault(in: owner)
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
    var beside = beside
    if let besidePrompt {
      // A fault of the prompt itself is reported at the prompt.
      beside = try? besidePrompt.render(filledWith: input)
      if beside == nil { return [] }
    }
    guard let beside else { return template.problems(filling: input) }
    return template.problems(fillingValue: beside.context(with: input))
  }
}
