/// The state of files when a result was computed, kept to detect later changes.
package struct FileListing: Hashable, Sendable {
  /// The observed property of a path.
  package enum Entry: Hashable, Sendable {
    /// The kind of file at the path.
    case kind(FileKind)
    /// The contents of the file.
    case contents(FileStamp)
    /// The names in the folder, except for temporary files of editors.
    case names([String])

    /// Returns true if this entry gives more information about its path than `other` does.
    fileprivate func saysMore(than other: Entry) -> Bool {
      if case .kind = self { return false }
      if case .kind = other { return true }
      return false
    }
  }

  package private(set) var entries: [ProjectPath: Entry] = [:]

  package init() {}

  /// Records an observation of a path, unless the listing already has an entry for the path that is
  /// at least as specific.
  package mutating func note(_ path: ProjectPath, _ entry: Entry) {
    if let before = entries[path], !entry.saysMore(than: before) { return }
    entries[path] = entry
  }

  /// Forgets a path.
  package mutating func remove(_ path: ProjectPath) { entries[path] = nil }

  /// Adds the entries of another listing.
  ///
  /// If both listings have a path, the more specific entry is kept.
  package mutating func formUnion(_ other: FileListing) {
    for (path, entry) in other.entries { note(path, entry) }
  }

  /// This listing without the entries that list the names in a folder.
  ///
  /// A result depends on the files that a search found, not on the other names in the folder.
  package var withoutFolders: FileListing {
    var listing = self
    listing.entries = entries.filter { _, entry in
      if case .names = entry { false } else { true }
    }
    return listing
  }

  /// Returns this listing, but with the contents and kinds of files as an earlier listing observed
  /// them.
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

  /// The number of files that were read.
  package var fileCount: Int {
    entries.values.count { entry in
      if case .contents(let stamp) = entry { stamp.kind == .file } else { false }
    }
  }

  /// Returns a listing of the same paths in their current state.
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

  /// Returns the paths that differ from an earlier listing of the same paths, sorted.
  package func changes(since earlier: FileListing) -> [ProjectPath] {
    Set(entries.keys).union(earlier.entries.keys)
      .filter { entries[$0] != earlier.entries[$0] }.sorted()
  }

  /// Returns the names in a folder, except for the short-lived files of editors.
  package static func lasting(_ names: [String]) -> [String] {
    names.filter { name in
      !name.hasPrefix(".") && ![".tmp", ".swp", "~"].contains { name.hasSuffix($0) }
    }
  }
}
