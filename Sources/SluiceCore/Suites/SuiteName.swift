package import SluiceSupport

/// The name of a suite on the command line.
package enum SuiteName {
  /// Returns the path of a suite's folder, relative to `prompts/`.
  package static func short(_ path: ProjectPath) -> String {
    path.folder.reference(from: SuiteReader.folder)
  }
}
