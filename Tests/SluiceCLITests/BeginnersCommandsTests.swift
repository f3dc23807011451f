import TestSupport
import Foundation
import SampleProjects
import StandInModel
import Testing

@Suite("Common mistakes on the command line", .serialized)
struct BeginnersCommandsTests {
  /// Replaces the server's port, which differs from run to run.
  private func portless(_ text: String) -> String {
    text.replacing(/127\.0\.0\.1:\d+/, with: "HOST")
  }

  /// A project with a key whose server refuses every request.
  private func refused(
    _ status: Int,
    _ message: String,
    _ body: (TriageProject, CommandLineRunner) async throws -> Void
  ) async throws {
    try await TriageProject.with { project in
      project.server.answer { _, _ in throw StandInServer.Refusal(status, message) }
      try project.files.edit(
        "sluice.yaml",
        replacing: "    retries: 0\n",
        with: "    retries: 0\n    key: {env: OPENAI_API_KEY}\n"
      )
      var sluice = project.sluice
      sluice.environment = ["OPENAI_API_KEY": "sk-wrong"]
      try await body(project, sluice)
    }
  }

  // MARK: Keys and models

  @Test("record reports a wrong key once for all requests, with the variable's name")
  func wrongKeyInRecording() async throws {
    try await refused(401, "Incorrect API key provided.") { _, sluice in
      let outcome = try await sluice("record")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.error == """
            4 of 4 requests: the server answered 401: Incorrect API key provided.
              where, send, thanks, polite
            fix: correct the key in the environment variable OPENAI_API_KEY (to test it:
            'sluice backends check server')

          """
      )
    }
  }

  @Test("A live run reports a wrong key once, with the variable's name")
  func wrongKeyInLiveRun() async throws {
    try await refused(401, "Incorrect API key provided.") { _, sluice in
      let outcome = try await sluice("run", "--live", "--report", "json")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.output == """
          NO VERDICT  triage  v1 on server · 4 cases

          No answers for 4 of 4 cases
            the server answered 401: Incorrect API key provided.
              where, send, thanks and 1 more

          4 requests for 0 answers: 4 without an answer

          NO VERDICT: no answers for 4 of 4 cases (triage)
          Reports: reports/latest/report.md, .json
          Next: correct the key in the environment variable OPENAI_API_KEY (to test it:
          'sluice backends check server'), and request the missing answers again:
            sluice run triage --live --resume

          """
      )
    }
  }

  @Test("A check of a backend names the variable of a wrong key")
  func wrongKeyInCheck() async throws {
    try await refused(401, "Incorrect API key provided.") { _, sluice in
      let outcome = try await sluice("backends", "check", "server")
      #expect(outcome.exitCode == 3)
      #expect(
        portless(outcome.output) == """
          server  no answer
            where   http://HOST
            asked   openai, with a request for the word OK
            error   the server answered 401: Incorrect API key provided. (bad-credentials)
            fix     correct the key in the environment variable OPENAI_API_KEY (to test
                    it: 'sluice backends check server')

          """
      )
    }
  }

  @Test("A model that does not exist is reported once, with the address and the model")
  func unknownModel() async throws {
    try await refused(404, "The model does not exist.") { _, sluice in
      let outcome = try await sluice("record")
      #expect(outcome.exitCode == 3)
      #expect(
        portless(outcome.error) == """
            4 of 4 requests: the server answered 404: The model does not exist.
              where, send, thanks, polite
            fix: correct the address http://HOST/v1/chat/completions or the
            model 'stand-in-1' of the backend 'server' in sluice.yaml (to test it: 'sluice
            backends check server')

          """
      )
    }
  }

  // MARK: Options and commands

  @Test(
    "The fix for an unknown option or command never costs money",
    arguments: [
      (
        ["run", "--filter", "where"],
        """
        Error: Unknown option '--filter'.
          fix: choose cases with --case ID, --tag TAG, --first N, --failed
        Usage: sluice run [<options>] [<suites> ...]
          See 'sluice run --help' for more information.

        """
      ),
      (
        ["run", "--liv"],
        """
        Error: Unknown option '--liv'.
        Usage: sluice run [<options>] [<suites> ...]
          See 'sluice run --help' for more information.

        """
      ),
      (
        ["record", "--cases", "where"],
        """
        Error: Unknown option '--cases'. Did you mean '--case'?
        Usage: sluice record [<options>] [<suites> ...]
          See 'sluice record --help' for more information.

        """
      ),
      (["test"], "Error: Unknown command 'test'.\n  fix: sluice run\n"),
    ]
  )
  func unknownOption(_ arguments: [String], _ text: String) async throws {
    let outcome = try await ScratchProject().sluice.run(arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(outcome.error == text)
  }

  @Test(
    "An unknown name on the command line gets the nearest known name as its fix",
    arguments: [
      (["run", "triag"], "there is no suite 'triag'\n  fix: did you mean 'triage'?"),
      (
        ["run", "prompts/triage/v1.yaml"],
        "there is no suite 'prompts/triage/v1.yaml'\n  fix: name the suite of this file: triage"
      ),
      (
        ["run", "--backend", "servr"],
        "there is no backend 'servr' in sluice.yaml\n  fix: did you mean 'server'?"
      ),
      (
        ["run", "--prompt", "prompts/triage/v2.yaml"],
        "file not found: prompts/triage/v2.yaml\n  fix: did you mean 'prompts/triage/v1.yaml'?"
      ),
    ]
  )
  func unknownName(_ arguments: [String], _ text: String) async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice.run(arguments)
      #expect(outcome.exitCode == 64)
      #expect(outcome.error == "command line: error: \(text)\n1 error\n")
    }
  }

  @Test("Outside a project, a command suggests creating one or renaming the file")
  func noProject() async throws {
    let project = try ScratchProject()
    let none = try await project.sluice("run")
    #expect(none.exitCode == 64)
    #expect(
      none.error == """
        sluice: error: no sluice.yaml in this folder or in a folder above it
          fix: run sluice inside a project, or create one:
          sluice init

        """
    )
    try project.write("backends: {}\n", to: "sluice.yml")
    let other = try await project.sluice("run")
    #expect(other.exitCode == 64)
    #expect(
      other.error == """
        sluice: error: the project file must be named sluice.yaml, not sluice.yml
          fix: mv sluice.yml sluice.yaml

        """
    )
  }

  // MARK: Answers

  @Test("Cases with assertions need no scorers, and JSON in a code fence is reported as such")
  func codeFence() async throws {
    try await TriageProject.with { project in
      project.server.answer { _, _ in "```json\n{\"kind\": \"question\"}\n```" }
      let suite = try project.files.read(TriageProject.suite)
      let start = try #require(suite.range(of: "scorers:"))
      let end = try #require(suite.range(of: "gates:"))
      try project.files.write(
        suite.replacingCharacters(in: start.lowerBound..<end.lowerBound, with: ""),
        to: TriageProject.suite
      )
      try project.files.write(
        """
        - id: where
          input: {message: "Where is it?"}
          assert:
            - is-json
            - equals: {kind: question}

        """,
        to: TriageProject.cases
      )
      let outcome = try await project.sluice("run", "--live")
      #expect(outcome.exitCode == 1)
      #expect(
        outcome.output.contains(
          """
          Failed, 1 case
            where
          """
        ),
        "\(outcome.output)"
      )
      let report = try project.files.read("reports/latest/report.md")
      #expect(report.contains("JSON is in a code fence"))
    }
  }
}
