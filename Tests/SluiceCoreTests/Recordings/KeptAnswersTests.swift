import Testing

@testable import SluiceCore
@testable import SluiceSupport

@Suite("Answers kept in memory while recordings are checked")
struct KeptAnswersTests {
  /// Two recorded lines; the answer of the second contains an escape.
  private static let file = Array(
    [line("first", #"all clear"#), line("second", #"a \"quoted\" word"#)].joined().utf8
  )

  private static func line(_ key: String, _ text: String) -> String {
    #"{"schema":3,"key":"\#(key)","source":"s","recorded":"2026-11-01T10:00:00Z","request":{"frame":"f"},"#
      + #""response":{"status":200,"body":{"choices":[{"index":0,"message":{"role":"assistant","#
      + #""content":"\#(text)"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"#
      + #""completion_tokens":3}}},"timings":{"total-ms":12.5}}"# + "\n"
  }

  private func answers(limit: Int) throws -> (KeptAnswers, places: [UInt32]) {
    var collector = KeptAnswers.Collector(fileSize: Self.file.count, limit: limit)
    var places: [UInt32] = []
    var missing = 0
    FileContents(Self.file).forEachLine { line, start in
      if let place = collector.add(line, at: start) { places.append(place) } else { missing += 1 }
    }
    #expect(missing == 0)
    return (Self.finish(collector), places)
  }

  /// The text, token counts and time of an answer.
  private func told(_ answers: KeptAnswers, _ place: UInt32, of contents: [UInt8]) -> String? {
    answers.answer(at: place, of: FileContents(contents)).map { answer, _ in
      let tokens = "\(answer.usage?.input ?? 0) \(answer.usage?.output ?? 0)"
      return "\(answer.text ?? "no text") \(tokens) \(answer.timings.total ?? 0)"
    }
  }

  private static func finish(_ collector: consuming KeptAnswers.Collector) -> KeptAnswers {
    collector.finish { origin in
      KeptAnswers.Frame(response: ModelResponse(text: nil), date: origin.date)
    }
  }

  private static let expected = ["all clear 7 3 12.5", #"a "quoted" word 7 3 12.5"#]

  @Test(
    "Texts beyond the memory limit are read from the file, with the same result",
    arguments: [0, 80, 1 << 20]
  )
  func sameFromTheFile(limit: Int) throws {
    let (answers, places) = try answers(limit: limit)
    #expect(places.map { told(answers, $0, of: Self.file) } == Self.expected)
  }

  @Test("An answer without text is kept even beyond the memory limit", arguments: [0, 1 << 20])
  func emptyText(limit: Int) throws {
    let file = Array(Self.line("first", "").utf8)
    var collector = KeptAnswers.Collector(fileSize: file.count, limit: limit)
    var place: UInt32?
    FileContents(file).forEachLine { line, start in
      place = collector.add(line, at: start) ?? place
    }
    #expect(told(Self.finish(collector), try #require(place), of: file) == " 7 3 12.5")
  }

  @Test("An answer whose token counts do not determine its cost is read from its line")
  func doubtfulUsage() {
    for counts in [#"7,"total_tokens":300"#, #"7,"cached_tokens":"3""#, #"7,"cached_tokens":-1"#] {
      let line = Self.line("first", "a").replacing(
        #""prompt_tokens":7"#,
        with: #""prompt_tokens":\#(counts)"#
      )
      var collector = KeptAnswers.Collector(fileSize: 1_000, limit: 1 << 20)
      var place: UInt32?
      FileContents(Array(line.utf8)).forEachLine { line, start in
        place = collector.add(line, at: start) ?? place
      }
      _ = Self.finish(collector)
      #expect(place == nil, "\(counts)")
    }
  }

  @Test("A text in memory stays as it was checked; a text in the file is dropped if it changed")
  func changedMeanwhile() throws {
    let changed = Array(
      String(decoding: Self.file, as: UTF8.self).replacing("clear", with: "black").utf8
    )
    let (inMemory, places) = try answers(limit: 1 << 20)
    #expect(places.map { told(inMemory, $0, of: changed) } == Self.expected)
    let (inFile, filePlaces) = try answers(limit: 0)
    #expect(filePlaces.map { told(inFile, $0, of: changed) } == [nil, Self.expected[1]])
    #expect(filePlaces.map { told(inFile, $0, of: []) } == [nil, nil])
  }
}
