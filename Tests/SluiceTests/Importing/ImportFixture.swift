@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

/// A promptfoo configuration in memory, with the result of its import.
struct ImportFixture {
  var imported: PromptfooImport.Result

  /// Imports a configuration with other files.
  init(_ configuration: String, _ files: [String: String] = [:]) throws {
    let all = files.merging(["promptfooconfig.yaml": configuration]) { $1 }
    imported = try PromptfooImport.read(
      ProjectPath("promptfooconfig.yaml"),
      from: InMemoryFileSystem(all),
      name: "replies"
    )
  }

  /// Imports a configuration with one test that has the given assertions.
  init(assertions: String, provider: String = "openai:chat:gpt-4o-mini", vars: String = "{q: Hi}")
    throws
  {
    try self.init(
      """
      prompts: ["{{q}}"]
      providers: [\(provider)]
      tests:
        - vars: \(vars)
          assert:
      \(assertions.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
      """
    )
  }

  func text(_ path: String) throws -> String {
    let file = try #require(imported.files.first { $0.path.description == path }, "\(path)")
    return String(decoding: file.bytes, as: UTF8.self)
  }

  var cases: String { get throws { try text("datasets/replies/cases.yaml") } }
  var suite: String { get throws { try text("prompts/replies/suite.yaml") } }
  var backends: String { ImportedBackend.configuration(imported.backends, head: []) }

  /// The findings of the import, one per line.
  var findings: [String] {
    let text = TerminalImport(imported.report, style: TerminalStyle(isColored: false)).findings
    return text.split(separator: "\n").map(String.init)
  }

  /// The assertions of the first case.
  var assertions: [JSONValue] {
    get throws {
      let root = YAMLReader.read(Array(try cases.utf8)).root?.json
      return root?.array?.first?["assert"]?.array ?? []
    }
  }

  /// The imported project, loaded.
  var loaded: LoadedProject {
    var contents = ["sluice.yaml": backends]
    for file in imported.files {
      contents[file.path.description] = String(decoding: file.bytes, as: UTF8.self)
    }
    return ProjectLoader.load(from: InMemoryFileSystem(contents))
  }

  /// Expects the project to load without errors.
  func expectLoads(_ location: Testing.SourceLocation = #_sourceLocation) {
    let errors = loaded.diagnostics.filter { $0.severity == .error }.map(\.description)
    #expect(errors == [], sourceLocation: location)
  }
}
