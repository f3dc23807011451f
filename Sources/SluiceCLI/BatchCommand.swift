internal import ArgumentParser
internal import Sluice

struct BatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Writes requests for a batch service, and imports its results.",
    subcommands: [Export.self, Import.self]
  )

  struct Export: ParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Writes the requests that have no recording as a batch file.",
      discussion: """
        The file has the batch format of the backend's API: OpenAI, Anthropic or Gemini. It \
        contains the requests that `sluice record` would send. The custom_id of each line \
        identifies the request, so that `sluice batch import` can match the result.
        """
    )

    @Argument(help: "The file to write.")
    var file: String

    @OptionGroup var project: ProjectOptions

    @Flag(help: "Write all requests, including those that are recorded.")
    var all = false

    @Flag(help: "Replace the file even if it is not a batch file written by Sluice.")
    var overwrite = false

    @OptionGroup var trust: TrustOptions

    func run() throws {
      let project = try Project.load(project)
      let plan = RecordingPlan(
        project.loaded.suites,
        RecordingRequest.Selection(scope: all ? .all : .missing),
        project.surroundings,
        isScratch: false
      )
      project.printDiagnostics(plan.diagnostics)
      if plan.hasErrors { throw Sluice.ExitCode.usage }
      let backends = project.loaded.suites.flatMap(\.plan.allBackends)
      do {
        let export = try BatchExport(
          plan,
          backends: try project.backends(),
          redaction: Redaction(of: backends, in: project.surroundings)
        )
        if export.count == 0 {
          Console.output("Every request is recorded, so no file was written.\n")
          return
        }
        try export.write(
          to: project.path(file),
          named: file,
          in: project.surroundings.files,
          overwrites: overwrite
        )
        Console.output(
          TerminalBatch.text(
            TerminalBatch.Written(
              file: file,
              backends: export.backendNames,
              suites: export.entries.map { ($0.suite, $0.requests.count) },
              asksJudges: export.entries.contains(where: \.asksJudges),
              coming: export.coming,
              form: export.form,
              unnamedModel: export.unnamedModel,
              isThroughFiles: backends.filter { export.backendNames.contains($0.name) }
                .allSatisfy(\.isAskedThroughFiles)
            )
          )
        )
      } catch let refusal as BatchExport.Refusal {
        throw project.refusal(refusal.message, refusal.fix)
      }
    }
  }

  struct Import: ParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Imports the results of a batch into a pending set of recordings.",
      discussion: """
        Results are matched by the custom_id that `sluice batch export` wrote. If another program \
        wrote the request file, name that file with --requests. Each result is then matched with \
        the request in the file that has the same custom_id. The exit code is 3 if a line was \
        refused or a request has no answer.
        """
    )

    @Argument(help: "The files with the results.")
    var files: [String]

    @Option(help: "The request file that the batch was made from; may be repeated.")
    var requests: [String] = []

    @Option(help: "The backend of sluice.yaml that answered.")
    var backend: String?

    @Option(help: "A prompt file outside the folders of the suites; may be repeated.")
    var prompt: [String] = []

    @Option(help: "Who gave the answers, if it was not a batch service; any text.")
    var answeredBy: String?

    @Option(help: "The day on which the answers were given, such as 2026-11-23.")
    var date: String?

    @Option(help: "A note about the answers for readers of the reports.")
    var note: String?

    @Flag(help: "Also import an answer if a different answer to its request is recorded.")
    var all = false

    @Flag(help: "Allow writing recordings in CI.")
    var write = false

    @OptionGroup var trust: TrustOptions

    func validate() throws {
      try Self.check(answeredBy, "--answered-by")
      try Self.check(note, "--note")
      if let date, Timestamp(day: date) == nil {
        throw ValidationError("--date must be a day such as 2026-11-23.")
      }
    }

    private static let longestText = 500

    private static func check(_ text: String?, _ option: String) throws {
      guard let text else { return }
      if text.allSatisfy(\.isWhitespace) { throw ValidationError("\(option) must not be empty.") }
      if text.contains(where: \.isNewline) {
        throw ValidationError("\(option) must be one line.")
      }
      if text.utf8.count > longestText {
        throw ValidationError("\(option) must have at most \(longestText) bytes.")
      }
    }

    func run() throws {
      let project = try Project.load(ProjectRequest(suites: []))
      try project.requireOutsideCI("importing answers", isAllowed: write, flags: "--write")
      let now = project.surroundings.now()
      if let day = date.flatMap(Timestamp.init(day:)), day > now {
        throw project.refusal("--date \(date ?? "") is in the future", "check the year")
      }
      let plans = project.loaded.suites.map(\.plan)
      let redaction = Redaction(of: plans.flatMap(\.allBackends), in: project.surroundings)
      var options = BatchImport.Options()
      options.backend = backend
      options.prompts = prompt.map(project.path)
      options.via = answeredBy == nil ? .batch : .files
      options.statement = AnswerStatement(
        by: answeredBy.map(redaction.redacted),
        day: date,
        note: note.map(redaction.redacted)
      )
      options.replaces = all
      let batch = BatchImport(
        plans,
        backends: try project.backends(),
        project.surroundings,
        options
      )
      func sources(_ names: [String]) -> [BatchImport.Source] {
        names.map { BatchImport.Source(name: $0, path: project.path($0)) }
      }
      let result: BatchImportResult
      do throws(BatchImport.Refusal) {
        result = try batch.run(results: sources(files), requests: sources(requests))
      } catch {
        switch error {
        case .files(let diagnostics):
          project.printDiagnostics(diagnostics)
          throw Sluice.ExitCode.usage
        case .recordings(let refusal): throw project.refusal(refusal)
        }
      }
      project.printDiagnostics(result.faults.map(\.diagnostic))
      Console.output(TerminalBatch.text(result))
      if let error = result.fileError { throw error }
      if !result.isComplete { throw Sluice.ExitCode.noVerdict }
    }
  }
}

extension Project {
  /// Returns the backends of `sluice.yaml`, which was loaded without errors.
  func backends() throws -> [BackendDefinition] {
    let loaded = ProjectLoader.backends(
      from: surroundings.files,
      environment: surroundings.environment
    )
    if loaded.hasErrors {
      printDiagnostics(loaded.diagnostics)
      throw Sluice.ExitCode.usage
    }
    return loaded.backends
  }
}
