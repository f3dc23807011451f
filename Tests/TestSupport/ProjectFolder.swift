package import Foundation

/// A temporary folder on disk, which is removed with this object.
package final class ProjectFolder: Sendable {
  package let path: String

  package init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func url(_ path: String) -> URL { URL(fileURLWithPath: self.path).appending(path: path) }

  /// Writes files by path, into a subfolder of this folder.
  package func write(_ files: [String: String], under folder: String) throws {
    for (path, text) in files {
      let url = url(folder.isEmpty ? path : folder + "/" + path)
      try makeFolder(of: url)
      try Data(text.utf8).write(to: url)
    }
  }

  /// Makes a file executable.
  package func makeExecutable(_ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url(path).path)
  }

  package func link(_ path: String, to target: String) throws {
    let url = url(path)
    try makeFolder(of: url)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
  }

  /// Replaces a file with a named pipe that has no writer.
  package func makePipe(_ path: String) throws {
    let url = url(path)
    try? FileManager.default.removeItem(at: url)
    guard mkfifo(url.path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  package func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
  }

  private func makeFolder(of url: URL) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
  }
}
