import CSpawn
package import Foundation

import SluiceSystem

/// A program that a test starts, with its output stored in files.
///
/// It replaces Foundation's `Process`. On Linux, `Process` lists the open descriptors at each
/// start, and writes past the end of its memory if there are more than about 1,350. The tests have
/// more open descriptors when all of them run at once.
package final class ChildProcess: @unchecked Sendable {
  /// The result of a program.
  package struct Outcome: Sendable {
    /// The exit code, or the signal that ended the program.
    package var exitCode: CInt
    package var output: String
    package var error: String

    package init(exitCode: CInt, output: String, error: String) {
      self.exitCode = exitCode
      self.output = output
      self.error = error
    }
  }

  /// The reason why a program could not be started.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private let id: pid_t
  /// The program's input and output as files, because an unread pipe would block a long output.
  private let files: ProjectFolder
  private let hasTerminal: Bool

  // Safe to share, because the mutable state is only accessed while this is locked.
  private let end = NSCondition()
  private var exitCode: CInt?
  private var waiting: [CheckedContinuation<CInt, Never>] = []

  /// Starts a program in its own process group, with default signal handling and only the three
  /// standard descriptors.
  ///
  /// - Parameters:
  ///   - command: The program, which is looked up in the `PATH` of its environment, and its
  ///     arguments.
  ///   - folder: The path of the working directory.
  ///   - environment: The complete environment.
  ///   - input: The standard input, or `nil` for none.
  ///   - terminal: The terminal for standard error, or `nil` for a file.
  /// - Throws: ``Failure`` if the program cannot be started; a file error if its files cannot be
  ///   created.
  package init(
    _ command: [String],
    in folder: String,
    environment: [String: String],
    input: Data? = nil,
    terminal: PseudoTerminal? = nil
  ) throws {
    files = try ProjectFolder()
    hasTerminal = terminal != nil
    let inputFile = input == nil ? URL(fileURLWithPath: "/dev/null") : files.url("in")
    try input?.write(to: inputFile)
    id = try Self.spawn(
      command,
      in: folder,
      environment: environment,
      files: [
        (STDIN_FILENO, inputFile.path, O_RDONLY),
        (STDOUT_FILENO, files.url("out").path, O_WRONLY | O_CREAT),
        (STDERR_FILENO, terminal?.path ?? files.url("err").path, O_WRONLY | O_CREAT),
      ]
    )
    // A separate thread does not block waiting tests, and it reaps the program even if no test
    // waits.
    Thread.detachNewThread { self.reap() }
  }

  package var isRunning: Bool { end.withLock { exitCode == nil } }

  /// Kills the program without warning, as a power failure would.
  package func kill() { send(SIGKILL) }

  /// Sends the signal of Ctrl-C.
  package func interrupt() { send(SIGINT) }

  /// Sends a signal, if the program is still running.
  package func send(_ signal: CInt) {
    end.withLock { if exitCode == nil { _ = Foundation.kill(id, signal) } }
  }

  /// The standard output so far.
  package var outputSoFar: String { get throws { try files.text("out") } }
  /// The standard error so far, which is empty if it is a terminal.
  package var errorSoFar: String {
    get throws { hasTerminal ? "" : try files.text("err") }
  }

  /// Waits until the program has ended, and blocks the thread meanwhile.
  ///
  /// - Throws: The error that prevents reading the program's output.
  @discardableResult
  package func wait() throws -> Outcome {
    let code: CInt = end.withLock {
      while true {
        if let exitCode { return exitCode }
        end.wait()
      }
    }
    return try outcome(code)
  }

  /// Waits until the program has ended, without blocking a thread.
  ///
  /// - Throws: The error that prevents reading the program's output.
  package func outcome() async throws -> Outcome {
    let code = await withCheckedContinuation { (waiter: CheckedContinuation<CInt, Never>) in
      let known: CInt? = end.withLock {
        if exitCode == nil { waiting.append(waiter) }
        return exitCode
      }
      if let known { waiter.resume(returning: known) }
    }
    return try outcome(code)
  }

  private func outcome(_ exitCode: CInt) throws -> Outcome {
    Outcome(exitCode: exitCode, output: try outputSoFar, error: try errorSoFar)
  }

  /// Waits until the program ends, then resumes all waiters.
  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    end.lock()
    // Reaping must come last: afterwards the system may give the id to another program, which would
    // then get the signals for this one.
    var status: CInt = 0
    waitpid(id, &status, 0)
    let signal = status & 0x7F
    let code = signal == 0 ? status >> 8 & 0xFF : signal
    exitCode = code
    let waiters = waiting
    waiting = []
    end.broadcast()
    end.unlock()
    for waiter in waiters { waiter.resume(returning: code) }
  }

  // MARK: Starting

  private static func spawn(
    _ command: [String],
    in folder: String,
    environment: [String: String],
    files: [(descriptor: CInt, path: String, mode: CInt)]
  ) throws -> pid_t {
    func check(_ error: CInt) throws {
      if error == 0 { return }
      throw Failure(
        description:
          "\(command.first ?? "no program") in \(folder): \(String(cString: strerror(error)))"
      )
    }
    guard let program = command.first.flatMap({ find($0, environment) }) else {
      try check(ENOENT)
      return -1
    }

    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t? = nil
    var attributes: posix_spawnattr_t? = nil
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }

    // The child opens its files itself, so this process does not have to close them.
    for (descriptor, path, mode) in files {
      try check(posix_spawn_file_actions_addopen(&actions, descriptor, path, mode, 0o600))
    }
    try check(posix_spawn_file_actions_addchdir_np(&actions, folder))

    var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #if canImport(Darwin)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #elseif canImport(Glibc)
    try check(posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))
    #else
    // Musl lacks this action, so all other descriptors are marked as close-on-exec.
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      guard let descriptor = CInt(name), descriptor > STDERR_FILENO else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    #endif
    var signals = sigset_t()
    sigfillset(&signals)
    try check(posix_spawnattr_setsigdefault(&attributes, &signals))
    sigemptyset(&signals)
    try check(posix_spawnattr_setsigmask(&attributes, &signals))
    try check(posix_spawnattr_setflags(&attributes, Int16(flags)))

    var id: pid_t = 0
    let variables = environment.map { "\($0.key)=\($0.value)" }
    try withCStrings(command) { arguments in
      try withCStrings(variables) { variables in
        try check(posix_spawn(&id, program, &actions, &attributes, arguments, variables))
      }
    }
    return id
  }

  /// Returns the path of a program, as a shell with this environment would find it.
  private static func find(_ program: String, _ environment: [String: String]) -> String? {
    if program.contains("/") { return program }
    return (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func withCStrings(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Void
  ) rethrows {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    try body(copies + [nil])
  }
}
