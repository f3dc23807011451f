import SluiceSupport

extension BackendReader {
  /// Reads a backend of type `file`.
  static func readFile(_ fields: FieldReader, files: ProjectFiles)
    -> BackendDefinition.Kind?
  {
    let node = fields.required("path")
    guard let node, let reference = fields.text(node, "path"),
      let path = files.resolve(
        reference,
        in: fields.file,
        at: node.position,
        otherwise: "write the file first; 'sluice import outputs' does it"
      )
    else { return nil }
    if FileEndpoint.extensions.contains(path.pathExtension) {
      return .file(FileEndpoint(path: path))
    }
    fields.diagnostics.error(
      "'\(reference)' is neither a JSONL nor a CSV file by its name",
      in: fields.file,
      at: node.position,
      fix: "write one row a line, as JSON, and call the file \(path.stem).jsonl; "
        + "'sluice import outputs' does it"
    )
    return nil
  }
}
