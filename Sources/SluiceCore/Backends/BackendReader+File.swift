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
        otherwise: "create the file first, for example with 'sluice import outputs'"
      )
    else { return nil }
    if FileEndpoint.extensions.contains(path.pathExtension) {
      return .file(FileEndpoint(path: path))
    }
    fields.diagnostics.error(
      "'\(reference)' ends neither in .jsonl nor in .csv",
      in: fields.file,
      at: node.position,
      fix: "write each row as a line of JSON, and name the file \(path.stem).jsonl; 'sluice "
        + "import outputs' does both"
    )
    return nil
  }
}
