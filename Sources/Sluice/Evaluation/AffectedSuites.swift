import SluiceReporting

/// Chooses the suites that a change affects, for `--affected`.
///
/// A suite is affected if it reads a file that changed since a git revision, or if it lacks
/// recordings.
package struct AffectedSuites: Sendable {
  private let changes: GitChanges
  private let surroundings: Surroundings
  private let layers: [RecordingStore.Kind]

  /// Creates a chooser of suites.
  ///
  /// - Parameters:
  ///   - changes: The files that changed since the revision.
  ///   - surroundings: The project's files, the clock and the environment.
  ///   - layers: The layers of recordings to use, in order of precedence.
  package init(
    _ changes: GitChanges,
    surroundings: Surroundings,
    layers: [RecordingStore.Kind]
  ) {
    self.changes = changes
    self.surroundings = surroundings
    self.layers = layers
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
    for path in paths {
      let files = ReadTrackingFileSystem(surroundings.files)
      guard let suite = load(path, selection, files), names.insert(suite.plan.name).inserted
      else { return nil }
      let named = SuiteSelection.Suite(name: suite.plan.name, path: path)
      let reasons = reasons(suite, files)
      if reasons.isEmpty {
        choice.skipped.append(named)
      } else {
        choice.chosen.append(SuiteSelection.Chosen(suite: named, reasons: reasons))
      }
    }
    if selection.suites.isEmpty {
      choice.removed = SuiteReader.allSuites(changes.base).filter {
        surroundings.files.kind(of: $0) == .missing
      }
    }
    return choice
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

  private func reasons(_ suite: ResolvedSuite, _ files: ReadTrackingFileSystem)
    -> [SuiteSelection.Reason]
  {
    // Git already compared the contents of these files, so note them without reading them.
    for path in Self.filesOfRun(suite.plan) { files.noteContents(path) }
    let loading = differences(files.listing)
    // A suite with a changed file runs anyway, so skip the slow search for missing answers.
    if !loading.isEmpty { return loading }
    let missing = missingRecordings(suite, files)
    let reading = differences(files.listing)
    return reading + (missing == 0 ? [] : [.missingRecordings(missing)])
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
