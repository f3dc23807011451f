import SluiceSystem

/// The files that changed since the current branch and a revision diverged.
///
/// Uncommitted edits count, and so do files that git ignores or does not track yet.
package struct GitChanges: Sendable {
  /// A difference between a file and its state in the last common commit.
  package enum Change: String, Hashable, Sendable, CaseIterable {
    case added, edited, removed
    /// The file is outside of the repository, so its earlier content is unknown.
    case outside
    /// The file is in a submodule, so its earlier content is unknown.
    case submodule
  }

  /// The files of the last common commit of the current branch and the revision.
  package let base: GitSnapshot
  private let projectRoot: String
  private let found: GitSnapshot.Located
  /// The tracked files that differ from the last common commit, as paths from the top of the
  /// repository.
  private let edited: Set<[UInt8]>

  /// Compares the folder of a project with the last common commit of the current branch and a
  /// revision.
  ///
  /// - Parameters:
  ///   - revision: The revision, such as `origin/main`.
  ///   - projectRoot: The absolute path of the project's folder.
  ///   - environment: The environment of git; `nil` for the environment of this process.
  /// - Returns: The changes.
  /// - Throws: ``GitError`` if there is no repository, no such revision, or no common commit.
  package static func since(
    _ revision: String,
    projectRoot: String,
    environment: [String: String]? = nil
  ) async throws(GitError) -> GitChanges {
    let found = try await GitSnapshot.locate(revision, from: projectRoot, environment)
    let commit = try await commonCommit(found, revision)
    var common = found
    common.commit = commit
    let base = try await GitSnapshot.open(
      common,
      revision: revision,
      projectRoot: projectRoot,
      allowsAbsentProject: true
    )
    let diff = ["--name-only", "--ignore-submodules=all"]
    let edited = Set(try await differences(found, from: commit, diff).map(Array.init))
    return GitChanges(
      base: base,
      projectRoot: projectRoot,
      found: found,
      edited: edited.union(try await hiddenEdits(found, base))
    )
  }

  /// Returns the parts of the output of `git diff` from a commit to the working tree.
  private static func differences(
    _ found: GitSnapshot.Located,
    from commit: String,
    _ options: [String]
  ) async throws(GitError) -> [ArraySlice<UInt8>] {
    let options = options + ["-z", "--no-renames", "--no-ext-diff", "--no-textconv", commit, "--"]
    let settings = ["diff.relative=false"]
    return try await found.git.output(of: "diff", options, settings: settings).split(separator: 0)
  }

  private static func commonCommit(_ found: GitSnapshot.Located, _ revision: String)
    async throws(GitError) -> String
  {
    let answer = try await found.git.run(["merge-base", "HEAD", found.commit])
    if answer.isSuccess {
      return String(decoding: answer.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
    // Git prints nothing if there is no common commit, and a message for any other error.
    guard answer.errors.isEmpty else {
      throw found.git.failure("merge-base", answer.status, answer.errors)
    }
    let shallow = try await found.git.run(["rev-parse", "--is-shallow-repository"])
    throw .noCommonCommit(
      revision: revision,
      isShallow: shallow.bytes.starts(with: "true".utf8)
    )
  }

  // MARK: The whole repository

  /// A file of the repository that differs from the last common commit.
  package struct Difference: Hashable, Sendable {
    /// The path from the top of the repository.
    package var path: String
    /// True if the file is and was a regular file that is not executable, or did not exist.
    package var isPlain: Bool
    package var isTracked = true
  }

  /// The project's folder from the top of the repository.
  package var folder: ProjectPath { ProjectPath(String(decoding: found.prefix, as: UTF8.self)) }

  /// Returns all files of the repository that differ from the last common commit.
  ///
  /// Untracked files are included, but not those that git ignores: a commit cannot contain them.
  ///
  /// - Throws: ``GitError`` if git cannot list the files.
  package func differences() async throws(GitError) -> [Difference] {
    let diff = ["--raw", "--ignore-submodules=none"]
    let fields = try await Self.differences(found, from: base.commit, diff).map {
      String(decoding: $0, as: UTF8.self)
    }
    // Each entry is a field ":MODE MODE ID ID STATUS" and a field with the path.
    var differences = stride(from: 0, to: fields.count - 1, by: 2).map { index in
      let modes = fields[index].dropFirst().split(separator: " ").prefix(2)
      return Difference(
        path: fields[index + 1],
        isPlain: modes.allSatisfy { ["000000", "100644"].contains($0) }
      )
    }
    let others = ["--others", "--exclude-standard", "--full-name", "-z", "--", ":/"]
    let untracked = try await found.git.output(of: "ls-files", others)
    let known = Set(differences.map(\.path))
    let added = untracked.split(separator: 0).map { (path: Array($0), isTracked: false) }
    for (path, isTracked) in added + edited.map({ ($0, true) }) {
      let text = String(decoding: path, as: UTF8.self)
      if known.contains(text) { continue }
      let isPlain = base.isFileOnDisk(path)
      differences.append(Difference(path: text, isPlain: isPlain, isTracked: isTracked))
    }
    return differences.sorted { $0.path < $1.path }
  }

  // MARK: Hidden edits

  /// The maximum number of paths in one command line.
  private static let mostPaths = 500

  /// Returns the edited files that `git diff` does not report, because they are marked as
  /// skip-worktree or assume-unchanged.
  private static func hiddenEdits(_ found: GitSnapshot.Located, _ base: GitSnapshot)
    async throws(GitError) -> [[UInt8]]
  {
    let directory = DiskFileSystem(root: found.gitDirectory)
    if let index = try? directory?.read(ProjectPath("index")),
      !GitIndexFlags.mayHideEdits(index, idBytes: found.commit.utf8.count / 2)
    {
      return []
    }
    // A line is a letter, a space and the path.
    let marked = try await found.git.output(of: "ls-files", ["-v", "-z"]).split(separator: 0).filter
    { line in
      line.first == UInt8(ascii: "S")
        || line.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } == true
    }.map { Array($0.dropFirst(2)) }
    // In a sparse checkout, marked files are usually missing.
    let present = marked.filter { base.object(inRepository: $0) != nil && base.isFileOnDisk($0) }
    var edited: [[UInt8]] = []
    for start in stride(from: 0, to: present.count, by: mostPaths) {
      let paths = Array(present[start..<min(start + mostPaths, present.count)])
      let names = paths.map { String(decoding: $0, as: UTF8.self) }
      let answer = try await found.git.run(["hash-object", "--"] + names)
      let ids = answer.bytes.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      }
      // Git stops at a file that it cannot read. The files from there on count as edited.
      for (index, path) in paths.enumerated()
      where index >= ids.count || base.object(inRepository: path) != ids[index] {
        edited.append(path)
      }
    }
    return edited
  }

  // MARK: Git's own directory

  /// Returns a file of Sluice in git's own directory, which no commit can contain.
  ///
  /// Each working tree, and each project in it, has its own file.
  ///
  /// - Parameter name: The name of the file.
  /// - Returns: The directory and the path of the file in it; `nil` if there is no such directory.
  package func privateFile(_ name: String) -> (files: DiskFileSystem, path: ProjectPath)? {
    DiskFileSystem(root: found.gitDirectory).map { files in
      (files, ProjectPath("sluice/\(found.folder)\(name)"))
    }
  }

  // MARK: Comparing

  /// Returns the change of the file that was read at a path, or `nil` if it did not change.
  ///
  /// A folder's list of names never counts as a change, because each file that was read has its own
  /// entry.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - entry: The observation at the path: names in a folder, contents, or the file's kind.
  /// - Returns: The change of the file.
  package func change(at path: ProjectPath, _ entry: FileListing.Entry) -> Change? {
    switch entry {
    case .names: nil
    case .contents: contentChange(at: path)
    case .kind(let kind): kindChange(at: path, kind)
    }
  }

  /// Returns a text that differs for different contents of a file.
  ///
  /// - Parameter path: The path.
  /// - Returns: The id of git's object if git knows that the file is unchanged. `nil` if the file
  ///   must be read to find out, or if there is no file.
  package func knownContent(of path: ProjectPath) -> String? {
    guard let real = realPath(path),
      let inside = base.pathInRepository(ofDisk: real), !edited.contains(inside)
    else { return nil }
    return base.object(inRepository: inside)
  }

  /// Returns the absolute path of a file without links; `nil` if there is no file.
  private func realPath(_ path: ProjectPath) -> String? {
    DiskFileSystem.realPath(
      path.description.hasPrefix("/") ? path.description : "\(projectRoot)/\(path)"
    )
  }

  private func contentChange(at path: ProjectPath) -> Change? {
    let before = base.object(at: path)
    guard let real = realPath(path) else {
      return before == nil ? nil : .removed
    }
    guard let inside = base.pathInRepository(ofDisk: real) else { return .outside }
    guard let before else {
      guard isFile(real) else { return nil }
      return base.isInSubmodule(inside) ? .submodule : .added
    }
    if edited.contains(inside) { return .edited }
    // A link may now lead to another file. Git then reports only the link as changed.
    return base.object(inRepository: inside) == before ? nil : .edited
  }

  /// Compares the kind of a file whose content was not read.
  private func kindChange(at path: ProjectPath, _ kind: FileKind) -> Change? {
    let before = base.kind(of: path)
    if kind == before { return nil }
    return switch (before, kind) {
    // Git does not track folders, only the files in them.
    case (.missing, .folder), (.folder, .missing): nil
    case (.missing, _): isInSubmodule(path) ? .submodule : .added
    case (_, .missing): .removed
    default: .edited
    }
  }

  private func isInSubmodule(_ path: ProjectPath) -> Bool {
    guard let real = realPath(path), let inside = base.pathInRepository(ofDisk: real) else {
      return false
    }
    return base.isInSubmodule(inside)
  }

  private func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }
}
