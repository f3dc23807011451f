/// What files looked like when something was made of them, to tell later whether they still do.
package struct FileListing: Hashable, Sendable {
  /// What was asked about a path.
  package enum Entry: Hashable, Sendable {
    /// Whether there is anything at the path.
    case kind(FileKind)
    /// What the file holds.
    case contents(FileStamp)
    /// What is in the folder, without what editors put there while they save.
    case names([String])

    /// Whether it says more about a path than another entry does.
    fileprivate func saysMore(than other: Entry) -> Bool {
      if case .kind = self { return false }
      if case .kind = other { return true }
      return false
    }
  }

  package private(set) var entries: [ProjectPath: Entry] = [:]

  package init() {}

  /// Notes what was seen at a path, unless as much was seen there before.
  package mutating func note(_ path: ProjectPath, _ entry: Entry) {
    if let before = entries[path], !entry.saysMore(than: before) { return }
    entries[path] = entry
  }

  /// Forgets a path.
  package mutating func remove(_ path: ProjectPath) { entries[path] = nil }

  /// Adds what another listing has; what was seen first counts.
  package mutating func formUnion(_ other: FileListing) {
    for (path, entry) in other.entries { note(path, entry) }
  }

  /// The listing without what is in folders, which says what else there is but is no part of what was
  /// made.
  package var withoutFolders: FileListing {
    var listing = self
    listing.entries = entries.filter { _, entry in
      if case .names = entry { false } else { true }
    }
    return listing
  }

  /// The listing with the paths as they were seen earlier, where they were.
  package func asSeen(in earlier: FileListing) -> FileListing {
    var listing = self
    for (path, entry) in entries {
      switch (entry, earlier.entries[path]) {
      case (.contents, .contents(let stamp)?): listing.entries[path] = .contents(stamp)
      case (.kind, .kind(let kind)?): listing.entries[path] = .kind(kind)
      default: break
      }
    }
    return listing
  }

  /// How many files were read.
  package var fileCount: Int {
    entries.values.count { entry in
      if case .contents(let stamp) = entry { stamp.kind == .file } else { false }
    }
  }

  /// What the same paths look like now.
  package func now(in files: any FileSystem) -> FileListing {
    var listing = self
    listing.entries = [:]
    for (path, entry) in entries {
      switch entry {
      case .kind: listing.entries[path] = .kind(files.kind(of: path))
      case .contents: listing.entries[path] = .contents(files.stamp(of: path))
      case .names: listing.entries[path] = .names(Self.lasting(files.names(in: path)))
      }
    }
    return listing
  }

  /// The paths that look otherwise than in an earlier listing of the same paths, sorted.
  package func changes(since earlier: FileListing) -> [ProjectPath] {
    Set(entries.keys).union(earlier.entries.keys)
      .filter { entries[$0] != earlier.entries[$0] }.sorted()
  }

  /// The names of a folder without those of files that last as long as an editor saves.
  package static func lasting(_ names: [String]) -> [String] {
    names.filter { name in
      !name.hasPrefix(".") && ![".tmp", ".swp", "~"].contains { name.hasSuffix($0) }
    }
  }
}
