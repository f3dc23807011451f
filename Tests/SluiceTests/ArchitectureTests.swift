import Foundation
import Testing

/// What ARCHITECTURE.md promises of the sources, checked on their text.
@Suite("Architecture")
struct ArchitectureTests {
  private static let stages = [
    "Support", "Diagnostics", "Suites", "Datasets", "Prompts", "Backends", "Secrets",
    "Recordings", "Scoring",
    "Running", "Statistics", "Gating", "Reporting", "Evaluation",
  ]

  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  /// The Swift files of a folder, without comments and string literals.
  private func code(of stage: String) throws -> [(file: String, text: String)] {
    let folder = Self.sources.appending(path: "Sluice/\(stage)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let plain = text.replacing(/\/\/.*/, with: "").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "")
      return ("\(stage)/\(name)", plain)
    }
  }

  @Test("Every folder of the library is a stage")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Self.sources.appending(path: "Sluice").path
    )
    #expect(folders.sorted() == Self.stages.sorted())
  }

  @Test("A stage uses the stages before it, never a later one")
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
          // A nested type may share the name of a later one.
          if text.contains("struct \(word)") || text.contains("enum \(word)") { continue }
          reaching.append("\(file) uses \(word) of \(Self.stages[other])")
        }
      }
    }
    #expect(reaching.sorted() == [])
  }

  @Test("Only Support imports C libraries, and no stage imports Foundation")
  func imports() throws {
    for stage in Self.stages {
      for (file, text) in try code(of: stage) {
        #expect(!text.contains("import Foundation"), "\(file)")
        if stage != "Support" {
          #expect(
            !text.contains(/import (CLibcurl|CLibyaml|CPCRE2|COpenSSL|CReportPage|CZlib)/),
            "\(file)"
          )
        }
      }
    }
  }
}
