internal import ArgumentParser
internal import Sluice

struct ImportOpenAIEvalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openai-evals",
    abstract: "Writes suites and answers from what was saved of OpenAI's hosted Evals.",
    discussion: """
      The folder holds what the API answered, in any mix of objects, pages, arrays and lines: evals, \
      runs, output items, and files of items. docs/openai-evals.md says which addresses to save before \
      the API ends on 2026-11-30.

      Exit codes: 0 when files were written, also where something was left out; 64 when the folder \
      holds no eval, or when files stand in the way; nothing is written then.
      """
  )

  @Argument(help: "The folder with the saved JSON and JSONL files.")
  var folder: String

  @OptionGroup var target: ImportTargetOptions

  func validate() throws {
    if folder.isEmpty { throw ValidationError("The folder's name is empty.") }
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
