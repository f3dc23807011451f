import SluiceReporting

/// Puts what was read of a configuration together: prompts, cases, scorers, judges and backends.
struct PromptfooSuiteBuilder {
  private typealias Outcome = PromptfooAssertions.Outcome
  private typealias Written = PromptfooAssertions.Written
  private typealias Rubric = PromptfooAssertions.Rubric

  /// A case that is written.
  private struct Case {
    var test: PromptfooTest
    /// The variables as the test has them, without names that were supplied.
    var variables: JSONObject
    var id = ""
    var tags: [String] = []
    /// The outcomes of the shared assertions, and of its own.
    var shared: [Outcome] = []
    var own: [Outcome] = []
    /// What its `assert` has in the end.
    var assertions: [JSONValue] = []
    var rubrics: [(rubric: Rubric, isShared: Bool)] = []
    var expected: JSONObject = [:]
    var comments: [String] = []
    var isPartial = false
  }

  private let context: PromptfooContext
  private let name: String
  private let description: String?
  private let repetitions: Int
  private let defaults: PromptfooTest.Defaults
  private var providers: PromptfooProviders
  private var prompts: [PromptfooPrompt] = []
  private var cases: [Case] = []
  private var scorers: [JSONValue] = []
  private var judges: [(file: String, text: String)] = []
  private var judgeBackends: [ImportedBackend] = []
  private var goals: [String] = []
  /// The names of scorers that are given already.
  private var taken: Set<String> = []
  private var schemas: [(file: String, schema: JSONValue)] = []
  private var promptCount = ImportReport.Count("prompts")
  private var caseCount = ImportReport.Count("cases")
  private var assertionStates: [ImportReport.Finding: (whole: Bool, lost: Bool)] = [:]
  private var differences: [String] = []
  /// The prompts before some were left out, as results number them.
  private var promptNames: [String] = []
  private static let longestYAML = 2_000

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

  private mutating func addPromptPlaceholder() {
    let text = "FILL IN: the text of the prompt"
    guard let template = try? NunjucksTemplate(text) else { return }
    context.fillIn("the prompt 'v1': no prompt of the configuration could be carried over")
    prompts = [
      PromptfooPrompt(
        place: .init(context.configuration, nil),
        name: "v1",
        messages: [.init(role: "user", template: template, text: text)],
        original: "the prompts that the import left out"
      )
    ]
  }

  private mutating func addCasePlaceholder() {
    context.fillIn("the dataset '\(name)': its cases, of which none could be carried over")
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

  // MARK: Options

  private mutating func readOptions() {
    let known = [
      "provider", "transform", "rubricPrompt", "disableVarExpansion", "prefix", "suffix",
      "factuality",
    ]
    func read(_ options: PromptfooTest.Located?, isDefault: Bool) -> Bool {
      var isWhole = true
      for member in options?.node.members ?? [] {
        let place = PromptfooContext.Place(options?.path ?? context.configuration, member.keyPosition)
        switch member.key {
        case "delay", "timeout", "runSerially", "repeat", "providers", "includeMetrics", "showOutput":
          context.report(.note, .setting, place, "the option '\(member.key)' is left out; it changes no case")
        case "prefix", "suffix":
          if isDefault { continue }
          isWhole = false
          context.report(
            .leftOut,
            .testCase,
            place,
            "the option '\(member.key)' of a single test",
            nearest: "a name such as {{\(member.key)}} in the prompt, with a value in each case"
          )
        case let key where known.contains(key): break
        default:
          isWhole = false
          context.report(.leftOut, .testCase, place, "the option '\(member.key)' has no counterpart")
        }
      }
      return isWhole
    }
    _ = read(defaults.options, isDefault: true)
    for index in cases.indices where !read(cases[index].test.options, isDefault: false) {
      cases[index].isPartial = true
    }
  }

  // MARK: Prompts

  private static let wireNames = Dictionary(
    uniqueKeysWithValues: PromptReader.wireNames.map { ($0.wire, $0.name) }
  )

  private mutating func readPromptSettings() {
    for index in prompts.indices {
      for member in prompts[index].config?.node.members ?? [] {
        let path = prompts[index].config?.path ?? context.configuration
        if let name = Self.wireNames[member.key] {
          prompts[index].parameters[name] = member.value.json
          continue
        }
        let schema = member.value["json_schema"]?.json ?? member.value.json
        if member.key == "response_format", member.value.text("type") == "json_schema",
          schema["strict"]?.bool != false, let form = schema["schema"], form.object != nil
        {
          prompts[index].schema = addSchema(form, for: prompts[index].name)
          continue
        }
        context.report(
          .leftOut,
          .parameter,
          .init(path, member.keyPosition),
          "'\(member.key)' in the settings of the prompt '\(prompts[index].name)'",
          nearest: "'parameters:' of the prompt"
        )
      }
    }
    // A prompt's own settings win there, a backend's here: shared names move into the prompts.
    let own = Set(prompts.flatMap { $0.parameters.members.map(\.name) })
    for name in own.sorted() {
      let values = providers.backends.map { $0.parameters[name] }
      guard let first = values.first, values.allSatisfy({ $0 == first }) else {
        context.report(
          .leftOut,
          .parameter,
          .init(context.configuration, nil),
          "'\(name)' of prompts: the backends have values of their own, which win here",
          nearest: "take it out of the backends in sluice.yaml"
        )
        continue
      }
      providers.removeParameter(name)
      if let first {
        for index in prompts.indices where prompts[index].parameters[name] == nil {
          prompts[index].parameters[name] = first
        }
      }
    }
    placeResponseSchemas()
    placeInstructions()
  }

  /// Instructions of providers are the first message of prompts here.
  private mutating func placeInstructions() {
    let all = providers.backends.map(\.instructions)
    guard all.contains(where: { $0 != nil }) else { return }
    guard let first = all.first, let text = first, all.allSatisfy({ $0 == text }),
      let template = try? NunjucksTemplate(text)
    else {
      context.report(
        .leftOut,
        .backend,
        .init(context.configuration, nil),
        "'instructions' of some providers and not of others",
        nearest: "a 'developer' message of the prompt, in a suite for each"
      )
      return
    }
    for index in prompts.indices {
      prompts[index].messages.insert(.init(role: "developer", template: template, text: text), at: 0)
    }
  }

  /// A schema that providers ask for is a part of prompts here.
  private mutating func placeResponseSchemas() {
    let schemas = providers.backends.map(\.responseSchema)
    guard schemas.contains(where: { $0 != nil }) else { return }
    guard let first = schemas.first, let schema = first, schemas.allSatisfy({ $0 == schema }) else {
      providers.keepResponseFormats()
      return
    }
    let file = addSchema(schema, for: "answer")
    for index in prompts.indices where prompts[index].schema == nil { prompts[index].schema = file }
  }

  private mutating func addSchema(_ schema: JSONValue, for name: String) -> String {
    if let known = schemas.first(where: { $0.schema == schema }) { return known.file }
    let file = "\(name).schema.json"
    schemas.append((file, schema))
    return file
  }

  /// Supplies names that tests do not have, which promptfoo fills with nothing.
  private mutating func supplyNames(isSilent: Bool = false) {
    for prompt in prompts {
      for path in prompt.messages.flatMap(\.template.names) {
        for index in cases.indices {
          let value = Self.supplied(cases[index].test.vars[path[0]], path.dropFirst())
          guard let value else { continue }
          cases[index].test.vars[path[0]] = value
          if isSilent { continue }
          context.report(
            .note,
            .testCase,
            cases[index].test.place,
            "no '\(path.joined(separator: "."))' for a prompt: promptfoo fills in nothing, so it is "
              + "written as \"\""
          )
        }
      }
    }
  }

  /// A value with an empty text at a path; nil where something is there, or nothing can be put there.
  private static func supplied(_ value: JSONValue?, _ path: ArraySlice<String>) -> JSONValue? {
    guard let first = path.first else {
      switch value {
      case nil, .null?: return ""
      default: return nil
      }
    }
    switch value {
    case nil, .null?:
      guard let inner = supplied(nil, path.dropFirst()) else { return nil }
      return .object([first: inner])
    case .object(var object)?:
      guard let inner = supplied(object[first], path.dropFirst()) else { return nil }
      object[first] = inner
      return .object(object)
    default: return nil
    }
  }

  /// Leaves out prompts whose text would be another one for some case.
  private mutating func compareTexts() {
    var kept: [PromptfooPrompt] = []
    for prompt in prompts {
      guard !prompt.isPlaceholder else {
        kept.append(prompt)
        promptCount.whole += 1
        continue
      }
      var reason: String?
      let templates = prompt.messages.map { ($0.template, try? Template($0.text)) }
      search: for testCase in cases {
        let vars = JSONValue.object(testCase.test.vars)
        for (theirs, ours) in templates {
          let expected = theirs.render(vars)
          guard let ours, let text = try? ours.render(vars), text.isIdentical(to: expected) else {
            reason = "filled with the variables at line \(testCase.test.place.position?.line ?? 0) it is "
              + "another text here: values that are no texts, sections over objects"
            break search
          }
          if prompt.isText,
            Self.becomesMessages(expected)
          {
            reason = "filled with the variables at line \(testCase.test.place.position?.line ?? 0) it is "
              + "JSON, which promptfoo sends as messages"
            break search
          }
        }
      }
      if let reason {
        promptCount.notAtAll += 1
        context.report(
          .leftOut,
          .prompt,
          prompt.place,
          "the prompt '\(prompt.name)': \(reason)",
          nearest: "a prompt with names that stand for texts"
        )
        continue
      }
      promptCount.whole += 1
      kept.append(prompt)
    }
    prompts = kept
  }

  /// True for a text that promptfoo takes for the messages of a conversation.
  private static func becomesMessages(_ text: String) -> Bool {
    guard let first = text.trimmed.unicodeScalars.first,
      "[{\"-0123456789tfn".unicodeScalars.contains(first)
    else { return false }
    if text.trimmed.hasPrefix("- role:") { return true }
    return (try? JSONReader.value(text)) != nil
  }

  // MARK: Assertions

  private mutating func readAssertions() {
    let reader = PromptfooAssertions(
      context,
      outputIsText: providers.outputIsText,
      defaults: defaults
    )
    for index in cases.indices {
      let test = cases[index].test
      if cases[index].id == "fill-in" { continue }
      var (shared, own): ([Outcome], [Outcome]) = ([], [])
      for located in defaults.assertions {
        shared.append(note(reader.read(located, for: test), located))
      }
      for located in test.assertions { own.append(note(reader.read(located, for: test), located)) }
      (cases[index].shared, cases[index].own) = (shared, own)
      var testCase = cases[index]
      combine(&testCase)
      cases[index] = testCase
    }
    if cases.contains(where: { $0.shared.isEmpty && $0.own.isEmpty && $0.id != "fill-in" }) {
      differ(
        "A test without assertions passes in promptfoo. Here its answer is shown, and counts in no rate."
      )
    }
  }

  /// Notes what became of an assertion, by its place.
  private mutating func note(
    _ outcome: Outcome,
    _ located: PromptfooTest.Located
  ) -> Outcome {
    let key = ImportReport.Finding(
      .note,
      .assertion,
      path: located.path.description,
      position: located.node.position,
      message: ""
    )
    var state = assertionStates[key] ?? (whole: false, lost: false)
    switch outcome {
    case .assertions(let written):
      state.whole = true
      if written.contains(where: { $0.type.hasPrefix("not-") }) {
        differ(
          "An answer that no app could use (empty, cut off, refused) fails every assertion here, also "
            + "'not-…' ones."
        )
      }
      if written.contains(where: { $0.type == "latency" }) {
        differ("'latency' is the time of the answer itself; promptfoo counts retries.")
      }
    case .rubric:
      state.whole = true
      differ(
        "'llm-rubric' is advisory: its grades are shown, and decide no gate until people have checked the "
          + "judge (docs/judges.md)."
      )
    case .leftOut: state.lost = true
    }
    assertionStates[key] = state
    return outcome
  }

  private mutating func differ(_ text: String) {
    if !differences.contains(text) { differences.append(text) }
  }

  /// Puts the assertions of a case into a set where weights or a threshold decide.
  private mutating func combine(_ testCase: inout Case) {
    let sources = defaults.assertions + testCase.test.assertions
    let outcomes = testCase.shared + testCase.own
    for (place, (outcome, source)) in zip(outcomes, sources).enumerated() {
      switch outcome {
      case .leftOut(let reason):
        // Shared ones are named in the suite.
        if place >= testCase.shared.count {
          testCase.comments.append("left out: \(reason)")
          testCase.isPartial = true
        }
      case .rubric(var rubric):
        rubric.judge = judge(for: source, testCase.test)
        testCase.rubrics.append((rubric, place < testCase.shared.count))
      case .assertions: break
      }
    }
    let weights = sources.map { $0.node.number("weight") ?? 1 }
    let isWeighted = zip(outcomes, weights).contains { outcome, weight in
      if case .assertions(let written) = outcome, !written.isEmpty { weight != 1 } else { false }
    }
    guard testCase.test.threshold != nil || isWeighted else { return }
    // Rubrics count in the mean of a threshold as well, and so cannot be told apart from it.
    let set = PromptfooAssertions.combined(outcomes, weights, threshold: testCase.test.threshold)
    guard let set else {
      context.report(
        .leftOut,
        .testCase,
        testCase.test.place,
        "the threshold of the test: its mean counts assertions that did not come over, or grades that are "
          + "others here",
        nearest: "'assert-set' with a threshold"
      )
      testCase.isPartial = true
      for outcome in outcomes {
        guard case .assertions(let written) = outcome else { continue }
        for assertion in written {
          testCase.comments.append("left out with its threshold: \(YAMLWriter.inline(assertion.json()))")
        }
      }
      (testCase.shared, testCase.own) = ([], [])
      return
    }
    if set == nil, outcomes.contains(where: { if case .assertions = $0 { true } else { false } }) {
      context.report(
        .leftOut,
        .assertion,
        testCase.test.place,
        "assertions that weigh nothing decide nothing there",
        nearest: "'measure', which shows a figure"
      )
      testCase.isPartial = true
    }
    (testCase.shared, testCase.own) = ([], [.assertions(set.map { [$0] } ?? [])])
  }

  private mutating func judge(for source: PromptfooTest.Located, _ test: PromptfooTest) -> JSONValue? {
    let own = source.node.present("provider").map {
      PromptfooTest.Located(node: $0, path: source.path)
    }
    guard let located = own ?? defaults.located("provider", test.options) else { return nil }
    return .array([.string(located.path.description), located.node.json])
  }

  /// Moves shared assertions that are the same for every case to the suite.
  private mutating func hoist() {
    let isShared = cases.allSatisfy { $0.shared.count == defaults.assertions.count }
    var hoisted: Set<Int> = []
    for place in defaults.assertions.indices where isShared && !cases.isEmpty {
      guard case .assertions(let first) = cases[0].shared[place] else { continue }
      let isSame = cases.allSatisfy {
        if case .assertions(let other) = $0.shared[place] { other == first } else { false }
      }
      guard isSame else { continue }
      hoisted.insert(place)
      scorers += Self.numbered(first, after: scorers)
    }
    for index in cases.indices {
      var assertions: [JSONValue] = []
      for (place, outcome) in cases[index].shared.enumerated() where !hoisted.contains(place) {
        if case .assertions(let written) = outcome {
          assertions += Self.numbered(written, after: assertions)
        }
      }
      for outcome in cases[index].own {
        if case .assertions(let written) = outcome {
          assertions += Self.numbered(written, after: assertions)
        }
      }
      cases[index].assertions = assertions
    }
  }

  /// Assertions with names that no other of the list has.
  private static func numbered(_ written: [Written], after others: [JSONValue]) -> [JSONValue] {
    var taken = Set(others.compactMap { $0["name"]?.string })
    return written.map { assertion in
      var assertion = assertion
      if let name = assertion.name {
        var number = 1
        var next = name
        while !taken.insert(next).inserted {
          number += 1
          next = "\(name)-\(number)"
        }
        assertion.name = next
      }
      return assertion.json()
    }
  }

  // MARK: Judges

  private mutating func placeRubrics() {
    // What tells rubrics apart besides their text.
    var variants: [Rubric] = []
    func variant(_ rubric: Rubric) -> Int {
      var plain = rubric
      plain.text = ""
      if let known = variants.firstIndex(of: plain) { return known }
      variants.append(plain)
      return variants.count - 1
    }
    // Those that are the same for every case belong to the suite.
    let common = cases.first?.rubrics.filter { entry in
      entry.isShared
        && cases.allSatisfy { other in other.rubrics.contains { $0.isShared && $0.rubric == entry.rubric } }
    } ?? []
    for (rubric, _) in common {
      let name = scorerName(rubric.name ?? "rubric")
      addScorer(rubric, name: name, file: judgeFile(rubric, key: nil), appliesTo: nil)
      for index in cases.indices {
        cases[index].rubrics.removeAll { $0.isShared && $0.rubric == rubric }
      }
    }
    var keys: [String: Rubric] = [:]
    var order: [String] = []
    var names: [[Int]: String] = [:]
    for index in cases.indices {
      var counts: [Int: Int] = [:]
      for (rubric, _) in cases[index].rubrics {
        let place = variant(rubric)
        let count = counts[place, default: 0] + 1
        counts[place] = count
        let slot = [place, count]
        let key = names[slot] ?? scorerName(rubric.name ?? "case-rubric")
        names[slot] = key
        taken.insert(key)
        cases[index].expected[key] = .string(rubric.text)
        if keys[key] == nil {
          keys[key] = rubric
          order.append(key)
        }
      }
    }
    for key in order {
      guard let rubric = keys[key] else { continue }
      addScorer(rubric, name: key, file: judgeFile(rubric, key: key), appliesTo: key)
    }
  }

  /// A name that no other scorer of the suite has.
  private func scorerName(_ wish: String) -> String {
    let names = taken.union(scorers.compactMap { $0["name"]?.string })
    // A scorer's name must not hide a figure of every suite.
    let stem = Self.figures.contains(wish) ? "rubric-\(wish)" : wish
    var number = 1
    func next() -> String { number == 1 ? stem : "\(stem)-\(number)" }
    while names.contains(next()) { number += 1 }
    return next()
  }

  private static let figures: Set<String> = [
    "accuracy", "cost", "latency", "tokens", "first-text", "unusable-rate", "assertion-rate",
    "input-tokens", "output-tokens", "reported-cost", "user-latency", "fallback-rate",
    "longest-gap", "any-of-k", "all-of-k",
  ]

  private mutating func addScorer(_ rubric: Rubric, name: String, file: String, appliesTo key: String?) {
    var arguments: JSONObject = [
      "backend": .string(judgeBackend(rubric.judge)), "prompt": .string(file), "scale": [0, 1],
    ]
    if let threshold = rubric.threshold {
      arguments["step"] = 0.01
      arguments["at-least"] = .number(threshold)
    } else {
      arguments["at-least"] = 1
    }
    if key == nil { arguments["rubric"] = .string(rubric.text) }
    var scorer: JSONObject = ["llm-rubric": .object(arguments), "name": .string(name)]
    if let key { scorer["applies-to"] = ["expected": .string(key)] }
    scorers.append(.object(scorer))
    goals.append("\(name).pass-rate >= 100%")
  }

  /// The prompt of a judge, one for each place where its rubric stands.
  private mutating func judgeFile(_ rubric: Rubric, key: String?) -> String {
    let isGraded = rubric.threshold != nil
    let file = "judge" + (key.map { "-\($0)" } ?? (isGraded ? "-grade" : "")) + ".yaml"
    if judges.contains(where: { $0.file == file }) { return file }
    let grades =
      isGraded
      ? "{\"score\": 0.75, \"reason\": \"one sentence\"}\nThe score goes from 0 to 1, in steps of 0.01."
      : "{\"score\": 1, \"reason\": \"one sentence\"}\nThe score is 1 if the answer meets the rubric, and 0 if not."
    let place = key.map { "{{expected.\($0)}}" } ?? "{{rubric}}"
    let prompt = YAMLWriter.text(
      .mapping([
        .init(
          "messages",
          .list([
            .init(
              .mapping([
                .init(
                  "system",
                  .string(
                    "You grade an answer by a rubric. Reply with one JSON object and nothing else:\n"
                      + grades + "\n"
                  )
                )
              ])
            ),
            .init(
              .mapping([
                .init("user", .string("The rubric:\n\(place)\n\nThe answer:\n{{answer}}\n"))
              ])
            ),
          ])
        ),
      ]),
      head: ["The judge's prompt. promptfoo has another one with the same question."]
    )
    judges.append((file, prompt))
    return file
  }

  /// The name of a judge's backend.
  private mutating func judgeBackend(_ judge: JSONValue?) -> String {
    var number = 1
    func name() -> String { number == 1 ? "judge" : "judge-\(number)" }
    var backend = PromptfooProviders.usualJudge
    var comments: [String] = [
      "promptfoo picks the judge by the keys that are set; this is its choice for OpenAI's."
    ]
    if let judge {
      comments = []
      let path = ProjectPath(judge.array?.first?.string ?? "")
      if let made = judgeEntries[judge] ?? readJudge(judge, path) {
        backend = made
      } else {
        backend.entry = ["type": "openai", "model": "FILL-IN", "base-url": "http://127.0.0.1:9/v1"]
        backend.parameters = [:]
        comments = ["FILL IN: the judge of the configuration could not be carried over."]
        context.fillIn("the backend of the judge in sluice.yaml: the model to ask, and where")
      }
      judgeEntries[judge] = backend
    }
    var entry = backend.entry
    if !backend.parameters.members.isEmpty { entry["parameters"] = .object(backend.parameters) }
    while let known = judgeBackends.first(where: { $0.name == name() }), known.entry != entry {
      number += 1
    }
    if !judgeBackends.contains(where: { $0.name == name() }) {
      judgeBackends.append(ImportedBackend(name: name(), entry: entry, comments: comments))
    }
    return name()
  }

  private var judgeEntries: [JSONValue: PromptfooProviders.Backend] = [:]

  private mutating func readJudge(_ judge: JSONValue, _ path: ProjectPath) -> PromptfooProviders.Backend? {
    for located in [defaults.options?.node.present("provider")] + cases.map({ $0.test.options?.node.present("provider") })
      + (defaults.assertions + cases.flatMap(\.test.assertions)).map({ $0.node.present("provider") })
    {
      if let located, judge.array?.last == located.json { return providers.judge(located, in: path) }
    }
    return nil
  }

  // MARK: Cases

  private mutating func nameCases() {
    var taken: Set<String> = []
    var inputs: [JSONValue: String] = [:]
    for index in cases.indices {
      let test = cases[index].test
      if cases[index].id.isEmpty {
        let input = JSONValue.object(test.vars)
        let digest = SHA256.hexadecimal(JSONWriter.canonical(input)).prefix(8)
        let words = test.description.flatMap { Identifier.made(of: $0.lowercased()) }
        let stem = Self.shortened(words ?? name)
        var id = "\(stem)-\(digest)"
        if let first = inputs[input] {
          context.report(
            .note,
            .testCase,
            test.place,
            "it has the same input as the case '\(first)', so both count as one piece of evidence"
          )
        }
        var number = 1
        while !taken.insert(id).inserted {
          number += 1
          id = "\(stem)-\(digest)-\(number)"
        }
        inputs[input] = inputs[input] ?? id
        cases[index].id = id
      }
      for member in test.metadata.members {
        guard let text = member.value.string ?? Self.shortText(member.value), text.count <= 40,
          let tag = Identifier.made(of: "\(member.name).\(text)")
        else { continue }
        if !cases[index].tags.contains(tag) { cases[index].tags.append(tag) }
      }
    }
  }

  private static func shortText(_ value: JSONValue) -> String? {
    switch value {
    case .number, .bool: value.jsonText
    default: nil
    }
  }

  private static func shortened(_ text: String) -> String {
    if text.count <= 40 { return text }
    let start = text.prefix(40)
    let end = start.lastIndex(of: "-") ?? start.endIndex
    return String(start[..<end])
  }

  private func notes(_ testCase: Case) -> JSONValue? {
    var notes: JSONObject = [:]
    notes.set("description", testCase.test.description.map(JSONValue.string))
    if !testCase.test.metadata.members.isEmpty {
      notes["metadata"] = .object(testCase.test.metadata)
    }
    if notes.members.isEmpty { return nil }
    return notes.members.count == 1 ? notes["description"] ?? .object(notes) : .object(notes)
  }

  /// A value that a dataset takes as it is: no reference to a file.
  private static func asWritten(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return text.hasPrefix("file://") ? ["literal": value] : value
    case .array(let elements): return .array(elements.map(asWritten))
    case .object(let object):
      let members = object.members.map { (name: $0.name, value: asWritten($0.value)) }
      let inner = JSONValue.object(JSONObject(members))
      let isReference = object.members.count == 1 && object.members[0].name == "file"
        && object.members[0].value.string != nil
      return isReference ? ["literal": inner] : inner
    default: return value
    }
  }

  private static func input(_ vars: JSONObject) -> JSONValue {
    .object(JSONObject(vars.members.map { (name: $0.name, value: asWritten($0.value)) }))
  }

  private var dataset: ImportPlan.File {
    let folder = ProjectPath("datasets/\(name)")
    if cases.count > Self.longestYAML {
      var text = ""
      for testCase in cases {
        var object: JSONObject = ["id": .string(testCase.id)]
        if !testCase.tags.isEmpty { object["tags"] = .array(testCase.tags.map(JSONValue.string)) }
        object["input"] = Self.input(testCase.test.vars)
        if !testCase.expected.members.isEmpty { object["expected"] = .object(testCase.expected) }
        if !testCase.assertions.isEmpty { object["assert"] = .array(testCase.assertions) }
        var notes = notes(testCase)
        if !testCase.comments.isEmpty {
          notes = [
            "text": notes ?? .null, "left-out": .array(testCase.comments.map(JSONValue.string)),
          ]
        }
        object.set("notes", notes)
        text += JSONValue.object(object).jsonText + "\n"
      }
      return ImportPlan.File(folder.resolvingChild("cases.jsonl"), text)
    }
    let items = cases.map { testCase -> YAMLWriter.Item in
      var members: [YAMLWriter.Member] = [.init("id", .string(testCase.id))]
      if !testCase.tags.isEmpty {
        members.append(.init("tags", .array(testCase.tags.map(JSONValue.string))))
      }
      members.append(.init("input", Self.input(testCase.test.vars)))
      if !testCase.expected.members.isEmpty {
        members.append(.init("expected", .object(testCase.expected)))
      }
      if !testCase.assertions.isEmpty {
        let list = testCase.assertions.map { YAMLWriter.Item(.json($0)) }
        members.append(.init("assert", .list(list), comments: testCase.comments))
      } else if !testCase.comments.isEmpty {
        members[members.count - 1].comments = testCase.comments
      }
      if let notes = notes(testCase) { members.append(.init("notes", notes)) }
      return .init(.mapping(members))
    }
    return ImportPlan.File(
      folder.resolvingChild("cases.yaml"),
      YAMLWriter.text(.list(items), head: ["Imported from \(context.configuration)."])
    )
  }

  // MARK: Files

  private func file(of prompt: PromptfooPrompt) -> ImportPlan.File {
    var head: [String] = []
    if let original = prompt.original {
      head.append("FILL IN: \(original) could not be read. Write its text below.")
    }
    let messages = prompt.messages.map { message in
      YAMLWriter.Item(.mapping([.init(message.role, .string(message.text))]))
    }
    var members: [YAMLWriter.Member] = [.init("messages", .list(messages))]
    if !prompt.parameters.members.isEmpty {
      members.append(.init("parameters", .object(prompt.parameters)))
    }
    if let schema = prompt.schema { members.append(.init("response-schema", .string(schema))) }
    return ImportPlan.File(
      ProjectPath("prompts/\(name)/\(prompt.name).yaml"),
      YAMLWriter.text(.mapping(members), head: head)
    )
  }

  private var decides: Bool {
    cases.contains { !$0.assertions.isEmpty } || scorers.contains { $0["llm-rubric"] == nil }
  }

  private var suite: ImportPlan.File {
    var members: [YAMLWriter.Member] = [.init("suite", .string(name))]
    let files = prompts.map { "\($0.name).yaml" }
    if files.count == 1 {
      members.append(.init("prompt", .string(files[0])))
    } else {
      members.append(.init("prompts", .array(files.map(JSONValue.string))))
    }
    members.append(.init("dataset", .string(name)))
    let names = providers.backends.map(\.name)
    if names.count == 1 {
      members.append(.init("backend", .string(names[0])))
    } else {
      members.append(.init("backends", .array(names.map(JSONValue.string))))
    }
    if repetitions > 1 { members.append(.init("repeat", .number(Double(repetitions)))) }
    let comments = sharedComments
    if !scorers.isEmpty {
      members.append(
        .init("scorers", .list(scorers.map { .init(.json($0)) }), comments: comments)
      )
    } else if !comments.isEmpty {
      members[members.count - 1].comments += comments
    }
    if decides {
      members.append(
        .init(
          "gates",
          ["accuracy >= 100%"],
          comments: ["promptfoo fails a run in which a test fails."]
        )
      )
    }
    if !goals.isEmpty { members.append(.init("goals", .array(goals.map(JSONValue.string)))) }
    var head = ["Imported from \(context.configuration)."]
    if let description, !description.trimmed.isEmpty { head.append(description) }
    return ImportPlan.File(
      ProjectPath("prompts/\(name)/suite.yaml"),
      YAMLWriter.text(.mapping(members), head: head)
    )
  }

  /// The shared assertions that no case has.
  private var sharedComments: [String] {
    guard let first = cases.first else { return [] }
    return first.shared.compactMap { outcome in
      if case .leftOut(let reason) = outcome { "left out: \(reason)" } else { nil }
    }
  }

  private var backends: [ImportedBackend] {
    providers.backends.map { backend in
      var entry = backend.entry
      if !backend.parameters.members.isEmpty { entry["parameters"] = .object(backend.parameters) }
      return ImportedBackend(name: backend.name, entry: entry, comments: backend.comments)
    } + judgeBackends
  }

  mutating func result() -> PromptfooImport.Result {
    var files = [suite] + prompts.map { file(of: $0) }
    for (file, text) in judges { files.append(.init(ProjectPath("prompts/\(name)/\(file)"), text)) }
    for (file, schema) in schemas {
      let text = String(decoding: JSONWriter.pretty(schema), as: UTF8.self)
      files.append(.init(ProjectPath("prompts/\(name)/\(file)"), text))
    }
    files.append(dataset)
    let redaction = Redaction()
    for index in files.indices {
      let text = String(decoding: files[index].bytes, as: UTF8.self)
      let clean = redaction.redactedJudged(text)
      if clean == text { continue }
      files[index].bytes = Array(clean.utf8)
      context.report(
        .changed,
        .testCase,
        .init(context.configuration, nil),
        "\(files[index].path): a secret was taken out of it",
        nearest: "'key: {env: NAME}' of a backend"
      )
    }
    var report = ImportReport(source: context.configuration.description)
    report.findings = context.findings.sorted { left, right in
      func key(_ finding: ImportReport.Finding) -> (Int, SourcePosition) {
        (
          finding.path == context.configuration.description ? 0 : 1,
          finding.position ?? SourcePosition(line: 0, column: 0)
        )
      }
      return key(left) < key(right)
    }
    report.fillIns = context.fillIns
    report.differences = differences
    let states = assertionStates.values
    let providerCount = ImportReport.Count(
      "providers",
      whole: providers.hasPlaceholder ? 0 : providers.backends.count - providers.partial,
      inPart: providers.partial,
      notAtAll: providers.lost
    )
    report.counts = [
      promptCount, caseCount,
      .init(
        "assertions",
        whole: states.count { $0.whole && !$0.lost },
        inPart: states.count { $0.whole && $0.lost },
        notAtAll: states.count { !$0.whole }
      ),
      providerCount,
    ]
    var byVariables: [JSONValue: [String]] = [:]
    for testCase in cases where testCase.id != "fill-in" {
      byVariables[.object(testCase.variables), default: []].append(testCase.id)
    }
    return PromptfooImport.Result(
      name: name,
      files: files,
      backends: backends,
      report: report,
      casesByVariables: byVariables,
      promptNames: promptNames
    )
  }
}
