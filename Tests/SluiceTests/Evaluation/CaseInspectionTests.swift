import SampleProjects
import Sluice
import Testing

/// The inspection of one case.
@Suite("Inspecting a case")
struct CaseInspectionTests {
  private let project = RecordingProject()

  private func look(
    _ id: String = "polite",
    repetitions: Int = 1,
    layers: [RecordingStore.Kind] = [.pending, .accepted]
  ) async throws -> CaseInspection.Outcome {
    var suite = try project.suite()
    suite.plan.repetitions = repetitions
    let filtering = CaseFiltering([suite], CaseFilter(cases: [id]), in: project.files)
    return await CaseInspection(
      try #require(filtering.suites.first),
      surroundings: project.surroundings,
      layers: layers
    ).look()
  }

  @Test("A recorded answer is shown with its request and scored by the current scorers")
  func recorded() async throws {
    _ = try await project.record()
    let outcome = try await look()
    #expect(!outcome.isUnrecorded)
    #expect(outcome.misses.isEmpty)
    let view = try #require(outcome.views.first)
    #expect(view.place == "datasets/triage/cases.yaml:4")
    #expect(view.question == [CaseView.Field("", "Could you send it?")])
    #expect(view.outcome == .failed)
    let column = try #require(view.columns.first)
    #expect(
      column.request?.messages == [
        CaseView.Field("system", "Say what kind of message it is."),
        CaseView.Field("user", "Could you send it?"),
      ]
    )
    #expect(column.answers.map(\.text) == ["{\"kind\":\"question\"}"])
    #expect(column.answers.map(\.source) == [.accepted])
    #expect(
      column.answers[0].trial.scores.map(\.score.explanation) == ["expected request, got question"]
    )
    #expect(project.files.names(in: ProjectPath("reports")).isEmpty)
  }

  @Test("A pending answer is marked as pending, and ignored if only accepted ones count")
  func pending() async throws {
    _ = try await project.recordPending()
    #expect(try await look().views[0].columns[0].answers.map(\.source) == [.pending])
    let accepted = try await look(layers: [.accepted])
    #expect(accepted.isUnrecorded)
    #expect(accepted.views[0].columns[0].answers.map(\.source) == [nil])
  }

  @Test("Without a recording, the changed part and the nearest request are shown")
  func missing() async throws {
    _ = try await project.record()
    try project.edit(RecordingProject.promptPath, replacing: "it is.", with: "it may be.")
    let outcome = try await look()
    #expect(outcome.isUnrecorded)
    #expect(outcome.misses.map(\.caseID) == ["polite"])
    let miss = outcome.views[0].columns[0].answers[0].miss
    #expect(miss?.reason == "no recording: prompt changed (system message)")
    #expect(
      miss?.nearest?.difference.parts.first?.lines == [
        "- Say what kind of message it is.", "+ Say what kind of message it may be.",
      ]
    )
  }

  @Test("Each repeat is a separate answer, and missing repeats are lost")
  func repeats() async throws {
    _ = try await project.record()
    let answers = try await look(repetitions: 3).views[0].columns[0].answers
    #expect(answers.map(\.trial.repetition) == [1, 2, 3])
    #expect(answers.map(\.standing) == [.failed, .lost, .lost])
  }

  @Test("The JSON output has the request, the answer and the scores")
  func json() async throws {
    _ = try await project.record()
    let view = try #require(try await look().views.first)
    let text = CaseJSON("polite", [(view, RecordingProject.suitePath)]).text
    let json = try JSONReader.value(text)
    #expect(json["case"]?.string == "polite")
    let suite = json["suites"]?.array?.first
    #expect(suite?["place"]?.string == "datasets/triage/cases.yaml:4")
    #expect(suite?["outcome"]?.string == "failed")
    let column = suite?["columns"]?.array?.first
    #expect(column?["request"]?["temperature"]?.integer == 0)
    let answer = column?["answers"]?.array?.first
    #expect(answer?["text"]?.string == "{\"kind\":\"question\"}")
    #expect(answer?["recordings"]?.string == "accepted")
    #expect(answer?["answered-by"]?["model"]?.string == "sorter-1")
    #expect(
      answer?["scores"]?.array?.first?["explanation"]?.string == "expected request, got question"
    )
  }

  @Test("If the user message is the same for every case, the inputs are the question")
  func fixedMessage() async throws {
    try project.edit(
      RecordingProject.promptPath,
      replacing: "- user: \"{{message}}\"",
      with: "- system: \"{{message}}\"\n  - user: Say it."
    )
    #expect(
      try await look().views.first?.question == [CaseView.Field("message", "Could you send it?")]
    )
  }
}
