import SluiceSupport

/// The texts of the files that the cases of a dataset reference, by path as written in the dataset.
final class CaseTexts: Sendable {
  private let known = Locked<[String: String]>([:])

  init() {}

  subscript(path: String) -> String? { known.withLock { $0[path] } }

  /// Returns the text of a file and caches it; nil, with an error reported, if it cannot be read.
  ///
  /// - Parameters:
  ///   - path: The path as written in the dataset.
  ///   - position: The position of the path.
  ///   - file: The dataset.
  ///   - files: The access to the referenced file.
  /// - Returns: The text.
  func read(
    _ path: String,
    at position: SourcePosition,
    in file: SourceFile,
    _ files: ProjectFiles
  ) -> String? {
    if let text = self[path] { return text }
    guard let place = files.resolve(path, in: file, at: position),
      let (text, _) = files.readText(place)
    else { return nil }
    known.withLock { $0[path] = text }
    return text
  }
}
