/// Writes the reports of a call to their folder.
package enum ReportWriter {
  package static let folder = ProjectPath("reports/latest")

  /// Writes `report.json`, `report.csv`, `junit.xml`, `report.md` and `report.html`.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - trying: What was used in place of what the suites say.
  ///   - folder: The project's folder in its repository, from which CI looks for files.
  ///   - hasCodeQuality: Whether GitLab's file of findings is written, too.
  ///   - files: The project.
  /// - Throws: The first file that could not be written.
  package static func write(
    _ result: RunResult,
    trying: Trying = Trying(),
    folder: ProjectPath = ProjectPath("."),
    hasCodeQuality: Bool = false,
    to files: any FileSystem
  ) throws(FileError) {
    func path(_ name: String) -> ProjectPath { Self.folder.resolvingChild(name) }
    try files.write(to: path("report.json")) { (sink) throws(FileError) in
      try JSONReport(result).write(to: &sink)
    }
    try files.write(to: path("report.csv")) { (sink) throws(FileError) in
      try CSVReport(result).write(to: &sink)
    }
    try files.write(to: path("junit.xml")) { (sink) throws(FileError) in
      try JUnitReport(result, folder: folder).write(to: &sink)
    }
    try files.write(MarkdownReport(result, trying: trying).bytes, to: path("report.md"))
    try files.write(to: path("report.html")) { (sink) throws(FileError) in
      try HTMLReport(result, trying: trying).write(to: &sink)
    }
    if hasCodeQuality {
      try files.write(
        CodeQualityReport(result, folder: folder).bytes,
        to: path("gl-code-quality.json")
      )
    }
  }

  /// Writes `compare.json`, `compare.md` and `compare.html`.
  ///
  /// - Throws: The first file that could not be written.
  package static func write(_ result: ComparisonResult, to files: any FileSystem) throws(FileError)
  {
    try files.write(ComparisonJSON(result).bytes, to: folder.resolvingChild("compare.json"))
    try files.write(ComparisonMarkdown(result).bytes, to: folder.resolvingChild("compare.md"))
    try files.write(to: folder.resolvingChild("compare.html")) { (sink) throws(FileError) in
      try HTMLComparison(result).write(to: &sink)
    }
  }

  /// Writes `history.json` and `history.html`.
  ///
  /// - Throws: The first file that could not be written.
  package static func write(_ history: History, to files: any FileSystem) throws(FileError) {
    try files.write(HistoryJSON(history).bytes, to: folder.resolvingChild("history.json"))
    try files.write(to: folder.resolvingChild("history.html")) { (sink) throws(FileError) in
      try HTMLHistory(history).write(to: &sink)
    }
  }
}
