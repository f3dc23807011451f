/// The flags in the index of a working tree that make git treat files as unchanged.
///
/// The format is described in gitformat-index(5). Reading the file takes less time than starting
/// git.
enum GitIndexFlags {
  /// Returns true if files may be marked as skip-worktree or assume-unchanged.
  ///
  /// The result is also true for an index that this function cannot read.
  ///
  /// - Parameters:
  ///   - index: The contents of the index file.
  ///   - idBytes: The number of bytes in the id of an object: 20 for SHA-1.
  /// - Returns: False only if no file is marked.
  static func mayHideEdits(_ index: [UInt8], idBytes: Int) -> Bool {
    index.withUnsafeBytes { bytes in
      func number(_ offset: Int, _ size: Int) -> Int {
        bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
      }
      // Version 4 compresses paths, so that entries have no simple length.
      guard bytes.count >= 12 + idBytes, number(0, 4) == 0x4449_5243, (2...3).contains(number(4, 4))
      else { return true }
      let end = bytes.count - idBytes
      var offset = 12
      for _ in 0..<number(8, 4) {
        let flagsOffset = offset + 40 + idBytes
        guard flagsOffset + 4 <= end else { return true }
        let flags = number(flagsOffset, 2)
        if flags & assumeUnchanged != 0 { return true }
        let isExtended = flags & extended != 0
        if isExtended, number(flagsOffset + 2, 2) & skipWorktree != 0 { return true }
        let name = flagsOffset + (isExtended ? 4 : 2)
        var nameEnd = name + flags & longestName
        if flags & longestName == longestName {
          // The length of a longer name is not stored.
          while nameEnd < end, bytes[nameEnd] != 0 { nameEnd += 1 }
        }
        // One to eight zero bytes follow, so that the next entry starts at a multiple of eight.
        let next = offset + (nameEnd - offset + 8) & ~7
        guard next <= end, bytes[nameEnd] == 0 else { return true }
        offset = next
      }
      while offset < end {
        guard offset + 8 <= end else { return true }
        // The extension "link" says that most entries are in another file.
        if number(offset, 4) == 0x6C69_6E6B { return true }
        offset += 8 + number(offset + 4, 4)
      }
      return offset != end
    }
  }

  private static let assumeUnchanged = 0x8000
  private static let extended = 0x4000
  private static let longestName = 0xFFF
  /// A bit of the extended flags.
  private static let skipWorktree = 0x4000
}
