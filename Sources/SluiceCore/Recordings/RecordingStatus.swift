package import SluiceSupport

/// How a recordings file stands.
package struct RecordingStatus: Hashable, Sendable {
  package var path: ProjectPath
  package var count: Int
  /// How many answer a suite as it stands.
  package var used = 0
  /// How many answer a suite with a prompt that lies beside its own.
  package var usedByOthers = 0
  package var unused = 0
  /// How many requests have no recording, because something changed, and because they are new.
  package var stale = 0
  package var missing = 0
  /// How many of those that are used are older than the project warns of.
  package var old = 0
  /// How many would answer a suite, but are older than the project lets answer.
  package var expired = 0
  package var pending = 0
  /// The days of the oldest and of the newest recording.
  package var oldest: String?
  package var newest: String?
  /// The size of the file in bytes.
  package var size: Int
  /// The answers that were given elsewhere, by who gave them, the pending ones too.
  package var origins = GivenAnswers()

  package init(path: ProjectPath, count: Int, size: Int) {
    self.path = path
    self.count = count
    self.size = size
  }
}
