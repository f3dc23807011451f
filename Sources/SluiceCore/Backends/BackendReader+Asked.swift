import SluiceSupport

extension BackendReader {
  /// Reads `asked`, and returns true if its value is `through-files`.
  static func readAsked(_ fields: FieldReader) -> Bool {
    guard let node = fields.optional("asked"), let text = fields.text(node, "asked") else {
      return false
    }
    if text == BackendDefinition.throughFiles { return true }
    fields.diagnostics.error(
      "'asked' can only be '\(BackendDefinition.throughFiles)', not '\(text)'",
      in: fields.file,
      at: node.position,
      fix:
        "write 'asked: \(BackendDefinition.throughFiles)' if the answers come from batch files; "
        + "remove 'asked' if Sluice sends the requests"
    )
    return false
  }
}
