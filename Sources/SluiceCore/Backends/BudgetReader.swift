package import SluiceSupport

/// The reader of `budget:` in `sluice.yaml`.
package enum BudgetReader {
  /// Reads a budget.
  ///
  /// Invalid limits are reported and left out.
  package static func read(
    _ node: Node,
    in file: SourceFile,
    diagnostics: DiagnosticCollector
  ) -> Budget {
    guard
      let fields = FieldReader(node, subject: "'budget'", file: file, diagnostics: diagnostics)
    else { return Budget() }
    let budget = Budget(
      cost: positive("cost", fields),
      requests: fields.optionalInteger("requests", in: 1...1_000_000_000),
      tokens: fields.optionalInteger("tokens", in: 1...1_000_000_000_000),
      time: BackendReader.readSeconds("time", fields)
    )
    fields.finish()
    return budget
  }

  private static func positive(_ key: String, _ fields: FieldReader) -> Double? {
    guard let value = fields.optionalNumber(key) else { return nil }
    guard value > 0 else {
      fields.diagnostics.error(
        "'\(key)' must be more than 0 US dollars",
        in: fields.file,
        at: fields.optional(key)?.position
      )
      return nil
    }
    return value
  }
}
