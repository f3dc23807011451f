import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Suite plan")
struct SuitePlanTests {
  /// Two cases, two prompts, two backends, two repeats.
  private func plan() throws -> SuitePlan {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "prompt: v1.yaml",
      with: "prompts: [v1.yaml, v2.yaml]\nrepeat: 2"
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backends: [server, other]"
    )
    try project.edit(
      "sluice.yaml",
      replacing: "backends:\n",
      with: "backends:\n  other: {type: openai, model: sorter-2, max-in-flight: 3}\n"
    )
    let prompt = try project.text(of: RecordingProject.promptPath)
    try project.files.write(Array(prompt.utf8), to: ProjectPath("prompts/triage/v2.yaml"))
    try project.files.write(
      Array(
        """
        - {id: a, input: {message: "A?"}, expected: {kind: question}}
        - {id: b, input: {message: "B?"}, expected: {kind: question}}
        """.utf8
      ),
      to: ProjectPath(RecordingProject.casesPath)
    )
    return try project.plan()
  }

  @Test("Trials are ordered by case, then prompt, then backend, then repeat")
  func order() throws {
    let plan = try plan()
    let trials = (0..<plan.trialCount).map { index in
      let slot = plan.slot(index)
      return [
        plan.cases[slot.testCase].testCase.id, plan.prompts[slot.prompt].name,
        plan.backends[slot.backend].name, "\(slot.repetition)",
      ].joined(separator: " ")
    }
    #expect(
      trials == [
        "a v1 server 1", "a v1 server 2", "a v1 other 1", "a v1 other 2",
        "a v2 server 1", "a v2 server 2", "a v2 other 1", "a v2 other 2",
        "b v1 server 1", "b v1 server 2", "b v1 other 1", "b v1 other 2",
        "b v2 server 1", "b v2 server 2", "b v2 other 1", "b v2 other 2",
      ]
    )
  }

  @Test("Each prompt on each backend is a column, and those of the last prompt are candidates")
  func columns() throws {
    let plan = try plan()
    #expect(
      plan.columns.map { "\($0.prompt) \($0.backend)" } == [
        "v1 server", "v1 other", "v2 server", "v2 other",
      ]
    )
    #expect(plan.candidates.map { "\($0.prompt) \($0.backend)" } == ["v2 server", "v2 other"])
  }

  @Test("A trial's request is created by its backend from its prompt and case")
  func request() throws {
    let plan = try plan()
    let request = try plan.request(plan.slot(10))
    #expect(request.backend == "other")
    #expect(request.model == "sorter-2")
    #expect(request.body.value(at: "messages.1.content") == "B?")
    #expect(
      plan.hints(plan.slot(14))
        == Recording.Hints(
          suite: "triage",
          testCase: "b",
          inputDigest: RequestIdentity.digest(plan.cases[1].testCase.input),
          prompt: "v2",
          templateDigest: String(plan.prompts[1].templateDigest.prefix(16))
        )
    )
  }
}
