import SluiceSupport

extension JSONSchema {
  /// An argument of `format`.
  ///
  /// Sluice validates the format. It is not only an annotation.
  enum Format: String, CaseIterable, Sendable, CustomStringConvertible {
    case date, time
    case dateTime = "date-time"
    case duration, email, hostname, ipv4, ipv6, uri, uuid

    /// A description of the format, with an example.
    var description: String {
      switch self {
      case .date: "a date such as 2026-11-22"
      case .time: "a time such as 09:30:00Z"
      case .dateTime: "a date and time such as 2026-11-22T09:30:00Z"
      case .duration: "a duration such as P3DT4H30M"
      case .email: "an e-mail address such as ana@example.org"
      case .hostname: "a host name such as www.example.org"
      case .ipv4: "an IPv4 address such as 192.0.2.1"
      case .ipv6: "an IPv6 address such as 2001:db8::1"
      case .uri: "a URI with its scheme, such as https://example.org/a"
      case .uuid: "a UUID such as 3fa85f64-5717-4562-b3fc-2c963f66afa6"
      }
    }

    /// Returns true if a text as a whole has the format.
    func accepts(_ text: String) -> Bool {
      var text = FormatText(text)
      let isRead =
        switch self {
        case .date: text.readDate()
        case .time: text.readTime()
        case .dateTime: text.readDate() && text.read("Tt") && text.readTime()
        case .duration: text.readDuration()
        case .email: text.readEmail()
        case .hostname: text.readHostname()
        case .ipv4: text.readIPv4()
        case .ipv6: text.readIPv6()
        case .uri: text.readURI()
        case .uuid: text.readUUID()
        }
      return isRead && text.isAtEnd
    }
  }
}

/// A text that is parsed from start to end, byte by byte.
///
/// Each method returns true if the part that it reads is present.
struct FormatText {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  private init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

  var isAtEnd: Bool { rest.isEmpty }

  // MARK: Dates and times (RFC 3339)

  mutating func readDate() -> Bool {
    guard let year = number(digits: 4), read("-"), let month = number(digits: 2), read("-"),
      let day = number(digits: 2), (1...12).contains(month)
    else { return false }
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// Parses a time that contains its offset from UTC.
  mutating func readTime() -> Bool {
    guard let hour = number(digits: 2), read(":"), let minute = number(digits: 2), read(":"),
      let second = number(digits: 2), hour < 24, minute < 60, second <= 60
    else { return false }
    if read("."), skip(while: Self.isDigit) == 0 { return false }
    var offset = 0
    if !read("Zz") {
      let isWest = read("-")
      guard isWest || read("+"), let hours = number(digits: 2), read(":"),
        let minutes = number(digits: 2), hours < 24, minutes < 60
      else { return false }
      offset = (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
    // A leap second is valid only as the last second of a day in UTC.
    let minuteOfDay = (hour * 60 + minute - offset + 2 * 1_440) % 1_440
    return second < 60 || minuteOfDay == 1_439
  }

  /// Parses a duration (RFC 3339, appendix A).
  ///
  /// A unit between the largest and the smallest unit must not be left out.
  mutating func readDuration() -> Bool {
    guard read("P") else { return false }
    // Weeks cannot be combined with other units.
    if rest.contains(UInt8(ascii: "W")) { return readUnits("W") == true }
    let days = readUnits("YMD")
    guard read("T") else { return days == true }
    return days != nil && readUnits("HMS") == true
  }

  /// Reads quantities such as `3D`.
  ///
  /// Returns true if there is at least one quantity, and nil if the units are not in the given
  /// order.
  private mutating func readUnits(_ units: String) -> Bool? {
    var expected = Array(units.utf8)[...]
    var isFirst = true
    while skip(while: Self.isDigit) > 0 {
      guard let unit = rest.popFirst(), let place = expected.firstIndex(of: unit),
        isFirst || place == expected.startIndex
      else { return nil }
      expected = expected[expected.index(after: place)...]
      isFirst = false
    }
    return !isFirst
  }

  // MARK: Hosts and addresses

  /// Parses a host name, whose labels consist of letters, digits and inner hyphens (RFC 1123).
  mutating func readHostname() -> Bool {
    let labels = take(while: { Self.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E })
    guard labels.count <= 253 else { return false }
    return labels.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy {
        (1...63).contains($0.count) && $0.first != UInt8(ascii: "-") && $0.last != UInt8(ascii: "-")
      }
  }

  mutating func readIPv4() -> Bool {
    for place in 0..<4 {
      if place > 0, !read(".") { return false }
      let digits = take(while: Self.isDigit)
      guard (1...3).contains(digits.count), digits.count == 1 || digits.first != 0x30,
        digits.reduce(0, { $0 * 10 + Int($1 - 0x30) }) < 256
      else { return false }
    }
    return true
  }

  /// Parses an IPv6 address of eight groups.
  ///
  /// `::` may replace one or more groups. The last two groups may be written as an IPv4 address
  /// (RFC 4291, section 2.2).
  mutating func readIPv6() -> Bool {
    let text = take(while: { Self.isHexadecimal($0) || $0 == 0x3A || $0 == 0x2E })
    let groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard groups.count >= 3 else { return false }
    var count = 0
    var gaps = 0
    for (place, group) in groups.enumerated() {
      let isLast = place == groups.count - 1
      if group.isEmpty {
        // A `::` at either end of the text produces one more empty group.
        let isEdge = place == 0 || isLast
        if isEdge, !groups[isLast ? place - 1 : 1].isEmpty { return false }
        if !isEdge { gaps += 1 }
      } else if isLast, group.contains(UInt8(ascii: ".")) {
        var address = FormatText(group)
        guard address.readIPv4(), address.isAtEnd else { return false }
        count += 2
      } else {
        guard group.count <= 4, group.allSatisfy(Self.isHexadecimal) else { return false }
        count += 1
      }
    }
    return gaps == 0 ? count == 8 : gaps == 1 && count <= 7
  }

  /// Parses a mailbox (RFC 5321, section 4.1.2).
  mutating func readEmail() -> Bool {
    let start = rest
    if read("\"") {
      while let unit = rest.popFirst(), unit != UInt8(ascii: "\"") {
        let isEscaped = unit == UInt8(ascii: "\\")
        guard let text = isEscaped ? rest.popFirst() : unit, (0x20...0x7E).contains(text) else {
          return false
        }
      }
      // Without a closing quote, the whole text was consumed, so `@` is missing below.
    } else {
      repeat {
        if skip(while: Self.isAtom) == 0 { return false }
      } while read(".")
    }
    let length = start.count - rest.count
    guard length <= 64, read("@") else { return false }
    if !read("[") { return readHostname() }
    if rest.starts(with: "IPv6:".utf8) {
      rest = rest.dropFirst(5)
      return readIPv6() && read("]")
    }
    return readIPv4() && read("]")
  }

  // MARK: URIs and UUIDs

  /// Parses a URI that contains its scheme (RFC 3986, section 3).
  mutating func readURI() -> Bool {
    guard let first = rest.first, Self.isLetter(first) else { return false }
    skip(while: { Self.isAlphanumeric($0) || "+-.".utf8.contains($0) })
    guard read(":") else { return false }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      guard readAuthority() else { return false }
    }
    guard readURIText(":@/") else { return false }
    if read("?"), !readURIText(":@/?") { return false }
    if read("#"), !readURIText(":@/?") { return false }
    return true
  }

  private mutating func readAuthority() -> Bool {
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    var authority = FormatText(rest[..<end])
    rest = rest[end...]
    if let sign = authority.rest.lastIndex(of: UInt8(ascii: "@")) {
      var user = FormatText(authority.rest[..<sign])
      guard user.readURIText(":"), user.isAtEnd else { return false }
      authority.rest = authority.rest[authority.rest.index(after: sign)...]
    }
    if authority.read("[") {
      guard authority.readIPv6() || authority.readFutureAddress(), authority.read("]") else {
        return false
      }
    } else if !authority.readURIText("") {
      return false
    }
    if authority.read(":") { authority.skip(while: Self.isDigit) }
    return authority.isAtEnd
  }

  /// Parses an address of a future version of IP.
  private mutating func readFutureAddress() -> Bool {
    guard read("vV"), skip(while: Self.isHexadecimal) > 0, read(".") else { return false }
    return skip(while: { Self.isUnreserved($0) || Self.isDelimiter($0) || $0 == 0x3A }) > 0
  }

  /// Parses unreserved and percent-encoded characters, sub-delimiters, and the given other
  /// characters.
  private mutating func readURIText(_ others: String) -> Bool {
    while true {
      skip(while: {
        Self.isUnreserved($0) || Self.isDelimiter($0) || others.utf8.contains($0)
      })
      guard read("%") else { return true }
      guard take(2, while: Self.isHexadecimal).count == 2 else { return false }
    }
  }

  mutating func readUUID() -> Bool {
    for (place, length) in [8, 4, 4, 4, 12].enumerated() {
      if place > 0, !read("-") { return false }
      guard take(length, while: Self.isHexadecimal).count == length else { return false }
    }
    return true
  }

  // MARK: Parts

  /// Reads a character, if it is one of the given ASCII characters.
  mutating func read(_ characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func number(digits: Int) -> Int? {
    let text = take(digits, while: Self.isDigit)
    return text.count == digits ? text.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
  }

  private mutating func take(
    _ limit: Int = .max,
    while isPart: (UInt8) -> Bool
  ) -> ArraySlice<UInt8> {
    let part = rest.prefix(limit).prefix(while: isPart)
    rest = rest[part.endIndex...]
    return part
  }

  @discardableResult
  private mutating func skip(while isPart: (UInt8) -> Bool) -> Int { take(while: isPart).count }

  private static func isDigit(_ unit: UInt8) -> Bool { (0x30...0x39).contains(unit) }

  private static func isLetter(_ unit: UInt8) -> Bool { (0x61...0x7A).contains(unit | 0x20) }

  private static func isAlphanumeric(_ unit: UInt8) -> Bool { isDigit(unit) || isLetter(unit) }

  private static func isHexadecimal(_ unit: UInt8) -> Bool {
    isDigit(unit) || (0x61...0x66).contains(unit | 0x20)
  }

  private static func isUnreserved(_ unit: UInt8) -> Bool {
    isAlphanumeric(unit) || "-._~".utf8.contains(unit)
  }

  private static func isDelimiter(_ unit: UInt8) -> Bool { "!$&'()*+,;=".utf8.contains(unit) }

  private static func isAtom(_ unit: UInt8) -> Bool {
    isAlphanumeric(unit) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(unit)
  }
}
