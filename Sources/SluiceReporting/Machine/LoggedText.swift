import SluiceGating

extension RunLogReader.Texts {
  /// Gives the text of the answer to a closure as it is without quotes and escapes; an empty one where
  /// there is none.
  func withText(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    let quoted = text.assumingMemoryBound(to: UInt8.self)
    let units = UnsafeBufferPointer(rebasing: quoted.dropFirst().dropLast())
    guard UnsafeRawBufferPointer(units).firstOffset(of: UInt8(ascii: "\\")) != nil else {
      return body(units)
    }
    var meaning = ByteBuffer(capacity: units.count)
    JSONReader.RawString(canonical: units).appendMeaning(to: &meaning)
    body(meaning.units)
  }
}
