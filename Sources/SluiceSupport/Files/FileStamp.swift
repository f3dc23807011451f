/// What tells a file from what it was before, without reading it.
package struct FileStamp: Hashable, Sendable {
  package var kind: FileKind
  /// In bytes.
  package var size = 0
  /// When it was written last, in nanoseconds since 1970; 0 where that is not known.
  package var modified = 0
  /// What differs when a new file takes the name: its number on its disk, or a checksum of its bytes.
  package var identity: [UInt64] = []

  package init(_ kind: FileKind) { self.kind = kind }
}
