import SluiceSupport

/// A scanner for secrets, also inside of JSON texts, base64, percent-encoding and gzip.
///
/// Secrets are known values, values in the format of a vendor's key, credentials that a name or a
/// word announces, and account ids. In scored text (see ``SecretReading``), only known values and
/// unmistakable formats count. At most eight layers of encoding and 16 MiB of decoded data are
/// searched. Compressed data that exceeds the 16 MiB is itself reported as a finding.
package struct SecretScanner: Sendable {
  private let known: KnownSecrets

  /// Creates a scanner.
  ///
  /// - Parameter known: Secret values, such as the keys of the connected backends. Values of fewer
  ///   than eight bytes are left out, since they would match ordinary text.
  package init(known: [Secret] = []) { self.known = KnownSecrets(known) }

  /// Returns the secrets in a text that is not scored, in the order in which they are found.
  ///
  /// - Parameter text: The text, which may be JSON.
  /// - Returns: The findings; empty if there are no secrets.
  package func findings(in text: String) -> [SecretFinding] {
    findings(in: Array(text.utf8))
  }

  /// Returns the secrets on a line of a recordings file; offsets count from the start of the line.
  package func findings(onLine line: [UInt8]) -> [SecretFinding] { findings(in: line, as: .line) }

  /// Returns true if a text contains a known value in any form.
  func holdsKnown(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { known.isPresent(in: $0) }
  }

  /// Returns the secrets in bytes.
  func findings(in bytes: [UInt8], as reading: SecretReading = .everything) -> [SecretFinding] {
    search(bytes, at: SecretSearch.Place(reading: reading)).findings
  }

  func search(_ bytes: [UInt8], at place: SecretSearch.Place) -> (
    findings: [SecretFinding], rewritten: [UInt8]?
  ) {
    var search = SecretSearch(known: known)
    let outcome = search.examine(bytes, at: place)
    return (search.findings, outcome.bytes)
  }
}

/// A detected secret, without its value.
package struct SecretFinding: Hashable, Sendable {
  package var kind: SecretKind
  /// The location: a path of names and indices, the name of a header, or the number of an event.
  ///
  /// Empty in plain text.
  package var place: String
  /// The encodings around the secret, outermost first.
  package var encodings: [String]
  /// The first four characters and the length.
  ///
  /// A short value is represented only by its length.
  package var excerpt: String
  /// The offset in the input, in bytes.
  ///
  /// For a secret in decoded text, this is the offset of the encoded text.
  package var offset: Int

  /// The finding in words, such as "an OpenAI API key in error.message, encoded as base64: sk-p…
  /// (51 characters)".
  package var message: String {
    var words = kind.words
    if !place.isEmpty { words += " in \(place)" }
    if !encodings.isEmpty { words += ", encoded as \(encodings.joined(separator: ", "))" }
    return "\(words): \(excerpt)"
  }

  /// Returns the part of a secret that may be shown.
  static func excerpt(_ secret: [UInt8]) -> String {
    let start = secret.prefix(4)
    let isShown = secret.count >= 16 && start.allSatisfy { (0x21...0x7E).contains($0) }
    let count = String(decoding: secret, as: UTF8.self).unicodeScalars.count
    return "\(isShown ? String(decoding: start, as: UTF8.self) : "")… (\(count) characters)"
  }
}
