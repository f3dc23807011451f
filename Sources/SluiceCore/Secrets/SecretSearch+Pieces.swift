import SluiceSupport

/// The search for secrets that are split over several pieces of text.
///
/// The pieces are the events of a stream, consecutive JSON values, the parts of an answer, or the
/// tokens of log probabilities.
extension SecretSearch {
  /// A text that may continue another text.
  private struct Piece {
    var range: Range<Int>
    /// The text without JSON escapes, after all edits so far.
    var text: [UInt8]
    /// True if the piece is a JSON string.
    var isQuoted = true
    /// The range of the log probabilities that contain the piece.
    var logprobs: Range<Int>?
    var path: [JSONStrings.Step] = []
    /// The text to which the piece belongs, by each way in which servers identify it.
    ///
    /// All ways are tried in order. Servers number the texts of an event, but some omit these
    /// numbers, and some change list indices between events. A text may be sent now as `content`, now
    /// as the `text` of a part in a list, so its role in the answer counts more than its names.
    ///
    /// 1. By the role and the numbers in objects, as readers do. A missing number counts as 0.
    /// 2. By the role and the list indices before the text.
    /// 3. By member names alone. This way and the following ones are tried late, since they mix
    ///    interleaved texts.
    /// 4. By the numbers in objects alone.
    /// 5. By the role alone.
    var keys = [Int](repeating: 0, count: Piece.ways)
    static let ways = 5
  }

  /// Replaces secrets that are split over the pieces of a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - events: For each event of the text, the ranges of its data lines.
  ///   - isDue: True if the text as a whole may contain a secret.
  ///   - place: The location of the text.
  /// - Returns: The text with placeholders; `nil` if it contains no split secret.
  mutating func withoutSecretsInPieces(
    _ bytes: [UInt8],
    _ events: [[Range<Int>]],
    isDue: Bool,
    at place: Place
  ) -> [UInt8]? {
    var pieces: [Piece] = []
    let content = bytes.withoutByteOrderMark.indices
    if !events.isEmpty {
      for lines in events {
        let data = EventData(bytes, lines)
        guard Self.startsJSON(data.bytes, in: data.range) else {
          for line in lines {
            pieces.append(Piece(range: line, text: Array(bytes[line]), isQuoted: false))
          }
          continue
        }
        add(data, to: &pieces)
      }
    } else if Self.startsJSON(bytes, in: content),
      Self.isInParts(bytes) || isDue && Self.logprobs.isPresent(in: bytes)
    {
      add(EventData(bytes, [content]), to: &pieces)
    }
    guard pieces.count > 1 else { return nil }
    var edits = Edits()
    var seen: Set<[Int]> = []
    for way in 0..<Piece.ways {
      var groups: [Int: [Int]] = [:]
      for index in pieces.indices { groups[pieces[index].keys[way], default: []].append(index) }
      for group in groups.values.sorted(by: { $0[0] < $1[0] })
      where group.count > 1 && seen.insert(group).inserted {
        join(group, of: &pieces, at: place, edits: &edits)
      }
    }
    return edits.isEmpty ? nil : edits.applied(to: bytes)
  }

  /// The member whose tokens repeat the text of the answer.
  private static let logprobs = Array("\"logprobs\"".utf8)

  /// Returns true for JSON that may contain the parts of one text: consecutive values, a list of
  /// objects, or several `text` members.
  private static func isInParts(_ bytes: [UInt8]) -> Bool {
    let head = bytes.withoutByteOrderMark.lazy.filter { $0 > 0x20 }.prefix(2)
    if head.elementsEqual("[{".utf8) { return true }
    return [0x0A, 0x0D].contains { [$0, UInt8(ascii: "{")].isPresent(in: bytes) }
      || Array("\"text\"".utf8).count(in: bytes, atMost: 2) > 1
  }

  private func add(_ data: EventData, to pieces: inout [Piece]) {
    let strings = JSONStrings(data.bytes, in: data.range)
    // The numbers of the objects around a text. Objects and lists precede their contents.
    var chains: [[Int]] = []
    for holder in strings.holders {
      chains.append((holder.parent.map { chains[$0] } ?? []) + holder.numbers)
    }
    for string in strings.strings where !string.isName {
      // The tokens in log probabilities form one text, so their index is left out of the path.
      var path = string.path
      var (role, chain): ((name: String, start: Int)?, ArraySlice<Int>) = (nil, [])
      if string.logprobs == nil {
        let holder = string.holder.map { strings.holders[$0] }
        role = SecretReading.role(of: path, isThought: holder?.isThought == true)
        chain = string.holder.map { chains[$0][...] } ?? []
        while chain.last == 0 { chain.removeLast() }
      } else if let start = path.lastIndex(of: .name("logprobs")),
        let list = path[start...].firstIndex(where: \.isIndex)
      {
        path[list] = .name("*")
      }
      let names = path.filter { !$0.isIndex }.hashValue
      let text = role?.name.hashValue ?? names
      let places = role.map { path[..<$0.start].filter(\.isIndex) } ?? path
      pieces.append(
        Piece(
          range: data.place(of: string.range),
          text: JSONStrings.unescaped(data.bytes[string.range]),
          logprobs: string.logprobs.map { data.place(of: strings.logprobs[$0]) },
          path: string.path,
          keys: [
            [text, chain.hashValue].hashValue, [text, places.hashValue].hashValue, names,
            role == nil ? names : chain.hashValue, text,
          ]
        )
      )
    }
  }

  /// Searches a text that is split into pieces.
  ///
  /// Puts the placeholder into the piece in which the secret starts.
  ///
  /// Log probabilities that contain a secret token by token are removed as a whole, since their
  /// bytes and alternatives contain the secret, too.
  private mutating func join(
    _ group: [Int],
    of pieces: inout [Piece],
    at place: Place,
    edits: inout Edits
  ) {
    let first = pieces[group[0]]
    guard group.contains(where: { pieces[$0].text != first.text }) else { return }
    let joined = group.flatMap { pieces[$0].text }
    guard joined.count >= KnownSecrets.minimumLength, mayHoldSecret(joined) else { return }
    var inside = place
    inside.reading = first.isQuoted ? .judged : place.reading.inside([])
    inside.path += first.path
    inside.name = nil
    inside = inside.through("pieces", at: first.range.lowerBound)
    var trial = self
    let changes = trial.changes(in: joined, at: inside)
    let starts = group.reduce(into: [0]) { $0.append(($0.last ?? 0) + pieces[$1].text.count) }
    func touched(_ change: Range<Int>) -> [Int] {
      group.indices.filter { change.overlaps(starts[$0]..<starts[$0 + 1]) }
    }
    let split = changes.filter { change in
      let touched = touched(change.range)
      if touched.count != 1 { return !touched.isEmpty }
      // A secret within a single piece is found when that piece is searched, unless only the pieces
      // before it show how it is encoded.
      var alone = self
      return alone.examine(pieces[group[touched[0]]].text, at: inside) == .clean
    }
    if split.isEmpty { return }
    self = trial
    if group.contains(where: { pieces[$0].logprobs != nil }) {
      for index in split.flatMap({ touched($0.range) }).map({ group[$0] }) {
        guard let range = pieces[index].logprobs else { continue }
        edits.replace(range, by: Array("null".utf8))
        pieces[index].text = []
      }
      return
    }
    // From the last change to the first, so that the starts of pieces stay valid.
    for change in split.reversed() {
      for place in touched(change.range).reversed() {
        let (index, start) = (group[place], starts[place])
        let range = change.range.clamped(to: start..<starts[place + 1])
        pieces[index].text.replaceSubrange(
          (range.lowerBound - start)..<(range.upperBound - start),
          with: range.lowerBound == change.range.lowerBound ? change.text : []
        )
        if pieces[index].isQuoted {
          edits[pieces[index].range] = pieces[index].text
        } else {
          edits.replace(pieces[index].range, by: pieces[index].text)
        }
      }
    }
  }

  /// Searches a text, and returns the ranges that change, with their new contents.
  private mutating func changes(in text: [UInt8], at place: Place)
    -> [(range: Range<Int>, text: [UInt8])]
  {
    examineParts(text, EventPlaces(text).events, at: place).list.map { range, new in
      // Bytes at both ends that stay the same keep their pieces.
      let head = zip(text[range], new).prefix { $0 == $1 }.count
      let rest = min(range.count, new.count) - head
      let tail = zip(text[range].reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
      return (
        (range.lowerBound + head)..<(range.upperBound - tail),
        Array(new[head..<(new.count - tail)])
      )
    }
  }
}
