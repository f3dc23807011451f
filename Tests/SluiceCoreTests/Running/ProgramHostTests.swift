import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing
import TestSupport

/// Suites on disk with programs as scorers.
@Suite("Program scorers")
struct ProgramHostTests {
  private let folder: ProjectFolder

  init() throws { folder = try ProjectFolder() }

  private static let polite = """
    read -r question
    case "$question" in
      *'"message":"Please'*) echo '{"outcome":"passed","measurements":{"politeness":4}}' ;;
      *) echo '{"outcome":"failed","explanation":"no please","measurements":{"politeness":1}}' ;;
    esac

    """

  /// Returns the recording project on disk, with a scorer that runs a script, and accepted answers.
  private func project(
    _ script: String = polite,
    options: String = "",
    gates: String = "politeness >= 1.5",
    command: String = "[sh, polite.sh]"
  ) async throws -> ResolvedSuite {
    let project = RecordingProject()
    _ = try await project.record()
    let scorer =
      "  - exec: {command: \(command), fingerprint: [polite.sh], measures: [politeness]\(options)}"
    try project.edit(
      RecordingProject.suitePath,
      replacing: "gates:",
      with: "\(scorer)\ngates:\n  - \(gates)"
    )
    for path in [
      "sluice.yaml", "prices.json", RecordingProject.suitePath, RecordingProject.promptPath,
      RecordingProject.casesPath, "prompts/triage/kind.schema.json",
      RecordingProject.recordingsPath.description,
    ] {
      try folder.write([path: try project.text(of: path)], under: "")
    }
    try folder.write(["prompts/triage/polite.sh": script], under: "")
    let loaded = ProjectLoader.load(from: try surroundings().files, today: RecordingProject.date)
    #expect(loaded.diagnostics.map(\.description).joined() == "")
    return try #require(loaded.suites.first)
  }

  private func surroundings(_ environment: [String: String] = [:]) throws -> Surroundings {
    var all = Surroundings.processEnvironment.filter { $0.key == "PATH" }
    all.merge(environment) { $1 }
    return Surroundings(
      files: try #require(DiskFileSystem(root: folder.path)),
      environment: all,
      now: { RecordingProject.date }
    )
  }

  private func evaluation(_ suite: ResolvedSuite, keepsLog: Bool = false) throws -> Evaluation {
    Evaluation(suite, surroundings: try surroundings(), keepsLog: keepsLog)
  }

  private func scores(_ result: SuiteResult) -> [String] {
    result.columns.flatMap(\.trials).map { trial in
      let score = trial.scores.first { $0.name == "exec" }?.score
      return "\(trial.caseID): \(trial.outcomeName), \(score?.outcome.rawValue ?? "none"), "
        + (score?.explanation ?? "")
    }
  }

  @Test("A replay runs the program for each recorded answer, in the suite's folder")
  func replay() async throws {
    let result = try await evaluation(try await project()).replayAsking(concurrency: 2).result
    #expect(
      scores(result) == [
        "where: failed, failed, no please", "send: passed, passed, exec:sh gave no explanation",
        "thanks: failed, failed, no please", "polite: failed, failed, no please",
      ]
    )
    let mean = result.columns[0].metrics.first { $0.name == "exec.politeness" }
    #expect(mean?.estimate.value == 1.75)
    #expect(mean?.estimate.n == 4)
    #expect(mean?.quantity == .number)
    #expect(result.columns[0].gates.map(\.verdict) == [.pass, .fail])
  }

  @Test("A live run and its replay give the same scores")
  func live() async throws {
    let suite = try await project()
    let backend = try suite.plan.backends[0].connectPlainly(
      RecordingProject.server,
      surroundings: try surroundings()
    )
    let live = try await evaluation(suite).live(["server": backend]).result
    let replayed = try await evaluation(suite).replayAsking(concurrency: 1).result
    #expect(scores(live) == scores(replayed))
    #expect(scores(live).count == 4)
  }

  @Test("Concurrency does not affect the order of results or the log")
  func order() async throws {
    let suite = try await project()
    var logs: Set<[UInt8]> = []
    for concurrency in [1, 4] {
      let outcome = try await evaluation(suite, keepsLog: true)
        .replayAsking(concurrency: concurrency)
      let log = try #require(outcome.result.log)
      logs.insert(log.bytes(0..<log.count))
    }
    #expect(logs.count == 1)
  }

  @Test("If programs are not run, no trial passes: all are lost")
  func notRun() async throws {
    let result = try evaluation(try await project()).replay(concurrency: 1).result
    #expect(
      Set(scores(result).map { $0.drop { $0 != ":" } }) == [
        ": lost, unscored, the scorer's program was not run"
      ]
    )
    #expect(result.columns[0].lost == 4)
  }

  @Test(
    "A program that fails leaves trials lost, with the reason",
    arguments: [
      ("exit 3", "exec:sh ended with exit code 3"),
      ("echo 'no such word' >&2; exit 1", "exec:sh ended with exit code 1: no such word"),
      ("kill -9 $$", "exec:sh was ended by signal 9"),
      (
        "cat > /dev/null",
        "the reply of exec:sh is not one JSON object: the JSON value ends too early"
      ),
      (
        "echo '{\"outcome\":\"passed\",\"measurements\":{\"politeness\":1}}'; exit 2",
        "exec:sh ended with exit code 2"
      ),
      ("head -c 2000000 /dev/zero", "the answer of exec:sh is larger than 1 MiB"),
    ]
  )
  func failures(script: String, reason: String) async throws {
    let result = try await evaluation(try await project(script)).replayAsking(concurrency: 1).result
    #expect(
      Set(scores(result).map { $0.drop { $0 != ":" } }) == [": lost, unscored, \(reason)"]
    )
  }

  @Test("A program that times out is stopped")
  func timeout() async throws {
    let suite = try await project("sleep 600", options: ", timeout: 0.05")
    let result = try await evaluation(suite).replayAsking(concurrency: 1).result
    #expect(
      Set(scores(result).map { $0.drop { $0 != ":" } }) == [
        ": lost, unscored, exec:sh did not answer in time"
      ]
    )
  }

  @Test("A missing program or an unset variable loses the trials with that reason")
  func missing() async throws {
    let gone = try await project(command: "[sluice-no-such-program]")
    #expect(
      scores(try await evaluation(gone).replayAsking(concurrency: 1).result).first
        == "where: lost, unscored, exec:sluice-no-such-program could not be started: "
        + "no such program"
    )
    let unset = try await project(options: ", env: [POLITE_KEY]")
    #expect(
      scores(try await evaluation(unset).replayAsking(concurrency: 1).result).first
        == "where: lost, unscored, the scorer needs the environment variable POLITE_KEY, which is "
        + "not set"
    )
  }

  @Test("A secret passed to a program is redacted in reasons")
  func secrets() async throws {
    let suite = try await project(
      "echo \"bad key $POLITE_KEY\" >&2; exit 1",
      options: ", env: [POLITE_KEY]"
    )
    let evaluation = Evaluation(
      suite,
      surroundings: try surroundings(["POLITE_KEY": "hunter2-hunter2"]),
      keepsLog: false
    )
    #expect(
      scores(await evaluation.replayAsking(concurrency: 1).result).first
        == "where: lost, unscored, exec:sh ended with exit code 1: bad key <redacted>"
    )
  }

  @Test("A secret passed to a program is redacted in its replies, whatever its name and encoding")
  func secretsInReplies() async throws {
    let script = #"""
      hex=$(printf %s "$UPSTREAM" | od -An -tx1 | tr -d ' \n')
      echo "{\"outcome\":\"passed\",\"explanation\":\"$UPSTREAM, $hex, $MODE\",\"measurements\":{\"politeness\":1}}"

      """#
    let suite = try await project(script, options: ", env: [UPSTREAM, MODE]")
    let evaluation = Evaluation(
      suite,
      surroundings: try surroundings(["UPSTREAM": "xK9fQ2mP7zL4", "MODE": "production"]),
      keepsLog: false
    )
    let key = "<redacted:key:\(SHA256.hexadecimal(Array("xK9fQ2mP7zL4".utf8)).prefix(6))>"
    #expect(
      scores(await evaluation.replayAsking(concurrency: 1).result).first
        == "where: passed, passed, \(key), \(key), production"
    )
  }

  @Test("A scorer limits how many of its programs run at the same time")
  func inFlight() async throws {
    let script = """
      mkdir one || { echo 'a second one ran' >&2; exit 1; }
      cat > /dev/null
      rmdir one
      echo '{"outcome":"passed","measurements":{"politeness":1}}'

      """
    let suite = try await project(script, options: ", max-in-flight: 1")
    let result = try await evaluation(suite).replayAsking(concurrency: 4).result
    #expect(
      Set(scores(result).map { $0.drop { $0 != "," } }) == [", passed, exec:sh gave no explanation"]
    )
  }

  // MARK: Programs that keep running

  private static let politeAllAlong = """
    echo start >> ../../starts
    while read -r question; do
      case "$question" in
        *'"message":"Please'*) echo '{"outcome":"passed","measurements":{"politeness":4}}' ;;
        *) echo '{"outcome":"failed","explanation":"no please","measurements":{"politeness":1}}' ;;
      esac
    done

    """

  @Test("A program that keeps running gives the same scores as one started for each answer")
  func keptRunning() async throws {
    let once = try await evaluation(try await project()).replayAsking(concurrency: 2).result
    let suite = try await project(
      Self.politeAllAlong,
      options: ", keep-running: true, max-in-flight: 1"
    )
    let kept = try await evaluation(suite).replayAsking(concurrency: 2).result
    #expect(scores(kept) == scores(once))
    #expect(try folder.text("starts") == "start\n")
    let backend = try suite.plan.backends[0].connectPlainly(
      RecordingProject.server,
      surroundings: try surroundings()
    )
    let live = try await evaluation(suite).live(["server": backend]).result
    #expect(scores(live) == scores(once))
    #expect(try folder.text("starts") == "start\nstart\n")
  }

  @Test("If a program dies, only the current answer is unscored, with the error output")
  func deathOverAnAnswer() async throws {
    let script = """
      while read -r question; do
        case "$question" in *'"id":"send"'*) echo 'no such word' >&2; exit 1 ;; esac
        echo '{"outcome":"passed","measurements":{"politeness":1}}'
      done

      """
    let suite = try await project(script, options: ", keep-running: true, max-in-flight: 1")
    #expect(
      scores(try await evaluation(suite).replayAsking(concurrency: 1).result) == [
        "where: passed, passed, exec:sh gave no explanation",
        "send: lost, unscored, exec:sh ended with exit code 1: no such word",
        "thanks: passed, passed, exec:sh gave no explanation",
        "polite: failed, passed, exec:sh gave no explanation",
      ]
    )
  }

  @Test(
    "The documented example of a program that keeps running works",
    .enabled(if: ProgramHostTests.hasPython, "there is no python3")
  )
  func keptExample() async throws {
    let suite = try await project(
      try Self.example(1, of: 2, in: "docs/extending.md"),
      options: ", keep-running: true",
      command: "[python3, polite.sh]"
    )
    let result = try await evaluation(suite).replayAsking(concurrency: 1).result
    #expect(Set(scores(result).map { $0.drop { $0 != "," } }) == [", failed, no word of courtesy"])
  }

  /// Returns a Python program from the documentation.
  private static func example(_ index: Int, of count: Int, in page: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    let parts = text.components(separatedBy: "```python\n").dropFirst()
    try #require(parts.count == count)
    return try #require(Array(parts)[index].components(separatedBy: "```").first)
  }

  @Test(
    "The documented example of a program scorer works",
    .enabled(if: ProgramHostTests.hasPython, "there is no python3")
  )
  func example() async throws {
    let code = try Self.example(0, of: 2, in: "docs/extending.md")
    let suite = try await project(code, command: "[python3, polite.sh]")
    let evaluation = try evaluation(suite)
    #expect(
      Set(
        scores(await evaluation.replayAsking(concurrency: 1).result).map { $0.drop { $0 != "," } }
      )
        == [", failed, no word of courtesy"]
    )
    let polite = ClosureBackend { request, _ in
      Exchange(
        request: request,
        response: RawResponse(body: [], host: "test", date: RecordingProject.date),
        answer: ModelResponse(text: "Sorry, please wait.")
      )
    }
    let result = await evaluation.live(["server": polite]).result
    #expect(Set(scores(result).map { $0.drop { $0 != "," } }) == [", passed, says please, sorry"])
    #expect(
      result.columns[0].metrics.first { $0.name == "exec.politeness" }?.estimate.value == 2
    )
  }

  private static var hasPython: Bool {
    (Surroundings.processEnvironment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/python3")
    }
  }
}
