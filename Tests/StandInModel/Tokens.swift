/// The stand-in's tokens: four bytes of UTF-8 are one, and a remainder is one more.
enum Tokens {
  private static let bytesPerToken = 4

  static func count(in text: String) -> Int {
    (text.utf8.count + bytesPerToken - 1) / bytesPerToken
  }

  /// The start of a text that has at most so many tokens.
  static func cut(_ text: String, to limit: Int) -> Substring {
    var bytes = 0
    let (budget, overflow) = limit.multipliedReportingOverflow(by: bytesPerToken)
    if overflow { return text[...] }
    let end = text.unicodeScalars.indices.first { index in
      bytes += text.unicodeScalars[index].utf8.count
      return bytes > budget
    }
    return text[..<(end ?? text.endIndex)]
  }
}
