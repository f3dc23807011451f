import SluiceReporting

/// The loader of a project, which reads its files and resolves its suites.
///
/// It reports all errors at once.
package struct ProjectLoader {
  /// The suites to load, with the command line's overrides.
  package struct Selection: Sendable {
    /// The folders, files or names of suites; empty for all suites.
    package var suites: [String]
    /// The files of the suites, if the caller knows them; in that case, the loader does not search
    /// for suites.
    package var knownSuites: [ProjectPath] = []
    /// The prompt files to use instead of the suite's own.
    package var prompts: [ProjectPath]
    /// The names of backends to use instead of the suite's own.
    package var backends: [String]
    /// True to add the prompt or backend from the command line to the suite's own.
    ///
    /// If the command line names several prompts, they replace the suite's own prompts. If it names
    /// one prompt that the suite already has, only that prompt is used. The same applies to backends.
    package var isBesideOwn: Bool
    /// The number of trials per case, or `nil` to use the suite's.
    package var repetitions: Int?
    /// True to search for near-duplicates.
    ///
    /// The search is slow, so runs leave it out.
    package var findsNearDuplicates = false
    /// True to test the scorers on the cases' known outputs.
    package var testsKnownOutputs = true

    package init(
      suites: [String] = [],
      prompt: ProjectPath? = nil,
      prompts: [ProjectPath] = [],
      backends: [String] = [],
      isBesideOwn: Bool = false,
      repetitions: Int? = nil,
      testsKnownOutputs: Bool = true
    ) {
      self.suites = suites
      self.prompts = (prompt.map { [$0] } ?? []) + prompts
      self.backends = backends
      self.isBesideOwn = isBesideOwn
      self.repetitions = repetitions
      self.testsKnownOutputs = testsKnownOutputs
    }
  }

  let files: ProjectFiles
  let diagnostics: DiagnosticCollector
  private let today: Timestamp
  private let environment: [String: String]
  let ownScorers: [String: any Scorer]?

  private init(
    _ system: any FileSystem,
    today: Timestamp,
    environment: [String: String],
    ownScorers: [String: any Scorer]? = nil
  ) {
    diagnostics = DiagnosticCollector()
    files = ProjectFiles(system, diagnostics: diagnostics)
    self.today = today
    self.environment = environment
    self.ownScorers = ownScorers
  }

  /// Loads the selected suites of a project.
  ///
  /// - Parameters:
  ///   - selection: The suites to load.
  ///   - system: The project's files.
  ///   - today: The current date, which decides which exemptions have ended.
  ///   - environment: The environment variables, which may contain the version of a backend.
  ///   - ownScorers: The scorers written in Swift by name, or `nil` if the caller does not support
  ///     such scorers.
  ///   - isConfined: True if `allow-folders` does not count.
  /// - Returns: The suites, and all errors in the files.
  package static func load(
    _ selection: Selection = Selection(),
    from system: any FileSystem,
    today: Timestamp = .now,
    environment: [String: String] = [:],
    ownScorers: [String: any Scorer]? = nil,
    isConfined: Bool = false
  ) -> LoadedProject {
    let loader = ProjectLoader(
      system,
      today: today,
      environment: environment,
      ownScorers: ownScorers
    )
    if isConfined { loader.files.isConfined = true }
    var project = loader.load(selection)
    project.diagnostics = loader.diagnostics.diagnostics
    return project
  }

  /// Loads the settings of `sluice.yaml`, without any suite.
  ///
  /// - Parameters:
  ///   - system: The project's files.
  ///   - environment: The environment variables, which may contain the version of a backend.
  /// - Returns: The backends in the order of the file, and all errors in it.
  package static func backends(
    from system: any FileSystem,
    environment: [String: String] = [:]
  ) -> LoadedBackends {
    let loader = ProjectLoader(system, today: .now, environment: environment)
    let configuration = ProjectConfiguration.read(loader.files)
    ConfigurationSecrets.hide(loader.files)
    let found = configuration.flatMap(loader.backends) ?? [:]
    let names = configuration?.backends?.map(\.name) ?? []
    return LoadedBackends(
      backends: names.compactMap { found[$0].flatMap { $0 } },
      prices: PriceList.read(configuration?.prices ?? [], files: loader.files),
      diagnostics: loader.diagnostics.diagnostics
    )
  }

  private func load(_ selection: Selection) -> LoadedProject {
    let configuration = ProjectConfiguration.read(files)
    ConfigurationSecrets.hide(files)
    let prices = PriceList.read(configuration?.prices ?? [], files: files)
    var context = Context(
      prompts: selection.prompts,
      backends: selection.backends,
      isBesideOwn: selection.isBesideOwn,
      repetitions: selection.repetitions,
      testsKnownOutputs: selection.testsKnownOutputs,
      knownBackends: configuration.flatMap(backends),
      prices: prices,
      recordings: configuration?.recordings ?? RecordingPolicy()
    )
    let budget = configuration.flatMap { configuration in
      configuration.budget.map {
        BudgetReader.read($0, in: configuration.file, diagnostics: diagnostics)
      }
    }
    // If the suites are known, do not check mixes, since that would read the files of other suites.
    let mixes = selection.knownSuites.isEmpty ? configuration.map(mixes) ?? [] : []
    let paths = selected(selection)
    if !selection.prompts.isEmpty, paths.count > 1 {
      context.prompts = []
      diagnostics.report(
        Diagnostic(
          path: "command line",
          message: "--prompt applies to one suite, but \(paths.count) are selected",
          fix: "name the suite: sluice run \(SuiteName.short(paths[0])) --prompt …"
        )
      )
    }
    let specs = paths.compactMap { SuiteReader.read($0, files: files) }
    reportDuplicateNames(specs)
    let suites = specs.compactMap { resolve($0, context) }
    LinkCheck(files).check(datasets: suites.map(\.resolved.plan.datasetPath))
    // Warn about unread members last, since other errors may be the reason why nothing reads a
    // member.
    if diagnostics.hasErrors { return LoadedProject() }
    for suite in suites {
      warnOfJinja(in: suite.resolved.plan.prompts)
      warnOfUnread(suite.unread, in: suite.dataset, suite.resolved.plan.prompts)
    }
    var project = LoadedProject(
      suites: suites.map(\.resolved),
      budget: budget ?? Budget(),
      pricePaths: configuration?.prices ?? [],
      mixes: mixes
    )
    project.allowedFolders = files.allowedFolders?.map(\.description) ?? []
    // Do not search for suites that the caller knows, since the search reads other folders.
    if selection.suites.isEmpty, selection.knownSuites.isEmpty {
      project.testSuites = testSuites(among: SuiteReader.allSuites(files.system))
    }
    if selection.findsNearDuplicates {
      for dataset in suites.map(\.dataset)
      where !project.nearDuplicates.contains(where: { $0.path == dataset.file.path }) {
        project.nearDuplicates.append(NearDuplicateCheck(dataset, diagnostics: diagnostics))
      }
    }
    return project
  }

  private func backends(_ configuration: ProjectConfiguration) -> [String: BackendDefinition?]? {
    guard let entries = configuration.backends else { return nil }
    var backends: [String: BackendDefinition?] = [:]
    for entry in entries {
      backends[entry.name] = .some(
        BackendReader.read(
          entry,
          file: configuration.file,
          files: files,
          environment: environment
        )
      )
    }
    return backends
  }

  private struct Context {
    /// The prompts to use instead of the suites' own; empty for no override.
    var prompts: [ProjectPath]
    /// The backends to use instead of the suites' own; empty for no override.
    var backends: [String]
    /// True to add the prompt or backend from the command line to the suites' own.
    var isBesideOwn: Bool
    /// The number of trials per case, or `nil` to use the suites'.
    var repetitions: Int?
    /// True to test the scorers on the cases' known outputs.
    var testsKnownOutputs: Bool
    /// The backends of `sluice.yaml` by name.
    ///
    /// A backend with errors is `nil`. The dictionary is `nil` if the backends could not be read.
    var knownBackends: [String: BackendDefinition?]?
    var prices: PriceList
    var recordings: RecordingPolicy
  }

  // MARK: Selection

  /// Finds the files of the selected suites.
  ///
  /// - Parameters:
  ///   - selection: The suites to find.
  ///   - system: The project's files.
  /// - Returns: The files, or `nil` if a name is wrong. Loading then reports that error, together
  ///   with all others.
  package static func paths(of selection: Selection, in system: any FileSystem) -> [ProjectPath]? {
    let loader = ProjectLoader(system, today: .now, environment: [:])
    let paths = loader.selected(selection)
    _ = ProjectConfiguration.read(loader.files).map(loader.mixes)
    return loader.diagnostics.hasErrors ? nil : paths
  }

  private func selected(_ selection: Selection) -> [ProjectPath] {
    if !selection.knownSuites.isEmpty { return selection.knownSuites }
    let all = SuiteReader.allSuites(files.system)
    if all.isEmpty {
      diagnostics.report(
        Diagnostic(
          path: SuiteReader.folder.description,
          message: "there are no suites: no file matches "
            + "\(SuiteReader.folder)/**/\(SuiteReader.fileName)",
          fix: misplacedSuite() ?? "write a suite; README.md shows how"
        )
      )
    }
    if selection.suites.isEmpty {
      let left = Set(testSuites(among: all).map(\.path))
      return all.filter { !left.contains($0) }
    }
    var chosen: [ProjectPath] = []
    for name in selection.suites {
      let path = ProjectPath(name)
      var matches = all.filter {
        $0 == path || $0.folder == path || $0.folder == SuiteReader.folder.resolvingChild(name)
      }
      if matches.isEmpty {
        matches = all.filter { SuiteReader.name(of: $0, in: files.system) == name }
      }
      if matches.isEmpty {
        // If there are no suites at all, that was already reported.
        if all.isEmpty { continue }
        diagnostics.report(
          Diagnostic(
            path: "command line",
            message: "there is no suite '\(name)'",
            fix: all.first { path.isInside($0.folder) }.map {
              "name the suite of this file: \(SuiteName.short($0))"
            } ?? NearestName.suggestion(for: name, among: all.map(SuiteName.short))
          )
        )
      }
      for match in matches where !chosen.contains(match) { chosen.append(match) }
    }
    return chosen
  }

  /// Returns the suites that only tests can run; empty if the project has no other suites.
  ///
  /// In that case, loading these suites reports that their scorers need a test.
  private func testSuites(among all: [ProjectPath]) -> [LoadedProject.TestSuite] {
    if ownScorers != nil { return [] }
    let found = all.compactMap { path in
      SuiteReader.swiftScorers(of: path, in: files.system).first
        .map { LoadedProject.TestSuite(path: path, scorer: $0) }
    }
    return found.count == all.count ? [] : found
  }

  /// Returns the fix for a misnamed or misplaced suite file, or `nil` if there is no such file.
  private func misplacedSuite() -> String? {
    func found(_ folder: ProjectPath, depth: Int) -> ProjectPath? {
      for name in files.system.names(in: folder) where !name.hasPrefix(".") {
        let path = folder.resolvingChild(name)
        switch files.system.kind(of: path) {
        case .file where ["suite.yml", "suites.yaml", SuiteReader.fileName].contains(name):
          return path
        case .folder where depth < 3: if let path = found(path, depth: depth + 1) { return path }
        default: break
        }
      }
      return nil
    }
    guard let path = found(ProjectPath("."), depth: 0) else { return nil }
    let isInFolder = path.isInside(SuiteReader.folder)
    if isInFolder {
      return "rename the file: mv \(path) \(path.folder.resolvingChild(SuiteReader.fileName))"
    }
    let name = path.folder.description == "." ? "NAME" : path.folder.name
    return "move the file \(path) to \(SuiteReader.folder)/\(name)/\(SuiteReader.fileName)"
  }

  private func reportDuplicateNames(_ specs: [SuiteSpec]) {
    var first: [String: SuiteSpec] = [:]
    for spec in specs {
      guard let name = spec.name else { continue }
      if let earlier = first[name.text] {
        diagnostics.error(
          "the suite name '\(name.text)' is already used by \(earlier.file.path)",
          in: spec.file,
          at: name.position,
          fix: "rename one of the two"
        )
      } else {
        first[name.text] = spec
      }
    }
  }

  // MARK: Resolving

  /// A resolved suite with its dataset, which has the positions of the cases in the file.
  private struct Resolution {
    var resolved: ResolvedSuite
    var dataset: Dataset
    var unread: UnreadMembers
  }

  private func resolve(_ spec: SuiteSpec, _ context: Context) -> Resolution? {
    let prompts = prompts(of: spec, context)
    var backends = backends(of: spec, context)
    let datasetPath = spec.dataset.flatMap {
      DatasetReader.resolve($0, in: spec.file, files: files)
    }
    // Create the scorers first, since they check each case when it is read. But report the scorers'
    // errors after the dataset's errors.
    let held = DiagnosticCollector()
    // Read `extract:` only once, so that its errors are reported only once.
    let extract = spec.extract.flatMap { node in
      Extraction(node, in: spec.file, held).map { _ in node }
    }
    var spec = spec
    let rivalries = spec.scorers.filter { $0.type == BestOfRule.type }
    spec.scorers.removeAll { $0.type == BestOfRule.type }
    let scorers = BoundScorer.bind(
      spec.scorers.map { $0.extracting(extract) },
      files: files.reporting(to: held),
      asking: ScorerArguments.Asking(
        environment: environment,
        backends: context.knownBackends
      ),
      ownScorers: ownScorers
    )
    reportRefusals(of: prompts, by: backends, scorers)
    let hasAllScorers = spec.hasAllScorers && scorers.count == spec.scorers.count
    let texts =
      prompts.flatMap(FilledText.all) + backends.flatMap { FilledText.all(of: $0, beside: prompts) }
      + FilledText.all(of: scorers, path: ProjectPath(spec.file.path))
    var checks = CaseChecks(
      scorers: scorers,
      texts: texts,
      unread: UnreadMembers(prompts: prompts, backends: backends, scorers: scorers)
    )
    let before = diagnostics.count
    let dataset = datasetPath.flatMap {
      DatasetReader.read($0, files: files) { checks.isFine($0, $1) }
    }
    // If cases could not be read, a tag or id that seems unknown may be in one of those cases.
    let hasAllCases = diagnostics.count == before
    var answers: [String: OutputsFile] = [:]
    if let dataset {
      answers = outputs(of: &backends, for: dataset, hasAllCases: hasAllCases, prompts)
    }
    diagnostics.add(held)
    var graders =
      hasAllScorers && context.testsKnownOutputs
      ? GraderCheck(
        scorers: scorers,
        takesEmptyAnswers: spec.takesEmptyAnswers,
        diagnostics: diagnostics
      ) : nil
    if let dataset {
      check(dataset, extracting: extract, by: &checks, texts, &graders)
      if checks.hasGaps { reportGaps(of: texts, in: dataset) }
      if hasAllScorers, hasAllCases {
        reportIdleSelections(spec.scorers, checks, dataset)
        reportIdleKeys(spec, scorers, checks, dataset)
        warnOfUnjudged(spec, dataset, checks)
      }
    }
    let catalog = MetricCatalog(
      scorers: scorers,
      tags: hasAllCases ? dataset?.tags : nil,
      isComplete: hasAllScorers
    )
    let conditions = ResolvedConditions(spec, catalog: catalog, diagnostics: diagnostics)
    // A scorer that could not be read may be a scorer that can fail trials.
    if hasAllScorers {
      reportIdleAccuracy(conditions, scorers, checks.assertions.isEmpty, spec.file)
    }
    let policy = GatePolicy(
      spec,
      cases: hasAllCases ? dataset?.cases.map(\.id) : nil,
      today: today,
      diagnostics: diagnostics
    )
    guard let name = spec.name, let datasetPath, let dataset, !prompts.isEmpty, !backends.isEmpty
    else { return nil }
    var plan = SuitePlan(
      name: name.text,
      path: ProjectPath(spec.file.path),
      datasetPath: datasetPath,
      cases: SuitePlan.Cases(dataset.cases, assertions: checks.assertions),
      prompts: prompts,
      backends: backends,
      repetitions: context.repetitions ?? spec.repetitions,
      scorers: scorers,
      takesEmptyAnswers: spec.takesEmptyAnswers,
      prices: context.prices,
      recordings: context.recordings,
      tried: tried(prompts, of: spec, context)
    )
    plan.outputs = answers
    plan.bestOf = rivalries.first.flatMap { BestOfRule($0, scorers: scorers, diagnostics) }
    if let second = rivalries.dropFirst().first {
      diagnostics.error(
        "'best-of' appears twice under 'scorers'",
        in: second.file,
        at: second.position,
        fix: "remove one of the two"
      )
    }
    plan.groupings = spec.groupings.map(\.grouping)
    if hasAllCases, hasAllScorers { reportWideGroupings(spec, plan, scorers) }
    let suite = ResolvedSuite(
      plan: plan,
      conditions: conditions,
      policy: policy,
      knownOutputs: graders?.count ?? 0
    )
    if spec.scorers.isEmpty, !checks.unjudged.isEmpty { checks.ignoreExpected() }
    // If cases could not be read, the real number of cases is unknown.
    if hasAllCases { warnOfUnattainable(suite, spec.file) }
    return Resolution(resolved: suite, dataset: dataset, unread: checks.unread)
  }

  private func prompts(of spec: SuiteSpec, _ context: Context) -> [Prompt] {
    var prompts: [Prompt] = []
    for (path, position) in promptPaths(spec, context) {
      guard let prompt = PromptReader.read(path, files: files) else { continue }
      if prompts.contains(where: { $0.name == prompt.name }) {
        diagnostics.error(
          "two prompts of the suite are named '\(prompt.name)'",
          in: spec.file,
          at: position,
          fix: "rename one of the files"
        )
      } else {
        prompts.append(prompt)
      }
    }
    return prompts
  }

  /// Returns the names of the prompts from the command line, except the suite's own candidate.
  private func tried(_ prompts: [Prompt], of spec: SuiteSpec, _ context: Context) -> [String] {
    if context.prompts.isEmpty { return [] }
    // Ignore errors in the suite's references to prompts, which were already reported.
    let quiet = files.reporting(to: DiagnosticCollector())
    let own = spec.prompts.last.flatMap { reference in
      quiet.resolve(reference.text, in: spec.file, at: reference.position)
    }
    return prompts.filter { context.prompts.contains($0.path) && $0.path != own }.map(\.name)
  }

  private func promptPaths(_ spec: SuiteSpec, _ context: Context)
    -> [(path: ProjectPath, position: SourcePosition?)]
  {
    var paths: [(path: ProjectPath, position: SourcePosition?)] = []
    if context.prompts.isEmpty || context.isBesideOwn && context.prompts.count == 1 {
      paths = spec.prompts.compactMap { reference in
        files.resolve(reference.text, in: spec.file, at: reference.position).map {
          ($0, reference.position)
        }
      }
      // If the prompt from the command line is one of the suite's own, use only that prompt.
      if let only = context.prompts.first, paths.contains(where: { $0.path == only }) {
        paths.removeAll { $0.path != only }
      }
    }
    for path in context.prompts where !paths.contains(where: { $0.path == path }) {
      do throws(ProjectFiles.Fault) {
        try files.checkFile(path, writtenAs: path.description, from: ProjectPath("."))
        paths.append((path, nil))
      } catch {
        diagnostics.report(
          Diagnostic(path: "command line", message: error.message, fix: error.fix)
        )
      }
    }
    return paths
  }

  private func backends(of spec: SuiteSpec, _ context: Context) -> [BackendDefinition] {
    guard let known = context.knownBackends else { return [] }
    func suggestion(_ name: String) -> String? {
      if let comment = name.firstRange(of: " //") {
        let start = String(name[..<comment.lowerBound]).trimmed
        return
          "comments begin with '#': write \(start) # \(String(name[comment.upperBound...]).trimmed)"
      }
      return NearestName.suggestion(for: name, among: known.keys.sorted())
    }
    var chosen: [BackendDefinition] = []
    let isChoice = spec.backends.contains { $0.text == context.backends.first }
    if context.backends.isEmpty || context.isBesideOwn && context.backends.count == 1 && !isChoice {
      chosen = spec.backends.compactMap { reference in
        if let found = known[reference.text] {
          if let found { reportMissingVersion(of: found, in: spec.file, at: reference.position) }
          return found
        }
        diagnostics.error(
          "there is no backend '\(reference.text)' in sluice.yaml",
          in: spec.file,
          at: reference.position,
          fix: suggestion(reference.text)
        )
        return nil
      }
    }
    for name in context.backends where !chosen.contains(where: { $0.name == name }) {
      if let found = known[name] {
        if let found {
          reportMissingVersion(of: found)
          chosen.append(found)
        }
        continue
      }
      diagnostics.report(
        Diagnostic(
          path: "command line",
          message: "there is no backend '\(name)' in sluice.yaml",
          fix: suggestion(name)
        )
      )
    }
    return chosen
  }

  /// Reports a missing version of a backend whose recordings depend on the version.
  private func reportMissingVersion(
    of backend: BackendDefinition,
    in file: SourceFile? = nil,
    at position: SourcePosition? = nil
  ) {
    guard let variable = backend.fingerprint?.missingVariable else { return }
    let message =
      "the backend '\(backend.name)' reads its version from the environment variable \(variable), "
      + "which is not set"
    let fix = "set \(variable) to the version that gave the answers"
    if let file {
      diagnostics.error(message, in: file, at: position, fix: fix)
    } else {
      diagnostics.report(Diagnostic(path: "command line", message: message, fix: fix))
    }
  }
}
