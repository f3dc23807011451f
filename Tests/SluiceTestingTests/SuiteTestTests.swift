import SampleProjects
import Sluice
import SluiceTesting
import Testing
import TestSupport

@Suite("SuiteTest")
struct SuiteTestTests {
  @Test(
    "Each suite of this project passes on its committed recordings",
    arguments: [
      "action-items", "analysis", "call-instead", "category", "clarity", "contradictions",
      "critique", "decisions", "faq", "feedback", "opportunity", "rephrase", "sentiment",
      "smart-reply", "smart-reply-stream", "status-update", "summary", "tone", "tone-rewrite",
    ]
  )
  func committedSuites(name: String) throws {
    try SuiteTest(name, in: #filePath).check()
  }

  @Test("A run returns every trial with its outcome")
  func everyTrial() throws {
    let result = try SuiteTest("clarity", in: #filePath).run()
    #expect(result.source == .recorded)
    #expect(result.columns.map(\.trials.count) == [result.caseCount])
    #expect(result.columns[0].lost == 0)
  }

  @Test("Pending sets are ignored, so a test gives the same result on every machine")
  func pendingSet() async throws {
    let project = RecordingProject()
    let folder = try ProjectFolder()
    _ = try await project.recordPending()
    let pending = "datasets/triage/recordings/pending/server.jsonl"
    let others = [
      "sluice.yaml", "prices.json", RecordingProject.suitePath, RecordingProject.promptPath,
      RecordingProject.casesPath, "prompts/triage/kind.schema.json",
    ]
    for path in others + [pending] {
      try folder.write([path: try project.text(of: path)], under: "")
    }
    #expect(try SuiteTest("triage", in: folder.path).run().columns.map(\.lost) == [4])
    _ = try project.pending().accept(now: RecordingProject.date)
    let accepted = RecordingProject.recordingsPath.description
    try folder.write([accepted: try project.text(of: accepted)], under: "")
    #expect(try SuiteTest("triage", in: folder.path).run().columns.map(\.lost) == [0])
  }

  @Test("A suite whose scorer runs a program needs checkWithPrograms")
  func programs() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "gates:",
      with: "  - exec: {command: [sh, yes.sh], fingerprint: [yes.sh]}\ngates:"
    )
    let folder = try ProjectFolder()
    for path in [
      "sluice.yaml", "prices.json", RecordingProject.suitePath, RecordingProject.promptPath,
      RecordingProject.casesPath, "prompts/triage/kind.schema.json",
      RecordingProject.recordingsPath.description,
    ] {
      try folder.write([path: try project.text(of: path)], under: "")
    }
    let script = "cat > /dev/null; echo '{\"outcome\": \"passed\"}'\n"
    try folder.write(["prompts/triage/yes.sh": script], under: "")
    let test = SuiteTest("triage", in: folder.path)
    do throws(SuiteTestError) {
      try test.check()
      Issue.record("it ran without its program")
    } catch {
      #expect(
        error.description == """
          the suite 'triage' has a scorer that runs a program
            fix: write 'try await SuiteTest(…).checkWithPrograms()'
          """
      )
    }
    try await test.checkWithPrograms()
    #expect(try await test.runWithPrograms().columns.map(\.lost) == [0])
  }

  @Test("An unknown suite is an error with the nearest name")
  func unknownSuite() {
    #expect(throws: SuiteTestError.self) { try SuiteTest("clarty", in: #filePath).run() }
    do throws(SuiteTestError) {
      _ = try SuiteTest("clarty", in: #filePath).run()
    } catch {
      #expect(
        error.description == """
          command line: error: there is no suite 'clarty'
            fix: did you mean 'clarity'?

          """
      )
    }
  }

  @Test("A folder without a project is an error")
  func noProject() {
    do throws(SuiteTestError) {
      _ = try SuiteTest("clarity", in: "/").run()
      Issue.record("there is no project at the root of the disk")
    } catch {
      #expect(error.description == "there is no sluice.yaml in a folder above /")
    }
  }
}
