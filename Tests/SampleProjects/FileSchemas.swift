import Foundation
package import Sluice

/// The schemas in `docs/schemas` of the files that people write.
package enum FileSchemas: String, CaseIterable, Sendable {
  case sluice, suite, dataset, `case`, prompt, scorers

  package var fileName: String { "\(rawValue).schema.json" }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/schemas")

  /// Returns the schemas as written, by file name.
  package static func documents() throws -> [String: JSONValue] { try readDocuments.get() }

  private static let readDocuments = Result {
    var documents: [String: JSONValue] = [:]
    for schema in allCases {
      let url = folder.appending(path: schema.fileName)
      documents[schema.fileName] = try JSONReader.value(Data(contentsOf: url))
    }
    return documents
  }

  /// Returns the schema as a single document.
  package func bundled() throws -> JSONValue {
    SchemaBundle.bundled(fileName, of: try Self.documents()) ?? .null
  }

  private static let read: [FileSchemas: Result<JSONSchema, FileError>] = Dictionary(
    uniqueKeysWithValues: allCases.map { schema in
      (
        schema,
        Result { () throws(FileError) in
          do {
            return try compiled(try schema.bundled(), schema.fileName)
          } catch let error as FileError {
            throw error
          } catch {
            throw FileError(path: ProjectPath(schema.fileName), reason: "cannot be read")
          }
        }
      )
    }
  )

  /// Compiles a schema for this project's validator.
  package static func compiled(_ schema: JSONValue, _ name: String) throws(FileError) -> JSONSchema
  {
    let bytes = JSONWriter.pretty(schema)
    let diagnostics = DiagnosticCollector()
    let file = SourceFile(path: name, bytes: bytes)
    guard let node = try? JSONReader.node(bytes),
      let compiled = JSONSchema.compile(node, file: file, diagnostics: diagnostics)
    else {
      let reason = diagnostics.diagnostics.map(\.description).joined()
      throw FileError(path: ProjectPath(name), reason: reason)
    }
    return compiled
  }

  /// Returns the rules that a value violates; empty if it is valid.
  package func violations(of value: JSONValue) throws -> [String] {
    guard let schema = try Self.read[self]?.get() else { return ["no schema"] }
    return Self.violations(of: value, schema)
  }

  package static func violations(of value: JSONValue, _ schema: JSONSchema) -> [String] {
    switch schema.outcome(of: value) {
    case .fits: []
    case .breaks(let violations): violations.map(\.description)
    case .undecided(let reason): ["undecided: \(reason)"]
    }
  }

  /// Returns the schema of a project's file by its path, or `nil` if no schema applies to it.
  package init?(path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let isYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    switch path {
    case _ where name == "sluice.yaml": self = .sluice
    case _ where name == "suite.yaml": self = .suite
    case _ where isYAML && "/\(path)".contains("/prompts/"): self = .prompt
    case _ where isYAML && "/\(path)".contains("/datasets/"): self = .dataset
    case _ where "/\(path)".contains("/datasets/") && name == "cases.jsonl": self = .case
    default: return nil
    }
  }

  /// Returns the errors in the text of a file: YAML errors, or violations of the schema.
  package func faults(in text: String) throws -> [String] {
    let bytes = Array(text.utf8)
    if self == .case {
      return try text.split(separator: "\n").flatMap { line in
        guard let value = try? JSONReader.value(Array(line.utf8)) else { return ["not JSON"] }
        return try violations(of: value)
      }
    }
    let read = YAMLReader.read(bytes)
    guard let root = read.root, read.problems.isEmpty else {
      return read.problems.map { "\($0)" } + (read.root == nil ? ["no YAML"] : [])
    }
    // Check each case alone, since the work of one check is limited and a case can have assertions
    // of a hundred types.
    if self == .dataset, case .array(let cases) = root.json, cases.count > 1 {
      return try cases.flatMap { try violations(of: .array([$0])) }
    }
    return try violations(of: root.json)
  }
}
