/// Earlier versions of files, from the commits that changed them.
package enum GitHistory {
  /// A file at a commit.
  package struct Version: Hashable, Sendable {
    /// The full id of the commit.
    package var commit: String
    /// The date of the commit.
    package var date: Timestamp
    /// The path of the file, relative to the project's root.
    package var path: ProjectPath
    /// The contents; nil if they are missing from the repository or damaged.
    package var bytes: [UInt8]?
  }

  /// Reads the files of a folder at the newest commits that changed them.
  ///
  /// - Parameters:
  ///   - folder: The folder, relative to the project's root.
  ///   - pattern: The pattern of the file names, such as `clarity.*.jsonl`.
  ///   - projectRoot: The absolute path of the project's folder.
  ///   - limit: The maximum number of commits.
  ///   - environment: The environment of git; nil for the environment of this process.
  /// - Returns: The versions, newest first. A commit that removed a file gives no version of that
  ///   file.
  /// - Throws: ``GitError`` if there is no repository, or if the repository has no commits.
  package static func versions(
    in folder: ProjectPath,
    like pattern: String,
    projectRoot: String,
    limit: Int,
    environment: [String: String]? = nil
  ) async throws(GitError) -> [Version] {
    try await versions(
      matching: ["\(folder)/\(pattern)"],
      as: "glob",
      projectRoot: projectRoot,
      limit: limit,
      environment
    ) { $0 }
  }

  /// Reads files at the newest commits that changed them.
  ///
  /// One `git log` finds the commits of all files, and one `git cat-file` reads all versions.
  ///
  /// - Parameters:
  ///   - paths: The files, relative to the project's root.
  ///   - projectRoot: The absolute path of the project's folder.
  ///   - commits: The maximum number of commits that are searched.
  ///   - limit: The maximum number of versions of each file.
  ///   - environment: The environment of git; nil for the environment of this process.
  /// - Returns: The versions, the newest first.
  /// - Throws: ``GitError`` if there is no repository, or if the repository has no commits.
  package static func versions(
    of paths: [ProjectPath],
    projectRoot: String,
    commits: Int,
    limit: Int,
    environment: [String: String]? = nil
  ) async throws(GitError) -> [Version] {
    if paths.isEmpty { return [] }
    return try await versions(
      matching: paths.map(\.description),
      as: "literal",
      projectRoot: projectRoot,
      limit: commits,
      environment
    ) { versions in
      var counts: [ProjectPath: Int] = [:]
      return versions.filter { version in
        counts[version.path, default: 0] += 1
        return counts[version.path, default: 0] <= limit
      }
    }
  }

  private static func versions(
    matching patterns: [String],
    as kind: String,
    projectRoot: String,
    limit: Int,
    _ environment: [String: String]?,
    choose: ([Version]) -> [Version]
  ) async throws(GitError) -> [Version] {
    let found = try await GitSnapshot.locate("HEAD", from: projectRoot, environment)
    let (git, folder) = (found.git, found.folder)
    // The names of the folders above may contain characters of patterns.
    let start = kind == "glob" ? folder.replacing(/[*?\[\\]/) { "\\\($0.output)" } : folder
    let output = try await git.output(
      of: "log",
      [
        "--no-show-signature", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv",
        "--relative=\(folder)", "--name-only", "--diff-filter=d", "--max-count=\(limit)",
        "--format=%x00%H %ct", "--",
      ] + patterns.map { ":(\(kind))\(start)\($0)" },
      // Prevents quotes around non-ASCII names.
      settings: ["core.quotePath=false"]
    )
    var chosen = choose(versions(output))
    if chosen.isEmpty { return [] }
    let objects = try await GitSnapshot.read(
      chosen.map { "\($0.commit):\(folder)\($0.path)" },
      git,
      maximumBytes: FileLimits.maximumBytes
    )
    for (index, object) in objects.enumerated() {
      if case .bytes(let bytes) = object { chosen[index].bytes = bytes }
    }
    return chosen
  }

  /// Reads the output of git log, without the contents of the files.
  ///
  /// The line of each commit begins with a zero byte. The lines after it are the paths of the
  /// changed files.
  private static func versions(_ bytes: [UInt8]) -> [Version] {
    var versions: [Version] = []
    var commit: (id: String, date: Timestamp)?
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("\0") {
        let words = line.dropFirst().split(separator: " ")
        commit = nil
        if words.count == 2, let seconds = Int(words[1]) {
          commit = (String(words[0]), Timestamp(seconds: seconds))
        }
      } else if let commit {
        let path = ProjectPath(String(line))
        versions.append(Version(commit: commit.id, date: commit.date, path: path, bytes: nil))
      }
    }
    return versions
  }
}
