import SluiceSupport

/// Where a run log has the line of a trial, and in it the texts that are not kept in memory.
@usableFromInline
package struct RunLogPlace: Hashable, Sendable {
  /// Where the line starts in the file.
  var start: Int
  /// The length of the line without its end.
  var length: UInt32
  /// Where the value of `scores` stands in the line.
  var scores: Range<UInt32>
  /// Where the value of `text` stands in the line; empty where there is none.
  var text: Range<UInt32>
}
