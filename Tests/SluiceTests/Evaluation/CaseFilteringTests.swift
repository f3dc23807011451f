import SampleProjects
import Sluice
import Testing

@Suite("Filtering the cases of suites")
struct CaseFilteringTests {
  private typealias Fault = CaseFiltering.Fault

  private let project = RecordingProject()

  private func filtering(_ filter: CaseFilter) throws -> CaseFiltering {
    CaseFiltering([try project.suite()], filter, in: project.files)
  }

  @Test("All unknown names are refused at once, with suggestions")
  func unknownNames() throws {
    let filter = CaseFilter(cases: ["thank", "xyzxyzxyz", "sned"], tags: ["shrot"])
    let filtering = try filtering(filter)
    #expect(
      filtering.faults == [
        Fault(message: "no case 'thank' in the selected suites", fix: "did you mean 'thanks'?"),
        Fault(message: "no case 'xyzxyzxyz' in the selected suites", fix: nil),
        Fault(message: "no case 'sned' in the selected suites", fix: "did you mean 'send'?"),
        Fault(message: "no tag 'shrot' in the selected suites", fix: "did you mean 'short'?"),
      ]
    )
    #expect(filtering.suites.isEmpty)
  }

  @Test(
    "A part of an id is refused with the ids that contain it",
    arguments: [
      (3, "name one of: number-0, number-1, number-2"),
      (1, "did you mean 'number-0'?"),
      (9, "name one of: number-0, number-1, number-2, number-3, number-4 and 4 more"),
    ]
  )
  func parts(_ count: Int, _ fix: String) throws {
    let lines = (0..<count).map { number in
      "- {id: number-\(number), input: {message: \"\(number)?\"}, expected: {kind: question}}\n"
    }
    try project.files.write(Array(lines.joined().utf8), to: ProjectPath(RecordingProject.casesPath))
    #expect(try filtering(CaseFilter(cases: ["mber-"])).faults.map(\.fix) == [fix])
  }

  @Test("A filter that no case matches is refused")
  func contradiction() throws {
    #expect(
      try filtering(CaseFilter(cases: ["thanks"], tags: ["short"])).faults == [
        Fault(
          message: "no case matches all of these filters: --case thanks --tag short",
          fix: "leave out one of the filters"
        )
      ]
    )
  }

  @Test("Without a finished run of all cases, --failed is refused")
  func noRun() throws {
    #expect(
      try filtering(CaseFilter(isFailed: true)).faults == [
        Fault(
          message: "there is no finished run of triage in reports/runs/, so the failed cases are "
            + "unknown",
          fix: "run all cases first: sluice run triage"
        )
      ]
    )
  }

  @Test("Failed cases are those of the last run, which is named")
  func failed() async throws {
    _ = try await project.record()
    _ = try project.replay()
    let filtering = try filtering(CaseFilter(isFailed: true))
    #expect(filtering.faults == [])
    #expect(filtering.suites.flatMap { $0.plan.cases.map(\.stored.id) } == ["polite"])
    #expect(filtering.notes == ["triage: 1 case failed in the run of 2026-11-21 12:00 UTC"])
  }

  @Test("If the last run had no failures, there is nothing to run, and no error")
  func nothingFailed() async throws {
    try project.edit(
      RecordingProject.casesPath,
      replacing: "Could you send it?\"}, expected: {kind: request}",
      with: "Could you send it?\"}, expected: {kind: question}"
    )
    _ = try await project.record()
    _ = try project.replay()
    let filtering = try filtering(CaseFilter(isFailed: true))
    #expect(filtering.faults == [])
    #expect(filtering.suites.isEmpty)
    #expect(filtering.hasNoFailures)
    #expect(filtering.notes == ["triage: no case failed in the run of 2026-11-21 12:00 UTC"])
  }

  @Test("Cases without an outcome, and failed cases that no longer exist, are counted")
  func changedSince() async throws {
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    _ = try project.replay()
    try project.edit(RecordingProject.casesPath, replacing: "{id: polite", with: "{id: courteous")
    let filtering = try filtering(CaseFilter(isFailed: true))
    #expect(
      filtering.notes == [
        "triage: 1 case failed in the run of 2026-11-21 12:00 UTC; 1 had no outcome; "
          + "of the failed cases, 1 is now removed"
      ]
    )
  }

  @Test("Exemptions of cases that do not run are removed")
  func quarantine() throws {
    try project.edit(
      RecordingProject.suitePath,
      replacing: "gates:",
      with: "quarantine:\n  - {case: polite, reason: later, until: 2999-01-01}\ngates:"
    )
    #expect(try project.suite().policy.quarantine.keys.sorted() == ["polite"])
    let filtering = try filtering(CaseFilter(cases: ["send"]))
    #expect(filtering.suites.map(\.policy.quarantine.count) == [0])
  }
}
