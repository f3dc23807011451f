import SluiceReporting

/// The builder of a suite's files from an eval.
///
/// Items become cases, graders become scorers, and runs become prompts, backends and output files.
struct OpenAIEvalsSuiteBuilder {
  typealias Located = OpenAIEvalsObjects.Located

  struct Prompt: Equatable {
    var name: String
    var messages: [JSONValue]?
    /// The item's field that contains the messages, if the item itself supplies the prompt as a
    /// list of messages.
    var list: String?
  }

  struct Case {
    var id: String
    var item: JSONObject
  }

  let eval: Located
  let runs: [Located]
  let items: [String: [Located]]
  let savedRows: [String: [JSONValue]]
  let name: String
  /// The prefix of backend names, so that several evals can be imported into one project.
  let backendPrefix: String
  var cases: [Case] = []
  var caseIDs: [JSONValue: String] = [:]
  var prompts: [Prompt] = []
  var promptFields: Set<String> = []
  var expectedFields: Set<String> = []
  var textFields: Set<String> = []
  var scorers: [(json: JSONValue, comments: [String])] = []
  var extraFiles: [ImportPlan.File] = []
  var goals: [String] = []
  var backends: [ImportedBackend] = []
  var outputs: [OutputRowsFile] = []
  var findings: [ImportReport.Finding] = []
  var fillIns: [String] = []
  var judges: [ImportedBackend] = []
  var graderCount = ImportReport.Count("graders")
  var runCount = ImportReport.Count("runs")
  var answers = ImportReport.Count("answers")
  var lostAnswers = 0
  static let longestYAML = 2_000

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - eval: The eval.
  ///   - objects: All objects of the imported folder.
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

  mutating func report(
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
        nearest: "save GET /v1/evals/E/runs/R for each of these runs"
      )
    }
    if prompts.isEmpty { addPlaceholderPrompt() }
    if cases.isEmpty { addPlaceholderCase() }
    if backends.isEmpty { addPlaceholderBackend() }
  }

  // MARK: Items

  static func item(_ json: JSONValue?) -> JSONObject? {
    guard let object = json?.object else { return nil }
    // The item may be the member `item` of an enclosing object.
    if object.members.allSatisfy({ ["item", "sample"].contains($0.name) }),
      let inner = object["item"]?.object
    {
      return inner
    }
    return object
  }

  mutating func readItems(of run: Located) {
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
          nearest: "save GET /v1/files/\(id)/content as \(id).jsonl; items with answers were "
            + "imported"
        )
      }
    case let other?:
      report(
        .leftOut,
        .testCase,
        run,
        "the source '\(other)' of the run '\(label(run))'",
        nearest: "its output items"
      )
    case nil: break
    }
    for row in rows { addCase(Self.item(row["item"] == nil ? row : row["item"]), number: nil) }
  }

  func label(_ run: Located) -> String {
    run.value["name"]?.string ?? run.value["id"]?.string ?? "run"
  }

  mutating func addCase(_ item: JSONObject?, number: Int?) {
    guard let item else { return }
    let key = JSONValue.object(item)
    if caseIDs[key] != nil { return }
    let digest = SHA256.hexadecimal(JSONWriter.canonical(key)).prefix(8)
    let stem = number.map { "item-\($0)" } ?? String(name.prefix(40))
    let id = "\(stem)-\(digest)"
    caseIDs[key] = id
    cases.append(Case(id: id, item: item))
  }

  /// Returns the id of the case made from an item, and adds the case if it is new.
  mutating func caseID(_ json: JSONValue) -> String? {
    guard let item = Self.item(json["datasource_item"]) else { return nil }
    addCase(item, number: json["datasource_item_id"]?.integer)
    return caseIDs[.object(item)]
  }

  // MARK: Runs

  mutating func readRun(_ run: Located) {
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
      report(.leftOut, .prompt, run, "the run '\(label(run))' has an unsupported type of source")
    }
  }

  mutating func readPrompt(_ source: JSONValue, _ run: Located) -> Bool {
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
            "the prompt of the run '\(label(run))': one of its messages contains more than text and "
              + "{{item.…}}"
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
        report(
          .leftOut,
          .prompt,
          run,
          "the prompt of the run '\(label(run))': it refers to a nested field"
        )
        return false
      }
      promptFields.insert(path[1])
      prompt.list = path[1]
    default:
      report(.leftOut, .prompt, run, "the run '\(label(run))' does not contain its messages")
      return false
    }
    if prompts.contains(where: { $0.messages == prompt.messages && $0.list == prompt.list }) {
      return true
    }
    prompt.name = "v\(prompts.count + 1)"
    prompts.append(prompt)
    return true
  }

  static let parameterNames = [
    "temperature": "temperature", "top_p": "top-p", "seed": "seed",
    "max_completion_tokens": "max-completion-tokens",
    "max_completions_tokens": "max-completion-tokens", "reasoning_effort": "reasoning-effort",
  ]

  mutating func readBackend(_ source: JSONValue, _ run: Located) -> Bool {
    guard let model = source["model"]?.string ?? run.value["model"]?.string, !model.isEmpty else {
      report(.leftOut, .backend, run, "the run '\(label(run))' does not name a model")
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
    let api: ModelAPI = source["type"]?.string == "responses" ? .responses : .chatCompletions
    if api == .chatCompletions, parameters["seed"] == nil {
      // The hosted Evals use this seed if a run names none.
      parameters["seed"] = 42
      report(
        .note,
        .backend,
        run,
        "'seed: 42' was written to the backend's parameters; the hosted Evals used this seed if a "
          + "run had none"
      )
    }
    var entry: JSONObject = [
      "type": .string(api.type), "model": .string(model), "key": ["env": "OPENAI_API_KEY"],
    ]
    for refusal in ImportedBackend.refusals(of: parameters, entry) {
      parameters[refusal.parameter] = nil
      if !refusal.canBeLeftOut { isWhole = false }
      report(
        refusal.canBeLeftOut ? .note : .leftOut,
        .backend,
        run,
        "\(refusal.reason), so it is left out",
        nearest: refusal.fix
      )
    }
    entry["parameters"] = .object(parameters)
    if backends.contains(where: { $0.entry == entry }) { return isWhole }
    backends.append(ImportedBackend(name: backendName(model), entry: entry))
    return isWhole
  }

  func backendName(_ wish: String) -> String {
    let stem = backendPrefix + (Identifier.made(of: wish) ?? "model")
    var number = 1
    func next() -> String { number == 1 ? stem : "\(stem)-\(number)" }
    while backends.contains(where: { $0.name == next() }) { number += 1 }
    return next()
  }

  // MARK: Placeholders

  mutating func addPlaceholderPrompt() {
    fillIns.append("the prompt 'v1' of \(name): no saved run contains its messages")
    prompts = [
      Prompt(name: "v1", messages: [["user": "FILL IN: the text of the prompt"]], list: nil)
    ]
  }

  mutating func addPlaceholderCase() {
    fillIns.append("the dataset '\(name)': no items were saved")
    var item: JSONObject = [:]
    for field in promptFields.union(expectedFields).sorted() { item[field] = "FILL IN" }
    cases = [Case(id: "fill-in", item: item)]
  }

  mutating func addPlaceholderBackend() {
    fillIns.append("the backend 'fill-in' in sluice.yaml: name the model and its server")
    backends = [
      ImportedBackend(
        name: "fill-in",
        entry: ["type": "openai", "model": "FILL-IN", "base-url": "http://127.0.0.1:9/v1"],
        comments: ["FILL IN: no saved run names a model."]
      )
    ]
  }
}
