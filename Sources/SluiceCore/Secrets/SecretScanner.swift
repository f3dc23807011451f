package import SluiceSupport

/// Finds secrets: keys by their shape, known keys, credentials that a name or a word announces, and
/// ids of accounts, also inside of JSON texts, base64, percent-encoding and gzip.
///
/// What is judged (see ``SecretReading``) only counts when its shape, or a known key, leaves no doubt.
/// Looks through at most eight layers, and through 16 MB of what comes out of them; compressed data
/// beyond that is a finding of its own.
package struct SecretScanner: Sendable {
  private let known: KnownSecrets

  /// Creates a scanner.
  ///
  /// - Parameter known: Values that are secret, such as the keys of the connected backends; those
  ///   with fewer than eight bytes are left out, since they would be found in ordinary text.
  package init(known: [Secret] = []) { self.known = KnownSecrets(known) }

  /// What in a text is secret, in the order in which it was found.
  ///
  /// - Parameter text: A text that nobody judges, JSON or not.
  /// - Returns: The findings; none when nothing is secret.
  package func findings(in text: String) -> [SecretFinding] {
    findings(in: Array(text.utf8), as: .everything)
  }

  /// What in bytes is secret.
  package func findings(in bytes: [UInt8]) -> [SecretFinding] {
    findings(in: bytes, as: .everything)
  }

  /// What in a value is secret.
  package func findings(in value: JSONValue) -> [SecretFinding] {
    findings(in: JSONWriter.line(value), as: .everything)
  }

  /// What on a line of a recordings file is secret; offsets count from the start of the line.
  package func findings(onLine line: [UInt8]) -> [SecretFinding] { findings(in: line, as: .line) }

  /// Returns true when a text holds one of the known values, in any of their forms.
  func holdsKnown(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { known.isPresent(in: $0) }
  }

  func findings(in bytes: [UInt8], as reading: SecretReading) -> [SecretFinding] {
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

/// A secret that was found, without the secret.
package struct SecretFinding: Hashable, Sendable {
  package var kind: SecretKind
  /// Where it stands: a path of names and indices, the name of a header, the number of an event;
  /// empty in a plain text.
  package var place: String
  /// What had to be undone to see it, outermost first.
  package var encodings: [String]
  /// The first four characters and the length; of a short value the length alone.
  package var excerpt: String
  /// Where in the input it starts, in bytes; of what had to be decoded, where the encoded text does.
  package var offset: Int

  /// The finding in words, such as "an OpenAI API key in error.message, behind base64: sk-p…
  /// (51 characters)".
  package var message: String {
    var words = kind.words
    if !place.isEmpty { words += " in \(place)" }
    if !encodings.isEmpty { words += ", behind \(encodings.joined(separator: ", "))" }
    return "\(words): \(excerpt)"
  }

  /// What may be shown of a secret.
  static func excerpt(_ secret: [UInt8]) -> String {
    let start = secret.prefix(4)
    let isShown = secret.count >= 16 && start.allSatisfy { (0x21...0x7E).contains($0) }
    let count = String(decoding: secret, as: UTF8.self).unicodeScalars.count
    return "\(isShown ? String(decoding: start, as: UTF8.self) : "")… (\(count) characters)"
  }
}
