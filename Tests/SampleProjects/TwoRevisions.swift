package import Sluice
import TestSupport

/// A suite in two projects, which are identical until a test edits them.
///
/// The server answers correctly unless the prompt asks it to guess. Then the first cases are wrong.
package struct TwoRevisions {
  package let there: RecordingProject
  package let here: RecordingProject

  package static let gates = "gates:\n  - no regression in accuracy beyond 5 points\n"

  /// Creates a suite.
  ///
  /// - Parameters:
  ///   - cases: The number of cases.
  ///   - suite: The additional contents of the suite's file: gates, goals and the like.
  /// - Throws: The errors in the files.
  package init(cases: Int, suite: String = gates) throws {
    there = try Self.project(cases, suite)
    here = try Self.project(cases, suite)
  }

  private static func project(_ cases: Int, _ suite: String) throws -> RecordingProject {
    let project = try RecordingProject(caseCount: cases)
    let text = """
      suite: triage
      prompt: v1.yaml
      dataset: triage
      backend: server
      scorers:
        - classification: {path: kind, expected: kind, labels: [question, request, other]}
      \(suite)
      """
    try project.files.write(Array(text.utf8), to: ProjectPath(RecordingProject.suitePath))
    return project
  }

  /// Changes the prompt to one that gets the first cases wrong.
  package func makeWorse() throws {
    try here.edit(RecordingProject.promptPath, replacing: "Say what", with: "Guess what")
  }

  /// Returns a server that gets a number of cases wrong if it is asked to guess.
  package static func server(guessingWrong wrong: Int) -> RecordingHTTPClient {
    RecordingHTTPClient { request throws(HTTPError) in
      guard let body = try? JSONReader.value(request.body),
        let messages = body["messages"]?.array,
        let system = messages.first?["content"]?.string,
        let message = messages.last?["content"]?.string
      else { throw HTTPError(.broken, detail: "no message was sent") }
      let number = Int(message.filter(\.isNumber)) ?? 0
      let isWrong = system.hasPrefix("Guess") && number < wrong
      return RecordingProject.completion(text: #"{"kind":"\#(isWrong ? "other" : "question")"}"#)
    }
  }

  /// Records both projects.
  package func record(guessingWrong wrong: Int = 0) async throws {
    for project in [there, here] {
      let before = Unrecorded(files: try Self.contents(of: project), wrong: wrong)
      if let after = Self.recorded.withLock({ $0[before] }) {
        for (path, bytes) in after { try project.files.write(bytes, to: path) }
      } else {
        _ = try await project.record(from: Self.server(guessingWrong: wrong))
        let after = try Self.contents(of: project)
        Self.recorded.withLock { $0[before] = after }
      }
    }
  }

  private typealias Contents = [ProjectPath: [UInt8]]

  /// The inputs that determine a project's recordings.
  private struct Unrecorded: Hashable {
    var files: Contents
    var wrong: Int
  }

  /// The recorded files of projects.
  ///
  /// Many tests start with the same files.
  private static let recorded = Locked<[Unrecorded: Contents]>([:])

  private static func contents(of project: RecordingProject) throws -> Contents {
    var contents: Contents = [:]
    var folders = [ProjectPath(".")]
    while let folder = folders.popLast() {
      for name in project.files.names(in: folder) {
        let path = folder.resolvingChild(name)
        if project.files.kind(of: path) == .folder {
          folders.append(path)
        } else {
          contents[path] = try project.files.read(path)
        }
      }
    }
    return contents
  }

  package func compare(margin: Double? = nil) throws -> RevisionComparison.Outcome {
    RevisionComparison(
      here: try Self.suite(here),
      there: try Self.suite(there),
      names: (here: "here", there: "at main")
    ).compare(files: here.files, otherFiles: there.files, margin: margin, concurrency: 1)
  }

  private static func suite(_ project: RecordingProject) throws -> ResolvedSuite {
    let loaded = ProjectLoader.load(
      from: project.files,
      today: Timestamp(seconds: 1_795_263_619)
    )
    guard let suite = loaded.suites.first, !loaded.hasErrors else {
      throw FileError(
        path: ProjectPath(RecordingProject.suitePath),
        reason: loaded.diagnostics.map(\.description).joined()
      )
    }
    return suite
  }
}
