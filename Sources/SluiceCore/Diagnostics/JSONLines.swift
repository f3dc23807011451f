import SluiceSupport

/// The check that a file is JSON Lines, not other JSON.
enum JSONLines {
  /// Reports a file that begins with a JSON list, or with an object that spans several lines.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - noun: The word for the content of a line, such as "case".
  ///   - diagnostics: Receives the report.
  /// - Returns: True if an error was reported.
  static func reportOther(
    _ file: SourceFile,
    of noun: String,
    _ diagnostics: DiagnosticCollector
  ) -> Bool {
    let start = file.contents.bytes(0..<min(64, file.contents.count))
    let mark = UTF8Text.startsWithByteOrderMark(start) ? 3 : 0
    let head = start.dropFirst(mark).drop { $0 <= 0x20 }
    let isList = head.first == UInt8(ascii: "[")
    let isObject = head.first == UInt8(ascii: "{")
    let next = head.dropFirst().drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.first
    guard isList || isObject && next == 0x0A else { return false }
    let position = SourcePosition(line: 1, column: 1)
    if isList {
      let yaml = file.path.dropLast("jsonl".count) + "yaml"
      diagnostics.error(
        "a JSONL file must have one \(noun) per line, not a list",
        in: file,
        at: position,
        fix: noun == "case"
          ? "YAML accepts JSON lists, so rename the file: mv \(file.path) \(yaml)"
          : "put each \(noun) on its own line, for example with 'jq -c .[]'"
      )
    } else {
      diagnostics.error(
        "a JSONL file must have one \(noun) per line, but the first \(noun) spans several lines",
        in: file,
        at: position,
        fix: "put each \(noun) on one line, for example with 'jq -c .'"
      )
    }
    return true
  }
}
