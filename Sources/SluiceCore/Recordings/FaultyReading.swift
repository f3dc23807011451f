/// A value read from a file, with the faults of the file.
package protocol FaultyReading {
  /// The faults of the file and of its lines.
  var faults: [Diagnostic] { get }
}

extension FaultyReading {
  /// The same, with its faults reported.
  package func reporting(to diagnostics: DiagnosticCollector) -> Self {
    diagnostics.report(faults)
    return self
  }
}

extension RecordingFile: FaultyReading {}
extension RecordingLedger: FaultyReading {}

extension [String: RecordingStore] {
  /// The faults of the files, in the order of the backends' names.
  package var faults: [Diagnostic] {
    sorted { $0.key < $1.key }.flatMap { $0.value.layers.flatMap(\.file.faults) }
  }
}
