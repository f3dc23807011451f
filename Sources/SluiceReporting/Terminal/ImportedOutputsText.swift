import SluiceGating

/// The message after `sluice import outputs`: the written file, the lines to add to `sluice.yaml`,
/// and the next command.
package struct ImportedOutputsText {
  private let path: ProjectPath
  private let outcome: OutputsImport.Outcome
  private let backends: [BackendDefinition]
  private let suite: SuitePlan?
  private let overrides: CommandLineOverrides

  /// Creates the message.
  ///
  /// - Parameters:
  ///   - path: The file that was written.
  ///   - outcome: The outcome of the import.
  ///   - backends: The backends of `sluice.yaml`.
  ///   - suite: The suite whose cases the rows answer, if known.
  ///   - overrides: The overrides, with the working directory.
  package init(
    path: ProjectPath,
    outcome: OutputsImport.Outcome,
    backends: [BackendDefinition],
    suite: SuitePlan?,
    overrides: CommandLineOverrides
  ) {
    self.path = path
    self.outcome = outcome
    self.backends = backends
    self.suite = suite
    self.overrides = overrides
  }

  package var text: String {
    let rows = "\(outcome.rows.withThousands) \(outcome.rows == 1 ? "row" : "rows")"
    var lines = [TerminalText.visible("wrote \(overrides.path(path)): \(rows)")]
    if outcome.redacted > 0 {
      let texts = TerminalLines.count(outcome.redacted, "text")
      lines.append("replaced secrets with placeholders in \(texts)")
    }
    let known = backends.first { $0.outputs?.path == path }
    if known == nil {
      lines += [
        "Add to sluice.yaml, under 'backends':",
        TerminalText.visible("  \(name): {type: file, path: \(Self.scalar(path.description))}"),
      ]
    }
    let suite = suite.map { ShellText.quoted(SuiteName.short($0.path)) } ?? "SUITE"
    lines += [
      "Next: judge the outputs:",
      TerminalText.visible(
        "  sluice run \(suite) --backend \(ShellText.quoted(known?.name ?? name))"
      ),
    ]
    return TerminalLines.text(lines)
  }

  /// A name for the new backend, which no other backend has.
  private var name: String {
    let base = Identifier.made(of: path.stem) ?? "outputs"
    let taken = Set(backends.map(\.name))
    if !taken.contains(base) { return base }
    return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
  }

  /// Returns a text as a YAML scalar, quoted if a flow mapping requires it.
  private static func scalar(_ text: String) -> String {
    text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-/".contains($0)) }
      ? text : JSONValue.string(text).jsonText
  }
}
