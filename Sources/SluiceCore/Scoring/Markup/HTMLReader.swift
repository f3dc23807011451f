import SluiceSupport

/// A parser that reads the tags of a text as browsers do.
///
/// It knows the names of HTML elements (WHATWG, HTML Living Standard).
struct HTMLReader {
  /// The elements that have no end tag.
  private static let void: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]
  /// The elements whose end tag may be left out.
  private static let optional: Set<String> = [
    "body", "caption", "colgroup", "dd", "dt", "head", "html", "li", "optgroup", "option", "p",
    "rp", "rt", "tbody", "td", "tfoot", "th", "thead", "tr",
  ]
  /// The elements that contain only text, up to their end tag.
  private static let raw: Set<String> = ["script", "style", "textarea", "title"]
  private static let others: Set<String> = [
    "a", "abbr", "address", "article", "aside", "audio", "b", "bdi", "bdo", "blockquote", "button",
    "canvas", "center", "cite", "code", "data", "datalist", "del", "details", "dfn", "dialog",
    "div",
    "dl", "em", "fieldset", "figcaption", "figure", "font", "footer", "form", "h1", "h2", "h3",
    "h4",
    "h5", "h6", "header", "hgroup", "i", "iframe", "ins", "kbd", "label", "legend", "main", "map",
    "mark", "math", "menu", "meter", "nav", "noscript", "object", "ol", "output", "picture", "pre",
    "progress", "q", "ruby", "s", "samp", "search", "section", "select", "slot", "small", "span",
    "strong", "sub", "summary", "sup", "svg", "table", "template", "time", "u", "ul", "var",
    "video",
  ]
  private static let names = void.union(optional).union(raw).union(others)

  /// A tag.
  private struct Tag {
    var name: String
    var isEnd: Bool
    /// True for a tag that ends with `/>`.
    ///
    /// This ending closes only elements of SVG and MathML.
    var isClosed: Bool
    var range: Range<Int>
    var isKnown: Bool { HTMLReader.names.contains(name) }
  }

  private let units: UnsafeBufferPointer<UInt8>
  private var index = 0
  /// True if there is text other than white space outside of tags and comments.
  private var hasText = false

  /// Two flags, which are true if the rest of the text contains no `-->`, or no `>`.
  ///
  /// The end of a comment or document type is then not searched for again.
  private var (lacksCommentEnd, lacksBracket) = (false, false)
  /// The number of bytes that may still be read, including bytes that are read again.
  ///
  /// Text that starts like a tag but is not one is read again.
  private var budget: Int

  private init(_ units: UnsafeBufferPointer<UInt8>) {
    self.units = units
    budget = units.count * 16 + 1_000_000
  }

  /// Returns the reason why a text as a whole is not HTML; nil if it is HTML.
  ///
  /// - Throws: ``Undecided`` if too much text starts like a tag but is not one.
  static func fault(in text: String) throws(Undecided) -> String? {
    try read(text) { $0.fault() }
  }

  /// Returns true if a text contains an HTML element.
  ///
  /// - Throws: ``Undecided`` if too much text starts like a tag but is not one.
  static func isPart(of text: String) throws(Undecided) -> Bool {
    try read(text) { $0.hasElement() }
  }

  private static func read<Value>(
    _ text: String,
    _ read: (inout HTMLReader) -> Value
  ) throws(Undecided) -> Value {
    var text = text
    let (value, budget) = text.withUTF8 { units in
      var reader = HTMLReader(units)
      let value = read(&reader)
      return (value, reader.budget)
    }
    if budget < 0 {
      throw Undecided(reason: "too many parts of the answer start like a tag but are not tags")
    }
    return value
  }

  private mutating func fault() -> String? {
    var open: [String] = []
    var isHTML = false
    while true {
      hasText = false
      let tag = nextTag()
      if hasText, open.isEmpty { return "there is text outside the HTML elements" }
      guard let tag else { break }
      if tag.isKnown { isHTML = true }
      if !tag.isEnd {
        if !Self.void.contains(tag.name), !(tag.isClosed && !tag.isKnown) { open.append(tag.name) }
        continue
      }
      while let last = open.last, last != tag.name, Self.optional.contains(last) {
        open.removeLast()
      }
      guard open.popLast() == tag.name else {
        return "'</\(Excerpt.cut(tag.name))>' has no opening tag"
      }
    }
    guard isHTML else { return "it contains no HTML element" }
    return open.first { !Self.optional.contains($0) }.map {
      "'<\(Excerpt.cut($0))>' is not closed"
    }
  }

  private mutating func hasElement() -> Bool {
    var open: Set<String> = []
    while let tag = nextTag() {
      guard tag.isKnown else { continue }
      if tag.isEnd ? open.contains(tag.name) : Self.void.contains(tag.name) { return true }
      if !tag.isEnd { open.insert(tag.name) }
    }
    return false
  }

  // MARK: Reading

  private mutating func nextTag() -> Tag? {
    while index < units.count, budget >= 0 {
      guard units[index] == UInt8(ascii: "<") else {
        if units[index] > 0x20 { hasText = true }
        index += 1
        continue
      }
      if skipDeclaration() { continue }
      if let tag = readTag() {
        index = tag.range.upperBound
        if !tag.isEnd, Self.raw.contains(tag.name) { skipRaw(tag.name) }
        return tag
      }
      hasText = true
      index += 1
    }
    return nil
  }

  /// Skips a comment or a document type.
  ///
  /// Returns false if there is none at the current position.
  private mutating func skipDeclaration() -> Bool {
    guard index + 1 < units.count, units[index + 1] == UInt8(ascii: "!") else { return false }
    func starts(_ part: String) -> Bool {
      let part = part.utf8
      return index + part.count <= units.count
        && zip(units[index...], part).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
    if starts("<!--"), !lacksCommentEnd {
      var end = index + 4
      while end + 2 < units.count {
        if units[end] == 0x2D, units[end + 1] == 0x2D, units[end + 2] == UInt8(ascii: ">") {
          index = end + 3
          return true
        }
        end += 1
      }
      lacksCommentEnd = true
      return false
    }
    guard starts("<!doctype"), !lacksBracket else { return false }
    guard let end = units[index...].firstIndex(of: UInt8(ascii: ">")) else {
      lacksBracket = true
      return false
    }
    index = end + 1
    return true
  }

  private mutating func readTag() -> Tag? {
    var place = index + 1
    defer { budget -= place - index }
    let isEnd = place < units.count && units[place] == UInt8(ascii: "/")
    if isEnd { place += 1 }
    let start = place
    while place < units.count, Self.isName(units[place]) { place += 1 }
    guard place > start, place - start <= Self.longestName,
      (0x61...0x7A).contains(units[start] | 0x20)
    else { return nil }
    let name = String(decoding: units[start..<place], as: UTF8.self).lowercased()
    // A '>' in a quoted attribute does not end the tag.
    var quote: UInt8?
    var last: UInt8 = 0
    if place < units.count, units[place] > 0x20, units[place] != UInt8(ascii: "/"),
      units[place] != UInt8(ascii: ">")
    {
      return nil
    }
    let limit = min(units.count, place + Self.longestTag)
    while place < limit {
      let unit = units[place]
      if let open = quote {
        if unit == open { quote = nil }
      } else if unit == UInt8(ascii: ">") {
        return Tag(
          name: name,
          isEnd: isEnd,
          isClosed: last == UInt8(ascii: "/"),
          range: index..<place + 1
        )
      } else if unit == UInt8(ascii: "<") {
        return nil
      } else if unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "'"),
        last == UInt8(ascii: "=")
      {
        quote = unit
      }
      if unit > 0x20 { last = unit }
      place += 1
    }
    return nil
  }

  /// The maximum length of a tag's name, in bytes.
  private static let longestName = 64
  /// The maximum length of a tag, in bytes.
  private static let longestTag = 65_536

  private static func isName(_ unit: UInt8) -> Bool {
    (0x61...0x7A).contains(unit | 0x20) || (0x30...0x39).contains(unit) || unit == 0x2D
  }

  /// Skips the contents of an element that contains only text, up to its end tag.
  private mutating func skipRaw(_ name: String) {
    let part = Array("</\(name)".utf8)
    var place = index
    while place + part.count <= units.count {
      if units[place] == part[0],
        zip(units[place...], part).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
      {
        index = place
        return
      }
      place += 1
    }
    index = units.count
  }
}
