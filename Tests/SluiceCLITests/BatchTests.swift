import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("sluice batch")
struct BatchTests {
  private static let cases = "datasets/triage/cases.yaml"
  private static let pending = "datasets/triage/recordings/pending/fast.jsonl"

  /// The project of `docs/batch.md`.
  private func project() throws -> ScratchProject {
    let project = try ScratchProject()
    try project.write(
      """
      backends:
        fast: {type: openai, model: gpt-4o-mini-2024-07-18, key: {env: OPENAI_API_KEY}}

      """,
      to: "sluice.yaml"
    )
    try project.write(
      """
      suite: triage
      prompt: v1.yaml
      dataset: triage
      backend: fast
      scorers:
        - classification: {path: kind, expected: kind, labels: [question, request, other]}
      gates:
        - accuracy >= 10%

      """,
      to: "prompts/triage/suite.yaml"
    )
    try project.write(
      """
      messages:
        - system: Say what kind of message it is.
        - user: "{{message}}"
      parameters: {temperature: 0, max-tokens: 20}

      """,
      to: "prompts/triage/v1.yaml"
    )
    try project.write(
      """
      - {id: where, input: {message: "Where is it?"}, expected: {kind: question}}
      - {id: send, input: {message: "Please send it."}, expected: {kind: request}}
      - {id: thanks, input: {message: "Thanks!"}, expected: {kind: other}}
      - {id: polite, input: {message: "Could you send it?"}, expected: {kind: request}}

      """,
      to: Self.cases
    )
    return project
  }

  private var page: String {
    get throws {
      let url = ScratchProject.repository.appending(path: "docs/batch.md")
      return try String(contentsOf: url, encoding: .utf8)
    }
  }

  /// Expects the page to show a command with its output.
  private func expectShown(_ command: String, _ outcome: CommandLineRunner.Outcome) throws {
    let shown = "$ \(command)\n\(outcome.error)\(outcome.output)```\n"
    #expect(try page.contains(shown), "docs/batch.md does not show:\n\(shown)")
  }

  @Test("The example in docs/batch.md works as shown")
  func page() async throws {
    let project = try project()
    let export = try await project.sluice("batch", "export", "batch.jsonl")
    #expect(export.exitCode == 0)
    try expectShown("sluice batch export batch.jsonl", export)
    let requests = try BatchService.requests(try project.read("batch.jsonl"))
    #expect(requests.count == 4)
    let day = 1_763_985_600  // 2025-11-24
    let answers = requests.map { request in
      BatchService.answer(request.id, BatchService.kind(of: request.question), created: day)
        .replacingOccurrences(of: "sorter-1", with: "gpt-4o-mini-2024-07-18")
    }
    // Results arrive in any order, and one is missing.
    let lines = [
      answers[1], BatchService.refusal(requests[2].id, status: 400, "Invalid schema."), answers[0],
    ]
    try project.write(lines.joined(separator: "\n") + "\n", to: "results.jsonl")
    let arguments = ["batch", "import", "results.jsonl", "--requests", "batch.jsonl"]
    let first = try await project.sluice.run(arguments)
    #expect(first.exitCode == 3)
    try expectShown("sluice \(arguments.joined(separator: " "))", first)
    let again = try await project.sluice(
      "batch",
      "export",
      "missing.jsonl",
      "triage",
      "--backend",
      "fast"
    )
    #expect(again.exitCode == 0)
    #expect(
      try BatchService.requests(try project.read("missing.jsonl")).map(\.id)
        == [requests[2].id, requests[3].id]
    )
    try project.write(answers[2...].joined(separator: "\n") + "\n", to: "more.jsonl")
    let second = try await project.sluice("batch", "import", "more.jsonl")
    #expect(second.exitCode == 0)
    #expect(second.error == "")
    let status = try await project.sluice("recordings", "status")
    try expectShown("sluice recordings status", status)
    #expect(try await project.sluice("recordings", "accept").exitCode == 0)
    let verify = try await project.sluice("recordings", "verify")
    #expect(verify.exitCode == 0, "\(verify.error)")
    let run = try await project.sluice("run")
    #expect(run.exitCode == 0)
    #expect(
      run.output.contains(
        "Recorded answers of gpt-4o-mini-2024-07-18 (through a batch service),\n2025-11-24.\n"
      )
    )
    let none = try await project.sluice("batch", "export", "none.jsonl")
    #expect(none.exitCode == 0)
    #expect(none.output == "Every request is recorded, so no file was written.\n")
  }

  @Test("Answers of another tool are imported with their source, from any folder")
  func elsewhere() async throws {
    let project = try project()
    _ = try await project.sluice("batch", "export", "batch.jsonl")
    let requests = try BatchService.requests(try project.read("batch.jsonl"))
    let other = try ScratchProject()
    try other.write(
      requests.enumerated().map { number, request in
        JSONValue.object(["custom_id": .string("r-\(number)"), "body": request.body]).jsonText
      }.joined(separator: "\n"),
      to: "requests.jsonl"
    )
    try other.write(
      requests.enumerated().map { number, request in
        BatchService.answer("r-\(number)", BatchService.kind(of: request.question))
      }.joined(separator: "\n"),
      to: "answers.jsonl"
    )
    let folder = other.folder.path
    let outcome = try await project.sluice(
      "batch",
      "import",
      "\(folder)/answers.jsonl",
      "--requests",
      "\(folder)/requests.jsonl",
      "--answered-by",
      "a colleague's model",
      "--date",
      "2025-11-20",
      "--note",
      "temperature unknown"
    )
    #expect(outcome.error == "")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output == """
        triage on fast: 4 answers imported
        In total: 4 answers imported, of 4 lines
        Answers of sorter-1 (through files; by: a colleague's model; note: temperature
        unknown), 2025-11-20.
        The answers are pending until you accept or reject the whole set.
        Next: read them, then accept or reject the whole set:
          sluice recordings review
          sluice recordings accept
          sluice recordings reject

        """
    )
    let run = try await project.sluice("run")
    #expect(
      run.output.contains("\nLatency and cost unknown: the answers came through files.\n")
    )
    for report in ["report.md", "report.html", "report.csv", "report.json"] {
      let text = try project.read("reports/latest/\(report)")
      #expect(text.contains("a colleague"), "\(report)")
      #expect(text.contains("temperature unknown"), "\(report)")
      #expect(text.contains("2025-11-20"), "\(report)")
    }
  }

  @Test(
    "An invalid command line prints the problem and the fix",
    arguments: [
      (["import"], "Missing expected argument '<files> ...'"),
      (["import", "a.jsonl", "--date", "yesterday"], "--date must be a day such as 2026-11-23."),
      (["import", "a.jsonl", "--answered-by", " "], "--answered-by must not be empty."),
      (["import", "a.jsonl", "--note", "two\nlines"], "--note must be one line."),
      (["import", "a.jsonl", "--date", "9999-01-01"], "--date 9999-01-01 is in the future"),
      (["import", "a.jsonl"], "a.jsonl: error: cannot be read: no such file"),
      (["import", "prompts"], "prompts: error: cannot be read: is a folder"),
      (
        ["import", "a.jsonl", "--backend", "fsat"],
        "there is no backend 'fsat' in sluice.yaml"
      ),
      (["import", "a.jsonl", "--prompt", "v7.yaml"], "file not found: v7.yaml"),
      (["import", "a.jsonl", "--prompt", "/etc/passwd"], "'/etc/passwd' is outside the project"),
      (["export", "prompts"], "'prompts' is a folder, not a file"),
      (
        ["export", "sluice.yaml"],
        "'sluice.yaml' already exists and is not a batch file written by Sluice"
      ),
      (
        ["export", "a.jsonl", "--backend", "fsat"],
        "there is no backend 'fsat' in sluice.yaml"
      ),
    ]
  )
  func usage(_ arguments: [String], _ message: String) async throws {
    let project = try project()
    let configuration = try project.read("sluice.yaml")
    let outcome = try await project.sluice.run(["batch"] + arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(try project.read("sluice.yaml") == configuration)
  }

  @Test("In CI, answers are imported only with --write")
  func continuousIntegration() async throws {
    let project = try project()
    var sluice = project.sluice
    sluice.environment["CI"] = "true"
    #expect(try await sluice("batch", "export", "batch.jsonl").exitCode == 0)
    try project.write(
      try BatchService.results(try project.read("batch.jsonl")).joined(separator: "\n"),
      to: "results.jsonl"
    )
    let refused = try await sluice("batch", "import", "results.jsonl")
    #expect(refused.exitCode == 64)
    #expect(refused.error.contains("importing answers is disabled in CI"))
    #expect(try await sluice("batch", "import", "results.jsonl", "--write").exitCode == 0)
  }

  @Test("A file with a single line of a gigabyte is refused in little memory")
  func gigabyte() async throws {
    let project = try project()
    let path = project.folder.appending(path: "huge.jsonl")
    #expect(FileManager.default.createFile(atPath: path.path, contents: nil))
    let file = try FileHandle(forWritingTo: path)
    try file.write(contentsOf: Data(#"{"custom_id":"a","body":""#.utf8))
    // A sparse file takes no room on the disk.
    try file.truncate(atOffset: UInt64(FileLimits.maximumBytes))
    try file.close()
    var sluice = project.sluice
    // The limit is below the length of the line.
    sluice.launcher = ["sh", "-c", "ulimit -v 1000000; exec \"$@\"", "sh"]
    let outcome = try await sluice("batch", "import", "huge.jsonl")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        huge.jsonl: error: not a file of batch results: its only line does not have the format of a batch
          fix: export JSON lines, each with a custom_id
        huge.jsonl:1:1: error: the line is longer than the limit of 16 MiB
        2 errors

        """
    )
  }

  /// Imports results, kills the program as soon as its journal exists, and returns its exit code.
  private func importAndKill(_ project: ScratchProject) async throws -> Int32 {
    let command = try project.sluice.start(["batch", "import", "results.jsonl"])
    let journal = project.folder.appending(path: Self.pending).path
    let limit = ContinuousClock.now + .seconds(120)
    while !FileManager.default.fileExists(atPath: journal), ContinuousClock.now < limit {
      try await Task.sleep(for: .milliseconds(1))
    }
    command.kill()
    return try await command.outcome().exitCode
  }

  @Test("After an import is killed, the next import finishes it")
  func killed() async throws {
    let project = try project()
    let count = 3_000
    let cases = (0..<count).map { number in
      "- {id: case-\(number), input: {message: \"Number \(number)?\"}, expected: {kind: question}}\n"
    }
    try project.write(cases.joined(), to: Self.cases)
    #expect(try await project.sluice("batch", "export", "batch.jsonl").exitCode == 0)
    try project.write(
      try BatchService.results(try project.read("batch.jsonl")).joined(separator: "\n"),
      to: "results.jsonl"
    )
    var code: Int32 = 0
    // A busy machine may notice the journal only after the import has ended.
    for _ in 0..<10 where code != SIGKILL {
      try? FileManager.default.removeItem(
        at: project.folder.appending(path: "datasets/triage/recordings")
      )
      code = try await importAndKill(project)
    }
    #expect(code == SIGKILL)
    let outcome = try await project.sluice("batch", "import", "results.jsonl")
    #expect(outcome.exitCode == 0, "\(outcome.error)")
    #expect(outcome.output.contains("of 3,000 lines"))
    let lines = try project.read(Self.pending).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix(#"{"schema":3,"key":""#) } == count)
    #expect(try await project.sluice("recordings", "verify").exitCode == 0)
    #expect(try await project.sluice("recordings", "accept").exitCode == 0)
    #expect(try await project.sluice("run").exitCode == 0)
  }
}
