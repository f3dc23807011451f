@testable import SluiceCore
import Testing

@Suite("JSON Schema formats")
struct JSONSchemaFormatTests {
  private static let sixtyFour = String(repeating: "a", count: 64)

  private static let rightTexts: [(String, [String])] = [
    ("date", ["2026-11-22", "2024-02-29", "2000-02-29", "0000-01-01", "2026-12-31"]),
    (
      "time",
      [
        "09:30:00Z", "00:00:00.123456z", "23:59:60Z", "23:59:59+23:59", "01:29:60+01:30",
        "15:59:60-08:00",
      ]
    ),
    (
      "date-time",
      [
        "2026-11-22T09:30:00Z", "2026-11-22t09:30:00.5z", "1998-12-31T23:59:60Z",
        "2026-11-22T09:30:00-08:00",
      ]
    ),
    (
      "duration",
      ["P4DT12H30M5S", "P4Y", "PT0S", "P2W", "P1YT1S", "P1M", "PT1M", "P1Y2M3D", "PT36H", "P0D"]
    ),
    (
      "email",
      [
        "ana@example.org", "te~st@example.com", "~a@example.com", "a.b+c@example.com",
        #""joe bloggs"@example.com"#, #""joe@bloggs"@example.com"#, #""a\"b"@example.com"#,
        "a@[127.0.0.1]", "a@[IPv6:::1]", "a@localhost",
        "\(sixtyFour)@b.de",
      ]
    ),
    ("hostname", ["example.org", "a", "xn--4gbwdl.xn--wgbh1c", "1host.2", "a-b.c-d"]),
    ("ipv4", ["192.168.0.1", "0.0.0.0", "255.255.255.255"]),
    (
      "ipv6",
      [
        "::1", "::", "1::", "::42:ff:1", "d6::", "1:d6::42", "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::", "1::d6:192.168.0.1", "::ffff:192.168.0.1", "ABCD::ef12",
      ]
    ),
    (
      "uri",
      [
        "https://example.org/a", "http://foo.bar/?baz=qux#quux", "mailto:ana@example.org",
        "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "tel:+1-816-555-1212",
        "ldap://[2001:db8::7]/c=GB?objectClass?one", "http://a:b@example.org:8080/x%20y",
        "file:///etc/hosts", "http://example.org", "a:", "http://[v1.a:b]/", "http://x:/",
        "news:comp.infosystems.www.servers.unix", "http://-.~_!$&'()*+,;=:%40:80%2f@example.com",
      ]
    ),
    (
      "uuid",
      [
        "3fa85f64-5717-4562-b3fc-2c963f66afa6", "3FA85F64-5717-4562-B3FC-2C963F66AFA6",
        "00000000-0000-0000-0000-000000000000",
      ]
    ),
  ]

  @Test(
    "A text in the format is valid",
    arguments: rightTexts
  )
  func right(_ format: String, _ texts: [String]) throws {
    let known = try #require(JSONSchema.Format(rawValue: format))
    #expect(texts.filter { !known.accepts($0) } == [])
  }

  private static let wrongTexts: [(String, [String])] = [
    (
      "date",
      [
        "", "tomorrow", "2026-11-2", "2026-1-22", "26-11-22", "2026-13-01", "2026-00-10",
        "2026-11-31", "2026-11-00", "2023-02-29", "1900-02-29", "2026/11/22", "20261122",
        "2026-11-22T", "2026-11-22 ", " 2026-11-22", "2026-11-22\n", "২০26-11-22", "-2026-11-22",
        "2026-W47-7", "2026-326", "22.11.2026",
      ]
    ),
    (
      "time",
      [
        "09:30:00", "24:00:00Z", "09:60:00Z", "09:30:61Z", "22:59:60Z", "23:58:60Z",
        "23:59:60+01:00", "9:30:00Z", "09:30:00.Z", "09:30:00+24:00", "09:30:00+00:60", "09:30Z",
        "09:30:00+0100", "09:30:00 Z", "09:30:00,5Z", "09:30:00ZZ",
      ]
    ),
    (
      "date-time",
      [
        "2026-11-22", "2026-11-22 09:30:00Z", "2026-11-22T09:30:00", "2026-02-30T09:30:00Z",
        "2026-11-22T25:00:00Z", "1998-12-31T22:59:60Z", "06/19/1963 08:30:06 PST",
        "2013-350T01:01:01", "2026-11-22T09:30:00+1:00",
      ]
    ),
    (
      "duration",
      [
        "", "P", "PT", "P1", "4DT12H", "P1D2H", "P2D1Y", "P1Y2D", "PT1H2S", "PT1D", "P1YT",
        "P1W2D", "P1WT1H", "P-1D", "PT1.5S", "p1d", "P১Y",
      ]
    ),
    (
      "email",
      [
        "", "2962", "@example.org", "ana@", "ana", ".test@example.com", "test.@example.com",
        "te..st@example.com", "ana @example.org", "ana@exa mple.org", "ana@-example.org",
        "ana@example..org", "joe@invalid=domain.com", "a@[127.0.0.300]", "a@[127.0.0.1",
        "a@b@c.de", #""joe@example.com"#, "ana@example.org ", "änna@example.org",
        "\(sixtyFour)a@b.de", "a@[IPv6:12345::]",
      ]
    ),
    (
      "hostname",
      [
        "", "-a.b", "a-.b", "a..b", ".a", "a.", "not_a_host", "a b",
        sixtyFour, "例え.jp",
        "\(sixtyFour.dropLast()).\(sixtyFour.dropLast()).\(sixtyFour.dropLast()).\(sixtyFour.dropLast())",
      ]
    ),
    (
      "ipv4",
      ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.04", "0x7f.0.0.1", "1.2.3.4 ", "1..2.3"]
    ),
    (
      "ipv6",
      [
        "", ":", ":::", "12345::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1 ", "1:",
        ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "::g", "1.2.3.4::", "::1.2.3.256",
        "1:2:3:4:5:6:7:8::",
        "fe80::a%eth1", "1:2:3:4:5:6:7:1.2.3.4",
      ]
    ),
    (
      "uri",
      [
        "", "abc", "/abc", "//foo.bar/?a=b", #"\\WINDOWS\fileshare"#, "http:// shouldfail.com",
        ":// should fail", "bar,baz:foo", "1http://a", "https://[@example.org/test.txt",
        "https://example.org/foobar\\.txt", "https://example.org/foo<bar>", "http://a/%FG",
        "http://a/%", "http://a/b c", "http://a:x/", "http://a:80:/", "http://[::1",
        "http://[1]/",
        "http://a/b#c#d", "https://exämple.org/", "http://a/\"b\"", "http://a/{b}",
        "http://a/b\n",
      ]
    ),
    (
      "uuid",
      [
        "", "3fa85f64-5717-4562-b3fc-2c963f66afa", "3fa85f64-5717-4562-b3fc-2c963f66afa67",
        "3fa85f6457174562b3fc2c963f66afa6", "3fa85f64-5717-4562-b3fc2c-963f66afa6",
        "3ga85f64-5717-4562-b3fc-2c963f66afa6", "{3fa85f64-5717-4562-b3fc-2c963f66afa6}",
      ]
    ),
  ]

  @Test(
    "A text that is not in the format is invalid",
    arguments: wrongTexts
  )
  func wrong(_ format: String, _ texts: [String]) throws {
    let known = try #require(JSONSchema.Format(rawValue: format))
    #expect(texts.filter { known.accepts($0) } == [])
  }

  @Test("The example of each format is valid")
  func examples() throws {
    for format in JSONSchema.Format.allCases {
      let example = try #require(format.description.split(separator: " such as ").last)
      #expect(format.accepts(String(example)))
    }
  }

  @Test(
    "An invalid text is reported with the expected format",
    arguments: [
      ("date", "a date such as 2026-11-22"),
      ("time", "a time such as 09:30:00Z"),
      ("date-time", "a date and time such as 2026-11-22T09:30:00Z"),
      ("duration", "a duration such as P3DT4H30M"),
      ("email", "an e-mail address such as ana@example.org"),
      ("hostname", "a host name such as www.example.org"),
      ("ipv4", "an IPv4 address such as 192.0.2.1"),
      ("ipv6", "an IPv6 address such as 2001:db8::1"),
      ("uri", "a URI with its scheme, such as https://example.org/a"),
      ("uuid", "a UUID such as 3fa85f64-5717-4562-b3fc-2c963f66afa6"),
    ]
  )
  func message(_ format: String, _ wanted: String) throws {
    let schema = #"{"items":{"properties":{"dueDate":{"format":"\#(format)"}}}}"#
    #expect(
      try CompiledSchema.violations(schema, #"[{"dueDate":"to morrow"}]"#) == [
        #"[0].dueDate: expected \#(wanted), got "to morrow" (format \#(format))"#
      ]
    )
    #expect(try CompiledSchema.violations(schema, #"[{"dueDate":1}]"#) == [])
  }
}
