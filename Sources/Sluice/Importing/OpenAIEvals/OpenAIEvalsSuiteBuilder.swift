import SluiceReporting

/// Puts an eval together: its items as cases, its graders as scorers, its runs as prompts, backends and
/// outputs.
struct OpenAIEvalsSuiteBuilder {
  private typealias Located = OpenAIEvalsObjects.Located

  private struct Prompt: Equatable {
    var name: String
    var messages: [JSONValue]?
    /// The field of the item that is the list of messages.
    var list: String?
  }

  private struct Case {
    var id: String
    var item: JSONObject
  }

  private let eval: Located
  private let runs: [Located]
  private let items: [String: [Located]]
  private let savedRows: [String: [JSONValue]]
  private let name: String
  /// What tells the backends of several evals apart.
  private let backendPrefix: String
  private var cases: [Case] = []
  private var caseIDs: [JSONValue: String] = [:]
  private var prompts: [Prompt] = []
  private var promptFields: Set<String> = []
  private var expectedFields: Set<String> = []
  private var textFields: Set<String> = []
  private var scorers: [(json: JSONValue, comments: [String])] = []
  private var extraFiles: [ImportPlan.File] = []
  private var goals: [String] = []
  private var backends: [ImportedBackend] = []
  private var outputs: [OutputRowsFile] = []
  private var findings: [ImportReport.Finding] = []
  private var fillIns: [String] = []
  private var graderCount = ImportReport.Count("graders")
  private var runCount = ImportReport.Count("runs")
  private var answers = ImportReport.Count("answers")
  private var lostAnswers = 0
  private static let longestYAML = 2_000

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - eval: The eval.
  ///   - objects: All objects of the folder.
  ///   - name: The name of the suite.
  init(_ eval: OpenAIEvalsObjects.Located, _ objects: OpenAIEvalsObjects, name: String) {
    self.eval = eval
    self.name = name
    backendPrefix = objects.evals.count > 1 ? "\(name)-" : ""
    let id = eval.value["id"]?.string
    runs = objects.runs.filter { $0.value["eval_id"]?.string == id }
    let own = Set(runs.compactMap { $0.value["id"]?.string })
    items = Dictionary(
      grouping: objects.items.filter {
        $0.value["eval_id"]?.string == id || own.contains($0.value["run_id"]?.string ?? "")
      }
    ) { $0.value["run_id"]?.string ?? "" }
    savedRows = objects.rows
  }

  private mutating func report(
    _ kind: ImportReport.Finding.Kind,
    _ area: ImportReport.Area,
    _ located: Located,
    _ message: String,
    nearest: String? = nil
  ) {
    let finding = ImportReport.Finding(
      kind,
      area,
      path: located.path.description,
      message: "\(name): \(message)",
      nearest: nearest
    )
    if !findings.contains(finding) { findings.append(finding) }
  }

  mutating func build() {
    for key in runs.map({ $0.value["id"]?.string ?? "" }) + items.keys.sorted() {
      for located in items[key] ?? [] { _ = caseID(located.value) }
    }
    for run in runs { readItems(of: run) }
    for run in runs { readRun(run) }
    for grader in eval.value["testing_criteria"]?.array ?? [] { readGrader(grader) }
    for run in runs { readOutputs(of: run) }
    let others = Set(items.keys).subtracting(runs.compactMap { $0.value["id"]?.string })
    if !others.isEmpty {
      let count = others.reduce(0) { $0 + (items[$1]?.count ?? 0) }
      report(
        .leftOut,
        .answer,
        eval,
        "\(count) output items of runs that are not in the folder",
        nearest: "save GET /v1/evals/E/runs/R for each of them"
      )
    }
    if prompts.isEmpty { addPlaceholderPrompt() }
    if cases.isEmpty { addPlaceholderCase() }
    if backends.isEmpty { addPlaceholderBackend() }
  }

  // MARK: Items

  private static func item(_ json: JSONValue?) -> JSONObject? {
    guard let object = json?.object else { return nil }
    // Sometimes it has another one around it.
    if object.members.allSatisfy({ ["item", "sample"].contains($0.name) }), let inner = object["item"]?.object {
      return inner
    }
    return object
  }

  private mutating func readItems(of run: Located) {
    let source = run.value.value(at: "data_source.source")
    var rows: [JSONValue] = []
    switch source?["type"]?.string {
    case "file_content": rows = source?["content"]?.array ?? []
    case "file_id":
      let id = source?["id"]?.string ?? ""
      rows = savedRows[id] ?? []
      if rows.isEmpty {
        report(
          .missingFile,
          .testCase,
          run,
          "the file '\(id)' of the run '\(label(run))'",
          nearest: "save GET /v1/files/\(id)/content as \(id).jsonl; items with answers came over"
        )
      }
    case let other?:
      report(.leftOut, .testCase, run, "the source '\(other)' of the run '\(label(run))'", nearest: "its output items")
    case nil: break
    }
    for row in rows { addCase(Self.item(row["item"] == nil ? row : row["item"]), number: nil) }
  }

  private func label(_ run: Located) -> String {
    run.value["name"]?.string ?? run.value["id"]?.string ?? "run"
  }

  private mutating func addCase(_ item: JSONObject?, number: Int?) {
    guard let item else { return }
    let key = JSONValue.object(item)
    if caseIDs[key] != nil { return }
    let digest = SHA256.hexadecimal(JSONWriter.canonical(key)).prefix(8)
    let stem = number.map { "item-\($0)" } ?? String(name.prefix(40))
    let id = "\(stem)-\(digest)"
    caseIDs[key] = id
    cases.append(Case(id: id, item: item))
  }

  /// The id of the case that an output item answers.
  private mutating func caseID(_ json: JSONValue) -> String? {
    guard let item = Self.item(json["datasource_item"]) else { return nil }
    addCase(item, number: json["datasource_item_id"]?.integer)
    return caseIDs[.object(item)]
  }

  // MARK: Runs

  private mutating func readRun(_ run: Located) {
    guard let source = run.value["data_source"] else {
      runCount.notAtAll += 1
      return report(.leftOut, .prompt, run, "the run '\(label(run))' has no 'data_source'")
    }
    switch source["type"]?.string {
    case "jsonl": runCount.whole += 1
    case "completions", "responses":
      let isWhole = readPrompt(source, run)
      let hasBackend = readBackend(source, run)
      if isWhole, hasBackend { runCount.whole += 1 } else { runCount.inPart += 1 }
    default:
      runCount.notAtAll += 1
      report(.leftOut, .prompt, run, "the run '\(label(run))' with a source of another type")
    }
  }

  private mutating func readPrompt(_ source: JSONValue, _ run: Located) -> Bool {
    var prompt = Prompt(name: "", messages: nil, list: nil)
    let input = source["input_messages"]
    switch input?["type"]?.string {
    case "template":
      var messages: [JSONValue] = []
      for entry in input?["template"]?.array ?? [] {
        guard let message = OpenAIEvalsMessage(entry), !message.template.readsOutput else {
          report(
            .leftOut,
            .prompt,
            run,
            "the prompt of the run '\(label(run))': a message that is more than texts with {{item.…}}"
          )
          return false
        }
        promptFields.formUnion(message.template.fields.map { $0[0] })
        messages.append(.object([message.role: .string(message.template.text { _ in "" })]))
      }
      guard !messages.isEmpty else { return false }
      prompt.messages = messages
    case "item_reference":
      let path = (input?["item_reference"]?.string ?? "").split(separator: ".").map(String.init)
      guard path.count == 2, path[0] == "item" else {
        report(.leftOut, .prompt, run, "the prompt of the run '\(label(run))': a reference deeper than a field")
        return false
      }
      promptFields.insert(path[1])
      prompt.list = path[1]
    default:
      report(.leftOut, .prompt, run, "the run '\(label(run))' has no messages of its own")
      return false
    }
    if prompts.contains(where: { $0.messages == prompt.messages && $0.list == prompt.list }) { return true }
    prompt.name = "v\(prompts.count + 1)"
    prompts.append(prompt)
    return true
  }

  private static let parameterNames = [
    "temperature": "temperature", "top_p": "top-p", "seed": "seed",
    "max_completion_tokens": "max-completion-tokens",
    "max_completions_tokens": "max-completion-tokens", "reasoning_effort": "reasoning-effort",
  ]

  private mutating func readBackend(_ source: JSONValue, _ run: Located) -> Bool {
    guard let model = source["model"]?.string ?? run.value["model"]?.string, !model.isEmpty else {
      report(.leftOut, .backend, run, "the run '\(label(run))' names no model")
      return false
    }
    var isWhole = true
    var parameters: JSONObject = [:]
    for member in source["sampling_params"]?.object?.members ?? [] {
      if case .null = member.value { continue }
      if let name = Self.parameterNames[member.name] {
        parameters[name] = member.value
      } else {
        isWhole = false
        report(.leftOut, .backend, run, "'\(member.name)' of the run '\(label(run))'")
      }
    }
    if parameters["seed"] == nil {
      // The vendor's default for runs.
      parameters["seed"] = 42
      report(.note, .backend, run, "'seed: 42' was written: a run without a seed had this one")
    }
    if source["type"]?.string == "responses" {
      isWhole = false
      report(
        .changed,
        .backend,
        run,
        "the run '\(label(run))' asked the Responses API; the backend asks chat completions",
        nearest: "an 'exec' backend that asks it"
      )
    }
    var entry: JSONObject = ["type": "openai", "model": .string(model), "key": ["env": "OPENAI_API_KEY"]]
    entry["parameters"] = .object(parameters)
    if backends.contains(where: { $0.entry == entry }) { return isWhole }
    backends.append(ImportedBackend(name: backendName(model), entry: entry))
    return isWhole
  }

  private func backendName(_ wish: String) -> String {
    let stem = backendPrefix + (Identifier.made(of: wish) ?? "model")
    var number = 1
    func next() -> String { number == 1 ? stem : "\(stem)-\(number)" }
    while backends.contains(where: { $0.name == next() }) { number += 1 }
    return next()
  }

  // MARK: Placeholders

  private mutating func addPlaceholderPrompt() {
    fillIns.append("the prompt 'v1' of \(name): no run that was saved has messages of its own")
    prompts = [Prompt(name: "v1", messages: [["user": "FILL IN: the text of the prompt"]], list: nil)]
  }

  private mutating func addPlaceholderCase() {
    fillIns.append("the dataset '\(name)': no item was saved")
    var item: JSONObject = [:]
    for field in promptFields.union(expectedFields).sorted() { item[field] = "FILL IN" }
    cases = [Case(id: "fill-in", item: item)]
  }

  private mutating func addPlaceholderBackend() {
    fillIns.append("the backend 'fill-in' in sluice.yaml: the model to ask, and where")
    backends = [
      ImportedBackend(
        name: "fill-in",
        entry: ["type": "openai", "model": "FILL-IN", "base-url": "http://127.0.0.1:9/v1"],
        comments: ["FILL IN: no run that was saved names a model."]
      )
    ]
  }

  // MARK: Graders

  private mutating func leaveOut(_ grader: JSONValue, _ reason: String, nearest: String? = nil) {
    graderCount.notAtAll += 1
    let label = grader["name"]?.string ?? grader["type"]?.string ?? "grader"
    let type = grader["type"]?.string ?? "no type"
    report(.leftOut, .assertion, eval, "the grader '\(label)' (\(type)): \(reason)", nearest: nearest)
    scorers.append((.null, ["left out: the grader '\(label)' (\(type)): \(reason)"]))
  }

  private mutating func readGrader(_ grader: JSONValue) {
    switch grader["type"]?.string {
    case "string_check": readStringCheck(grader)
    case "text_similarity": readSimilarity(grader)
    case "score_model": readJudge(grader)
    case "label_model":
      leaveOut(
        grader,
        "judges give grades here, not labels",
        nearest: "'llm-rubric' with a grade for each label"
      )
    case "python":
      let file = "graders/\(Identifier.made(of: grader["name"]?.string ?? "grader") ?? "grader").py"
      if let source = grader["source"]?.string {
        extraFiles.append(.init(ProjectPath("prompts/\(name)/\(file)"), source))
      }
      leaveOut(
        grader,
        "a program; its source is in \(file)",
        nearest: "- exec: {command: [./check], fingerprint: [\(file)]}, a program that calls it (docs/extending.md)"
      )
    case "multi": leaveOut(grader, "a formula over graders", nearest: "'assert-set' with weights")
    default: leaveOut(grader, "a type that is not known")
    }
  }

  /// The reference of a grader as a text with {{expected.…}}; nil where it has no counterpart.
  private mutating func reference(_ text: String?) -> String? {
    guard let text, let template = OpenAIEvalsTemplate(text), !template.readsOutput else { return nil }
    for path in template.fields { expectedFields.insert(path[0]) }
    // The text of a number is compared, not its value.
    if template.parts.count == 1, let path = template.fields.first, path.count == 1 {
      let isText = cases.allSatisfy { entry in
        switch entry.item[path[0]] {
        case .string?: return true
        case .number(let number)?: return number == number.rounded()
        default: return false
        }
      }
      guard isText else { return nil }
      textFields.insert(path[0])
    } else {
      for path in template.fields where path.count == 1 {
        guard cases.allSatisfy({ $0.item[path[0]]?.string != nil }) else { return nil }
      }
    }
    return template.text { _ in "expected." }
  }

  private func scorerName(_ grader: JSONValue) -> JSONValue? {
    guard let label = grader["name"]?.string else { return nil }
    var made = ""
    for character in label.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        made.append(character)
      } else if !made.isEmpty, !made.hasSuffix("-") {
        made.append("-")
      }
    }
    while made.hasSuffix("-") { made.removeLast() }
    guard made.first?.isLetter == true else { return nil }
    let taken = Set(scorers.compactMap { $0.json["name"]?.string })
    var number = 1
    func next() -> String { number == 1 ? made : "\(made)-\(number)" }
    while taken.contains(next()) { number += 1 }
    return .string(next())
  }

  private mutating func addScorer(_ type: String, _ arguments: JSONValue, _ grader: JSONValue) {
    var object: JSONObject = [:]
    object[type] = arguments
    object.set("name", scorerName(grader))
    scorers.append((.object(object), []))
  }

  private mutating func readStringCheck(_ grader: JSONValue) {
    let types = ["eq": "equals", "ne": "not-equals", "like": "contains", "ilike": "icontains"]
    let operation = grader["operation"]?.string ?? ""
    guard let type = types[operation] else { return leaveOut(grader, "the operation '\(operation)'") }
    var (input, other) = (grader["input"]?.string, grader["reference"]?.string)
    let isSwapped = OpenAIEvalsTemplate(other ?? "")?.isOutput == true
    if isSwapped, operation == "eq" || operation == "ne" { (input, other) = (other, input) }
    guard OpenAIEvalsTemplate(input ?? "")?.isOutput == true else {
      return leaveOut(
        grader,
        "it looks at something else than {{sample.output_text}}",
        nearest: "'json-path' for a value of the answer's JSON"
      )
    }
    guard let reference = reference(other) else {
      return leaveOut(grader, "its reference is more than texts of the item")
    }
    if operation == "like" || operation == "ilike" {
      report(.note, .assertion, eval, "'\(operation)' is read as: the answer contains the reference")
    }
    graderCount.whole += 1
    addScorer(type, .string(reference), grader)
  }

  private mutating func readSimilarity(_ grader: JSONValue) {
    let metric = grader["evaluation_metric"]?.string ?? ""
    guard metric == "rouge_l", OpenAIEvalsTemplate(grader["input"]?.string ?? "")?.isOutput == true,
      let reference = reference(grader["reference"]?.string),
      let threshold = grader["pass_threshold"]?.number
    else {
      return leaveOut(
        grader,
        "the metric '\(metric)' of another library gives other numbers",
        nearest: "'rouge-l', 'chrf' or 'levenshtein' with a threshold of its own"
      )
    }
    graderCount.inPart += 1
    report(
      .changed,
      .assertion,
      eval,
      "the grader '\(grader["name"]?.string ?? metric)': 'rouge-l' has other tokens than the vendor's",
      nearest: "look at its figures before it decides anything"
    )
    addScorer("rouge-l", ["value": .string(reference), "threshold": .number(threshold)], grader)
  }

  private mutating func readJudge(_ grader: JSONValue) {
    let range = grader["range"]?.array?.compactMap(\.number) ?? [0, 1]
    guard range.count == 2, range[0] < range[1], let threshold = grader["pass_threshold"]?.number,
      threshold > range[0], threshold <= range[1], let model = grader["model"]?.string
    else {
      return leaveOut(grader, "its range or its threshold", nearest: "'llm-rubric' with a scale")
    }
    var messages: [YAMLWriter.Item] = []
    var readsOutput = false
    for entry in grader["input"]?.array ?? [] {
      guard let message = OpenAIEvalsMessage(entry) else {
        return leaveOut(grader, "a message that is more than texts", nearest: "'llm-rubric' with a prompt file")
      }
      readsOutput = readsOutput || message.template.readsOutput
      for path in message.template.fields where !promptFields.contains(path[0]) {
        expectedFields.insert(path[0])
      }
      let inputs = promptFields
      let text = message.template.text { inputs.contains($0) ? "" : "expected." }
      messages.append(.init(.mapping([.init(message.role, .string(text))])))
    }
    guard readsOutput else { return leaveOut(grader, "its messages do not show the answer") }
    let ends = "\(JSONWriter.number(range[0])) to \(JSONWriter.number(range[1]))"
    messages.append(
      .init(
        .mapping([
          .init(
            "system",
            .string(
              "Reply with one JSON object and nothing else: {\"score\": a number from \(ends), \"reason\": "
                + "\"one sentence\"}"
            )
          )
        ])
      )
    )
    let label = scorerName(grader)?.string ?? "judge"
    var parameters: JSONObject = [:]
    for member in grader["sampling_params"]?.object?.members ?? [] {
      if case .null = member.value { continue }
      if let name = Self.parameterNames[member.name] { parameters[name] = member.value }
    }
    var members: [YAMLWriter.Member] = [.init("messages", .list(messages))]
    if !parameters.members.isEmpty { members.append(.init("parameters", .object(parameters))) }
    let file = "judge-\(label).yaml"
    extraFiles.append(
      .init(ProjectPath("prompts/\(name)/\(file)"), YAMLWriter.text(.mapping(members)))
    )
    let entry: JSONObject = ["type": "openai", "model": .string(model), "key": ["env": "OPENAI_API_KEY"]]
    let backend = "judge-\(Identifier.made(of: model) ?? "model")"
    if !judges.contains(where: { $0.name == backend }) {
      judges.append(ImportedBackend(name: backend, entry: entry))
    }
    var arguments: JSONObject = [
      "backend": .string(backend), "prompt": .string(file),
      "scale": .array(range.map(JSONValue.number)), "at-least": .number(threshold),
    ]
    // Between whole ends grades would have to be whole.
    if range.allSatisfy({ $0 == $0.rounded() }) { arguments["step"] = 0.01 }
    graderCount.whole += 1
    goals.append("\(label).pass-rate >= 100%")
    scorers.append((.object(["llm-rubric": .object(arguments), "name": .string(label)]), []))
    report(
      .note,
      .assertion,
      eval,
      "the grader '\(label)' is advisory here, and its prompt asks for a JSON object at its end"
    )
  }

  private var judges: [ImportedBackend] = []

  // MARK: Outputs

  private mutating func readOutputs(of run: Located) {
    guard let id = run.value["id"]?.string else { return }
    let found = items[id] ?? []
    checkCounts(of: run, found)
    if found.isEmpty { return }
    let stem = Identifier.made(of: "\(name)-\(label(run))".lowercased().prefix(70).description) ?? id
    var number = 1
    func next() -> String { number == 1 ? stem : "\(stem)-\(number)" }
    while outputs.contains(where: { $0.backend == next() }) { number += 1 }
    var file = OutputRowsFile(
      ProjectPath("datasets/\(name)/outputs/\(next()).jsonl"),
      backend: next()
    )
    var secrets = 0
    for located in found {
      guard let id = caseID(located.value) else {
        answers.notAtAll += 1
        continue
      }
      if file.add(id, Self.row(located.value)) { secrets += 1 }
    }
    if secrets > 0 { report(.changed, .answer, run, "secrets were taken out of \(secrets) answers") }
    answers.whole += file.count - file.lost
    lostAnswers += file.lost
    if file.count > 0 { outputs.append(file) }
  }

  private static func row(_ item: JSONValue) -> JSONObject {
    let sample = item["sample"]
    var row: JSONObject = [:]
    let error = sample?["error"]
    let said = error?["message"]?.string ?? error?.string
    let output = sample?["output"]?.array?.last { $0["role"]?.string == "assistant" || $0["content"] != nil }
    let text = output?["content"]?.string ?? sample?["output_text"]?.string
    if item["status"]?.string == "error" || said.map({ !$0.isEmpty }) ?? false || text == nil {
      row["error"] = .string(said.flatMap { $0.isEmpty ? nil : $0 } ?? "the item has no output")
      return row
    }
    if let text { row["text"] = .string(text) }
    if let model = sample?["model"]?.string, !model.isEmpty { row["model"] = .string(model) }
    if let word = sample?["finish_reason"]?.string, !word.isEmpty { row["finish-reason"] = .string(word) }
    var usage: JSONObject = [:]
    for (name, key) in [
      ("prompt_tokens", "input"), ("cached_tokens", "cached-input"), ("completion_tokens", "output"),
    ] {
      if let count = sample?["usage"]?[name]?.integer, count >= 0 { usage[key] = .number(Double(count)) }
    }
    if !usage.members.isEmpty { row["usage"] = .object(usage) }
    return row
  }

  /// Compares the summary of a run with its items.
  private mutating func checkCounts(of run: Located, _ found: [Located]) {
    guard let counts = run.value["result_counts"], counts.object != nil else { return }
    let words = [("total", nil), ("passed", "pass"), ("failed", "fail"), ("errored", "error")]
    for (key, status) in words {
      guard let told = counts[key]?.integer else { continue }
      let counted = found.count { item in
        guard let status else { return true }
        return item.value["status"]?.string == status || item.value["status"]?.string == key
      }
      if told != counted {
        report(
          .leftOut,
          .answer,
          run,
          "the run '\(label(run))' counts \(told) \(key), its items \(counted)",
          nearest: "save all pages of GET /v1/evals/E/runs/\(run.value["id"]?.string ?? "R")/output_items"
        )
      }
    }
  }

  // MARK: Files

  private func parts(of item: JSONObject) -> (input: JSONObject, expected: JSONObject, notes: JSONObject) {
    var (input, expected, notes): (JSONObject, JSONObject, JSONObject) = ([:], [:], [:])
    let readsNothing = promptFields.isEmpty
    for member in item.members {
      var isRead = false
      if promptFields.contains(member.name) || readsNothing && !expectedFields.contains(member.name) {
        input[member.name] = Self.asWritten(member.value)
        isRead = true
      }
      if expectedFields.contains(member.name) {
        let isText = textFields.contains(member.name)
        expected[member.name] =
          isText ? .string(NunjucksTemplate.text(member.value)) : Self.asWritten(member.value)
        isRead = true
      }
      if !isRead { notes[member.name] = member.value }
    }
    return (input, expected, notes)
  }

  private static func asWritten(_ value: JSONValue) -> JSONValue {
    if case .string(let text) = value, text.hasPrefix("file://") { return ["literal": value] }
    return value
  }

  private var dataset: ImportPlan.File {
    let folder = ProjectPath("datasets/\(name)")
    let objects = cases.map { entry -> JSONObject in
      let (input, expected, notes) = parts(of: entry.item)
      var object: JSONObject = ["id": .string(entry.id), "input": .object(input)]
      if !expected.members.isEmpty { object["expected"] = .object(expected) }
      if !notes.members.isEmpty { object["notes"] = .object(notes) }
      return object
    }
    if objects.count > Self.longestYAML {
      let lines = objects.map { JSONValue.object($0).jsonText + "\n" }
      return .init(folder.resolvingChild("cases.jsonl"), lines.joined())
    }
    return .init(
      folder.resolvingChild("cases.yaml"),
      YAMLWriter.text(
        .list(objects.map { .init(.json(.object($0))) }),
        head: ["Imported from OpenAI's hosted Evals."]
      )
    )
  }

  private var suite: ImportPlan.File {
    var members: [YAMLWriter.Member] = [.init("suite", .string(name))]
    let files = prompts.map { "\($0.name).yaml" }
    members.append(
      files.count == 1
        ? .init("prompt", .string(files[0])) : .init("prompts", .array(files.map(JSONValue.string)))
    )
    members.append(.init("dataset", .string(name)))
    let names = backends.map(\.name)
    members.append(
      names.count == 1
        ? .init("backend", .string(names[0])) : .init("backends", .array(names.map(JSONValue.string)))
    )
    let written = scorers.filter { $0.json != .null }
    let comments = scorers.flatMap(\.comments)
    if written.isEmpty {
      members[members.count - 1].comments = comments
    } else {
      members.append(
        .init("scorers", .list(written.map { .init(.json($0.json)) }), comments: comments)
      )
    }
    if !goals.isEmpty { members.append(.init("goals", .array(goals.map(JSONValue.string)))) }
    return .init(
      ProjectPath("prompts/\(name)/suite.yaml"),
      YAMLWriter.text(.mapping(members), head: ["Imported from OpenAI's hosted Evals."])
    )
  }

  private func file(of prompt: Prompt) -> ImportPlan.File {
    var members: [YAMLWriter.Member] = []
    if let list = prompt.list {
      members.append(.init("messages", .string("{{\(list)}}")))
    } else {
      members.append(.init("messages", .list((prompt.messages ?? []).map { .init(.json($0)) })))
    }
    return .init(ProjectPath("prompts/\(name)/\(prompt.name).yaml"), YAMLWriter.text(.mapping(members)))
  }

  func add(to result: inout OpenAIEvalsImport.Result, _ rows: inout [OutputRowsFile]) {
    result.names.append(name)
    var files = [suite] + prompts.map { file(of: $0) } + extraFiles + [dataset]
    let redaction = Redaction()
    for index in files.indices {
      let text = String(decoding: files[index].bytes, as: UTF8.self)
      let clean = redaction.redactedJudged(text)
      if clean == text { continue }
      files[index].bytes = Array(clean.utf8)
      result.report.findings.append(
        .init(
          .changed,
          .testCase,
          path: eval.path.description,
          message: "\(files[index].path): a secret was taken out of it"
        )
      )
    }
    result.files += files + outputs.map(\.file)
    for backend in backends + judges where !result.backends.contains(where: { $0.name == backend.name }) {
      result.backends.append(backend)
    }
    rows += outputs
    result.report.findings += findings
    result.report.fillIns += fillIns
    let isPlaceholder = cases.first?.id == "fill-in"
    var counts = [
      ImportReport.Count("evals", whole: 1),
      .init("cases", whole: isPlaceholder ? 0 : cases.count), graderCount, runCount, answers,
    ]
    if lostAnswers > 0 { counts.append(.init("lost answers", whole: lostAnswers)) }
    for count in counts {
      if let index = result.report.counts.firstIndex(where: { $0.name == count.name }) {
        result.report.counts[index].whole += count.whole
        result.report.counts[index].inPart += count.inPart
        result.report.counts[index].notAtAll += count.notAtAll
      } else {
        result.report.counts.append(count)
      }
    }
  }
}
