import SluiceSupport

/// The texts of the files that the cases of a dataset name, by the paths as cases have them.
final class CaseTexts: Sendable {
  private let known = Locked<[String: String]>([:])

  init() {}

  subscript(path: String) -> String? { known.withLock { $0[path] } }

  /// Returns the text of a file, which is read once; nil, with an error reported, when it cannot be.
  ///
  /// - Parameters:
  ///   - path: The path as it is written in the dataset.
  ///   - position: Where it is written.
  ///   - file: The dataset.
  ///   - files: Where the file is read.
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
