import TestSupport
import Foundation
import SampleProjects
import Sluice
import StandInModel
import Testing

@Suite("sluice backends", .serialized)
struct BackendsTests {
  /// Replaces times and ports, which differ from run to run.
  private func timeless(_ text: String) -> String {
    text.replacing(/[0-9.]+ m?s\b/, with: "N ms").replacing(/127\.0\.0\.1:\d+/, with: "HOST")
  }

  private func sluice(
    _ project: TriageProject,
    _ arguments: String...,
    environment: [String: String] = [:]
  ) async throws -> CommandLineRunner.Outcome {
    var sluice = project.sluice
    sluice.environment = environment
    return try await sluice.run(arguments)
  }

  private func add(_ backends: String, to project: TriageProject) throws {
    try project.files.edit("sluice.yaml", replacing: "backends:\n", with: "backends:\n" + backends)
  }

  @Test("The list shows backends in file order with their keys, and sends nothing")
  func list() async throws {
    try await TriageProject.with { project in
      try project.files.write("#!/bin/sh\ntouch started\n", to: "scripts/answer")
      try add(
        """
          mini: {type: openai, model: gpt-4o-mini, key: {env: OPENAI_API_KEY}}
          production:
            type: http
            url: https://app.test/reply
            key: {env: APP_KEY}
            body: {message: "{{message}}"}
            fingerprint: {version: "1"}
          vertex:
            type: openai
            base-url: https://vertex.test/v1
            model: g-1
            key: {command: [./scripts/answer, token]}
          script: {type: exec, command: [./scripts/answer], fingerprint: [scripts/answer]}

        """,
        to: project
      )
      let outcome = try await sluice(project, "backends", environment: ["APP_KEY": "sk-1"])
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output.replacing(/127\.0\.0\.1:\d+/, with: "HOST") == """
          mini
            type openai · where https://api.openai.com · model gpt-4o-mini
            key OPENAI_API_KEY is not set
          production
            type http · where https://app.test · model not given · key APP_KEY is set
          vertex
            type openai · where https://vertex.test · model g-1
            key from the command ./scripts/answer
          script
            type exec · where exec:./scripts/answer · model not given · key none
          server
            type openai · where http://HOST · model stand-in-1 · key none

          """
      )
      #expect(!outcome.output.contains("sk-1"))
      #expect((try? project.files.read("started")) == nil)
      #expect(project.server.asked == [])
    }
  }

  @Test("A check shows the results of a few small requests")
  func check() async throws {
    try await TriageProject.with { project in
      let outcome = try await sluice(project, "backends", "check", "server")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        timeless(outcome.output) == """
          server  answers
            where   http://HOST
            asked   openai, with a request for the word OK
            answer  "{"kind":"request"}" (ending: stop)
            by      stand-in-1, which reports that it is a stand-in, not a model
            model   stand-in-1, as requested
            usage   tokens: 11 in, 5 out
            price   known: this answer cost $0.01600
            again   the same request, the same answer
            pieces  streaming works: 5 pieces
            schema  accepted, but the answer does not match it: "{"kind":"request"}"
            time    connect N ms, first byte N ms, total N ms
            limits  the server sent none

          """
      )
      let question = "Answer with the word OK and nothing else."
      let formed = "Answer with a JSON object whose member 'word' is \"OK\"."
      #expect(project.server.asked == [question, question, question, formed])
    }
  }

  @Test("A live run that fails for a lasting reason suggests how to fix it first")
  func lastingTrouble() async throws {
    try await TriageProject.with { project in
      try project.files.write("#!/bin/sh\nexit 1\n", to: "scripts/answer")
      try add(
        "  script: {type: exec, command: [sh, scripts/answer], fingerprint: [scripts/answer]}\n",
        to: project
      )
      let outcome = try await sluice(project, "run", "triage", "--live", "--backend", "script")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.output.contains(
          """

          Next: run the backend's command by hand and give it a request on standard input,
          and request the missing answers again:
            sluice run triage --backend script --live --resume

          """
        )
      )
    }
  }

  @Test("Requests to a server on this machine bypass every proxy")
  func noProxy() async throws {
    try await TriageProject.with { project in
      // No program listens at this address.
      let proxy = "http://127.0.0.1:1"
      let outcome = try await sluice(
        project,
        "backends",
        "check",
        "server",
        "--once",
        environment: ["http_proxy": proxy, "all_proxy": proxy, "no_proxy": ""]
      )
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(project.server.asked.count == 1)
    }
  }

  @Test("With --stream, the check requests a stream")
  func stream() async throws {
    try await TriageProject.with { project in
      let outcome = try await sluice(project, "backends", "check", "server", "--stream")
      #expect(outcome.exitCode == 0)
      #expect(
        timeless(outcome.output) == """
          server  answers
            where   http://HOST
            asked   openai, with a request for the word OK
            answer  "{"kind":"request"}" (ending: stop)
            by      stand-in-1, which reports that it is a stand-in, not a model
            model   stand-in-1, as requested
            usage   tokens: 11 in, 5 out
            price   known: this answer cost $0.01600
            again   the same request, the same answer
            pieces  streaming works: 5 pieces
            schema  accepted, but the answer does not match it: "{"kind":"request"}"
            time    connect N ms, first byte N ms, first text N ms, total N ms
            limits  the server sent none

          """
      )
    }
  }

  @Test("A check of an app's backend sends a case")
  func program() async throws {
    try await TriageProject.with { project in
      try project.files.write(#"cat > seen; echo '{"text": "hello"}'"#, to: "scripts/answer")
      try add(
        """
          script: {type: exec, command: [sh, scripts/answer], fingerprint: [scripts/answer]}

        """,
        to: project
      )
      let outcome = try await sluice(project, "backends", "check", "script")
      #expect(outcome.exitCode == 0)
      #expect(
        timeless(outcome.output) == """
          script  answers
            where   exec:sh
            asked   exec, with the case where of triage
            answer  "hello"
            model   not given
            usage   none sent, so tokens and cost stay unknown
            price   unknown, because no usage was sent
            again   the same request, the same answer
            pieces  programs do not stream
            time    first byte N ms, total N ms

          """
      )
      #expect(try project.files.read("seen").contains(#""input":{"message":"Where is it?"}"#))
    }
  }

  @Test("Without an answer, the check ends with 3 and suggests a fix")
  func failure() async throws {
    try await TriageProject.with { project in
      project.server.answer { _, _ in throw TriageProject.Failure() }
      let outcome = try await sluice(project, "backends", "check", "server")
      #expect(outcome.exitCode == 3)
      #expect(outcome.error == "")
      #expect(
        timeless(outcome.output) == """
          server  no answer
            where   http://HOST
            asked   openai, with a request for the word OK
            error   the server answered 500: The stand-in could not answer. (server-error)
            fix     try again later
            again   may be temporary: a run would retry

          """
      )
    }
  }

  @Test("If a key is missing, the check says so and sends nothing")
  func missingKey() async throws {
    try await TriageProject.with { project in
      try add("  mini: {type: openai, model: m, key: {env: MINI_KEY}}\n", to: project)
      let outcome = try await sluice(project, "backends", "check", "mini")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.output == """
          mini  no answer
            where   https://api.openai.com
            asked   openai, with a request for the word OK
            error   the backend 'mini' needs a key in the environment variable MINI_KEY,
                    which is not set (missing-key)
            fix     set the environment variable, or change 'key' or the address in
                    sluice.yaml

          """
      )
    }
  }

  @Test("In CI, the check sends a request only with --network")
  func continuousIntegration() async throws {
    try await TriageProject.with { project in
      let refused = try await sluice(
        project,
        "backends",
        "check",
        "server",
        environment: ["CI": "1"]
      )
      #expect(refused.exitCode == 64)
      #expect(
        refused.error == """
          sluice: error: the network is disabled in CI (the environment variable CI is set)
            fix: add --network if this job is meant to send requests

          """
      )
      #expect(project.server.asked == [])
      let allowed = try await sluice(
        project,
        "backends",
        "check",
        "server",
        "--network",
        environment: ["CI": "1"]
      )
      #expect(allowed.exitCode == 0)
    }
  }

  @Test("An unknown backend is refused, with the nearest name as the fix")
  func unknown() async throws {
    try await TriageProject.with { project in
      let outcome = try await sluice(project, "backends", "check", "sever")
      #expect(outcome.exitCode == 64)
      #expect(
        outcome.error == """
          sluice: error: there is no backend 'sever' in sluice.yaml
            fix: did you mean 'server'?

          """
      )
    }
  }

  @Test("A program's answers are recorded and replayed; a changed program has no recordings")
  func recordedProgram() async throws {
    try await TriageProject.with { project in
      try project.files.write(
        #"cat > /dev/null; echo '{"text": "{\"kind\":\"other\"}"}'"#,
        to: "answer"
      )
      try add("  script: {type: exec, command: [sh, answer], fingerprint: [answer]}\n", to: project)
      try project.files.edit(
        TriageProject.suite,
        replacing: "backend: server",
        with: "backend: script"
      )
      try await project.must("record")
      try await project.must("recordings", "accept")
      let outcome = try await project.sluice("run")
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.contains("25.0%"))
      try project.files.write(#"echo '{"text": "{\"kind\":\"question\"}"}'"#, to: "answer")
      let changed = try await project.sluice("run")
      #expect(changed.exitCode == 3)
      #expect(changed.output.contains("no recording: fingerprint changed (answer)"))
    }
  }
}
