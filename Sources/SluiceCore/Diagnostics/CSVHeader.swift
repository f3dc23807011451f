import SluiceSupport

/// The checks that a file is valid CSV, and that commas separate its columns.
enum CSVHeader {
  static func report(
    _ problems: [CSVReader.Problem],
    in file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) {
    for problem in problems {
      diagnostics.error(
        "not valid CSV: \(problem.message)",
        in: file,
        at: problem.position,
        fix: problem.fix
      )
    }
  }

  /// Reports a file whose columns are not separated by commas.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - diagnostics: Receives the report.
  ///   - isColumn: Returns true for a known column name.
  /// - Returns: True if an error was reported.
  static func reportOtherSeparator(
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector,
    isColumn: (String) -> Bool
  ) -> Bool {
    guard let line = file.line(1), !line.contains(",") else { return false }
    for (separator, name) in [(";", "';'"), ("\t", "tabs"), ("|", "'|'")] {
      let names = line.split(separator: separator, omittingEmptySubsequences: false)
      guard names.count > 1, let first = names.first,
        names.contains(where: { isColumn(String($0).unquoted) })
      else { continue }
      diagnostics.error(
        "columns are separated by \(name) instead of ','",
        in: file,
        at: SourcePosition(line: 1, column: first.unicodeScalars.count + 1),
        fix:
          "export the file with ',' between columns, and put cells that contain a ',' in double "
          + "quotes"
      )
      return true
    }
    return false
  }
}

extension String {
  /// The text without its enclosing double quotes.
  fileprivate var unquoted: String {
    count > 1 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
  }
}
