internal import ArgumentParser
internal import Sluice

struct ImportPromptfooCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promptfoo",
    abstract: "Writes a suite from a promptfoo configuration.",
    discussion: """
      Writes prompts/NAME, datasets/NAME and sluice.yaml from the prompts, tests, assertions and \
      providers. Standard error lists each item that could not be imported, with its position and \
      the closest equivalent in Sluice.

      Exit codes: 0 if files were written, even if something was left out; 64 if the file is not a \
      promptfoo configuration, or if existing files are in the way (then nothing is written).
      """
  )

  @Argument(help: "The configuration file, in YAML or JSON.")
  var configuration: String

  @Option(
    help: """
      The results of a run, from `promptfoo eval -o out.json`; imports their answers \
      too.
      """
  )
  var results: String?

  @OptionGroup var target: ImportTargetOptions

  func validate() throws {
    if configuration.isEmpty {
      throw ValidationError("The configuration's name must not be empty.")
    }
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
