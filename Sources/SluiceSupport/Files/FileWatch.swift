/// A watch on files, which waits for changes by polling.
///
/// Polling works on every disk, including disks mounted into containers, and needs no system
/// service.
package struct FileWatch: Sendable {
  /// The polling interval.
  package static let interval: Duration = .milliseconds(300)
  /// The maximum duration of a series of saves.
  ///
  /// After this time, the changes so far are reported even if saving continues.
  static let longestBurst: Duration = .seconds(3)

  private let files: any FileSystem
  private let clock: Clock

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - files: The files to watch.
  ///   - clock: The source of time and delays.
  package init(_ files: any FileSystem, clock: Clock = .real) {
    self.files = files
    self.clock = clock
  }

  /// Waits until files differ from a listing and no further saves follow.
  ///
  /// - Parameter listing: The previous state of the files.
  /// - Returns: The paths that changed; empty if the task was cancelled.
  package func changes(since listing: FileListing) async -> [ProjectPath] {
    var last: FileListing?
    var begin: Duration?
    while true {
      await clock.sleep(Self.interval)
      if Task.isCancelled { return [] }
      let now = listing.now(in: files)
      let changes = now.changes(since: listing)
      if changes.isEmpty {
        // A change that was undone does not count.
        (last, begin) = (nil, nil)
        continue
      }
      let start = begin ?? clock.now()
      // Several saves in quick succession count as one change.
      if now == last || clock.now() - start >= Self.longestBurst { return changes }
      (last, begin) = (now, start)
    }
  }
}
