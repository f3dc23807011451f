/// Waits for files to change, by looking at them again and again: it works on every disk, mounted ones
/// of containers included, and needs nothing of the system.
package struct FileWatch: Sendable {
  /// How often files are looked at.
  package static let interval: Duration = .milliseconds(300)
  /// How long saving may go on before what is there already is reported.
  static let longestBurst: Duration = .seconds(3)

  private let files: any FileSystem
  private let clock: Clock

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - files: The files to look at.
  ///   - clock: The time, and how to wait.
  package init(_ files: any FileSystem, clock: Clock = .real) {
    self.files = files
    self.clock = clock
  }

  /// Waits until files differ from a listing and nothing more is being saved.
  ///
  /// - Parameter listing: What the files looked like.
  /// - Returns: The paths that changed; none when the task was cancelled.
  package func changes(since listing: FileListing) async -> [ProjectPath] {
    var last: FileListing?
    var begin: Duration?
    while true {
      await clock.sleep(Self.interval)
      if Task.isCancelled { return [] }
      let now = listing.now(in: files)
      let changes = now.changes(since: listing)
      if changes.isEmpty {
        // What was changed and changed back is no change.
        (last, begin) = (nil, nil)
        continue
      }
      let start = begin ?? clock.now()
      // A burst of saves is one change.
      if now == last || clock.now() - start >= Self.longestBurst { return changes }
      (last, begin) = (now, start)
    }
  }
}
