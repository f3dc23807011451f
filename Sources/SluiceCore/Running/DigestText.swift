package import SluiceSupport

/// A digest that a file contains.
///
/// A valid digest is stored in 32 bytes, and any other text as text.
package enum DigestText: Hashable, Sendable {
  case digest(Digest)
  case other(String)

  package init(_ digest: Digest) { self = .digest(digest) }

  init(_ text: String) {
    self = Digest(hexadecimal: text.utf8).map(DigestText.digest) ?? .other(text)
  }

  var text: String {
    switch self {
    case .digest(let digest): digest.hexadecimal
    case .other(let text): text
    }
  }

  /// Returns the slot of a recording whose request has this key.
  package func slot(repetition: Int) -> Recording.Slot {
    switch self {
    case .digest(let digest): Recording.Slot(key: digest, repetition: repetition)
    case .other(let text): Recording.Slot(key: text, repetition: repetition)
    }
  }

  /// Appends the text as a JSON string.
  package func appendJSON(to bytes: inout ByteBuffer) {
    switch self {
    case .digest(let digest):
      bytes.append(UInt8(ascii: "\""))
      bytes.append(digest)
      bytes.append(UInt8(ascii: "\""))
    case .other(let text): JSONWriter.append(text, to: &bytes)
    }
  }
}

extension DigestText: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }
}
