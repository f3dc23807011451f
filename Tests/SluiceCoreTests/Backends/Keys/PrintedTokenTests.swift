@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Printed token")
struct PrintedTokenTests {
  /// 2026-11-21T12:00:00Z.
  static let start = Timestamp(seconds: 1_795_262_400)

  private func read(_ output: String) throws(PrintedToken.Fault) -> PrintedToken {
    try PrintedToken(Array(output.utf8), from: Self.start)
  }

  private func fault(_ output: String) -> String? {
    do throws(PrintedToken.Fault) {
      _ = try read(output)
      return nil
    } catch {
      return error.reason
    }
  }

  /// A JSON Web Token with an invalid signature.
  static func jwt(_ payload: String) -> String {
    let parts = [#"{"alg":"RS256"}"#, payload].map { part in
      Base64.encode(Array(part.utf8)).replacing("+", with: "-").replacing("/", with: "_")
        .filter { $0 != "=" }
    }
    return parts.joined(separator: ".") + ".c2lnbmF0dXJl"
  }

  @Test(
    "A plain token is read without surrounding white space and the lines after it",
    arguments: ["t0ken-1", "t0ken-1\n", "\n  t0ken-1 \r\nWelcome!\n", "\u{FEFF}t0ken-1"]
  )
  func text(output: String) throws {
    let token = try read(output)
    #expect(token.text == "t0ken-1")
    #expect(token.expires == nil)
  }

  @Test(
    "A token in JSON is read under each of its usual names, in any spelling",
    arguments: [
      #"{"token": "t0ken-1"}"#, #"{"access_token": "t0ken-1", "id_token": "other"}"#,
      #"{"accessToken": "t0ken-1"}"#, #"{"AccessToken": " t0ken-1\n"}"#, #""t0ken-1""#,
      #"{"credential": {"access_token": "t0ken-1", "id_token": "other"}, "sentinels": {}}"#,
      #"{"kind": "ExecCredential", "status": {"token": "t0ken-1"}}"#,
    ]
  )
  func json(output: String) throws { #expect(try read(output).text == "t0ken-1") }

  @Test(
    "Output without a token is an error that does not show the output",
    arguments: [
      ("", "printed nothing"), (" \n\t\n", "printed nothing"),
      (
        #"{"token": 1, "secret": "t0ken-1"}"#,
        "printed JSON without a token under 'token', 'access_token' or 'accessToken'"
      ),
      (
        #"{"token": ""}"#,
        "printed JSON without a token under 'token', 'access_token' or 'accessToken'"
      ),
      (
        #"["t0ken-1"]"#,
        "printed JSON without a token under 'token', 'access_token' or 'accessToken'"
      ),
      (#"{"token": "t0ken-1""#, "printed text that begins like JSON but is not valid JSON"),
    ]
  )
  func faults(output: String, reason: String) { #expect(fault(output) == reason) }

  @Test(
    "The expiry is read from the output in each of its usual forms",
    arguments: [
      (#""expires_in": 3599"#, 3_599), (#""expires_in": "3599""#, 3_599),
      (#""expires_on": 1795266000"#, 3_600), (#""expires_on": "1795266000""#, 3_600),
      (#""expiresAt": 1795266000000"#, 3_600),
      (#""expiry": "2026-11-21T13:00:00Z""#, 3_600),
      (#""token_expiry": "2026-11-21T13:00:00Z""#, 3_600),
      (#""expirationTimestamp": "2026-11-21T13:00:00Z""#, 3_600),
      (#""Expiration": "2026-11-21T14:00:00.189+01:00""#, 3_600),
      (#""expiration": "2026-11-21t11:30:00-01:30""#, 3_600),
      // From 'az account get-access-token': the first is in local time, of an unknown zone.
      (#""expiresOn": "2026-11-21 13:59:10.000000", "expires_on": 1795266000"#, 3_600),
      (#""expiresOn": "N/A", "expires_on": 1795266000"#, 3_600),
      // From a cache.
      (#""expires_in": 3599, "expires_on": 1795262500"#, 100),
    ]
  )
  func expiry(members: String, seconds: Int) throws {
    let token = try read("{\"token\": \"t0ken-1\", \(members)}")
    #expect(token.expires == Timestamp(seconds: Self.start.seconds + seconds))
  }

  @Test(
    "An expiry without a time zone, or of an unknown form, is ignored",
    arguments: [
      #""expiresOn": "2026-11-21 13:59:10.000000""#, #""expires_on": "11/21/2026 13:00:00 +00:00""#,
      #""expiry": null"#, #""expires_on": -5"#, #""expires_in": "soon""#,
      #""expiry": "2026-02-31T13:00:00Z""#, #""expires_in": 1e300"#, #""expires_on": 1e300"#,
    ]
  )
  func noExpiry(members: String) throws {
    #expect(try read("{\"token\": \"t0ken-1\", \(members)}").expires == nil)
  }

  @Test("The expiry of a JSON Web Token is used if the output has no other")
  func webToken() throws {
    let jwt = Self.jwt(#"{"aud":"https://models.test?>","exp":1795262700}"#)
    let end = Timestamp(seconds: Self.start.seconds + 300)
    #expect(try read(jwt) == PrintedToken.fixture(jwt, end))
    #expect(try read(#"{"accessToken": "\#(jwt)"}"#).expires == end)
    #expect(
      try read(#"{"accessToken": "\#(jwt)", "expiresOn": "2026-11-21 13:59:10"}"#).expires == end
    )
    #expect(
      try read(#"{"accessToken": "\#(jwt)", "expires_in": 60}"#).expires
        == Timestamp(seconds: Self.start.seconds + 60)
    )
    for other in ["a.b.c", "..", Self.jwt("{}"), Self.jwt(#"{"exp":"soon"}"#), "ya29.a0-b_c"] {
      #expect(try read(other).expires == nil)
    }
  }
}

extension PrintedToken {
  fileprivate static func fixture(_ text: String, _ expires: Timestamp) throws -> PrintedToken {
    var token = try PrintedToken(Array("t0ken-1".utf8), from: expires)
    token.text = text
    token.expires = expires
    return token
  }
}
