import Foundation

/// The source tree's copy of the files that `sluice init` writes.
enum TemplateFolder {
  static let url = ScratchProject.repository.appending(path: "Sources/CProjectTemplate/Files")

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: path)), as: UTF8.self)
  }

  /// Returns the files in a folder and its subfolders by path, without broken links.
  static func files(of folder: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let url = folder.appending(path: path)
      if let data = try? Data(contentsOf: url) { files[path] = data }
    }
    return files
  }
}
