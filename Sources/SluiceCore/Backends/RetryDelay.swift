import SluiceSupport

/// The wait that a server requests, in any of the formats that servers use.
enum RetryDelay {
  /// Returns the wait that a response requests.
  ///
  /// - Parameters:
  ///   - headers: The headers, with names in lower case.
  ///   - fault: The parsed error of the body, if any.
  ///   - now: The current time, with which dates are compared.
  /// - Returns: The longest wait that the server requests. If the server requests none, the time
  ///   until an exhausted limit is reset; nil if that time is unknown, too.
  static func read(headers: [HTTPHeader], fault: ServerFault.Fault?, now: Timestamp) -> Duration? {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value.trimmed }
    let asked = [
      // Some servers send both 0 milliseconds and 1 second. The longer wait is meant.
      header("retry-after-ms").flatMap { Double($0) }.map { $0 / 1_000 },
      header("retry-after").flatMap { Double($0) ?? seconds(untilDate: $0, now: now) },
      (fault?.json["details"]?.array ?? []).lazy.compactMap { $0["retryDelay"]?.string }.first
        .flatMap(seconds(ofSpan:)),
      fault?.json.value(at: "metadata.headers.Retry-After")?.string.flatMap { Double($0) },
    ]
    // NaN would hide valid values.
    let waits = asked.compactMap(\.self).filter { $0 >= 0 && $0.isFinite }
    if let seconds = waits.max() { return duration(seconds) }
    let resets = ["requests", "tokens", "input-tokens", "output-tokens"].compactMap {
      limit -> Double? in
      for prefix in ["x-ratelimit-", "anthropic-ratelimit-"] {
        let names =
          prefix == "x-ratelimit-"
          ? ["\(prefix)remaining-\(limit)", "\(prefix)reset-\(limit)"]
          : ["\(prefix)\(limit)-remaining", "\(prefix)\(limit)-reset"]
        guard header(names[0]).flatMap({ Double($0) }) == 0, let reset = header(names[1]) else {
          continue
        }
        return Double(reset) ?? seconds(ofSpan: reset) ?? seconds(untilDate: reset, now: now)
      }
      return nil
    }
    return resets.max().flatMap(duration)
      ?? fault?.message.flatMap(seconds(inWords:)).flatMap(duration)
  }

  /// Returns a wait, limited so that it does not overflow; nil if the number is invalid.
  private static func duration(_ seconds: Double) -> Duration? {
    guard seconds.isFinite, seconds >= 0 else { return nil }
    return .milliseconds(Int64((min(seconds, 10_000_000) * 1_000).rounded(.up)))
  }

  /// Returns the number of seconds in a text such as `1.582s`, `120ms`, `6m0s` or `1h2m`; nil for
  /// any other text.
  static func seconds(ofSpan text: String) -> Double? {
    var total = 0.0
    var rest = Substring(text)
    if rest.isEmpty { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { "0123456789.".contains($0) }
      guard let number = Double(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      switch unit {
      case "ms": total += number / 1_000
      case "s": total += number
      case "m": total += number * 60
      case "h": total += number * 3_600
      case "d": total += number * 86_400
      default: return nil
      }
    }
    return total
  }

  /// Returns the number of seconds until a date; 0 for a past date.
  ///
  /// The date is an HTTP date (RFC 9110, 5.6.7, the preferred form) or an RFC 3339 date.
  static func seconds(untilDate text: String, now: Timestamp) -> Double? {
    guard let date = Timestamp(httpDate: text) ?? Timestamp(iso8601: text) else { return nil }
    return Double(max(0, date.seconds - now.seconds))
  }

  /// Returns the number of seconds in a message such as "try again in 1.2s" or "retry after 48
  /// seconds".
  private static func seconds(inWords message: String) -> Double? {
    let message = message.lowercased()
    for sign in ["try again in ", "retry after ", "retry in "] {
      guard let range = message.range(ofText: sign) else { continue }
      let words = message[range.upperBound...].split(separator: " ").prefix(2)
      guard var span = words.first else { continue }
      while let last = span.last, ".,;".contains(last) { span.removeLast() }
      if let seconds = seconds(ofSpan: String(span)) { return seconds }
      if let number = Double(span), let unit = words.dropFirst().first {
        return unit.hasPrefix("minute") ? number * 60 : unit.hasPrefix("second") ? number : nil
      }
    }
    return nil
  }
}

extension String {
  /// Returns the range of the first occurrence of a text.
  fileprivate func range(ofText part: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(part) {
        return start..<index(start, offsetBy: part.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
