import SluiceReporting

/// Writes assertions of promptfoo as assertions of this project.
struct PromptfooAssertions {
  typealias Located = PromptfooTest.Located

  /// An assertion after it was read.
  enum Outcome {
    /// Written as it is meant: in most cases one, two where both have to hold.
    case assertions([Written])
    /// Graded by a judge.
    case rubric(Rubric)
    /// Not written, for a reason that was reported.
    case leftOut(String)
  }

  /// An assertion in the form of a suite or a case.
  struct Written: Hashable {
    var type: String
    var arguments: JSONValue
    var name: String?
    var extract: JSONValue?
    var weight = 1.0
    /// True where its grade is not 0 or 1, or another one than there.
    var isGraded = false

    /// The assertion as it is written into a file.
    func json(withWeight: Bool = false) -> JSONValue {
      var object: JSONObject = [:]
      object[type] = arguments
      object.set("name", name.map(JSONValue.string))
      object.set("extract", extract)
      if withWeight, weight != 1 { object["weight"] = .number(weight) }
      // A bare name says the same as a name without arguments.
      if object.members.count == 1, case .null = arguments { return .string(type) }
      return .object(object)
    }
  }

  /// A text that a judge grades answers by.
  struct Rubric: Hashable {
    var text: String
    /// The grade from which an answer passes; nil for yes and no.
    var threshold: Double?
    /// The entry of the judge; nil for the usual one.
    var judge: JSONValue?
    /// The name of its metric.
    var name: String?
  }

  /// All types that promptfoo has.
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

  private let context: PromptfooContext
  private let outputIsText: Bool?
  private let defaults: PromptfooTest.Defaults
  /// The reasons why types with a counterpart of nearly the same meaning are left out.
  private static let near: [String: String] = [
    "similar": "it compares embeddings",
    "rouge-n": "promptfoo counts single words with another tokenizer",
    "bleu": "promptfoo has another smoothing and other tokens",
    "gleu": "there is no such metric here",
    "meteor": "there is no such metric here",
    "contains-json": "promptfoo takes YAML and JSON5 for JSON",
    "is-refusal": "promptfoo looks for fixed phrases",
    "is-html": "promptfoo has rules of its own for HTML",
    "contains-html": "promptfoo has rules of its own for HTML",
    "contains-xml": "promptfoo takes broken XML as well",
    "perplexity": "there are no log probabilities here",
    "ruby": "a program",
    "webhook": "a server decides",
    "is-sql": "there is no parser of SQL here",
    "contains-sql": "there is no parser of SQL here",
    "search-rubric": "its judge searches the web",
    "agent-rubric": "its judge is an agent with tools",
    "moderation": "a service decides",
    "guardrails": "a service decides",
    "classifier": "a service decides",
    "pi": "a service decides",
    "human": "a person decides",
  ]

  init(_ context: PromptfooContext, outputIsText: Bool?, defaults: PromptfooTest.Defaults) {
    self.context = context
    self.outputIsText = outputIsText
    self.defaults = defaults
  }

  // MARK: One assertion

  /// Reads an assertion for a test.
  ///
  /// - Parameters:
  ///   - located: The assertion.
  ///   - test: The test, whose variables it may name.
  ///   - isMember: True in an `assert-set`.
  /// - Returns: The outcome, of which everything that is left out was reported.
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
        "\(type): promptfoo has no assertion of this type and fails it",
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

  /// What this project finds wrong with an assertion; nil where it can be used.
  private func fault(in assertion: Written, for test: PromptfooTest) -> String? {
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

  private func set(
    _ located: Located,
    _ test: PromptfooTest,
    isNegated: Bool,
    isMember: Bool
  ) -> Outcome {
    let node = located.node
    guard !isNegated, !isMember, let nodes = node["assert"]?.elements, !nodes.isEmpty else {
      return leaveOut(located, "assert-set: promptfoo takes no such set", nearest: nil)
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
        "assert-set: its threshold counts assertions that did not come over",
        nearest: "'assert-set' with a threshold for the others"
      )
    }
    guard var made else { return .assertions([]) }
    made.weight = node.number("weight") ?? 1
    made.name = node.text("metric").flatMap { Reading.metricName($0) }
    return .assertions([made])
  }

  /// A set of assertions whose weighted mean decides, or all of which have to hold.
  ///
  /// - Parameters:
  ///   - outcomes: The assertions.
  ///   - weights: The weight of each.
  ///   - threshold: The mean from which the set passes; nil where every one has to hold.
  /// - Returns: The set, nil inside where nothing of it decides; nil where it would mean something else.
  static func combined(_ outcomes: [Outcome], _ weights: [Double], threshold: Double?) -> Written?? {
    var members: [JSONValue] = []
    var decides = false
    for (outcome, weight) in zip(outcomes, weights) {
      guard case .assertions(let written) = outcome else {
        if threshold != nil { return nil }
        continue
      }
      guard weight >= 0 else { return nil }
      // Two assertions for one would count twice.
      if written.count > 1, threshold != nil || weight == 0 { return nil }
      for var assertion in written {
        if assertion.isGraded, threshold != nil { return nil }
        assertion.weight = weight
        if weight > 0 { decides = true }
        members.append(assertion.json(withWeight: true))
      }
    }
    guard decides else { return .some(nil) }
    if let threshold, !(0...1).contains(threshold) { return nil }
    var arguments: JSONObject = ["assert": .array(members)]
    arguments.set("threshold", threshold.map(JSONValue.number))
    return Written(type: "assert-set", arguments: .object(arguments), isGraded: true)
  }
}

// MARK: Reading

extension PromptfooAssertions {
  /// One assertion while it is read.
  private struct Reading {
    let owner: PromptfooAssertions
    let located: Located
    let test: PromptfooTest
    let type: String
    let plain: String
    let isNegated: Bool
    /// The outcome where something was left out.
    var outcome = Outcome.leftOut("")

    init(
      _ owner: PromptfooAssertions,
      _ located: Located,
      _ test: PromptfooTest,
      type: String,
      plain: String,
      isNegated: Bool
    ) {
      (self.owner, self.located, self.test) = (owner, located, test)
      (self.type, self.plain, self.isNegated) = (type, plain, isNegated)
    }

    private var node: Node { located.node }
    private var context: PromptfooContext { owner.context }
    private var value: Node? { node.present("value") }

    private mutating func refuse(_ reason: String, nearest: String? = nil) {
      outcome = owner.leaveOut(
        located,
        "\(type): \(reason)",
        nearest: nearest ?? ForeignScorers.way(insteadOf: plain)
      )
    }

    private func note(_ message: String) {
      context.report(.note, .assertion, located.place, "\(type): \(message)")
    }

    // MARK: Keys beside the value

    /// The steps that stand for `transform`; nil, with the reason reported, where it has no counterpart.
    mutating func extraction() -> JSONValue? {
      for member in node.members ?? [] {
        switch member.key {
        case "type", "value", "threshold", "weight", "metric", "transform", "provider", "assert":
          break
        case "reason", "description", "id":
          note("'\(member.key)' is left out; it is for people")
        case "rubricPrompt":
          refuse("a prompt of its own for the judge", nearest: "'llm-rubric' with a prompt file")
          return nil
        case "config" where plain == "javascript" || plain == "python":
          refuse("settings that the script reads", nearest: "an 'exec' scorer")
          return nil
        default:
          refuse("the key '\(member.key)' has no counterpart")
          return nil
        }
      }
      let ignoresText = ["latency", "cost", "finish-reason"].contains(plain)
      var steps: [JSONValue] = []
      var sources: [Located] = []
      if let transform = owner.defaults.located("transform", test.options) { sources.append(transform) }
      if let transform = node.present("transform") {
        sources.append(Located(node: transform, path: located.path))
      }
      if ignoresText || sources.isEmpty { return .null }
      for transform in sources {
        guard let code = transform.node.string, !code.hasPrefix("file://"),
          let more = PromptfooTransform.steps(code, outputIsText: owner.outputIsText)
        else {
          context.report(
            .leftOut,
            .assertion,
            transform.place,
            "'transform' is a program: \((transform.node.string ?? "").prefix(60))",
            nearest: "'extract:' beside the assertion (docs/scorers.md)"
          )
          outcome = owner.leaveOut(
            located,
            "\(type): it judges an output that 'transform' changed",
            nearest: "'extract:' beside the assertion"
          )
          return nil
        }
        steps += more
      }
      if steps.isEmpty { return .null }
      return steps.count == 1 ? steps[0] : .array(steps)
    }

    /// The name that stands for `metric`.
    func name() -> String? {
      guard let metric = node.text("metric") else { return nil }
      var text = metric
      if let template = try? NunjucksTemplate(metric) { text = template.render(.object(test.vars)) }
      let made = Self.metricName(text)
      if made != text {
        note(
          made == nil
            ? "the metric '\(metric)' is left out, since it makes no name"
            : "the metric '\(metric)' is called '\(made ?? "")' here"
        )
      }
      return made
    }

    /// A name of small letters, digits and hyphens; nil for a text that makes none.
    static func metricName(_ text: String) -> String? {
      var name = ""
      for character in text.lowercased() {
        if character.isASCII, character.isLetter || character.isNumber {
          name.append(character)
        } else if !name.isEmpty, !name.hasSuffix("-") {
          name.append("-")
        }
      }
      while name.hasSuffix("-") { name.removeLast() }
      guard let first = name.first, first.isLetter, name.count <= 60 else { return nil }
      return name
    }

    // MARK: Values

    /// A text with the variables of the test filled in, or with names that the case fills.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepsNames: True where `{{name}}` may stay.
    /// - Returns: What is written; nil, with the reason reported, where it has no counterpart.
    private mutating func filled(_ text: String, keepsNames: Bool = true) -> JSONValue? {
      do throws(NunjucksTemplate.Unsupported) {
        let template = try NunjucksTemplate(text)
        let isSimple = template.names.allSatisfy { path in
          guard path.count == 1, path[0] != "expected", case .string(let value)? = test.vars[path[0]]
          else { return false }
          return !value.isEmpty
        }
        let counterpart = try template.counterpart()
        if keepsNames, !template.isConstant, isSimple, !counterpart.contains("{{#"),
          !counterpart.contains("{{^")
        {
          return .string(counterpart)
        }
        return Self.literal(template.render(.object(test.vars)))
      } catch {
        refuse("a value with \(error.tag): \(error.reason)")
        return nil
      }
    }

    /// A text that is taken as it is.
    static func literal(_ text: String) -> JSONValue {
      text.contains("{{") || text.hasPrefix("file://") ? ["literal": .string(text)] : .string(text)
    }

    /// The text of the value: numbers and truth values as JavaScript writes them.
    private mutating func text(keepsNames: Bool = true, mayBeEmpty: Bool = false) -> JSONValue? {
      guard let value = resolvedValue() else { return nil }
      switch value {
      case .string(let text):
        guard !text.isEmpty || mayBeEmpty else {
          refuse("promptfoo refuses an empty value")
          return nil
        }
        return filled(text, keepsNames: keepsNames)
      case .number, .bool: return .string(NunjucksTemplate.text(value))
      default:
        refuse("a value that is no text")
        return nil
      }
    }

    /// The value, read from its file where it names one.
    private mutating func resolvedValue() -> JSONValue? {
      guard let value else {
        refuse("it has no value, so promptfoo fails it")
        return nil
      }
      let found = context.value(value, in: located.path, .assertion)
      guard case .string(let text) = found, text.hasPrefix("file://") else { return found }
      return file(text)
    }

    private mutating func file(_ reference: String) -> JSONValue? {
      let path = context.path(reference)
      let script = path.name.split(separator: ":").first.map { ProjectPath(String($0)) } ?? path
      if ["js", "ts", "mjs", "cjs", "py", "rb"].contains(script.pathExtension) {
        refuse(
          "\(reference) is a program",
          nearest: "'exec: {command: [./check.py], fingerprint: [check.py]}' under 'scorers:' of the suite"
        )
        return nil
      }
      do throws(ImportSource.Fault) {
        if ["json", "yaml", "yml"].contains(path.pathExtension) {
          return context.value(try context.source.tree(path), in: path, .assertion)
        }
        return .string(try context.source.text(path).trimmed)
      } catch {
        switch error {
        case .missing:
          context.report(
            .missingFile,
            .assertion,
            located.place,
            reference,
            nearest: "put the file there and import again"
          )
          outcome = .leftOut("\(type): \(reference) was not found")
        case .unreadable(let reason): refuse("\(reference) cannot be read: \(reason)")
        }
        return nil
      }
    }

    /// The texts of a list, or of a text between commas.
    private mutating func texts() -> JSONValue? {
      guard let value = resolvedValue() else { return nil }
      var parts: [JSONValue] = []
      switch value {
      case .string(let text):
        guard let filled = filled(text, keepsNames: false) else { return nil }
        let plain = filled.string ?? filled["literal"]?.string ?? ""
        guard let split = PromptfooList.parts(of: plain) else {
          refuse("a quotation mark that is not closed")
          return nil
        }
        parts = split.map { Self.literal($0) }
      case .array(let elements):
        for element in elements {
          guard case .string(let text) = element else {
            parts.append(.string(NunjucksTemplate.text(element)))
            continue
          }
          guard let filled = filled(text) else { return nil }
          parts.append(filled)
        }
      default: parts = [.string(NunjucksTemplate.text(value))]
      }
      if parts.contains(.string("")) {
        refuse("an empty text, which every answer contains")
        return nil
      }
      return parts.isEmpty ? refused("an empty list") : .array(parts)
    }

    private mutating func refused(_ reason: String) -> JSONValue? {
      refuse(reason)
      return nil
    }

    private mutating func threshold(_ usual: Double? = nil) -> JSONValue? {
      if let node = node.present("threshold") {
        if case .number(let number) = node.value { return .number(number) }
        return refused("a threshold that is no number")
      }
      return usual.map { .number($0) } ?? refused("it has no threshold, so promptfoo fails it")
    }

    // MARK: Types

    private func one(_ arguments: JSONValue, type: String? = nil) -> [Written] {
      [Written(type: (isNegated ? "not-" : "") + (type ?? plain), arguments: arguments)]
    }

    /// The assertions of the same meaning; nil, with the reason reported, where there are none.
    mutating func written() -> [Written]? {
      switch plain {
      case "contains", "icontains", "starts-with": return text().map { one($0) }
      case "contains-any", "contains-all", "icontains-any", "icontains-all":
        return texts().map { one($0) }
      case "equals": return equals()
      case "regex": return pattern()
      case "is-json": return json()
      case "is-xml": return xml()
      case "levenshtein":
        guard let text = text(), let limit = threshold(5) else { return nil }
        var written = one(["value": text, "threshold": limit])
        written[0].isGraded = true
        return written
      case "word-count": return wordCount()
      case "latency":
        note("promptfoo counts retries, and fails answers from its cache; here the answer's own time counts")
        return threshold().map { one($0) }
      case "cost": return threshold().map { one($0) }
      case "finish-reason":
        guard let text = text()?.string else { return nil }
        return one(.string(text.lowercased()))
      case "javascript", "python": return script()
      default:
        refuse("no counterpart")
        return nil
      }
    }

    private mutating func equals() -> [Written]? {
      guard let found = value else {
        refuse("it has no value, so promptfoo compares with 'undefined'")
        return nil
      }
      _ = found
      guard let value = resolvedValue() else { return nil }
      switch value {
      case .object, .array:
        let isTagged = value.jsonText.contains("{{") || value.jsonText.contains("{%")
        if isTagged, case .array = value {
          refuse("a list with templates")
          return nil
        }
        // Objects are compared as they are.
        let hasLiteral = value["literal"] != nil && value.object?.members.count == 1
        return one(isTagged || hasLiteral ? ["literal": value] : value)
      case .null:
        refuse("it has no value")
        return nil
      default: return text(mayBeEmpty: true).map { one($0) }
      }
    }

    private mutating func pattern() -> [Written]? {
      guard let text = text(keepsNames: false) else { return nil }
      let source = text.string ?? text["literal"]?.string ?? ""
      do throws(ECMAScriptPattern.Fault) {
        return one(Self.literal(try ECMAScriptPattern.translated(source)))
      } catch {
        refuse(error.reason)
        return nil
      }
    }

    private mutating func json() -> [Written]? {
      guard value != nil else { return one(.null) }
      guard var schema = resolvedValue() else { return nil }
      if case .string(let text) = schema {
        guard let filled = filled(text, keepsNames: false) else { return nil }
        let plain = filled.string ?? filled["literal"]?.string ?? ""
        if plain.trimmed.isEmpty { return one(.null) }
        let (root, problems) = YAMLReader.read(Array(plain.utf8), mergesKeys: true)
        guard problems.isEmpty, let root else {
          refuse("a schema that cannot be read")
          return nil
        }
        schema = root.json
      }
      guard schema.object != nil else {
        refuse("a schema that is no object")
        return nil
      }
      return one(schema)
    }

    private mutating func xml() -> [Written]? {
      note("broken XML fails here; earlier versions of promptfoo took some of it")
      guard let value else { return one(.null) }
      var names: [JSONValue] = []
      let found = value["requiredElements"] ?? value
      switch found.value {
      case .string(let text):
        names = text.split(separator: ",").map { .string(String($0).trimmed) }
      case .sequence(let nodes): names = nodes.map(\.json)
      default: break
      }
      guard !names.isEmpty, names.allSatisfy({ $0.string.map { !$0.isEmpty } ?? false }) else {
        refuse("a value that is no list of elements")
        return nil
      }
      return one(.array(names))
    }

    private mutating func wordCount() -> [Written]? {
      guard let value = resolvedValue() else { return nil }
      switch value {
      case .number: return one(value)
      case .string(let text):
        guard let number = Double(text.trimmed), number == number.rounded() else {
          refuse("a value that is no number")
          return nil
        }
        return one(.number(number))
      case .object(let object):
        var range = JSONObject()
        for key in ["min", "max"] {
          guard let bound = object[key] else { continue }
          guard case .number = bound else {
            refuse("a bound that is no number")
            return nil
          }
          range[key] = bound
        }
        return one(.object(range))
      default:
        refuse("a value that is no number")
        return nil
      }
    }

    private mutating func script() -> [Written]? {
      guard let value else {
        refuse("it has no code")
        return nil
      }
      guard var code = value.string else {
        refuse("code that is no text")
        return nil
      }
      if code.hasPrefix("file://") {
        _ = file(code)
        return nil
      }
      let language: Script.Language = plain == "python" ? .python : .javaScript
      if NunjucksTemplate.hasTags(code) {
        guard let filled = filled(code, keepsNames: false) else { return nil }
        code = filled.string ?? filled["literal"]?.string ?? code
      }
      let vars = test.vars
      let surroundings = ScriptTranslator.Surroundings(
        outputIsText: owner.outputIsText,
        kindOfVariable: { name in
          switch vars[name] {
          case .string?: .text
          case .number?: .number
          case .bool?: .truth
          default: nil
          }
        },
        threshold: node.number("threshold")
      )
      do throws(Script.Untranslatable) {
        let found = try ScriptTranslator.translate(code, language, surroundings)
        for text in found.notes { note(text) }
        if found.expression == "true" || found.expression == "false" {
          refuse("a script that is always \(found.expression)", nearest: "take it out")
          return nil
        }
        let expression = Written(
          type: isNegated ? "not-expression" : "expression",
          arguments: .string(found.expression)
        )
        return found.needsJSON
          ? [Written(type: "is-json", arguments: .null), expression] : [expression]
      } catch {
        refuse(error.reason)
        return nil
      }
    }

    // MARK: Judges

    private static let questions: [String: String] = [
      "model-graded-closedqa": "Does the answer meet this criterion? ",
      "factuality":
        "Is the answer in factual agreement with this reference? Differences of style and additions that "
        + "do not contradict it are fine. Reference: ",
      "model-graded-factuality":
        "Is the answer in factual agreement with this reference? Differences of style and additions that "
        + "do not contradict it are fine. Reference: ",
      "g-eval": "Grade how well the answer meets this criterion: ",
    ]

    /// The rubric of a judged type; nil for other types.
    mutating func rubric() -> Outcome? {
      let isRubric = plain == "llm-rubric"
      let question = Self.questions[plain]
      let others = [
        "answer-relevance", "context-faithfulness", "context-recall", "context-relevance",
        "conversation-relevance",
      ]
      if others.contains(plain) {
        refuse(
          "it takes several questions and embeddings",
          nearest: "'llm-rubric' with a prompt that shows the context of the case (docs/judges.md)"
        )
        return outcome
      }
      guard isRubric || question != nil else { return nil }
      if isNegated {
        refuse("a negated judge", nearest: "'llm-rubric' with the opposite rubric")
        return outcome
      }
      if owner.defaults.located("rubricPrompt", test.options) != nil {
        refuse("a prompt of its own for the judge", nearest: "'llm-rubric' with a prompt file")
        return outcome
      }
      var rubric: String
      switch value?.value {
      case .string(let text)?:
        var text = text
        if text.hasPrefix("file://") {
          guard let found = file(text) else { return outcome }
          text = found.string ?? found.jsonText
        }
        guard let filled = filled(text, keepsNames: false) else { return outcome }
        rubric = filled.string ?? filled["literal"]?.string ?? ""
      case .sequence?, .mapping?: rubric = value?.json.jsonText ?? ""
      default:
        refuse("it has no rubric")
        return outcome
      }
      rubric = rubric.trimmed
      if rubric.isEmpty {
        refuse("it has no rubric")
        return outcome
      }
      var limit: Double?
      if let threshold = node.present("threshold") {
        guard case .number(let number) = threshold.value, number <= 1 else {
          refuse("a threshold that no grade from 0 to 1 reaches")
          return outcome
        }
        if number > 0 { limit = number }
      } else if plain == "g-eval" {
        limit = 0.7
      }
      if let question {
        rubric = question + rubric
        context.report(
          .changed,
          .assertion,
          located.place,
          "\(type): asked as 'llm-rubric'; promptfoo has a prompt and a scale of its own for it",
          nearest: "edit the judge's prompt"
        )
      }
      if let weight = node.number("weight"), weight != 1 {
        note("its weight is left out; a judge decides nothing here")
      }
      return .rubric(Rubric(text: rubric, threshold: limit, judge: nil, name: name()))
    }
  }
}

/// The values of a text with commas, as promptfoo parts them.
enum PromptfooList {
  /// Returns the parts; nil where a quotation mark is not closed.
  static func parts(of text: String) -> [String]? {
    let scalars = Array(text.unicodeScalars)
    var parts: [String] = []
    var index = 0
    func isSpace(_ place: Int) -> Bool { scalars[place].properties.isWhitespace }
    while index < scalars.count {
      while index < scalars.count, isSpace(index) || scalars[index] == "," { index += 1 }
      guard index < scalars.count else { break }
      var part = String.UnicodeScalarView()
      guard scalars[index] == "\"" else {
        while index < scalars.count, scalars[index] != "," {
          part.append(scalars[index])
          index += 1
        }
        parts.append(String(part).trimmed)
        continue
      }
      index += 1
      var isClosed = false
      while index < scalars.count {
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        if scalars[index] == "\\", next == "\"" || next == "\\" {
          part.append(scalars[index + 1])
          index += 2
        } else if scalars[index] == "\"", next == "\"" {
          part.append("\"")
          index += 2
        } else if scalars[index] == "\"" {
          index += 1
          isClosed = true
          break
        } else {
          part.append(scalars[index])
          index += 1
        }
      }
      guard isClosed else { return nil }
      parts.append(String(part))
      while index < scalars.count, isSpace(index) { index += 1 }
      guard index >= scalars.count || scalars[index] == "," else { return nil }
    }
    return parts
  }
}

/// The steps of `extract:` that stand for a transform in one line of JavaScript.
enum PromptfooTransform {
  /// Returns the steps; nil for code that has no counterpart.
  static func steps(_ code: String, outputIsText: Bool?) -> [JSONValue]? {
    guard let script = try? ScriptParser.parse(code, .javaScript) else { return nil }
    return steps(script, outputIsText)
  }

  private static func steps(_ script: Script, _ outputIsText: Bool?) -> [JSONValue]? {
    if let path = path(script, outputIsText) {
      return path.isEmpty ? [] : [["json-path": .string(path)]]
    }
    switch script {
    case .name("output"): return []
    case .call(.member(let inner, let name, _), let arguments) where arguments.isEmpty:
      guard let step = ["trim": "trim", "toLowerCase": "lower"][name],
        let steps = steps(inner, outputIsText)
      else { return nil }
      return steps + [.string(step)]
    default: return nil
    }
  }

  /// The path into the answer's JSON that a script takes; nil where it takes none.
  private static func path(_ script: Script, _ outputIsText: Bool?) -> String? {
    switch script {
    case .call(.member(.name("JSON"), "parse", _), let arguments):
      guard outputIsText != false, arguments.count == 1, case .name("output") = arguments[0] else {
        return nil
      }
      return "$"
    case .member(.name("output"), let key, _) where outputIsText == false: return "$.\(key)"
    case .member(let inner, let key, _):
      guard key.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil, key != "length",
        let path = path(inner, outputIsText)
      else { return nil }
      return "\(path).\(key)"
    case .index(let inner, .literal(.number(let number))):
      guard let index = Int(exactly: number), index >= 0, let path = path(inner, outputIsText) else {
        return nil
      }
      return "\(path)[\(index)]"
    default: return nil
    }
  }
}
