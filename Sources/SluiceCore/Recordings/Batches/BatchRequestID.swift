package import SluiceSupport

/// The `custom_id` of a request in a batch file: the key of its recording and the repeat.
///
/// Anybody who has the project can tell the request from it, so results need no table beside them.
/// It is made of letters, digits, `_` and `-`, which all batch services take, and has 45 to 48 of
/// their 64 characters.
package struct BatchRequestID: Hashable, Sendable {
  package var key: Digest
  package var repetition: Int

  private static let keyLength = 43
  /// The repeats that a suite may ask for.
  private static let repetitions = 1...10_000

  package init(key: Digest, repetition: Int) {
    self.key = key
    self.repetition = repetition
  }

  /// Reads what ``text`` writes; nil for anything else.
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
    let standard = units[..<Self.keyLength].map { unit -> UInt8 in
      switch unit {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      case UInt8(ascii: "+"), UInt8(ascii: "/"): 0
      default: unit
      }
    }
    guard let bytes = Base64.decode(String(decoding: standard, as: UTF8.self) + "="),
      bytes.count == 32
    else { return nil }
    key = bytes.withUnsafeBytes { Digest(bytes: $0) }
    self.repetition = repetition
  }

  /// The key in base64url (RFC 4648, section 5) without padding, `-`, the repeat.
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

  /// The place of the recording.
  package var slot: Recording.Slot { Recording.Slot(key: key, repetition: repetition) }
}
