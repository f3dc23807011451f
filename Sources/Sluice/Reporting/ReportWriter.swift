/// Writes the reports of a call to their folder.
package enum ReportWriter {
  package static let folder = ProjectPath("reports/latest")

  /// Writes `report.json`, `junit.xml` and `report.md`.
  ///
  /// - Throws: The first file that could not be written.
  package static func write(
    _ result: RunResult,
    trying: Trying = Trying(),
    to files: any FileSystem
  )
    throws(FileError)
  {
    try files.write(to: folder.resolvingChild("report.json")) { (sink) throws(FileError) in
      try JSONReport(result).write(to: &sink)
    }
    try files.write(to: folder.resolvingChild("junit.xml")) { (sink) throws(FileError) in
      try JUnitReport(result).write(to: &sink)
    }
    try files.write(
      MarkdownReport(result, trying: trying).bytes,
      to: folder.resolvingChild("report.md")
    )
  }

  /// Writes `compare.json` and `compare.md`.
  ///
  /// - Throws: The first file that could not be written.
  package static func write(_ result: ComparisonResult, to files: any FileSystem) throws(FileError)
  {
    try files.write(ComparisonJSON(result).bytes, to: folder.resolvingChild("compare.json"))
    try files.write(ComparisonMarkdown(result).bytes, to: folder.resolvingChild("compare.md"))
  }

  /// The name of the file that has a history.
  package static let historyName = "history.json"

  /// Writes `history.json`.
  ///
  /// - Throws: Why it could not be written.
  package static func write(_ history: History, to files: any FileSystem) throws(FileError) {
    try files.write(HistoryJSON(history).bytes, to: folder.resolvingChild(historyName))
  }
}
