extension RecordingFile {
  /// The number of the damaged line that holds the recording of a request; nil where there is none.
  ///
  /// A flipped byte may have hit the key itself, so that one wrong digit still names the request.
  func damagedLine(key: String, repetition: Int) -> Int? {
    if damages.isEmpty { return nil }
    let wanted = Array(key.utf8)
    var other: Int?
    for damage in damages {
      let line = contents.bytes(damage.range)
      guard Self.names(line, wanted) else { continue }
      let repeated = Self.repetition(line, after: wanted.count)
      if repeated == repetition || repeated == nil { return damage.number }
      // The number of the repeat may be what was hit.
      if other == nil, !contains(key: key, repetition: repetition) { other = damage.number }
    }
    return other
  }

  /// Where the key starts on a line of today's schema.
  private static let keyStart = #"{"schema":3,"key":""#.utf8.count

  /// Whether a line holds a key, or one in its place that differs by a single byte.
  private static func names(_ line: [UInt8], _ key: [UInt8]) -> Bool {
    if line.firstRange(of: key) != nil { return true }
    guard line.count >= keyStart + key.count else { return false }
    return zip(line[keyStart...], key).count { $0 != $1 } <= 1
  }

  /// The number of the repeat that a line of today's schema names; nil where it cannot be read.
  private static func repetition(_ line: [UInt8], after keyLength: Int) -> Int? {
    let head = Array(#"","repeat":"#.utf8)
    let start = keyStart + keyLength
    guard line.count > start + head.count, line[start..<(start + head.count)].elementsEqual(head)
    else { return nil }
    let digits = line[(start + head.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
