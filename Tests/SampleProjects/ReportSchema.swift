import Foundation
package import Sluice

/// The schemas of reports in `docs/`.
package enum ReportSchema: String, CaseIterable, Sendable {
  case report, compare, history

  /// The URL of the schema's file.
  private var url: URL { Self.url(rawValue) }

  fileprivate static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/\(name).schema.json")
  }

  /// Returns the schema as written.
  package func content() throws -> JSONValue { try JSONReader.value(Data(contentsOf: url)) }

  /// The schemas, compiled once for this project's validator.
  ///
  /// The result for an invalid schema is an error.
  private static let read: [ReportSchema: Result<JSONSchema, FileError>] = Dictionary(
    uniqueKeysWithValues: allCases.map { schema in
      (schema, Result { () throws(FileError) in try compiled(schema.url) })
    }
  )

  fileprivate static func compiled(_ url: URL) throws(FileError) -> JSONSchema {
    let path = ProjectPath(url.lastPathComponent)
    let diagnostics = DiagnosticCollector()
    guard let bytes = try? Data(contentsOf: url), let node = try? JSONReader.node(bytes) else {
      throw FileError(path: path, reason: "cannot be read")
    }
    let file = SourceFile(path: path.description, bytes: Array(bytes))
    guard let schema = JSONSchema.compile(node, file: file, diagnostics: diagnostics) else {
      throw FileError(path: path, reason: diagnostics.diagnostics.map(\.description).joined())
    }
    return schema
  }

  /// Returns the rules that a report violates; empty if it is valid.
  package func violations(of value: JSONValue) throws -> [String] {
    switch try Self.read[self]?.get().outcome(of: value) {
    case .fits: []
    case .breaks(let violations): violations.map(\.description)
    case .undecided(let reason): ["undecided: \(reason)"]
    case nil: ["no schema"]
    }
  }

  /// Returns the rules that the bytes of a report violate; empty if it is valid.
  package func violations(of bytes: [UInt8]) throws -> [String] {
    try violations(of: JSONReader.value(bytes))
  }
}

/// The schemas of other JSON that commands print with `--output json`.
package enum AnswerSchema: String, CaseIterable, Sendable {
  case validate, explain, fault, show
  case tryChange = "try"

  /// Returns the schema as written.
  package func content() throws -> JSONValue {
    try JSONReader.value(Data(contentsOf: ReportSchema.url(rawValue)))
  }

  /// Returns the rules that an answer violates; empty if it is valid.
  package func violations(of text: String) throws -> [String] {
    let schema = try ReportSchema.compiled(ReportSchema.url(rawValue))
    return switch schema.outcome(of: try JSONReader.value(text)) {
    case .fits: []
    case .breaks(let violations): violations.map(\.description)
    case .undecided(let reason): ["undecided: \(reason)"]
    }
  }
}
