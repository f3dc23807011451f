internal import ArgumentParser
internal import Sluice

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Writes suites, prompts, datasets and answers from files of other tools.",
    discussion: """
      An import runs nothing of what it reads. What has no counterpart is left out and named with its \
      place. No file that exists is overwritten; a second import of the same file changes nothing.
      """,
    subcommands: [
      ImportOutputsCommand.self, ImportPromptfooCommand.self, ImportOpenAIEvalsCommand.self,
    ]
  )
}
