import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Maintaining recordings")
struct RecordingHousekeepingTests {
  private static let path = RecordingProject.recordingsPath

  private func housekeeping(_ project: RecordingProject, after days: Int = 0)
    -> RecordingHousekeeping
  {
    RecordingHousekeeping(
      Surroundings(files: project.files, now: { RecordingProject.date - -days })
    )
  }

  /// A project with recordings of four cases with its prompt and with another prompt in its folder.
  private func project() async throws -> RecordingProject {
    let project = RecordingProject()
    let prompt = try project.text(of: RecordingProject.promptPath)
    try project.files.write(
      Array(prompt.replacing("Say what", with: "Tell what").utf8),
      to: ProjectPath("prompts/triage/v2.yaml")
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "prompt: v1.yaml",
      with: "prompts: [v1.yaml, v2.yaml]"
    )
    _ = try await project.record()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "prompts: [v1.yaml, v2.yaml]",
      with: "prompt: v1.yaml"
    )
    return project
  }

  /// Returns the blocks of all files, without the conclusion.
  private func status(_ project: RecordingProject, after days: Int = 0) throws -> String {
    let statuses = try housekeeping(project, after: days).status(DiagnosticCollector())
    // The size depends on the length of the version's names.
    let size = try project.text(of: Self.path.description).utf8.count
    let text = TerminalRecordings.text(statuses, overrides: CommandLineOverrides())
    return (text[..<text.ranges(of: "\n\n")[0].lowerBound] + "\n")
      .replacing(NumberText.fixed(Double(size) / 1_024, decimals: 0) + " KiB", with: "SIZE")
  }

  // MARK: Status

  @Test("Status counts recordings in use and those of other prompts")
  func used() async throws {
    #expect(
      try status(try await project()) == """
        datasets/triage/recordings/server.jsonl
          8 recordings · 4 in use · 4 for other prompts or backends
          recorded 2026-11-21 · SIZE

        """
    )
  }

  @Test("Status counts unused, stale, missing and pending recordings")
  func stale() async throws {
    let project = try await project()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    try project.edit(
      RecordingProject.casesPath,
      replacing: "- {id: polite",
      with: "- {id: fresh, input: {message: New.}, expected: {kind: request}}\n- {id: polite"
    )
    #expect(
      try status(project) == """
        datasets/triage/recordings/server.jsonl
          8 recordings · 3 in use · 3 for other prompts or backends · 2 unused
          1 stale · 1 missing
          recorded 2026-11-21 · SIZE

        """
    )
    _ = try await project.recordPending()
    #expect(
      try status(project) == """
        datasets/triage/recordings/server.jsonl
          8 recordings · 3 in use · 3 for other prompts or backends · 2 unused
          2 pending
          recorded 2026-11-21 · SIZE

        """
    )
  }

  @Test("Status counts old and expired recordings")
  func old() async throws {
    let project = try await project()
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: "recordings: {warn-after: 30 days, expire-after: 60 days}\nprices:"
    )
    #expect(try !status(project, after: 30).contains("old"))
    #expect(
      try status(project, after: 31) == """
        datasets/triage/recordings/server.jsonl
          8 recordings · 4 in use · 4 for other prompts or backends
          4 old
          recorded 2026-11-21 · SIZE

        """
    )
    #expect(
      try status(project, after: 61) == """
        datasets/triage/recordings/server.jsonl
          8 recordings · 0 in use · 4 for other prompts or backends
          4 expired
          recorded 2026-11-21 · SIZE

        """
    )
  }

  @Test("Status lists unused files, and files that do not exist yet")
  func otherFiles() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit("sluice.yaml", replacing: "server:", with: "other:")
    try project.edit(RecordingProject.suitePath, replacing: "server", with: "other")
    #expect(
      try status(project) == """
        datasets/triage/recordings/other.jsonl
          0 recordings · 0 in use
          4 missing
        datasets/triage/recordings/server.jsonl
          4 recordings · 0 in use · 4 unused
          recorded 2026-11-21 · SIZE

        """
    )
  }

  @Test("If any suite is invalid, status and prune are refused")
  func faults() async throws {
    let project = try await project()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "dataset: triage",
      with: "dataset: none"
    )
    #expect(throws: RecordingUse.Unknown.self) {
      try housekeeping(project).status(DiagnosticCollector())
    }
    #expect(throws: RecordingUse.Unknown.self) {
      try housekeeping(project).prunings(branches: [], DiagnosticCollector())
    }
  }

  @Test("Sizes are in KiB or MiB, and several days are shown as a range")
  func sizes() {
    var status = RecordingStatus(path: Self.path, count: 1, size: 1_500)
    (status.oldest, status.newest) = ("2026-01-02", "2026-11-21")
    var large = RecordingStatus(path: ProjectPath("a/recordings/b.jsonl"), count: 2, size: 3 << 19)
    (large.oldest, large.newest) = ("2026-01-02", "2026-01-02")
    (large.used, large.stale, large.missing, large.old, large.expired, large.pending) =
      (1, 2, 3, 4, 5, 6)
    #expect(
      TerminalRecordings.text(
        [status, large],
        overrides: CommandLineOverrides(folder: ProjectPath("a"))
      ) == """
        ../datasets/triage/recordings/server.jsonl
          1 recording · 0 in use
          recorded 2026-01-02 to 2026-11-21 · 1 KiB
        recordings/b.jsonl
          2 recordings · 1 in use
          2 stale · 3 missing · 5 expired · 4 old · 6 pending
          recorded 2026-01-02 · 1.5 MiB

        2 files, 3 recordings and 6 pending: 10 requests without a usable recording (2
        stale, 3 missing, 5 expired)
        Next: read the pending answers:
          sluice recordings review

        """
    )
    #expect(
      TerminalRecordings.text([], overrides: CommandLineOverrides()) == "There are no recordings.\n"
    )
  }

  // MARK: Pruning

  private func prunings(
    _ project: RecordingProject,
    branches: [(name: String, use: RecordingUse)] = []
  ) throws -> [RecordingHousekeeping.Pruning] {
    try housekeeping(project).prunings(branches: branches, DiagnosticCollector())
  }

  @Test(
    "If suites or other prompts need every recording, prune removes nothing"
  )
  func nothing() async throws {
    #expect(try prunings(try await project()).isEmpty)
  }

  @Test("Prune removes only recordings that no suite or other prompt needs, with their parts")
  func pruned() async throws {
    let project = try await project()
    let before = try project.text(of: Self.path.description).split(separator: "\n")
    try project.files.remove(ProjectPath("prompts/triage/v2.yaml"))
    let prunings = try prunings(project)
    #expect(prunings.map(\.path) == [Self.path])
    #expect(prunings.map(\.count) == [8])
    #expect(prunings.map(\.removed.count) == [4])
    #expect(prunings.map(\.keptFor.count) == [0])
    try housekeeping(project).prune(prunings[0])
    let after = try project.text(of: Self.path.description).split(separator: "\n")
    let source = try #require(before.first { $0.contains(#""prompt":"v2""#) })
    let digest = try #require(try JSONReader.value(Array(source.utf8))["part"]?.string)
    #expect(after == before.filter { !$0.contains(digest) })
    #expect(after.count == before.count - 5)
    #expect(try project.replay().suites.flatMap(\.misses).isEmpty)
    #expect(try self.prunings(project).isEmpty)
  }

  @Test("Recordings that another branch needs are kept, counted for the first such branch")
  func branches() async throws {
    let project = try await project()
    let use = try RecordingUse(of: project.files, in: project.surroundings)
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Ask what")
    #expect(try prunings(project).map(\.removed.count) == [4])
    let kept = try prunings(project, branches: [("main", use), ("other", use)])
    #expect(kept.map(\.removed) == [[]])
    #expect(kept.map { $0.keptFor.map { "\($0.branch) \($0.count)" } } == [["main 4"]])
  }

  @Test("A file without needed recordings is removed")
  func emptied() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit("sluice.yaml", replacing: "server:", with: "other:")
    try project.edit(RecordingProject.suitePath, replacing: "server", with: "other")
    let prunings = try prunings(project)
    #expect(prunings.map(\.removed.count) == [4])
    try housekeeping(project).prune(prunings[0])
    #expect(project.files.kind(of: Self.path) == .missing)
  }

  @Test(
    "Recordings of other backends and additional repeats are kept"
  )
  func tried() async throws {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backends: [server, other]\nrepeat: 2"
    )
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with:
        "  other: {type: openai, base-url: \"https://models.test/v1\", model: sorter-1}\nprices:"
    )
    #expect(try await project.record().recorded == 16)
    try project.edit(
      RecordingProject.suitePath,
      replacing: "backends: [server, other]\nrepeat: 2",
      with: "backend: server"
    )
    let prunings = try housekeeping(project).prunings(branches: [], DiagnosticCollector())
    #expect(prunings.map(\.path) == [])
    #expect(
      try status(project) == """
        datasets/triage/recordings/other.jsonl
          8 recordings · 0 in use · 8 for other prompts or backends
          recorded 2026-11-21 · SIZE
        datasets/triage/recordings/server.jsonl
          8 recordings · 4 in use · 4 for other prompts or backends
          recorded 2026-11-21 · SIZE

        """
    )
  }
}

@Suite("The use of recordings")
struct RecordingUseTests {
  private func use(_ project: RecordingProject) throws -> RecordingUse {
    try RecordingUse(of: project.files, in: project.surroundings)
  }

  @Test("A suite needs one recording for each repeat of each request")
  func needed() throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.suitePath, replacing: "dataset:", with: "repeat: 2\ndataset:")
    let file = try #require(try use(project).files[RecordingProject.recordingsPath])
    #expect(file.bySuites.count == 8)
    #expect(file.byOthers.isEmpty)
    #expect(file.suites == ["triage"])
    #expect(file.backend == "server")
    #expect(file.dataset == ProjectPath(RecordingProject.casesPath))
    for entry in try project.plan().recordingRequests(.init(scope: .all), in: [:]) {
      #expect(file.needs(entry.slot))
    }
    #expect(!file.needs(Recording.fixture().slot))
  }

  @Test("Other prompts in the suite's folder count, and files that are not prompts do not")
  func otherPrompts() throws {
    let project = RecordingProject()
    let prompt = try project.text(of: RecordingProject.promptPath)
    for (path, text) in [
      ("prompts/triage/v2.yaml", prompt.replacing("Say", with: "Tell")),
      ("prompts/triage/v3.yml", prompt.replacing("Say", with: "Ask")),
      ("prompts/triage/notes.yaml", "- just: notes"), ("prompts/triage/broken.yaml", "a: ["),
      ("prompts/triage/v4.txt", "Say it: {{message}}"),
      ("prompts/triage/v5.md", "system:\nSay it.\n---\nuser:\n{{message}}\n"),
      ("prompts/triage/notes.html", "{{message}}"), ("prompts/triage/old/v0.yaml", prompt),
    ] {
      try project.files.write(Array(text.utf8), to: ProjectPath(path))
    }
    let file = try #require(try use(project).files[RecordingProject.recordingsPath])
    #expect(file.bySuites.count == 4)
    #expect(file.byOthers.count == 16)
    #expect(file.bySuites.isDisjoint(with: file.byOthers))
  }

  @Test("If a suite is invalid, the use of recordings is unknown, and the error is reported")
  func unknown() throws {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backend: serve"
    )
    do throws(RecordingUse.Unknown) {
      _ = try RecordingUse(of: project.files, in: project.surroundings)
      Issue.record("a fault was overlooked")
    } catch {
      #expect(
        error.diagnostics.map(\.message) == [
          "there is no backend 'serve' in sluice.yaml"
        ]
      )
    }
  }
}
