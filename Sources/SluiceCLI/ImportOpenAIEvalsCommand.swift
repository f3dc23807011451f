internal import ArgumentParser
internal import Sluice

struct ImportOpenAIEvalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openai-evals",
    abstract: "Writes suites and answers from files saved from OpenAI's hosted Evals.",
    discussion: """
      The folder contains saved responses of the API: evals, runs, output items and files of \
      items. Each file may contain an object, a page, an array or lines of JSON. \
      docs/openai-evals.md lists the addresses to save before the API ends on 2026-11-30.

      Exit codes: 0 if files were written, even if something was left out; 64 if the folder \
      contains no eval, or if existing files are in the way (then nothing is written).
      """
  )

  @Argument(help: "The folder with the saved JSON and JSONL files.")
  var folder: String

  @OptionGroup var target: ImportTargetOptions

  func validate() throws {
    if folder.isEmpty { throw ValidationError("The folder's name must not be empty.") }
  }

  func run() throws {
    let name = try target.checkedName()
    guard let files = DiskFileSystem(root: Invocation.path(folder)),
      files.kind(of: ProjectPath(".")) == .folder
    else {
      Console.error("sluice: error: folder not found: \(TerminalText.visible(folder))\n")
      throw Sluice.ExitCode.usage
    }
    let imported: OpenAIEvalsImport.Result
    do throws(PromptfooImport.Failure) {
      imported = try OpenAIEvalsImport.read(ProjectPath("."), from: files, name: name)
    } catch {
      Project.print(error.diagnostics)
      throw Sluice.ExitCode.usage
    }
    try target.write(
      imported.files,
      backends: imported.backends,
      head: ["Imported from OpenAI's hosted Evals."],
      imported.report,
      named: imported.names.first ?? "eval",
      outputLines: imported.outputLines
    )
  }
}
