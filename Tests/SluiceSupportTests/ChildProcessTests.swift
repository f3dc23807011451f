import Foundation
import Testing
import TestSupport

@Suite("Child processes of tests", .timeLimit(.minutes(5)))
struct ChildProcessTests {
  private static let environment = ["PATH": "/usr/bin:/bin"]
  private let folder: ProjectFolder

  init() throws {
    folder = try ProjectFolder()
  }

  private func start(
    _ command: String...,
    environment: [String: String] = environment,
    input: String? = nil
  ) throws -> ChildProcess {
    let input = input.map { Data($0.utf8) }
    return try ChildProcess(command, in: folder.path, environment: environment, input: input)
  }

  @Test("All waiters get the exit code and the output, whichever way they wait")
  func outcome() async throws {
    let program = try start("sh", "-c", #"echo "$2$1"; echo no >&2; exit 7"#, "sh", "a b", "ü")
    async let first = program.outcome()
    async let second = program.outcome()
    for outcome in try await [first, second, program.wait(), program.outcome()] {
      #expect(outcome.exitCode == 7)
      #expect(outcome.output == "üa b\n")
      #expect(outcome.error == "no\n")
    }
    #expect(!program.isRunning)
  }

  @Test("A long unread output does not block the program")
  func longOutput() async throws {
    let program = try start("sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x")
    #expect(try await program.outcome().output == String(repeating: "x", count: 300_000))
  }

  @Test(
    "A signal ends a program and becomes its exit code",
    arguments: [SIGINT, SIGTERM, SIGPIPE, SIGKILL]
  )
  func signal(_ signal: CInt) async throws {
    let program = try start("sleep", "600")
    #expect(program.isRunning)
    program.send(signal)
    #expect(try await program.outcome().exitCode == signal)
    // The process no longer exists, so this has no effect.
    program.send(signal)
  }

  @Test("No signal is ignored at the start, so a program can handle each")
  func handledSignals() async throws {
    // A shell cannot handle signals that were ignored at its start.
    let script = "for s in INT TERM PIPE HUP; do trap \"echo $s\" $s; kill -$s $$; done"
    #expect(try await start("sh", "-c", script).outcome().output == "INT\nTERM\nPIPE\nHUP\n")
  }

  @Test("A program that has ended leaves no zombie, even if nothing waits for it")
  func unattended() async throws {
    let program = try start("sh", "-c", "echo $$")
    while program.isRunning { await Task.yield() }
    let id = try #require(pid_t(program.outputSoFar.dropLast()))
    #expect(waitpid(id, nil, WNOHANG) == -1)
    #expect(errno == ECHILD)
  }

  @Test("A program reads its given input, or none")
  func input() async throws {
    #expect(try await start("cat", input: "a\0b").outcome().output == "a\0b")
    #expect(try await start("cat").outcome().output == "")
  }

  @Test("A program starts in its folder and has only its own environment")
  func surroundings() async throws {
    try folder.write(["here": "file\n"], under: "")
    #expect(try await start("cat", "here").outcome().output == "file\n")
    let environment = ["PATH": "/usr/bin:/bin", "LETTERS": "a=b c"]
    let lines = try await start("env", environment: environment).outcome().output
    #expect(lines.split(separator: "\n").sorted() == ["LETTERS=a=b c", "PATH=/usr/bin:/bin"])
  }

  @Test("A program is found through the PATH in its environment")
  func path() async throws {
    try folder.link("programs/sluice-shell", to: "/bin/sh")
    let environment = ["PATH": "/usr/bin:" + folder.path + "/programs"]
    let program = try start("sluice-shell", "-c", "exit 4", environment: environment)
    #expect(try await program.outcome().exitCode == 4)
  }

  @Test(
    "A missing program is an error, even if the folder has a file of that name",
    arguments: ["no-such-program", "./no-such-program", "present"]
  )
  func missing(_ name: String) throws {
    try folder.link("present", to: "/bin/sh")
    let failure = #expect(throws: ChildProcess.Failure.self) { try start(name) }
    #expect(failure?.description == "\(name) in \(folder.path): No such file or directory")
  }

  @Test("A missing folder is an error")
  func missingFolder() throws {
    let missing = folder.path + "/missing"
    let failure = #expect(throws: ChildProcess.Failure.self) {
      try ChildProcess(["cat"], in: missing, environment: Self.environment)
    }
    #expect(failure?.description == "cat in \(missing): No such file or directory")
  }

  @Test("A program inherits none of the open descriptors")
  func descriptors() async throws {
    let inherited = fcntl(STDIN_FILENO, F_DUPFD, 300)
    try #require(inherited >= 300)
    defer { close(inherited) }
    try #require(fcntl(inherited, F_GETFD) & FD_CLOEXEC == 0)
    let script = "for d in 0 1 2 \(inherited); do test -e /dev/fd/$d && echo $d; done"
    #expect(try await start("sh", "-c", script).outcome().output == "0\n1\n2\n")
  }
}
