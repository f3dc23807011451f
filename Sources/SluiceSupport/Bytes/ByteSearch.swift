import SluiceSystem

extension UnsafeRawBufferPointer {
  /// Returns the offset of the first occurrence of a byte.
  package func firstOffset(of byte: UInt8) -> Int? {
    guard let base = baseAddress, let place = memchr(base, CInt(byte), count) else { return nil }
    return UnsafeRawPointer(place) - base
  }

  /// Returns the offset at which these bytes first occur in other bytes.
  package func firstOffset(in others: UnsafeRawBufferPointer) -> Int? {
    guard let wanted = baseAddress, let base = others.baseAddress else { return nil }
    let end = others.count - count + 1
    var start = 0
    while start < end, let place = memchr(base + start, CInt(self[0]), end - start) {
      let index = UnsafeRawPointer(place) - base
      if memcmp(place, wanted, count) == 0 { return index }
      start = index + 1
    }
    return nil
  }
}

extension [UInt8] {
  /// Returns the number of times that these bytes occur in other bytes, up to a limit.
  package func count(in others: [UInt8], atMost limit: Int) -> Int {
    // If these bytes contain an `x`, searches for it first, since few texts contain this letter.
    let anchor = firstIndex(of: UInt8(ascii: "x")) ?? 0
    guard !isEmpty, others.count >= count else { return 0 }
    return others.withUnsafeBytes { others in
      withUnsafeBytes { part in
        guard let base = others.baseAddress, let wanted = part.baseAddress else { return 0 }
        let end = others.count - (part.count - 1 - anchor)
        var (found, start) = (0, anchor)
        while found < limit, start < end,
          let place = memchr(base + start, CInt(part[anchor]), end - start)
        {
          let index = UnsafeRawPointer(place) - base
          start = index + 1
          if memcmp(base + (index - anchor), wanted, part.count) == 0 { found += 1 }
        }
        return found
      }
    }
  }

  /// Returns true if these bytes occur in other bytes.
  package func isPresent(in others: [UInt8]) -> Bool { count(in: others, atMost: 1) > 0 }
}
