import SluiceReporting

/// The choice of the suites that a change affects, for `--affected`.
///
/// A suite is affected if it reads a file that changed since a git revision, or if it lacks
/// recordings.
package struct AffectedSuites: Sendable {
  private let changes: GitChanges
  private let surroundings: Surroundings
  private let layers: [RecordingStore.Kind]
  private let start: Timestamp

  /// Creates a choice that is based on the files that changed.
  ///
  /// - Parameters:
  ///   - changes: The files that changed since the revision.
  ///   - surroundings: The project's files, the clock and the environment.
  ///   - layers: The layers of recordings to use, in order of precedence.
  ///   - start: A time before the changes were found.
  package init(
    _ changes: GitChanges,
    surroundings: Surroundings,
    layers: [RecordingStore.Kind],
    start: Timestamp
  ) {
    self.changes = changes
    self.surroundings = surroundings
    self.layers = layers
    self.start = start
  }

  /// Chooses the affected suites among the selected ones.
  ///
  /// - Parameters:
  ///   - selection: The selected suites, with the command line's overrides.
  ///   - revision: The revision to compare the files with, as named on the command line.
  /// - Returns: The chosen and the skipped suites; `nil` if the project's files have errors. These
  ///   errors are reported when the project is loaded.
  package func choose(_ selection: ProjectLoader.Selection, since revision: String)
    -> SuiteSelection?
  {
    guard let paths = ProjectLoader.paths(of: selection, in: surroundings.files) else { return nil }
    var choice = SuiteSelection(since: revision)
    var names: Set<String> = []
    var states = FileStates(surroundings.files, changes)
    var checked = CheckedSuites(key: key(of: selection))
    // A branch cannot contain this file. In a folder of the project, it could hide the edits of a
    // branch.
    let memory = changes.privateFile(CheckedSuites.fileName)
    if let memory { checked.read(memory.path, in: memory.files) }
    var datasets: [ProjectPath] = []
    for path in paths {
      guard
        let (name, reasons) = known(path, &checked, &states, &datasets)
          ?? check(path, selection, &checked, &states), names.insert(name).inserted
      else { return nil }
      let named = SuiteSelection.Suite(name: name, path: path)
      if reasons.isEmpty {
        choice.skipped.append(named)
      } else {
        choice.chosen.append(SuiteSelection.Chosen(suite: named, reasons: reasons))
      }
    }
    if hasRefusedLinks(datasets) { return nil }
    if let memory { checked.write(to: memory.path, in: memory.files) }
    if selection.suites.isEmpty {
      choice.removed = SuiteReader.allSuites(changes.base).filter {
        surroundings.files.kind(of: $0) == .missing
      }
    }
    return choice
  }

  // MARK: Suites that were checked before

  /// Returns a text that differs for different options, versions and dates.
  ///
  /// The date matters because exemptions from gates end on a date, and CI because pending
  /// recordings do not count there.
  private func key(of selection: ProjectLoader.Selection) -> String {
    let parts =
      [Version.current, surroundings.now().day, "\(selection.repetitions ?? 0)"]
      + ["\(selection.isBesideOwn)", "\(surroundings.isContinuousIntegration)"]
      + layers.map(\.rawValue) + selection.backends
    return SHA256.hexadecimal(JSONWriter.line(.array(parts.map(JSONValue.string))))
  }

  /// Returns the result for a suite that was checked before and whose files did not change since.
  private func known(
    _ path: ProjectPath,
    _ checked: inout CheckedSuites,
    _ states: inout FileStates,
    _ datasets: inout [ProjectPath]
  ) -> (name: String, reasons: [SuiteSelection.Reason])? {
    guard let suite = checked.suite(at: path, &states) else { return nil }
    let reasons = differences(suite.listing)
    if reasons.isEmpty, !suite.isComplete { return nil }
    datasets.append(suite.dataset)
    return (suite.name, reasons)
  }

  /// Returns true if links lead out of the project.
  ///
  /// Otherwise only loading a suite would notice such links.
  private func hasRefusedLinks(_ datasets: [ProjectPath]) -> Bool {
    if datasets.isEmpty { return false }
    let files = ProjectFiles(surroundings.files, diagnostics: DiagnosticCollector())
    _ = ProjectConfiguration.read(files)
    LinkCheck(files).check(datasets: datasets)
    return files.diagnostics.hasErrors
  }

  // MARK: Checking

  /// Loads a suite and returns its name and the reasons to run it; `nil` if it has errors.
  private func check(
    _ path: ProjectPath,
    _ selection: ProjectLoader.Selection,
    _ checked: inout CheckedSuites,
    _ states: inout FileStates
  ) -> (name: String, reasons: [SuiteSelection.Reason])? {
    let files = ReadTrackingFileSystem(surroundings.files)
    guard let suite = load(path, selection, files) else { return nil }
    let (reasons, isComplete) = reasons(suite, files)
    let isCounted = reasons.contains { if case .missingRecordings = $0 { true } else { false } }
    // If recordings are missing, their number is counted each time.
    if canBeRemembered(suite.plan), !isCounted {
      let result = CheckedSuites.Suite(
        name: suite.plan.name,
        dataset: suite.plan.datasetPath,
        isComplete: isComplete,
        listing: files.listing,
        states: [:]
      )
      checked.remember(path, result, since: start, &states)
    }
    return (suite.plan.name, reasons)
  }

  /// Returns true if only files decide the result: no time and no environment variable.
  private func canBeRemembered(_ plan: SuitePlan) -> Bool {
    plan.recordings.expireAfter == nil
      && plan.allBackends.allSatisfy { $0.fingerprint?.variable == nil }
      && plan.scorers.allSatisfy {
        ($0.scorer as? ProgramScorer)?.program.endpoint.fingerprint.variable == nil
      }
  }

  /// Loads a single suite, so that only the files of this suite are tracked.
  private func load(
    _ path: ProjectPath,
    _ selection: ProjectLoader.Selection,
    _ files: ReadTrackingFileSystem
  ) -> ResolvedSuite? {
    var selection = selection
    selection.knownSuites = [path]
    selection.findsNearDuplicates = false
    // Do not test the scorers here. If the suite runs, it is loaded again, with these tests.
    selection.testsKnownOutputs = false
    let loaded = ProjectLoader.load(
      selection,
      from: files,
      today: surroundings.now(),
      environment: surroundings.environment
    )
    return loaded.hasErrors ? nil : loaded.suites.first
  }

  /// Returns the reasons to run a suite, and whether all answers that it needs are recorded.
  ///
  /// The search for answers is skipped if a file that was read to load the suite has changed.
  private func reasons(_ suite: ResolvedSuite, _ files: ReadTrackingFileSystem)
    -> (reasons: [SuiteSelection.Reason], isComplete: Bool)
  {
    // Git already compared the contents of these files, so note them without reading them.
    for path in Self.filesOfRun(suite.plan) { files.noteContents(path) }
    for path in Self.filesOfPrograms(suite.plan) where !isOutsideRepository(path) {
      files.noteContents(path)
    }
    let loading = differences(files.listing)
    // A suite with a changed file runs anyway, so skip the slow search for missing answers.
    if !loading.isEmpty { return (loading, false) }
    let missing = missingRecordings(suite, files)
    let reading = differences(files.listing)
    return (reading + (missing == 0 ? [] : [.missingRecordings(missing)]), missing == 0)
  }

  /// Returns the files that are read when a suite runs, but not when it is loaded.
  static func filesOfRun(_ plan: SuitePlan) -> [ProjectPath] {
    plan.allBackends.flatMap { backend in
      [
        RecordingFile.path(dataset: plan.datasetPath, backend: backend.name),
        RecordingLedger.path(dataset: plan.datasetPath, backend: backend.name),
        Baseline.path(suite: plan.name, backend: backend.name),
      ]
    }
  }

  /// Returns the paths that the commands of the suite's programs may name: each word, relative to the
  /// folder in which the program runs.
  ///
  /// Words that name no file are included, since a file may be at the path later.
  private static func filesOfPrograms(_ plan: SuitePlan) -> [ProjectPath] {
    var commands: [(folder: ProjectPath, words: [String])] = []
    for case let scorer as ProgramScorer in plan.scorers.map(\.scorer) {
      commands.append((scorer.program.folder, scorer.program.endpoint.command))
    }
    for case .program(let endpoint) in plan.allBackends.map(\.kind) {
      commands.append((ProjectPath("."), endpoint.command))
    }
    return commands.flatMap { folder, words in
      words.filter { !$0.hasPrefix("/") }.map { ProjectPath("\(folder)/\($0)") }
    }
  }

  /// Returns true for a link to an installed program, such as `.venv/bin/python`.
  ///
  /// Such a program would be a reason to run the suite each time.
  private func isOutsideRepository(_ path: ProjectPath) -> Bool {
    changes.change(at: path, .contents(FileStamp(.file))) == .outside
  }

  private func differences(_ listing: FileListing) -> [SuiteSelection.Reason] {
    listing.entries.sorted { $0.key < $1.key }.compactMap { path, entry in
      changes.change(at: path, entry).map { .file(path, $0) }
    }
  }

  /// Returns the number of answers and judges' verdicts that a run of the suite needs but that are
  /// not recorded.
  private func missingRecordings(_ suite: ResolvedSuite, _ files: ReadTrackingFileSystem) -> Int {
    let plan = suite.plan
    let stores = RecordingStore.all(
      of: plan,
      in: files,
      kinds: layers.filter { $0 != .pending || !surroundings.isContinuousIntegration }
    )
    let selection = RecordingRequest.Selection()
    let notBefore = plan.recordings.expiresBefore(surroundings.now())
    let answers = plan.recordingRequests(selection, in: stores, notBefore: notBefore)
    if plan.judges.isEmpty { return answers.count }
    let verdicts = Runner(plan).judgeRequests(
      selection,
      stores,
      notBefore: notBefore,
      excluding: Set(answers.map(\.slot))
    ).filter {
      SuitePlan.isWanted(selection.scope, stores[$0.request.backend], $0.slot, notBefore)
    }
    return answers.count + verdicts.count
  }
}
