import SluiceSupport

/// The recognition of secrets among environment variables.
package enum EnvironmentSecrets {
  /// Returns the secrets in the value of a variable; empty if the value is not a secret.
  ///
  /// A value is a secret if its variable's name says so, or if it looks like a key. Its parts that
  /// look random count, too, because a program may print a line or a part of it.
  static func values(of name: String, _ value: String) -> [String] {
    let bytes = Array(value.utf8)
    guard bytes.count >= KnownSecrets.minimumLength else { return [] }
    // Among the matches are the passwords in URLs.
    let matches = SecretText(bytes, name: nil, isJudged: false, known: KnownSecrets([])).matches
      .filter { $0.kind.label != .account }
    let parts = bytes.split { $0 <= 0x20 || ":,;=@\"'".utf8.contains($0) }.filter {
      CharacterMix($0).looksRandom && !HarmlessValue.isIdentifier($0) && !HarmlessValue.isUUID($0)
        && !HarmlessValue.isDigest($0)
    }
    let looksIssued =
      CharacterMix(bytes).looksRandomThoughShort || !parts.isEmpty && !isPlace(value)
    guard !matches.isEmpty || looksIssued || isTelling(name, value) && !isPlain(value) else {
      return []
    }
    // A word such as `postgres` is too common to be hidden without the URL around it.
    let secrets = matches.map(\.secret).filter { CharacterMix($0).lower < $0.count }
    return [value] + (secrets + parts.map(Array.init)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns true if a text that should name a variable is one, and not a key by mistake.
  package static func isName(_ text: String) -> Bool {
    let (bytes, mix) = (Array(text.utf8), CharacterMix(text.utf8))
    // Names in camel case have few digits.
    return Surroundings.isVariable(text) && !(mix.looksRandom && mix.digits * 10 >= mix.count)
      && KeyShape.keys.match(in: bytes[...], from: 0) == nil
  }

  private static let words = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"]

  private static func isTelling(_ name: String, _ value: String) -> Bool {
    let name = name.uppercased()
    // The maximum number of tokens is not a token.
    if name.hasSuffix("TOKENS"), Int(value) != nil { return false }
    return words.contains { name.contains($0) } || name.split(separator: "_").contains("PASS")
      || [.secret, .password, .cookie].contains(SecretNames.hint(name.utf8))
  }

  /// Returns true for a path or a URL.
  private static func isPlace(_ value: String) -> Bool {
    value.contains("://") || value.starts(with: /\.{0,2}\/|~\//)
  }

  /// Returns true for a locale, a date, a version, a path or URL without random parts, or a word for
  /// a stage.
  private static func isPlain(_ value: String) -> Bool {
    let plain =
      /[a-z]{2,3}_[A-Z]{2}([.@].*)?|C\.[\w-]+|\d{4}-\d\d-\d\d([T ].*)?|\d+(\.\d+)+|production|development|disabled/
    return value.wholeMatch(of: plain) != nil
      || isPlace(value)
        && !value.split { "/:?&=".contains($0) }.contains { CharacterMix($0.utf8).looksRandom }
  }
}

extension ProgramEndpoint {
  /// Returns the secrets among the values of the variables that a program receives.
  static func secrets(of variables: [String], in environment: [String: String]) -> [Secret] {
    variables.flatMap { EnvironmentSecrets.values(of: $0, environment[$0] ?? "") }
      .map { Secret($0) }
  }
}

extension String {
  /// Returns the text with all secrets redacted, in whatever encoding.
  func hiding(_ secrets: [Secret]) -> String {
    Redaction(known: secrets).redacted(
      secrets.sorted { $0.value.utf8.count > $1.value.utf8.count }
        .reduce(self) { $0.replacingOccurrences(of: $1.value, with: "<redacted>") }
    )
  }

  private static let redaction = Redaction()

  /// The text without the keys that can be recognized by their form.
  package var withoutKeys: String { Self.redaction.redactedJudged(self) }

  /// The line up to the first text that may be a secret, if there is one.
  var cutBeforeSecrets: String {
    let new = Self.redaction.redacted(self)
    if new == self { return self }
    let same = zip(unicodeScalars, new.unicodeScalars).prefix { $0 == $1 }
    return String(String.UnicodeScalarView(same.map(\.0))) + "…"
  }
}
