import SluiceGating
internal import CReportPage

/// The style and the script of HTML pages, which are separate files in `Sources/CReportPage`.
enum PageFiles {
  static let style = bytes(report_page_style())
  static let program = bytes(report_page_program())

  private static func bytes(_ file: report_page_file) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}
