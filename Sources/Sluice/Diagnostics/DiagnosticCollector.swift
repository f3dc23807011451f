/// A text file of the project, as read.
package final class SourceFile {
  /// The path relative to the project's root.
  package let path: String
  package let bytes: [UInt8]
  private lazy var lineStarts: [Int] = {
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == 0x0A { starts.append(offset + 1) }
    return starts
  }()

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The text of a line, from 1, without its line break and without a byte-order mark; bytes that are
  /// not UTF-8 are repaired.
  package func line(_ number: Int) -> String? {
    guard lineStarts.indices.contains(number - 1) else { return nil }
    var start = lineStarts[number - 1]
    if number == 1, UTF8Text.startsWithByteOrderMark(bytes) { start = 3 }
    var end = number < lineStarts.count ? lineStarts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

/// Gathers what is wrong with the files of a project, so that all of it is reported in one go.
package final class DiagnosticCollector {
  private var collected: [Diagnostic] = []
  /// Where secrets start, by file and line.
  private var secrets: [String: [Int: Int]] = [:]

  package init() {}

  /// Keeps the rest of a line, where somebody wrote a secret, out of everything that is shown.
  package func hideLine(from position: SourcePosition, in file: SourceFile) {
    let earlier = secrets[file.path]?[position.line] ?? .max
    secrets[file.path, default: [:]][position.line] = min(earlier, position.column)
  }

  package var hasErrors: Bool { collected.contains { $0.severity == .error } }

  /// All diagnostics, by file in the order of first mention, then by position; each once.
  package var diagnostics: [Diagnostic] {
    var order: [String: Int] = [:]
    for diagnostic in collected where order[diagnostic.path] == nil {
      order[diagnostic.path] = order.count
    }
    var seen: Set<Diagnostic> = []
    let unique = collected.filter { seen.insert($0).inserted }
    func key(_ diagnostic: Diagnostic) -> (Int, SourcePosition) {
      (order[diagnostic.path] ?? 0, diagnostic.position ?? SourcePosition(line: 0, column: 0))
    }
    return unique.enumerated().sorted { left, right in
      let (leftKey, rightKey) = (key(left.element), key(right.element))
      return leftKey == rightKey ? left.offset < right.offset : leftKey < rightKey
    }.map { withoutSecret($0.element) }
  }

  private func withoutSecret(_ diagnostic: Diagnostic) -> Diagnostic {
    guard let line = diagnostic.position?.line, let column = secrets[diagnostic.path]?[line],
      let text = diagnostic.sourceLine
    else { return diagnostic }
    var shown = diagnostic
    shown.sourceLine =
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(column - 1))) + "…"
    return shown
  }

  package func report(_ diagnostic: Diagnostic) { collected.append(diagnostic) }

  package func error(
    _ message: String,
    in file: SourceFile,
    at position: SourcePosition?,
    fix: String? = nil
  ) {
    add(.error, message, file, position, fix)
  }

  package func warning(
    _ message: String,
    in file: SourceFile,
    at position: SourcePosition?,
    fix: String? = nil
  ) {
    add(.warning, message, file, position, fix)
  }

  private func add(
    _ severity: Diagnostic.Severity,
    _ message: String,
    _ file: SourceFile,
    _ position: SourcePosition?,
    _ fix: String?
  ) {
    collected.append(
      Diagnostic(
        severity,
        path: file.path,
        position: position,
        message: message,
        fix: fix,
        sourceLine: position.flatMap { file.line($0.line) }
      )
    )
  }
}
