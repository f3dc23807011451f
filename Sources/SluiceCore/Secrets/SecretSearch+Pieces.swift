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
  }

  /// The ways in which servers identify the text to which a piece belongs.
  ///
  /// All ways are tried in order. Servers number the texts of an event, but some omit these numbers,
  /// and some change list indices between events.
  private enum Way: CaseIterable {
    /// By member names and the numbers in objects. An object without a number counts as number 0.
    case numbers
    /// By member names and list indices.
    case places
    /// By member names, list indices and all numbers of the event.
    case all
    /// By member names alone.
    ///
    /// This way is tried late, since it mixes interleaved texts.
    case names
    /// By the innermost name alone.
    ///
    /// The first piece of a block may be in another member than the pieces that follow.
    case innermost
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
    var keys: [[Int]] = []
    let content = bytes.withoutByteOrderMark.indices
    if !events.isEmpty {
      for lines in events {
        let data = EventData(bytes, lines)
        guard Self.startsJSON(data.bytes, in: data.range) else {
          for line in lines {
            pieces.append(Piece(range: line, text: Array(bytes[line]), isQuoted: false))
            keys.append(Way.allCases.map { _ in 0 })
          }
          continue
        }
        let strings = JSONStrings(data.bytes, in: data.range)
        add(strings, of: data, to: &pieces, &keys)
      }
    } else if Self.startsJSON(bytes, in: content),
      Self.isInParts(bytes) || isDue && Self.logprobs.isPresent(in: bytes)
    {
      let data = EventData(bytes, [content])
      add(JSONStrings(data.bytes, in: data.range), of: data, to: &pieces, &keys)
    }
    guard pieces.count > 1 else { return nil }
    var edits = Edits()
    var seen: Set<[Int]> = []
    for way in Way.allCases.indices {
      var groups: [Int: [Int]] = [:]
      for index in pieces.indices { groups[keys[index][way], default: []].append(index) }
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

  private func add(
    _ strings: JSONStrings,
    of data: EventData,
    to pieces: inout [Piece],
    _ keys: inout [[Int]]
  ) {
    // Objects and lists precede their contents.
    var numbered: [Int] = []
    numbered.reserveCapacity(strings.holders.count)
    for holder in strings.holders {
      var hasher = Hasher()
      if let parent = holder.parent { hasher.combine(numbered[parent]) }
      if case .name(let name) = holder.step { hasher.combine(name) }
      hasher.combine(holder.numbers.isEmpty ? [0] : holder.numbers)
      numbered.append(hasher.finalize())
    }
    for string in strings.strings where !string.isName {
      // The tokens in log probabilities form one text, so their index is left out of the path.
      var path = string.path
      if string.logprobs != nil,
        let start = path.lastIndex(of: .name("logprobs")),
        let list = path[start...].firstIndex(where: { if case .index = $0 { true } else { false } })
      {
        path[list] = .name("*")
      }
      var (names, places, numbers, all) = (Hasher(), Hasher(), Hasher(), Hasher())
      for step in path {
        if case .name(let name) = step {
          names.combine(name)
          numbers.combine(name)
        }
        places.combine(step)
        all.combine(step)
      }
      if string.logprobs == nil, let holder = string.holder { numbers.combine(numbered[holder]) }
      all.combine(strings.numbers)
      var innermost = Hasher()
      if case .name(let name)? = path.last { innermost.combine(name) }
      keys.append([
        numbers.finalize(), places.finalize(), all.finalize(), names.finalize(),
        innermost.finalize(),
      ])
      pieces.append(
        Piece(
          range: data.place(of: string.range),
          text: JSONStrings.unescaped(data.bytes[string.range]),
          logprobs: string.logprobs.map { data.place(of: strings.logprobs[$0]) },
          path: string.path
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
    inside.reading = .judged
    inside.path += first.path
    inside.name = nil
    inside = inside.through("pieces", at: first.range.lowerBound)
    var trial = self
    guard let rewritten = trial.examine(joined, at: inside).bytes else { return }
    let head = zip(joined, rewritten).prefix { $0 == $1 }.count
    let shorter = min(joined.count, rewritten.count) - head
    let tail = zip(joined.reversed(), rewritten.reversed()).prefix(shorter)
      .prefix { $0 == $1 }.count
    let changed = head..<max(joined.count - tail, head + 1)
    var start = 0
    let touched = group.filter { index in
      defer { start += pieces[index].text.count }
      return changed.overlaps(start..<(start + pieces[index].text.count))
    }
    // A secret within a single piece is found when that piece is searched.
    guard touched.count > 1 else { return }
    self = trial
    if group.contains(where: { pieces[$0].logprobs != nil }) {
      for index in touched {
        guard let range = pieces[index].logprobs else { continue }
        edits.replace(range, by: Array("null".utf8))
        pieces[index].text = []
      }
      return
    }
    start = 0
    var middle = Array(rewritten[head..<(rewritten.count - tail)])
    for index in group {
      let end = start + pieces[index].text.count
      if changed.overlaps(start..<end) {
        let before = joined[start..<max(start, min(head, end))]
        let after = joined[min(end, max(joined.count - tail, start))..<end]
        pieces[index].text = before + middle + after
        if pieces[index].isQuoted {
          edits[pieces[index].range] = pieces[index].text
        } else {
          edits.replace(pieces[index].range, by: pieces[index].text)
        }
        middle = []
      }
      start = end
    }
  }
}
