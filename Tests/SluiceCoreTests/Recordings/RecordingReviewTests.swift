import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Review of pending recordings")
struct RecordingReviewTests {
  private func body(_ text: String, tokens: Int = 5) -> [UInt8] {
    JSONWriter.line([
      "model": "sorter-1",
      "choices": [
        [
          "index": 0, "message": ["role": "assistant", "content": .string(text)],
          "finish_reason": "stop",
        ]
      ],
      "usage": ["prompt_tokens": 9, "completion_tokens": .number(Double(tokens))],
    ])
  }

  private func file(_ recordings: [Recording]) -> RecordingFile {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    for recording in recordings { file.add(recording) }
    return file
  }

  private func review(_ pending: [Recording], _ accepted: [Recording]) -> RecordingReview {
    RecordingReview(
      dataset: ProjectPath("datasets/triage/cases.yaml"),
      backend: "server",
      pending: file(pending),
      accepted: file(accepted)
    )
  }

  private func text(
    _ reviews: [RecordingReview],
    limit: Int? = nil,
    isDrift: Bool = false,
    isColored: Bool = false
  ) -> String {
    TerminalReview(
      reviews,
      limit: limit,
      isDrift: isDrift,
      style: TerminalStyle(isColored: isColored)
    ).text
  }

  /// Answers of every kind: an identical one, a different one, one to another request, and one of a
  /// new case.
  private var whole: RecordingReview {
    review(
      [
        .fixture(user: "a", body: body("same"), testCase: "a"),
        .fixture(user: "b", body: body(#"{"kind":"new"}"#, tokens: 6), testCase: "b"),
        .fixture(
          user: "c",
          system: "Say more.",
          body: body("one\ntwo\nfour"),
          testCase: "c",
          templateDigest: "0000000000000000"
        ),
        .fixture(user: "d", body: body("fresh\nand new"), testCase: "d"),
        .fixture(user: "d", body: body("again"), repetition: 2, testCase: "d"),
      ],
      [
        .fixture(user: "a", body: body("same"), testCase: "a"),
        .fixture(user: "b", body: body(#"{"kind":"old"}"#), testCase: "b"),
        .fixture(user: "c", system: "Say it.", body: body("one\ntwo\nthree"), testCase: "c"),
        .fixture(user: "e", body: body("other"), testCase: "e"),
      ]
    )
  }

  @Test("Each answer is compared with the one it replaces or that of the nearest request, if any")
  func entries() {
    let entries = whole.entries
    #expect(
      entries.map { "\($0.testCase) \($0.repetition)" } == ["a 1", "b 1", "c 1", "d 1", "d 2"]
    )
    #expect(
      entries.map { entry in
        switch entry.comparison {
        case .replaces(let difference): "replaces \(difference.lines)"
        case .follows(let difference, let parts): "follows \(difference.lines) \(parts)"
        case .anotherQuestion(let parts): "another question \(parts)"
        case .new: "new"
        }
      } == [
        "replaces []", #"replaces ["- kind: \"old\"", "+ kind: \"new\""]"#,
        #"follows ["  …", "  two", "- three", "+ four"] ["system message"]"#, "new", "new",
      ]
    )
  }

  @Test("The terminal shows each change and counts unchanged answers")
  func terminal() {
    #expect(
      text([whole]) == """
        5 PENDING  triage on server  2 new · 2 with another answer · 1 with the same answer

        b  v1
            - kind: "old"
            + kind: "new"
            output tokens 5 → 6

        c  v1  (changed: system message)
              …
              two
            - three
            + four

        d  v1  (new)
            + fresh
            + and new

        d  v1, repeat 2  (new)
            + again

        """
    )
  }

  @Test("An answer to an edited case is one to another question, and is shown by itself")
  func editedCase() {
    let edited = review(
      [.fixture(user: "Where was it?", body: body("there"), inputDigest: "0000000000000000")],
      [.fixture(body: body("here"))]
    )
    #expect(edited.entries.map { $0.exchange?.earlier } == [nil])
    #expect(
      text([edited]) == """
        1 PENDING  triage on server  1 to another question

        where  v1  (another question; changed: user message)
            + there

        """
    )
  }

  @Test("Answers beyond the limit are counted, with a hint on how to show them")
  func limited() {
    #expect(
      text([whole], limit: 1) == """
        5 PENDING  triage on server  2 new · 2 with another answer · 1 with the same answer

        b  v1
            - kind: "old"
            + kind: "new"
            output tokens 5 → 6

        and 3 more: --limit 0 shows all

        """
    )
    #expect(!text([whole], limit: 4).contains("more"))
  }

  @Test("A drift check says 'asked again', and reports if there was nothing to compare")
  func drift() {
    let same = review(
      [.fixture(body: body("same"))],
      [.fixture(body: body("same"))]
    )
    #expect(
      text([same, same], isDrift: true) == """
        1 ASKED AGAIN  triage on server  1 with the same answer

        1 ASKED AGAIN  triage on server  1 with the same answer

        """
    )
    #expect(text([]) == "Nothing was compared.\n")
  }

  @Test("Long answers are cut, both in lines and within a line")
  func long() {
    let many = review([.fixture(body: body((1...15).map(String.init).joined(separator: "\n")))], [])
    let lines = text([many]).split(separator: "\n").map(String.init)
    #expect(lines[2] == "    + 1")
    #expect(lines.suffix(2) == ["    + 12", "    and 3 more lines"])
    let wide = review([.fixture(body: body(String(repeating: "é", count: 200)))], [])
    let shown = text([wide]).split(separator: "\n").last.map(String.init)
    #expect(shown == "    + " + String(repeating: "é", count: 158) + "…")
  }

  @Test("A model's text cannot control the terminal or imitate another line")
  func hostile() {
    for hostile in HostileText.all {
      let review = review([.fixture(body: body(hostile), testCase: hostile, prompt: hostile)], [])
      let text = text([review])
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F })
      #expect(text.split(separator: "\n").dropFirst(2).allSatisfy { $0.hasPrefix("    ") })
    }
  }

  @Test("Removed and added lines have different colors")
  func colors() {
    let review = review([.fixture(body: body("new"))], [.fixture(body: body("old"))])
    #expect(
      text([review], isColored: true) == """
        \u{1B}[1m1 PENDING\u{1B}[0m  \u{1B}[1mtriage on server\u{1B}[0m  1 with another answer

        where  v1
            \u{1B}[31m- old\u{1B}[0m
            \u{1B}[32m+ new\u{1B}[0m

        """
    )
  }
}
