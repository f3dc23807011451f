package import SluiceSupport

/// The status of a recordings file.
package struct RecordingStatus: Hashable, Sendable {
  package var path: ProjectPath
  package var count: Int
  /// The number of recordings that a suite uses.
  package var used = 0
  /// The number of recordings that a suite uses only if it runs with another prompt or backend.
  package var usedByOthers = 0
  package var unused = 0
  /// The number of requests without a recording because the case, the prompt or the backend
  /// changed.
  package var stale = 0
  /// The number of requests of new cases, which were never recorded.
  package var missing = 0
  /// The number of used recordings that are so old that they cause a warning.
  package var old = 0
  /// The number of recordings that a suite would use if they had not expired.
  package var expired = 0
  package var pending = 0
  /// The date of the oldest recording.
  package var oldest: String?
  /// The date of the newest recording.
  package var newest: String?
  /// The size of the file in bytes.
  package var size: Int
  /// The answers that Sluice did not request itself, by origin.
  ///
  /// Pending answers are included.
  package var origins = GivenAnswers()

  package init(path: ProjectPath, count: Int, size: Int) {
    self.path = path
    self.count = count
    self.size = size
  }
}
