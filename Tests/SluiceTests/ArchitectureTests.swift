import Foundation
import Testing

/// Checks of the claims of ARCHITECTURE.md against the sources.
@Suite("Architecture")
struct ArchitectureTests {
  /// The folders of `SluiceCore`, from the first stage to the last.
  ///
  /// The compiler enforces the order of modules but not that of folders.
  private static let stages = [
    "SluiceCore/Diagnostics", "SluiceCore/Suites", "SluiceCore/Datasets", "SluiceCore/Prompts",
    "SluiceCore/Backends", "SluiceCore/Secrets", "SluiceCore/Recordings", "SluiceCore/Scoring",
    "SluiceCore/Running", "SluiceCore/Metrics",
  ]

  private static let rooms = [
    "SluiceSystem", "SluiceStatistics", "SluiceSupport", "SluiceCore", "SluiceGating",
    "SluiceReporting", "Sluice",
  ]

  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  /// The Swift files of a folder and its subfolders, without comments and string literals.
  private func code(of folder: String) throws -> [(file: String, text: String)] {
    let root = Self.sources.appending(path: folder)
    let names = try #require(FileManager.default.subpaths(atPath: root.path))
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      let plain = text.replacing(/\/\/.*/, with: "").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "")
      return ("\(folder)/\(name)", plain)
    }
  }

  @Test("Every folder of SluiceCore is a stage")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Self.sources.appending(path: "SluiceCore").path
    )
    .filter { !$0.hasSuffix(".swift") }
    #expect(folders.sorted() == Self.stages.map { String($0.dropFirst(11)) }.sorted())
  }

  @Test("A stage uses only earlier stages")
  func oneWay() throws {
    var owner: [String: Int] = [:]
    for (place, stage) in Self.stages.enumerated() {
      for (_, text) in try code(of: stage) {
        let declaration =
          /(?:^|\n)(?:public |package |final |indirect )*(?:struct|enum|class|protocol|actor) (\w+)/
        for match in text.matches(of: declaration) { owner[String(match.1)] = place }
      }
    }
    #expect(owner.count > 100)
    var reaching: [String] = []
    for (place, stage) in Self.stages.enumerated() {
      for (file, text) in try code(of: stage) {
        for word in Set(text.matches(of: /\b[A-Z]\w+\b/).map { String($0.output) }) {
          guard let other = owner[word], other > place else { continue }
          // A nested type may have the name of a later type.
          if text.contains("struct \(word)") || text.contains("enum \(word)") { continue }
          reaching.append("\(file) uses \(word) of \(Self.stages[other])")
        }
      }
    }
    #expect(reaching.sorted() == [])
  }

  @Test("Only SluiceSupport imports system libraries, and no module imports Foundation")
  func imports() throws {
    for room in Self.rooms {
      let files = try code(of: room)
      #expect(!files.isEmpty)
      for (file, text) in files {
        #expect(!text.contains("import Foundation"), "\(file)")
        if room != "SluiceSupport" {
          #expect(!text.contains(/import (CLibcurl|CLibyaml|CPCRE2|COpenSSL|CZlib)/), "\(file)")
        }
      }
    }
  }
}
