/// Searches bytes for secrets through all layers of encoding, and writes the bytes anew with
/// placeholders in place of what it found.
///
/// Searching and replacing are one and the same, so that the one finds what the other replaces.
struct SecretSearch {
  private let known: KnownSecrets
  private(set) var findings: [SecretFinding] = []
  /// How many more bytes may be decoded.
  private var budget = Self.limit

  /// How many bytes may come out of decoding, over all layers: as many as a response may have.
  private static let limit = 16 << 20
  /// How many layers are looked through.
  private static let maximumDepth = 8
  /// No secret is shorter.
  private static let minimumLength = 6

  init(known: KnownSecrets) { self.known = known }

  /// Where in the input a text stands, and as what it is read.
  struct Place {
    var path: [JSONStrings.Step] = []
    var header: String?
    var event: Int?
    var encodings: [String] = []
    var reading: SecretReading
    /// The name of the member or header that the text is the value of.
    var name: String?
    /// Where it stands in the input.
    var offset = 0
    /// Whether its bytes stand in the input as they are.
    var isExact = true

    /// The place of a part that has to be decoded.
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

  /// What became of a text.
  enum Outcome: Equatable {
    /// Nothing was found.
    case clean
    /// The text with placeholders for what was found.
    case replaced([UInt8])
    /// A placeholder for all of it, as a part of it cannot be replaced.
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
    if isStream(bytes) { return examineStream(bytes, at: place) }
    let isNamed = place.name.map { Self.isTelling($0) && place.reading != .judged } ?? false
    guard isNamed || mayHoldSecret(bytes) else { return .clean }
    var edits = Edits()
    let start = bytes.firstIndex { $0 > 0x20 } ?? 0
    if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") {
      let end = examineJSON(bytes, in: start..<bytes.count, at: place, edits: &edits)
      if end < bytes.count { examineText(bytes, in: end..<bytes.count, at: place, edits: &edits) }
    } else {
      examineText(bytes, in: bytes.indices, at: place, edits: &edits)
    }
    return edits.isEmpty ? .clean : .replaced(edits.applied(to: bytes))
  }

  private func mayHoldSecret(_ bytes: [UInt8]) -> Bool {
    SecretPrefilter.mayHoldSecret(bytes)
      || bytes.withUnsafeBufferPointer { known.isPresent(in: $0) }
  }

  private static func isTelling(_ name: String) -> Bool {
    switch SecretNames.hint(name.utf8) {
    case .none, .harmless: false
    case .secret, .password, .cookie, .account: true
    }
  }

  /// Whether bytes are text: well-formed UTF-8 without control characters other than white space.
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

  // MARK: Streams

  /// Whether a text is a stream of server-sent events: one of its first lines is a field.
  private func isStream(_ bytes: [UInt8]) -> Bool {
    var start = 0
    for _ in 0..<64 {
      while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
      let line = bytes[start...].prefix(6)
      if line.starts(with: "data:".utf8) { return true }
      guard
        line.first == UInt8(ascii: ":") || line.elementsEqual("event:".utf8)
          || line.starts(with: "id:".utf8) || line.starts(with: "retry:".utf8),
        let end = bytes[start...].firstIndex(of: 0x0A)
      else { return false }
      start = end + 1
    }
    return false
  }

  private mutating func examineStream(_ bytes: [UInt8], at place: Place) -> Outcome {
    var edits = Edits()
    var texts: [StreamText] = []
    var event = 0
    var others: [Range<Int>] = []
    for line in bytes.split(separator: 0x0A) {
      guard line.starts(with: "data:".utf8) else {
        others.append(line.indices)
        continue
      }
      event += 1
      let payload = (line.startIndex + 5)..<line.endIndex
      let strings = JSONStrings(bytes, in: payload)
      texts.append(StreamText(event: event, payload: payload, strings: strings))
    }
    let parts = texts.flatMap { text in
      let numbers = text.strings.numbers.map(String.init).joined(separator: ",")
      return pieces(of: text.strings, in: bytes, stream: numbers, event: text.event)
    }
    let lists = texts.map(\.strings.logprobs)
    joinPieces(parts, logprobs: { lists[$0 - 1] }, bytes, at: place, edits: &edits)
    for text in texts {
      var inside = place
      inside.event = text.event
      inside.name = nil
      examine(text.strings, of: bytes, at: inside, edits: &edits)
      if text.strings.end < text.payload.upperBound {
        let rest = text.strings.end..<text.payload.upperBound
        examineText(bytes, in: rest, at: inside, edits: &edits)
      }
    }
    for range in others { examineText(bytes, in: range, at: place, edits: &edits) }
    return edits.isEmpty ? .clean : .replaced(edits.applied(to: bytes))
  }

  private struct StreamText {
    var event: Int
    var payload: Range<Int>
    var strings: JSONStrings
  }

  // MARK: JSON

  /// Searches the JSON values in a range; gives the place where they end.
  private mutating func examineJSON(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) -> Int {
    let strings = JSONStrings(bytes, in: range)
    let parts = pieces(of: strings, in: bytes, stream: nil, event: nil)
    joinPieces(parts, logprobs: { _ in strings.logprobs }, bytes, at: place, edits: &edits)
    examine(strings, of: bytes, at: place, edits: &edits)
    return strings.end
  }

  private mutating func examine(
    _ strings: JSONStrings,
    of bytes: [UInt8],
    at place: Place,
    edits: inout Edits
  ) {
    for string in strings.strings where string.range.count >= Self.minimumLength {
      if edits.cover(string.range) { continue }
      var inside = place
      inside.path += string.path
      inside.reading = string.isName ? .judged : place.reading.inside(string.path)
      inside.name = nil
      if !string.isName {
        for case .name(let name) in string.path.reversed() {
          inside.name = name
          break
        }
      }
      if place.isExact { inside.offset += string.range.lowerBound }
      // What an escape stands for has no place of its own in the text.
      if string.hasEscapes { inside.isExact = false }
      let text = edits[string.range] ?? JSONStrings.unescaped(bytes[string.range])
      if let rewritten = examine(text, at: inside).bytes { edits[string.range] = rewritten }
    }
  }

  // MARK: Secrets in pieces

  /// A string that continues another: deltas of a stream, and the tokens of log probabilities.
  private struct Piece {
    var sequence: String
    var range: Range<Int>
    var text: [UInt8]
    var event: Int
    var logprobs: Int?
    var path: [JSONStrings.Step]
  }

  /// The strings that may be pieces of longer texts, with the text that each belongs to.
  private func pieces(
    of strings: JSONStrings,
    in bytes: [UInt8],
    stream: String?,
    event: Int?
  ) -> [Piece] {
    strings.strings.compactMap { string in
      guard !string.isName, stream != nil || string.logprobs != nil else { return nil }
      var sequence = stream ?? ""
      var isInLogprobs = false
      var isListed = false
      for step in string.path {
        switch step {
        case .name(let name):
          sequence += ".\(name)"
          if name == "logprobs" { isInLogprobs = true }
        case .index(let index):
          // The list of tokens is the sequence; what lies below one token is not.
          sequence += isInLogprobs && !isListed ? ".*" : ".\(index)"
          if isInLogprobs { isListed = true }
        }
      }
      return Piece(
        sequence: sequence,
        range: string.range,
        text: JSONStrings.unescaped(bytes[string.range]),
        event: event ?? 1,
        logprobs: string.logprobs,
        path: string.path
      )
    }
  }

  /// Searches texts that stand in pieces, and puts the placeholder into the first of the pieces.
  ///
  /// Log probabilities that hold a secret token by token are taken out as a whole, since their
  /// bytes and alternatives hold it too.
  private mutating func joinPieces(
    _ pieces: [Piece],
    logprobs: (Int) -> [Range<Int>],
    _ bytes: [UInt8],
    at place: Place,
    edits: inout Edits
  ) {
    for group in Dictionary(grouping: pieces, by: \.sequence).values.sorted(by: {
      $0[0].range.lowerBound < $1[0].range.lowerBound
    }) {
      guard group.count > 1, group.contains(where: { $0.text != group[0].text }) else { continue }
      let joined = group.flatMap(\.text)
      guard joined.count >= 16, mayHoldSecret(joined) else { continue }
      var inside = place
      inside.reading = .judged
      inside.path += group[0].path
      inside.name = nil
      inside = inside.through("pieces", at: group[0].range.lowerBound)
      var trial = self
      guard let rewritten = trial.examine(joined, at: inside).bytes else { continue }
      let head = zip(joined, rewritten).prefix { $0 == $1 }.count
      let shorter = min(joined.count, rewritten.count) - head
      let tail = zip(joined.reversed(), rewritten.reversed()).prefix(shorter)
        .prefix { $0 == $1 }.count
      let changed = head..<max(joined.count - tail, head + 1)
      var start = 0
      let touched = group.filter { piece in
        defer { start += piece.text.count }
        return changed.overlaps(start..<(start + piece.text.count))
      }
      // What stands in one piece is found there.
      guard touched.count > 1 else { continue }
      self = trial
      if group.contains(where: { $0.logprobs != nil }) {
        for piece in touched {
          guard let number = piece.logprobs else { continue }
          edits.replace(logprobs(piece.event)[number], by: Array("null".utf8))
        }
        continue
      }
      start = 0
      var middle = Array(rewritten[head..<(rewritten.count - tail)])
      for piece in group {
        let end = start + piece.text.count
        if changed.overlaps(start..<end) {
          let before = joined[start..<max(start, min(head, end))]
          let after = joined[min(end, max(joined.count - tail, start))..<end]
          edits[piece.range] = before + middle + after
          middle = []
        }
        start = end
      }
    }
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
    // A value that only looks random may be something encoded, which is looked through instead.
    if found.count == 1, found[0].kind == .random, found[0].range == text.indices,
      let decoded = LooseBase64(text[...])?.bytes, Self.isText(decoded)
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

  /// Looks through what is encoded in a text.
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
      while index < range.upperBound, Self.isInRun(bytes[index]) {
        if bytes[index] == UInt8(ascii: "%"), index + 2 < range.upperBound,
          PercentEncoding.digit(bytes[index + 1]) != nil,
          PercentEncoding.digit(bytes[index + 2]) != nil
        {
          hasEscapes = true
        }
        index += 1
      }
      if hasEscapes { examinePercent(bytes, in: start..<index, at: place, edits: &edits) }
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
        examineBase64(bytes, in: start..<index, at: place, edits: &edits)
      }
      if index == start { index += 1 }
    }
  }

  /// What an escaped text is made of: no white space, no quotation marks, no brackets of a tag.
  private static func isInRun(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "<")
      && byte != UInt8(ascii: ">")
  }

  private mutating func examinePercent(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) {
    let decoded = PercentEncoding.decoded(bytes[range])
    guard spend(decoded.count) else { return }
    let inside = place.through("percent-encoding", at: range.lowerBound)
    switch examine(decoded, at: inside) {
    case .clean: return
    case .whole(let placeholder): edits.replace(range, by: placeholder)
    case .replaced(let rewritten):
      let plain = Set(bytes[range])
      let isExact = PercentEncoding.encoded(decoded, leaving: plain).elementsEqual(bytes[range])
      edits.replace(
        range,
        by: isExact
          ? PercentEncoding.encoded(rewritten, leaving: plain)
          : SecretPlaceholder.text(findings.last?.kind ?? .random, for: bytes[range])
      )
    }
  }

  private mutating func examineBase64(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) {
    if edits.cover(range) { return }
    // A path or a prefix may stand in front, joined to it by a character of the alphabet.
    var starts = [range.lowerBound]
    for index in range where !SecretText.isAlphanumeric(bytes[index]) && starts.count < 8 {
      starts.append(index + 1)
    }
    for start in starts where range.upperBound - start >= 12 {
      let run = start..<range.upperBound
      // A part of a run is base64 by chance often; what it says at its start tells.
      if start > range.lowerBound {
        guard let head = LooseBase64(bytes[run].prefix(24))?.bytes, mayBeginText(head) else {
          continue
        }
      }
      guard let decoded = LooseBase64(bytes[run]), isWorthALook(decoded.bytes),
        spend(decoded.bytes.count)
      else { continue }
      var inside = place.through("base64", at: start)
      if !Self.isText(decoded.bytes) { inside.reading = .judged }
      switch examine(decoded.bytes, at: inside) {
      case .clean: continue
      case .whole(let placeholder): edits.replace(run, by: placeholder)
      case .replaced(let rewritten):
        let isExact = decoded.encoded(decoded.bytes).elementsEqual(bytes[run])
        edits.replace(
          run,
          by: isExact
            ? decoded.encoded(rewritten)
            : SecretPlaceholder.text(findings.last?.kind ?? .random, for: bytes[run])
        )
      }
      return
    }
  }

  /// Whether bytes may be the start of compressed data or of a text, which may end within a character.
  private func mayBeginText(_ bytes: [UInt8]) -> Bool {
    Gzip.mayBeCompressed(bytes) || Self.isText(Array(bytes.dropLast(3)))
  }

  /// Whether decoded bytes are something at all: text, compressed data, or long enough that text may
  /// be inside of it.
  private func isWorthALook(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 8 && (bytes.count >= 32 || Gzip.mayBeCompressed(bytes) || Self.isText(bytes))
  }

  /// Base64 that is broken into lines; whether the text is that.
  private mutating func examineWrapped(
    _ bytes: [UInt8],
    in range: Range<Int>,
    at place: Place,
    edits: inout Edits
  ) -> Bool {
    let text = bytes[range]
    guard text.count >= 40, text.contains(0x0A),
      text.allSatisfy({ SecretText.isBase64($0) || $0 <= 0x20 || $0 == UInt8(ascii: "=") })
    else { return false }
    guard let decoded = LooseBase64(text.filter { $0 > 0x20 }[...])?.bytes,
      Gzip.mayBeCompressed(decoded) || Self.isText(decoded), spend(decoded.count)
    else { return false }
    let inside = place.through("base64", at: range.lowerBound)
    if examine(decoded, at: inside) != .clean {
      edits.replace(
        range,
        by: SecretPlaceholder.text(findings.last?.kind ?? .random, for: text)
      )
    }
    return true
  }

  private mutating func spend(_ count: Int) -> Bool {
    guard count <= budget else { return false }
    budget -= count
    return true
  }
}

/// What is to stand in place of ranges of a text.
private struct Edits {
  /// Rewritten strings, which are escaped when they go back, by their range.
  private var strings: [Range<Int>: [UInt8]] = [:]
  /// Bytes that go back as they are.
  private var replacements: [Range<Int>: [UInt8]] = [:]

  var isEmpty: Bool { strings.isEmpty && replacements.isEmpty }

  subscript(string: Range<Int>) -> [UInt8]? {
    get { strings[string] }
    set { strings[string] = newValue }
  }

  mutating func replace(_ range: Range<Int>, by bytes: [UInt8]) {
    replacements[range] = bytes
  }

  /// Whether a range is replaced already, alone or with more around it.
  func cover(_ range: Range<Int>) -> Bool {
    replacements.keys.contains { $0.overlaps(range) }
  }

  func applied(to bytes: [UInt8]) -> [UInt8] {
    var edits = replacements
    for (range, text) in strings where !cover(range) { edits[range] = JSONStrings.escaped(text) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    for (range, replacement) in edits.sorted(by: { $0.key.lowerBound < $1.key.lowerBound }) {
      result += bytes[index..<range.lowerBound]
      result += replacement
      index = range.upperBound
    }
    return result + bytes[index...]
  }
}
