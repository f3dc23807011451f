internal import Sluice

/// A JSON Schema for a kind of file that users write.
struct FileSchema {
  /// The folder of a project for the schemas, where editors find them.
  static let folder = ProjectPath(".sluice/schemas")
  private static let ending = ".schema.json"

  /// The name of the kind of file, such as `suite`.
  var name: String
  var file: TemplateFile

  /// All schemas, in display order.
  static let all = TemplateFile.all(of: .project).compactMap { file -> FileSchema? in
    guard file.path.folder == folder, file.path.name.hasSuffix(ending) else { return nil }
    return FileSchema(name: String(file.path.name.dropLast(ending.count)), file: file)
  }

  /// A one-line description of the schema.
  var about: String { (try? JSONReader.value(file.bytes))?["title"]?.string ?? "" }

  /// The schema as a single document, without references to other files.
  var bundled: [UInt8] {
    let documents = Self.all.compactMap { schema in
      (try? JSONReader.value(schema.file.bytes)).map { (schema.file.path.name, $0) }
    }
    let bundle = SchemaBundle.bundled(
      file.path.name,
      of: Dictionary(documents, uniquingKeysWith: { first, _ in first })
    )
    return bundle.map(JSONWriter.pretty) ?? file.bytes
  }
}
