import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Cases in a terminal")
struct TerminalCaseTests {
  private func text(
    _ view: CaseView,
    columns: Int = 80,
    _ extent: TerminalCase.Extent = .brief
  ) -> String {
    TerminalCase(style: TerminalStyle(isColored: false), columns: columns, extent: extent)
      .text(view)
  }

  private let failed = AnswerColumn(
    prompt: "v1",
    backend: "fast",
    answers: [
      .fixture(
        #"{"clarityIssues": null, "suggestedRevision": null}"#,
        .failed,
        reason: "expected a flag, but clarityIssues is null"
      )
    ]
  )

  // MARK: The past

  @Test("The whole case ends with the committed baselines, oldest first", arguments: [80, 120])
  func past(columns: Int) {
    var column = failed
    column.past = [
      PastAnswer(
        day: "2026-11-20",
        commit: "1a2b3c4",
        prompt: "v1",
        standing: .passed,
        hasSameAnswer: false
      ),
      PastAnswer(
        day: "2026-11-24",
        commit: "5d6e7f8",
        prompt: "v2-short",
        standing: .failed,
        hasSameAnswer: true,
        isCurrent: true
      ),
      PastAnswer(
        day: "2026-11-25",
        commit: "9a0b1c2",
        prompt: "v1",
        standing: .failed,
        hasSameAnswer: false,
        isOtherCase: true
      ),
    ]
    #expect(
      text(.fixture([column]), columns: columns, .whole(most: nil)).hasSuffix(
        """
          baselines ✓ 2026-11-20  1a2b3c4  v1        another answer
                    ✗ 2026-11-24  5d6e7f8  v2-short  same answer, today's baseline
                    ✗ 2026-11-25  9a0b1c2  v1        another case then


        """
      )
    )
    #expect(!text(.fixture([failed]), .whole(most: nil)).contains("baselines"))
  }

  // MARK: Brief

  @Test("A case is a block with question, expectation, answer and reasons for failures")
  func brief() {
    #expect(
      text(.fixture([failed])) == """
        ✗ board-link                                      datasets/clarity/cases.yaml:41
          question  ana (designer) to ben (engineer): is the board link still the old
                    one?
          expected  flagged: true
                    issues: [{any-of: [link, old one]}]
          answer    {"clarityIssues": null, "suggestedRevision": null}
                    stop · 673 tokens · 812 ms · $0.00031
          scores    ✗ flags: expected a flag, but clarityIssues is null
                    ✓ json-schema


        """
    )
  }

  @Test("A terminal of 120 columns has longer lines")
  func wide() {
    #expect(
      text(.fixture([failed]), columns: 120) == """
        ✗ board-link                                                                              datasets/clarity/cases.yaml:41
          question  ana (designer) to ben (engineer): is the board link still the old one?
          expected  flagged: true
                    issues: [{any-of: [link, old one]}]
          answer    {"clarityIssues": null, "suggestedRevision": null}
                    stop · 673 tokens · 812 ms · $0.00031
          scores    ✗ flags: expected a flag, but clarityIssues is null
                    ✓ json-schema


        """
    )
  }

  @Test("A long question shows its start and end, and the number of characters between")
  func longQuestion() {
    let lines = (1...40).map { "line \($0) of the conversation" }.joined(separator: "\n")
    let passed = AnswerColumn(prompt: "v1", backend: "fast", answers: [.fixture("ok")])
    let shown = text(.fixture(question: lines, [passed]))
    #expect(
      shown.hasPrefix(
        """
        ✓ board-link                                      datasets/clarity/cases.yaml:41
          question  line 1 of the conversation
                    line 2 of the conversation
                    line 3 of the conversation
                    … 862 more characters …
                    line 35 of the conversation
                    line 36 of the conversation
                    line 37 of the conversation
                    line 38 of the conversation
                    line 39 of the conversation
                    line 40 of the conversation
          expected  flagged: true

        """
      )
    )
  }

  @Test("Wide JSON is indented, and a long answer is cut with a count")
  func longAnswer() {
    let items = (1...30).map { "\"item number \($0)\"" }.joined(separator: ", ")
    let answer = "{\"items\": [\(items)]}"
    let column = AnswerColumn(prompt: "v1", backend: "fast", answers: [.fixture(answer)])
    let shown = text(.fixture([column]))
    #expect(
      shown.contains(
        """
          answer    {
                      "items": [
                        "item number 1",
                        "item number 2",

        """
      )
    )
    #expect(shown.contains("            … 401 more characters …\n"))
    #expect(shown.split(separator: "\n").count < 26)
  }

  @Test("Repeats with the same text and scores are shown once")
  func repeats() {
    let column = AnswerColumn(
      prompt: "v1",
      backend: "fast",
      answers: [
        .fixture("same", repetition: 1), .fixture("same", repetition: 2),
        .fixture("other", .failed, reason: "not the word", repetition: 3),
        .fixture("same", repetition: 4),
      ]
    )
    #expect(
      text(.fixture([column])).hasSuffix(
        """
          answer    repeat 1, 2, 4
                    same
                    stop · 673 tokens · 812 ms · $0.00031
          scores    ✓ json-schema · flags
          answer    repeat 3
                    other
                    stop · 673 tokens · 812 ms · $0.00031
          scores    ✗ flags: not the word
                    ✓ json-schema


        """
      )
    )
  }

  @Test("Numbers of repeats are written as ranges")
  func numbers() {
    #expect(TerminalCase.list([1, 2, 3, 5]) == "1–3, 5")
    #expect(TerminalCase.list([4, 1, 2]) == "1, 2, 4")
    #expect(TerminalCase.list([7]) == "7")
  }

  @Test("Several columns are shown below each other, each under its name")
  func columns() {
    let other = AnswerColumn(
      prompt: "v2",
      backend: "fast",
      answers: [.fixture(#"{"clarityIssues": ["link"]}"#, prompt: "v2")]
    )
    #expect(
      text(.fixture([failed, other])).hasSuffix(
        """
          v1 on fast ✗
          answer    {"clarityIssues": null, "suggestedRevision": null}
                    stop · 673 tokens · 812 ms · $0.00031
          scores    ✗ flags: expected a flag, but clarityIssues is null
                    ✓ json-schema
          v2 on fast ✓
          answer    {"clarityIssues": ["link"]}
                    stop · 673 tokens · 812 ms · $0.00031
          scores    ✓ json-schema · flags


        """
      )
    )
  }

  @Test("Refusals, empty texts, missing answers and tool calls are labeled as such")
  func noText() {
    func shown(_ answer: ShownAnswer) -> String {
      let column = AnswerColumn(prompt: "v1", backend: "fast", answers: [answer])
      let lines = text(.fixture([column])).split(separator: "\n")
      return lines.first { $0.hasPrefix("  answer") }.map(String.init) ?? ""
    }
    #expect(
      shown(.fixture(nil, .failed, refusal: "I won't."))
        == "  answer    refusal: I won't."
    )
    #expect(shown(.fixture("", .failed)) == "  answer    (empty)")
    let miss = RecordingMiss(reason: .newCase)
    #expect(
      shown(.fixture(nil, .lost(.noRecording(miss)))) == "  answer    no recording: new case"
    )
    var call = ShownAnswer.fixture("", .passed)
    (call.text, call.toolCalls) = (nil, [CaseView.Field("send_mail", #"{"to": "ana"}"#)])
    #expect(shown(call) == #"  answer    tool call: send_mail {"to": "ana"}"#)
  }

  @Test("Texts of cases, models and scorers cannot control the terminal or a CI log")
  func hostile() {
    let text = "\u{1B}[31mred\u{7}\n::error::no\n##[error]x\u{202E}"
    var answer = ShownAnswer.fixture(text, .failed, reason: text)
    answer.toolCalls = [CaseView.Field(text, text)]
    let column = AnswerColumn(
      prompt: text,
      backend: text,
      request: SentRequest.fixture(system: text),
      answers: [answer, .fixture(nil, .failed, repetition: 2, refusal: text)]
    )
    var view = CaseView.fixture(question: text, [column, column])
    (view.suite, view.id, view.tags, view.place) = (text, text, [text], text)
    view.expected = [CaseView.Field(text, text)]
    for extent in [TerminalCase.Extent.brief, .whole(most: 40), .whole(most: nil)] {
      for width in [20, 80, 200] {
        let shown = self.text(view, columns: width, extent)
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(!shown.contains("\u{202E}"))
        #expect(!shown.contains("##["))
        for line in shown.split(separator: "\n") {
          #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
        }
      }
    }
  }

  // MARK: Whole

  private func whole(_ prompt: String, system: String, _ answer: ShownAnswer) -> AnswerColumn {
    AnswerColumn(
      prompt: prompt,
      backend: "fast",
      request: .fixture(system: system),
      answers: [answer]
    )
  }

  @Test("A whole case has its request, its answer and every score with its reason")
  func wholeCase() {
    let column = whole(
      "v1",
      system: "Say what is unclear.",
      .fixture(
        "null",
        .failed,
        reason: "expected a flag, but the answer is null",
        source: .pending
      )
    )
    #expect(
      text(.fixture([column]), .whole(most: 40)) == """
        ✗ board-link                                      datasets/clarity/cases.yaml:41
          clarity · clean, hard

          system    Say what is unclear.
          user      is the board link still the old one?
          settings  model small-1 · temperature 0 · max_tokens 300

          expected  flagged: true
                    issues: [{any-of: [link, old one]}]

          v1 on fast ✗
          answer    null
                    pending · stop · 673 tokens · 812 ms · $0.00031 · small-1 at
                    https://models.test, 2026-11-21
          scores    ✓ json-schema: it has the form
                    ✗ flags: expected a flag, but the answer is null


        """
    )
  }

  private var twoPrompts: CaseView {
    .fixture([
      whole("v1", system: "Say what is unclear.", .fixture("null", .failed, reason: "no flag")),
      whole(
        "v2",
        system: "Say what is unclear, and quote the word that it is about in each of your "
          + "questions.",
        .fixture(#"["link"]"#, prompt: "v2")
      ),
    ])
  }

  @Test("In a wide terminal, two prompts are shown side by side, message by message")
  func besideEachOther() {
    #expect(
      text(twoPrompts, columns: 120, .whole(most: 40)) == """
        ✗ board-link                                                                              datasets/clarity/cases.yaml:41
          clarity · clean, hard

          expected  flagged: true
                    issues: [{any-of: [link, old one]}]

          v1 on fast ✗                                                 v2 on fast ✓
          system    Say what is unclear.                               system    Say what is unclear, and quote the word that
                                                                                 it is about in each of your questions.
          user      is the board link still the old one?               user      is the board link still the old one?
          settings  model small-1 · temperature 0 · max_tokens 300     settings  model small-1 · temperature 0 · max_tokens 300

          answer    null                                               answer    ["link"]
                    stop · 673 tokens · 812 ms · $0.00031                        stop · 673 tokens · 812 ms · $0.00031
          scores    ✓ json-schema: it has the form                     scores    ✓ json-schema: it has the form
                    ✗ flags: no flag                                             ✓ flags


        """
    )
  }

  @Test("In a narrow terminal, two prompts are shown below each other")
  func belowEachOther() {
    #expect(
      text(twoPrompts, columns: 80, .whole(most: 40)).hasSuffix(
        """
          v1 on fast ✗
          system    Say what is unclear.
          user      is the board link still the old one?
          settings  model small-1 · temperature 0 · max_tokens 300

          answer    null
                    stop · 673 tokens · 812 ms · $0.00031
          scores    ✓ json-schema: it has the form
                    ✗ flags: no flag

          v2 on fast ✓
          system    Say what is unclear, and quote the word that it is about in each of
                    your questions.
          user      is the board link still the old one?
          settings  model small-1 · temperature 0 · max_tokens 300

          answer    ["link"]
                    stop · 673 tokens · 812 ms · $0.00031
          scores    ✓ json-schema: it has the form
                    ✓ flags


        """
      )
    )
  }

  @Test("A request that all columns share is shown once")
  func sharedRequest() {
    let view = CaseView.fixture([
      whole("v1", system: "Say.", .fixture("a")), whole("v1", system: "Say.", .fixture("b")),
    ])
    let shown = text(view, columns: 120, .whole(most: 40))
    #expect(shown.ranges(of: "  system    Say.").count == 1)
  }

  @Test("A text is cut after a number of lines, or shown whole")
  func fullTexts() {
    let system = (1...60).map { "rule \($0)" }.joined(separator: "\n")
    let view = CaseView.fixture([whole("v1", system: system, .fixture("a"))])
    let cut = text(view, .whole(most: 40))
    #expect(cut.contains("            rule 40\n            … 160 more characters …\n"))
    #expect(!cut.contains("rule 41"))
    #expect(text(view, .whole(most: nil)).contains("            rule 60\n  user"))
  }

  @Test("If no recording answers, the nearest recording is shown")
  func nearest() {
    var answer = ShownAnswer.fixture(
      nil,
      .lost(
        .noRecording(
          RecordingMiss(reason: .changed(.init(kinds: [.prompt], parts: ["system message"])))
        )
      )
    )
    answer.miss = RecordingSummary.MissGroup(
      reason: "no recording: prompt changed (system message)",
      count: 1,
      prompt: "v1",
      backend: "fast",
      testCase: "board-link",
      nearest: .init(
        day: "2026-11-20",
        testCase: "board-link",
        prompt: "v1",
        difference: RequestDifference(parts: [
          .init(name: "system message", lines: ["- Say it.", "+ Say it, in one word."])
        ])
      )
    )
    let view = CaseView.fixture([whole("v1", system: "Say it, in one word.", answer)])
    #expect(
      text(view, .whole(most: 40)).hasSuffix(
        """
          v1 on fast ?
          answer    no recording: prompt changed (system message)
                    the recording most similar to board-link is from 2026-11-20 with v1:
                    system message:
                      - Say it.
                      + Say it, in one word.


        """
      )
    )
    var overrides = CommandLineOverrides(prompt: "a b.yaml")
    overrides.filter = CaseFilter(cases: ["board-link"])
    func next(_ areAskedThroughFiles: Bool) -> String {
      let path = ProjectPath("prompts/clarity/suite.yaml")
      return TerminalCase.next(
        MissingAnswersStep([path], areAskedThroughFiles: areAskedThroughFiles, overrides)
      )
    }
    #expect(
      next(false) == """
        Next: record the missing answers (this sends requests):
          sluice record clarity --prompt 'a b.yaml' --case board-link

        """
    )
    #expect(
      next(true) == """
        Next: export the unanswered requests to a batch file, then import the batch's
        results:
          sluice batch export missing.jsonl clarity --prompt 'a b.yaml'

        """
    )
  }
}
