internal import ArgumentParser
internal import Sluice

struct RecordCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Sends requests and saves the answers as a pending set.",
    discussion: """
      By default, sends the requests that have no recording yet. Does not judge answers: \
      `sluice run` does, and `sluice recordings review` shows old and new answers side by side. \
      Then accept or reject the whole set.
      """
  )

  @OptionGroup var project: ProjectOptions
  @OptionGroup var selection: RecordingOptions
  @OptionGroup var refused: RefusedFailedOption

  @Flag(help: "Show the requests and their cost, and send nothing.")
  var dryRun = false

  @OptionGroup var sending: SendingOptions
  @OptionGroup var trust: TrustOptions

  func run() async throws {
    let project = try Project.load(project)
    try selection.check(project)
    if !dryRun {
      try project.requireOutsideCI(
        "recording",
        isAllowed: sending.network && sending.write,
        flags: "--network --write"
      )
    }
    let recording = try RecordingRun(project, selection, isScratch: sending.scratch)
    if dryRun {
      Console.output(recording.forecast)
      return
    }
    try recording.requireWithinBudget()
    try await recording.send()
    Console.output(recording.next())
    if recording.hasFailures { throw Sluice.ExitCode.noVerdict }
  }
}

/// The options that select the answers to record and limit their cost.
struct RecordingOptions: ParsableArguments {
  @Flag(help: "Send all requests again, including those that are recorded.")
  var all = false

  @OptionGroup var selection: CaseOptions

  @Option(help: "Send again the requests recorded before this day, such as 2026-11-21.")
  var before: String?

  @Option(help: "Send again the requests whose recordings are older than this, such as '90 days'.")
  var olderThan: String?

  @Option(help: "Stop before the answers cost more than this amount of US dollars.")
  var maxCost: Double?

  func validate() throws {
    let scopes = [all, before != nil, olderThan != nil].count { $0 }
    guard scopes < 2 else {
      throw ValidationError("--all, --before and --older-than cannot be combined.")
    }
    if let before, Timestamp(day: before) == nil {
      throw ValidationError("--before must be a day such as 2026-11-21.")
    }
    if let olderThan, RecordingPolicy.days(olderThan) == nil {
      throw ValidationError("--older-than must be a number of days, such as '90 days'.")
    }
    try Self.check(maxCost: maxCost)
  }

  static func check(maxCost: Double?) throws {
    if let maxCost, !(maxCost >= 0) {
      throw ValidationError("--max-cost must be an amount of US dollars, such as 0.50.")
    }
  }

  /// The options as they are written on the command line, each preceded by a space.
  var text: String {
    var words: [String] = []
    if all { words.append("--all") }
    if let before { words += ["--before", before] }
    if let olderThan { words += ["--older-than", ShellText.quoted(olderThan)] }
    return words.map { " " + $0 }.joined() + selectionText
  }

  /// The options for cases and cost as they are written on the command line, each preceded by a
  /// space.
  var selectionText: String {
    var words = selection.filter.words.map(ShellText.quoted)
    if let maxCost { words += ["--max-cost", String(maxCost)] }
    return words.map { " " + $0 }.joined()
  }

  func selection(now: Timestamp) -> RecordingRequest.Selection {
    var scope = RecordingRequest.Selection.Scope.missing
    if all { scope = .all }
    if let day = before.flatMap(Timestamp.init(day:)) { scope = .before(day) }
    if let days = olderThan.flatMap(RecordingPolicy.days) { scope = .before(now - days) }
    return RecordingRequest.Selection(selection.filter, scope: scope)
  }

  /// Refuses ids and tags that no selected suite has, and a filter that selects no case.
  func check(_ project: Project) throws {
    if selection.filter.isEmpty { return }
    let files = project.surroundings.files
    let faults = CaseFiltering(project.loaded.suites, selection.filter, in: files).faults
    Project.printFaults(faults)
    if !faults.isEmpty { throw Sluice.ExitCode.usage }
  }
}

/// The options that choose where answers are stored, and that allow requests and writing in CI.
struct SendingOptions: ParsableArguments {
  @Flag(help: "Save the answers in reports/scratch/, apart from the committed recordings.")
  var scratch = false

  @Flag(help: "Allow requests in CI.")
  var network = false

  @Flag(help: "Allow writing recordings in CI.")
  var write = false
}
