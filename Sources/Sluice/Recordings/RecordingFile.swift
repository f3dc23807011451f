/// The recordings of a dataset through one backend, as their file holds them.
///
/// Lines stay as they stand until they are asked for; what is asked for is looked up by key.
package struct RecordingFile: Sendable {
  package let path: ProjectPath
  /// The lines of exchanges, by key and repetition.
  private var lines: [Slot: [UInt8]] = [:]
  /// The values of part lines, by digest.
  private var parts: [String: [UInt8]] = [:]
  /// The exchanges that a case was recorded with, for the explanation of a miss.
  private var slotsByCase: [String: [Slot]] = [:]
  /// The exchanges by what the user says in them: cases that ask the same share a recording, which
  /// names only one of them.
  private var slotsByQuestion: [String: [Slot]] = [:]
  /// Exchanges that the file holds twice, with different answers.
  private var ambiguous: Set<Slot> = []

  private struct Slot: Hashable, Comparable {
    var key: String
    var repetition: Int

    static func < (left: Slot, right: Slot) -> Bool {
      (left.key, left.repetition) < (right.key, right.repetition)
    }
  }

  /// Where recordings of a dataset through a backend are kept.
  package static func path(dataset: ProjectPath, backend: String) -> ProjectPath {
    dataset.folder.resolvingChild("recordings").resolvingChild("\(backend).jsonl")
  }

  /// An empty file.
  package init(path: ProjectPath) { self.path = path }

  /// Reads a file; a missing one is empty.
  ///
  /// Lines that cannot be used are reported, each with its number.
  package init(
    reading path: ProjectPath,
    from system: any FileSystem,
    diagnostics: DiagnosticCollector
  ) {
    self.init(path: path)
    guard system.kind(of: path) != .missing else { return }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try system.read(path)
    } catch {
      diagnostics.report(
        Diagnostic(path: path.description, message: "cannot be read: \(error.reason)")
      )
      return
    }
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty { continue }
      do throws(RecordingLines.Problem) {
        try insert(line)
      } catch {
        diagnostics.report(
          Diagnostic(
            path: path.description,
            position: SourcePosition(line: number, column: 1),
            message: error.message,
            fix: error.fix
          )
        )
      }
    }
  }

  private mutating func insert(_ line: ArraySlice<UInt8>) throws(RecordingLines.Problem) {
    guard let value = try? JSONReader.value(line) else {
      throw RecordingLines.Problem(
        message: "not valid JSON",
        fix: RecordingLines.damaged
      )
    }
    guard value["schema"]?.integer == Recording.schema else {
      throw RecordingLines.Problem(
        message: "a recording of schema \(value["schema"]?.jsonText ?? "unknown"); "
          + "this version reads schema \(Recording.schema)",
        fix: "update sluice, or delete the line and record it again"
      )
    }
    if let digest = value["part"]?.string, let content = value["value"] {
      let bytes = JSONWriter.canonical(content)
      guard SHA256.hexadecimal(bytes) == digest else {
        throw RecordingLines.Problem(
          message: "the part was changed after it was recorded: its digest does not fit",
          fix: RecordingLines.damaged
        )
      }
      parts[digest] = bytes
      return
    }
    let content = try RecordingLines.opened(line)
    guard let key = value["key"]?.string, let repetition = value["repeat"]?.integer else {
      throw RecordingLines.Problem(
        message: "a recording without a key",
        fix: RecordingLines.damaged
      )
    }
    let slot = Slot(key: key, repetition: repetition)
    if let earlier = lines[slot] {
      if earlier == content { return }
      ambiguous.insert(slot)
      throw RecordingLines.Problem(
        message: "a second recording of the same request and repeat",
        fix: "keep one of the two lines"
      )
    }
    lines[slot] = content
    if let name = value["hints"]?["case"]?.string { slotsByCase[name, default: []].append(slot) }
    let question = RequestIdentity.question(RecordingLines.parts(of: value))
    slotsByQuestion[question, default: []].append(slot)
  }

  package var count: Int { lines.count }

  package func contains(key: String, repetition: Int) -> Bool {
    lines[Slot(key: key, repetition: repetition)] != nil
  }

  /// The recorded exchange; nil when there is none.
  ///
  /// - Throws: ``RecordingLines/Problem`` when the line cannot be used.
  package func recording(key: String, repetition: Int) throws(RecordingLines.Problem)
    -> Recording?
  {
    let slot = Slot(key: key, repetition: repetition)
    guard let line = lines[slot] else { return nil }
    guard !ambiguous.contains(slot) else {
      throw RecordingLines.Problem(
        message: "the request was recorded twice, with different answers",
        fix: "keep one of the two lines"
      )
    }
    return try RecordingLines.recording(line, part: part)
  }

  /// The recordings that were made for a case, or for another that asks the same, in the order of
  /// their keys.
  package func recordings(ofCase name: String, asking question: String) -> [Recording] {
    (slotsByCase[name] ?? slotsByQuestion[question] ?? []).sorted().compactMap { slot in
      lines[slot].flatMap { try? RecordingLines.recording($0, part: part) }
    }
  }

  private func part(_ digest: String) -> JSONValue? {
    parts[digest].flatMap { try? JSONReader.value($0) }
  }

  /// Adds a recording, or replaces the one of the same request and repetition.
  package mutating func add(_ recording: Recording) {
    let (line, newParts) = RecordingLines.line(of: recording)
    parts.merge(newParts) { old, _ in old }
    let slot = Slot(key: recording.identity.key, repetition: recording.repetition)
    // The line was sealed a moment ago, so it opens.
    guard let content = try? RecordingLines.opened(line[...]) else { return }
    if lines.updateValue(content, forKey: slot) == nil {
      slotsByCase[recording.hints.testCase, default: []].append(slot)
      slotsByQuestion[recording.identity.question, default: []].append(slot)
    }
  }

  /// The bytes of the file: parts by digest, then exchanges by key and repetition.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (digest, value) in parts.sorted(by: { $0.key < $1.key }) {
      bytes += RecordingLines.partLine(digest: digest, value: value)
      bytes.append(0x0A)
    }
    for (_, content) in lines.sorted(by: { $0.key < $1.key }) {
      bytes += RecordingLines.sealed(content)
      bytes.append(0x0A)
    }
    return bytes
  }
}
