import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Tests of the schemas in `docs/schemas` on files that people write, and against the readers.
@Suite("Schemas of files")
struct FileSchemaTests {
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The files of this repository to which a schema applies.
  static let files: [String] = {
    ["prompts", "datasets", "Tests", "Sources/CProjectTemplate/Files"].flatMap { folder in
      let url = repository.appending(path: folder)
      return ((try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? [])
        .map { "\(folder)/\($0)" }
    }.filter { FileSchemas(path: $0) != nil }.sorted() + ["sluice.yaml"]
  }()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  @Test("There are files to check")
  func any() { #expect(Self.files.count > 50, "\(Self.files.count)") }

  @Test("Every file of this repository conforms to its schema", arguments: files)
  func own(path: String) throws {
    let schema = try #require(FileSchemas(path: path))
    #expect(try schema.faults(in: Self.text(path)) == [])
  }

  @Test(
    "Each schema is valid, has a title and refers to no other file",
    arguments: FileSchemas.allCases
  )
  func readable(schema: FileSchemas) throws {
    let bundled = try schema.bundled()
    #expect(bundled["$schema"]?.string == "http://json-schema.org/draft-07/schema#")
    #expect(bundled["title"]?.string?.isEmpty == false)
    let text = String(decoding: JSONWriter.pretty(bundled), as: UTF8.self)
    #expect(!text.contains(".schema.json#"), "references lead to no other file")
    if schema != .scorers { #expect(try !schema.violations(of: 5).isEmpty) }
  }

  @Test("Other files have no schema")
  func others() {
    for path in ["prompts/a/README.md", "datasets/a/notes.jsonl", "prices/openai.json"] {
      #expect(FileSchemas(path: path) == nil)
    }
  }

  // MARK: Documentation

  /// The YAML examples in the documentation, each with its page and number.
  static let examples: [Example] = {
    let folder = repository.appending(path: "docs")
    let pages = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return pages.filter { $0.hasSuffix(".md") }.sorted().flatMap { page -> [Example] in
      let text = (try? String(contentsOf: folder.appending(path: page), encoding: .utf8)) ?? ""
      return text.components(separatedBy: "```yaml\n").dropFirst().enumerated().map {
        Example(
          page: page,
          number: $0 + 1,
          text: $1.components(separatedBy: "\n```").first ?? ""
        )
      }
    }
  }()

  struct Example: CustomTestStringConvertible, Sendable {
    var page: String
    var number: Int
    var text: String
    var testDescription: String { "\(page), example \(number)" }

    /// The value with the schemas that its keys match, or `nil` if the example contains several
    /// files or only a part of one.
    var parts: (value: JSONValue, schemas: [FileSchemas])? {
      let read = YAMLReader.read(Array(text.utf8))
      guard let root = read.root, read.problems.isEmpty else { return nil }
      switch root.json {
      case .array(let entries):
        return entries.allSatisfy { $0["id"] != nil } ? (root.json, [.dataset]) : nil
      case .object(let object):
        let keys = object.members.map(\.name)
        let schemas = [FileSchemas.suite, .prompt, .sluice, .dataset, .case].filter { schema in
          let known = (try? schema.keys()) ?? []
          return keys.allSatisfy(known.contains)
        }
        return schemas.isEmpty ? nil : (root.json, schemas)
      default: return nil
      }
    }
  }

  @Test("Examples in the documentation conform to the schemas", arguments: examples)
  func documentation(example: Example) throws {
    guard let (value, schemas) = example.parts else { return }
    let found = try schemas.map { schema in
      let fragments = try #require(FileSchemas.allFragments[schema]).get()
      return FileSchemas.violations(of: value, fragments)
    }
    // Cases in an example may omit parts that do not matter there.
    let faults = found.map { $0.filter { !$0.contains("missing member 'input'") } }
    #expect(faults.contains([]), "\(example.text)\n\(faults)")
  }

  @Test("Most examples in the documentation are checked")
  func checked() {
    let count = Self.examples.count { $0.parts != nil }
    #expect(count >= 25, "\(count) of \(Self.examples.count)")
  }
}

extension FileSchemas {
  /// The top-level keys of a file.
  func keys() throws -> [String] {
    let document = try Self.documents()[fileName] ?? .null
    let places: [[String]] = [
      ["properties"], ["else", "properties"], ["definitions", "case", "properties"],
    ]
    return places.flatMap { place in
      place.reduce(document as JSONValue?) { $0?[$1] }?.object?.members.map(\.name) ?? []
    }
  }

  /// The schemas of parts of files, compiled once for all examples.
  static let allFragments = Dictionary(
    uniqueKeysWithValues: allCases.map { schema in (schema, Result { try schema.fragments() }) }
  )

  /// The schema of a part of a file, with all top-level keys optional.
  private func fragments() throws -> JSONSchema {
    var object = try bundled().object ?? JSONObject()
    let definitions = object["definitions"]
    if self == .case {
      object = definitions?["case"]?.object ?? JSONObject()
      object["definitions"] = definitions
    }
    let others = object.members.filter { !["required", "allOf"].contains($0.name) }
    return try Self.compiled(.object(JSONObject(others)), fileName)
  }
}
