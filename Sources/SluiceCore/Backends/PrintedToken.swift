import SluiceSupport

/// A token that a program printed: a line of text, or JSON that may contain the expiry.
///
/// Known formats: `gcloud auth print-access-token` prints only the token; with `--format=json` it
/// prints `{"token": …}`. `gcloud config config-helper --format=json` prints the token and its
/// `token_expiry` inside of `credential`. `az account get-access-token` prints `accessToken`,
/// `expires_on` in Unix seconds, and `expiresOn` in local time without a zone, which is ignored.
struct PrintedToken: Equatable {
  var text: String
  /// The expiry time, if the output or the token contains it.
  var expires: Timestamp?

  /// The reason why an output contains no token, such as `printed nothing`.
  struct Fault: Error, Equatable { var reason: String }

  /// Reads the output of a program.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - start: The start time of the program. Lifetimes are counted from it.
  /// - Throws: ``Fault`` if the output contains no token.
  init(_ output: [UInt8], from start: Timestamp) throws(Fault) {
    let text = String(decoding: output.withoutByteOrderMark, as: UTF8.self).trimmed
    if text.isEmpty { throw Fault(reason: "printed nothing") }
    guard ["{", "[", "\""].contains(where: text.hasPrefix) else {
      self.text = String(text.prefix { !$0.isNewline }).trimmed
      expires = Self.expiry(ofJWT: self.text)
      return
    }
    guard let json = try? JSONReader.value(Array(text.utf8)) else {
      throw Fault(reason: "printed text that begins like JSON but is not valid JSON")
    }
    // `credential` is printed by gcloud, and `status` by credential plugins for Kubernetes.
    let places = [json, json["credential"], json["status"]].compactMap(\.self)
    let found = places.lazy.compactMap { place in Self.token(in: place).map { ($0, place) } }.first
    guard let (token, place) = found else {
      throw Fault(
        reason: "printed JSON without a token under 'token', 'access_token' or 'accessToken'"
      )
    }
    self.text = token
    expires = Self.expiry(in: place, from: start) ?? Self.expiry(ofJWT: token)
  }

  private static func token(in json: JSONValue) -> String? {
    if let text = json.string?.trimmed { return text.isEmpty ? nil : text }
    for wanted in ["token", "accesstoken"] {
      for member in json.object?.members ?? [] where plain(member.name) == wanted {
        if let text = member.value.string?.trimmed, !text.isEmpty { return text }
      }
    }
    return nil
  }

  /// Returns a name in lower case without separators, so that `accessToken`, `access_token` and
  /// `AccessToken` become equal.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" }
  }

  // MARK: Expiry

  private static let moments: Set<String> = [
    "expireson", "expiresat", "expiry", "tokenexpiry", "expiration", "expirationtimestamp",
  ]

  /// Returns the earliest expiry in an object; nil if the object contains no expiry.
  ///
  /// A later expiry may be wrong: for a cached token, `expires_in` may be the original lifetime.
  private static func expiry(in json: JSONValue, from start: Timestamp) -> Timestamp? {
    (json.object?.members ?? []).compactMap { member in
      let name = plain(member.name)
      if moments.contains(name) { return moment(member.value) }
      if name == "expiresin", let seconds = number(member.value), abs(seconds) < 1e10 {
        return Timestamp(seconds: start.seconds + Int(seconds))
      }
      return nil
    }.min()
  }

  private static func number(_ value: JSONValue) -> Double? {
    value.number ?? value.string.flatMap { Double($0) }
  }

  private static func moment(_ value: JSONValue) -> Timestamp? {
    if let number = number(value) {
      // A number beyond the year 5000 is in milliseconds, not in seconds.
      let seconds = number > 1e11 ? number / 1_000 : number
      return (0..<1e11).contains(seconds) ? Timestamp(seconds: Int(seconds)) : nil
    }
    return value.string.flatMap { Timestamp(rfc3339: $0) }
  }

  /// Returns the expiry that a JSON Web Token contains (RFC 7519, section 4.1.4).
  private static func expiry(ofJWT token: String) -> Timestamp? {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = LooseBase64(Array(parts[1])[...]),
      let json = try? JSONReader.value(payload.bytes), json["exp"]?.number != nil
    else { return nil }
    return json["exp"].flatMap(moment)
  }
}

extension Timestamp {
  /// Parses a date and time with a zone (RFC 3339), such as `2026-11-21T13:20:19.5+01:00`; nil for
  /// any other text.
  init?(rfc3339 text: String) {
    guard
      let match = text.wholeMatch(
        of: /(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:([Zz])|([+-])(\d\d):(\d\d))/
      ),
      let local = Timestamp(iso8601: "\(match.1)T\(match.2)Z")
    else { return nil }
    let minutes = (Int(match.5 ?? "0") ?? 0) * 60 + (Int(match.6 ?? "0") ?? 0)
    self.init(seconds: local.seconds - (match.4 == "-" ? -60 : 60) * minutes)
  }
}

extension StringProtocol {
  /// The text without leading and trailing white space.
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
