package import SluiceSupport

/// The path and the digest of the outputs file that a backend's answers come from.
public struct OutputsSource: Hashable, Sendable {
  /// The file, relative to the project's root.
  public var path: String
  /// The SHA-256 digest of the file, in hexadecimal digits.
  public var digest: String

  package init(path: String, digest: String) {
    self.path = path
    self.digest = digest
  }

  package var json: JSONValue { ["path": .string(path), "digest": .string(digest)] }

  /// Parses the format of ``json``; nil for anything else.
  package init?(json: JSONValue) {
    guard let path = json["path"]?.string, let digest = json["digest"]?.string else { return nil }
    self.init(path: path, digest: digest)
  }
}

extension OutputsFile {
  package var source: OutputsSource { OutputsSource(path: path.description, digest: digest) }
}
