import SluiceSupport

/// The location of a trial's line in a run log, and of the texts in it that are not in memory.
@usableFromInline
package struct RunLogPlace: Hashable, Sendable {
  /// The offset of the line in the file.
  var start: Int
  /// The length of the line without its end.
  var length: UInt32
  /// The range of the `scores` value in the line.
  var scores: Range<UInt32>
  /// The range of the `text` value in the line; empty if there is none.
  var text: Range<UInt32>
}
