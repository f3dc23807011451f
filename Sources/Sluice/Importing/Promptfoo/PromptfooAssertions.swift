import SluiceReporting

/// The conversion of promptfoo's assertions to Sluice's assertions.
struct PromptfooAssertions {
  typealias Located = PromptfooTest.Located

  /// The result of converting an assertion.
  enum Outcome {
    /// The equivalent assertions: one, or two that must both pass.
    case assertions([Written])
    /// A rubric for a judge.
    case rubric(Rubric)
    /// The assertion was left out.
    ///
    /// The reason was reported.
    case leftOut(String)
  }

  /// A converted assertion of a suite or a case.
  struct Written: Hashable {
    var type: String
    var arguments: JSONValue
    var name: String?
    var extract: JSONValue?
    var weight = 1.0
    /// True if the grade may be a fraction, or if Sluice may compute another grade than promptfoo.
    var isGraded = false

    /// Returns the assertion in the format of suites and datasets.
    func json(withWeight: Bool = false) -> JSONValue {
      var object: JSONObject = [:]
      object[type] = arguments
      object.set("name", name.map(JSONValue.string))
      object.set("extract", extract)
      if withWeight, weight != 1 { object["weight"] = .number(weight) }
      // An assertion without arguments is written as its name alone.
      if object.members.count == 1, case .null = arguments { return .string(type) }
      return .object(object)
    }
  }

  /// A rubric, which a judge uses to grade answers.
  struct Rubric: Hashable {
    var text: String
    /// The lowest grade that passes; `nil` if the judge answers only yes or no.
    var threshold: Double?
    /// promptfoo's definition of the judge, or `nil` for the default judge.
    var judge: JSONValue?
    /// The name of the metric.
    var name: String?
  }

  /// All assertion types of promptfoo.
  static let knownTypes: Set<String> = [
    "agent-rubric", "answer-relevance", "assert-set", "bleu", "classifier", "contains",
    "contains-all", "contains-any", "contains-html", "contains-json", "contains-sql",
    "contains-xml", "context-faithfulness", "context-recall", "context-relevance",
    "conversation-relevance", "cost", "equals", "factuality", "finish-reason", "g-eval", "gleu",
    "guardrails", "human", "icontains", "icontains-all", "icontains-any", "is-html", "is-json",
    "is-refusal", "is-sql", "is-valid-function-call", "is-valid-openai-function-call",
    "is-valid-openai-tools-call", "is-xml", "javascript", "latency", "levenshtein", "llm-rubric",
    "max-score", "meteor", "model-graded-closedqa", "model-graded-factuality", "moderation",
    "perplexity", "perplexity-score", "pi", "python", "regex", "rouge-n", "ruby", "search-rubric",
    "select-best", "similar", "similar:cosine", "similar:dot", "similar:euclidean", "skill-used",
    "starts-with", "tool-call-f1", "trace-error-spans", "trace-span-count", "trace-span-duration",
    "trajectory:goal-success", "trajectory:step-count", "trajectory:tool-args-match",
    "trajectory:tool-sequence", "trajectory:tool-used", "webhook", "word-count",
  ]

  let context: PromptfooContext
  let outputIsText: Bool?
  let defaults: PromptfooTest.Defaults
  /// The reasons why some types are left out, although Sluice may have a similar assertion.
  static let near: [String: String] = [
    "similar": "it compares embeddings",
    "rouge-n": "promptfoo counts words with another tokenizer",
    "bleu": "promptfoo uses another smoothing and another tokenizer",
    "gleu": "Sluice has no such metric",
    "meteor": "Sluice has no such metric",
    "contains-json": "promptfoo accepts YAML and JSON5 as JSON",
    "is-refusal": "promptfoo searches for fixed phrases",
    "is-html": "promptfoo has its own rules for HTML",
    "contains-html": "promptfoo has its own rules for HTML",
    "contains-xml": "promptfoo also accepts malformed XML",
    "perplexity": "Sluice does not record log probabilities",
    "ruby": "it is a program",
    "webhook": "a server decides the result",
    "is-sql": "Sluice has no SQL parser",
    "contains-sql": "Sluice has no SQL parser",
    "search-rubric": "its judge searches the web",
    "agent-rubric": "its judge is an agent with tools",
    "moderation": "a remote service decides the result",
    "guardrails": "a remote service decides the result",
    "classifier": "a remote service decides the result",
    "pi": "a remote service decides the result",
    "human": "a person decides the result",
  ]

  init(_ context: PromptfooContext, outputIsText: Bool?, defaults: PromptfooTest.Defaults) {
    self.context = context
    self.outputIsText = outputIsText
    self.defaults = defaults
  }

  // MARK: One assertion

  /// Converts an assertion of a test.
  ///
  /// - Parameters:
  ///   - located: The assertion.
  ///   - test: The test, whose variables the assertion may use.
  ///   - isMember: True if the assertion is in an `assert-set`.
  /// - Returns: The outcome. Everything that was left out is reported.
  func read(_ located: Located, for test: PromptfooTest, isMember: Bool = false) -> Outcome {
    let node = located.node
    guard node.members != nil, let type = node.text("type") else {
      return leaveOut(located, "an assertion without a type", nearest: nil)
    }
    let negation = "not-"
    let isNegated = type.hasPrefix(negation) && type != "not-empty"
    let plain = isNegated ? String(type.dropFirst(negation.count)) : type
    guard Self.knownTypes.contains(plain) else {
      return leaveOut(
        located,
        "\(type): promptfoo has no assertion of this type, so it always fails there",
        nearest: ForeignScorers.way(insteadOf: type)
      )
    }
    if let reason = Self.near[plain] ?? Self.near[String(plain.prefix { $0 != ":" && $0 != "-" })] {
      return leaveOut(located, "\(type): \(reason)", nearest: ForeignScorers.way(insteadOf: plain))
    }
    var reading = Reading(self, located, test, type: type, plain: plain, isNegated: isNegated)
    if plain == "assert-set" { return set(located, test, isNegated: isNegated, isMember: isMember) }
    guard let extract = reading.extraction() else { return reading.outcome }
    if let outcome = reading.rubric() {
      if case .rubric = outcome, extract != .null {
        return leaveOut(located, "\(type) on a transformed output", nearest: nil)
      }
      return outcome
    }
    guard let written = reading.written() else { return reading.outcome }
    var result: [Written] = []
    for var assertion in written {
      if extract != .null { assertion.extract = extract }
      if let fault = fault(in: assertion, for: test) {
        return leaveOut(located, "\(type): \(fault)", nearest: ForeignScorers.way(insteadOf: plain))
      }
      result.append(assertion)
    }
    if let last = result.indices.last { result[last].name = reading.name() }
    return .assertions(result)
  }

  @discardableResult
  func leaveOut(_ located: Located, _ message: String, nearest: String?) -> Outcome {
    let area = ImportReport.Area.assertion
    context.report(.leftOut, area, located.place, message, nearest: nearest)
    return .leftOut(message)
  }

  /// Returns the error that Sluice would report for an assertion, or `nil` if it is valid.
  func fault(in assertion: Written, for test: PromptfooTest) -> String? {
    let collector = DiagnosticCollector()
    let files = ProjectFiles(InMemoryFileSystem(), diagnostics: collector)
    let position = SourcePosition(line: 1, column: 1)
    let file = SourceFile(path: "datasets/cases.yaml", bytes: [])
    let node = Node(assertion.json(), at: position)
    guard let spec = ScorerSpec.read(node, file: file, diagnostics: collector) else {
      return collector.diagnostics.first?.message ?? "it cannot be read"
    }
    let testCase = TestCase(id: "case", input: .object(test.vars))
    let made = ScorerCatalog.make(
      ScorerArguments(spec: spec, files: files, testCase: testCase)
    )
    if made != nil, !collector.hasErrors { return nil }
    return collector.diagnostics.first?.message ?? "it cannot be used"
  }

  // MARK: Sets

  func set(
    _ located: Located,
    _ test: PromptfooTest,
    isNegated: Bool,
    isMember: Bool
  ) -> Outcome {
    let node = located.node
    guard !isNegated, !isMember, let nodes = node["assert"]?.elements, !nodes.isEmpty else {
      return leaveOut(located, "assert-set: promptfoo rejects this set", nearest: nil)
    }
    for member in node.members ?? []
    where !["type", "assert", "threshold", "weight", "metric"].contains(member.key) {
      return leaveOut(located, "assert-set with '\(member.key)'", nearest: nil)
    }
    let outcomes = nodes.map {
      read(Located(node: $0, path: located.path), for: test, isMember: true)
    }
    let weights = nodes.map { $0.number("weight") ?? 1 }
    guard
      let made = Self.combined(outcomes, weights, threshold: node.number("threshold"))
    else {
      return leaveOut(
        located,
        "assert-set: its threshold counts assertions that could not be imported",
        nearest: "'assert-set' with a threshold for the imported assertions"
      )
    }
    guard var made else { return .assertions([]) }
    made.weight = node.number("weight") ?? 1
    made.name = node.text("metric").flatMap { Reading.metricName($0) }
    return .assertions([made])
  }

  /// Combines assertions into a set.
  ///
  /// The set passes if the weighted mean of its grades is high enough, or if all its assertions
  /// pass.
  ///
  /// - Parameters:
  ///   - outcomes: The assertions.
  ///   - weights: The weight of each assertion.
  ///   - threshold: The lowest mean that passes, or `nil` if all assertions must pass.
  /// - Returns: The set; `.some(nil)` if none of its assertions affects the result; `nil` if Sluice
  ///   cannot express the set with the same meaning.
  static func combined(_ outcomes: [Outcome], _ weights: [Double], threshold: Double?) -> Written??
  {
    var members: [JSONValue] = []
    var decides = false
    for (outcome, weight) in zip(outcomes, weights) {
      guard case .assertions(let written) = outcome else {
        if threshold != nil { return nil }
        continue
      }
      guard weight >= 0 else { return nil }
      // If one assertion became two, it would count twice in the mean.
      if written.count > 1, threshold != nil || weight == 0 { return nil }
      for var assertion in written {
        if assertion.isGraded, threshold != nil { return nil }
        assertion.weight = weight
        if weight > 0 { decides = true }
        members.append(assertion.json(withWeight: true))
      }
    }
    // Versions of promptfoo treat a threshold of 0 differently: some ignore it, and others always
    // pass.
    if threshold == 0 { return nil }
    guard decides else { return .some(nil) }
    if let threshold, !(0...1).contains(threshold) { return nil }
    var arguments: JSONObject = ["assert": .array(members)]
    arguments.set("threshold", threshold.map(JSONValue.number))
    return Written(type: "assert-set", arguments: .object(arguments), isGraded: true)
  }
}
