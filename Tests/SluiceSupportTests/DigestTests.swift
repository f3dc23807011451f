import Testing

@testable import SluiceSupport

@Suite("Digest")
struct DigestTests {
  private static let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test("A digest is read from and written as hexadecimal digits")
  func digits() throws {
    let digest = try #require(Digest(hexadecimal: Self.digits.utf8))
    #expect(digest.hexadecimal == Self.digits)
    var bytes = ByteBuffer()
    bytes.append("a")
    bytes.append(digest)
    #expect(String(decoding: bytes.bytes, as: UTF8.self) == "a" + Self.digits)
    #expect(SHA256.digest("abc".utf8) == digest)
  }

  @Test("A text other than 64 lower-case digits is not a digest")
  func refused() {
    #expect(Digest(hexadecimal: Self.digits.dropLast().utf8) == nil)
    #expect(Digest(hexadecimal: (Self.digits + "0").utf8) == nil)
    #expect(Digest(hexadecimal: Self.digits.uppercased().utf8) == nil)
    #expect(Digest(hexadecimal: ("g" + Self.digits.dropFirst()).utf8) == nil)
  }

  @Test("Digests are sorted like their digits")
  func order() {
    let digests = (0..<100).map { SHA256.digest("\($0)".utf8) }
    #expect(digests.sorted().map(\.hexadecimal) == digests.map(\.hexadecimal).sorted())
  }
}
