import SluiceGating

/// An optional report; `report.md` is always written.
package enum ReportFormat: String, CaseIterable, Sendable {
  case html, json, csv, junit

  /// The file name in `reports/latest/`; for a report with several pages, the first one.
  package var fileName: String {
    switch self {
    case .html, .json, .csv: "report.\(rawValue)"
    case .junit: "junit.xml"
    }
  }
}

extension Set<ReportFormat> {
  /// All report formats.
  package static var all: Self { Set(ReportFormat.allCases) }

  /// The file names of the reports in a line: `report.html, .md, .json, .csv; junit.xml`.
  var fileNames: String {
    let names =
      [contains(.html) ? "html" : nil, "md"].compactMap(\.self)
      + [ReportFormat.json, .csv].filter(contains).map(\.rawValue)
    let reports = "report." + names.joined(separator: ", .")
    return contains(.junit) ? "\(reports); \(ReportFormat.junit.fileName)" : reports
  }
}
