internal import Sluice

/// The text of `sluice --version --verbose`.
enum VersionText {
  /// Returns the version, the libraries in the program with their licenses, and the trusted
  /// certificates.
  ///
  /// - Parameters:
  ///   - parts: The libraries in the program.
  ///   - trusted: The certificates that connections trust.
  ///   - builtIn: The certificates that libcurl was built to use.
  /// - Returns: The lines, each of which ends with a line feed.
  static func verbose(
    _ parts: [ProgramPart],
    trusting trusted: TrustedCertificates,
    builtIn: String?
  ) -> String {
    let rows = parts.map { [$0.name, $0.version ?? "", $0.license] }
    let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = widths.indices.map { column in
        row[column] + String(repeating: " ", count: widths[column] - row[column].count)
      }
      return "  " + (cells + [row[2]]).joined(separator: "  ")
    }
    let certificates = [trusted.file ?? builtIn, trusted.folders].compactMap { $0 }
    return """
      sluice \(Version.current)

      Parts
      \(lines.joined(separator: "\n"))

      Trusted certificates
        \(certificates.isEmpty ? "those of the system" : certificates.joined(separator: "\n  "))

      """
  }
}
