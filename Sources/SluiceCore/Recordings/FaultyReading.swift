/// A value that was read from a file, with the errors found in the file.
package protocol FaultyReading {
  /// The errors in the file and its lines.
  var faults: [Diagnostic] { get }
}

extension FaultyReading {
  /// Returns the value, and reports the errors that were found in the file.
  package func reporting(to diagnostics: DiagnosticCollector) -> Self {
    diagnostics.report(faults)
    return self
  }
}

extension RecordingFile: FaultyReading {}
extension RecordingLedger: FaultyReading {}

extension [String: RecordingStore] {
  /// The errors in all recordings files, in the order of the backends' names.
  package var faults: [Diagnostic] {
    sorted { $0.key < $1.key }.flatMap { $0.value.layers.flatMap(\.file.faults) }
  }
}
