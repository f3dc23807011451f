import Foundation

/// Expected output, stored in files of `Fixtures/`.
enum Snapshot {
  static func text(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures")
    return String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }
}
