internal import ArgumentParser
internal import Sluice

struct ImportOutputsCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "outputs",
    abstract: "Converts a table of answers to an outputs file that Sluice can judge.",
    discussion: """
      Reads CSV, JSON lines or a JSON array. Checks all rows first; if any row is invalid, nothing \
      is written. Prints the lines to add to sluice.yaml and the command that judges the outputs.

      --map TARGET=SOURCE,… names the source column for each target. Targets: id, input, text, \
      model, prompt, repeat, finish-reason, refusal, error, tool-calls, usage.input, usage.output, \
      timings.total-ms and the others in docs/outputs.md. A SOURCE is a column name; dots lead \
      into JSON, as in text=response.output. Write '\\,' for a comma in a name.
      """
  )

  @Argument(help: "The file with the outputs: .csv, .jsonl or .json.")
  var file: String

  @Option(help: "The columns to convert, such as text=completion,id=case_id; may be repeated.")
  var map: [String] = []

  @Option(help: "A value for every row, such as prompt=v2; may be repeated.")
  var set: [String] = []

  @Option(help: "The file to write, inside the project. Default: outputs/NAME.jsonl.")
  var to: String?

  @Option(help: "The suite whose cases the rows answer.")
  var suite: String?

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var trust: TrustOptions

  func run() async throws {
    let project = try project()
    let request = OutputsImportRequest(file: file, maps: map, constants: set)
    let diagnostics = DiagnosticCollector()
    let mappings = request.mappings(diagnostics)
    let target = try self.target(project)
    let source = Self.open(file, diagnostics)
    guard let source, let mappings,
      let work = OutputsImport(source, mappings, for: cases(of: project), diagnostics)
    else {
      Project.print(diagnostics.diagnostics)
      throw Sluice.ExitCode.usage
    }
    Project.print(diagnostics.diagnostics)
    let outcome = try work.write(to: target, in: project.surroundings.files)
    let configured = ProjectLoader.backends(
      from: project.surroundings.files,
      environment: project.surroundings.environment
    ).backends
    Console.output(
      ImportedOutputsText(
        path: target,
        outcome: outcome,
        backends: configured,
        suite: project.loaded.suites.first?.plan,
        overrides: project.overrides
      ).text
    )
  }

  /// Returns the project with only the named suite.
  private func project() throws -> Project {
    if let suite { return try Project.load(ProjectRequest(suites: [suite])) }
    return try Project.withoutSuites()
  }

  private func cases(of project: Project) -> (cases: [StoredCase], dataset: ProjectPath)? {
    project.loaded.suites.first.map { suite in
      (suite.plan.cases.map(\.stored), suite.plan.datasetPath)
    }
  }

  /// Returns the path of the file to write.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting why the file cannot be written.
  private func target(_ project: Project) throws -> ProjectPath {
    let files = project.surroundings.files
    let path =
      to.map { project.path($0) }
      ?? ProjectPath("outputs").resolvingChild("\(ProjectPath(file).stem).jsonl")
    do throws(OutputsImportRequest.Refusal) {
      try OutputsImportRequest.check(target: path, replacing: force, in: files)
    } catch {
      throw project.refusal(error.message, error.fix)
    }
    return path
  }

  /// Opens a file that may be outside of the project.
  ///
  /// Messages show the name as given.
  private static func open(_ name: String, _ diagnostics: DiagnosticCollector) -> SourceFile? {
    do throws(FileError) {
      return SourceFile(path: name, contents: try NamedFile.open(name))
    } catch {
      diagnostics.report(Diagnostic(path: name, message: "cannot be read: \(error.reason)"))
      return nil
    }
  }
}
