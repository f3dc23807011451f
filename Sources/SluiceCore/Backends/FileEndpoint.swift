package import SluiceSupport

/// A file with existing answers to cases: it receives no requests, and the original ones are
/// unknown.
package struct FileEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests.
  package static let api = "file"
  /// The extensions of supported files.
  static let extensions = ["jsonl", "csv"]

  package var path: ProjectPath
  /// The SHA-256 digest of the file, used as its fingerprint; nil until a suite has read it.
  package var digest: String?

  package init(path: ProjectPath, digest: String? = nil) {
    self.path = path
    self.digest = digest
  }

  /// The file, as named in provenance.
  package var place: String { "file:\(path)" }

  /// Returns the placeholder for an unknown request, with the case and the version of the file.
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
