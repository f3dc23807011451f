import SluiceGating

/// The notice about answers that come from output files, which is at the beginning of all reports.
enum OutputsText {
  static let notice = "answers from a file; request unknown"

  /// Returns a line for each output file with its backend; empty if there are no output files.
  static func sources(_ columns: [ColumnResult]) -> [String] {
    var seen: Set<String> = []
    return columns.compactMap { column in
      guard let source = column.outputs else { return nil }
      let models = columns.filter { $0.outputs == source && $0.backend == column.backend }
        .flatMap(\.provenances).map { $0.model ?? "an unnamed model" }
      var text = "\(column.backend): \(source.path), SHA-256 \(source.digest.prefix(12))"
      let names = models.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      if !names.isEmpty { text += ", answered by \(names.joined(separator: ", "))" }
      return seen.insert(text).inserted ? text : nil
    }
  }

  /// Returns the notice for a terminal; empty if no answers come from files.
  static func terminal(_ columns: [ColumnResult], _ style: TerminalStyle) -> [String] {
    terminal(lines: sources(columns), style)
  }

  /// Returns the notice for a terminal, given the files by backend; empty if there are no files.
  static func terminal(
    sources: [(backend: String, source: OutputsSource)],
    _ style: TerminalStyle
  ) -> [String] {
    let lines = sources.map { backend, source in
      "\(backend): \(source.path), SHA-256 \(source.digest.prefix(12))"
    }
    return terminal(lines: lines.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }, style)
  }

  private static func terminal(lines: [String], _ style: TerminalStyle) -> [String] {
    if lines.isEmpty { return [] }
    return [style.bold(notice)]
      + lines.flatMap { TerminalLines.wrap(TerminalText.visible($0), indent: 2) } + [""]
  }

  /// Returns the notice as a Markdown paragraph; empty if no answers come from files.
  static func markdown(_ columns: [ColumnResult]) -> String {
    let sources = sources(columns)
    if sources.isEmpty { return "" }
    return "**\(notice)**: \(sources.map(MarkdownText.code).joined(separator: "; ")).\n\n"
  }

  /// Returns the notice as a sentence, or `nil` if no answers come from files.
  static func sentence(_ columns: [ColumnResult]) -> String? {
    let sources = sources(columns)
    return sources.isEmpty ? nil : "\(notice): \(sources.joined(separator: "; "))"
  }

  /// Returns an object with the notice as its first member, if any answers come from files.
  static func noted(_ object: JSONObject, _ columns: [ColumnResult]) -> JSONObject {
    guard columns.contains(where: { $0.outputs != nil }) else { return object }
    return JSONObject([(name: "notice", value: .string(notice))] + object.members)
  }

  /// Returns the next step to add missing rows to output files, or `nil` if no rows are missing.
  static func rows(of suites: [SuiteResult], _ overrides: CommandLineOverrides) -> (
    advice: String, command: String
  )? {
    let lacking = suites.filter(\.lacksRows)
    if lacking.isEmpty { return nil }
    let paths = lacking.flatMap(\.columns).filter(\.hasMisses).compactMap(\.outputs?.path)
    let files = paths.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .map { overrides.path(ProjectPath($0)) }
    return (
      "add the missing rows to \(files.joined(separator: ", ")), then run again",
      "sluice run \(lacking.words)\(overrides.options)"
    )
  }
}

extension SuiteResult {
  /// True if output files lack rows for some trials.
  var lacksRows: Bool { columns.contains { $0.hasMisses && $0.outputs != nil } }

  /// True if all missing answers must be exchanged through batch files.
  var lacksAnswersThroughFiles: Bool {
    lacksRecordings
      && columns.allSatisfy { !$0.hasMisses || $0.outputs != nil || $0.isAskedThroughFiles }
  }

  /// True if trials lack a recording, and the answers do not come from output files.
  var lacksRecordings: Bool { columns.contains { $0.hasMisses && $0.outputs == nil } }
}
