package import SluiceSupport

/// Goes through a committed recordings file and reports what should not be in it: secrets, and lines
/// that are damaged or cannot be used.
package struct RecordingAudit: Sendable {
  private let scanner: SecretScanner

  /// Creates an audit.
  ///
  /// - Parameter known: Values that are secret, such as the keys in the environment.
  package init(known: [Secret] = []) { scanner = SecretScanner(known: known) }

  /// What an audit looked at.
  package struct Outcome: Hashable, Sendable {
    /// How many exchanges the file holds that can be read.
    package var recordings = 0
    /// How many secrets were found.
    package var secrets = 0
  }

  /// Reports what is wrong with a file, each with its line; what is secret is in no report.
  ///
  /// - Parameters:
  ///   - path: The file; a missing one has no faults.
  ///   - system: Where it is read from.
  ///   - isJournal: Whether a recorder adds to it line by line: what a kill leaves is no damage there.
  ///   - diagnostics: Takes what is found.
  /// - Returns: What the file holds.
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

  /// Checks that each recording can be read with its request, and that its key is that of the request:
  /// of one that held a secret only whoever sent it knows.
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
        let isRedacted = request.body.jsonText.contains("<redacted:")
        if !isRedacted, RequestIdentity.key(of: request) != recording.key {
          report(slot, "the key is not that of the request", RecordingLines.damaged)
        }
      } catch {
        report(slot, error.message, error.fix)
      }
    }
  }

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
          fix: finding.kind.wayOut
        )
      }
    }
    return count
  }
}
