import SluiceSupport

/// The log of a live run that is still running.
///
/// A line is appended when a trial ends. It then survives the end of the program, but it survives a
/// power failure only after the file was synced to disk. A line that is appended more than a second
/// after the last sync causes the next sync.
final class RunJournal: Sendable {
  private struct State {
    /// The appender; nil after a write error.
    var appender: FileAppender?
    var length = 0
    var failure: FileError?
    var synced = ContinuousClock.now
  }

  private let state: Locked<State>
  /// The minimum time between two syncs to disk.
  ///
  /// Syncing each line would slow down the run.
  private static let patience = Duration.seconds(1)

  /// Starts a log with its header.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - files: The file system.
  ///   - isBegun: True if the file already contains the header and the trials that are kept from an
  ///     earlier run.
  init(_ log: RunLog, _ files: any FileSystem, isBegun: Bool = false) {
    var first = State()
    do throws(FileError) {
      // A run that started in the same second may have left a log with the same name.
      if files.kind(of: log.path) == .file {
        first.length = (try? files.open(log.path).count) ?? 0
      }
      first.appender = try files.appender(to: log.path)
    } catch {
      first.failure = error
    }
    state = Locked(first)
    if !isBegun { _ = append(log.header) }
  }

  /// The error that occurred while writing, if any.
  ///
  /// Nothing was appended after this error.
  var failure: FileError? { state.withLock(\.failure) }

  /// Waits until all appended lines are on disk.
  func sync() { sync(state.withLock { $0.appender }) }

  private func sync(_ appender: FileAppender?) {
    do throws(FileError) {
      try appender?.sync()
    } catch {
      state.withLock { state in
        state.failure = state.failure ?? error
        state.appender = nil
      }
    }
  }

  /// Appends a line.
  ///
  /// - Returns: The offset of the line; nil if it could not be written.
  func append(_ line: [UInt8]) -> Int? {
    let added: (start: Int, due: FileAppender?)? = state.withLock { state in
      guard let appender = state.appender else { return nil }
      do throws(FileError) {
        try appender.append(line)
      } catch {
        state.failure = error
        state.appender = nil
        return nil
      }
      defer { state.length += line.count }
      if state.synced.duration(to: .now) <= Self.patience { return (state.length, nil) }
      state.synced = .now
      return (state.length, appender)
    }
    // Syncing is slow. It happens outside of the lock, so that other tasks can append meanwhile.
    if let due = added?.due { sync(due) }
    return added?.start
  }
}
