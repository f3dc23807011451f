internal import Sluice

/// A run on recordings, again whenever a file changes that it rests on.
struct WatchRun: Sendable {
  var request: ProjectRequest
  /// True when each case is shown with its question and answer.
  var showsCases = false
  var concurrency: Int
  var isScratch: Bool
  /// Which reports each round writes beside `report.md`.
  var formats: Set<ReportFormat>
  /// True when `report.html` names the project and its commit.
  let namesRevision: Bool
  /// The regression gates that are corrected together.
  var family = GateFamily.suite
  /// True when every suite is shown in full.
  var isVerbose = false
  var clock = Clock.real

  /// What is known of a suite from the round that ran it last.
  private struct KnownSuite {
    var result: SuiteResult
    /// What it rests on.
    var listing: FileListing
  }

  /// What rounds leave for the next one.
  private struct State {
    var suites: [ProjectPath: KnownSuite] = [:]
    /// The last round whose files had no fault.
    var last: RunResult?
    /// What the last round looked at, faults or not.
    var listing = FileListing()
  }

  /// Runs until Ctrl-C.
  ///
  /// - Throws: ``ExitCode/interrupted``; or why reports could not be written.
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
        // What is wrong with the files was said, and is about to be put right.
      }
      let count = TerminalLines.count(state.listing.fileCount, "file")
      Console.error("watching \(count); Ctrl-C ends\n")
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
        // With a fault nothing runs: what changed since a suite ran is no reason for another round.
        state.listing.formUnion(hasFault ? suite.listing.now(in: disk) : suite.listing)
      }
    }
    var project = try Project.load(request, in: disk, reading: files)
    project.trying.showsCases = showsCases
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
    // Read once more by itself, to learn what it rests on: other suites' files are not among that.
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
    // The suite is what was read at first, whatever was saved since.
    return KnownSuite(result: result, listing: files.listing.withoutFolders.asSeen(in: seen))
  }
}
