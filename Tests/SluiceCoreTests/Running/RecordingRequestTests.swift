import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Requests to record")
struct RecordingRequestTests {
  typealias Selection = RecordingRequest.Selection

  private func names(
    _ project: RecordingProject,
    _ selection: Selection,
    notBefore: Timestamp? = nil
  ) throws -> [String] {
    try project.plan().recordingRequests(
      selection,
      in: try project.recordings(),
      notBefore: notBefore
    ).map { $0.repetition == 1 ? $0.hints.testCase : "\($0.hints.testCase) \($0.repetition)" }
  }

  /// Returns a project with tags and two recorded cases, one recorded ten days before the other.
  private func project() async throws -> RecordingProject {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.casesPath,
      replacing: "{id: send,",
      with: "{id: send, tags: [long, polite],"
    )
    let plan = try project.plan()
    for (testCase, age) in [("where", 10), ("send", 0)] {
      let session = RecordingSession(
        plan,
        surroundings: Surroundings(files: project.files, now: { RecordingProject.date - age })
      )
      let draft = session.draft(Selection(cases: [testCase]))
      let backend = try #require(plan.backends.first).connectPlainly(
        RecordingProject.server,
        surroundings: Surroundings(files: project.files, now: { RecordingProject.date - age })
      )
      _ = try await session.record(draft, backends: ["server": backend])
    }
    _ = try project.pending().accept(now: RecordingProject.date)
    return project
  }

  @Test(
    "The scope selects missing recordings, those older than a time, or all",
    arguments: [
      (Selection.Scope.missing, ["thanks", "polite"]),
      (.before(RecordingProject.date - 10), ["thanks", "polite"]),
      (.before(RecordingProject.date - 9), ["where", "thanks", "polite"]),
      (.before(RecordingProject.date - -1), ["where", "send", "thanks", "polite"]),
      (.all, ["where", "send", "thanks", "polite"]),
    ]
  )
  func scopes(scope: Selection.Scope, expected: [String]) async throws {
    #expect(try names(try await project(), Selection(scope: scope)) == expected)
  }

  @Test(
    "Cases and tags narrow the selection; a case needs only one of the tags",
    arguments: [
      (Selection(cases: ["where", "thanks"], scope: .all), ["where", "thanks"]),
      (Selection(cases: ["where", "thanks"]), ["thanks"]),
      (Selection(tags: ["short"], scope: .all), ["where"]),
      (Selection(tags: ["short", "polite"], scope: .all), ["where", "send"]),
      (Selection(cases: ["where"], tags: ["long"], scope: .all), []),
      (Selection(cases: ["nobody"], scope: .all), []), (Selection(tags: ["none"]), []),
    ]
  )
  func narrowed(selection: Selection, expected: [String]) async throws {
    #expect(try names(try await project(), selection) == expected)
  }

  @Test("An expired recording counts as missing")
  func expired() async throws {
    let project = try await project()
    #expect(
      try names(project, Selection(), notBefore: RecordingProject.date - 5)
        == ["where", "thanks", "polite"]
    )
    #expect(
      try names(project, Selection(), notBefore: RecordingProject.date - 10) == [
        "thanks", "polite",
      ]
    )
  }

  @Test("Each repeat is listed separately, and a request that two cases share only once")
  func repeats() async throws {
    let project = try await project()
    try project.edit(RecordingProject.suitePath, replacing: "dataset:", with: "repeat: 2\ndataset:")
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Please send it.")
    #expect(try names(project, Selection()) == ["where 2", "send 2", "polite", "polite 2"])
  }

  @Test("A recording that cannot be used counts as missing")
  func unusable() async throws {
    let project = try await project()
    let path = RecordingProject.recordingsPath.description
    let frame = try #require(
      try project.text(of: path).split(separator: "\n").first { $0.contains(#""value":{"api""#) }
    )
    try project.edit(path, replacing: frame + "\n", with: "")
    #expect(try names(project, Selection()) == ["where", "send", "thanks", "polite"])
  }
}
