@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Schemas for tests, compiled from their text.
enum CompiledSchema {
  /// Returns the compiled schema and the report.
  static func compile(_ text: String) throws -> (schema: JSONSchema?, said: String) {
    let file = SourceFile(path: "a.schema.json", bytes: Array(text.utf8))
    let diagnostics = DiagnosticCollector()
    let node = try JSONReader.node(file.bytes)
    let schema = JSONSchema.compile(node, file: file, diagnostics: diagnostics)
    #expect((schema == nil) == diagnostics.hasErrors)
    return (schema, diagnostics.diagnostics.map(\.description).joined())
  }

  /// Returns the violations of a schema by a value; empty if the value is valid.
  static func violations(_ schema: String, _ value: String) throws -> [String] {
    let (compiled, said) = try compile(schema)
    #expect(said == "")
    return switch try #require(compiled).outcome(of: JSONReader.value(value)) {
    case .fits: []
    case .breaks(let violations): violations.map(\.description)
    case .undecided(let reason): ["undecided: \(reason)"]
    }
  }
}

/// A schema, a value and the expected violation; nil if the value is valid.
struct SchemaCase: Sendable, CustomTestStringConvertible {
  let schema: String
  let value: String
  let said: String?

  init(_ schema: String, _ value: String, _ said: String?) {
    (self.schema, self.value, self.said) = (schema, value, said)
  }

  var testDescription: String { "\(value) with \(schema)" }

  func check() throws {
    #expect(try CompiledSchema.violations(schema, value) == (said.map { [$0] } ?? []))
  }
}

/// An invalid one-line schema, with the column and message, and the fix.
struct RefusedSchema: Sendable, CustomTestStringConvertible {
  let schema: String
  let problem: String
  let fix: String?

  init(_ schema: String, _ problem: String, _ fix: String?) {
    (self.schema, self.problem, self.fix) = (schema, problem, fix)
  }

  var testDescription: String { schema }

  func check() throws {
    let (compiled, said) = try CompiledSchema.compile(schema)
    #expect(compiled == nil)
    let parts = problem.split(separator: ": ", maxSplits: 1)
    let column = try #require(Int(parts[0]))
    // A long list of names continues on the next lines.
    #expect(
      said.replacing("\n       ", with: " ") == """
        a.schema.json:1:\(column): error: \(parts[1])
          1 | \(schema)
            | \(String(repeating: " ", count: column - 1))^
        \(fix.map { "  fix: \($0)\n" } ?? "")
        """
    )
  }
}
