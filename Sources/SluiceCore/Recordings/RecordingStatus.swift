package import SluiceSupport

/// The status of a recordings file.
package struct RecordingStatus: Hashable, Sendable {
  package var path: ProjectPath
  package var count: Int
  /// The number of recordings that answer a suite in its current state.
  package var used = 0
  /// The number of recordings that answer a suite with a prompt next to its own.
  package var usedByOthers = 0
  package var unused = 0
  /// The numbers of requests without a recording, because something changed and because they are
  /// new.
  package var stale = 0
  package var missing = 0
  /// The number of used recordings that are old enough for a warning.
  package var old = 0
  /// The number of recordings that would answer a suite but have expired.
  package var expired = 0
  package var pending = 0
  /// The dates of the oldest and the newest recording.
  package var oldest: String?
  package var newest: String?
  /// The size of the file in bytes.
  package var size: Int
  /// The answers that Sluice did not request itself, by origin, including pending ones.
  package var origins = GivenAnswers()

  package init(path: ProjectPath, count: Int, size: Int) {
    self.path = path
    self.count = count
    self.size = size
  }
}
