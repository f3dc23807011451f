import Foundation
import Sluice
import Testing
import TestSupport

/// Tests of the start and the end of programs that keep running across requests.
@Suite("Programs that keep running", .serialized, .timeLimit(.minutes(5)))
struct KeptProgramTests {
  /// Records its process number, and answers each line with a kind chosen by the message's last
  /// character.
  private static let answer = #"""
    echo $$ >> starts
    while read -r line; do
      case "$line" in
        *'?"}'*) kind=question ;;
        *'."}'*) kind=request ;;
        *) kind=other ;;
      esac
      case "$line" in *'"case":"'*) ;; *) kind=nobody ;; esac
      printf '{"text":"{\\"kind\\":\\"%s\\"}"}\n' "$kind"
    done
    echo ended >> ends

    """#

  /// Records its process number, and passes every answer.
  private static let score = #"""
    echo $$ >> ../../starts
    while read -r line; do echo '{"outcome":"passed"}'; done
    echo ended >> ../../ends

    """#

  /// Hangs at the first line until it is killed.
  private static let hang = """
    echo $$ >> ../../starts
    trap '' TERM INT
    read -r line
    while :; do sleep 0.01; done

    """

  /// Runs a test on a project whose backend is a program.
  private func with(_ body: (TriageProject) async throws -> Void) async throws {
    try await TriageProject.with { project in
      try project.files.write(Self.answer, to: "scripts/answer")
      try project.files.edit(
        "sluice.yaml",
        replacing: "backends:\n",
        with: """
          backends:
            local:
              type: exec
              command: [sh, scripts/answer]
              fingerprint: [scripts/answer]
              keep-running: true
              max-in-flight: 1

          """
      )
      try project.files.edit(
        TriageProject.suite,
        replacing: "backend: server",
        with: "backend: local"
      )
      try await body(project)
    }
  }

  private func addScorer(_ script: String, to project: TriageProject) throws {
    try project.files.write(script, to: "prompts/triage/score.sh")
    try project.files.edit(
      TriageProject.suite,
      replacing: "gates:",
      with: """
          - exec:
              command: [sh, score.sh]
              fingerprint: [score.sh]
              keep-running: true
              max-in-flight: 1
        gates:
        """
    )
  }

  /// The process numbers of the programs that were started.
  private func starts(_ project: TriageProject) throws -> [pid_t] {
    guard project.exists("starts") else { return [] }
    return try project.files.read("starts").split(separator: "\n").compactMap { pid_t($0) }
  }

  /// Expects a command to have started a number of programs that all ended, and resets the count.
  private func expectStarts(_ count: Int, in project: TriageProject) throws {
    let processes = try starts(project)
    #expect(processes.count == count)
    #expect(processes.allSatisfy { kill($0, 0) != 0 })
    #expect(
      try project.files.read("ends") == String(repeating: "ended\n", count: count)
    )
    try FileManager.default.removeItem(at: project.files.folder.appending(path: "starts"))
    try FileManager.default.removeItem(at: project.files.folder.appending(path: "ends"))
  }

  @Test("Each command starts one program, which ends with the command")
  func commands() async throws {
    try await with { project in
      try await project.must("backends", "check", "local")
      try expectStarts(1, in: project)
      try await project.must("record")
      try expectStarts(1, in: project)
      try await project.must("recordings", "accept")
      try await project.must("recordings", "diff")
      try expectStarts(1, in: project)
      let live = try await project.must("run", "--live")
      try expectStarts(1, in: project)
      let replay = try await project.must("run")
      #expect(!project.exists("starts"))
      #expect(live.contains("PASS") && replay.contains("PASS"))
    }
  }

  @Test("A scorer's program also runs in a replay, once for all answers")
  func scorer() async throws {
    try await with { project in
      try await project.record()
      try expectStarts(1, in: project)
      try addScorer(Self.score, to: project)
      try await project.must("run")
      try expectStarts(1, in: project)
      try await project.must("run", "--live")
      try expectStarts(2, in: project)
    }
  }

  @Test("Ctrl-C ends a program that a scorer waits for", arguments: [["run"], ["run", "--live"]])
  func interruption(arguments: [String]) async throws {
    try await with { project in
      try await project.record()
      try expectStarts(1, in: project)
      try addScorer(Self.hang, to: project)
      let isLive = arguments.contains("--live")
      let command = try project.sluice.start(arguments)
      try await wait("the program") { try starts(project).count == (isLive ? 2 : 1) }
      command.interrupt()
      #expect(try await command.outcome().exitCode == 130)
      #expect(try starts(project).allSatisfy { kill($0, 0) != 0 })
    }
  }

  @Test("Ctrl-C also ends a backend's program that hangs")
  func hangingBackend() async throws {
    try await with { project in
      try project.files.write(
        Self.hang.replacing("../../", with: ""),
        to: "scripts/answer"
      )
      let command = try project.sluice.start(["record"])
      try await wait("the program") { try starts(project).count == 1 }
      command.interrupt()
      let outcome = try await command.outcome()
      #expect(outcome.exitCode == 130)
      #expect(outcome.error.contains("sluice: interrupted; the answers received so far were saved"))
      #expect(try starts(project).allSatisfy { kill($0, 0) != 0 })
    }
  }

  @Test(
    "The example in docs/backends.md works",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "no python3")
  )
  func example() async throws {
    try await with { project in
      let page = try String(
        contentsOf: ScratchProject.repository.appending(path: "docs/backends.md"),
        encoding: .utf8
      )
      let parts = page.components(separatedBy: "```python\n")
      let code = try #require(parts.last?.components(separatedBy: "```").first)
      #expect(parts.count == 2)
      try project.files.write(code, to: "scripts/answer")
      try project.files.edit("sluice.yaml", replacing: "[sh, scripts", with: "[python3, scripts")
      try await project.must("record")
      let texts = try project.exchanges(TriageProject.pending.replacing("server", with: "local"))
      #expect(texts.count == 4)
      let check = try await project.must("backends", "check", "local")
      #expect(check.contains("answer  \"WHERE IS IT?\""))
    }
  }
}
