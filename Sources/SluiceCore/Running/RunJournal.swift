import SluiceSupport

/// The log of a live run while it goes on: a line for each trial, as it ends.
///
/// What was added outlives the program at once, and the machine within a second.
final class RunJournal: Sendable {
  private struct State {
    /// Nil once it could not be written.
    var appender: FileAppender?
    var length = 0
    var failure: FileError?
    var synced = ContinuousClock.now
  }

  private let state: Locked<State>
  /// How long lines may wait to be on the disk: to wait for each of them would slow the run down.
  private static let patience = Duration.seconds(1)

  /// Begins a log, with its header.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - files: Where it is written.
  ///   - isBegun: Whether it stands there already, with its header and what was kept of an earlier run.
  init(_ log: RunLog, _ files: any FileSystem, isBegun: Bool = false) {
    var first = State()
    do throws(FileError) {
      // A run that began within the same second may have left a log of that name.
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

  /// Why the log could not be written, if so: nothing was added after that.
  var failure: FileError? { state.withLock(\.failure) }

  /// Waits until all that was added is on the disk.
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

  /// Adds a line.
  ///
  /// - Returns: Where it starts; nil where it could not be added.
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
    // Others go on adding meanwhile: the disk takes its time.
    if let due = added?.due { sync(due) }
    return added?.start
  }
}
