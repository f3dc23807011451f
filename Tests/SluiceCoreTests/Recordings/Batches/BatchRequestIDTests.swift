@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("The custom_id of a batch request")
struct BatchRequestIDTests {
  @Test(
    "The custom_id is the key in 43 characters, a dash and the repeat, and can be read back",
    arguments: [1, 2, 9, 10, 10_000]
  )
  func roundTrip(_ repetition: Int) throws {
    for text in ["a", "b", "any text", ""] {
      let id = BatchRequestID(key: SHA256.digest(text.utf8), repetition: repetition)
      #expect(id.text.utf8.count == 44 + String(repetition).utf8.count)
      #expect(id.text.utf8.count <= 64)
      #expect(
        id.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
      )
      #expect(BatchRequestID(id.text) == id)
    }
  }

  @Test("The digest of a known text has a known custom_id")
  func known() {
    // base64url of e3b0c442…, the SHA-256 of an empty text.
    let id = BatchRequestID(key: SHA256.digest([UInt8]()), repetition: 3)
    #expect(id.text == "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU-3")
  }

  @Test(
    "Any other text is refused",
    arguments: [
      "", "a", "clarity.v2.eb1965774d15ac95", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
      "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU-",
      "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU-0",
      "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU-01",
      "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU-10001",
      "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU-1x",
      "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU-1",
      // The last character has stray bits.
      "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFV-1",
    ]
  )
  func other(_ text: String) { #expect(BatchRequestID(text) == nil) }
}
