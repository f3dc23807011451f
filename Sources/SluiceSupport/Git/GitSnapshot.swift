import SluiceSystem

/// The files of a project in a commit of its repository.
///
/// The list of files is known from the start, but file contents have to be fetched. ``read(_:)``
/// cannot fetch contents: if a file's contents are missing, the method marks the file as wanted and
/// throws. Fetch the wanted files and read again, until nothing is left to fetch:
///
/// ```swift
/// repeat { project = load(from: snapshot) } while try await snapshot.fetchWanted()
/// ```
///
/// File contents are as git stores them, without filters (line endings, LFS, encryption).
package final class GitSnapshot: FileSystem {
  /// The revision as written by the user: a branch, a tag, `HEAD~1`.
  package let revision: String
  /// The full id of the commit.
  package let commit: String

  private typealias Bytes = GitListing.Bytes

  private let git: GitCommand
  private let listing: GitListing
  private let maximumBytes: Int
  /// The absolute path of the top of the working tree.
  private let top: [Bytes]
  private let project: [Bytes]
  /// The path of the top as the caller named it, if that path contains links.
  private let namedTop: [Bytes]?
  /// The targets of links, by their index in the listing.
  private let targets: [Int: [UInt8]]
  private let state = Locked(State())

  private enum Content {
    case bytes([UInt8])
    /// The reason why there are no contents.
    case refused(String)
  }

  private struct State {
    var contents: [String: Content] = [:]
    /// The entries that were read but whose contents were missing, in reading order.
    ///
    /// Each object is listed once.
    var wanted: [Int] = []
    var wantedObjects: Set<String> = []
  }

  private init(
    revision: String,
    commit: String,
    git: GitCommand,
    listing: GitListing,
    targets: [Int: [UInt8]],
    root: String,
    prefix: [UInt8],
    maximumBytes: Int
  ) {
    self.revision = revision
    self.commit = commit
    self.git = git
    self.listing = listing
    self.targets = targets
    self.maximumBytes = maximumBytes
    let named = Self.components(Array(ProjectPath(root).description.utf8)[...])
    let real = DiskFileSystem(root: root).map { Self.components(Array($0.root.utf8)[...]) }
    let project = Self.components(prefix[...])
    self.project = project
    top = (real ?? named).dropLast(project.count)
    let endsAlike = named.suffix(project.count).elementsEqual(project)
    namedTop = named != real && endsAlike ? named.dropLast(project.count) : nil
  }

  // MARK: Opening

  /// Finds the repository of a project and lists the files of a revision.
  ///
  /// - Parameters:
  ///   - revision: The name of a commit: a branch, a tag, an id, `HEAD~1`.
  ///   - projectRoot: The absolute path of the project's folder, which may be any folder of the
  ///     repository.
  ///   - environment: The environment of git; nil for the environment of this process.
  ///   - maximumBytes: The maximum size of a file that is read.
  /// - Returns: The files. Only the targets of links are fetched so far.
  /// - Throws: ``GitError`` if the revision does not exist, or does not contain the project.
  package static func open(
    revision: String,
    projectRoot: String,
    environment: [String: String]? = nil,
    maximumBytes: Int = FileLimits.maximumBytes
  ) async throws(GitError) -> GitSnapshot {
    try await open(
      locate(revision, from: projectRoot, environment),
      revision: revision,
      projectRoot: projectRoot,
      maximumBytes: maximumBytes
    )
  }

  /// Lists the files of a commit in a repository that was found before.
  ///
  /// - Parameters:
  ///   - found: The repository and the commit.
  ///   - revision: The revision as written by the user.
  ///   - projectRoot: The absolute path of the project's folder.
  ///   - allowsAbsentProject: True if the commit may lack the project's folder, so that the project
  ///     has no files there.
  ///   - maximumBytes: The maximum size of a file that is read.
  /// - Returns: The files.
  /// - Throws: ``GitError`` if the files cannot be listed.
  static func open(
    _ found: Located,
    revision: String,
    projectRoot: String,
    allowsAbsentProject: Bool = false,
    maximumBytes: Int = FileLimits.maximumBytes
  ) async throws(GitError) -> GitSnapshot {
    let git = found.git
    let arguments = ["ls-tree", "-r", "-z", "--full-tree", found.commit]
    let answer = try await git.run(arguments)
    guard answer.isSuccess, let listing = GitListing(answer.bytes) else {
      throw git.failure("ls-tree", answer.status, answer.errors)
    }
    if !allowsAbsentProject, !found.prefix.isEmpty, listing.find(found.prefix[...]) != .folder {
      let folder = String(decoding: found.prefix, as: UTF8.self)
      throw .projectAbsent(revision: revision, folder: folder)
    }
    return GitSnapshot(
      revision: revision,
      commit: found.commit,
      git: git,
      listing: listing,
      targets: try await linkTargets(listing, git),
      root: projectRoot,
      prefix: found.prefix,
      maximumBytes: maximumBytes
    )
  }

  struct Located {
    /// Git at the top of the repository, where no folder of the project can mislead it.
    var git: GitCommand
    var commit: String
    /// The project's folder relative to the top of the repository, without a trailing slash.
    var prefix: [UInt8]
    /// The same with a slash at the end, as text; empty for the top.
    var folder: String { prefix.isEmpty ? "" : String(decoding: prefix, as: UTF8.self) + "/" }
    /// The absolute path of git's own directory, which every linked working tree has.
    var gitDirectory: String
  }

  static func locate(
    _ revision: String,
    from folder: String,
    _ environment: [String: String]?
  ) async throws(GitError) -> Located {
    do throws(GitError) {
      let git = try GitCommand(folder: folder, variables: environment)
      return try await locate(revision, git, folder)
    } catch {
      guard case .notARepository = error, let location = location(environment) else { throw error }
      let git = try GitCommand(folder: folder, variables: environment, location: location)
      return try await locate(revision, git, folder)
    }
  }

  /// Returns GIT_DIR and GIT_WORK_TREE, which locate a repository whose `.git` is not in its
  /// working tree.
  ///
  /// Returns nil unless both variables are set. For a hook, git sets only GIT_DIR. With GIT_DIR
  /// alone, git would treat every folder as the top of the hook's repository.
  private static func location(_ environment: [String: String]?) -> [String: String]? {
    var location: [String: String] = [:]
    for name in ["GIT_DIR", "GIT_WORK_TREE"] {
      let value = environment.map { $0[name] } ?? getenv(name).map { String(cString: $0) }
      guard let value, !value.isEmpty else { return nil }
      location[name] = value.hasPrefix("/") ? value : DiskFileSystem.workingFolder + "/" + value
    }
    return location
  }

  private static func locate(_ revision: String, _ git: GitCommand, _ folder: String)
    async throws(GitError) -> Located
  {
    // As an argument, the text would end at the zero byte and name another revision.
    let isNameable = !revision.isEmpty && !revision.utf8.contains(0)
    let answer = try await git.run([
      "rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--is-shallow-repository",
      "--show-prefix", "--verify", "--end-of-options",
      (isNameable ? revision : "HEAD") + "^{commit}",
    ])
    // The output consists of lines, but the two paths may themselves contain line feeds.
    let lines = answer.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 4,
      let shallow = lines.indices.dropFirst(2).first(where: { index in
        ["true", "false"].contains { lines[index].elementsEqual($0.utf8) }
      }), shallow < lines.count - 2
    else { throw git.failure("rev-parse", answer.status, answer.errors) }
    guard lines[0].elementsEqual("true".utf8) else { throw .notARepository(folder: folder) }
    let commit = String(decoding: lines[lines.count - 2], as: UTF8.self)
    // Git also accepts "^main" and "main..other", but prints more than an id for them.
    if isNameable, answer.isSuccess, [40, 64].contains(commit.utf8.count),
      commit.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    {
      // A branch can bring a tag or a branch with the name of the base. An id means its commit.
      if revision != commit, GitCommand.isAmbiguous(answer.errors) {
        throw .ambiguousRevision(revision)
      }
      func path(_ range: Range<Int>) -> [UInt8] {
        Array(lines[range].joined(separator: [UInt8(ascii: "\n")]))
      }
      var prefix = path(shallow + 1..<lines.count - 2)
      if prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
      let top = git.atTop(prefix)
      return Located(
        git: top.git,
        commit: commit,
        prefix: top.path,
        gitDirectory: String(decoding: path(1..<shallow), as: UTF8.self)
      )
    }
    // For a missing revision, git says that it needs one, or how many entries a log has. Other
    // messages report damage.
    if isNameable, let complaint = GitCommand.complaint(answer.errors),
      !complaint.contains("but the object dereferences to"),
      !complaint.contains("Needed a single revision"), !complaint.hasPrefix("log for '")
    {
      throw git.failure("rev-parse", answer.status, answer.errors)
    }
    throw .unknownRevision(
      revision,
      known: try await knownNames(git),
      isShallow: lines[shallow].elementsEqual("true".utf8)
    )
  }

  /// Returns the short names of all branches, tags and remote branches.
  private static func knownNames(_ git: GitCommand) async throws(GitError) -> [String] {
    let answer = try await git.run([
      "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags", "refs/remotes",
    ])
    guard answer.isSuccess else { return [] }
    return String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n")
      // "refs/heads/…"
      .map { $0.split(separator: "/", maxSplits: 2).last.map(String.init) ?? "" }
      .filter { !$0.hasSuffix("/HEAD") }
  }

  /// Returns the local and remote branches of a repository that are not at the current commit.
  ///
  /// If several branches are at the same commit, only one of them is returned.
  ///
  /// - Parameter projectRoot: The absolute path of the project's folder.
  /// - Returns: The short names of the branches, sorted.
  /// - Throws: ``GitError`` if there is no repository.
  package static func branches(of projectRoot: String) async throws(GitError) -> [String] {
    let git = try await locate("HEAD", from: projectRoot, nil).git
    let format = "--format=%(HEAD) %(objectname) %(refname:short)"
    let output = try await git.output(of: "for-each-ref", [format, "refs/heads", "refs/remotes"])
    var commits: Set<Substring> = []
    var names: [String] = []
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    for line in lines.sorted(by: >) {
      // The checked-out branch has a star and comes first.
      let isHere = line.hasPrefix("*")
      let words = line.dropFirst(2).split(separator: " ", maxSplits: 1)
      guard words.count == 2, commits.insert(words[0]).inserted, !isHere else { continue }
      if !words[1].hasSuffix("/HEAD") { names.append(String(words[1])) }
    }
    return names.sorted()
  }

  private static func linkTargets(_ listing: GitListing, _ git: GitCommand)
    async throws(GitError) -> [Int: [UInt8]]
  {
    let links = (0..<listing.count).filter { listing.kind($0) == .link }
    guard !links.isEmpty else { return [:] }
    let objects = try await read(links.map(listing.object), git, maximumBytes: longestTarget)
    var targets: [Int: [UInt8]] = [:]
    for (link, object) in zip(links, objects) {
      if case .bytes(let target) = object { targets[link] = target }
    }
    return targets
  }

  /// The longest path that Linux resolves.
  private static let longestTarget = 4_095
  /// The maximum number of links that Linux follows for one file.
  private static let mostLinks = 40

  /// Reads objects by their ids or other names.
  ///
  /// Runs git once, unless some objects are damaged.
  static func read(_ ids: [String], _ git: GitCommand, maximumBytes: Int)
    async throws(GitError) -> [GitObjectReader.Object]
  {
    var fetched: [GitObjectReader.Object] = []
    while fetched.count < ids.count {
      let rest = Array(ids[fetched.count...])
      let answer = try await git.objects(rest, maximumBytes: maximumBytes)
      fetched += answer.read
      guard fetched.count < ids.count else { break }
      // Git gives up at an object that it cannot unpack. The objects after it are then requested
      // again.
      guard let next = answer.next else {
        throw git.failure("cat-file", answer.status, answer.errors)
      }
      fetched.append(next)
    }
    return fetched
  }

  // MARK: Reading

  package func read(_ path: ProjectPath) throws(FileError) -> [UInt8] {
    let reason: String
    switch resolve(path) {
    case .file(let index):
      switch content(of: index) {
      case .bytes(let bytes)?: return bytes
      case .refused(let refusal)?: reason = refusal
      case nil: reason = "not fetched yet"
      }
    case .folder: reason = "is a folder"
    case .submodule: reason = "is a submodule, and the revision does not contain its files"
    case .missing: reason = "no such file"
    case .outside: reason = "is outside the repository"
    case .loop: reason = "too many levels of symbolic links"
    }
    throw FileError(path: path, reason: reason)
  }

  /// Throws an error, since a commit is immutable.
  package func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    throw cannotBeWritten(path)
  }

  /// Throws an error, since a commit is immutable.
  package func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    throw cannotBeWritten(path)
  }

  private func cannotBeWritten(_ path: ProjectPath) -> FileError {
    FileError(path: path, reason: "is in revision '\(revision)', which cannot be written")
  }

  package func kind(of path: ProjectPath) -> FileKind {
    switch resolve(path) {
    case .file(let index): isLinkOut(path, to: listing.path(index)) ? .linkOutOfRoot : .file
    case .folder(let folder): isLinkOut(path, to: folder) ? .linkOutOfRoot : .folder
    case .outside: path.isInsideRoot ? .linkOutOfRoot : .missing
    case .submodule, .missing, .loop: .missing
    }
  }

  package func names(in folder: ProjectPath) -> [String] {
    guard case .folder(let folder) = resolve(folder) else { return [] }
    return listing.names(in: folder)
  }

  /// Returns true if a path inside the project leads through links to a part of the repository that
  /// is outside the project.
  private func isLinkOut(_ path: ProjectPath, to place: Bytes) -> Bool {
    path.isInsideRoot && !Self.components(place).starts(with: project)
  }

  /// Returns the id of the object with a file's contents; `nil` if the revision has no such file.
  ///
  /// Links are followed, so two paths that lead to one file have the same id.
  func object(at path: ProjectPath) -> String? {
    guard case .file(let index) = resolve(path) else { return nil }
    return listing.object(index)
  }

  /// Returns the id of the object at a path from the top of the repository, without following
  /// links.
  func object(inRepository path: [UInt8]) -> String? {
    guard case .file(let index) = listing.find(path[...]) else { return nil }
    return listing.object(index)
  }

  /// Returns true if a path from the top of the repository lies in a submodule.
  func isInSubmodule(_ path: [UInt8]) -> Bool {
    path.indices.contains { index in
      path[index] == UInt8(ascii: "/") && listing.find(path[..<index]) == .submodule
    }
  }

  /// Returns true if there is a file on disk, and not a link, at a path from the top of the
  /// repository.
  func isFileOnDisk(_ path: [UInt8]) -> Bool {
    var absolute: [CChar] = []
    for part in top + Self.components(path[...]) {
      absolute.append(CChar(bitPattern: UInt8(ascii: "/")))
      absolute += part.map(CChar.init(bitPattern:))
    }
    absolute.append(0)
    var status = stat()
    let code = lstat(absolute, &status)
    return code == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the path from the top of the repository for a path on disk; `nil` if the path lies
  /// outside of the repository.
  func pathInRepository(ofDisk path: String) -> [UInt8]? {
    pathInRepository(Self.components(Array(path.utf8)[...])).map(Array.init)
  }

  // MARK: Fetching

  /// Fetches all files whose contents were missing, in a single run.
  ///
  /// Call this method from one task at a time, because a second caller would fetch the same files.
  ///
  /// - Returns: True if any contents were missing. The caller should then read the files again.
  package func fetchWanted() async throws(GitError) -> Bool {
    let wanted = state.withLock { $0.wanted }
    try await fetch(wanted)
    return !wanted.isEmpty
  }

  /// Fetches all files at or below paths in a single run, ignoring paths that do not exist.
  package func prefetch(_ paths: [ProjectPath]) async throws(GitError) {
    var indices: Set<Int> = []
    var visited: Set<Bytes> = []
    var places = paths.map(resolve)
    while let place = places.popLast() {
      switch place {
      case .file(let index): indices.insert(index)
      case .folder(let folder):
        guard visited.insert(folder).inserted else { continue }
        for index in listing.indices(in: folder) {
          switch listing.kind(index) {
          case .file: indices.insert(index)
          case .link: places.append(resolve(Self.components(listing.path(index)), from: top))
          case .submodule: break
          }
        }
      case .submodule, .missing, .outside, .loop: break
      }
    }
    try await fetch(indices.sorted())
  }

  private func fetch(_ indices: [Int]) async throws(GitError) {
    var ids: [String] = []
    state.withLock { state in
      var seen: Set<String> = []
      for id in indices.lazy.map(listing.object)
      where state.contents[id] == nil && seen.insert(id).inserted {
        ids.append(id)
      }
    }
    guard !ids.isEmpty else { return }
    let objects = try await Self.read(ids, git, maximumBytes: maximumBytes)
    state.withLock { state in
      for (id, object) in zip(ids, objects) { state.contents[id] = content(of: object) }
      state.wanted.removeAll { state.contents[listing.object($0)] != nil }
      state.wantedObjects.subtract(ids)
    }
  }

  /// Returns the fetched contents of a file; if there are none, marks the file as wanted.
  private func content(of index: Int) -> Content? {
    let id = listing.object(index)
    return state.withLock { state in
      if let content = state.contents[id] { return content }
      if state.wantedObjects.insert(id).inserted { state.wanted.append(index) }
      return nil
    }
  }

  private func content(of object: GitObjectReader.Object) -> Content {
    switch object {
    case .bytes(let bytes):
      Self.isPointer(bytes)
        ? .refused("is a Git LFS pointer: its text is stored in LFS, not in git")
        : .bytes(bytes)
    case .tooLarge: .refused("larger than \(maximumBytes >> 20) MiB")
    // Git also reports an object as missing if its header is damaged.
    case .missing: .refused("is missing from the repository's objects, or is damaged there")
    case .damaged: .refused("is damaged in the repository; run git fsck to see more")
    }
  }

  /// Returns true if a text is a Git LFS pointer (Git LFS specification, version 1).
  private static func isPointer(_ bytes: [UInt8]) -> Bool {
    guard bytes.count < 1_024 else { return false }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return lines.first?.elementsEqual("version https://git-lfs.github.com/spec/v1".utf8) == true
      && lines.contains { $0.starts(with: "oid sha256:".utf8) }
  }

  // MARK: Following links

  /// The file or folder that a path leads to after links are resolved.
  private enum Place {
    case file(Int)
    /// A folder, as its path from the top of the repository.
    case folder(Bytes)
    case submodule, missing, loop
    /// A path outside of the repository.
    case outside
  }

  private func resolve(_ path: ProjectPath) -> Place {
    let bytes = Array(path.description.utf8)
    if bytes.first == UInt8(ascii: "/") { return resolve(absolute(bytes), from: []) }
    return resolve(Self.components(bytes[...]), from: top + project)
  }

  private func resolve(_ components: [Bytes], from start: [Bytes]) -> Place {
    // The path resolved so far, as components from "/". Inside the repository, it is a folder
    // without links. Outside, every path is assumed to be a folder.
    var position = start
    var rest = Array(components.reversed())
    var links = 0
    while let part = rest.popLast() {
      if part.elementsEqual(".".utf8) { continue }
      if part.elementsEqual("..".utf8) {
        _ = position.popLast()
        continue
      }
      position.append(part)
      guard let path = pathInRepository(position) else { continue }
      switch listing.find(path) {
      case .folder: break
      case .file(let index): return rest.isEmpty ? .file(index) : .missing
      case .submodule: return rest.isEmpty ? .submodule : .missing
      case .missing: return .missing
      case .link(let index):
        links += 1
        guard links <= Self.mostLinks else { return .loop }
        guard let target = targets[index], let first = target.first else { return .missing }
        // "file/" names a folder, which does not exist.
        if target.last == UInt8(ascii: "/") { rest.append([UInt8(ascii: ".")]) }
        if first == UInt8(ascii: "/") {
          position = []
          rest += absolute(target).reversed()
        } else {
          position.removeLast()
          rest += Self.components(target[...]).reversed()
        }
      }
    }
    return pathInRepository(position).map { .folder($0) } ?? .outside
  }

  /// Returns the components of an absolute path.
  ///
  /// If the path starts with ``namedTop``, that part is replaced by the real path of the top.
  private func absolute(_ path: [UInt8]) -> [Bytes] {
    let components = Self.components(path[...])
    guard let namedTop, components.starts(with: namedTop) else { return components }
    return top + components.dropFirst(namedTop.count)
  }

  private func pathInRepository(_ position: [Bytes]) -> Bytes? {
    guard position.starts(with: top) else { return nil }
    return Array(position.dropFirst(top.count).joined(separator: [UInt8(ascii: "/")]))[...]
  }

  private static func components(_ path: Bytes) -> [Bytes] {
    path.split(separator: UInt8(ascii: "/"))
  }
}
