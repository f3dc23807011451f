internal import ArgumentParser
internal import Sluice

/// The options that every command needs to find and load suites.
struct ProjectOptions: ParsableArguments {
  @Argument(help: "Suites by folder, file or name. Default: all.")
  var suites: [String] = []

  @Option(
    name: .long,
    help: """
      A prompt file to use instead of the suite's prompts; may be repeated: the last prompt \
      is the candidate.
      """
  )
  var prompt: [String] = []

  @Option(
    name: .long,
    help: "A backend of sluice.yaml to use instead of the suite's backend; may be repeated."
  )
  var backend: [String] = []

  @Option(name: .customLong("repeat"), help: "The number of trials for each case.")
  var repetitions: Int?

  func validate() throws {
    if let repetitions, !(1...10_000).contains(repetitions) {
      throw ValidationError("--repeat must be between 1 and 10000.")
    }
  }
}

/// The option `--family`, which chooses the regression gates that Holm's correction covers
/// together.
struct CorrectionOptions: ParsableArguments {
  enum Family: String, ExpressibleByArgument, CaseIterable {
    case suite, call

    fileprivate var gates: GateFamily {
      switch self {
      case .suite: .suite
      case .call: .call
      }
    }
  }

  @Option(
    help: """
      The regression gates that Holm's correction counts together: those of each suite, or \
      those of all suites of this command.
      """
  )
  var family: Family?

  /// The chosen family of gates.
  ///
  /// By default, the gates of each suite are a family.
  var chosenFamily: GateFamily { family?.gates ?? .suite }
}

/// The suites and settings that a command needs from a project.
struct ProjectRequest {
  var suites: [String] = []
  var prompts: [String] = []
  var backends: [String] = []
  /// True if a single prompt or backend from the command line is added to the suite's own.
  ///
  /// If this is false, or if the command line names several prompts or backends, these replace the
  /// suite's own. If the suite already has the single prompt or backend, only that prompt or
  /// backend is used.
  var isBesideOwn = false
  var repetitions: Int?
  var findsNearDuplicates = false
  /// The cases to keep, or all of them by default.
  var filter = CaseFilter()
  /// The files of the suites, if the caller knows them; empty if the suites must be searched for.
  var paths: [ProjectPath] = []
  /// True if the command also counts suites that only tests can run.
  var countsTestSuites = false

  init(_ options: ProjectOptions) {
    suites = options.suites
    prompts = options.prompt
    backends = options.backend
    repetitions = options.repetitions
  }

  init(suites: [String], countsTestSuites: Bool = false) {
    self.suites = suites
    self.countsTestSuites = countsTestSuites
  }
}

/// The project that a command works on, with the loaded suites.
struct Project {
  var surroundings: Surroundings
  /// The absolute path of the project's root.
  var root: String
  var selection: ProjectLoader.Selection
  var loaded: LoadedProject
  /// The file system that the suites were loaded from; `nil` if that is the disk.
  var candidateFiles: (any FileSystem)?
  /// The overrides of the suites' settings.
  var overrides: CommandLineOverrides
  /// The suites as named on the command line.
  var suiteNames: [String] = []
  /// The suites that `--affected` chose and skipped; `nil` if that option was not used.
  var choice: SuiteSelection?

  /// Finds the project and loads the selected suites.
  ///
  /// - Throws: ``ExitCode/usage`` after printing all errors in the files.
  static func load(_ options: ProjectOptions) throws -> Project {
    try load(ProjectRequest(options))
  }

  static func load(_ request: ProjectRequest) throws -> Project {
    let disk = try find()
    return try load(request, in: disk, reading: disk)
  }

  /// Loads the selected suites of a project.
  ///
  /// - Parameters:
  ///   - request: The suites and settings to load.
  ///   - disk: The file system with the project.
  ///   - files: The file system to read the suites from, or `nil` to read them from the disk.
  /// - Returns: The project.
  /// - Throws: ``ExitCode/usage`` after printing all errors in the files.
  static func load(
    _ request: ProjectRequest,
    in disk: DiskFileSystem,
    reading files: any FileSystem
  ) throws -> Project {
    let root = disk.root
    let surroundings = surroundings(of: disk, reading: files)
    let inside = folder(in: root)
    let selection = selection(request, root, files)
    let loaded = ProjectLoader.load(
      selection,
      from: files,
      today: surroundings.now(),
      environment: surroundings.environment
    )
    var project = Project(
      surroundings: surroundings,
      root: root,
      selection: selection,
      loaded: loaded,
      overrides: CommandLineOverrides(
        prompts: request.prompts,
        backends: request.backends,
        repetitions: request.repetitions,
        folder: inside,
        prices: loaded.pricePaths
      ),
      suiteNames: request.suites
    )
    project.overrides.isInCI = surroundings.isContinuousIntegration
    project.printDiagnostics(loaded.diagnostics)
    if loaded.hasErrors { throw Sluice.ExitCode.usage }
    if !request.countsTestSuites { project.printTestSuites() }
    try project.keep(request.filter, logsIn: disk)
    return project
  }

  /// Returns the surroundings of a project, in which programs need a permission.
  static func surroundings(of disk: DiskFileSystem, reading files: any FileSystem) -> Surroundings {
    var surroundings = Surroundings(files: files, environment: Invocation.environment)
    surroundings.programs = BranchTrust.current.permission(surroundings, root: disk.root)
    return surroundings
  }

  /// Converts the suites, prompts and backends of a request to the loader's selection.
  static func selection(_ request: ProjectRequest, _ root: String, _ files: any FileSystem)
    -> ProjectLoader.Selection
  {
    // Paths on the command line are relative to the working directory.
    let inside = folder(in: root)
    func relative(_ text: String) -> String {
      guard text.hasPrefix("/") else { return inside.resolvingChild(text).description }
      return text.hasPrefix(root + "/") ? String(text.dropFirst(root.count + 1)) : text
    }
    /// Converts a folder or file on the command line to a path in the project; returns the name of
    /// a suite unchanged.
    func suite(_ name: String) -> String {
      let path = ProjectPath(relative(name))
      let isThere =
        files.kind(of: path) == .file
        || files.kind(of: path.resolvingChild(SuiteReader.fileName)) == .file
      let named = SuiteReader.folder.resolvingChild(name).resolvingChild(SuiteReader.fileName)
      let isName = !name.contains("/") || files.kind(of: named) == .file
      return isThere || !isName ? path.description : name
    }
    var selection = ProjectLoader.Selection(
      suites: request.paths.isEmpty
        ? request.suites.map(suite) : request.paths.map(\.description),
      prompts: request.prompts.map { ProjectPath(relative($0)) },
      backends: request.backends,
      isBesideOwn: request.isBesideOwn,
      repetitions: request.repetitions
    )
    selection.findsNearDuplicates = request.findsNearDuplicates
    return selection
  }

  /// Finds the project without loading its suites.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting that there is no project.
  static func withoutSuites() throws -> Project {
    let disk = try find()
    return Project(
      surroundings: surroundings(of: disk, reading: disk),
      root: disk.root,
      selection: ProjectLoader.Selection(),
      loaded: LoadedProject(),
      overrides: CommandLineOverrides(folder: folder(in: disk.root))
    )
  }

  /// Returns the working directory, relative to the project's root.
  private static func folder(in root: String) -> ProjectPath {
    let working = Invocation.folder
    return ProjectPath(
      root == "/" ? String(working.dropFirst()) : String(working.dropFirst(root.count + 1))
    )
  }

  /// Returns a path from the command line, relative to the project's root.
  func path(_ text: String) -> ProjectPath {
    guard text.hasPrefix("/") else { return overrides.folder.resolvingChild(text) }
    return ProjectPath(text.hasPrefix(root + "/") ? String(text.dropFirst(root.count + 1)) : text)
  }

  /// Finds the project that contains the working directory, and returns its files.
  ///
  /// For an agent or a pull request, they must not lead out of it, unless the caller allows that.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting that there is no project.
  static func find() throws -> DiskFileSystem {
    let working = Invocation.folder
    if let root = DiskFileSystem.folder(holding: ProjectConfiguration.fileName, from: working),
      var files = DiskFileSystem(root: root)
    {
      files.isConfined = BranchTrust.current.confinesFiles
      return files
    }
    let other = "sluice.yml"
    if let folder = DiskFileSystem.folder(holding: other, from: working) {
      let path = folder == working ? "" : "\(folder)/"
      let name = ProjectConfiguration.fileName
      throw Console.refusal(
        "the project file must be named \(name), not \(other)",
        "mv \(ShellText.quoted(path + other)) \(ShellText.quoted(path + name))"
      )
    }
    let advice = PromptfooFolder(working)?.advice
    let fix =
      advice?.fix ?? "run sluice inside a project, or create one:\n  sluice init"
    Console.error(
      """
      sluice: error: no \(ProjectConfiguration.fileName) in this folder or in a folder above it
      \(advice?.explanation ?? "")  fix: \(fix)

      """
    )
    throw Sluice.ExitCode.usage
  }

  /// Names the suites that the command leaves out because only tests can run them.
  private func printTestSuites() {
    for suite in loaded.testSuites {
      Console.error(
        """
        note: '\(SuiteName.short(suite.path))' is left out: its scorer '\(suite.scorer)' is written \
        in Swift, so only a test can run it

        """
      )
    }
  }

  func printDiagnostics(_ diagnostics: [Diagnostic]) { Self.print(diagnostics) }

  /// Prints errors and warnings about files, followed by their number.
  static func print(_ diagnostics: [Diagnostic]) {
    if diagnostics.isEmpty { return }
    Console.transcript?.add(diagnostics)
    Console.error(DiagnosticText.list(diagnostics) + DiagnosticText.counts(diagnostics))
  }

  /// Runs an operation that may start the backends' long-running programs, and ends them
  /// afterwards.
  ///
  /// - Throws: The error of the operation.
  func keepingPrograms<Result>(_ work: (RunningPrograms) async throws -> Result) async throws
    -> Result
  {
    let backends = loaded.suites.flatMap(\.plan.allBackends)
    return try await Interruption.keepingPrograms(backends.contains(where: \.keepsRunning), work)
  }

  /// Returns the live backends of the loaded suites.
  ///
  /// - Parameters:
  ///   - meter: The meter, which counts the usage of all backends and enforces the budget.
  ///   - programs: The long-running programs, which end with the command.
  ///   - redactsAnswers: True to redact secrets in answers as well as in errors. This is needed if
  ///     no other code redacts the answers.
  /// - Returns: The backends by name.
  /// - Throws: ``ExitCode/usage`` after reporting missing keys or settings.
  func connect(
    _ meter: Meter,
    _ programs: RunningPrograms,
    redactsAnswers: Bool = false
  ) throws -> [String: any Backend] {
    let client = CurlHTTPClient(trusting: .ofSystem(environment: surroundings.environment))
    let definitions = loaded.suites.flatMap(\.plan.allBackends)
    let redaction = Redaction(of: definitions, in: surroundings)
    var backends: [String: any Backend] = [:]
    for definition in definitions
    where backends[definition.name] == nil && definition.outputs == nil {
      do throws(BackendError) {
        let backend = try definition.connect(
          client,
          surroundings: surroundings,
          programs: programs,
          meter: meter
        )
        backends[definition.name] = RedactingBackend(
          backend,
          redaction: redaction,
          answers: redactsAnswers
        )
      } catch {
        Console.error("sluice: error: \(error.message)\n  fix: \(error.fix)\n")
        throw Sluice.ExitCode.usage
      }
    }
    return backends
  }

  /// Returns a meter that counts usage and enforces the budget of `sluice.yaml`.
  ///
  /// - Parameters:
  ///   - cost: The cost limit from the command line in US dollars, which overrides the limit of
  ///     `sluice.yaml`.
  ///   - requests: The limit on the number of requests from the command line, which overrides the
  ///     limit of `sluice.yaml`.
  /// - Returns: A meter for all suites and backends together.
  func meter(cost: Double? = nil, requests: Int? = nil) -> Meter {
    var budget = loaded.budget
    budget.cost = cost ?? budget.cost
    budget.requests = requests ?? budget.requests
    // All suites of a project have the same prices.
    return Meter(budget, prices: loaded.suites.first?.plan.prices ?? PriceList())
  }

  /// Checks that an operation is allowed.
  ///
  /// In CI, an operation is allowed only if the user set explicit options.
  ///
  /// - Throws: ``ExitCode/usage`` after naming the options to set.
  func requireOutsideCI(_ what: String, isAllowed: Bool, flags: String) throws {
    guard surroundings.isContinuousIntegration, !isAllowed else { return }
    throw Console.refusal(
      "\(what) is disabled in CI (the environment variable CI is set)",
      "add \(flags) if this job is meant to do that"
    )
  }
}
