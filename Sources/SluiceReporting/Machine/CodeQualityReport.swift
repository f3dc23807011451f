import SluiceGating

/// `gl-code-quality.json`: the gates that do not pass, as findings for a GitLab merge request.
///
/// The file is written only in GitLab CI.
package struct CodeQualityReport {
  private let result: RunResult
  private let folder: ProjectPath

  /// Creates the report.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - folder: The project's folder, relative to the root of the repository, since GitLab's paths
  ///     start there.
  package init(_ result: RunResult, folder: ProjectPath = ProjectPath(".")) {
    self.result = result
    self.folder = folder
  }

  package var bytes: [UInt8] {
    JSONWriter.pretty(.array(GateFinding.all(of: result).map(entry)))
  }

  private func entry(_ finding: GateFinding) -> JSONValue {
    let path = folder.resolvingChild(finding.path).description
    // GitLab matches the findings of two branches by this digest, so it must not depend on figures.
    let identity: JSONValue = [
      .string(finding.suite), .string(path), .string(finding.backend), .string(finding.subject),
    ]
    return [
      "description": .string(finding.text),
      "check_name": "sluice-gate",
      "fingerprint": .string(SHA256.hexadecimal(JSONWriter.canonical(identity))),
      "severity": finding.severity == .error ? "major" : "minor",
      "location": ["path": .string(path), "lines": ["begin": 1]],
    ]
  }
}
