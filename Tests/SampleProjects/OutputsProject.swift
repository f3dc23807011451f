package import Sluice

/// A project in memory whose answers come from files.
///
/// Its suite classifies four messages.
package struct OutputsProject: Sendable {
  package static let suitePath = "prompts/triage/suite.yaml"
  package static let promptPath = "prompts/triage/v1.txt"
  package static let casesPath = "datasets/triage/cases.yaml"
  package static let outputsPath = "outputs.jsonl"
  package static let baselinePath = ProjectPath("reports/baselines/triage.given.jsonl")

  /// The files of the project, by path.
  package static let texts: [String: String] = [
    "sluice.yaml": """
    backends:
      given: {type: file, path: outputs.jsonl}
      sheet: {type: file, path: sheet.csv}
      server: {type: openai, base-url: "https://models.test/v1", model: sorter-1}

    """,
    suitePath: """
    suite: triage
    prompt: v1.txt
    dataset: triage
    backend: given
    scorers:
      - exact: kind
    gates:
      - accuracy >= 60%

    """,
    promptPath: "Sort: {{message}}\n",
    casesPath: """
    - {id: where, input: {message: "Where is it?"}, expected: {kind: question}}
    - {id: send, input: {message: "Please send it."}, expected: {kind: request}}
    - {id: thanks, input: {message: "Thanks!"}, expected: {kind: other}}
    - {id: polite, input: {message: "Could you send it?"}, expected: {kind: request}}

    """,
    outputsPath: """
    {"id": "where", "text": "question", "model": "m-1"}
    {"id": "send", "text": "request", "model": "m-1"}
    {"id": "thanks", "text": "other", "model": "m-1"}
    {"id": "polite", "text": "question", "model": "m-1"}

    """,
    "sheet.csv": """
    id,text
    where,question
    send,request
    thanks,other
    polite,request

    """,
  ]

  package let files: InMemoryFileSystem

  package init() { files = InMemoryFileSystem(Self.texts) }

  /// Replaces the text of a file.
  package func write(_ text: String, to path: String) throws {
    try files.write(Array(text.utf8), to: ProjectPath(path))
  }

  /// Replaces the first occurrence of a text, which must exist.
  package func edit(_ path: String, replacing old: String, with new: String) throws {
    let text = String(decoding: try files.read(ProjectPath(path)), as: UTF8.self)
    let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw FileError(path: ProjectPath(path), reason: "does not hold '\(old)'")
    }
    try write(String(parts[0]) + new + parts[1], to: path)
  }

  package var surroundings: Surroundings {
    Surroundings(files: files, now: { RecordingProject.date })
  }

  /// Returns the errors and warnings in the files, as printed.
  package func diagnostics(_ selection: ProjectLoader.Selection = .init()) -> [String] {
    ProjectLoader.load(selection, from: files).diagnostics.map(\.description)
  }

  /// Returns the suite from the current files.
  package func suite(_ selection: ProjectLoader.Selection = .init()) throws -> ResolvedSuite {
    let loaded = ProjectLoader.load(selection, from: files)
    guard let suite = loaded.suites.first, !loaded.hasErrors else {
      throw FileError(
        path: ProjectPath(Self.suitePath),
        reason: loaded.diagnostics.map(\.description).joined()
      )
    }
    return suite
  }

  /// Returns the result of a run.
  package func run(
    _ selection: ProjectLoader.Selection = .init(),
    keepsLog: Bool = false
  ) throws -> RunResult {
    let evaluation = Evaluation(
      try suite(selection),
      surroundings: surroundings,
      keepsLog: keepsLog
    )
    return RunResult(suites: [evaluation.replay(concurrency: 1).result])
  }

  /// Writes a baseline from the current answers.
  package func acceptBaseline() throws {
    let result = try run()
    let suite = try suite()
    for draft in try BaselineAcceptance(suite, surroundings: surroundings).drafts(result.suites[0])
    {
      try files.write(draft.bytes, to: draft.path)
    }
  }
}
