internal import ArgumentParser
internal import Sluice

struct ImportPromptfooCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promptfoo",
    abstract: "Writes a suite from a promptfoo configuration.",
    discussion: """
      Prompts, tests, assertions and providers become prompts/NAME, datasets/NAME and sluice.yaml. A \
      line on standard error names each thing that did not come over, with its place and the nearest \
      way to it.

      Exit codes: 0 when files were written, also where something was left out; 64 when the file is no \
      configuration, or when files stand in the way; nothing is written then.
      """
  )

  @Argument(help: "The configuration: YAML or JSON.")
  var configuration: String

  @Option(help: "Results of a run, as `promptfoo eval -o out.json` writes them: answers by case.")
  var results: String?

  @OptionGroup var target: ImportTargetOptions

  func validate() throws {
    if configuration.isEmpty { throw ValidationError("The configuration's name is empty.") }
  }

  func run() throws {
    let place = try ImportPlace(configuration)
    let resultsPlace = try results.map { try ImportPlace($0) }
    let name = try target.checkedName()
    var imported: PromptfooImport.Result
    do throws(PromptfooImport.Failure) {
      imported = try PromptfooImport.read(place.path, from: place.files, name: name)
      if let resultsPlace {
        imported = try PromptfooResults.add(
          resultsPlace.path,
          from: resultsPlace.files,
          to: imported
        )
      }
    } catch {
      Project.print(error.diagnostics)
      throw Sluice.ExitCode.usage
    }
    try target.write(
      imported.files,
      backends: imported.backends,
      head: ["Imported from \(place.path)."],
      imported.report,
      named: imported.name,
      outputLines: imported.outputLines
    )
  }
}
