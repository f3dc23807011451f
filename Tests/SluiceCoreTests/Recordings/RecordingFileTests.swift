import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Recording file")
struct RecordingFileTests {
  private static let path = RecordingProject.recordingsPath
  private static let long = String(repeating: "Say what kind of message it is. ", count: 10)

  private func file(_ recordings: [Recording]) -> RecordingFile {
    var file = RecordingFile(path: Self.path)
    for recording in recordings { file.add(recording) }
    return file
  }

  private func lines(_ file: RecordingFile) -> [String] {
    String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Reads a file's text, and returns the diagnostics as they are printed.
  private func read(_ text: String) -> (file: RecordingFile, diagnostics: String) {
    let diagnostics = DiagnosticCollector()
    let file = RecordingFile(
      reading: Self.path,
      from: InMemoryFileSystem([Self.path.description: text])
    ).reporting(to: diagnostics)
    return (file, diagnostics.diagnostics.map(\.description).joined())
  }

  // MARK: Layout

  @Test("Recordings are stored next to the dataset, in one file per backend")
  func paths() {
    let path = RecordingFile.path(
      dataset: ProjectPath("datasets/triage/cases.csv"),
      backend: "fast"
    )
    #expect(path == ProjectPath("datasets/triage/recordings/fast.jsonl"))
  }

  @Test("A file lists each part once, sorted by digest, and then the exchanges by key and repeat")
  func layout() throws {
    let recordings = ["a", "b", "c"].flatMap { user in
      [11, 2, 1].map { Recording.fixture(user: user, system: Self.long, repetition: $0) }
    }
    let lines = lines(file(recordings))
    let values = try lines.map { try JSONReader.value($0) }
    let parts = values.prefix { $0["part"] != nil }
    #expect(parts.count == 3)
    let digest = SHA256.hexadecimal("\"\(Self.long)\"".utf8).prefix(32)
    #expect(lines.contains(#"{"schema":3,"part":"\#(digest)","value":"\#(Self.long)"}"#))
    let keys = Set(recordings.map(\.key)).sorted()
    let slots = values.dropFirst(3).map {
      "\($0["key"]?.string ?? "") \($0["repeat"]?.integer ?? 0)"
    }
    #expect(slots == keys.flatMap { key in [1, 2, 11].map { "\(key) \($0)" } })
    #expect(file(recordings).count == 9)
  }

  @Test("The file's bytes do not depend on the order of recording")
  func order() {
    let recordings = (0..<20).map { Recording.fixture(user: "\($0) \(Self.long)") }
    #expect(file(recordings).bytes == file(recordings.reversed()).bytes)
  }

  @Test("Adding a recording leaves all other lines unchanged")
  func adding() {
    let old = (0..<5).map { Recording.fixture(user: "\($0)", system: Self.long) }
    let before = lines(file(old))
    let after = lines(file(old + [.fixture(user: "new", system: Self.long)]))
    #expect(after.count == before.count + 1)
    #expect(after.filter(Set(before).contains) == before)
    let other = lines(file(old + [.fixture(user: "new", system: Self.long + "!")]))
    #expect(other.count == before.count + 2)
    #expect(other.filter(Set(before).contains) == before)
  }

  @Test("Two branches that add recordings can be merged line by line, in any order")
  func merging() {
    let common = (0..<3).map { Recording.fixture(user: "\($0)", system: Self.long) }
    let ours = (3..<6).map { Recording.fixture(user: "\($0)", system: Self.long + "ours") }
    let theirs = (6..<9).map { Recording.fixture(user: "\($0)", system: Self.long + "theirs") }
    let union = Set(lines(file(common + ours))).union(lines(file(common + theirs)))
    let whole = file(common + ours + theirs)
    #expect(union == Set(lines(whole)))
    for order in [union.sorted(), union.sorted().reversed()] {
      let (merged, diagnostics) = read(order.joined(separator: "\n"))
      #expect(diagnostics == "")
      #expect(merged.bytes == whole.bytes)
    }
  }

  @Test("A recording of the same request and repeat replaces the existing one")
  func replacing() throws {
    let old = Recording.fixture(body: Array("1".utf8))
    let new = Recording.fixture(body: Array("2".utf8))
    #expect(file([old, new]).bytes == file([new]).bytes)
    #expect(try file([old, new]).recording(new.slot) == new)
  }

  // MARK: Reading

  @Test("A written file is read without diagnostics")
  func roundTrip() throws {
    let recordings = (1...3).map {
      Recording.fixture(user: "é🙂", system: Self.long, repetition: $0)
    }
    let (file, diagnostics) = read(String(decoding: file(recordings).bytes, as: UTF8.self))
    #expect(diagnostics == "")
    #expect(file.bytes == self.file(recordings).bytes)
    for recording in recordings {
      let key = recording.key
      #expect(file.contains(key: key, repetition: recording.repetition))
      #expect(try file.recording(key: key, repetition: recording.repetition) == recording)
    }
    #expect(file.finder.slots(ofCase: "where", asking: "") == recordings.map(\.slot))
    #expect(file.finder.slots(ofCase: "elsewhere", asking: "") == [])
    let key = recordings[0].key
    #expect(!file.contains(key: key, repetition: 4))
    #expect(try file.recording(key: key, repetition: 4) == nil)
    #expect(try file.recording(key: "", repetition: 1) == nil)
  }

  @Test("A missing file is read as empty, without diagnostics")
  func missingFile() {
    let diagnostics = DiagnosticCollector()
    let file = RecordingFile(
      reading: Self.path,
      from: InMemoryFileSystem()
    ).reporting(to: diagnostics)
    #expect(file.count == 0)
    #expect(file.bytes == [])
    #expect(diagnostics.diagnostics == [])
  }

  @Test("A file that cannot be read is an error")
  func unreadableFile() {
    let diagnostics = DiagnosticCollector()
    let folder = InMemoryFileSystem([Self.path.description + "/a": ""])
    let file = RecordingFile(reading: Self.path, from: folder).reporting(to: diagnostics)
    #expect(file.count == 0)
    #expect(
      diagnostics.diagnostics.map(\.description) == [
        "datasets/triage/recordings/server.jsonl: error: cannot be read: no such file\n"
      ]
    )
  }

  @Test("Empty lines and a missing final line break are ignored")
  func emptyLines() {
    let text = "\n\n" + lines(file([.fixture()])).joined(separator: "\n\n") + "\n\n"
    #expect(read(text).diagnostics == "")
    #expect(read(text).file.count == 1)
    #expect(read("").file.count == 0)
    #expect(read("\n").diagnostics == "")
  }

  // MARK: Damage

  @Test("Each invalid line is reported by its number, and the other lines are still used")
  func damage() throws {
    let written = lines(file([.fixture(), .fixture(user: Self.long), .fixture(user: "b")]))
    let part = try #require(written.first { $0.contains(#","value":"Say"#) })
    let all = try [#require(written.first { $0.contains(#""value":{"#) })] + written.suffix(3)
    let text = [
      part.replacing("Say what", with: "Say who"),
      all[1].replacing(#""status":200"#, with: #""status":201"#),
      all[2],
      "<<<<<<< HEAD",
      all[3].replacing(#""schema":3"#, with: #""schema":4"#),
      #"{"kind":"note"}"#,
      "[]",
      all[3].replacing(#","digest""#, with: #","digests""#),
      all[3].dropLast(2) + "}",
    ].joined(separator: "\n")
    let (file, diagnostics) = read(text)
    let path = Self.path.description
    #expect(
      diagnostics == """
        \(path):1:1: error: the part was changed after it was recorded: its digest does not match
          fix: restore the line from version control, or delete it and record the answer again
        \(path):2:1: error: the recording was changed after it was recorded: its digest does not match
          fix: restore the line from version control, or delete it and record the answer again
        \(path):4:1: error: not valid JSON
          fix: restore the line from version control, or delete it and record the answer again
        \(path):5:1: error: the recording has schema 4; this version reads schemas 1 to 3
          fix: update sluice, or delete the line and record the answer again
        \(path):6:1: error: the recording has schema unknown; this version reads schemas 1 to 3
          fix: update sluice, or delete the line and record the answer again
        \(path):7:1: error: the recording has schema unknown; this version reads schemas 1 to 3
          fix: update sluice, or delete the line and record the answer again
        \(path):8:1: error: the line does not end with a digest
          fix: restore the line from version control, or delete it and record the answer again
        \(path):9:1: error: not valid JSON
          fix: restore the line from version control, or delete it and record the answer again

        """
    )
    #expect(file.count == 1)
  }

  @Test("A line without a key is refused, even with a valid digest")
  func noKey() {
    let line = RecordingLines.sealed(Array(#"{"schema":3,"repeat":1}"#.utf8))
    #expect(
      read(String(decoding: line, as: UTF8.self)).diagnostics == """
        \(Self.path):1:1: error: the recording has no key
          fix: restore the line from version control, or delete it and record the answer again

        """
    )
  }

  @Test("Two different answers to the same request are an error, and neither is used")
  func duplicate() throws {
    let recording = Recording.fixture(body: Array("1".utf8))
    let other = Recording.fixture(body: Array("2".utf8))
    let text = (lines(file([recording])) + lines(file([other]))).joined(separator: "\n")
    let (file, diagnostics) = read(text)
    #expect(
      diagnostics == """
        \(Self.path):6:1: error: another line already records this repeat of the request
          fix: keep one of the two lines

        """
    )
    #expect(
      throws: RecordingLines.Problem(
        message: "the request was recorded twice, with different answers",
        fix: "keep one of the two lines"
      )
    ) { try file.recording(key: recording.key, repetition: 1) }
  }

  @Test("A line that occurs twice, as after a merge, counts once")
  func sameLineTwice() {
    let line = lines(file([.fixture(user: Self.long)]))
    let (file, diagnostics) = read((line + line).joined(separator: "\n"))
    #expect(diagnostics == "")
    #expect(file.count == 1)
  }

  @Test("A recording without its part line is listed but cannot be used")
  func missingPart() throws {
    let recording = Recording.fixture(user: Self.long)
    let (file, diagnostics) = read(lines(file([recording])).last ?? "")
    #expect(diagnostics == "")
    #expect(file.contains(key: recording.key, repetition: 1))
    #expect(throws: RecordingLines.Problem.self) {
      try file.recording(key: recording.key, repetition: 1)
    }
  }
}
