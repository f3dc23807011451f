/// Syntax checks for the parts of an HTTP request.
package enum HTTPSyntax {
  /// Returns true if a text is a token, such as a method or header name (RFC 9110, section 5.6.2).
  package static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Returns true if a text can be a header value: one line without control characters.
  package static func isHeaderValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Returns the reason why a text is not the URL of a server, as a predicate such as `has no
  /// host`; nil if no fault is found.
  package static func fault(ofURL url: String) -> String? {
    guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else {
      return "must start with https:// or http://"
    }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      return "must not contain spaces or control characters"
    }
    let authority = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    let place = authority[
      (authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...
    ]
    var port: Substring
    let host: Substring
    if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
      host = place[place.index(after: place.startIndex)..<end]
      port = place[place.index(after: end)...]
    } else {
      host = place.prefix { $0 != ":" }
      port = place[host.endIndex...]
    }
    if host.isEmpty { return "has no host" }
    if port.isEmpty { return nil }
    let isMarked = port.hasPrefix(":")
    port = port.drop { $0 == ":" }
    let isNumber = port.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if isMarked, isNumber, let number = Int(port), (1...65_535).contains(number) { return nil }
    return "must have a port between 1 and 65535, or no port"
  }
}
