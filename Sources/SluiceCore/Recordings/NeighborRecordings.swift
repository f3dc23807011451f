import SluiceSupport

/// A dataset's recordings from backends that a suite does not use, read on demand.
///
/// They are never used as answers. They help to explain why a renamed backend has no recordings.
package final class NeighborRecordings: Sendable {
  private let read: @Sendable () -> [RecordingStore]
  private let known = Locked<[RecordingStore]?>(nil)

  /// Creates the recordings.
  ///
  /// - Parameter read: Reads the files. It is called when the first miss needs them.
  package init(_ read: @escaping @Sendable () -> [RecordingStore]) { self.read = read }

  /// The recordings, one store for each file.
  var stores: [RecordingStore] {
    if let stores = known.withLock({ $0 }) { return stores }
    let stores = read()
    known.withLock { $0 = stores }
    return stores
  }
}
