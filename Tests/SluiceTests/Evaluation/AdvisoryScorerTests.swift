import SampleProjects
@testable import Sluice
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

/// A suite with a judge and a deciding scorer: reports on the answers are the same with and without
/// the judge.
@Suite("Advisory scorers")
struct AdvisoryScorerTests {
  /// The side of the comparison that has a judge, or the way in which the judge differs.
  enum Judging: CaseIterable {
    case added, changed, removed, unchanged, unreadable
  }

  /// The parts of reports that say how cases changed, without the lines about advisory scorers.
  private struct Changes: Equatable {
    var terminal: String
    var markdown: String
    var page: String
    var pageRows: [JSONValue]
    var json: JSONValue?
  }

  private static let scorer = "  - \(JudgedProject.rubric)\n"

  /// Returns the changes of a project whose baseline gets all cases wrong, and whose edited prompt
  /// gets all of them right.
  private func changes(_ judging: Judging?) async throws -> Changes {
    let judged = try JudgedProject(
      conditions: "gates:\n  - no regression in accuracy beyond 5 points"
    )
    let project = judged.project
    let cases = (0..<10).map { number in
      "- {id: case-\(number), input: {message: \"Number \(number)?\"}, expected: {kind: question}}\n"
    }
    try project.files.write(
      Array(cases.joined().utf8),
      to: ProjectPath(RecordingProject.casesPath)
    )
    if judging == nil || judging == .added {
      try project.edit(RecordingProject.suitePath, replacing: Self.scorer, with: "")
    }
    _ = try await project.record(
      from: RecordingHTTPClient { _ in RecordingProject.completion(text: #"{"kind":"other"}"#) }
    )
    if judging != nil { try await judged.record { _ in JudgedProject.grade(5) } }
    let suite = try project.suite()
    let before = Evaluation(suite, surroundings: project.surroundings, keepsLog: false)
      .replay(concurrency: 1).result
    let drafts = try BaselineAcceptance(suite, surroundings: project.surroundings).drafts(before)
    for draft in drafts { try project.files.write(draft.bytes, to: draft.path) }
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    switch judging {
    case .added:
      let labels = "labels: [question, request, other]}\n"
      try project.edit(
        RecordingProject.suitePath,
        replacing: labels,
        with: labels + Self.scorer
      )
    case .changed:
      try project.edit(JudgedProject.judgePath, replacing: "Grade", with: "Rate")
    case .removed: try project.edit(RecordingProject.suitePath, replacing: Self.scorer, with: "")
    case .unchanged, .unreadable, nil: break
    }
    _ = try await project.record()
    if judging != nil, judging != .removed {
      try await judged.record { _ in
        judging == .unreadable ? "Good, I would say." : JudgedProject.grade(2)
      }
    }
    return try changes(project.replay())
  }

  private func changes(_ result: RunResult) throws -> Changes {
    func part(_ text: String, from start: String, to end: String) throws -> String {
      let range = try #require(text.firstRange(of: start))
      let rest = text[range.lowerBound...]
      let stop = try #require(rest.firstRange(of: end))
      return rest[..<stop.lowerBound].split(separator: "\n")
        .filter { !$0.contains("advisory") && !$0.contains("compared: llm-rubric") }
        .joined(separator: "\n")
    }
    let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    let markdown = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    let page = HTMLPageFixture(result).text
    let rows = try JSONReader.value(
      try part(page, from: "id=\"trials\">", to: "</script>").dropFirst("id=\"trials\">".count)
        .description
    )
    let json = try JSONReader.value(JSONReport(result).bytes)
    return Changes(
      terminal: try part(terminal, from: "      accuracy ", to: "\n\n"),
      markdown: try part(markdown, from: " against the baseline", to: "\n\n<details>"),
      page: try part(page, from: "<h3>Effect, against", to: "</div></details>")
        .split(separator: "\n").filter { !$0.contains("Judge: ") }.joined(separator: "\n"),
      pageRows: (rows.array ?? []).compactMap { $0.array?[4] },
      json: json["suites"]?.array?.first?["columns"]?.array?.first?["comparison"]?["flips"]
    )
  }

  @Test(
    "Flips are reported even if a judge was added, changed, removed or is unreadable",
    arguments: Judging.allCases
  )
  func flips(judging: Judging) async throws {
    let without = try await changes(nil)
    #expect(
      without.terminal == """
              accuracy 100.0%, was 0.0% (+100.0 points [+57.4, +100.0])
              0 newly failing, 10 newly passing
        """
    )
    #expect(without.pageRows == Array(repeating: 2, count: 10))
    #expect(without.json?.array?.count == 10)
    #expect(try await changes(judging) == without)
  }
}
