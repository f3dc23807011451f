@testable import SluiceSupport
import Testing

@Suite("File watch")
struct FileWatchTests {
  /// Returns the changes of a file that is modified before some polls, and the number of polls.
  private func changes(_ texts: [String?]) async throws -> (paths: [String], looks: Int) {
    let files = InMemoryFileSystem(["a": "start", "b": "start"])
    let noting = ReadTrackingFileSystem(files)
    _ = try noting.read(ProjectPath("a"))
    let looks = Locked(0)
    let clock = Clock(
      now: { FileWatch.interval * looks.withLock { $0 } },
      sleep: { _ in
        let look = looks.withLock { looks in
          looks += 1
          return looks - 1
        }
        if look < texts.count, let text = texts[look] {
          try? files.write(Array(text.utf8), to: ProjectPath("a"))
          try? files.write(Array(text.utf8), to: ProjectPath("b"))
        } else if look > 100 {
          withUnsafeCurrentTask { $0?.cancel() }
        }
      },
      random: { 0 }
    )
    let paths = await FileWatch(files, clock: clock).changes(since: noting.listing)
    return (paths.map(\.description), looks.withLock { $0 })
  }

  private static let table: [([String?], [String], looks: Int)] = [
    // One poll detects the change, and the next one that it is complete.
    (["edited"], ["a"], 2),
    ([nil, nil, "edited"], ["a"], 4),
    // Several saves in quick succession are one change.
    (["e", "ed", "edi", "edit"], ["a"], 5),
    // A change that was undone does not count.
    (["edited", "start", nil, "again"], ["a"], 5),
    // A file that is saved continuously does not delay the result forever.
    ((0..<50).map { "\($0)" }, ["a"], 11),
  ]

  @Test("The watch ends when files are no longer being saved", arguments: table)
  func settles(texts: [String?], paths: [String], looks: Int) async throws {
    let found = try await changes(texts)
    #expect(found.paths == paths)
    #expect(found.looks == looks)
  }

  @Test("If it is cancelled, the watch ends without changes")
  func cancelled() async throws {
    let found = try await Task { try await changes([]) }.value
    #expect(found.paths == [])
  }
}
