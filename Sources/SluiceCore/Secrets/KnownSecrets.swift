import SluiceSupport

/// A search for known secret values, such as the keys of the connected backends.
///
/// It also finds the encoded forms of each value, such as base64.
struct KnownSecrets: Sendable {
  /// The minimum length of a value.
  ///
  /// Shorter values would match ordinary text.
  static let minimumLength = 8

  private struct Needle: Sendable {
    var text: [UInt8]
    /// The known value, verbatim; ``text`` may be an encoded form.
    var value: [UInt8]
    /// The name of the encoding, if any.
    var encoding: String?
    /// The offset in the needle of the four bytes that select the bucket.
    var offset: Int
  }

  /// The needles, by the hash of four of their bytes.
  ///
  /// Each needle is indexed at its first five offsets. A search can therefore read every fifth
  /// offset of a text: one of these is an indexed offset of the needle, wherever the needle is.
  private var buckets: [[Needle]] = []
  /// True for each bucket that is not empty.
  private var isUsed: [Bool] = []
  private static let stride = 5
  private static let bucketCount = 1 << 12

  init(_ secrets: [Secret]) {
    let values = Set(secrets.map { Array($0.value.utf8) }.filter { $0.count >= Self.minimumLength })
    guard !values.isEmpty else { return }
    buckets = [[Needle]](repeating: [], count: Self.bucketCount)
    isUsed = [Bool](repeating: false, count: Self.bucketCount)
    for value in values.sorted(by: { $0.count > $1.count }) {
      for (text, encoding) in Self.forms(of: value) {
        for offset in 0..<Self.stride {
          let bucket = Self.bucket(
            text[offset],
            text[offset + 1],
            text[offset + 2],
            text[offset + 3]
          )
          isUsed[bucket] = true
          buckets[bucket].append(
            Needle(text: text, value: value, encoding: encoding, offset: offset)
          )
        }
      }
    }
  }

  var isEmpty: Bool { buckets.isEmpty }

  private static func bucket(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> Int {
    let group = UInt32(a) | UInt32(b) << 8 | UInt32(c) << 16 | UInt32(d) << 24
    return Int((group &* 2_654_435_761) >> 20)
  }

  /// Returns the forms of a value: verbatim, with JSON escapes, percent-encoded, as hexadecimal
  /// digits, and in base64 at all three alignments.
  ///
  /// Base64 characters that also contain bits of neighboring bytes are left out.
  private static func forms(of value: [UInt8]) -> [(text: [UInt8], encoding: String?)] {
    var forms: [(text: [UInt8], encoding: String?)] = [(value, nil)]
    // The form inside of a JSON text.
    let escaped = JSONWriter.line(.string(String(decoding: value, as: UTF8.self)))
      .dropFirst().dropLast()
    if Array(escaped) != value { forms.append((Array(escaped), nil)) }
    let percent = PercentEncoding.encoded(value)
    if percent != value {
      forms.append((percent, "percent-encoding"))
      forms.append((lowerCaseEscapes(percent), "percent-encoding"))
    }
    for alphabet in ["0123456789abcdef", "0123456789ABCDEF"] {
      let digits = Array(alphabet.utf8)
      forms.append(
        (value.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, "hexadecimal digits")
      )
    }
    for place in 0..<3 {
      let text = Array(Base64.encode([UInt8](repeating: 0, count: place) + value).utf8)
      // Each character contains six bits. Only characters whose bits all belong to the value count.
      let first = (place * 8 + 5) / 6
      let last = (place + value.count) * 8 / 6
      let inner = Array(text[first..<last])
      guard inner.count >= minimumLength else { continue }
      forms.append((inner, "base64"))
      let url = inner.map { byte in
        byte == UInt8(ascii: "+")
          ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
      }
      if url != inner { forms.append((url, "base64")) }
    }
    return forms
  }

  private static func lowerCaseEscapes(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for index in text.indices where text[index] == UInt8(ascii: "%") {
      for place in [index + 1, index + 2] where (0x41...0x46).contains(text[place]) {
        text[place] |= 0x20
      }
    }
    return text
  }

  /// The position of a known value.
  struct Match {
    var range: Range<Int>
    var value: [UInt8]
    var encoding: String?
  }

  /// Returns true if a text contains at least one of the values.
  func isPresent(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !isUsed.isEmpty else { return false }
    return isUsed.withUnsafeBufferPointer { isUsed in
      var index = 0
      while index + 4 <= bytes.count {
        let bucket = Self.bucket(bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3])
        if isUsed[bucket], buckets[bucket].contains(where: { stands($0, bytes, index) }) {
          return true
        }
        index += Self.stride
      }
      return false
    }
  }

  private func stands(_ needle: Needle, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    let start = index - needle.offset
    guard start >= 0, start + needle.text.count <= bytes.count else { return false }
    return needle.text.indices.allSatisfy { bytes[start + $0] == needle.text[$0] }
  }

  /// Returns the positions of the values, without overlaps.
  func matches(in bytes: ArraySlice<UInt8>) -> [Match] {
    guard !buckets.isEmpty else { return [] }
    var matches: [Match] = []
    var index = bytes.startIndex
    while index + 4 <= bytes.endIndex {
      let bucket = Self.bucket(bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3])
      for needle in buckets[bucket] {
        let start = index - needle.offset
        let end = start + needle.text.count
        guard start >= (matches.last?.range.upperBound ?? bytes.startIndex), end <= bytes.endIndex,
          bytes[start..<end].elementsEqual(needle.text)
        else { continue }
        matches.append(Match(range: start..<end, value: needle.value, encoding: needle.encoding))
        break
      }
      index += Self.stride
    }
    return matches
  }
}
