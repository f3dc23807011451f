import SluiceSupport

extension RecordingFile {
  /// Returns the number of the damaged line that contains the recording of a request; `nil` if no
  /// damaged line contains it.
  ///
  /// The damaged byte may be part of the key. So a key with one wrong byte still matches. If very
  /// many lines are damaged, only lines with an intact key are found.
  func damagedLine(key: String, repetition: Int) -> Int? {
    if damages.isEmpty { return nil }
    let wanted = ByteKey(Array(key.utf8))
    let places =
      damages.count <= Self.fewDamages
      ? damages.indices.filter { Self.names(contents.bytes(damages[$0].range), wanted.bytes) }
      : damagedKeys[wanted] ?? []
    var other: Int?
    for damage in places.map({ damages[$0] }) {
      let repeated = Self.repetition(contents.bytes(damage.range), after: wanted.bytes.count)
      if repeated == repetition || repeated == nil { return damage.number }
      // The number of the repeat may itself be damaged.
      if other == nil, !contains(key: key, repetition: repetition) { other = damage.number }
    }
    return other
  }

  /// The maximum number of damaged lines that are searched for each request.
  private static let fewDamages = 64

  /// The offset of the key on a line in the current schema.
  private static let keyStart = #"{"schema":3,"key":""#.utf8.count
  private static let keyLength = 64

  /// Returns the bytes at the offset of the key; `nil` if the line is too short.
  static func keyPlace(on line: UnsafeRawBufferPointer) -> ByteKey? {
    guard line.count >= keyStart + keyLength else { return nil }
    return ByteKey(Array(line[keyStart..<(keyStart + keyLength)]))
  }

  /// Returns true if a line contains a key.
  ///
  /// At the offset where a line has its key, one wrong byte is allowed.
  private static func names(_ line: [UInt8], _ key: [UInt8]) -> Bool {
    if key.isPresent(in: line) { return true }
    guard line.count >= keyStart + key.count else { return false }
    return zip(line[keyStart...], key).count { $0 != $1 } <= 1
  }

  /// Returns the number of the repeat on a line in the current schema; `nil` if it cannot be read.
  private static func repetition(_ line: [UInt8], after keyLength: Int) -> Int? {
    let head = Array(#"","repeat":"#.utf8)
    let start = keyStart + keyLength
    guard line.count > start + head.count, line[start..<(start + head.count)].elementsEqual(head)
    else { return nil }
    let digits = line[(start + head.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
