import SluiceGating

extension RunLogReader.Texts {
  /// Decodes the answer's text and passes it to a closure; the text is empty if there is no answer.
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
