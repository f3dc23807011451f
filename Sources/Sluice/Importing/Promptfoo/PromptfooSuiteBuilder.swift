import SluiceReporting

/// The builder of a suite's files from a configuration: prompts, cases, scorers, judges and
/// backends.
struct PromptfooSuiteBuilder {
  typealias Outcome = PromptfooAssertions.Outcome
  typealias Written = PromptfooAssertions.Written
  typealias Rubric = PromptfooAssertions.Rubric

  /// A case to write.
  struct Case {
    var test: PromptfooTest
    /// The variables of the test, without those that were added as empty texts.
    var variables: JSONObject
    var id = ""
    var tags: [String] = []
    /// The outcomes of the assertions that the case shares with other cases.
    var shared: [Outcome] = []
    var own: [Outcome] = []
    /// The assertions of the case alone, to be written under its `assert`.
    var assertions: [JSONValue] = []
    var rubrics: [(rubric: Rubric, isShared: Bool)] = []
    var expected: JSONObject = [:]
    var comments: [String] = []
    var isPartial = false
  }

  let context: PromptfooContext
  let name: String
  let description: String?
  let repetitions: Int
  let defaults: PromptfooTest.Defaults
  var providers: PromptfooProviders
  var prompts: [PromptfooPrompt] = []
  var cases: [Case] = []
  var scorers: [JSONValue] = []
  var judges: [(file: String, text: String)] = []
  var judgeBackends: [ImportedBackend] = []
  var judgeEntries: [JSONValue: PromptfooProviders.Backend] = [:]
  var goals: [String] = []
  /// The scorer names that are already used.
  var taken: Set<String> = []
  var schemas: [(file: String, schema: JSONValue)] = []
  var promptCount = ImportReport.Count("prompts")
  var caseCount = ImportReport.Count("cases")
  var assertionStates: [ImportReport.Finding: (whole: Bool, lost: Bool)] = [:]
  var differences: [String] = []
  /// The names of all prompts of the configuration, including prompts that were left out.
  ///
  /// The results of a run refer to prompts by their index in this list.
  var promptNames: [String] = []
  static let longestYAML = 2_000

  init(
    _ context: PromptfooContext,
    name: String,
    description: String?,
    repetitions: Int,
    defaults: PromptfooTest.Defaults,
    providers: PromptfooProviders
  ) {
    self.context = context
    self.name = name
    self.description = description
    self.repetitions = repetitions
    self.defaults = defaults
    self.providers = providers
  }

  // MARK: Building

  mutating func build(_ tests: PromptfooTestReader, _ promptReader: PromptfooPromptReader) {
    cases = tests.tests.map { Case(test: $0, variables: $0.vars, isPartial: $0.isPartial) }
    prompts = promptReader.prompts
    promptNames = prompts.map(\.name)
    caseCount.notAtAll = tests.lost
    promptCount.notAtAll = promptReader.lost
    readOptions()
    readPromptSettings()
    supplyNames()
    compareTexts()
    if prompts.isEmpty { addPromptPlaceholder() }
    if cases.isEmpty { addCasePlaceholder() }
    readAssertions()
    hoist()
    placeRubrics()
    nameCases()
    for index in cases.indices {
      if cases[index].isPartial { caseCount.inPart += 1 } else { caseCount.whole += 1 }
    }
  }

  mutating func addPromptPlaceholder() {
    let text = "FILL IN: the text of the prompt"
    guard let template = try? NunjucksTemplate(text) else { return }
    context.fillIn("the prompt 'v1': no prompt of the configuration could be imported")
    prompts = [
      PromptfooPrompt(
        place: .init(context.configuration, nil),
        name: "v1",
        messages: [.init(role: "user", template: template, text: text)],
        original: "the prompts that the import left out"
      )
    ]
  }

  mutating func addCasePlaceholder() {
    context.fillIn("the dataset '\(name)': none of its cases could be imported")
    var vars: JSONObject = [:]
    for path in prompts.flatMap(\.messages).flatMap(\.template.names) {
      vars[path[0]] = path.count == 1 ? "FILL IN" : vars[path[0]] ?? [:]
    }
    var test = PromptfooTest(
      place: .init(context.configuration, nil),
      vars: vars,
      assertions: [],
      metadata: [:]
    )
    test.description = "FILL IN: a case of the dataset that could not be read"
    cases = [Case(test: test, variables: [:], id: "fill-in")]
    supplyNames(isSilent: true)
    caseCount.whole -= 1
  }
}
