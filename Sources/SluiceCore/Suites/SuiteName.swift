package import SluiceSupport

/// How a suite is named on the command line.
package enum SuiteName {
  /// The folder of a suite under `prompts/`.
  package static func short(_ path: ProjectPath) -> String {
    path.folder.reference(from: SuiteReader.folder)
  }
}
