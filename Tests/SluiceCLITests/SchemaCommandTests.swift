import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("sluice schema")
struct SchemaCommandTests {
  @Test("Without a name, schema lists the schemas as docs/files.md shows")
  func list() async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.sluice("schema")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    let page = try String(
      contentsOf: ScratchProject.repository.appending(path: "docs/files.md"),
      encoding: .utf8
    )
    #expect(page.contains("```\n\(outcome.output)```\n"), "\(outcome.output)")
  }

  @Test(
    "A schema is printed as a single document, also outside a project",
    arguments: FileSchemas.allCases
  )
  func printed(schema: FileSchemas) async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.sluice("schema", schema.rawValue)
    #expect(outcome.exitCode == 0)
    #expect(try JSONReader.value(Array(outcome.output.utf8)) == schema.bundled())
  }

  @Test("An unknown name is an invalid command line, with the nearest one as its fix")
  func unknown() async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.sluice("schema", "suites")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: unknown schema 'suites'
          fix: did you mean 'suite'?

        """
    )
    #expect(try await folder.sluice("schema", "suite", "--write").exitCode == 64)
  }

  @Test("--write updates the schemas to which the files of sluice init refer")
  func write() async throws {
    let folder = try ScratchProject()
    let outside = try await folder.sluice("schema", "--write")
    #expect(outside.exitCode == 64)
    #expect(outside.error.contains("no sluice.yaml in this folder"))
    #expect(try await folder.sluice("init").exitCode == 0)
    try folder.write("{}", to: ".sluice/schemas/suite.schema.json")
    let outcome = try await folder.sluice("schema", "--write")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("Wrote .sluice/schemas/sluice.schema.json\n"))
    for schema in FileSchemas.allCases {
      let published = ScratchProject.repository.appending(path: "docs/schemas/\(schema.fileName)")
      #expect(
        try folder.read(".sluice/schemas/\(schema.fileName)")
          == String(contentsOf: published, encoding: .utf8)
      )
    }
  }

  @Test("The first line of each file that init writes leads to its schema")
  func modelines() async throws {
    let folder = try ScratchProject()
    #expect(try await folder.sluice("init").exitCode == 0)
    for path in [
      "sluice.yaml", "prompts/mailbox/suite.yaml", "prompts/mailbox/v1.yaml",
      "datasets/mailbox/cases.yaml",
    ] {
      let text = try folder.read(path)
      let line = try #require(text.firstMatch(of: /\A# yaml-language-server: \$schema=(\S+)\n/))
      let schema = URL(
        fileURLWithPath: String(line.1),
        relativeTo: folder.folder.appending(path: path)
      )
      #expect(FileManager.default.fileExists(atPath: schema.path), "\(line.1)")
      let kind = try #require(FileSchemas(path: path))
      #expect(schema.lastPathComponent == kind.fileName)
      #expect(try kind.faults(in: text) == [])
    }
  }
}
