import SluiceSupport

/// The location of a trial's line in a run log, and of the texts on the line that are not kept in
/// memory.
@usableFromInline
package struct RunLogPlace: Hashable, Sendable {
  /// The offset of the line in the file.
  var start: Int
  /// The length of the line, without its line break.
  var length: UInt32
  /// The range of the `scores` value on the line.
  var scores: Range<UInt32>
  /// The range of the `text` value on the line; empty if there is no text.
  var text: Range<UInt32>
}
