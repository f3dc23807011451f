import Testing

@testable import SluiceSupport

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "Digests match those published in FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ]
  )
  func publishedTexts(text: String, digest: String) {
    #expect(SHA256.hexadecimal(text.utf8) == digest)
  }

  @Test("A million times 'a' has the published digest")
  func publishedMillion() {
    #expect(
      SHA256.hexadecimal(repeatElement(UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
  }

  // From Python's hashlib: bytes 0, 1, 2 … of that length.
  @Test(
    "Lengths around a block border are padded correctly",
    arguments: [
      (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
      (55, "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"),
      (56, "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562"),
      (57, "2fe741af801cc238602ac0ec6a7b0c3a8a87c7fc7d7f02a3fe03d1c12eac4d8f"),
      (63, "29af2686fd53374a36b0846694cc342177e428d1647515f078784d69cdb9e488"),
      (64, "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"),
      (65, "4bfd2c8b6f1eec7a2afeb48b934ee4b2694182027e6d0fc075074f2fabb31781"),
      (119, "da18797ed7c3a777f0847f429724a2d8cd5138e6ed2895c3fa1a6d39d18f7ec6"),
      (120, "f52b23db1fbb6ded89ef42a23ce0c8922c45f25c50b568a93bf1c075420bbb7c"),
      (127, "92ca0fa6651ee2f97b884b7246a562fa71250fedefe5ebf270d31c546bfea976"),
      (128, "471fb943aa23c511f6f72f8d1652d9c880cfa392ad80503120547703e56a2be5"),
      (129, "5099c6a56203f9687f7d33f4bfdf576d31dc91f6b695ecea38b2770c87631135"),
      (300, "7728ae2f2c36e2aaafbe79ca14c87ae2f89e7c88c4390ecbbf82dce88706958d"),
    ]
  )
  func blockBorders(length: Int, digest: String) {
    #expect(SHA256.hexadecimal((0..<length).map { UInt8(truncatingIfNeeded: $0) }) == digest)
  }

  @Test(
    "The digest does not depend on how the bytes are split",
    arguments: [1, 3, 63, 64, 65, 200]
  )
  func pieces(size: Int) {
    let bytes = (0..<200).map { UInt8($0) }
    var digest = SHA256()
    for start in stride(from: 0, to: bytes.count, by: size) {
      digest.update(bytes[start..<min(start + size, bytes.count)])
    }
    digest.update([])
    #expect(digest.hexadecimal() == SHA256.hexadecimal(bytes))
  }

  @Test("A digested beginning can be continued with any end", arguments: [0, 1, 64, 100])
  func beginning(length: Int) {
    let bytes = (0..<200).map { UInt8($0) }
    let beginning = SHA256.Beginning(bytes[..<length])
    for end in [length, 150, 200, length] {
      #expect(
        beginning.digest(followedBy: bytes[length..<max(end, length)])
          == SHA256.digest(bytes[..<max(end, length)])
      )
    }
  }

  @Test("A sequence without contiguous storage gives the same digest")
  func lazySequence() {
    #expect(
      SHA256.hexadecimal((0..<65).lazy.map { UInt8($0) }) == SHA256.hexadecimal(Array(0..<65))
    )
  }

  @Test("Threads do not affect each other")
  func threads() async {
    let bytes = [UInt8](repeating: 1, count: 1000)
    let expected = SHA256.hexadecimal(bytes)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          (0..<200).allSatisfy { _ in SHA256.hexadecimal(bytes) == expected }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
