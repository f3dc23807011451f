import SluiceSupport

/// The clues about a value in the name of its member, header or variable.
package enum SecretNames {
  /// The kind of value that a name suggests.
  package enum Hint {
    /// The name gives no clue.
    case none
    /// A request id, digest, signature, embedding or another value that looks random but is not
    /// secret.
    case harmless
    /// A secret that looks random, such as a key or a token.
    case secret
    /// A secret that a person may have chosen.
    case password
    /// A cookie, or several cookies with their attributes.
    case cookie
    /// The id of an account, such as a user or an organization.
    case account
  }

  /// Returns the clue that a name gives, ignoring case, hyphens, underscores and dots.
  package static func hint(_ name: some Sequence<UInt8>) -> Hint {
    var plain: [UInt8] = []
    for byte in name {
      switch byte {
      case 0x30...0x39, 0x61...0x7A: plain.append(byte)
      case 0x41...0x5A: plain.append(byte | 0x20)
      default: break
      }
    }
    guard let last = plain.last else { return .none }
    for ending in endings[Int(last)] where plain.ends(with: ending.text) { return ending.hint }
    return .none
  }

  private static let endings: [[(text: [UInt8], hint: Hint)]] = {
    let words: [(Hint, String)] = [
      (
        .secret,
        """
        apikey accesskey secretkey privatekey authkey subscriptionkey functionskey servicekey masterkey
        signingkey encryptionkey appkey applicationkey clientkey accountkey sharedaccesskey
        deploymentkey secret token credential credentials authorization auth sessionid sessionkey
        sharedaccesssignature sastoken mistralkey coherekey azurekey openaikey anthropickey
        """
      ),
      (.password, "password passwd passphrase pwd"),
      (.cookie, "cookie cookies cfbm cfuvid"),
      (
        .account,
        """
        organization organizationid organizationuuid orgid orgname openaiorganization openaiproject
        accountid accountuuid accountname userid useruuid projectid projectnumber tenantid
        subscriptionid workspaceid teamid customerid consumer
        """
      ),
      (
        .harmless,
        """
        id ids uuid guid hash digest signature fingerprint etag checksum sha sha256 md5 url uri link href
        model version cursor pagetoken continuationtoken obfuscation padding p embedding embeddings data
        encryptedcontent encryptedindex nonce traceparent tracestate ray via commit file image b64json
        audio video key session slug path citations etoken
        """
      ),
    ]
    var endings = [[(text: [UInt8], hint: Hint)]](repeating: [], count: 256)
    for (hint, names) in words {
      for name in names.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        let text = Array(name.utf8)
        endings[Int(text[text.count - 1])].append((text, hint))
      }
    }
    // The longest ending decides, so `pagetoken` is tried before `token`.
    return endings.map { $0.sorted { $0.text.count > $1.text.count } }
  }()
}

extension Array<UInt8> {
  fileprivate func ends(with other: [UInt8]) -> Bool {
    count >= other.count && suffix(other.count).elementsEqual(other)
  }
}
