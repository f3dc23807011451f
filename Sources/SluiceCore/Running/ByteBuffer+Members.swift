import SluiceSupport

/// The members of a trial's line that run logs and reports have in common, each with a comma before it.
extension ByteBuffer {
  /// Adds the member `usage`.
  package mutating func append(_ usage: TokenUsage) {
    append(",\"usage\":{")
    var isFirst = true
    append(member: "input", usage.input.map(Double.init), &isFirst)
    append(member: "cached-input", usage.cachedInput.map(Double.init), &isFirst)
    append(member: "cache-write", usage.cacheWrite.map(Double.init), &isFirst)
    append(member: "output", usage.output.map(Double.init), &isFirst)
    append(member: "reasoning", usage.reasoning.map(Double.init), &isFirst)
    append("}")
  }

  /// Adds the member `timings`.
  package mutating func append(_ timings: ResponseTimings) {
    append(",\"timings\":{")
    var isFirst = true
    append(member: "connect-ms", timings.connect, &isFirst)
    append(member: "tls-ms", timings.tls, &isFirst)
    append(member: "first-byte-ms", timings.firstByte, &isFirst)
    append(member: "first-text-ms", timings.firstText, &isFirst)
    append(member: "longest-gap-ms", timings.longestGap, &isFirst)
    append(member: "total-ms", timings.total, &isFirst)
    append(member: "server-ms", timings.server, &isFirst)
    append(member: "user-ms", timings.user, &isFirst)
    append("}")
  }

  /// Adds a member of a text, unless that is nil.
  package mutating func append(member name: StaticString, _ text: String?) {
    guard let text else { return }
    append(",\"")
    append(name)
    append("\":")
    append(json: text)
  }

  /// Adds a digest as a JSON string.
  package mutating func append(digest: DigestText) {
    guard case .digest(let digest) = digest else { return append(json: digest.text) }
    append("\"")
    append(digest)
    append("\"")
  }

  /// Adds a text as a JSON string.
  package mutating func append(json text: String) {
    append("\"")
    appendEscaped(text)
    append("\"")
  }

  /// Adds a text as it stands in a JSON string.
  package mutating func appendEscaped(_ text: String) {
    var text = text
    let isPlain = text.withUTF8 { units in
      let isPlain = JSONWriter.isPlain(units)
      if isPlain { append(units) }
      return isPlain
    }
    if isPlain { return }
    var bytes: [UInt8] = []
    JSONWriter.appendEscaped(text, to: &bytes)
    append(bytes)
  }

  /// Adds a member, unless its value is nil, with a comma before it, unless it is the first.
  @inline(__always)
  private mutating func append(member name: StaticString, _ value: Double?, _ isFirst: inout Bool) {
    guard let value else { return }
    append(isFirst ? "\"" : ",\"")
    isFirst = false
    append(name)
    append("\":")
    append(number: value)
  }
}
