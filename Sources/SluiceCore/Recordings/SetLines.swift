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

  package struct Entry: Hashable, Sendable {
    /// The first 48 bits of a number that the key and the repeat determine.
    package var request: UInt64
    /// The first 64 bits of the line's own digest.
    var digest: UInt64

    init(_ slot: Recording.Slot, line: [UInt8]) {
      // The multiplier (2^64 divided by the golden ratio) spreads the repeats of a key.
      request = (slot.high &+ UInt64(slot.repetition) &* 0x9E37_79B9_7F4A_7C15) >> 16
      let digits = line.dropLast(2).suffix(64).prefix(16)
      digest = UInt64(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }

    fileprivate init(_ bytes: ArraySlice<UInt8>) {
      func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
      (request, digest) = (number(bytes.prefix(6)), number(bytes.dropFirst(6)))
    }

    fileprivate var bytes: [UInt8] {
      (0..<6).reversed().map { UInt8(truncatingIfNeeded: request >> (8 * $0)) }
        + (0..<8).reversed().map { UInt8(truncatingIfNeeded: digest >> (8 * $0)) }
    }
  }

  init(text: String) { self.text = text }

  /// Creates the digests of some lines of a file.
  ///
  /// - Parameters:
  ///   - slots: The exchanges, in order.
  ///   - file: The file.
  ///   - count: The number of answers that the set had. Lines that were lost before the set got its
  ///     digests are written as zeros.
  package init(of slots: [Recording.Slot], in file: RecordingFile, count: Int? = nil) {
    var bytes = slots.flatMap { file.entry($0)?.bytes ?? [] }
    bytes += [UInt8](repeating: 0, count: max(0, (count ?? 0) - slots.count) * Self.length)
    text = Base64.encode(bytes)
  }

  private static let length = 14

  /// The digests; nil if the text is invalid.
  package var entries: [Entry]? {
    guard let bytes = Base64.decode(text), bytes.count % Self.length == 0 else { return nil }
    return stride(from: 0, to: bytes.count, by: Self.length).map {
      Entry(bytes[$0..<($0 + Self.length)])
    }
  }

  /// The digests of lines that are known.
  package var known: [Entry] { (entries ?? []).filter { $0.digest != 0 } }

  /// Returns the digests with those of rewritten lines replaced.
  func replacing(_ renewed: [Entry: Entry]) -> SetLines {
    if renewed.isEmpty { return self }
    return SetLines(text: Base64.encode((entries ?? []).flatMap { (renewed[$0] ?? $0).bytes }))
  }

  /// Returns true if the digests are of the same requests in the same order.
  ///
  /// `recordings migrate` changes the digests of lines of older schemas, but no requests.
  func haveSameRequests(as other: SetLines) -> Bool {
    self == other || entries.map { $0.map(\.request) } == other.entries.map { $0.map(\.request) }
  }

  /// Returns true if one of the two contains all digests of the other.
  func overlaps(_ other: SetLines) -> Bool {
    let (own, others) = (Set(known), Set(other.known))
    return own.isSubset(of: others) || others.isSubset(of: own)
  }
}

extension RecordingFile {
  /// Returns the digest of an exchange's line; nil if the exchange does not exist.
  package func entry(_ slot: Recording.Slot) -> SetLines.Entry? {
    line(slot).map { SetLines.Entry(slot, line: $0) }
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
