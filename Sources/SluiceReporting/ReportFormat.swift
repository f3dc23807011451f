import SluiceGating

/// A report that can be turned off.
///
/// `report.md` is always written, so this type has no case for it.
package enum ReportFormat: String, CaseIterable, Sendable {
  case html, json, csv, junit

  /// The file name in `reports/latest/`.
  ///
  /// If a report has several pages, this is the name of the first page.
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

  /// A phrase with the file names of the reports: `report.html, .md, .json, .csv; junit.xml`.
  var fileNames: String {
    let names =
      [contains(.html) ? "html" : nil, "md"].compactMap(\.self)
      + [ReportFormat.json, .csv].filter(contains).map(\.rawValue)
    let reports = "report." + names.joined(separator: ", .")
    return contains(.junit) ? "\(reports); \(ReportFormat.junit.fileName)" : reports
  }
}
