@testable import SluiceSupport
import Testing
import TestSupport

import SluiceSystem

@Suite("Pool of programs that keep running", .timeLimit(.minutes(5)))
struct ProgramPoolTests {
  private let folder: ProjectFolder

  init() throws { folder = try ProjectFolder() }

  /// Answers each line with an object that repeats it.
  private static let echo = #"while read -r line; do printf '{"echo":%s}\n' "$line"; done"#

  private static func echoed(_ number: Int) -> String { #"{"echo":\#(number)}"# }

  private func command(_ script: String) -> ProgramCommand {
    ProgramCommand(
      program: "sh",
      arguments: ["-c", "echo $$ >> starts\n" + script],
      environment: Surroundings.processEnvironment.filter { $0.key == "PATH" },
      folder: folder.path
    )
  }

  /// Does work with a program that records each of its starts.
  private func with<Result>(
    _ script: String,
    grace: Duration = .seconds(60),
    _ work: (ProgramPool) async throws -> Result
  ) async throws -> Result {
    try await RunningPrograms.during(grace: grace) { programs in
      try await work(ProgramPool(command(script), in: programs))
    }
  }

  private func ask(
    _ pool: ProgramPool,
    _ text: String,
    timeout: Duration = .seconds(300),
    maximumBytes: Int = 1 << 20
  ) async throws -> ProgramCommand.Outcome {
    try await pool.ask(Array(text.utf8) + [0x0A], timeout: timeout, maximumBytes: maximumBytes)
  }

  /// Returns the ends of consecutive requests.
  private func ends(
    _ script: String,
    _ texts: [String],
    timeout: Duration = .seconds(300)
  ) async throws -> [ProgramCommand.End] {
    try await with(script) { pool in
      var ends: [ProgramCommand.End] = []
      for text in texts { ends.append(try await ask(pool, text, timeout: timeout).end) }
      return ends
    }
  }

  /// Returns the IDs of the started processes.
  private func starts() throws -> [pid_t] {
    try folder.text("starts").split(separator: "\n").compactMap { pid_t($0) }
  }

  private func exists(_ name: String) -> Bool {
    DiskFileSystem(root: folder.path)?.kind(of: ProjectPath(name)) == .file
  }

  // MARK: Answers

  @Test("One process answers many requests, each with its own answer")
  func oneProcess() async throws {
    let answers = try await with(Self.echo) { pool in
      var answers: [String] = []
      for number in 0..<100 {
        let outcome = try await ask(pool, "\(number)")
        #expect(outcome.end == .answered)
        #expect(outcome.firstByte ?? .zero > .zero && outcome.total >= outcome.firstByte ?? .zero)
        answers.append(String(decoding: outcome.output, as: UTF8.self))
      }
      return answers
    }
    #expect(answers == (0..<100).map(Self.echoed))
    #expect(try starts().count == 1)
  }

  @Test("Concurrent requests have a process each, and later requests reuse the processes")
  func twoInFlight() async throws {
    // Neither process answers before the other one runs.
    let script = "while [ $(wc -l < starts) -lt 2 ]; do :; done; " + Self.echo
    try await with(script) { pool in
      for _ in 0..<20 {
        async let first = ask(pool, "1")
        async let second = ask(pool, "2")
        let outputs = try await [first.output, second.output]
        #expect(outputs.map { String(decoding: $0, as: UTF8.self) } == [1, 2].map(Self.echoed))
      }
    }
    #expect(try starts().count == 2)
  }

  @Test("A megabyte of input and output passes without a deadlock")
  func largeLine() async throws {
    let text = "\"" + String(repeating: "a", count: 500_000) + "\""
    let outcome = try await with(#"printf '{"echo":'; head -n 1 | tr -d '\n'; echo '}'"#) {
      try await ask($0, text)
    }
    #expect(outcome.end == .answered)
    #expect(outcome.output == Array("{\"echo\":\(text)}".utf8))
  }

  @Test("Blank lines are ignored")
  func blankLines() async throws {
    let script = #"while read -r line; do printf '\n \r\n{"a":1}\r\n\n'; done"#
    #expect(try await ends(script, ["1", "2"]) == [.answered, .answered])
    #expect(try starts().count == 1)
  }

  @Test("Error output is read continuously, so the program never blocks on it")
  func errors() async throws {
    let script = """
      head -c 300000 /dev/zero >&2
      while read -r line; do
        head -c 300000 /dev/zero >&2
        echo '{"a":1}'
        head -c 300000 /dev/zero >&2
        echo >> idle
      done
      """
    try await with(script) { pool in
      #expect(try await ask(pool, "1").end == .answered)
      try await wait("the end of the errors") { exists("idle") }
      #expect(try await ask(pool, "2").end == .answered)
    }
    #expect(try starts().count == 1)
  }

  // MARK: Faults

  @Test("A process that dies loses its request, and a new process answers the next")
  func death() async throws {
    let script = """
      while read -r line; do
        case "$line" in
          die) echo one >&2; echo 'no model' >&2; exit 3 ;;
          kill) kill -9 $$ ;;
          leave) exit 0 ;;
          *) echo '{"a":1}' ;;
        esac
      done
      """
    try await with(script) { pool in
      #expect(try await ask(pool, "1").end == .answered)
      let death = try await ask(pool, "die")
      #expect(death.end == .exited(3))
      #expect(death.lastWords == "no model")
      #expect(try await ask(pool, "2").end == .answered)
      #expect(try await ask(pool, "kill").end == .signaled(9))
      #expect(try await ask(pool, "3").end == .answered)
      #expect(try await ask(pool, "leave").end == .left)
      #expect(try await ask(pool, "4").end == .answered)
    }
    #expect(try starts().count == 4)
  }

  @Test("A process that ended after its answer is restarted, and no request is lost")
  func endBetweenRequests() async throws {
    try await with(#"read -r line; echo '{"a":1}'"#) { pool in
      for count in 1...3 {
        #expect(try await ask(pool, "1").end == .answered)
        let process = try #require(try starts().last)
        #expect(try starts().count == count)
        try await wait("the end of the process") { kill(process, 0) != 0 }
      }
    }
  }

  @Test("A process that times out is killed, and a new process answers the next request")
  func timeout() async throws {
    let script = """
      while read -r line; do
        case "$line" in hang) sleep 600 ;; *) echo '{"a":1}' ;; esac
      done
      """
    try await with(script) { pool in
      #expect(try await ask(pool, "1").end == .answered)
      let late = try await ask(pool, "hang", timeout: .milliseconds(100))
      #expect(late.end == .timedOut)
      #expect(late.total >= .milliseconds(100))
      #expect(kill(try #require(try starts().first), 0) != 0)
      #expect(try await ask(pool, "2").end == .answered)
    }
    #expect(try starts().count == 2)
  }

  @Test("A program that reads its input to the end counts as one that never answered")
  func neverAnswered() async throws {
    let ends = try await ends("cat > all; echo '{\"a\":1}'", ["1"], timeout: .milliseconds(200))
    #expect(ends == [.neverAnswered])
  }

  @Test(
    "A line that is not a JSON object ends the process, and a new one answers the next request",
    arguments: ["loading…", "[1]", "\"text\"", "{", #"{"a":1} {"a":2}"#, "\u{FF}"]
  )
  func unreadable(line: String) async throws {
    try folder.write(["line": line + "\n"], under: "")
    let script = #"""
      while read -r line; do
        if [ "$line" = bad ]; then cat line; else echo '{"a":1}'; fi
      done
      """#
    try await with(script) { pool in
      #expect(try await ask(pool, "1").end == .answered)
      let bad = try await ask(pool, "bad")
      #expect(bad.end == .unreadable)
      #expect(bad.output == Array(line.utf8))
      #expect(try await ask(pool, "2").end == .answered)
    }
    #expect(try starts().count == 2)
  }

  @Test("A second line ends the process, because it would answer the next request")
  func extraLine() async throws {
    let script = #"while read -r line; do printf '{"a":1}\n{"b":%s}\n' "$line"; done"#
    #expect(try await ends(script, ["1"]) == [.extraLine])
  }

  @Test("A line between two requests fails the second, and a new process answers the third")
  func lateLine() async throws {
    let script = """
      while read -r line; do
        echo '{"a":1}'
        if [ "$line" = 1 ]; then
          while [ ! -e more ]; do :; done
          echo '{"b":2}'
        fi
      done
      """
    try await with(script) { pool in
      #expect(try await ask(pool, "1").end == .answered)
      try folder.write(["more": ""], under: "")
      let process = try #require(try starts().first)
      try await wait("the end of the process") { kill(process, 0) != 0 }
      #expect(try await ask(pool, "2").end == .extraLine)
      #expect(try await ask(pool, "3").end == .answered)
    }
    #expect(try starts().count == 2)
  }

  @Test("An answer before the request was read is an error")
  func greeting() async throws {
    let text = String(repeating: "a", count: 1_000_000)
    let outcome = try await with(#"echo '{"ready":true}'; sleep 600"#) { try await ask($0, text) }
    #expect(outcome.end == .extraLine)
  }

  @Test("A line without an end exceeds the size limit")
  func tooLarge() async throws {
    let outcome = try await with("while :; do printf aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done") {
      try await ask($0, "1", maximumBytes: 100_000)
    }
    #expect(outcome.end == .tooLarge)
  }

  @Test("After three consecutive starts without an answer, the program is not started again")
  func endlessStarts() async throws {
    let ends = try await ends("echo boom >&2; exit 7", ["1", "2", "3", "4", "5"])
    let last = ProgramCommand.End.givenUp(starts: 3, last: .exited(7))
    #expect(ends == [.exited(7), .exited(7), .exited(7), last, last])
    #expect(try starts().count == 3)
  }

  @Test("An answer resets the count of starts without one")
  func recovery() async throws {
    let script = """
      [ $(wc -l < starts) -ne 3 ] && exit 7
      read -r line; echo '{"a":1}'; read -r line; exit 8
      """
    let ends = try await ends(script, ["1", "2", "3", "4", "5", "6", "7", "8"])
    #expect(
      ends == [
        .exited(7), .exited(7), .answered, .exited(8), .exited(7), .exited(7), .exited(7),
        .givenUp(starts: 3, last: .exited(7)),
      ]
    )
  }

  @Test("A program that does not exist cannot be started")
  func absent() async throws {
    var command = command("")
    command.program = "sluice-no-such-program"
    await RunningPrograms.during { programs in
      let pool = ProgramPool(command, in: programs)
      for _ in 0..<5 {
        await #expect(throws: ProgramCommand.Failure(reason: "no such program")) {
          try await ask(pool, "1")
        }
      }
    }
  }

  @Test("Cancelling a request ends the process and all processes that it started")
  func cancellation() async throws {
    try await with("sleep 600 & echo $! >> starts; echo > begun; wait") { pool in
      let task = Task { try await ask(pool, "1") }
      try await wait("the process") { exists("begun") }
      task.cancel()
      #expect(try await task.value.end == .cancelled)
    }
    let processes = try starts()
    #expect(processes.count == 2)
    try await wait("the end of both") { processes.allSatisfy(isGone) }
  }

  // MARK: The end of the work

  @Test("At the end of the work, the input is closed and the process is awaited")
  func orderlyEnd() async throws {
    try await with(Self.echo + "; echo > ended") { pool in
      let end = try await ask(pool, "1").end
      #expect(end == .answered && !exists("ended"))
    }
    #expect(exists("ended"))
    #expect(kill(try #require(try starts().first), 0) != 0)
  }

  @Test("An error in the work also closes the input and awaits the process")
  func endByError() async throws {
    struct Fault: Error {}
    await #expect(throws: Fault.self) {
      try await with(Self.echo) { pool in
        #expect(try await ask(pool, "1").end == .answered)
        throw Fault()
      }
    }
    #expect(kill(try #require(try starts().first), 0) != 0)
  }

  @Test("A process that keeps running without its input gets SIGTERM")
  func termination() async throws {
    let script = "trap 'echo > told; exit' TERM; " + Self.echo + "; while :; do sleep 0.01; done"
    let end = try await with(script, grace: .milliseconds(300)) { try await ask($0, "1").end }
    #expect(end == .answered)
    #expect(exists("told"))
    #expect(kill(try #require(try starts().first), 0) != 0)
  }

  @Test("A process that ignores SIGTERM is killed, with all processes that it started")
  func killing() async throws {
    let script = "trap '' TERM; sleep 600 & echo $! >> starts; " + Self.echo + "; wait"
    let end = try await with(script, grace: .milliseconds(50)) { try await ask($0, "1").end }
    #expect(end == .answered)
    let processes = try starts()
    #expect(processes.count == 2)
    try await wait("the end of both") { processes.allSatisfy(isGone) }
  }

  /// Returns true if a process has ended; until it is reaped, it is a zombie.
  private func isGone(_ process: pid_t) -> Bool {
    if kill(process, 0) != 0 { return true }
    let outcome = try? ChildProcess(
      ["ps", "-o", "stat=", "-p", "\(process)"],
      in: folder.path,
      environment: Surroundings.processEnvironment
    ).wait()
    return outcome.map { $0.output.isEmpty || $0.output.contains("Z") } ?? false
  }
}
