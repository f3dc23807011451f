import SluiceSupport

/// A search for secrets in plain text; ``SecretSearch`` handles encoded text.
struct SecretText {
  /// A secret and its range.
  struct Match {
    var range: Range<Int>
    var kind: SecretKind
    /// The value that the placeholder is computed from.
    var secret: [UInt8]
    /// The encoding in which a known value was found, if any.
    var encoding: String?
  }

  private let bytes: [UInt8]
  private let isJudged: Bool
  private(set) var matches: [Match] = []

  /// Searches a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - name: The name of the member or header, if the text is its whole value.
  ///   - isJudged: True if the text is scored, so that only strong evidence counts.
  ///   - known: The known secret values.
  init(_ bytes: [UInt8], name: String?, isJudged: Bool, known: KnownSecrets) {
    self.bytes = bytes
    self.isJudged = isJudged
    for match in known.matches(in: bytes[...]) {
      var range = match.range
      if match.encoding == "base64" { range = wholeBase64(around: range) }
      matches.append(
        Match(range: range, kind: .knownKey, secret: match.value, encoding: match.encoding)
      )
    }
    addShapes()
    addAWSSecrets()
    addTwilioSecrets()
    addTelegramTokens()
    addAzureKeys()
    addSchemes()
    addURLPasswords()
    addNamedCookies()
    if !isJudged {
      if let name { addValue(of: name) }
      addAssignments()
    }
    matches.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  private mutating func add(_ range: Range<Int>, _ kind: SecretKind) {
    guard !range.isEmpty, !matches.contains(where: { $0.range.overlaps(range) }) else { return }
    matches.append(Match(range: range, kind: kind, secret: Array(bytes[range])))
  }

  private func wholeBase64(around range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start > 0, Self.isBase64(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, Self.isBase64(bytes[end]) { end += 1 }
    while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    return start..<end
  }

  // MARK: Shapes

  /// Adds private keys, JSON Web Tokens and keys with a known prefix that start a word.
  private mutating func addShapes() {
    var index = 0
    while index < bytes.count {
      guard startsWord(index) else {
        index += 1
        continue
      }
      if let end = privateKeyEnd(from: index) {
        add(index..<end, .privateKey)
        index = end
      } else if let end = webTokenEnd(from: index) {
        add(index..<end, .jsonWebToken)
        index = end
      } else if let match = KeyShape.keys.match(in: bytes[...], from: index)
        ?? (isJudged ? nil : KeyShape.accounts.match(in: bytes[...], from: index))
      {
        add(index..<match.end, match.kind)
        index = match.end
      } else {
        index += 1
      }
    }
  }

  /// Returns true if a word may start at an index, because the previous byte is not a letter or
  /// digit, or belongs to an escape.
  private func startsWord(_ index: Int) -> Bool {
    guard index > 0, Self.isAlphanumeric(bytes[index - 1]) else { return true }
    func stands(_ byte: UInt8, _ back: Int) -> Bool {
      index >= back && bytes[index - back] == byte
    }
    if stands(UInt8(ascii: "\\"), 2) || stands(UInt8(ascii: "%"), 3) { return true }
    return stands(UInt8(ascii: "\\"), 6) && stands(UInt8(ascii: "u"), 5)
  }

  private func starts(_ text: StaticString, at index: Int) -> Bool {
    // For almost all texts, the first byte already differs.
    guard index < bytes.count, bytes[index] == text.utf8Start[0] else { return false }
    return bytes.withUnsafeBytes { $0.hasBytes(of: text, at: index) }
  }

  private func privateKeyEnd(from start: Int) -> Int? {
    guard let opening = dashes(at: start), starts("BEGIN", at: start + opening) else { return nil }
    let head = start + opening + 5
    guard
      let mark = firstIndex(
        of: Array("PRIVATE".utf8),
        in: bytes[head..<min(head + 60, bytes.count)]
      ),
      let title = firstIndex(of: Array("KEY".utf8), in: bytes[mark..<min(mark + 20, bytes.count)])
    else { return nil }
    // A truncated key still counts. But if no bytes of a key follow, the text only mentions a key.
    let body = min(title + 3 + 5, bytes.count)
    let foot = (body..<bytes.count).first { index in
      dashes(at: index).map { starts("END", at: index + $0) } ?? false
    }
    guard let foot else { return bytes.count - body >= 40 ? bytes.count : nil }
    guard foot - body >= 40 else { return nil }
    let words = foot + (dashes(at: foot) ?? 0)
    let last = (words..<min(words + 60, bytes.count)).first { dashes(at: $0) != nil }
    guard let last else { return min(words + 3, bytes.count) }
    return last + (dashes(at: last) ?? 0)
  }

  /// Returns the length in bytes of five hyphens at an index, plain or percent-encoded; nil if
  /// there are none.
  private func dashes(at index: Int) -> Int? {
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "-"): return starts("-----", at: index) ? 5 : nil
    case UInt8(ascii: "%"):
      let isEncoded =
        starts("%2D%2D%2D%2D%2D", at: index) || starts("%2d%2d%2d%2d%2d", at: index)
      return isEncoded ? 15 : nil
    default: return nil
    }
  }

  private func firstIndex(of part: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
    let offset = slice.withUnsafeBytes { text in
      part.withUnsafeBytes { $0.firstOffset(in: text) }
    }
    return offset.map { slice.startIndex + $0 }
  }

  /// Adds the secret next to an AWS key id.
  ///
  /// The secret consists of 40 base64 characters without a prefix, so only the id makes it
  /// recognizable.
  private mutating func addAWSSecrets() {
    guard matches.contains(where: { $0.range.count == 20 && starts("A", at: $0.range.lowerBound) })
    else { return }
    func isPart(_ byte: UInt8) -> Bool { Self.isAlphanumeric(byte) || "+/".utf8.contains(byte) }
    for word in bytes.split(whereSeparator: { !isPart($0) })
    where word.count == 40 && CharacterMix(word).looksRandom && !HarmlessValue.isDigest(word) {
      add(word.indices, SecretKind("an AWS secret access key", .key))
    }
  }

  /// Adds the token next to a Twilio account id.
  ///
  /// The token consists of 32 hexadecimal digits, so only the id distinguishes it from a digest.
  private mutating func addTwilioSecrets() {
    guard !isJudged,
      matches.contains(where: { $0.range.count == 34 && starts("AC", at: $0.range.lowerBound) })
    else { return }
    for word in bytes.split(whereSeparator: { !Self.isAlphanumeric($0) })
    where word.count == 32 && CharacterMix(word).isHexadecimal {
      add(word.indices, SecretKind("a Twilio token", .token))
    }
  }

  /// Adds Telegram bot tokens, which consist of the bot's number, a colon, and 35 characters that
  /// start with `AA`.
  private mutating func addTelegramTokens() {
    for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") && starts(":AA", at: colon) {
      var start = colon
      while start > 0, (0x30...0x39).contains(bytes[start - 1]) { start -= 1 }
      let end = end(of: colon + 1, where: Self.isBase64URL)
      guard (8...10).contains(colon - start), end - colon == 36,
        CharacterMix(bytes[(colon + 3)..<end]).looksRandom
      else { continue }
      add(start..<end, SecretKind("the token of a Telegram bot", .token))
    }
  }

  /// Adds Azure keys without a prefix (84 letters and digits around a marker), and the signatures
  /// of temporary access URLs.
  private mutating func addAzureKeys() {
    let mark = Array("JQQJ99".utf8)
    var index = 0
    while let place = firstIndex(of: mark, in: bytes[index...]) {
      var start = place
      while start > 0, Self.isAlphanumeric(bytes[start - 1]) { start -= 1 }
      let end = end(of: place, where: Self.isAlphanumeric)
      if end - start == 84 { add(start..<end, SecretKind("an Azure API key", .key)) }
      index = end
    }
    let label = Array("sig=".utf8)
    // In an answer, only an expiry time shows that a value is a signature.
    if isJudged, firstIndex(of: Array("se=".utf8), in: bytes[...]) == nil { return }
    index = 0
    while let place = firstIndex(of: label, in: bytes[index...]) {
      let start = place + label.count
      let end = end(of: start) { Self.isToken($0) || $0 == UInt8(ascii: "%") }
      index = max(end, start)
      guard place == 0 || !Self.isAlphanumeric(bytes[place - 1]), (40...100).contains(end - start),
        CharacterMix(bytes[start..<end]).looksRandom
      else { continue }
      add(start..<end, SecretKind("the signature of an Azure address", .token))
    }
  }

  /// Returns the end of a JSON Web Token (RFC 7519): base64url parts separated by dots.
  ///
  /// The first part is an object that names an algorithm.
  private func webTokenEnd(from start: Int) -> Int? {
    guard starts("eyJ", at: start) else { return nil }
    var points: [Int] = []
    var end = start
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: ".") {
        points.append(end)
      } else if !Self.isBase64URL(bytes[end]) {
        break
      }
      end += 1
    }
    while let last = points.last, last == end - 1, points.count > 2 {
      // A final dot belongs to the sentence.
      end -= 1
      points.removeLast()
    }
    guard points.count == 2 || points.count == 4, end - points[points.count - 1] > 8,
      let header = LooseBase64(bytes[start..<points[0]])?.bytes,
      firstIndex(of: Array("\"alg\"".utf8), in: header[...]) != nil
    else { return nil }
    return end
  }

  // MARK: Schemes

  /// Adds the credentials that follow `Bearer` (RFC 6750) and `Basic` (RFC 7617).
  private mutating func addSchemes() {
    for index in bytes.indices where bytes[index] | 0x20 == UInt8(ascii: "b") && startsWord(index) {
      if let start = word("bearer", endsAt: index) {
        let end = end(of: start, where: Self.isToken)
        if CharacterMix(bytes[start..<end]).looksRandom { add(start..<end, .bearer) }
      } else if let start = word("basic", endsAt: index) {
        let end = end(of: start) { Self.isBase64($0) || $0 == UInt8(ascii: "=") }
        guard end - start >= 8, let pair = LooseBase64(bytes[start..<end])?.bytes,
          SecretSearch.isText(pair), let colon = pair.firstIndex(of: UInt8(ascii: ":")),
          colon > 0, pair.count - colon > (isJudged ? 8 : 3)
        else { continue }
        add(start..<end, .basic)
      }
    }
  }

  /// Returns the start of the value that follows the name of a scheme.
  ///
  /// The name may be in upper or lower case. Returns nil if the name is not at the index, or if no
  /// space follows the name.
  private func word(_ scheme: StaticString, endsAt index: Int) -> Int? {
    let count = scheme.utf8CodeUnitCount
    guard index + count + 1 < bytes.count,
      (0..<count).allSatisfy({ bytes[index + $0] | 0x20 == scheme.utf8Start[$0] })
    else { return nil }
    var start = index + count
    while start < bytes.count, bytes[start] == 0x20 { start += 1 }
    return start > index + count ? start : nil
  }

  private func end(of start: Int, where isPart: (UInt8) -> Bool) -> Int {
    var end = start
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    return end
  }

  /// Adds the passwords in URLs such as `scheme://user:password@host`.
  private mutating func addURLPasswords() {
    guard bytes.count >= 8 else { return }
    for index in 0..<(bytes.count - 4) where starts("://", at: index) {
      let start = index + 3
      let end = end(of: start) {
        $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "?")
          && $0 != UInt8(ascii: "#")
      }
      guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")),
        let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      let password = bytes[(colon + 1)..<at]
      guard password.count >= 3, !Self.isPlaceholderPassword(password) else { continue }
      if isJudged, !CharacterMix(password).looksRandom { continue }
      add(password.startIndex..<password.endIndex, .urlPassword)
    }
  }

  // MARK: Cookies

  /// Adds the cookies with which Cloudflare, a proxy in front of many servers, identifies a client.
  private mutating func addNamedCookies() {
    for index in bytes.indices where bytes[index] == UInt8(ascii: "_") {
      for name: StaticString in ["__cf_bm=", "_cfuvid="] where starts(name, at: index) {
        let start = index + name.utf8CodeUnitCount
        let end = end(of: start) { Self.isToken($0) || $0 == UInt8(ascii: "%") }
        if end - start >= 16 { add(start..<end, .cookie) }
      }
    }
  }

  /// Adds the values of cookies, without their attributes.
  private mutating func addCookies(in range: Range<Int>) {
    for pair in bytes[range].split(whereSeparator: { $0 == 0x3B || $0 == 0x2C || $0 <= 0x20 }) {
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: pair[..<sign], as: UTF8.self).lowercased()
      if Self.cookieAttributes.contains(name) { continue }
      let value = pair[(sign + 1)...]
      guard value.count >= 8, !Self.isPlaceholder(value), CharacterMix(value).looksIssued else {
        continue
      }
      add(value.startIndex..<value.endIndex, .cookie)
    }
  }

  private static let cookieAttributes: Set<String> = [
    "path", "domain", "expires", "max-age", "samesite", "version", "priority", "comment",
  ]

  // MARK: Names and words

  /// Adds the whole text if it looks like a secret.
  ///
  /// The name of the member or header determines which kinds of secrets are looked for.
  private mutating func addValue(of name: String) {
    let hint = SecretNames.hint(name.utf8)
    if hint == .cookie { return addCookies(in: bytes.indices) }
    guard !bytes.contains(where: { $0 <= 0x20 }), !Self.isPlaceholder(bytes[...]) else { return }
    let mix = CharacterMix(bytes)
    switch hint {
    case .none:
      guard (32...256).contains(mix.count), mix.lower > 2, mix.upper > 2, mix.digits > 1,
        bytes.allSatisfy({ Self.isBase64($0) || $0 == UInt8(ascii: "=") }), mix.looksRandom,
        !HarmlessValue.isIdentifier(bytes), !HarmlessValue.isUUID(bytes)
      else { return }
      add(bytes.indices, .random)
    case .secret:
      if isKeyLike(mix) || HarmlessValue.isUUID(bytes) { add(bytes.indices, .named) }
    case .password:
      if mix.count >= 6, mix.lower < mix.count { add(bytes.indices, .password) }
    case .account:
      if mix.looksRandom || HarmlessValue.isUUID(bytes)
        || (mix.digits == mix.count && mix.count > 8)
      {
        add(bytes.indices, .account)
      }
    case .cookie, .harmless: break
    }
  }

  private func isKeyLike(_ mix: CharacterMix) -> Bool {
    mix.count <= 512 && mix.looksRandom && !HarmlessValue.isIdentifier(bytes)
  }

  /// Adds values that follow a revealing name and a colon or equals sign.
  ///
  /// Also adds random values that follow soon after a word such as "key".
  private mutating func addAssignments() {
    var index = 0
    while index < bytes.count {
      guard Self.isBase64URL(bytes[index]) else {
        index += 1
        continue
      }
      let start = index
      index = end(of: index, where: Self.isBase64URL)
      let word = bytes[start..<index]
      guard (3...64).contains(word.count) else { continue }
      let hint = SecretNames.hint(word)
      var next = end(of: index) { Self.isQuoteOrSpace($0) }
      let isAssigned =
        next < bytes.count && (bytes[next] == UInt8(ascii: ":") || bytes[next] == UInt8(ascii: "="))
      if isAssigned {
        next = end(of: next + 1) { Self.isQuoteOrSpace($0) }
        switch hint {
        case .secret, .account, .password: addAssigned(hint, from: next)
        case .cookie:
          addCookies(in: next..<end(of: next) { $0 != 0x0A && $0 != UInt8(ascii: "\"") })
        case .none, .harmless: break
        }
      }
      if Self.announces(word) { addAnnounced(from: index) }
    }
  }

  private mutating func addAssigned(_ hint: SecretNames.Hint, from start: Int) {
    let end = end(of: start) {
      hint == .password
        ? $0 > 0x20 && !"\"'&,;<>{}()\\".utf8.contains($0)
        : Self.isToken($0) && $0 != UInt8(ascii: "=")
    }
    let value = bytes[start..<end]
    guard value.count >= 8, !Self.isPlaceholder(value) else { return }
    let mix = CharacterMix(value)
    switch hint {
    case .secret
    where mix.looksRandom && !HarmlessValue.isIdentifier(value) || HarmlessValue.isUUID(value):
      add(start..<end, .named)
    case .account where mix.looksRandom || HarmlessValue.isUUID(value):
      add(start..<end, .account)
    case .password where mix.digits > 0 && mix.letters > 0: add(start..<end, .password)
    default: break
    }
  }

  /// Returns true if a word of a sentence indicates that a secret follows.
  private static func announces(_ word: ArraySlice<UInt8>) -> Bool {
    guard let last = word.last, "yntdSsDTNY".utf8.contains(last) else { return false }
    let lower = lowered(word)
    return announcing.contains { announcement in
      guard lower.hasSuffix(announcement) else { return false }
      // Excludes words such as "monkey" that merely end with "key", and chance matches within
      // random words.
      guard let before = word.dropLast(announcement.utf8.count).last else { return true }
      return !isAlphanumeric(before)
        || (word[word.endIndex - announcement.utf8.count] & 0x20 == 0 && word.count <= 24)
    }
  }

  private static let announcing = [
    "key", "token", "secret", "password", "passwd", "credential", "credentials", "keys",
  ]

  /// The maximum number of bytes between an announcing word and its value.
  private static let reach = 40

  private mutating func addAnnounced(from start: Int) {
    // Without a gap, both parts belong to one word.
    guard start < bytes.count, !Self.isToken(bytes[start]) || bytes[start] == UInt8(ascii: "=")
    else {
      return
    }
    var index = start
    while index < min(start + Self.reach, bytes.count), bytes[index] != 0x0A {
      guard Self.isToken(bytes[index]), bytes[index] != UInt8(ascii: "=") else {
        index += 1
        continue
      }
      let first = index
      index = end(of: index) { Self.isToken($0) && $0 != UInt8(ascii: "=") }
      // A final dot belongs to the sentence.
      let value = bytes[first..<(bytes[index - 1] == UInt8(ascii: ".") ? index - 1 : index)]
      guard (16...512).contains(value.count), CharacterMix(value).looksRandom,
        !HarmlessValue.isIdentifier(value), !HarmlessValue.isUUID(value),
        !HarmlessValue.isDigest(value), !Self.isPlaceholder(value)
      else { continue }
      add(value.startIndex..<value.endIndex, .random)
    }
  }

  // MARK: Bytes

  /// Returns true if a value is a placeholder, such as `<key>`, `xxxx` or `your-key-here`.
  static func isPlaceholder(_ value: ArraySlice<UInt8>) -> Bool {
    if value.contains(where: { "<>{}[]$*".utf8.contains($0) }) { return true }
    let lower = lowered(value.prefix(64))
    if ["pass", "password", "passwd", "pwd", "secret", "token", "key"].contains(lower) {
      return true
    }
    return placeholders.contains { lower.contains($0) }
  }

  /// Returns true if the password of a URL is a placeholder.
  ///
  /// A password may contain `$` and `*`. A placeholder is a variable, a text in brackets, or only
  /// stars.
  private static func isPlaceholderPassword(_ password: ArraySlice<UInt8>) -> Bool {
    guard let first = password.first, let last = password.last else { return true }
    if "<{[(".utf8.contains(first) || ">}])".utf8.contains(last) { return true }
    if first == UInt8(ascii: "$"),
      password.dropFirst().allSatisfy({ (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") })
    {
      return true
    }
    let plain = password.filter { !"$*".utf8.contains($0) }
    return plain.isEmpty || isPlaceholder(plain[...])
  }

  private static let placeholders = [
    "xxx", "redacted", "filtered", "example", "placeholder", "your-", "your_", "dummy", "changeme",
  ]

  private static func lowered(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7A)
  }

  static func isBase64(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func isBase64URL(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// Returns true if a byte may occur in bearer tokens (RFC 6750, section 2.1).
  private static func isToken(_ byte: UInt8) -> Bool {
    isBase64(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
      || byte == UInt8(ascii: "=")
  }

  private static func isQuoteOrSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
      || byte == UInt8(ascii: "\\")
  }
}
