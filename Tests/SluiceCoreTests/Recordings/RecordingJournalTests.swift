import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Recording journal")
struct RecordingJournalTests {
  private static let path = ProjectPath("datasets/triage/recordings/pending/server.jsonl")

  private func lines(_ recordings: [Recording]) -> [String] {
    var file = RecordingFile(path: Self.path)
    for recording in recordings { file.add(recording) }
    return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func read(_ text: String, isJournal: Bool = true) -> (
    file: RecordingFile, diagnostics: String
  ) {
    let diagnostics = DiagnosticCollector()
    let file = RecordingFile(
      reading: Self.path,
      from: InMemoryFileSystem([Self.path.description: text]),
      isJournal: isJournal
    ).reporting(to: diagnostics)
    return (file, diagnostics.diagnostics.map(\.description).joined())
  }

  @Test("A last line that was cut anywhere by an interruption is ignored")
  func halfALine() throws {
    let recordings = ["a", "b"].map { Recording.fixture(user: $0) }
    let lines = lines(recordings)
    try #require(lines.count == 4)
    let whole = lines.joined(separator: "\n") + "\n"
    let last = lines[3].utf8.count
    for cut in 1...(last + 1) {
      let (file, diagnostics) = read(String(decoding: whole.utf8.dropLast(cut), as: UTF8.self))
      #expect(diagnostics == "", "\(cut)")
      // Without its line break the line is still whole.
      #expect(file.count == (cut == 1 ? 2 : 1), "\(cut)")
    }
    let committed = read(String(whole.dropLast(9)), isJournal: false)
    #expect(
      committed.diagnostics == """
        \(Self.path):4:1: error: not valid JSON
          fix: restore the line from version control, or delete it and record the answer again

        """
    )
  }

  @Test("An incomplete line elsewhere, or with a line break, is damage")
  func damage() {
    let lines = lines(["a", "b"].map { Recording.fixture(user: $0) })
    for text in [
      (lines[..<2] + [String(lines[2].dropLast(9)), lines[3]]).joined(separator: "\n"),
      (lines[..<2] + [lines[3], String(lines[2].dropLast(9)), ""]).joined(separator: "\n"),
    ] {
      let (file, diagnostics) = read(text)
      #expect(file.count == 1)
      #expect(diagnostics.contains("error: not valid JSON"))
    }
  }

  @Test("Of two answers to the same request, the later line is used and written again")
  func later() throws {
    func recording(_ body: String) -> Recording { .fixture(body: Array(body.utf8)) }
    let old = lines([recording("1"), .fixture(user: "b")])
    let new = lines([recording("2")])
    let text = (old + new + [lines([recording("3")])[2]]).joined(separator: "\n")
    let (file, diagnostics) = read(text)
    #expect(diagnostics == "")
    #expect(file.count == 2)
    let slot = recording("1").slot
    #expect(try file.answer(slot)?.response.body == Array("3".utf8))
    let written = FileSink.bytes { (sink) throws(FileError) in
      try RecordingFile.write([file], to: &sink)
    }
    #expect(
      String(decoding: written, as: UTF8.self)
        == lines([recording("3"), .fixture(user: "b")]).map { $0 + "\n" }.joined()
    )
  }

  @Test("Writing several layers takes each recording from the first layer that contains it")
  func layers() {
    func file(_ recordings: [Recording]) -> RecordingFile {
      var file = RecordingFile(path: Self.path)
      for recording in recordings { file.add(recording) }
      return file
    }
    let new = Recording.fixture(body: Array("2".utf8))
    let pending = read(String(decoding: file([new, .fixture(user: "c")]).bytes, as: UTF8.self)).file
    let accepted = read(
      String(decoding: file([.fixture(), .fixture(user: "b")]).bytes, as: UTF8.self)
    ).file
    let written = FileSink.bytes { (sink) throws(FileError) in
      try RecordingFile.write([pending, accepted], to: &sink)
    }
    #expect(written == file([new, .fixture(user: "b"), .fixture(user: "c")]).bytes)
    let kept = FileSink.bytes { (sink) throws(FileError) in
      try RecordingFile.write([pending, accepted], keeping: { $0 == new.slot }, to: &sink)
    }
    #expect(kept == file([new]).bytes)
  }
}

@Suite("Recorded streams")
struct RecordedStreamTests {
  typealias Arrival = RawResponse.Arrival

  private func roundTrip(_ recording: Recording) throws -> RawResponse {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    file.add(recording)
    let read = RecordingFile(
      reading: RecordingProject.recordingsPath,
      from: InMemoryFileSystem([
        RecordingProject.recordingsPath.description: String(decoding: file.bytes, as: UTF8.self)
      ])
    )
    let whole = try #require(try read.recording(recording.slot))
    let answer = try #require(try read.answer(recording.slot))
    #expect(whole.exchange.response == answer.response)
    return answer.response
  }

  private func recording(_ body: String, _ arrivals: [Arrival]) -> Recording {
    var recording = Recording.fixture(body: Array(body.utf8))
    recording.exchange.response.arrivals = arrivals
    return recording
  }

  @Test("The pieces of a stream are read back with their times")
  func pieces() throws {
    let recording = recording(
      "data: {\"a\":1}\n\ndata: [DONE]\n\n",
      [
        Arrival(milliseconds: 200.125, end: 9), Arrival(milliseconds: 200.125, end: 15),
        Arrival(milliseconds: 250.5, end: 29),
      ]
    )
    #expect(try roundTrip(recording) == recording.exchange.response)
    let line = String(decoding: RecordingLines.line(of: recording).line, as: UTF8.self)
    #expect(
      line.contains(
        #""events":[[200.125,"data: {\"a"],[200.125,"\":1}\n\n"],[250.5,"data: [DONE]\n\n"]]}"#
      )
    )
    #expect(!line.contains(#""body"#))
  }

  @Test("A character that arrived in two pieces is read back in two pieces", arguments: 1...3)
  func splitLetter(place: Int) throws {
    let recording = recording(
      "🙂!",
      [Arrival(milliseconds: 1, end: place), Arrival(milliseconds: 2, end: 5)]
    )
    #expect(try roundTrip(recording) == recording.exchange.response)
    let line = String(decoding: RecordingLines.line(of: recording).line, as: UTF8.self)
    let piece = Base64.encode(Array("🙂".utf8.prefix(place)))
    #expect(line.contains("[[1,null,\"\(piece)\"],[2,null,"))
  }

  @Test("Bytes split at random positions are read back unchanged", arguments: [UInt64](0..<20))
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...40, using: &generator)
    var recording = Recording.fixture()
    let response = RawResponse(
      body: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) },
      arrivals: (0..<5).map { _ in Int.random(in: 0...count, using: &generator) }.sorted()
        .enumerated().map { Arrival(milliseconds: Double($0.offset) / 3, end: $0.element) }
        + [Arrival(milliseconds: 9, end: count)],
      host: "https://models.test",
      date: RecordingProject.date
    )
    recording.exchange.response = response
    #expect(try roundTrip(recording) == response)
  }

  @Test("Incomplete or excessive arrivals lose no bytes")
  func wrongEnds() throws {
    for ends in [[1], [9, 9], [3, 1, 2], [0, 0]] {
      let recording = recording("abcd", ends.map { Arrival(milliseconds: 1, end: $0) })
      let response = try roundTrip(recording)
      #expect(response.body == Array("abcd".utf8))
      #expect(response.arrivals.count == ends.count)
      #expect(response.arrivals.last?.end == 4)
    }
  }

  @Test(
    "A line with invalid events is refused",
    arguments: ["[]", "{}", "[[1]]", #"[["1","a"]]"#, "[[1,null]]", #"[[1,null,"?"]]"#]
  )
  func noEvents(events: String) throws {
    let recording = recording("a", [Arrival(milliseconds: 1, end: 1)])
    let (written, parts) = RecordingLines.line(of: recording)
    let line = String(decoding: written, as: UTF8.self)
    let body = try #require(line.firstRange(of: #","digest":"#)?.lowerBound)
    let unsealed = line[..<body].replacing(#"[[1,"a"]]"#, with: events) + "}"
    let sealed = RecordingLines.sealed(Array(unsealed.utf8))
    #expect(
      throws: RecordingLines.Problem(
        message: "this version cannot read the recording",
        fix: "record the answer again"
      )
    ) {
      try sealed.withUnsafeBytes { line in
        try RecordingLines.recording(line) { parts[$0].flatMap { try? JSONReader.value($0) } }
      }
    }
  }
}
