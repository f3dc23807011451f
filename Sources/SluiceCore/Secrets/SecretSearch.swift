import SluiceSupport

/// A search for secrets in all layers of encoding, which replaces them with placeholders.
///
/// Detection and redaction use the same code, so that their results always agree.
struct SecretSearch {
  private let known: KnownSecrets
  private(set) var findings: [SecretFinding] = []
  /// The number of bytes that may still be decoded.
  private var budget = Self.limit

  /// The maximum number of bytes that are decoded, in all layers together.
  ///
  /// This equals the maximum size of a response.
  private static let limit = 16 << 20
  /// The maximum number of layers of encoding.
  private static let maximumDepth = 8
  /// The minimum length of a secret.
  private static let minimumLength = 6

  init(known: KnownSecrets) { self.known = known }

  /// The location of a text in the input, and the role of the text.
  struct Place {
    var path: [JSONStrings.Step] = []
    var header: String?
    var event: Int?
    var encodings: [String] = []
    var reading: SecretReading
    /// The name of the member or header that has the text as its value.
    var name: String?
    /// The offset of the text in the input.
    var offset = 0
    /// True if the bytes of the text appear unchanged in the input.
    var isExact = true

    /// Returns the location of a part of the text that must be decoded.
    func through(_ encoding: String, at start: Int) -> Place {
      var place = self
      place.encodings.append(encoding)
      if isExact { place.offset += start }
      place.isExact = false
      return place
    }

    var words: String {
      var words = path.map { step in
        switch step {
        case .name(let name): name
        case .index(let index): String(index)
        }
      }.joined(separator: ".")
      if let header { words = "the header \(header)" + (words.isEmpty ? "" : ", \(words)") }
      if let event { words = "event \(event)" + (words.isEmpty ? "" : ", \(words)") }
      return words
    }
  }

  /// The result of searching a text.
  enum Outcome: Equatable {
    /// No secret was found.
    case clean
    /// The text, with placeholders in place of secrets.
    case replaced([UInt8])
    /// A placeholder in place of the whole text, because a part of the text cannot be replaced.
    case whole([UInt8])

    var bytes: [UInt8]? {
      switch self {
      case .clean: nil
      case .replaced(let bytes), .whole(let bytes): bytes
      }
    }
  }

  /// Searches a text.
  mutating func examine(_ bytes: [UInt8], at place: Place) -> Outcome {
    guard bytes.count >= Self.minimumLength, place.encodings.count < Self.maximumDepth else {
      return .clean
    }
    if Gzip.mayBeCompressed(bytes) {
      let outcome = examineCompressed(bytes, at: place)
      if outcome != .clean { return outcome }
    }
    let isNamed = place.name.map { Self.isTelling($0) && place.reading != .judged } ?? false
    let isDue = isNamed || place.reading == .line || mayHoldSecret(bytes)
    let events = EventPlaces(bytes).events
    // A secret may be split over several pieces of a text, even if no single piece contains a
    // secret.
    if let joined = withoutSecretsInPieces(bytes, events, isDue: isDue, at: place) {
      let others = examineParts(joined, EventPlaces(joined).events, at: place)
      return .replaced(others.applied(to: joined))
    }
    let edits = isDue ? examineParts(bytes, events, at: place) : Edits()
    return edits.isEmpty ? .clean : .replaced(edits.applied(to: bytes))
  }

  func mayHoldSecret(_ bytes: [UInt8]) -> Bool {
    SecretPrefilter.mayHoldSecret(bytes)
      || bytes.withUnsafeBufferPointer { known.isPresent(in: $0) }
  }

  private static func isTelling(_ name: String) -> Bool {
    ![.none, .harmless].contains(SecretNames.hint(name.utf8))
  }

  /// Returns true if bytes are text: well-formed UTF-8 without control characters other than white
  /// space.
  static func isText(_ bytes: [UInt8]) -> Bool {
    !bytes.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 || $0 == 0x7F }
      && UTF8Text.firstInvalidByte(in: bytes) == nil
  }

  private mutating func report(
    _ kind: SecretKind,
    _ secret: [UInt8],
    at place: Place,
    offset: Int,
    encoding: String? = nil
  ) -> [UInt8] {
    findings.append(
      SecretFinding(
        kind: kind,
        place: place.words,
        encodings: place.encodings + (encoding.map { [$0] } ?? []),
        excerpt: SecretFinding.excerpt(secret),
        offset: place.offset + (place.isExact ? offset : 0)
      )
    )
    return SecretPlaceholder.text(kind, for: secret)
  }

  // MARK: Compressed data

  private mutating func examineCompressed(_ bytes: [UInt8], at place: Place) -> Outcome {
    switch Gzip.inflate(bytes, limit: budget) {
    case .notCompressed: return .clean
    case .tooLarge: return .whole(report(.unseen, bytes, at: place, offset: 0))
    case .bytes(let inflated):
      budget -= inflated.count
      switch examine(inflated, at: place.through("gzip", at: 0)) {
      case .clean: return .clean
      case .whole(let placeholder): return .whole(placeholder)
      case .replaced(let rewritten):
        guard Gzip.compress(inflated) == bytes else {
          return .whole(SecretPlaceholder.text(findings.last?.kind ?? .random, for: bytes))
        }
        return .replaced(Gzip.compress(rewritten))
      }
    }
  }

  // MARK: Events and JSON

  /// Searches each part of a text separately.
  mutating func examineParts(
    _ bytes: [UInt8],
    _ events: [[Range<Int>]],
    at place: Place
  ) -> Edits {
    var edits = Edits()
    var start = 0
    for (number, lines) in events.enumerated() {
      let data = EventData(bytes, lines)
      guard Self.startsJSON(data.bytes, in: data.range) else { continue }
      examineRest(bytes, in: start..<lines[0].lowerBound, at: place, edits: &edits)
      var inside = place
      inside.event = number + 1
      inside.name = nil
      start = examineJSON(data, at: inside, edits: &edits)
    }
    examineRest(bytes, in: start..<bytes.count, at: place, edits: &edits)
    return edits
  }

  /// Searches the text before, between and after the events.
  private mutating func examineRest(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) {
    var start = range.lowerBound
    // Most events are separated only by the `data:` label of the next event.
    if range.count <= 12, bytes[range].filter({ $0 > 0x20 }).elementsEqual("data:".utf8) { return }
    let content = min(bytes.withoutByteOrderMark.startIndex, range.upperBound)..<range.upperBound
    if start == 0, Self.startsJSON(bytes, in: content) {
      start = examineJSON(EventData(bytes, [content]), at: place, edits: &edits)
    }
    if start < range.upperBound {
      examineText(bytes, in: start..<range.upperBound, at: place, edits: &edits)
    }
  }

  static func startsJSON(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
    guard let first = bytes[range].first(where: { $0 > 0x20 }) else { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Searches the JSON values at the start of a text, and returns the offset in the body at which
  /// the values end.
  private mutating func examineJSON(_ data: EventData, at place: Place, edits: inout Edits) -> Int {
    let strings = JSONStrings(data.bytes, in: data.range)
    let pieces = place.reading == .line ? strings.strings.filter(\.isPieceOfStream) : []
    if let first = pieces.first {
      // The pieces of a recorded stream are one body, which may be cut anywhere.
      var inside = place
      inside.path += first.path.prefix(2)
      inside.reading = .response
      inside.offset += data.place(of: first.range).lowerBound
      inside.isExact = false
      _ = examine(
        pieces.flatMap { piece in
          let text = JSONStrings.unescaped(data.bytes[piece.range])
          return piece.path.last == .index(2) ? LooseBase64(text[...])?.bytes ?? text : text
        },
        at: inside
      )
    }
    for string in strings.strings
    where string.range.count >= Self.minimumLength && !(string.isPieceOfStream && !pieces.isEmpty) {
      var inside = place
      inside.path += string.path
      inside.reading = string.isName ? .judged : place.reading.inside(string.path)
      inside.name = nil
      if !string.isName {
        // The first two names on a line are those of the line, and not of a response or header.
        for case .name(let name) in string.path.dropFirst(place.reading == .line ? 2 : 0).reversed()
        {
          inside.name = name
          break
        }
      }
      let range = data.place(of: string.range)
      if place.isExact { inside.offset += range.lowerBound }
      // After an escape, offsets in the unescaped text are not exact.
      if string.hasEscapes { inside.isExact = false }
      let text = JSONStrings.unescaped(data.bytes[string.range])
      if let rewritten = examine(text, at: inside).bytes { edits[range] = rewritten }
    }
    return data.place(of: strings.end..<strings.end).lowerBound
  }

  // MARK: Plain text

  private mutating func examineText(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) {
    let isWhole = range.count == bytes.count
    let text = isWhole ? bytes : Array(bytes[range])
    var found = SecretText(
      text,
      name: isWhole ? place.name : nil,
      isJudged: place.reading == .judged,
      known: known
    ).matches
    // A value that only looks random may be encoded. Its decoded form is then searched instead.
    if found.count == 1, found[0].kind == .random, found[0].range == text.indices,
      let decoded = LooseBase64(text[...])?.bytes,
      Gzip.mayBeCompressed(decoded) || Self.isText(decoded)
    {
      found = []
    }
    var rest = range.lowerBound
    for match in found {
      let (start, end) = (
        range.lowerBound + match.range.lowerBound, range.lowerBound + match.range.upperBound
      )
      let placeholder = report(
        match.kind,
        match.secret,
        at: place,
        offset: start,
        encoding: match.encoding
      )
      edits.replace(start..<end, by: placeholder)
      examineEncoded(bytes, in: rest..<start, at: place, edits: &edits)
      rest = end
    }
    examineEncoded(bytes, in: rest..<range.upperBound, at: place, edits: &edits)
  }

  /// Searches the encoded parts of a text.
  private mutating func examineEncoded(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) {
    if examineWrapped(bytes, in: range, at: place, edits: &edits) { return }
    var index = range.lowerBound
    while index < range.upperBound {
      let start = index
      var hasEscapes = false
      var hasReferences = false
      var hasBackslash = false
      while index < range.upperBound, Self.isInRun(bytes[index]) {
        if bytes[index] == UInt8(ascii: "&") { hasReferences = true }
        if bytes[index] == UInt8(ascii: "\\") { hasBackslash = true }
        if bytes[index] == UInt8(ascii: "%"), index + 2 < range.upperBound,
          PercentEncoding.digit(bytes[index + 1]) != nil,
          PercentEncoding.digit(bytes[index + 2]) != nil
        {
          hasEscapes = true
        }
        index += 1
      }
      if hasEscapes {
        let (run, name) = (bytes[start..<index], "percent-encoding")
        let decoded = PercentEncoding.decoded(run)
        examine(decoded, of: name, bytes, in: start..<index, at: place, edits: &edits) {
          PercentEncoding.encoded($0, leaving: Set(run))
        }
      }
      if hasReferences, let decoded = HTMLEntities.decoded(bytes[start..<index]) {
        examine(decoded, of: "HTML entities", bytes, in: start..<index, at: place, edits: &edits)
      }
      if hasBackslash {
        let decoded = JSONStrings.unescaped(bytes[start..<index])
        examine(decoded, of: "JSON escapes", bytes, in: start..<index, at: place, edits: &edits)
      }
      if index == start { index += 1 }
    }
    index = range.lowerBound
    while index < range.upperBound {
      let start = index
      while index < range.upperBound, SecretText.isBase64(bytes[index]) { index += 1 }
      while index > start, index < range.upperBound, bytes[index] == UInt8(ascii: "=") {
        index += 1
      }
      if index - start >= 16 {
        examineHexadecimal(bytes, in: start..<index, at: place, edits: &edits)
        examineBase64(bytes, in: start..<index, at: place, edits: &edits)
      }
      if index == start { index += 1 }
    }
  }

  /// Returns true if a byte may belong to an escaped text: it is not white space, a quotation mark
  /// or an angle bracket.
  private static func isInRun(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "<")
      && byte != UInt8(ascii: ">")
  }

  /// Searches the decoded form of a range.
  ///
  /// A character can be written in several ways. If the text cannot be encoded back unchanged, the
  /// range is replaced as a whole.
  ///
  /// - Returns: True if a secret was found.
  @discardableResult
  private mutating func examine(
    _ decoded: [UInt8],
    of encoding: String,
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits,
    encode: (([UInt8]) -> [UInt8])? = nil
  ) -> Bool {
    guard !edits.cover(range), !decoded.elementsEqual(bytes[range]), spend(decoded.count) else {
      return false
    }
    switch examine(decoded, at: place.through(encoding, at: range.lowerBound)) {
    case .clean: return false
    case .replaced(let rewritten):
      if let encode, encode(decoded).elementsEqual(bytes[range]) {
        edits.replace(range, by: encode(rewritten))
      } else {
        let kind = findings.last?.kind ?? .random
        edits.replace(range, by: SecretPlaceholder.text(kind, for: bytes[range]))
      }
    case .whole(let placeholder): edits.replace(range, by: placeholder)
    }
    return true
  }

  private mutating func examineHexadecimal(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) {
    for digits in bytes[range].split(whereSeparator: { PercentEncoding.digit($0) == nil })
    where digits.count >= 16 && digits.count % 2 == 0 {
      let values = digits.compactMap(PercentEncoding.digit)
      let decoded = stride(from: 0, to: values.count, by: 2).map {
        values[$0] << 4 | values[$0 + 1]
      }
      guard Self.isText(decoded) else { continue }
      let name = "hexadecimal digits"
      examine(decoded, of: name, bytes, in: digits.indices, at: place, edits: &edits)
    }
  }

  private mutating func examineBase64(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) {
    if edits.cover(range) { return }
    // A path or a prefix may precede the value, joined to the value by a character of the alphabet.
    var starts = [range.lowerBound]
    for index in range where !SecretText.isAlphanumeric(bytes[index]) && starts.count < 8 {
      starts.append(index + 1)
    }
    for start in starts where range.upperBound - start >= 12 {
      let run = start..<range.upperBound
      // Parts of a run are often valid base64 by chance, so the start of the decoded part decides.
      // The text may be cut within a character.
      if start > range.lowerBound {
        guard let head = LooseBase64(bytes[run].prefix(24))?.bytes,
          Gzip.mayBeCompressed(head) || Self.isText(Array(head.dropLast(3)))
        else { continue }
      }
      guard let decoded = LooseBase64(bytes[run]), isWorthALook(decoded.bytes) else { continue }
      var place = place
      // Among random bytes, only a key shape is certain evidence.
      if !Gzip.mayBeCompressed(decoded.bytes), !Self.isText(decoded.bytes) {
        place.reading = .judged
      }
      if examine(
        decoded.bytes,
        of: "base64",
        bytes,
        in: run,
        at: place,
        edits: &edits,
        encode: decoded.encoded
      ) {
        return
      }
    }
  }

  /// Returns true if decoded bytes are worth searching: they are text or compressed data, or long
  /// enough to contain text.
  private func isWorthALook(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 8 && (bytes.count >= 32 || Gzip.mayBeCompressed(bytes) || Self.isText(bytes))
  }

  /// Searches base64 that is broken into lines.
  ///
  /// Returns false if the text does not have this form.
  private mutating func examineWrapped(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) -> Bool {
    let text = bytes[range]
    guard text.count >= 40, text.contains(0x0A),
      text.allSatisfy({ SecretText.isBase64($0) || $0 <= 0x20 || $0 == UInt8(ascii: "=") }),
      let decoded = LooseBase64(text.filter { $0 > 0x20 }[...])?.bytes,
      Gzip.mayBeCompressed(decoded) || Self.isText(decoded), decoded.count <= budget
    else { return false }
    examine(decoded, of: "base64", bytes, in: range, at: place, edits: &edits)
    return true
  }

  private mutating func spend(_ count: Int) -> Bool {
    guard count <= budget else { return false }
    budget -= count
    return true
  }
}
