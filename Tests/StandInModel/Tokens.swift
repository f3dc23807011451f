/// The stand-in's tokens: each token is four bytes of UTF-8, and a remainder is one more token.
enum Tokens {
  private static let bytesPerToken = 4

  static func count(in text: String) -> Int {
    (text.utf8.count + bytesPerToken - 1) / bytesPerToken
  }

  /// Returns the start of a text that has at most a number of tokens.
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
