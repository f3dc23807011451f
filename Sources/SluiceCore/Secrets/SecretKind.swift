import SluiceSupport

/// The kind of a secret.
package struct SecretKind: Hashable, Sendable {
  /// The kind in words, with an article, such as "an OpenAI API key".
  package var words: String
  /// The word for the kind in placeholders.
  package var label: Label

  /// The words in placeholders.
  ///
  /// There are fewer words than kinds, so that placeholders stay stable.
  package enum Label: String, Sendable {
    case key, token, password, cookie, secret
    case privateKey = "private-key"
    case account = "account-id"
  }

  package init(_ words: String, _ label: Label) {
    self.words = words
    self.label = label
  }

  package static let knownKey = SecretKind("the key of a connected backend", .key)
  package static let privateKey = SecretKind("a private key", .privateKey)
  package static let jsonWebToken = SecretKind("a JSON Web Token", .token)
  package static let bearer = SecretKind("a bearer token", .token)
  package static let basic = SecretKind("a user name with its password", .password)
  package static let urlPassword = SecretKind("a password in a URL", .password)
  package static let password = SecretKind("a password", .password)
  package static let cookie = SecretKind("a cookie", .cookie)
  package static let account = SecretKind("the id of an account", .account)
  package static let named = SecretKind("a value whose name suggests a secret", .secret)
  package static let random = SecretKind("a value that looks like a key", .secret)
  package static let unseen = SecretKind("compressed data that is too large to search", .secret)

  /// The fix for a value of this kind in a committed file.
  package var fix: String {
    switch label {
    case .key, .token, .password, .privateKey, .secret:
      "revoke it where it was issued, because version control keeps everything that was "
        + "committed; then delete the line and record the answer again"
    case .cookie, .account: "delete the line and record the answer again"
    }
  }
}

/// The placeholder for a secret in a recording, such as `<redacted:key:3fa9c1>`.
///
/// The digits are the start of the value's SHA-256 digest, so the same value has the same
/// placeholder in all recordings. The digits reveal nothing about a random value. Passwords are
/// often not random, so their placeholders have no digits.
enum SecretPlaceholder {
  static func text(_ kind: SecretKind, for secret: some Collection<UInt8>) -> [UInt8] {
    var text = "<redacted:\(kind.label.rawValue)"
    if kind.label != .password { text += ":\(SHA256.hexadecimal(secret).prefix(6))" }
    return Array("\(text)>".utf8)
  }
}
