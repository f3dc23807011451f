import SluiceSupport

extension CaseLine {
  /// The structure of an input that consists only of nonempty texts.
  ///
  /// The inputs of a dataset usually have the same member names and differ only in their texts. An
  /// input of the same form can be read directly from its bytes. An input with an empty text has
  /// another form, because an empty text hides a section of a prompt. An input with other member
  /// names has another form, too, because it supplies other variables to the prompt.
  struct InputForm {
    /// The names of the members, in the order of canonical JSON.
    private let names: [[UInt8]]

    /// Creates the form of an input from its canonical JSON.
    ///
    /// Nil if the input is not an object of nonempty texts, or if its members are not in the order
    /// of canonical JSON.
    init?(_ input: JSONValue, canonical: UnsafeBufferPointer<UInt8>) {
      guard case .object(let object) = input, !object.members.isEmpty,
        object.members.allSatisfy({ $0.value.string?.isEmpty == false }),
        JSONWriter.line(input).elementsEqual(canonical)
      else { return nil }
      names = object.members.map { Array($0.name.utf8) }
    }

    /// Reads the next input if it has this form.
    ///
    /// - Parameters:
    ///   - reader: The reader, which does not advance if the input has another form.
    ///   - canonical: Set to the input's canonical JSON.
    /// - Returns: True if the input has this form.
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
