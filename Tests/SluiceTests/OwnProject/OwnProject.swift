import Foundation
import Sluice
import Testing

/// The suites and datasets of this repository.
struct OwnProject {
  let files: DiskFileSystem
  let suites: [ResolvedSuite]

  /// The project, loaded once for all tests.
  static let loaded = Result { try OwnProject() }

  private init() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    files = try #require(DiskFileSystem(root: root.path))
    let loaded = ProjectLoader.load(from: files)
    #expect(loaded.diagnostics.map(\.description) == [])
    suites = loaded.suites
  }

  /// The suites that have their own dataset.
  ///
  /// `smart-reply-stream` uses the dataset of `smart-reply`.
  var features: [ResolvedSuite] {
    suites.filter { $0.plan.datasetPath.description.hasPrefix("datasets/\($0.plan.name)/") }
  }

  func suite(_ name: String) throws -> ResolvedSuite {
    try #require(suites.first { $0.plan.name == name })
  }

  /// Returns the complete cases of a suite.
  func cases(_ name: String) throws -> [TestCase] {
    try suite(name).plan.cases.map(\.testCase)
  }

  /// Returns the files of all versions of a suite's prompt, sorted by name.
  func prompts(_ name: String) -> [ProjectPath] {
    files.names(in: ProjectPath("prompts/\(name)"))
      .filter { $0.hasSuffix(".yaml") && $0 != "suite.yaml" }.sorted()
      .map { ProjectPath("prompts/\(name)/\($0)") }
  }

  func text(_ path: String) throws -> String { try text(ProjectPath(path)) }

  func text(_ path: ProjectPath) throws -> String {
    String(decoding: try files.read(path), as: UTF8.self)
  }
}
