import SluiceSupport

/// Values that look random and are known to be no secret.
enum HarmlessValue {
  /// How ids of requests, answers and calls, and the names of models start.
  private static let prefixes: [[[UInt8]]] = {
    let words = """
      chatcmpl- chatcmpl_ cmpl- cmpl_ resp_ req_ msg_ call_ toolu_ srvtoolu_ rs_ fc_ ws_ fp_ gen- gen_
      run_ thread_ file- file_ asst_ step_ batch_ mcp_ ig_ ci_ ctc_ embd- modr- ftjob- evt_ ctx_ tool_
      tool- functions srvtool item_ vs_ gpt- claude- gemini- text- grok- llama- mistral- deepseek- qwen
      """
    var prefixes = [[[UInt8]]](repeating: [], count: 256)
    for word in words.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      prefixes[Int(word.utf8.first ?? 0)].append(Array(word.utf8))
    }
    return prefixes
  }()

  /// Whether a word starts as ids and names of models do.
  static func isIdentifier(_ word: some RandomAccessCollection<UInt8>) -> Bool {
    guard let first = word.first else { return false }
    return prefixes[Int(first)].contains { word.starts(with: $0) }
  }

  /// Whether it is a UUID (RFC 9562): 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  static func isUUID(_ word: some RandomAccessCollection<UInt8>) -> Bool {
    guard word.count == 36 else { return false }
    return word.enumerated().allSatisfy { place, byte in
      switch place {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: PercentEncoding.digit(byte) != nil
      }
    }
  }

  /// Whether it has the length of a digest in hexadecimal digits: MD5 has 32, as keys do, and is left
  /// out; SHA-1 has 40 and SHA-256 64.
  static func isDigest(_ word: some RandomAccessCollection<UInt8>) -> Bool {
    (word.count == 40 || word.count == 64) && CharacterMix(word).isHexadecimal
  }
}
