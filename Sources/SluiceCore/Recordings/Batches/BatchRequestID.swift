package import SluiceSupport

/// The `custom_id` of a batch request.
///
/// It consists of the key of the recording and the number of the repeat.
///
/// Sluice can find a request in the project by this id, so no table of ids is needed. The id
/// consists of letters, digits, `_` and `-`, which all batch services accept. It has 45 to 49
/// characters; services allow 64.
package struct BatchRequestID: Hashable, Sendable {
  package var key: Digest
  package var repetition: Int

  private static let keyLength = 43
  /// The valid range of repeats.
  private static let repetitions = 1...10_000

  package init(key: Digest, repetition: Int) {
    self.key = key
    self.repetition = repetition
  }

  /// Parses the format of ``text``; nil for any other text.
  package init?(_ text: String) {
    let units = Array(text.utf8)
    guard units.count > Self.keyLength + 1, units.count <= Self.keyLength + 6,
      units[Self.keyLength] == UInt8(ascii: "-")
    else { return nil }
    let digits = units[(Self.keyLength + 1)...]
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy({ $0 &- 0x30 < 10 }),
      let repetition = Int(String(decoding: digits, as: UTF8.self)),
      Self.repetitions.contains(repetition)
    else { return nil }
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), UInt32(0))
    for unit in units[..<Self.keyLength] {
      guard let value = Self.value(of: unit) else { return nil }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      bits &= 1 << count - 1
    }
    // The remaining bits must be zero, so that each key has exactly one text.
    guard bytes.count == 32, bits == 0 else { return nil }
    key = bytes.withUnsafeBytes { Digest(bytes: $0) }
    self.repetition = repetition
  }

  /// Returns the six bits of a base64url character.
  private static func value(of unit: UInt8) -> UInt32? {
    switch unit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(unit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(unit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(unit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// The key in base64url (RFC 4648, section 5) without padding, followed by `-` and the number of
  /// the repeat.
  package var text: String {
    let units = Base64.encode(key.bytes).utf8.dropLast().map { unit -> UInt8 in
      switch unit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: unit
      }
    }
    return "\(String(decoding: units, as: UTF8.self))-\(repetition)"
  }

  /// The slot of the recording.
  package var slot: Recording.Slot { Recording.Slot(key: key, repetition: repetition) }
}
