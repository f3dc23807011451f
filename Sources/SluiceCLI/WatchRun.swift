internal import Sluice

/// A run on recordings that is repeated whenever one of its files changes.
struct WatchRun: Sendable {
  var request: ProjectRequest
  /// True to show each case with its question and answer.
  var showsCases = false
  var concurrency: Int
  var isScratch: Bool
  /// The reports that each round writes in addition to `report.md`.
  var formats: Set<ReportFormat>
  /// True to show the project and its commit in `report.html`.
  let namesRevision: Bool
  /// The set of regression gates that Holm's correction covers together.
  var family = GateFamily.suite
  /// True to show every suite in full.
  var isVerbose = false
  var clock = Clock.real

  /// The result of a suite from the last round that ran it.
  private struct KnownSuite {
    var result: SuiteResult
    /// The files that the result depends on.
    var listing: FileListing
  }

  /// The state that a round passes to the next one.
  private struct State {
    var suites: [ProjectPath: KnownSuite] = [:]
    /// The result of the last round whose files had no errors.
    var last: RunResult?
    /// The files that the last round read, even if that round ended with errors.
    var listing = FileListing()
  }

  /// Runs until Ctrl-C.
  ///
  /// - Throws: ``ExitCode/interrupted``, or an error if reports could not be written.
  func run() async throws {
    let disk = try Project.find()
    let (failure, _) = await Interruption.guarding { () async -> (any Error)? in
      do {
        try await rounds(on: disk)
        return nil
      } catch {
        return error
      }
    }
    throw failure ?? Sluice.ExitCode.interrupted
  }

  private func rounds(on disk: DiskFileSystem) async throws {
    var state = State()
    var changed: [ProjectPath] = []
    while true {
      if Console.isOutputInteractive { Console.clearScreen() }
      if !changed.isEmpty { Console.output(TerminalLines.changed(changed)) }
      do {
        try await round(on: disk, &state)
      } catch Sluice.ExitCode.usage {
        // The errors in the files were printed; wait for the user to fix them.
      }
      let count = TerminalLines.count(state.listing.fileCount, "file")
      Console.error("watching \(count); press Ctrl-C to stop\n")
      changed = await FileWatch(disk, clock: clock).changes(since: state.listing)
      if Task.isCancelled { return }
    }
  }

  private func round(on disk: DiskFileSystem, _ state: inout State) async throws {
    let files = ReadTrackingFileSystem(disk)
    var hasFault = true
    defer {
      state.listing = files.listing
      for suite in state.suites.values {
        // After an error, no suite was run. Take the current state of the files, so that changes up
        // to now do not start another round.
        state.listing.formUnion(hasFault ? suite.listing.now(in: disk) : suite.listing)
      }
    }
    var project = try Project.load(request, in: disk, reading: files)
    project.overrides.showsCases = showsCases
    try project.requireNothingPendingInCI()
    var known: [ProjectPath: KnownSuite] = [:]
    for suite in project.loaded.suites {
      let path = suite.plan.path
      if let old = state.suites[path], old.listing.now(in: disk) == old.listing {
        known[path] = old
      } else {
        known[path] = try await run(suite, of: project, on: disk, seen: files.listing)
      }
    }
    state.suites = known
    hasFault = false
    let suites = project.loaded.suites.compactMap { known[$0.plan.path]?.result }
    let result = project.result(suites, family: family)
    try RunCommand.report(
      result,
      of: await project.knowingCommitted(of: result),
      in: disk,
      formats: formats,
      revision: namesRevision ? await project.pageRevision(for: formats) : nil,
      isVerbose: isVerbose
    )
    if let last = state.last {
      let style = Console.style(for: 1, project.surroundings.environment)
      let change = RoundChange(from: last.suites, to: result.suites)
      Console.output(TerminalRound(change, style: style).text)
    }
    state.last = result
  }

  private func run(
    _ suite: ResolvedSuite,
    of project: Project,
    on disk: DiskFileSystem,
    seen: FileListing
  ) async throws -> KnownSuite {
    let files = ReadTrackingFileSystem(disk)
    // Load the suite alone, to find only the files that it depends on.
    var selection = project.selection
    selection.suites = [suite.plan.path.description]
    _ = ProjectLoader.load(
      selection,
      from: files,
      today: project.surroundings.now(),
      environment: project.surroundings.environment
    )
    var own = project
    own.surroundings.files = files
    let result = try await own.answer(
      suite,
      live: nil,
      concurrency: concurrency,
      isScratch: isScratch
    )
    // The result is based on the first read of each file, even if the file was saved again since
    // then.
    return KnownSuite(result: result, listing: files.listing.withoutFolders.asSeen(in: seen))
  }
}
