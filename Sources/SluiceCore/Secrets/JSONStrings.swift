import SluiceSupport

/// The strings in a JSON text, with their positions.
///
/// The positions allow replacing a string without changing other bytes. If several members have the
/// same name, all of them are found. A truncated text still yields the strings before the cut.
struct JSONStrings {
  /// A string of the text.
  struct Found {
    /// The bytes between the quotation marks, as written.
    var range: Range<Int>
    /// True if the string contains escapes.
    var hasEscapes: Bool
    /// True if the string is the name of a member.
    var isName: Bool
    /// The names and indices that lead to the string.
    ///
    /// For the name of a member, the path leads to the object that has the member.
    var path: [Step]
    /// The index in ``JSONStrings/logprobs`` of the innermost value that contains the string; nil
    /// if there is none.
    var logprobs: Int?
    /// The index in ``holders`` of the object or list that contains the string.
    var holder: Int?

    /// True for a piece of a streamed body on a line of a recordings file.
    ///
    /// Bytes that are not text are the third element of a piece, in base64.
    var isPieceOfStream: Bool {
      path.count == 4 && path.prefix(2) == [.name("response"), .name("events")]
        && (path[3] == .index(1) || path[3] == .index(2))
    }
  }

  /// An object or a list that contains strings.
  struct Holder {
    /// The enclosing object or list; `nil` for a top-level value.
    var parent: Int?
    /// The step from the enclosing object or list to this one.
    var step: Step?
    /// The values of the object's members such as `index` and `output_index`, which number the parts
    /// of a stream.
    var numbers: [Int] = []
    /// True if the object's member `thought` is true: its text is not the visible answer.
    var isThought = false
  }

  /// A step from a value to a value inside of it.
  enum Step: Hashable {
    case name(String)
    case index(Int)

    var isIndex: Bool { if case .index = self { true } else { false } }
  }

  private(set) var strings: [Found] = []
  /// The offset at which the text stops being JSON, or the end of the text.
  private(set) var end: Int
  /// The ranges of the `logprobs` values, in the order in which they start.
  private(set) var logprobs: [Range<Int>] = []
  /// The objects and lists, in the order in which they start.
  private(set) var holders: [Holder] = []

  private struct Container {
    var isObject: Bool
    var name: String?
    var index = 0
    var logprobs: Int?
    var startsLogprobs: Int?
    var holder: Int
    var step: Step? { isObject ? name.map(Step.name) : .index(index) }
  }

  /// Reads the strings in a range of bytes that contains consecutive JSON values.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    end = range.upperBound
    var stack: [Container] = []
    var index = range.lowerBound

    func path() -> [Step] {
      stack.compactMap(\.step)
    }

    scan: while index < range.upperBound {
      let byte = bytes[index]
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ":"): index += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        var container = Container(
          isObject: byte == UInt8(ascii: "{"),
          logprobs: stack.last?.logprobs,
          holder: holders.count
        )
        holders.append(Holder(parent: stack.last?.holder, step: stack.last?.step))
        if stack.last?.name == "logprobs" {
          container.startsLogprobs = logprobs.count
          container.logprobs = logprobs.count
          logprobs.append(index..<range.upperBound)
        }
        stack.append(container)
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let container = stack.popLast() else { break scan }
        index += 1
        if let number = container.startsLogprobs {
          logprobs[number] = logprobs[number].lowerBound..<index
        }
      case UInt8(ascii: ","):
        if let last = stack.indices.last {
          stack[last].name = nil
          stack[last].index += 1
        }
        index += 1
      case UInt8(ascii: "\""):
        guard let string = Self.string(bytes, from: index + 1, to: range.upperBound) else {
          break scan
        }
        var next = string.range.upperBound + 1
        while next < range.upperBound, Self.isSpace(bytes[next]) { next += 1 }
        let isName =
          stack.last?.isObject == true && next < range.upperBound
          && bytes[next] == UInt8(ascii: ":")
        if isName { stack[stack.count - 1].name = nil }
        strings.append(
          Found(
            range: string.range,
            hasEscapes: string.hasEscapes,
            isName: isName,
            path: path(),
            logprobs: stack.last?.logprobs,
            holder: stack.last?.holder
          )
        )
        if isName {
          let name = bytes[string.range]
          stack[stack.count - 1].name = String(
            decoding: string.hasEscapes ? Self.unescaped(name)[...] : name,
            as: UTF8.self
          )
        }
        index = string.range.upperBound + 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let start = index
        while index < range.upperBound, Self.isLiteral(bytes[index]) { index += 1 }
        guard Self.isDelimiter(bytes, index, range) else {
          index = start
          break scan
        }
        if let name = stack.last?.name, Self.numbering.contains(name),
          let number = Int(String(decoding: bytes[start..<index], as: UTF8.self))
        {
          if let holder = stack.last?.holder { holders[holder].numbers.append(number) }
        }
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        let start = index
        while index < range.upperBound, Self.isLiteral(bytes[index]) { index += 1 }
        guard index - start <= 5, Self.isDelimiter(bytes, index, range) else {
          index = start
          break scan
        }
        if byte == UInt8(ascii: "t"), let last = stack.last, last.name == "thought" {
          holders[last.holder].isThought = true
        }
      default: break scan
      }
    }
    end = index
  }

  private static let numbering: Set<String> = [
    "index", "output_index", "content_index", "summary_index", "contentBlockIndex",
  ]

  /// Returns true if a literal may end at an index.
  private static func isDelimiter(_ bytes: [UInt8], _ index: Int, _ range: Range<Int>) -> Bool {
    index >= range.upperBound || bytes[index] <= 0x20 || bytes[index] == UInt8(ascii: ",")
      || bytes[index] == UInt8(ascii: "]") || bytes[index] == UInt8(ascii: "}")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func isLiteral(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func string(_ bytes: [UInt8], from start: Int, to end: Int)
    -> (range: Range<Int>, hasEscapes: Bool)?
  {
    var index = start
    var hasEscapes = false
    while index < end {
      if bytes[index] == UInt8(ascii: "\"") { return (start..<index, hasEscapes) }
      if bytes[index] == UInt8(ascii: "\\") {
        hasEscapes = true
        index += 1
      }
      index += 1
    }
    return nil
  }

  /// Returns the unescaped contents of a string; the unchanged contents if an escape is invalid.
  static func unescaped(_ inside: ArraySlice<UInt8>) -> [UInt8] {
    guard inside.contains(UInt8(ascii: "\\")) else { return Array(inside) }
    let quoted = [UInt8(ascii: "\"")] + inside + [UInt8(ascii: "\"")]
    guard let text = (try? JSONReader.value(quoted))?.string else { return Array(inside) }
    return Array(text.utf8)
  }

  /// Returns a text with the escapes that it needs inside of a JSON string.
  static func escaped(_ text: [UInt8]) -> [UInt8] {
    Array(JSONWriter.line(.string(String(decoding: text, as: UTF8.self))).dropFirst().dropLast())
  }
}
