import Foundation
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Tests that this project's committed files keep the keys and digests under which they are found.
@Suite("Committed keys")
struct CommittedKeysTests {
  private let system: DiskFileSystem

  init() throws {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    system = try #require(DiskFileSystem(root: root.path))
  }

  private static let features = [
    "action-items", "analysis", "call-instead", "category", "clarity", "contradictions",
    "critique", "decisions", "faq", "feedback", "opportunity", "rephrase", "sentiment",
    "smart-reply", "status-update", "summary", "tone", "tone-rewrite",
  ]

  @Test("The key of each committed recording is that of its request", arguments: features)
  func recordings(_ feature: String) throws {
    let folder = ProjectPath("datasets/\(feature)/recordings")
    var count = 0
    for name in system.names(in: folder) where name.hasSuffix(".jsonl") {
      let file = RecordingFile(reading: folder.resolvingChild(name), from: system)
      for slot in file.slots {
        let recording = try #require(try file.recording(slot))
        #expect(RequestIdentity.key(of: recording.exchange.request) == recording.key)
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test("The digest of each case in a committed baseline is that of the case in its dataset")
  func baselines() throws {
    var digests: Set<String> = []
    for feature in Self.features {
      let folder = ProjectPath("datasets/\(feature)")
      let files = ProjectFiles(system, diagnostics: DiagnosticCollector())
      for name in system.names(in: folder) where name.hasPrefix("cases.") {
        let dataset = try #require(DatasetReader.read(folder.resolvingChild(name), files: files))
        digests.formUnion(dataset.cases.map(\.digest.hexadecimal))
      }
      #expect(files.diagnostics.diagnostics.map(\.description) == [])
    }
    let folder = ProjectPath("reports/baselines")
    var count = 0
    for name in system.names(in: folder) {
      for line in try system.read(folder.resolvingChild(name)).split(separator: 0x0A) {
        guard let digest = try JSONReader.value(line)["case-digest"]?.string else { continue }
        #expect(digests.contains(digest), "\(name)")
        count += 1
      }
    }
    #expect(count > 1_000)
  }
}
