import SluiceSupport

/// The digests of a set's lines, in the order of the recordings file.
///
/// Each line has a digest of its own, because a later set may replace single lines. The digests also
/// tell which lines belong to the set, because lines do not name their set.
package struct SetLines: Hashable, Sendable {
  /// The digests as the ledger stores them.
  ///
  /// They are decoded only when they are compared with lines, so that runs do not pay for them.
  let text: String

  /// Six bytes that the key and the repeat of a request determine, and the first eight bytes of the
  /// line's own digest.
  package typealias Entry = [UInt8]
  private static let length = 14
  private static let requestLength = 6

  /// Creates the digests of exchanges, in order.
  package init(of slots: [Recording.Slot], in file: RecordingFile) {
    self.init(slots.compactMap(file.entry))
  }

  private init(_ entries: [Entry]) { text = Base64.encode(Array(entries.joined())) }

  init(text: String) { self.text = text }

  /// The digests; empty if the text is invalid.
  package var entries: [Entry] {
    let bytes = Base64.decode(text) ?? []
    return stride(from: 0, through: bytes.count - Self.length, by: Self.length).map {
      Array(bytes[$0..<($0 + Self.length)])
    }
  }

  /// Returns the part of a digest that identifies the request.
  package static func request(_ entry: Entry) -> Entry { Array(entry.prefix(requestLength)) }

  /// Returns the digests with those of rewritten lines replaced.
  func replacing(_ renewed: [Entry: Entry]) -> SetLines {
    renewed.isEmpty ? self : SetLines(entries.map { renewed[$0] ?? $0 })
  }

  /// Returns true if the digests are of the same requests in the same order.
  ///
  /// `recordings migrate` changes the digests of lines of older schemas, but no requests.
  func haveSameRequests(as other: SetLines) -> Bool {
    self == other || entries.map(Self.request) == other.entries.map(Self.request)
  }

  /// Returns true if one of the two contains all digests of the other.
  func overlaps(_ other: SetLines) -> Bool {
    let (own, others) = (Set(entries), Set(other.entries))
    return own.isSubset(of: others) || others.isSubset(of: own)
  }

  fileprivate static func entry(_ slot: Recording.Slot, line: [UInt8]) -> Entry {
    // The multiplier (2^64 divided by the golden ratio) spreads the repeats of a key.
    let request = slot.high &+ UInt64(slot.repetition) &* 0x9E37_79B9_7F4A_7C15
    let digits = String(decoding: line.dropLast(2).suffix(64).prefix(16), as: UTF8.self)
    func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    return bytes(request).prefix(requestLength) + bytes(UInt64(digits, radix: 16) ?? 0)
  }
}

extension RecordingFile {
  /// Returns the digest of an exchange's line; nil if the exchange does not exist.
  package func entry(_ slot: Recording.Slot) -> SetLines.Entry? {
    line(slot).map { SetLines.entry(slot, line: $0) }
  }

  /// Returns the origins of answers, without duplicates and dates.
  package func origins(of slots: [Recording.Slot]) -> [Provenance] {
    var seen: Set<Provenance> = []
    return slots.compactMap { slot in
      guard let answer = (try? answer(slot)).flatMap({ $0 }),
        let response = try? ResponseReader.response(
          in: answer.response,
          api: answer.api,
          places: answer.places
        ), seen.insert(response.provenance.undated).inserted
      else { return nil }
      return response.provenance.undated
    }
  }
}
