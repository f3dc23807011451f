/// A text file of the project.
package final class SourceFile {
  /// The path relative to the project's root.
  package let path: String
  package let contents: FileContents
  private lazy var lineStarts: [Int] = {
    var starts: [Int] = []
    contents.forEachLine { _, start in starts.append(start) }
    // After the last line break stands a line that has nothing in it.
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

  /// All of it, which only a file that is in memory gives at no cost.
  package var bytes: [UInt8] { contents.bytes(0..<contents.count) }

  /// The text of a line, from 1, without its line break and without a byte-order mark; bytes that are
  /// not UTF-8 are repaired.
  package func line(_ number: Int) -> String? {
    guard lineStarts.indices.contains(number - 1) else { return nil }
    let end = number < lineStarts.count ? lineStarts[number] : contents.count
    return contents.withBytes(lineStarts[number - 1]..<end) { line in
      var line = line[...]
      if number == 1, UTF8Text.startsWithByteOrderMark(line) { line = line.dropFirst(3) }
      if line.last == 0x0A { line = line.dropLast() }
      if line.last == 0x0D { line = line.dropLast() }
      return String(decoding: line, as: UTF8.self)
    }
  }
}

/// Gathers what is wrong with the files of a project, so that all of it is reported in one go.
package final class DiagnosticCollector {
  private var collected: [Diagnostic] = []
  /// Where secrets start, by file and line.
  private var secrets: [String: [Int: Int]] = [:]
  /// Texts that hold secrets, by file.
  private var secretTexts: [String: Set<String>] = [:]

  package init() {}

  /// Keeps the rest of a line, where somebody wrote a secret, out of everything that is shown.
  package func hideLine(from position: SourcePosition, in file: SourceFile) {
    let earlier = secrets[file.path]?[position.line] ?? .max
    secrets[file.path, default: [:]][position.line] = min(earlier, position.column)
  }

  /// Keeps a text that holds a secret out of all that is said of a file.
  package func hide(_ text: String, in file: SourceFile) {
    secretTexts[file.path, default: []].insert(text)
  }

  package var isEmpty: Bool { collected.isEmpty }

  /// How much was reported so far.
  package var count: Int { collected.count }

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
    var shown = diagnostic
    // Messages quote what somebody wrote.
    for text in secretTexts[diagnostic.path] ?? [] {
      shown.message = shown.message.replacing("'\(text)'", with: "'…'")
      shown.fix = shown.fix?.replacing("'\(text)'", with: "'…'")
    }
    guard let line = diagnostic.position?.line, let column = secrets[diagnostic.path]?[line],
      let text = diagnostic.sourceLine
    else { return shown }
    shown.sourceLine =
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(column - 1))) + "…"
    return shown
  }

  /// Adds what another collector holds.
  package func add(_ other: DiagnosticCollector) {
    collected += other.collected
    for (path, lines) in other.secrets {
      secrets[path, default: [:]].merge(lines, uniquingKeysWith: min)
    }
    secretTexts.merge(other.secretTexts) { $0.union($1) }
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
