/// The parser of the output of `git cat-file --batch`, which arrives in parts of any size.
struct GitObjectReader: Sendable {
  enum Object: Hashable, Sendable {
    case bytes([UInt8])
    /// The object is larger than the limit.
    case tooLarge
    /// The object is not in the repository.
    case missing
    /// Git cannot unpack the object.
    case damaged
  }

  /// The objects read so far, in the order of the request.
  private(set) var objects: [Object] = []
  /// True if the output received so far ends within an object.
  var isWithinObject: Bool { size != nil }

  private let maximumBytes: Int
  private var header: [UInt8] = []
  private var content: [UInt8] = []
  private var size: Int?
  /// The number of bytes still to come, including the line feed after the content.
  private var missing = 0

  init(maximumBytes: Int) {
    self.maximumBytes = maximumBytes
  }

  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let size else {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        header.append(contentsOf: rest[..<(end ?? rest.endIndex)])
        guard let end else { return }
        rest = rest[(end + 1)...]
        begin()
        continue
      }
      let part = rest.prefix(missing)
      missing -= part.count
      rest = rest.dropFirst(part.count)
      if size <= maximumBytes { content.append(contentsOf: part.prefix(size - content.count)) }
      if missing == 0 { end(size) }
    }
  }

  /// Reads a line `object type size` or `object missing`.
  private mutating func begin() {
    let words = String(decoding: header, as: UTF8.self).split(separator: " ")
    header.removeAll(keepingCapacity: true)
    guard words.count == 3, let size = Int(words[2]) else {
      objects.append(.missing)
      return
    }
    self.size = size
    missing = size + 1
    if size <= maximumBytes { content.reserveCapacity(size) }
  }

  private mutating func end(_ size: Int) {
    objects.append(size <= maximumBytes ? .bytes(content) : .tooLarge)
    content = []
    self.size = nil
  }
}
