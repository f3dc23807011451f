internal import ArgumentParser
internal import Sluice

struct TryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Records what a change needs, compares it with main and says what it is worth.",
    discussion: """
      The loop of editing a prompt in one command: reads the files, says what would be sent and what \
      it would cost, records what is missing as a pending set and compares with a revision. Then \
      accept the set or throw it away.
      """
  )

  @OptionGroup var project: ProjectOptions

  @Option(help: "The git revision to compare with; main, or what stands for it, without it.")
  var base: String?

  @Option(help: "Stop before the answers cost more than this, in US dollars.")
  var maxCost: Double?

  @Flag(help: "Keep the answers in reports/scratch/, apart from what is committed.")
  var scratch = false

  @Flag(help: "Allow requests in CI.")
  var network = false

  @Flag(help: "Allow writing recordings in CI.")
  var write = false

  func run() async throws {
    let loaded = try Project.load(project)
    var options = RecordingOptions()
    (options.cases, options.tags, options.maxCost) = ([], [], maxCost)
    (options.all, options.before, options.olderThan) = (false, nil, nil)
    let recording = try RecordingRun(loaded, options, isScratch: scratch)
    Console.output(recording.forecast)
    if !recording.isEmpty {
      try loaded.requireOutsideCI(
        "recording",
        isAllowed: network && write,
        flags: "--network --write"
      )
      try recording.requireWithinBudget()
      try await recording.send()
      if recording.hasFailures {
        Console.output(recording.next)
        throw Sluice.ExitCode.noVerdict
      }
    }
    Console.output("\n")
    var outcome: (any Error)?
    do {
      try await judge(loaded)
    } catch {
      outcome = error
    }
    Console.output(next(loaded))
    if let outcome { throw outcome }
  }

  /// Compares with the revision; without one judges by the gates alone.
  private func judge(_ loaded: Project) async throws {
    var arguments = project.suites
    for prompt in project.prompt { arguments += ["--prompt", prompt] }
    for backend in project.backend { arguments += ["--backend", backend] }
    if let repetitions = project.repetitions { arguments += ["--repeat", String(repetitions)] }
    if scratch { arguments.append("--scratch") }
    guard let base = await revision(loaded) else {
      Console.error("sluice: warning: there is no main to compare with, so gates alone decide\n")
      let command = try RunCommand.parse(arguments)
      return try await command.run()
    }
    let command = try CompareCommand.parse(arguments + ["--base", base])
    try await command.run()
  }

  /// The revision to compare with: the one that was named, or the branch that changes go into.
  private func revision(_ loaded: Project) async -> String? {
    if let base { return base }
    for name in ["main", "master", "origin/main", "origin/master"] {
      if (try? await GitSnapshot.open(revision: name, projectRoot: loaded.root)) != nil {
        return name
      }
    }
    return nil
  }

  private func next(_ loaded: Project) -> String {
    guard !scratch, loaded.pendingRecordings.contains(where: \.exists) else { return "" }
    let names = loaded.suiteNames.map { " " + ShellText.quoted($0) }.joined()
    return """
      The recorded answers are pending. Accept them with the change, or throw them away:
        sluice recordings accept\(names)
        sluice recordings reject\(names)

      """
  }
}
