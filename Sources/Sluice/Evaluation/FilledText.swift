import SluiceReporting

/// A template that is filled for each case of a suite, used to check that cases have all values.
struct FilledText {
  var template: Template
  var position: TextPosition
  /// The file that contains the template.
  var path: ProjectPath
  /// The owner of the template as named in messages, such as "the prompt".
  var owner: String
  /// The prompt whose messages the template can insert by their roles, in addition to the input;
  /// `nil` if the template cannot insert a prompt.
  private var beside: RenderedPrompt?
  /// The values that a judge's prompt can use in addition to the input; they take precedence over
  /// inputs with the same names.
  private var supplied: JSONObject?
  /// True if the template can use the case's expectation in addition to its input.
  private(set) var isAssertion = false
  /// The cases for which the template is filled, or `nil` for all.
  private var selection: CaseSelection?
  /// The list of messages that the template refers to; `nil` if the template is a text.
  private(set) var list: MessageList?
  /// All message lists of the prompt, if the prompt consists only of such lists.
  ///
  /// Only the first template of the prompt has them, so that an error is reported only once.
  private var onlyLists: [MessageList] = []
  /// The prompt whose messages the template can insert, if the roles of these messages depend on
  /// the case.
  private var besidePrompt: Prompt?

  /// Returns the templates of a prompt.
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

  /// Returns the templates of a judge's prompt, which can use the answer to grade and the input.
  private static func all(of judge: Judge) -> [FilledText] {
    all(
      of: judge.prompt,
      owner: "the judge's prompt",
      supplied: JSONObject(judge.ownNames.map { (name: $0, value: .string("a text")) })
    )
  }

  /// Returns the templates of a backend's body, which can insert the prompt and the input.
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
    // Check each list of roles once, since prompts with the same roles supply the same names.
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

  /// Returns the templates of a suite's assertions and of its judges' prompts.
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

  /// Returns true if the template is filled for a case.
  func applies(tags: [String], expected: JSONValue) -> Bool {
    selection?.contains(tags: tags, expected: expected) ?? true
  }

  /// Returns true if a case supplies every name that the template uses.
  func isFilled(by input: JSONValue, expecting expected: JSONValue) -> Bool {
    if beside == nil, supplied == nil, !isAssertion, list == nil, besidePrompt == nil {
      return template.isFilled(by: input)
    }
    return problems(filling: input, expecting: expected).isEmpty
      && listFault(filling: input, expecting: expected) == nil
  }

  /// Returns the reason why a value of the case cannot be inserted as messages.
  ///
  /// Returns `nil` if the value can be inserted, or if it is missing.
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
    // Report an empty list only if all lists of the prompt are empty.
    guard !onlyLists.isEmpty,
      onlyLists.allSatisfy({ (try? messages($0))?.isEmpty ?? false })
    else { return nil }
    return list.emptyFault(in: owner)
  }

  /// Returns the names that a case does not supply, in the order of the template, without
  /// duplicates.
  func problems(filling input: JSONValue, expecting expected: JSONValue) -> [Template.Problem] {
    if isAssertion {
      return template.problems(
        fillingAssertionFor: TestCase(id: "", input: input, expected: expected)
      )
    }
    if let supplied {
      var context = input.object ?? [:]
      for (name, value) in supplied.members { context[name] = value }
      // The expectation is checked elsewhere, since the scorer reads it itself.
      return template.problems(filling: .object(context)).filter {
        !$0.message.hasPrefix("\(Judge.expectedName).")
      }
    }
    var beside = beside
    if let besidePrompt {
      // If the prompt cannot be rendered, the prompt's own templates report that.
      beside = try? besidePrompt.render(filledWith: input)
      if beside == nil { return [] }
    }
    guard let beside else { return template.problems(filling: input) }
    return template.problems(fillingValue: beside.context(with: input))
  }
}
