package import SluiceSupport

/// The check of a recordings file for secrets, and for damaged or unusable lines.
package struct RecordingAudit: Sendable {
  private let scanner: SecretScanner

  /// Creates an audit.
  ///
  /// - Parameter known: Secret values, such as the keys in the environment.
  package init(known: [Secret] = []) { scanner = SecretScanner(known: known) }

  /// The counts of an audit.
  package struct Outcome: Hashable, Sendable {
    /// The number of readable exchanges in the file.
    package var recordings = 0
    /// The number of secrets found.
    package var secrets = 0
  }

  /// Reports the problems in a file, each with its line.
  ///
  /// The reports do not contain the secrets.
  ///
  /// - Parameters:
  ///   - path: The file. A missing file has no problems.
  ///   - system: The file system.
  ///   - isJournal: True if a recorder appends to the file line by line. Then a truncated last line
  ///     is not an error.
  ///   - diagnostics: Receives the problems.
  /// - Returns: The counts.
  package func check(
    _ path: ProjectPath,
    in system: any FileSystem,
    isJournal: Bool = false,
    diagnostics: DiagnosticCollector
  ) -> Outcome {
    let recordings = RecordingFile(
      reading: path,
      from: system,
      isJournal: isJournal
    ).reporting(to: diagnostics)
    checkRequests(recordings, diagnostics)
    guard let bytes = try? system.read(path) else { return Outcome() }
    let secrets = report(SourceFile(path: path.description, bytes: bytes), to: diagnostics)
    return Outcome(recordings: recordings.count, secrets: secrets)
  }

  /// Checks that each recording contains its request, and that the key matches the request.
  ///
  /// If secrets were removed from the request, the key cannot be checked.
  private func checkRequests(_ file: RecordingFile, _ diagnostics: DiagnosticCollector) {
    func report(_ slot: Recording.Slot, _ message: String, _ fix: String?) {
      diagnostics.report(
        Diagnostic(
          path: file.path.description,
          position: SourcePosition(line: file.lineNumber(slot) ?? 1, column: 1),
          message: message,
          fix: fix
        )
      )
    }
    for slot in file.slots {
      do throws(RecordingLines.Problem) {
        guard let recording = try file.recording(slot) else { continue }
        let request = recording.exchange.request
        // A placeholder may be inside of base64 or another encoding.
        if RequestIdentity.key(of: request) != recording.key,
          Self.placeholders.findings(in: JSONWriter.line(request.body), as: .judged).isEmpty
        {
          report(slot, "the key does not match the request", RecordingLines.damaged)
        }
      } catch {
        report(slot, error.message, error.fix)
      }
    }
  }

  private static let placeholders = SecretScanner(known: [Secret("<redacted:")])

  private func report(_ file: SourceFile, to diagnostics: DiagnosticCollector) -> Int {
    var count = 0
    var number = 0
    for line in file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let bytes = Array(line)
      for finding in scanner.findings(onLine: bytes) {
        count += 1
        var position = SourcePosition(offset: finding.offset, in: bytes)
        position.line = number
        diagnostics.hideLine(from: position, in: file)
        diagnostics.error(
          finding.message,
          in: file,
          at: position,
          fix: finding.kind.fix
        )
      }
    }
    return count
  }
}
