internal import ArgumentParser
internal import Sluice

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schemas of Sluice's files, for editors.",
    discussion: """
      Without a name it lists the schemas. Each printed schema is complete in itself. --write puts \
      all schemas into .sluice/schemas/ of the project. The first lines of the files from \
      `sluice init` refer to this folder.
      """
  )

  @Argument(help: "The schema to print: sluice, suite, dataset, case, prompt or scorers.")
  var name: String?

  @Flag(help: "Write all schemas into .sluice/schemas/ of the project.")
  var write = false

  func validate() throws {
    if write, name != nil {
      throw ValidationError(
        "--write writes all schemas; leave out the name."
      )
    }
  }

  func run() throws {
    if write { return try writeAll() }
    guard let name else {
      let width = FileSchema.all.map(\.name.count).max() ?? 0
      return Console.output(
        FileSchema.all.map { schema in
          schema.name.padding(to: width + 2) + schema.about + "\n"
        }.joined()
      )
    }
    guard let schema = FileSchema.all.first(where: { $0.name == name }) else {
      let known = FileSchema.all.map(\.name)
      let fix =
        NearestName.suggestion(for: name, among: known)
        ?? "name one of: \(known.joined(separator: ", "))"
      throw Console.refusal("unknown schema '\(name)'", fix)
    }
    Console.output(String(decoding: schema.bundled, as: UTF8.self))
  }

  private func writeAll() throws {
    let files = try Project.find()
    for schema in FileSchema.all {
      try files.write(schema.file.bytes, to: schema.file.path)
      Console.output("Wrote \(TerminalText.visible(schema.file.path.description))\n")
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
