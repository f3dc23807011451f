import SluiceSupport
import SluiceSystem

/// The check for exchanges with a message whose text is missing from the file.
///
/// Long texts of messages, called parts, have their own lines. Every line is checked when a file is
/// opened. To make that fast, only the first half of each digest is compared. In a sorted file, the
/// parts come first. So each reference to a part is checked at once, and need not be stored.
struct MessageParts {
  private struct Reference {
    var slot: Recording.Slot
    var name: UInt64
    var digest: String
  }

  /// The bytes before the digest in a reference to a part.
  private static let opening: StaticString = #"{"$part":""#
  private static let signOffset = 2
  /// The number of digits that identify a part.
  private static let digestLength = 32

  private var known: Set<UInt64> = []
  /// The first part to which the previous line refers.
  ///
  /// It is usually the system message, which most requests of a prompt share.
  private var shared: UInt64?
  /// References to parts that no earlier line defines.
  private var unresolved: [Reference] = []

  /// Adds the part that a line defines.
  mutating func add(_ digest: String) {
    var digest = digest
    if let name = digest.withUTF8({ Self.name(UnsafeRawBufferPointer($0)) }) { known.insert(name) }
  }

  /// Checks the parts to which an exchange on a line refers.
  mutating func check(_ line: UnsafeRawBufferPointer, _ slot: Recording.Slot) {
    guard let base = line.baseAddress else { return }
    var start = 0
    var isFirst = true
    while start < line.count,
      let sign = memchr(base + start, CInt(UInt8(ascii: "$")), line.count - start)
    {
      let place = UnsafeRawPointer(sign) - base
      start = place + 1
      let end = place - Self.signOffset + Self.opening.utf8CodeUnitCount
      guard place >= Self.signOffset, end <= line.count,
        UnsafeRawBufferPointer(rebasing: line[(place - Self.signOffset)..<end])
          .equals(Self.opening)
      else { continue }
      start = end
      let digest = UnsafeRawBufferPointer(rebasing: line[end...].prefix(Self.digestLength))
      guard let name = Self.name(digest) else { continue }
      defer { isFirst = false }
      if name == shared { continue }
      if known.contains(name) {
        if isFirst { shared = name }
        continue
      }
      // An answer may contain any text, even text that looks like a reference.
      guard let request = JSONMembers.value("request", in: line), request.contains(place) else {
        continue
      }
      unresolved.append(
        Reference(slot: slot, name: name, digest: String(decoding: digest, as: UTF8.self))
      )
    }
  }

  /// For each exchange that refers to a missing part, the digest of its first missing part.
  var incomplete: [Recording.Slot: String] {
    var found: [Recording.Slot: String] = [:]
    for reference in unresolved where !known.contains(reference.name) {
      if found[reference.slot] == nil { found[reference.slot] = reference.digest }
    }
    return found
  }

  /// Returns the number in the first 16 hexadecimal digits of a digest; nil if the text is too
  /// short.
  private static func name(_ text: UnsafeRawBufferPointer) -> UInt64? {
    guard text.count >= digestLength else { return nil }
    var value: UInt64 = 0
    for index in 0..<16 {
      let byte = text[index]
      value = value << 4 | UInt64(byte <= 0x39 ? byte &- 0x30 : byte &- 0x61 &+ 10) & 15
    }
    return value
  }
}
