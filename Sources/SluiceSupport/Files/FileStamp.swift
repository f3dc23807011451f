/// The attributes of a file that reveal a change, so that the file need not be read.
package struct FileStamp: Hashable, Sendable {
  package var kind: FileKind
  /// The size in bytes.
  package var size = 0
  /// The modification time in nanoseconds since 1970; 0 if unknown.
  package var modified = 0
  /// A value that changes if a new file replaces this file under the same name: the inode, or a
  /// checksum of the bytes.
  package var identity: [UInt64] = []

  package init(_ kind: FileKind) { self.kind = kind }
}
