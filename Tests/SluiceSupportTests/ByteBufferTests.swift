import Testing

@testable import SluiceSupport

@Suite("Byte buffer")
struct ByteBufferTests {
  @Test("Appended bytes and texts are kept in order, whatever their length")
  func added() {
    var buffer = ByteBuffer(capacity: 0)
    var expected: [UInt8] = []
    for length in [0, 1, 63, 64, 65, 1_000, 3, 100_000] {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      buffer.append(bytes)
      buffer.append("é\n")
      buffer.append(UInt8(length & 0xFF))
      expected += bytes + Array("é\n".utf8) + [UInt8(length & 0xFF)]
    }
    #expect(Array(buffer.bytes) == expected)
    #expect(buffer.count == expected.count)
    buffer.removeAll()
    #expect(buffer.bytes.isEmpty)
    buffer.append(SHA256.digest("abc".utf8))
    #expect(String(decoding: buffer.bytes, as: UTF8.self) == SHA256.hexadecimal("abc".utf8))
  }

  @Test(
    "A number in a buffer is written as it is alone",
    arguments: [
      0, -0.0, 1, 9, 10, 99, 100, 12_345, 999_999_999_999_999, 1e15, 1e300, -1, -12.5, 0.1, 729.1,
      0.001, 0.0001, 1.0 / 3, .infinity, .nan,
    ] as [Double]
  )
  func number(number: Double) {
    var buffer = ByteBuffer()
    JSONWriter.append(number, to: &buffer)
    #expect(String(decoding: buffer.bytes, as: UTF8.self) == JSONWriter.number(number))
  }
}
