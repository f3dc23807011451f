import SluiceGating

/// `gl-code-quality.json`: the gates that do not pass, as findings in a GitLab merge request.
///
/// It is written only in GitLab CI.
package struct CodeQualityReport {
  private let result: RunResult
  private let folder: ProjectPath

  /// Creates the report.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - folder: The project's folder in its repository, from which GitLab looks for files.
  package init(_ result: RunResult, folder: ProjectPath = ProjectPath(".")) {
    self.result = result
    self.folder = folder
  }

  package var bytes: [UInt8] {
    JSONWriter.pretty(.array(GateFinding.all(of: result).map(entry)))
  }

  private func entry(_ finding: GateFinding) -> JSONValue {
    let path = folder.resolvingChild(finding.path).description
    // What tells a finding from others on both sides of a merge request: not its figures.
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
