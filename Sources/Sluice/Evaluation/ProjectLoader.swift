/// Reads a project's files and resolves its suites, reporting everything that is wrong in one go.
package struct ProjectLoader {
  /// What to load, and what to change about it for this call.
  package struct Selection: Sendable {
    /// Names, folders or files of suites; empty means all.
    package var suites: [String]
    /// A prompt file that is used in place of the suite's own.
    package var prompt: ProjectPath?
    /// The names of backends that are used in place of the suite's own.
    package var backends: [String]

    package init(suites: [String] = [], prompt: ProjectPath? = nil, backends: [String] = []) {
      self.suites = suites
      self.prompt = prompt
      self.backends = backends
    }
  }

  private let files: ProjectFiles
  private let diagnostics: DiagnosticCollector

  private init(_ system: any FileSystem) {
    diagnostics = DiagnosticCollector()
    files = ProjectFiles(system, diagnostics: diagnostics)
  }

  /// Loads the selected suites of a project.
  package static func load(_ selection: Selection = Selection(), from system: any FileSystem)
    -> LoadedProject
  {
    let loader = ProjectLoader(system)
    let suites = loader.load(selection)
    return LoadedProject(suites: suites, diagnostics: loader.diagnostics.diagnostics)
  }

  private func load(_ selection: Selection) -> [ResolvedSuite] {
    guard let configuration = ProjectConfiguration.read(files) else { return [] }
    var backends: [String: BackendDefinition?] = [:]
    for entry in configuration.backends {
      backends[entry.name] = .some(
        BackendReader.read(entry, file: configuration.file, diagnostics: diagnostics)
      )
    }
    let prices = configuration.prices.flatMap { PriceList.read($0, files: files) } ?? PriceList()
    let paths = selected(selection)
    if selection.prompt != nil, paths.count > 1 {
      diagnostics.report(
        Diagnostic(
          path: "command line",
          message: "--prompt needs one suite, and \(paths.count) are selected",
          fix: "name the suite: sluice run \(SuiteName.short(paths[0])) --prompt …"
        )
      )
    }
    let specs = paths.compactMap { SuiteReader.read($0, files: files) }
    reportDuplicateNames(specs)
    let context = Context(selection: selection, backends: backends, prices: prices)
    return specs.compactMap { resolve($0, context) }
  }

  private struct Context {
    var selection: Selection
    /// The backends by name; nil for those that were reported as wrong.
    var backends: [String: BackendDefinition?]
    var prices: PriceList
  }

  // MARK: Selection

  private func selected(_ selection: Selection) -> [ProjectPath] {
    let all = SuiteReader.allSuites(files.system)
    if all.isEmpty {
      diagnostics.report(
        Diagnostic(
          path: SuiteReader.folder.description,
          message: "there is no suite: no \(SuiteReader.folder)/**/\(SuiteReader.fileName)",
          fix: "write one; README.md shows how"
        )
      )
    }
    if selection.suites.isEmpty { return all }
    var chosen: [ProjectPath] = []
    for name in selection.suites {
      let path = ProjectPath(name)
      let matches = all.filter {
        $0 == path || $0.folder == path || $0.folder == SuiteReader.folder.resolvingChild(name)
      }
      if matches.isEmpty {
        diagnostics.report(
          Diagnostic(
            path: "command line",
            message: "there is no suite '\(name)'",
            fix: NearestName.suggestion(for: name, among: all.map(SuiteName.short))
          )
        )
      }
      for match in matches where !chosen.contains(match) { chosen.append(match) }
    }
    return chosen
  }

  private func reportDuplicateNames(_ specs: [SuiteSpec]) {
    var first: [String: SuiteSpec] = [:]
    for spec in specs {
      if let earlier = first[spec.name] {
        diagnostics.error(
          "the suite name '\(spec.name)' is taken by \(earlier.file.path)",
          in: spec.file,
          at: nil,
          fix: "rename one of the two"
        )
      } else {
        first[spec.name] = spec
      }
    }
  }

  // MARK: Resolving

  private func resolve(_ spec: SuiteSpec, _ context: Context) -> ResolvedSuite? {
    let prompts = prompts(of: spec, context.selection)
    let backends = backends(of: spec, context)
    let datasetPath = DatasetReader.resolve(spec.dataset, in: spec.file, files: files)
    let dataset = datasetPath.flatMap { DatasetReader.read($0, files: files) }
    let scorers = BoundScorer.bind(spec.scorers, files: files)
    var planned: [SuitePlan.PlannedCase] = []
    var tags: Set<String> = []
    if let dataset {
      for testCase in dataset.cases {
        check(testCase, in: dataset, scorers: scorers, prompts: prompts)
        tags.formUnion(testCase.testCase.tags)
        planned.append(
          SuitePlan.PlannedCase(
            testCase: testCase.testCase,
            assertions: BoundScorer.bind(testCase.assertions, prefix: "assert.", files: files)
          )
        )
      }
      warnOfUnread(dataset, scorers: scorers, prompts: prompts)
    }
    let conditions = ResolvedConditions(
      spec,
      catalog: MetricCatalog(scorers: scorers, tags: tags),
      diagnostics: diagnostics
    )
    if spec.gates.isEmpty {
      diagnostics.warning(
        "the suite has no gates, so it can come to no verdict",
        in: spec.file,
        at: nil,
        fix: "add 'gates:' with a line such as '- accuracy >= 85%'"
      )
    }
    guard let datasetPath, dataset != nil, !prompts.isEmpty, !backends.isEmpty else { return nil }
    return ResolvedSuite(
      plan: SuitePlan(
        name: spec.name,
        path: ProjectPath(spec.file.path),
        datasetPath: datasetPath,
        cases: planned,
        prompts: prompts,
        backends: backends,
        repetitions: spec.repetitions,
        scorers: scorers,
        prices: context.prices
      ),
      conditions: conditions
    )
  }

  private func prompts(of spec: SuiteSpec, _ selection: Selection) -> [Prompt] {
    let paths: [ProjectPath]
    if let path = selection.prompt {
      guard files.system.kind(of: path) == .file else {
        let nearest = NearestName.of(path.name, among: files.system.names(in: path.folder))
        diagnostics.report(
          Diagnostic(
            path: "command line",
            message: "file not found: \(path)",
            fix: nearest.map { "did you mean '\(path.folder.resolvingChild($0))'?" }
          )
        )
        return []
      }
      paths = [path]
    } else {
      paths = spec.prompts.compactMap {
        files.resolve($0.text, in: spec.file, at: $0.position)
      }
    }
    let prompts = paths.compactMap { PromptReader.read($0, files: files) }
    var seen: Set<String> = []
    for prompt in prompts where !seen.insert(prompt.name).inserted {
      diagnostics.error(
        "two prompts of the suite are called '\(prompt.name)'",
        in: spec.file,
        at: spec.prompts.last?.position,
        fix: "rename one of the files"
      )
    }
    return prompts
  }

  private func backends(of spec: SuiteSpec, _ context: Context) -> [BackendDefinition] {
    let known = context.backends.keys.sorted()
    if !context.selection.backends.isEmpty {
      return context.selection.backends.compactMap { name in
        if let found = context.backends[name] { return found }
        diagnostics.report(
          Diagnostic(
            path: "command line",
            message: "there is no backend '\(name)' in sluice.yaml",
            fix: NearestName.suggestion(for: name, among: known)
          )
        )
        return nil
      }
    }
    return spec.backends.compactMap { reference in
      if let found = context.backends[reference.text] { return found }
      diagnostics.error(
        "there is no backend '\(reference.text)' in sluice.yaml",
        in: spec.file,
        at: reference.position,
        fix: NearestName.suggestion(for: reference.text, among: known)
      )
      return nil
    }
  }

  // MARK: Cases

  private func check(
    _ testCase: CaseSpec,
    in dataset: Dataset,
    scorers: [BoundScorer],
    prompts: [Prompt]
  ) {
    let expectation = Expectation(spec: testCase, file: dataset.file, diagnostics: diagnostics)
    for scorer in scorers { scorer.scorer.check(expectation) }
    for prompt in prompts {
      for message in prompt.messages {
        for problem in message.template.problems(filling: testCase.testCase.input) {
          let place = message.position.position(of: problem.offset)
          diagnostics.error(
            "the case '\(testCase.testCase.id)' lacks '\(problem.message)', which "
              + "\(prompt.path):\(place.line):\(place.column) needs",
            in: dataset.file,
            at: testCase.position,
            fix: problem.fix.map { "did you mean '\(problem.message)' where '\($0)' stands?" }
              ?? "add it under 'input', or take it out of the prompt"
          )
        }
      }
    }
  }

  /// Warns once of each input and each expectation that nothing of the suite reads.
  private func warnOfUnread(_ dataset: Dataset, scorers: [BoundScorer], prompts: [Prompt]) {
    guard !prompts.isEmpty else { return }
    let inputs = prompts.reduce(into: Set<String>()) { $0.formUnion($1.inputs) }
    let expected = Set(scorers.flatMap(\.scorer.expectedKeys))
    var seen: Set<String> = []
    for testCase in dataset.cases {
      for member in testCase.input.members ?? [] where !inputs.contains(member.key) {
        if !seen.insert("input.\(member.key)").inserted { continue }
        diagnostics.warning(
          "no prompt of the suite uses the input '\(member.key)'",
          in: dataset.file,
          at: member.keyPosition,
          fix: NearestName.of(member.key, among: inputs).map { "did you mean '\($0)'?" }
        )
      }
      for member in testCase.expected.members ?? [] where !expected.contains(member.key) {
        if !seen.insert("expected.\(member.key)").inserted { continue }
        diagnostics.warning(
          "no scorer of the suite reads 'expected.\(member.key)'",
          in: dataset.file,
          at: member.keyPosition,
          fix: NearestName.of(member.key, among: expected).map { "did you mean '\($0)'?" }
        )
      }
    }
  }
}

/// A suite that can be run and decided.
package struct ResolvedSuite: Sendable {
  package var plan: SuitePlan
  package var conditions: ResolvedConditions
}

/// The suites of a project, and everything that is wrong with its files.
package struct LoadedProject: Sendable {
  package var suites: [ResolvedSuite]
  package var diagnostics: [Diagnostic]

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
