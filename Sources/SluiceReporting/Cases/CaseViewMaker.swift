import SluiceGating

/// The maker of the views of a suite's cases.
package struct CaseViewMaker: Sendable {
  private let plan: SuitePlan
  /// The prompts whose last user message is the same for every case.
  private let fixedQuestions: Set<String>

  package init(_ plan: SuitePlan) {
    self.plan = plan
    fixedQuestions = Set(
      plan.prompts.filter { prompt in
        guard let last = prompt.messages.last(where: { $0.role == .user }) else { return false }
        return prompt.lists.isEmpty && last.template.inputs.isEmpty
      }.map(\.name)
    )
  }

  /// Returns the view of a case with the given answers.
  ///
  /// - Parameters:
  ///   - index: The index of the case in the plan.
  ///   - columns: The answers.
  /// - Returns: The view. Its question is that of the plan's last prompt.
  package func view(_ index: Int, columns: [AnswerColumn]) -> CaseView {
    let planned = plan.cases[index]
    let testCase = planned.testCase
    return CaseView(
      suite: plan.name,
      id: testCase.id,
      tags: testCase.tags,
      place: planned.stored.lineNumber.map { "\(plan.datasetPath):\($0)" },
      question: question(index, testCase),
      expected: Self.expected(testCase, planned.assertions),
      columns: columns
    )
  }

  /// Returns the request of a trial, or `nil` if the case lacks a value that the prompt needs.
  package func request(_ slot: SuitePlan.TrialIndex) -> ModelRequest? {
    try? plan.request(slot, plan.cases[slot.testCase].testCase)
  }

  private func question(_ index: Int, _ testCase: TestCase) -> [CaseView.Field] {
    if let prompt = plan.prompts.indices.last, let backend = plan.backends.indices.last,
      plan.backends[backend].asksPromptAlone,
      !fixedQuestions.contains(plan.prompts[prompt].name)
    {
      let slot = SuitePlan.TrialIndex(
        testCase: index,
        prompt: prompt,
        backend: backend,
        repetition: 1
      )
      if let question = (try? plan.request(slot, testCase)).map(SentRequest.init)?.question {
        return [CaseView.Field("", question.text)]
      }
    }
    return Self.fields(testCase.input)
  }

  /// Returns the members of an object, with each value as a text.
  package static func fields(_ value: JSONValue) -> [CaseView.Field] {
    guard let object = value.object else { return [CaseView.Field("", FlowText.text(value))] }
    return object.members.map { CaseView.Field($0.name, FlowText.text($0.value)) }
  }

  /// Returns the expectations of a case, followed by its own assertions.
  static func expected(_ testCase: TestCase, _ assertions: [BoundScorer]) -> [CaseView.Field] {
    fields(testCase.expected) + assertions.map { asserted($0, testCase) }
  }

  /// Returns an assertion as a field: its name, and the text or value that it requires.
  static func asserted(_ bound: BoundScorer, _ testCase: TestCase) -> CaseView.Field {
    let name = String(bound.name.dropFirst(BoundScorer.casePrefix.count))
    let assertion = bound.bound(to: testCase).scorer as? Assertion
    return CaseView.Field("assert", assertion?.demand ?? name)
  }
}

/// The views of the cases in a suite's result, created one at a time.
package struct ResultCases {
  private let maker: CaseViewMaker
  private let plan: SuitePlan
  private let result: SuiteResult
  private var log: RunLogReader?

  /// Creates the cases of a result.
  ///
  /// - Parameters:
  ///   - plan: The plan of the suite that ran.
  ///   - result: The suite's result.
  package init(_ plan: SuitePlan, _ result: SuiteResult) {
    self.plan = plan
    self.result = result
    maker = CaseViewMaker(plan)
    log = result.log.map { RunLogReader($0, readsAll: plan.cases.count > 1) }
  }

  package var count: Int { plan.cases.count }

  /// Returns the view of the case at an index of the plan, with its answers.
  package mutating func view(_ index: Int) -> CaseView {
    let places = index * plan.repetitions..<(index + 1) * plan.repetitions
    let columns = result.columns.map { column in
      AnswerColumn(
        prompt: column.prompt,
        backend: column.backend,
        answers: places.filter { $0 < column.trials.count }.map { answer(column.trials[$0]) }
      )
    }
    return maker.view(index, columns: columns)
  }

  private mutating func answer(_ trial: Trial) -> ShownAnswer {
    let whole = log?.whole(trial) ?? trial
    let full = log?.withTexts(of: trial) { texts -> String? in
      texts.text.isEmpty ? nil : (try? JSONReader.value(texts.text))?.string
    }
    let isTextless = whole.refusal != nil && whole.output?.excerpt.isEmpty == true
    return ShownAnswer(
      trial: whole,
      text: isTextless ? nil : full.flatMap(\.self) ?? whole.output?.excerpt,
      refusal: whole.refusal
    )
  }
}
