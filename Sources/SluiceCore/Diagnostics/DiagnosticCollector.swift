package import SluiceSupport

/// A text file of the project.
package final class SourceFile {
  /// The path relative to the project's root.
  package let path: String
  package let contents: FileContents
  private lazy var lineStarts: [Int] = {
    var starts: [Int] = []
    contents.forEachLine(upTo: FileLimits.maximumLineBytes) { _, start in
      starts.append(start)
      return true
    }
    // An empty line follows the last line break.
    let end = max(contents.count - 1, 0)..<contents.count
    if contents.withBytes(end, { $0.isEmpty || $0[0] == 0x0A }) { starts.append(contents.count) }
    return starts
  }()

  package init(path: String, contents: FileContents) {
    self.path = path
    self.contents = contents
  }

  package convenience init(path: String, bytes: [UInt8]) {
    self.init(path: path, contents: FileContents(bytes))
  }

  /// The whole contents.
  ///
  /// Each access reads the file from disk, unless its contents are in memory.
  package var bytes: [UInt8] { contents.bytes(0..<contents.count) }

  /// Returns the text of a line, without its line break and without a byte-order mark.
  ///
  /// Lines are numbered from 1. Invalid UTF-8 is replaced by U+FFFD.
  package func line(_ number: Int) -> String? {
    withLine(number) { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the part of a line around a column, and the number of characters before that part.
  ///
  /// A line of up to 2,000 bytes is returned whole.
  ///
  /// - Parameters:
  ///   - number: The line, from 1.
  ///   - column: The column in Unicode scalars, from 1.
  /// - Returns: `text` is the part, and `skipped` is the number of Unicode scalars before the part.
  ///   The result is nil if there is no such line.
  func line(_ number: Int, around column: Int) -> (text: String, skipped: Int)? {
    withLine(number) { line in
      guard line.count > Self.usualLine else { return (String(decoding: line, as: UTF8.self), 0) }
      func isStart(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
      var (start, skipped) = (line.startIndex, 0)
      while start < line.endIndex, skipped < column - Self.usualLine / 4 {
        start += 1
        while start < line.endIndex, !isStart(line[start]) { start += 1 }
        skipped += 1
      }
      var end = min(start + Self.usualLine, line.endIndex)
      while end < line.endIndex, !isStart(line[end]) { end += 1 }
      return (String(decoding: line[start..<end], as: UTF8.self), skipped)
    }
  }

  /// The maximum length, in bytes, of a line that is returned whole.
  private static let usualLine = 2_000

  private func withLine<Value>(_ number: Int, _ body: (Slice<UnsafeRawBufferPointer>) -> Value)
    -> Value?
  {
    guard lineStarts.indices.contains(number - 1) else { return nil }
    let start = lineStarts[number - 1]
    // Only the beginning of an overlong line is read.
    let end = min(
      number < lineStarts.count ? lineStarts[number] : contents.count,
      start + FileLimits.maximumLineBytes
    )
    return contents.withBytes(start..<end) { line in
      var line = line[...]
      if number == 1, UTF8Text.startsWithByteOrderMark(line) { line = line.dropFirst(3) }
      if line.last == 0x0A { line = line.dropLast() }
      if line.last == 0x0D { line = line.dropLast() }
      return body(line)
    }
  }
}

/// The collector of the problems in a project's files, which are reported all at once.
package final class DiagnosticCollector {
  private var collected: [Entry] = []
  /// For each file and line with a secret, the column at which the secret starts.
  private var secrets: [String: [Int: Int]] = [:]
  /// Texts that contain secrets, by file.
  private var secretTexts: [String: Set<String>] = [:]
  /// A function that receives the valid keys of each mapping, for a test that compares them with
  /// the schemas.
  package var onKeys: ((_ subject: String, _ keys: [String]) -> Void)?

  package init() {}

  /// A diagnostic.
  ///
  /// Its source line is read only if the diagnostic is shown.
  private struct Entry {
    var diagnostic: Diagnostic
    var file: SourceFile?
  }

  /// Hides the end of a line, starting at a position, because this part contains a secret.
  package func hideLine(from position: SourcePosition, in file: SourceFile) {
    let earlier = secrets[file.path]?[position.line] ?? .max
    secrets[file.path, default: [:]][position.line] = min(earlier, position.column)
  }

  /// Replaces a quoted text with `…` in all messages about a file, because the text contains a
  /// secret.
  package func hide(_ text: String, in file: SourceFile) {
    secretTexts[file.path, default: []].insert(text)
  }

  package var isEmpty: Bool { collected.isEmpty }

  /// The number of diagnostics so far.
  package var count: Int { collected.count }

  package var hasErrors: Bool { hasErrors(since: 0) }

  /// Returns true if at least one diagnostic after the first `count` diagnostics is an error.
  package func hasErrors(since count: Int) -> Bool {
    collected[count...].contains { $0.diagnostic.severity == .error }
  }

  /// All diagnostics without duplicates.
  ///
  /// Files appear in the order in which they were first reported. The diagnostics of a file are
  /// sorted by position. Of each kind, only the first 20 diagnostics have a source line.
  package var diagnostics: [Diagnostic] {
    var order: [String: Int] = [:]
    for entry in collected where order[entry.diagnostic.path] == nil {
      order[entry.diagnostic.path] = order.count
    }
    var seen: Set<Diagnostic> = []
    let unique = collected.filter { seen.insert($0.diagnostic).inserted }
    func key(_ diagnostic: Diagnostic) -> (Int, SourcePosition) {
      (order[diagnostic.path] ?? 0, diagnostic.position ?? SourcePosition(line: 0, column: 0))
    }
    let sorted = unique.enumerated().sorted { left, right in
      let (leftKey, rightKey) = (key(left.element.diagnostic), key(right.element.diagnostic))
      return leftKey == rightKey ? left.offset < right.offset : leftKey < rightKey
    }
    var kinds = DiagnosticText.Kinds()
    return sorted.map { _, entry in
      var diagnostic = entry.diagnostic
      if kinds.isShown(diagnostic), let file = entry.file, let position = diagnostic.position,
        let line = file.line(position.line, around: position.column)
      {
        diagnostic.sourceLine = line.text
        diagnostic.skipped = line.skipped
      }
      return withoutSecret(diagnostic)
    }
  }

  private func withoutSecret(_ diagnostic: Diagnostic) -> Diagnostic {
    var shown = diagnostic
    // Messages and fixes quote text from the file, which may contain a secret.
    for text in secretTexts[diagnostic.path] ?? [] {
      shown.message = shown.message.replacing("'\(text)'", with: "'…'")
      shown.fix = shown.fix?.replacing("'\(text)'", with: "'…'")
    }
    guard let line = diagnostic.position?.line, let column = secrets[diagnostic.path]?[line],
      let text = diagnostic.sourceLine
    else { return shown }
    let visible = max(0, column - 1 - diagnostic.skipped)
    shown.sourceLine = String(String.UnicodeScalarView(text.unicodeScalars.prefix(visible))) + "…"
    return shown
  }

  /// Adds the contents of another collector.
  package func add(_ other: DiagnosticCollector) {
    collected += other.collected
    for (path, lines) in other.secrets {
      secrets[path, default: [:]].merge(lines, uniquingKeysWith: min)
    }
    secretTexts.merge(other.secretTexts) { $0.union($1) }
  }

  package func report(_ diagnostic: Diagnostic) {
    collected.append(Entry(diagnostic: diagnostic, file: nil))
  }

  /// Adds the problems that were found while a file was read.
  package func report(_ faults: [Diagnostic]) {
    for fault in faults { report(fault) }
  }

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
    let diagnostic = Diagnostic(
      severity,
      path: file.path,
      position: position,
      message: message,
      fix: fix
    )
    collected.append(Entry(diagnostic: diagnostic, file: file))
  }
}

extension DiagnosticCollector {
  /// Reports keys that occur more than once in a mapping.
  func reportDuplicates(in node: Node, _ file: SourceFile) {
    var first: [ExactString: SourcePosition] = [:]
    for member in node.members ?? [] {
      if let earlier = first[ExactString(member.key)] {
        error(
          "duplicate key '\(member.key)', first on line \(earlier.line)",
          in: file,
          at: member.keyPosition,
          fix: "remove one of the two"
        )
      } else {
        first[ExactString(member.key)] = member.keyPosition
      }
    }
  }
}
