/// The fault of a text that should be JSON, with its place.
@usableFromInline
package struct JSONSyntaxError: Error, Hashable {
  /// The offset in bytes from the start of the text.
  package var offset: Int
  package var message: String

  @usableFromInline
  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}
