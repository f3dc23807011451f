package import SluiceSupport

/// A file that has the answers to cases already: nobody is asked, and the requests are unknown.
package struct FileEndpoint: Hashable, Sendable {
  /// The name of the protocol in requests.
  package static let api = "file"
  /// The endings of files that can be read.
  static let extensions = ["jsonl", "csv"]

  package var path: ProjectPath
  /// SHA-256 over the file, which is its fingerprint; nil until a suite has read it.
  package var digest: String?

  package init(path: ProjectPath, digest: String? = nil) {
    self.path = path
    self.digest = digest
  }

  /// The file, as provenance names it.
  package var place: String { "file:\(path)" }

  /// The stand-in for a request that nobody knows: it names the case and the version of the file.
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
