internal import ArgumentParser
internal import Sluice

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Writes suites, prompts, datasets and answers from files of other tools.",
    discussion: """
      An import never executes the files that it reads. It lists everything that it could not \
      import, with its position. It overwrites no existing file, and importing the same file again \
      changes nothing.
      """,
    subcommands: [
      ImportOutputsCommand.self, ImportPromptfooCommand.self, ImportOpenAIEvalsCommand.self,
    ]
  )
}
