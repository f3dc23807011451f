package import SluiceSupport

/// A file that contains existing answers to cases.
///
/// The file receives no requests. The requests that led to its answers are unknown.
package struct FileEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests.
  package static let api = "file"
  /// The extensions of supported files.
  static let extensions = ["jsonl", "csv"]

  package var path: ProjectPath
  /// The SHA-256 digest of the file, which identifies its version; nil until a suite has read the
  /// file.
  package var digest: String?

  package init(path: ProjectPath, digest: String? = nil) {
    self.path = path
    self.digest = digest
  }

  /// The name of the file in the provenance of answers.
  package var place: String { "file:\(path)" }

  /// Returns a placeholder for the unknown request.
  ///
  /// The placeholder contains the case and the version of the file.
  package func request(testCase: String, backend: String) -> ModelRequest {
    ModelRequest(
      backend: backend,
      api: Self.api,
      model: backend,
      body: ["case": .string(testCase)],
      fingerprint: digest
    )
  }
}
