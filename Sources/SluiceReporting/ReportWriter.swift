import SluiceGating

/// The writer of a command's reports.
package enum ReportWriter {
  package static let folder = ProjectPath("reports/latest")
  /// The folder for results of a subset of the cases; results of all cases have their own folder.
  package static let filteredFolder = ProjectPath("reports/filtered")

  /// Returns the folder of the reports of a run.
  package static func folder(of result: RunResult) -> ProjectPath {
    result.isFiltered ? filteredFolder : folder
  }

  /// Returns the folder of the files of a comparison.
  package static func folder(of result: ComparisonResult) -> ProjectPath {
    result.isFiltered ? filteredFolder : folder
  }

  /// Writes `report.md` and the requested reports, and deletes the other reports of earlier runs.
  ///
  /// Writing does not wait until the data is on the disk, since reports can be created again from
  /// the run log.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - formats: The reports to write in addition to `report.md`.
  ///   - overrides: The overrides of the suites' settings.
  ///   - folder: The project's folder, relative to the root of the repository, since paths in CI
  ///     start there.
  ///   - revision: The project and the commit to show on the page, or `nil` to show none.
  ///   - history: The committed versions of baselines, which the page shows as the history of each
  ///     case.
  ///   - hasCodeQuality: True to also write `gl-code-quality.json` for GitLab.
  ///   - files: The project's files.
  /// - Throws: An error for the first file that could not be written.
  package static func write(
    _ result: RunResult,
    formats: Set<ReportFormat> = .all,
    overrides: CommandLineOverrides = CommandLineOverrides(),
    folder: ProjectPath = ProjectPath("."),
    revision: PageRevision? = nil,
    history: BaselineHistory = BaselineHistory(),
    hasCodeQuality: Bool = false,
    to files: any FileSystem
  ) throws(FileError) {
    let reports = Self.folder(of: result)
    func write(
      _ format: ReportFormat,
      _ produce: (inout FileSink) throws(FileError) -> Void
    ) throws(FileError) {
      let name = format.fileName
      guard formats.contains(format) else {
        return try files.remove(reports.resolvingChild(name))
      }
      try Self.write(name, in: reports, of: files, produce)
    }
    try write(.json) { (sink) throws(FileError) in try JSONReport(result).write(to: &sink) }
    try write(.csv) { (sink) throws(FileError) in try CSVReport(result).write(to: &sink) }
    try write(.junit) { (sink) throws(FileError) in
      try JUnitReport(result, folder: folder).write(to: &sink)
    }
    try Self.write(
      "report.md",
      MarkdownReport(result, overrides: overrides).bytes,
      in: reports,
      of: files
    )
    let report = HTMLReport(result, overrides: overrides, revision: revision, history: history)
    let pageCount = formats.contains(.html) ? report.pageCount : 0
    try Self.write(HTMLReport.baseName, pages: pageCount, in: reports, of: files) {
      (page, sink) throws(FileError) in try report.write(page: page, to: &sink)
    }
    if hasCodeQuality {
      let report = CodeQualityReport(result, folder: folder)
      try Self.write("gl-code-quality.json", report.bytes, in: reports, of: files)
    }
  }

  /// Writes `compare.json`, `compare.md` and `compare.html`.
  ///
  /// - Throws: An error for the first file that could not be written.
  package static func write(_ result: ComparisonResult, to files: any FileSystem) throws(FileError)
  {
    let folder = folder(of: result)
    try write("compare.json", ComparisonJSON(result).bytes, in: folder, of: files)
    try write("compare.md", ComparisonMarkdown(result).bytes, in: folder, of: files)
    let comparison = HTMLComparison(result)
    try write(HTMLComparison.baseName, pages: comparison.pageCount, in: folder, of: files) {
      (page, sink) throws(FileError) in try comparison.write(page: page, to: &sink)
    }
  }

  private static func write(
    _ name: String,
    _ bytes: [UInt8],
    in folder: ProjectPath = folder,
    of files: any FileSystem
  ) throws(FileError) {
    try write(name, in: folder, of: files) { (sink) throws(FileError) in sink.buffer += bytes }
  }

  private static func write(
    _ name: String,
    in folder: ProjectPath = folder,
    of files: any FileSystem,
    _ produce: (inout FileSink) throws(FileError) -> Void
  ) throws(FileError) {
    try files.write(to: folder.resolvingChild(name), isSynced: false, produce)
  }

  /// Writes the pages of a report, and deletes further pages of an earlier report.
  private static func write(
    _ base: String,
    pages: Int,
    in folder: ProjectPath,
    of files: any FileSystem,
    _ write: (Int, inout FileSink) throws(FileError) -> Void
  ) throws(FileError) {
    let names = (0..<pages).map { HTMLPaging.fileName($0, of: base) }
    for (page, name) in names.enumerated() {
      try Self.write(name, in: folder, of: files) { (sink) throws(FileError) in
        try write(page, &sink)
      }
    }
    let left = HTMLPaging.furtherPages(of: base, in: files.names(in: folder))
    if pages == 0 { try files.remove(folder.resolvingChild(HTMLPaging.fileName(0, of: base))) }
    for name in left where !names.contains(name) {
      try files.remove(folder.resolvingChild(name))
    }
  }

  /// Writes `health.html`.
  ///
  /// - Throws: An error if the page could not be written.
  package static func write(_ health: [SuiteHealthReport], to files: any FileSystem)
    throws(FileError)
  {
    try write(healthName, of: files) { (sink) throws(FileError) in
      try HTMLHealth(health).write(to: &sink)
    }
  }

  /// The file name of the page on the health of suites.
  package static let healthName = "health.html"

  /// Writes `history.json` and `history.html`.
  ///
  /// - Throws: An error for the first file that could not be written.
  package static func write(_ history: History, to files: any FileSystem) throws(FileError) {
    try write("history.json", HistoryJSON(history).bytes, of: files)
    try write("history.html", of: files) { (sink) throws(FileError) in
      try HTMLHistory(history).write(to: &sink)
    }
  }
}
