import Foundation
import SampleProjects
import Sluice
import SluiceTesting
import Testing
import TestSupport

@Suite("Custom scorers")
struct OwnScorerTests {
  private let folder: ProjectFolder

  init() throws {
    folder = try ProjectFolder()
    let project = RecordingProject()
    for path in [
      "sluice.yaml", "prices.json", RecordingProject.suitePath, RecordingProject.promptPath,
      RecordingProject.casesPath, "prompts/triage/kind.schema.json",
    ] {
      try folder.write([path: try project.text(of: path)], under: "")
    }
  }

  /// Adds a scorer to the suite, and adds the expectations that it reads to the cases.
  private func ask(for scorer: String, gates: String = "accuracy >= 60%") throws {
    let suite = try folder.text(RecordingProject.suitePath)
      .replacingOccurrences(of: "scorers:\n", with: "scorers:\n  - swift: \(scorer)\n")
      .replacingOccurrences(of: "accuracy >= 60%", with: gates)
    let cases = try folder.text(RecordingProject.casesPath)
      .replacingOccurrences(of: "{kind: other}", with: "{kind: other, polite: true}")
    try folder.write(
      [RecordingProject.suitePath: suite, RecordingProject.casesPath: cases],
      under: ""
    )
  }

  private func test(_ scorers: [String: any Scorer] = ["polite": PoliteScorer()]) -> SuiteTest {
    SuiteTest("triage", in: folder.path, scorers: scorers)
  }

  @Test("A test provides the scorer that the suite names")
  func run() async throws {
    try ask(for: "polite", gates: "polite.pass-rate >= 60%")
    let result = try await test().run { question in
      question.input["message"] == "Thanks!" ? #"{"kind":"other"}"# : #"{"kind":"request"}"#
    }
    let trial = try #require(result.columns[0].trials.first { $0.caseID == "thanks" })
    #expect(trial.outcome == .failed)
    #expect(
      trial.scores.map { "\($0.name): \($0.score.explanation)" }.first
        == "polite: expected thanks, found none in 2 words"
    )
    let other = try #require(result.columns[0].trials.first { $0.caseID == "where" })
    #expect(other.scores.first?.score.outcome == .notApplicable)
  }

  @Test(
    "A scorer that is misspelled or that the test does not provide is an error",
    arguments: [
      (
        "polit", "'polit'", "the test does not provide the scorer 'polit'", "did you mean 'polite'?"
      ),
      (
        "{name: kind, version: 2}", "", "the test does not provide the scorer 'kind'",
        "known: polite"
      ),
      (
        "a b", "", "the name of a scorer must consist of letters, digits, '.', '_' and '-'", nil
      ),
      ("[polite]", "", "'swift' needs the name of a scorer", "write 'swift: name'"),
      (
        "{name: polite, version: [1]}", "", "'version' must be a number or a text, not a list", nil
      ),
      ("{version: 1}", "", "the scorer 'swift' needs 'name'", "add 'name: …'"),
      (
        "{name: polite, versoin: 1}", "", "unknown key 'versoin' in the scorer 'swift'",
        "did you mean 'version'?"
      ),
    ] as [(String, String, String, String?)]
  )
  func wrong(_ scorer: String, _: String, _ message: String, _ fix: String?) throws {
    try ask(for: scorer)
    let error = try #require(throws: SuiteTestError.self) { try test().run() }
    #expect(error.description.contains("error: \(message)\n"))
    if let fix { #expect(error.description.contains("  fix: \(fix)\n")) }
  }

  @Test("If a test provides no scorers, the error says how to add one")
  func none() throws {
    try ask(for: "polite")
    let error = try #require(throws: SuiteTestError.self) { try test([:]).run() }
    #expect(
      error.description == """
        prompts/triage/suite.yaml:6:12: error: the test does not provide the scorer 'polite'
          6 |   - swift: polite
            |            ^
          fix: provide it: SuiteTest(…, scorers: ["polite": …])

        """
    )
  }

  @Test("On the command line, a Swift scorer is an error that points to tests")
  func commandLine() throws {
    try ask(for: "{name: polite, version: 2}")
    let suite = try folder.text(RecordingProject.suitePath)
    let cases = try folder.text(RecordingProject.casesPath)
    let project = RecordingProject()
    try project.files.write(Array(suite.utf8), to: ProjectPath(RecordingProject.suitePath))
    try project.files.write(Array(cases.utf8), to: ProjectPath(RecordingProject.casesPath))
    let loaded = ProjectLoader.load(from: project.files)
    #expect(
      loaded.diagnostics.map(\.description).joined() == """
        prompts/triage/suite.yaml:6:12: error: the scorer 'polite' is written in Swift, so only a test that provides the scorer can run it
          6 |   - swift: {name: polite, version: 2}
            |            ^
          fix: run the suite in a test: SuiteTest(…, scorers: ["polite": …])

        """
    )
  }

  @Test("A new version of a scorer changes its digest; the same version does not")
  func version() throws {
    func digest(_ scorer: String) throws -> String? {
      let project = RecordingProject()
      try project.edit(
        RecordingProject.suitePath,
        replacing: "scorers:\n",
        with: "scorers:\n  - swift: \(scorer)\n"
      )
      let loaded = ProjectLoader.load(from: project.files, ownScorers: ["polite": PoliteScorer()])
      #expect(loaded.diagnostics == [])
      return loaded.suites.first?.plan.scorerDigests["polite"]
    }
    let first = try #require(try digest("{name: polite, version: 1}"))
    #expect(try digest("{version: 1, name: polite}") == first)
    #expect(try digest("{name: polite, version: 2}") != first)
    #expect(try digest("polite") != first)
  }

  @Test("The page shows the code that is compiled here")
  func page() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/swift.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    for name in ["PoliteScorer.swift", "PoliteScorerTests.swift"] {
      let file = try String(contentsOf: here.appending(path: name), encoding: .utf8)
      #expect(blocks.contains(file), "\(name)")
    }
    #expect(blocks.count == 6)
  }
}
