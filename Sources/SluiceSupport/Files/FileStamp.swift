/// The attributes of a file that reveal a change without reading it.
package struct FileStamp: Hashable, Sendable {
  package var kind: FileKind
  /// The size in bytes.
  package var size = 0
  /// The modification time in nanoseconds since 1970; 0 if unknown.
  package var modified = 0
  /// A value that changes when a new file takes the name: its inode, or a checksum of its bytes.
  package var identity: [UInt64] = []

  package init(_ kind: FileKind) { self.kind = kind }
}
