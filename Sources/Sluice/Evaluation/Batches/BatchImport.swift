import SluiceReporting

/// The import of a batch's results as pending answers.
///
/// Each result is matched with a request of the project. If Sluice wrote the `custom_id` of the
/// result, this id identifies the request. Otherwise, a file of requests must contain the id with
/// the body of the request, and a backend of the project must send exactly this body. Matching
/// answers are recorded, and all other lines are reported.
package struct BatchImport {
  /// A file with its name as given on the command line.
  package struct Source: Sendable {
    package var name: String
    package var path: ProjectPath

    package init(name: String, path: ProjectPath) {
      self.name = name
      self.path = path
    }
  }

  /// The options of an import.
  package struct Options: Sendable {
    /// The backend that answered, or `nil` to accept every backend that matches.
    package var backend: String?
    /// The prompts from the command line, which may be outside of the suites' folders.
    package var prompts: [ProjectPath] = []
    package var via = AnswerRoute.batch
    package var statement = AnswerStatement()
    /// True to also import answers to requests that are already recorded.
    package var replaces = false

    package init() {}
  }

  /// The reason why nothing was imported.
  package enum Refusal: Error {
    /// Files or options have errors.
    case files([Diagnostic])
    /// The set of pending answers cannot be created.
    case recordings(PendingRecordings.Refusal)
  }

  /// The path of the report on the last import, with all faults and all unanswered requests.
  package static let summaryPath = ProjectPath("reports/batch/import.json")

  let suites: [SuitePlan]
  private let backends: [BackendDefinition]
  let surroundings: Surroundings
  let options: Options

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - suites: All suites of the project.
  ///   - backends: The backends of `sluice.yaml`.
  ///   - surroundings: The project's files and the clock.
  ///   - options: The options of the import.
  package init(
    _ suites: [SuitePlan],
    backends: [BackendDefinition],
    _ surroundings: Surroundings,
    _ options: Options = Options()
  ) {
    self.suites = suites
    self.backends = backends
    self.surroundings = surroundings
    self.options = options
  }

  /// Imports results.
  ///
  /// - Parameters:
  ///   - results: The files of results.
  ///   - requests: The files with the requests that the results answer.
  /// - Returns: The result, with every refused line and every request without an answer.
  /// - Throws: ``Refusal`` if nothing was imported because of an error.
  package func run(
    results: [Source],
    requests: [Source] = []
  ) throws(Refusal) -> BatchImportResult {
    let candidates = try usableBackends()
    let prompts = try ownPrompts()
    var files = BatchFiles(surroundings.files)
    for source in requests { files.addRequests(source, candidates) }
    for source in results { files.addResults(source) }
    if !files.refusals.isEmpty { throw .files(files.refusals) }
    var targets = BatchTargets(suites, prompts: prompts, backends: candidates, surroundings)
    var matches = BatchMatches(files, hasRequests: !requests.isEmpty)
    matches.find(in: &targets)
    let refusals = matches.refusals(candidates, isChosen: options.backend != nil)
    if !refusals.isEmpty { throw .files(refusals) }
    var work = BatchImportWork(self, files, targets, matches)
    try work.checkRecordings()
    try work.record()
    work.explain(candidates)
    work.findMissing()
    var outcome = work.outcome
    outcome.files = results.map(\.name)
    write(&outcome)
    return outcome
  }

  // MARK: Backends and prompts

  /// Returns the backends that may have answered.
  private func usableBackends() throws(Refusal) -> [BackendDefinition] {
    guard let name = options.backend else {
      let usable = backends.filter { $0.batchFault == nil }
      if !usable.isEmpty { return usable }
      throw refusal(
        "no backend of sluice.yaml supports batch files",
        fix: BackendDefinition.batchFix
      )
    }
    guard let backend = backends.first(where: { $0.name == name }) else {
      throw refusal(
        "there is no backend '\(name)' in sluice.yaml",
        fix: NearestName.suggestion(for: name, among: backends.map(\.name))
      )
    }
    if let fault = backend.batchFault {
      throw refusal(
        "the backend '\(name)' \(fault)",
        fix: NearestName.suggestion(
          for: name,
          among: backends.filter { $0.batchFault == nil }.map(\.name)
        )
      )
    }
    return [backend]
  }

  private func refusal(_ message: String, fix: String?) -> Refusal {
    .files([Diagnostic(path: "command line", message: message, fix: fix)])
  }

  /// Returns the prompts from the command line.
  private func ownPrompts() throws(Refusal) -> [Prompt] {
    let diagnostics = DiagnosticCollector()
    let files = ProjectFiles(surroundings.files, diagnostics: diagnostics)
    _ = ProjectConfiguration.read(files)
    var prompts: [Prompt] = []
    for path in options.prompts {
      do throws(ProjectFiles.Fault) {
        try files.check(path, writtenAs: path.description, from: ProjectPath("."))
        if let prompt = PromptReader.read(path, files: files) { prompts.append(prompt) }
      } catch {
        diagnostics.report(
          Diagnostic(path: "command line", message: error.message, fix: error.fix)
        )
      }
    }
    if diagnostics.hasErrors { throw .files(diagnostics.diagnostics) }
    return prompts
  }

  // MARK: The summary

  /// Writes a file with every fault and every request without an answer, one per line.
  private func write(_ outcome: inout BatchImportResult) {
    let result = outcome
    do throws(FileError) {
      try surroundings.files.write(to: Self.summaryPath, isSynced: false) {
        (sink) throws(FileError) in
        try result.write(to: &sink)
      }
      outcome.summary = Self.summaryPath
    } catch {
      outcome.fileError = outcome.fileError ?? error
    }
  }
}

extension BatchImportResult {
  /// Writes the result as JSON.
  fileprivate func write(to sink: inout FileSink) throws(FileError) {
    func number(_ value: Int) -> JSONValue { .number(Double(value)) }
    JSONWriter.open(
      [
        "schema": 1, "kind": "batch-import", "files": .array(files.map(JSONValue.string)),
        "lines": number(lines), "imported": number(imported), "already-recorded": number(known),
        "duplicates": number(duplicates), "refused": number(refused),
        "refused-without-a-line-here": number(unlisted), "without-an-answer": number(missing.count),
      ],
      indent: 0,
      to: &sink.buffer
    )
    try write("faults", faults.map(\.json), to: &sink)
    try write("missing", missing.map(\.json), to: &sink)
    sink.buffer.append("\n}\n" as StaticString)
  }

  private func write(_ name: String, _ rows: [JSONValue], to sink: inout FileSink)
    throws(FileError)
  {
    sink.buffer += ",\n  \"\(name)\": [".utf8
    for (index, row) in rows.enumerated() {
      sink.buffer.append(index == 0 ? "\n    " : ",\n    ")
      JSONWriter.append(row, to: &sink.buffer)
      try sink.spill()
    }
    sink.buffer.append(rows.isEmpty ? "]" : "\n  ]")
  }
}

extension BatchImportResult.Fault {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["kind": .string(kind.rawValue), "file": .string(diagnostic.path)]
    object.set("line", diagnostic.position.map { .number(Double($0.line)) })
    object.set("custom-id", id.map(JSONValue.string))
    object["message"] = .string(diagnostic.message)
    return .object(object)
  }
}

extension BatchImportResult.Missing {
  fileprivate var json: JSONValue {
    [
      "suite": .string(suite), "backend": .string(backend), "prompt": .string(prompt),
      "case": .string(testCase), "repeat": .number(Double(repetition)), "reason": .string(reason),
    ]
  }
}
