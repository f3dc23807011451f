/// The reader of the committed versions of the baselines that a run is compared with.
package enum BaselineHistoryReader {
  /// The maximum number of versions of a baseline that a page shows.
  package static let versions = 8
  /// The maximum number of commits to search.
  private static let commits = 64
  /// The maximum number of bytes to read, estimated from the sizes of the current files.
  ///
  /// If this limit does not allow ``versions`` of each baseline, fewer versions are read.
  private static let room = 16 << 20

  /// Reads the versions of all baselines in one search of the commits.
  ///
  /// - Parameters:
  ///   - suites: The suites that run.
  ///   - files: The project's files.
  ///   - projectRoot: The absolute path of the project's folder.
  ///   - environment: The environment variables for git, or `nil` to use the environment of the
  ///     process.
  /// - Returns: The history; empty outside a repository or if no baseline is committed.
  package static func read(
    _ suites: [ResolvedSuite],
    files: any FileSystem,
    projectRoot: String,
    environment: [String: String]? = nil
  ) async -> BaselineHistory {
    var today: [ProjectPath: FileContents] = [:]
    for suite in suites {
      for backend in suite.plan.backends {
        let path = Baseline.path(suite: suite.plan.name, backend: backend.name)
        if files.kind(of: path) == .file { today[path] = try? files.open(path) }
      }
    }
    if today.isEmpty { return BaselineHistory() }
    let size = today.values.reduce(0) { $0 + $1.count }
    let read: [GitHistory.Version]?
    do throws(GitError) {
      read = try await GitHistory.versions(
        of: today.keys.sorted(),
        projectRoot: projectRoot,
        commits: commits,
        limit: min(max(1, room / max(1, size)), versions),
        environment: environment
      )
    } catch {
      read = nil
    }
    var known: [ProjectPath: [BaselineVersion]] = [:]
    // Readers expect the oldest version first.
    for version in (read ?? []).reversed() {
      guard let bytes = version.bytes else { continue }
      let isCurrent = today[version.path].map { file in
        file.count == bytes.count
          && file.withBytes(0..<file.count) { piece in bytes.withUnsafeBytes { piece.equals($0) } }
      }
      let baseline = BaselineVersion(
        bytes,
        commit: version.commit,
        date: version.date,
        isCurrent: isCurrent ?? false
      )
      if let baseline { known[version.path, default: []].append(baseline) }
    }
    return BaselineHistory(known)
  }
}
