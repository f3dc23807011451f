internal import ArgumentParser
internal import Sluice

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Takes over what other tools have: outputs by case.",
    subcommands: [ImportOutputsCommand.self]
  )
}
