import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Exporting requests as a batch")
struct BatchExportTests {
  /// Returns the reason why a project cannot be exported.
  private func refusal(_ project: RecordingProject, backends: [String] = []) throws
    -> BatchExport.Refusal?
  {
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(backends: backends),
      from: project.files
    )
    let plan = RecordingPlan(
      loaded.suites,
      RecordingRequest.Selection(),
      project.surroundings,
      isScratch: false
    )
    do throws(BatchExport.Refusal) {
      _ = try BatchExport(
        plan,
        backends: ProjectLoader.backends(from: project.files).backends,
        redaction: Redaction(known: [Secret("sk-very-secret-key")])
      )
      return nil
    } catch {
      return error
    }
  }

  @Test("A line has the body of the request under a custom_id made from its key")
  func lines() throws {
    let project = RecordingProject()
    let lines = try project.exported().split(separator: "\n")
    let requests = RecordingSession(try project.plan(), surroundings: project.surroundings)
      .draft(RecordingRequest.Selection()).requests
    #expect(lines.count == 4)
    #expect(requests.count == 4)
    for (line, request) in zip(lines, requests) {
      let json = try JSONReader.value(Array(line.utf8))
      #expect(json["method"] == "POST")
      #expect(json["url"] == "/v1/chat/completions")
      #expect(json["body"] == request.request.body)
      let id = try #require(json["custom_id"]?.string)
      #expect(BatchRequestID(id)?.slot == request.slot)
    }
  }

  @Test("Each repeat has a line, and recorded ones are left out unless all are requested")
  func repeats() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.suitePath, replacing: "dataset:", with: "repeat: 3\ndataset:")
    let ids = try BatchService.requests(try project.exported()).map(\.id)
    #expect(ids.count == 8)
    #expect(Set(ids).count == 8)
    #expect(Set(ids.compactMap { BatchRequestID($0)?.repetition }) == [2, 3])
    #expect(try BatchService.requests(try project.exported(.all)).count == 12)
  }

  @Test("Suites of different datasets share a line for the same request")
  func shared() throws {
    let project = RecordingProject()
    try project.files.write(
      Array(
        try project.text(of: RecordingProject.suitePath)
          .replacing("suite: triage", with: "suite: other")
          .replacing("dataset: triage", with: "dataset: other")
          .replacing("v1.yaml", with: "../triage/v1.yaml").utf8
      ),
      to: ProjectPath("prompts/other/suite.yaml")
    )
    try project.files.write(
      try project.files.read(ProjectPath(RecordingProject.casesPath)),
      to: ProjectPath("datasets/other/cases.yaml")
    )
    let loaded = ProjectLoader.load(from: project.files)
    let plan = RecordingPlan(
      loaded.suites,
      RecordingRequest.Selection(),
      project.surroundings,
      isScratch: false
    )
    let export = try BatchExport(
      plan,
      backends: ProjectLoader.backends(from: project.files).backends,
      redaction: Redaction()
    )
    #expect(export.entries.map(\.suite) == ["other"])
    #expect(export.count == 4)
    // Both suites get the answers.
    try export.write(to: ProjectPath("batch.jsonl"), named: "batch.jsonl", in: project.files)
    try project.files.write(
      try BatchService.results(try project.text(of: "batch.jsonl")),
      to: "results.jsonl"
    )
    let result = try BatchImport(
      loaded.suites.map(\.plan),
      backends: ProjectLoader.backends(from: project.files).backends,
      project.surroundings
    ).run(
      results: [BatchImport.Source(name: "results.jsonl", path: ProjectPath("results.jsonl"))]
    )
    #expect(result.parts.map { "\($0.suite) \($0.imported)" } == ["other 4", "triage 4"])
    #expect(result.isComplete)
  }

  @Test(
    "A backend that does not support batches is refused, with one that does",
    arguments: [
      (
        "answers: {type: exec, command: [cat], fingerprint: {version: \"1\"}}",
        "the backend 'answers' has the type 'exec', which batch files do not support"
      ),
      (
        "answers: {type: http, url: \"http://127.0.0.1/a\", body: {m: \"{{message}}\"}, fingerprint: {version: \"1\"}}",
        "the backend 'answers' has the type 'http', which batch files do not support"
      ),
      (
        "answers: {type: openai, model: m, stream: true}",
        "the backend 'answers' streams answers ('stream'), which batch files do not support"
      ),
    ]
  )
  func backends(_ entry: String, _ message: String) throws {
    let project = RecordingProject()
    try project.edit("sluice.yaml", replacing: "prices:", with: "  \(entry)\nprices:")
    let refusal = try #require(try refusal(project, backends: ["answers"]))
    #expect(refusal.message == message)
    #expect(refusal.fix == "choose another backend: --backend server")
  }

  @Test("A batch may use only one model")
  func models() throws {
    let project = RecordingProject()
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: "  other: {type: openai, model: m-2}\nprices:"
    )
    let refusal = try #require(try refusal(project, backends: ["server", "other"]))
    #expect(
      refusal.message
        == "all requests of a batch file must use the same model, but these suites use 2: m-2 "
        + "(other), sorter-1 (server)"
    )
    #expect(
      refusal.fix == "write separate files: name the suites for one file, or add --backend other"
    )
  }

  @Test("A request with a secret is not written")
  func secrets() throws {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.casesPath,
      replacing: "Thanks!",
      with: "Use sk-very-secret-key"
    )
    let refusal = try #require(try refusal(project))
    #expect(
      refusal.message
        == "the request of case 'thanks' of triage contains a secret, which must not be written "
        + "to a file"
    )
  }

  @Test("An existing file that is not an export is kept unless overwriting is requested")
  func otherFiles() throws {
    let project = RecordingProject()
    let path = ProjectPath("batch.jsonl")
    for text in ["{}\n", "notes", try project.exported() + "{}\n"] {
      try project.files.write(Array(text.utf8), to: path)
      let refusal = #expect(throws: BatchExport.Refusal.self) { try project.exported() }
      #expect(
        refusal?.message == "'batch.jsonl' already exists and is not a batch file written by Sluice"
      )
      #expect(try project.text(of: "batch.jsonl") == text)
      _ = try project.exported(overwrites: true)
    }
    // An earlier export is replaced.
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    #expect(try project.exported().contains("Thank you!"))
  }
}
