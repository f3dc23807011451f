import SluiceSystem

/// The paths of a commit as listed by `git ls-tree -r -z`, searched without copying.
///
/// The list is sorted by the bytes of whole paths. So a path is found by binary search, and the
/// files of a folder are adjacent. For 100,000 files, creating a string for each path and a
/// dictionary for each folder would take longer than git takes to write the list.
struct GitListing: Sendable {
  typealias Bytes = ArraySlice<UInt8>

  enum Kind: Sendable {
    case file, link, submodule
  }

  /// The entry at a path, without following links.
  enum Found: Hashable, Sendable {
    case file(Int), link(Int), submodule, folder, missing
  }

  private struct Entry {
    var kind: Kind
    var object: Range<Int>
    var path: Range<Int>
  }

  private let text: [UInt8]
  private let entries: [Entry]

  /// Reads git's output; nil if it has an unexpected format.
  init?(_ text: [UInt8]) {
    guard let entries = text.withUnsafeBytes({ Self.entries($0) }) else { return nil }
    self.text = text
    self.entries = entries
  }

  var count: Int { entries.count }

  func kind(_ index: Int) -> Kind { entries[index].kind }
  func path(_ index: Int) -> Bytes { text[entries[index].path] }
  /// Returns the object id of an entry.
  func object(_ index: Int) -> String {
    String(decoding: text[entries[index].object], as: UTF8.self)
  }

  // MARK: Searching

  /// Returns the entry at a path; the empty path is the top of the repository.
  func find(_ path: Bytes) -> Found {
    if path.isEmpty { return .folder }
    let index = firstIndex(from: path)
    if index < entries.count, self.path(index) == path {
      switch entries[index].kind {
      case .file: return .file(index)
      case .link: return .link(index)
      case .submodule: return .submodule
      }
    }
    return indices(in: path).isEmpty ? .missing : .folder
  }

  /// Returns the entries in a folder, at any depth.
  func indices(in folder: Bytes) -> Range<Int> {
    if folder.isEmpty { return entries.indices }
    // "0" is the byte after "/", so it bounds all paths in the folder.
    let start = firstIndex(from: folder + [UInt8(ascii: "/")])
    return start..<firstIndex(from: folder + [UInt8(ascii: "/") + 1])
  }

  /// Returns the names of a folder's direct entries, without submodules.
  func names(in folder: Bytes) -> [String] {
    let range = indices(in: folder)
    let depth = folder.isEmpty ? 0 : folder.count + 1
    var names: [String] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let name = path(index).dropFirst(depth).prefix { $0 != UInt8(ascii: "/") }
      if name.endIndex == entries[index].path.upperBound {
        if entries[index].kind != .submodule { names.append(String(decoding: name, as: UTF8.self)) }
        index += 1
      } else {
        let inside = indices(in: path(index).prefix(depth + name.count))
        if inside.contains(where: { entries[$0].kind != .submodule }) {
          names.append(String(decoding: name, as: UTF8.self))
        }
        index = inside.upperBound
      }
    }
    return names.sorted()
  }

  /// Returns the index of the first entry whose path is not less than `path`.
  private func firstIndex(from path: Bytes) -> Int {
    text.withUnsafeBytes { text in
      path.withUnsafeBytes { path in
        var (low, high) = (0, entries.count)
        while low < high {
          let middle = (low + high) / 2
          let other = UnsafeRawBufferPointer(rebasing: text[entries[middle].path])
          if Self.isLess(other, path) { low = middle + 1 } else { high = middle }
        }
        return low
      }
    }
  }

  private static func isLess(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer)
    -> Bool
  {
    if let leftBytes = left.baseAddress, let rightBytes = right.baseAddress {
      let order = memcmp(leftBytes, rightBytes, min(left.count, right.count))
      if order != 0 { return order < 0 }
    }
    return left.count < right.count
  }

  // MARK: Reading

  /// Reads entries of the form `mode type object TAB path NUL`.
  private static func entries(_ text: UnsafeRawBufferPointer) -> [Entry]? {
    var entries: [Entry] = []
    var start = 0
    var isSorted = true
    while start < text.count {
      guard let end = offset(of: 0, in: text, from: start),
        let tab = offset(of: UInt8(ascii: "\t"), in: text, from: start), tab < end,
        let modeEnd = offset(of: UInt8(ascii: " "), in: text, from: start), modeEnd < tab,
        let typeEnd = offset(of: UInt8(ascii: " "), in: text, from: modeEnd + 1), typeEnd < tab
      else { return nil }
      let kind: Kind
      switch String(decoding: text[start..<modeEnd], as: UTF8.self) {
      case "120000": kind = .link
      case "160000": kind = .submodule
      default: kind = .file
      }
      let entry = Entry(kind: kind, object: typeEnd + 1..<tab, path: tab + 1..<end)
      if let last = entries.last, isSorted { isSorted = precedes(last, entry, in: text) }
      entries.append(entry)
      start = end + 1
    }
    // The list of a damaged tree may be unsorted, and binary search would miss its files.
    if !isSorted { entries.sort { precedes($0, $1, in: text) } }
    return entries
  }

  private static func precedes(_ left: Entry, _ right: Entry, in text: UnsafeRawBufferPointer)
    -> Bool
  {
    isLess(
      UnsafeRawBufferPointer(rebasing: text[left.path]),
      UnsafeRawBufferPointer(rebasing: text[right.path])
    )
  }

  private static func offset(of byte: UInt8, in text: UnsafeRawBufferPointer, from start: Int)
    -> Int?
  {
    guard start < text.count, let base = text.baseAddress,
      let found = memchr(base + start, CInt(byte), text.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
