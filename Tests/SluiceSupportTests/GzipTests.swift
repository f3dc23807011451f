import SluiceStatistics
import SluiceSupport
import Testing

@Suite("Gzip")
struct GzipTests {
  @Test("A round trip keeps all bytes", arguments: ["", "a", "one two ".repeated(10_000)])
  func roundTrip(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(Gzip.inflate(Gzip.compress(bytes), limit: 1 << 20) == .bytes(bytes))
  }

  @Test("The same bytes always have the same compressed form")
  func stable() {
    let bytes = Array("one two ".repeated(500).utf8)
    #expect(Gzip.compress(bytes) == Gzip.compress(bytes))
  }

  @Test("The zlib format is also read")
  func zlibFormat() {
    // RFC 1950, stored block of "abc" with its Adler-32.
    let bytes: [UInt8] = [
      0x78, 0x01, 0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63, 0x02, 0x4D, 0x01, 0x27,
    ]
    #expect(Gzip.inflate(bytes, limit: 100) == .bytes(Array("abc".utf8)))
  }

  @Test("Consecutive members are joined")
  func members() {
    let bytes = Gzip.compress(Array("one ".utf8)) + Gzip.compress(Array("two".utf8))
    #expect(Gzip.inflate(bytes, limit: 100) == .bytes(Array("one two".utf8)))
  }

  @Test("Output beyond the limit is refused, however small the input")
  func bomb() {
    let zeros = [UInt8](repeating: 0, count: 2 << 20)
    let bomb = Gzip.compress(zeros)
    #expect(bomb.count < 10_000)
    #expect(Gzip.inflate(bomb, limit: 1 << 20) == .tooLarge)
    #expect(Gzip.inflate(bomb, limit: 2 << 20) == .bytes(zeros))
  }

  @Test("Truncated data gives the part that can be decompressed")
  func truncated() throws {
    var generator = SeededGenerator(seed: 1)
    let bytes = (0..<4_000).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 7) & 0x3F }
    let compressed = Gzip.compress(bytes)
    guard case .bytes(let start) = Gzip.inflate(Array(compressed.dropLast(500)), limit: 1 << 20)
    else {
      Issue.record("nothing was inflated")
      return
    }
    #expect(start.count > 1_000)
    #expect(start.elementsEqual(bytes.prefix(start.count)))
  }

  @Test(
    "Uncompressed data is recognized",
    arguments: ["", "x", "x^", "{}", "plain text", "\u{1F}", "x\u{1}abc"]
  )
  func notCompressed(_ text: String) {
    switch Gzip.inflate(Array(text.utf8), limit: 100) {
    case .notCompressed, .bytes([]): break
    case let other: Issue.record("\(other)")
    }
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
