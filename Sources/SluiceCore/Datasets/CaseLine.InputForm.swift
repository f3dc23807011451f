import SluiceSupport

extension CaseLine {
  /// The form of a line's input, where it is made of texts alone, none of them empty.
  ///
  /// The inputs of a dataset differ in their words, rarely in more. What another one of the same form
  /// says is told from its bytes, and what prompts find in it is what they found before: an empty text
  /// would close a section, another member would fill a name.
  struct InputForm {
    /// The names of the members, in the order of canonical JSON.
    private let names: [[UInt8]]

    /// The form of an input with its canonical JSON; nil when it is not made of texts, or in another
    /// order than that.
    init?(_ input: JSONValue, canonical: UnsafeBufferPointer<UInt8>) {
      guard case .object(let object) = input, !object.members.isEmpty,
        object.members.allSatisfy({ $0.value.string?.isEmpty == false }),
        JSONWriter.line(input).elementsEqual(canonical)
      else { return nil }
      names = object.members.map { Array($0.name.utf8) }
    }

    /// Reads over the input that comes next, if it is of this form.
    ///
    /// - Parameters:
    ///   - reader: The reader; it stays where it is when the input is of another form.
    ///   - canonical: Set to the input's canonical JSON.
    /// - Returns: Whether the input is of this form.
    func read(_ reader: inout JSONReader, _ canonical: inout ByteBuffer) -> Bool {
      let start = reader
      var place = 0
      canonical.removeAll()
      do throws(JSONSyntaxError) {
        try reader.readMembers { reader, name throws(JSONSyntaxError) in
          guard place < names.count, !name.hasEscapes,
            names[place].withUnsafeBytes({ UnsafeRawBufferPointer(name.units).equals($0) })
          else { throw unusual }
          let text = try reader.readRawString()
          guard !text.units.isEmpty, text.isCanonical, !FileReference.isOne(text.units) else {
            throw unusual
          }
          canonical.append(place == 0 ? "{\"" : ",\"")
          canonical.append(name.units)
          canonical.append("\":\"")
          canonical.append(text.units)
          canonical.append("\"")
          place += 1
        }
      } catch {
        place = 0
      }
      canonical.append("}")
      if place == names.count { return true }
      reader = start
      return false
    }
  }
}
