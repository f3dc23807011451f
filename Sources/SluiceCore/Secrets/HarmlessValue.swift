import SluiceSupport

/// The values that look random but are known not to be secrets.
enum HarmlessValue {
  /// The prefixes of request, answer and call ids, and of model names.
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

  /// Returns true if a word starts like an id or a model name.
  static func isIdentifier(_ word: some RandomAccessCollection<UInt8>) -> Bool {
    guard let first = word.first else { return false }
    return prefixes[Int(first)].contains { word.starts(with: $0) }
  }

  /// Returns true for a UUID (RFC 9562): 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  static func isUUID(_ word: some RandomAccessCollection<UInt8>) -> Bool {
    guard word.count == 36 else { return false }
    return word.enumerated().allSatisfy { place, byte in
      switch place {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: PercentEncoding.digit(byte) != nil
      }
    }
  }

  /// Returns true if a word has the length of a hexadecimal digest: 40 for SHA-1 or 64 for SHA-256.
  ///
  /// The length of MD5 is left out, because some keys also have 32 digits.
  static func isDigest(_ word: some RandomAccessCollection<UInt8>) -> Bool {
    (word.count == 40 || word.count == 64) && CharacterMix(word).isHexadecimal
  }
}
