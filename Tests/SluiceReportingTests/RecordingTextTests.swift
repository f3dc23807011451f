import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Notes about recordings")
struct RecordingTextTests {
  // MARK: Sentences

  private func summary(_ change: (inout RecordingSummary) -> Void) -> RecordingSummary {
    var summary = RecordingSummary()
    change(&summary)
    return summary
  }

  @Test("Recordings without problems get no note")
  func nothing() {
    #expect(RecordingText.notes(RecordingSummary()) == [])
    #expect(RecordingText.notes(summary { $0.sets.accepted = 9 }) == [])
    #expect(RecordingText.notes(RecordedChange()) == [])
  }

  @Test("Pending and old answers are counted in notes")
  func numbers() {
    #expect(
      RecordingText.notes(summary { $0.unaccepted = 1 })
        == ["1 answer is pending, not accepted yet"]
    )
    #expect(
      RecordingText.notes(
        summary { summary in
          summary.unaccepted = 12
          summary.old = .init(count: 3, oldest: "2026-01-02", limit: "2026-02-03")
        }
      ) == [
        "12 answers are pending, not accepted yet",
        "3 answers are from before 2026-02-03, the oldest from 2026-01-02: older than "
          + "'warn-after' in sluice.yaml allows, so record them again",
      ]
    )
  }

  @Test(
    "Rejected sets and repeatedly requested answers are noted",
    arguments: [
      (1, 0, 0, nil), (1, 1, 0, "2 recorded sets so far, 1 rejected"),
      (0, 3, 1, "3 recorded sets so far, 3 rejected, 1 answer requested more than once"),
      (1, 0, 2, "1 recorded set so far, 2 answers requested more than once"),
      (0, 0, 4, "0 recorded sets so far, 4 answers requested more than once"),
    ] as [(Int, Int, Int, String?)]
  )
  func sets(accepted: Int, rejected: Int, askedAgain: Int, text: String?) {
    let sets = RecordingSummary.Sets(
      accepted: accepted,
      rejected: rejected,
      askedAgain: askedAgain
    )
    #expect(RecordingText.sets(sets) == (text.map { [$0] } ?? []))
  }

  @Test("The answers that a change recorded are counted, with replaced ones separately")
  func change() {
    var change = RecordedChange()
    (change.answers, change.added) = (4, 1)
    #expect(RecordingText.notes(change) == ["recorded in this change: 1 of 4 answers"])
    (change.again, change.sets.rejected) = (2, 1)
    #expect(
      RecordingText.notes(change) == [
        "recorded in this change: 3 of 4 answers, 2 of them again for a request that already had "
          + "a recording",
        "in this change: 1 recorded set, 1 rejected",
      ]
    )
    (change.answers, change.added, change.again) = (1, 0, 0)
    #expect(RecordingText.notes(change) == ["in this change: 1 recorded set, 1 rejected"])
  }

  @Test("The nearest recording is described, with its case only if it differs")
  func nearest() {
    var group = RecordingSummary.MissGroup(
      reason: "no recording",
      count: 1,
      prompt: "v2",
      backend: "server",
      testCase: "where"
    )
    #expect(RecordingText.nearest(group) == nil)
    group.nearest = .init(
      day: "2026-11-21",
      testCase: "where",
      prompt: "v1",
      difference: RequestDifference(parts: [])
    )
    #expect(
      RecordingText.nearest(group) == "the recording most similar to where is from 2026-11-21 "
        + "with v1"
    )
    group.nearest?.testCase = "thanks"
    #expect(
      RecordingText.nearest(group)
        == "the recording most similar to where is from 2026-11-21 for thanks with v1"
    )
  }

  @Test("Where only the backend's name changed, the way to keep the recordings is said")
  func keeping() {
    var nearest = RecordingSummary.MissGroup.Nearest(
      day: "2026-11-21",
      testCase: "where",
      prompt: "v1",
      difference: RequestDifference(parts: [])
    )
    #expect(RecordingText.keeping(nearest) == nil)
    nearest.formerBackend = "large"
    #expect(
      RecordingText.keeping(nearest) == """
        to keep these recordings, name the backend 'large' again: its name is part of each request's key
        """
    )
  }

  @Test("Long differences are cut to some lines, and long lines to some characters")
  func long() {
    let lines = (1...10).map { "+ \($0)" }
    let nearest = RecordingSummary.MissGroup.Nearest(
      day: "2026-11-21",
      testCase: "where",
      prompt: "v1",
      difference: RequestDifference(parts: [
        .init(name: "system message", lines: lines),
        .init(name: "seed", lines: ["- " + String(repeating: "1", count: 300), "+ 2"]),
      ])
    )
    #expect(
      RecordingText.difference(nearest.difference)
        == ["system message:"] + lines.prefix(8).map { "  \($0)" } + ["    and 2 more lines"]
        + ["seed:", "  - " + String(repeating: "1", count: 198) + "…", "  + 2"]
    )
  }

  @Test("A long deletion does not hide the text that replaces it")
  func longDeletion() {
    let part = RequestDifference.Part(
      name: "system message",
      lines: (1...12).map { "- \($0)" } + ["+ a", "+ b", "+ c"]
    )
    #expect(
      RecordingText.difference(RequestDifference(parts: [part])) == [
        "system message:", "  - 1", "  - 2", "  - 3", "  - 4", "  - 5", "    …", "  + a", "  + b",
        "    and 8 more lines",
      ]
    )
  }

  @Test("The common start of two long lines is left out if the difference would be cut off")
  func far() {
    let words = String(repeating: "word ", count: 20)
    func lines(_ lines: [String], width: Int) -> [String] {
      RecordingText.difference(
        RequestDifference(parts: [.init(name: "system message", lines: lines)]),
        width: width
      )
    }
    #expect(
      lines(["  before", "- \(words)old", "- b", "+ \(words)new", "+ c"], width: 30) == [
        "system message:", "    before", "  - …word word old", "  - b", "  + …word word new",
        "  + c",
      ]
    )
    // If both lines fit, they are shown whole.
    let short = ["- \(words)old", "+ \(words)new"]
    #expect(lines(short, width: 110) == ["system message:"] + short.map { "  \($0)" })
    // A removed part has no counterpart to compare with.
    #expect(lines(["- \(words)"], width: 12) == ["system message:", "  - word word …"])
  }

  // MARK: Reports

  /// A run on old answers, some of which are missing.
  ///
  /// Some answers are pending, and others were rejected before.
  private func result() async throws -> RunResult {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    _ = try await project.recordPending()
    _ = try project.pending().reject(now: RecordingProject.date)
    _ = try await project.recordPending()
    _ = try await project.recordPending(RecordingRequest.Selection(cases: ["thanks"], scope: .all))
    try project.edit(RecordingProject.casesPath, replacing: "Where is it?", with: "Where was it?")
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: "recordings: {warn-after: 10 days}\nprices:"
    )
    let evaluation = Evaluation(
      try project.suite(),
      surroundings: Surroundings(files: project.files, now: { RecordingProject.date - -20 })
    )
    return RunResult(suites: [evaluation.replay(concurrency: 1).result])
  }

  @Test("A terminal shows missing answers first and notes after the figures")
  func terminal() async throws {
    let text = TerminalReport(
      try await result(),
      style: TerminalStyle(isColored: false),
      overrides: CommandLineOverrides()
    ).text
    let expected = try Snapshot.text("run.pending.80.txt")
    #expect(text == expected)
  }

  @Test("An explanation shows the difference of a stale request, as the run does")
  func explanation() async throws {
    let text = VerdictExplanation(try await result()).text(TerminalStyle(isColored: false))
    #expect(
      text.contains(
        """
          no recorded answers for 1 of 4 cases: case changed (user message)
            the recording most similar to where is from 2026-11-21 with v1:
              user message:
                - Where is it?
                + Where was it?

        """
      ),
      "\(text)"
    )
  }

  @Test("report.md shows notes below the verdict, and a difference as code")
  func markdown() async throws {
    let text = String(
      decoding: MarkdownReport(try await result(), overrides: CommandLineOverrides()).bytes,
      as: UTF8.self
    )
    #expect(
      text.contains(
        """

        ⚠️ triage: 1 answer is pending, not accepted yet.

        ⚠️ triage: 3 answers are from before 2026-12-01, the oldest from 2026-11-21: older than 'warn-after' in sluice.yaml allows, so record them again.

        ⚠️ triage: 2 recorded sets so far, 1 rejected, 1 answer requested more than once.

        """
      )
    )
    #expect(
      text.contains(
        """

        1 × no recording: case changed (user message); the recording most similar to where is from 2026-11-21 with v1:

            user message:
              - Where is it?
              + Where was it?

        """
      )
    )
  }

  @Test("report.json has the same facts as figures")
  func json() async throws {
    let report = try JSONReader.value(JSONReport(try await result()).bytes)
    #expect(
      report.value(at: "suites.0.recordings") == [
        "unaccepted": 1, "sets": ["accepted": 1, "rejected": 1, "asked-again": 1],
        "old": ["count": 3, "oldest": "2026-11-21", "limit": "2026-12-01"],
        "misses": [
          [
            "reason": "no recording: case changed (user message)", "count": 1, "prompt": "v1",
            "backend": "server", "case": "where",
            "nearest": [
              "recorded": "2026-11-21", "case": "where", "prompt": "v1",
              "difference": [
                ["part": "user message", "lines": ["- Where is it?", "+ Where was it?"]]
              ],
            ],
          ]
        ],
      ]
    )
    let project = RecordingProject()
    let empty = try JSONReader.value(JSONReport(try project.replay()).bytes)
    #expect(empty.value(at: "suites.0.recordings.old") == nil)
  }

  @Test("A comparison with a revision states in all formats what the change recorded")
  func comparison() async throws {
    let revisions = try TwoRevisions(cases: 40)
    try await revisions.record()
    try revisions.here.edit(
      RecordingProject.casesPath,
      replacing: "Number 5?",
      with: "Number five?"
    )
    _ = try await revisions.here.recordPending(from: TwoRevisions.server(guessingWrong: 0))
    _ = try revisions.here.pending().reject(now: RecordingProject.date)
    _ = try await revisions.here.record(from: TwoRevisions.server(guessingWrong: 0))
    let result = ComparisonResult(try revisions.compare().comparisons)
    let notes = [
      "recorded in this change: 1 of 40 answers",
      "in this change: 2 recorded sets, 1 rejected",
    ]
    #expect(result.comparisons.map { $0.recorded.map(RecordingText.notes) } == [notes])
    let terminal = TerminalComparison(
      result,
      style: TerminalStyle(isColored: false),
      writesReports: false
    ).text
    #expect(terminal.contains(notes.map { "  \($0)\n" }.joined()))
    let markdown = String(decoding: ComparisonMarkdown(result).bytes, as: UTF8.self)
    #expect(markdown.contains(notes.map { "\n\($0).\n" }.joined()))
    let json = try JSONReader.value(ComparisonJSON(result).bytes)
    #expect(
      json.value(at: "comparisons.0.recorded-in-this-change") == [
        "answers": 40, "added": 1, "again": 0, "cases": ["case-5"],
        "sets": ["accepted": 1, "rejected": 1, "asked-again": 0],
      ]
    )
  }
}
