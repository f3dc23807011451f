internal import ArgumentParser
internal import Sluice

extension RecordingsCommand {
  struct Verify: AsyncParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Searches all recordings files and their ledgers for secrets and damage.",
      discussion: """
        The search also looks inside JSON strings, base64, percent-encoding and gzip. A ledger \
        must still list every set that it listed at the last commit, or at --base. An answer that \
        was accepted there may be missing or different only if a later set replaced it or it was \
        pruned; with --base, both are listed. The exit code is 64 if anything is found.
        """
    )

    @OptionGroup var suites: Suites

    @Option(help: "The git revision whose sets and answers must still exist. Default: HEAD.")
    var base: String?

    @OptionGroup var trust: TrustOptions

    func run() async throws {
      let project = try suites.load()
      let plans = project.loaded.suites.map(\.plan)
      let snapshot = try await revision(of: project)
      let datasets = datasets(of: plans, project, snapshot)
      let audit = RecordingAudit(
        known: plans.flatMap(\.backends).flatMap { $0.secrets(project.surroundings) }
      )
      let diagnostics = DiagnosticCollector()
      let files = RecordingFolder.files(of: datasets, in: project.surroundings.files)
      let found = files.map { file in
        audit.check(
          file.path,
          in: project.surroundings.files,
          isJournal: file.isJournal,
          diagnostics: diagnostics
        )
      }
      try await checkLedgers(of: datasets, plans, project, snapshot, diagnostics)
      project.printDiagnostics(diagnostics.diagnostics)
      if diagnostics.hasErrors { throw Sluice.ExitCode.usage }
      let count = found.reduce(0) { $0 + $1.recordings }
      Console.output(
        "\(TerminalLines.count(count, "recording")) in "
          + "\(TerminalLines.count(files.count, "file")): no secrets, no damage\n"
      )
    }

    /// Returns the datasets of the suites.
    ///
    /// If the user named no suites, includes the datasets that only the revision has, or that no
    /// suite uses, since a later change may use them.
    private func datasets(of plans: [SuitePlan], _ project: Project, _ snapshot: GitSnapshot?)
      -> [ProjectPath]
    {
      var datasets = Set(plans.map(\.datasetPath))
      if suites.suites.isEmpty {
        let known = Set(datasets.map(\.folder))
        let others =
          RecordingFolder.parents(
            below: ProjectPath("datasets"),
            in: project.surroundings.files
          )
          + (snapshot.map { RecordingFolder.parents(below: ProjectPath("."), in: $0) } ?? [])
        // Recordings lie beside the dataset, whatever its name.
        datasets.formUnion(
          Set(others).subtracting(known).map { $0.resolvingChild("cases.jsonl") }
        )
      }
      return datasets.sorted { $0.description < $1.description }
    }

    /// Reports sets and answers that were changed, or that are missing since the revision, and
    /// prints what later sets replaced.
    private func checkLedgers(
      of datasets: [ProjectPath],
      _ plans: [SuitePlan],
      _ project: Project,
      _ snapshot: GitSnapshot?,
      _ diagnostics: DiagnosticCollector
    ) async throws {
      do throws(GitError) {
        try await snapshot?.prefetch(
          datasets.map { RecordingFile.path(dataset: $0, backend: "any").folder }
        )
      } catch {
        throw refusal(error)
      }
      let changes = LedgerAudit(project.surroundings.files).check(
        datasets,
        used: plans.map(\.datasetPath),
        since: snapshot?.revision ?? "HEAD",
        in: snapshot,
        diagnostics
      )
      if base == nil { return }
      Console.output(changes.map { TerminalText.visible($0) + "\n" }.joined())
    }

    /// Returns the revision to compare with, or `nil` if the user named none and the repository has
    /// no commit, or if the revision does not have the project yet.
    private func revision(of project: Project) async throws -> GitSnapshot? {
      do throws(GitError) {
        return try await GitSnapshot.open(revision: base ?? "HEAD", projectRoot: project.root)
      } catch {
        if base == nil { return nil }
        if case .projectAbsent = error { return nil }
        throw refusal(error)
      }
    }

    private func refusal(_ error: GitError) -> Sluice.ExitCode {
      var fix = error.fix
      if case .unknownRevision = error {
        fix =
          (fix ?? "check its name") + "; in CI, fetch all commits (fetch-depth: 0, GIT_DEPTH: 0)"
      }
      return Console.refusal(error.message, fix)
    }
  }

  struct Status: ParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Shows, for each recordings file, coverage, age and missing answers.",
      discussion: """
        'for other prompts or backends': answers that only --prompt, --backend or --repeat use. \
        'stale': requests that changed in some way since they were recorded. 'missing': requests \
        that were never recorded.
        """
    )

    @OptionGroup var trust: TrustOptions

    func run() throws {
      let project = try Project.load(ProjectRequest(suites: [], countsTestSuites: true))
      let diagnostics = DiagnosticCollector()
      do throws(RecordingUse.Unknown) {
        let statuses = try RecordingHousekeeping(project.surroundings).status(diagnostics)
        Console.output(
          TerminalRecordings.text(
            statuses,
            outputs: project.loaded.suites.map(\.plan),
            overrides: project.overrides
          )
        )
      } catch {
        project.printDiagnostics(error.diagnostics)
        throw Sluice.ExitCode.usage
      }
      project.printDiagnostics(diagnostics.diagnostics)
      if diagnostics.hasErrors { throw Sluice.ExitCode.usage }
    }
  }

  struct Prune: AsyncParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "prune",
      abstract: "Removes recordings that no suite needs, on this branch or any other.",
      discussion: """
        Reads all suites, and all prompts in their folders. If any file has an error, nothing is \
        removed.
        """
    )

    @Flag(help: "Show what would be removed, and write nothing.")
    var dryRun = false

    @Flag(help: "Allow writing recordings in CI.")
    var write = false

    @OptionGroup var trust: TrustOptions

    func run() async throws {
      let project = try Project.load(ProjectRequest(suites: [], countsTestSuites: true))
      if !dryRun {
        try project.requireOutsideCI("pruning", isAllowed: write, flags: "--write")
      }
      try project.requireNothingPending(because: "pruning must know which recordings are needed")
      let diagnostics = DiagnosticCollector()
      let housekeeping = RecordingHousekeeping(project.surroundings)
      let branches = await otherBranches(project)
      let prunings: [RecordingHousekeeping.Pruning]
      do throws(RecordingUse.Unknown) {
        prunings = try housekeeping.prunings(branches: branches, diagnostics)
      } catch {
        project.printDiagnostics(error.diagnostics)
        throw Sluice.ExitCode.usage
      }
      project.printDiagnostics(diagnostics.diagnostics)
      if diagnostics.hasErrors { throw Sluice.ExitCode.usage }
      for pruning in prunings {
        let path = TerminalText.visible(project.overrides.path(pruning.path))
        for (branch, count) in pruning.keptFor {
          Console.output(
            "\(path): kept \(TerminalLines.count(count, "recording")) that only the branch "
              + "\(TerminalText.visible(branch)) needs\n"
          )
        }
        if pruning.removed.isEmpty { continue }
        if !dryRun { try housekeeping.prune(pruning) }
        Console.output(
          "\(path): \(dryRun ? "would remove" : "removed") \(pruning.removed.count) of "
            + "\(TerminalLines.count(pruning.count, "recording"))\n"
        )
      }
      if prunings.allSatisfy(\.removed.isEmpty) { Console.output("Nothing to remove.\n") }
    }

    /// Returns the recordings that the suites of other branches need.
    ///
    /// Branches that have no project, and branches whose files have errors, are reported.
    private func otherBranches(_ project: Project) async -> [(name: String, use: RecordingUse)] {
      var found: [(name: String, use: RecordingUse)] = []
      func warn(_ who: String, _ reason: String) {
        let text = TerminalText.visible("cannot tell which recordings \(who): \(reason)")
        Console.error("sluice: warning: \(text)\n")
      }
      let names: [String]
      do throws(GitError) {
        names = try await GitSnapshot.branches(of: project.root)
      } catch {
        warn("other branches need", error.message)
        return []
      }
      for name in names {
        do throws(GitError) {
          guard let use = try await use(of: name, project) else { continue }
          found.append((name, use))
        } catch {
          warn("the branch \(name) needs", error.message)
        }
      }
      return found

      /// Returns the recordings that a branch needs, or `nil` if the branch has no project or the
      /// branch's files have errors.
      func use(of name: String, _ project: Project) async throws(GitError) -> RecordingUse? {
        let snapshot: GitSnapshot
        do throws(GitError) {
          snapshot = try await GitSnapshot.open(revision: name, projectRoot: project.root)
        } catch {
          if case .projectAbsent = error { return nil }
          throw error
        }
        let configuration = ProjectPath(ProjectConfiguration.fileName)
        guard snapshot.kind(of: configuration) == .file else { return nil }
        try await snapshot.prefetch([configuration, SuiteReader.folder])
        var use: RecordingUse?
        repeat {
          use = try? RecordingUse(of: snapshot, in: project.surroundings)
        } while try await snapshot.fetchWanted()
        if use == nil { warn("the branch \(name) needs", "its files have errors") }
        return use
      }
    }
  }

  struct Migrate: ParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "migrate",
      abstract: "Converts older recordings to the current format; answers and dates stay the same."
    )

    @Flag(help: "Allow writing recordings in CI.")
    var write = false

    @OptionGroup var trust: TrustOptions

    func run() throws {
      let project = try Project.load(ProjectRequest(suites: [], countsTestSuites: true))
      try project.requireOutsideCI("migrating", isAllowed: write, flags: "--write")
      let diagnostics = DiagnosticCollector()
      let done = try RecordingHousekeeping(project.surroundings).migrate(diagnostics)
      project.printDiagnostics(diagnostics.diagnostics)
      for migration in done {
        let path = TerminalText.visible(project.overrides.path(migration.path))
        Console.output(
          "\(path): "
            + (migration.migrated == 0
              ? "sets in the ledger have digests of their answers now\n"
              : "\(TerminalLines.count(migration.migrated, "recording")) migrated, "
                + "\(migration.sizes.before) → \(migration.sizes.after) bytes\n")
        )
      }
      if done.isEmpty, !diagnostics.hasErrors { Console.output("Nothing to migrate.\n") }
      if diagnostics.hasErrors { throw Sluice.ExitCode.usage }
    }
  }
}
