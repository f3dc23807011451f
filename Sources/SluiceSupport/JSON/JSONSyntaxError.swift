/// A syntax error in a JSON text, with its position.
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
