/// A parser that checks if a text is well-formed XML (W3C, XML 1.0, fifth edition).
///
/// Entities are not expanded.
///
/// The open elements are kept in a list, so that deeply nested elements cannot exhaust the call
/// stack.
struct XMLReader {
  /// The first error in a text, with its offset in bytes.
  struct Fault: Error, Hashable {
    var offset: Int
    var message: String
  }

  private let units: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte.
  private(set) var index: Int
  private var open: [Range<Int>] = []
  /// True after a document type was read.
  ///
  /// It may define entities, so unknown entities are then accepted.
  private var hasDocumentType = false
  /// The paths of the elements to look for, from the root, such as `["order", "number"]`.
  private let wanted: [[[UInt8]]]
  /// For each path in ``wanted``, true if it was found.
  private(set) var found: [Bool]

  init(_ units: UnsafeBufferPointer<UInt8>, at index: Int = 0, wanting wanted: [[[UInt8]]] = []) {
    self.units = units
    self.index = index
    self.wanted = wanted
    found = wanted.map { _ in false }
  }

  // MARK: Documents

  /// Reads a whole document.
  ///
  /// - Throws: The first error in the document.
  mutating func readDocument() throws(Fault) {
    skip("\u{FEFF}")
    skipSpace()
    if isAt("<?xml"), units.count > index + 5, Self.isSpace(units[index + 5]) {
      let start = index
      guard readUntil("?>") else { throw Fault(offset: start, message: "'<?xml' has no end") }
    }
    try readMiscellaneous(allowsDocumentType: true)
    guard isAt("<") else {
      throw fault(index < units.count ? "text outside the root element" : "no element")
    }
    try readElement()
    try readMiscellaneous(allowsDocumentType: false)
    if index < units.count {
      throw fault(
        isAt("<") ? "a second element after the root element" : "text after the root element"
      )
    }
  }

  private mutating func readMiscellaneous(allowsDocumentType: Bool) throws(Fault) {
    while true {
      skipSpace()
      if isAt("<!--") {
        try readComment()
      } else if isAt("<?") {
        try readInstruction()
      } else if allowsDocumentType, !hasDocumentType, isAt("<!DOCTYPE") {
        try readDocumentType()
      } else {
        return
      }
    }
  }

  private mutating func readDocumentType() throws(Fault) {
    let start = index
    var depth = 0
    hasDocumentType = true
    while index < units.count {
      switch units[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = units[index]
        index += 1
        while index < units.count, units[index] != quote { index += 1 }
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth == 0:
        index += 1
        return
      default: break
      }
      index += 1
    }
    throw Fault(offset: start, message: "'<!DOCTYPE' has no end")
  }

  // MARK: Elements

  /// Reads an element with its contents.
  ///
  /// The current position must be its `<`.
  ///
  /// - Returns: The offset just past the element.
  /// - Throws: The first error in the element.
  @discardableResult
  mutating func readElement() throws(Fault) -> Int {
    let depth = open.count
    try readStartTag()
    while open.count > depth {
      guard index < units.count else {
        let name = open.last.map(text) ?? ""
        throw fault("'<\(name)>' is not closed")
      }
      guard units[index] == UInt8(ascii: "<") else {
        try readCharacters()
        continue
      }
      switch index + 1 < units.count ? units[index + 1] : 0 {
      case UInt8(ascii: "/"): try readEndTag()
      case UInt8(ascii: "?"): try readInstruction()
      case UInt8(ascii: "!") where isAt("<!--"): try readComment()
      case UInt8(ascii: "!") where isAt("<![CDATA["):
        let start = index
        guard readUntil("]]>") else {
          throw Fault(offset: start, message: "'<![CDATA[' has no end")
        }
      default: try readStartTag()
      }
    }
    return index
  }

  private mutating func readStartTag() throws(Fault) {
    let start = index
    index += 1
    guard let name = readName() else {
      throw Fault(
        offset: start,
        message: "'<' does not start a tag here; write '&lt;' for the character itself"
      )
    }
    var attributes: [Range<Int>] = []
    while true {
      let hasSpace = skipSpace()
      guard index < units.count else { throw Fault(offset: start, message: "the tag has no end") }
      if skip("/>") {
        note(name, depth: open.count)
        return
      }
      if skip(">") {
        note(name, depth: open.count)
        open.append(name)
        return
      }
      let place = index
      guard hasSpace, let attribute = readName() else {
        throw fault("unexpected character in '<\(text(name))'")
      }
      skipSpace()
      guard skip("=") else { throw fault("the attribute '\(text(attribute))' has no value") }
      skipSpace()
      try readAttributeValue()
      // If a tag has very many attributes, a new attribute is compared only with the first of them.
      if attributes.contains(where: { units[$0].elementsEqual(units[attribute]) }) {
        throw Fault(offset: place, message: "the attribute '\(text(attribute))' appears twice")
      }
      if attributes.count < Self.comparedAttributes { attributes.append(attribute) }
    }
  }

  private static let comparedAttributes = 64

  private mutating func readAttributeValue() throws(Fault) {
    guard index < units.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(units[index]) else {
      throw fault("the value of an attribute needs quotes")
    }
    let quote = units[index]
    let start = index
    index += 1
    while index < units.count, units[index] != quote {
      if units[index] == UInt8(ascii: "<") { throw fault("'<' in the value of an attribute") }
      try readCharacter()
    }
    guard index < units.count else { throw Fault(offset: start, message: "the value has no end") }
    index += 1
  }

  private mutating func readEndTag() throws(Fault) {
    let start = index
    index += 2
    guard let name = readName() else { throw Fault(offset: start, message: "'</' without a name") }
    skipSpace()
    guard skip(">") else { throw fault("expected '>'") }
    guard let last = open.popLast() else {
      throw Fault(offset: start, message: "'</\(text(name))>' has no opening tag")
    }
    guard units[last].elementsEqual(units[name]) else {
      throw Fault(
        offset: start,
        message: "found '</\(text(name))>' while '<\(text(last))>' is open"
      )
    }
  }

  /// Records that an element was found, if its path is one of the wanted paths.
  private mutating func note(_ name: Range<Int>, depth: Int) {
    for place in wanted.indices where !found[place] && wanted[place].count == depth + 1 {
      let path = wanted[place]
      found[place] =
        units[name].elementsEqual(path[depth])
        && zip(open, path).allSatisfy { units[$0].elementsEqual($1) }
    }
  }

  // MARK: Characters

  private mutating func readCharacters() throws(Fault) {
    while index < units.count, units[index] != UInt8(ascii: "<") {
      if units[index] == UInt8(ascii: "]"), isAt("]]>") { throw fault("']]>' outside CDATA") }
      try readCharacter()
    }
  }

  private mutating func readCharacter() throws(Fault) {
    let unit = units[index]
    if unit == UInt8(ascii: "&") { return try readReference() }
    if unit < 0x20, !Self.isSpace(unit) {
      throw fault("a control character, which XML does not allow")
    }
    index += 1
  }

  private mutating func readReference() throws(Fault) {
    let start = index
    index += 1
    if skip("#") {
      let isHexadecimal = skip("x")
      let first = index
      var value: UInt32 = 0
      while index < units.count, let digit = Self.digit(units[index], isHexadecimal) {
        value = min(0x11_0000, value * (isHexadecimal ? 16 : 10) + UInt32(digit))
        index += 1
      }
      let isFine = Unicode.Scalar(value).map { $0.value >= 0x20 || $0.properties.isWhitespace }
      guard index > first, skip(";"), isFine == true else {
        throw Fault(offset: start, message: "not a character reference")
      }
      return
    }
    guard let name = readName(), skip(";") else {
      throw Fault(
        offset: start,
        message: "'&' does not start an entity here; write '&amp;' for the character itself"
      )
    }
    let known = ["amp", "lt", "gt", "quot", "apos"]
    guard hasDocumentType || known.contains(text(name)) else {
      throw Fault(offset: start, message: "unknown entity '&\(text(name));'")
    }
  }

  private static func digit(_ unit: UInt8, _ isHexadecimal: Bool) -> UInt8? {
    switch unit {
    case 0x30...0x39: unit - 0x30
    case 0x41...0x46 where isHexadecimal: unit - 0x41 + 10
    case 0x61...0x66 where isHexadecimal: unit - 0x61 + 10
    default: nil
    }
  }

  private mutating func readComment() throws(Fault) {
    let start = index
    index += 4
    while index < units.count {
      if units[index] == UInt8(ascii: "-"), isAt("--") {
        guard isAt("-->") else { throw fault("'--' in a comment") }
        index += 3
        return
      }
      index += 1
    }
    throw Fault(offset: start, message: "'<!--' has no end")
  }

  private mutating func readInstruction() throws(Fault) {
    let start = index
    index += 2
    guard let name = readName(), text(name).lowercased() != "xml", readUntil("?>") else {
      throw Fault(offset: start, message: "not a processing instruction")
    }
  }

  // MARK: Pieces

  /// Reads a name.
  ///
  /// Characters beyond ASCII are accepted without checks.
  private mutating func readName() -> Range<Int>? {
    guard index < units.count, Self.startsName(units[index]) else { return nil }
    let start = index
    while index < units.count, Self.continuesName(units[index]) { index += 1 }
    return start..<index
  }

  static func startsName(_ unit: UInt8) -> Bool {
    (0x61...0x7A).contains(unit | 0x20) || unit == UInt8(ascii: "_") || unit == UInt8(ascii: ":")
      || unit >= 0x80
  }

  private static func continuesName(_ unit: UInt8) -> Bool {
    startsName(unit) || (0x30...0x39).contains(unit) || unit == UInt8(ascii: "-")
      || unit == UInt8(ascii: ".")
  }

  private static func isSpace(_ unit: UInt8) -> Bool {
    unit == 0x20 || unit == 0x09 || unit == 0x0A || unit == 0x0D
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = index
    while index < units.count, Self.isSpace(units[index]) { index += 1 }
    return index > start
  }

  private func isAt(_ part: StaticString) -> Bool {
    UnsafeRawBufferPointer(units).hasBytes(of: part, at: index)
  }

  @discardableResult
  private mutating func skip(_ part: StaticString) -> Bool {
    guard isAt(part) else { return false }
    index += part.utf8CodeUnitCount
    return true
  }

  /// Skips everything up to and including a part.
  ///
  /// Returns false if the part does not occur.
  private mutating func readUntil(_ part: StaticString) -> Bool {
    let first = part.utf8Start.pointee
    while index < units.count {
      if units[index] == first, skip(part) { return true }
      index += 1
    }
    return false
  }

  private func text(_ range: Range<Int>) -> String {
    Excerpt.cut(String(decoding: units[range], as: UTF8.self))
  }

  private func fault(_ message: String) -> Fault { Fault(offset: index, message: message) }
}
