import Dispatch
import Subprocess

import SluiceSystem

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs a program without a shell: a text in, a text out, within a time and a size.
///
/// The program has a process group of its own, so that it can be ended with all that it started.
package struct ProgramCommand: Sendable {
  /// A path with a slash, seen from the folder, or a name that PATH finds.
  package var program: String
  package var arguments: [String]
  /// All of its environment.
  package var environment: [String: String]
  /// The absolute path of the folder that it works in.
  package var folder: String

  package init(
    program: String,
    arguments: [String],
    environment: [String: String],
    folder: String
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
  }

  /// How a program ended, and what it wrote until then.
  package struct Outcome: Sendable {
    package var end: End
    package var output: [UInt8]
    /// The last line of its errors that says something.
    package var lastWords: String?
    /// When it wrote its first byte, from when it was running and given its input.
    package var firstByte: Duration?
    /// When it ended, from then on.
    package var total: Duration
  }

  package enum End: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    /// It was ended because its time was up, it wrote too much, or the task was cancelled.
    case timedOut, tooLarge, cancelled
  }

  /// Why a program could not be started.
  package struct Failure: Error, Hashable {
    /// A phrase: "no such file".
    package var reason: String
  }

  /// Runs the program to its end, or ends it.
  ///
  /// - Parameters:
  ///   - input: What it can read.
  ///   - timeout: How long it may run.
  ///   - maximumBytes: How much it may write.
  /// - Returns: How it ended.
  /// - Throws: ``Failure`` when it could not be started.
  package func run(_ input: [UInt8], timeout: Duration, maximumBytes: Int) async throws(Failure)
    -> Outcome
  {
    let talk = try ProgramTalk(input, timeout: timeout, maximumBytes: maximumBytes)
    // A task of its own: a cancelled one would have Subprocess end the program alone, and not what it
    // started.
    let running = Task { try await start(talk) }
    let result: Result<TerminationStatus, any Error> = await withTaskCancellationHandler {
      await running.result
    } onCancel: {
      talk.cancel()
    }
    switch result {
    case .success(let status): return talk.outcome(status)
    case .failure(let error): throw Failure(reason: reason(error))
    }
  }

  private func start(_ talk: ProgramTalk) async throws -> TerminationStatus {
    var options = PlatformOptions()
    options.processGroupID = 0
    return try await Subprocess.run(
      program.contains("/") ? .path(FilePath(absolutePath)) : .name(program),
      arguments: Arguments(arguments),
      environment: .custom(
        Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0), $1) })
      ),
      workingDirectory: FilePath(folder),
      platformOptions: options,
      input: .fileDescriptor(.init(rawValue: talk.input.reading), closeAfterSpawningProcess: true),
      output: .fileDescriptor(
        .init(rawValue: talk.output.writing),
        closeAfterSpawningProcess: true
      ),
      error: .fileDescriptor(.init(rawValue: talk.errors.writing), closeAfterSpawningProcess: true)
    ) { execution in
      await talk.talk(to: execution.processIdentifier.value)
    }
    .terminationStatus
  }

  /// Where a program lies that was named with a slash.
  private var absolutePath: String {
    program.hasPrefix("/") ? program : "\(folder)/\(program)"
  }

  /// Why the program could not be started, with what to do where that is known.
  private func reason(_ error: any Error) -> String {
    if program.contains("/"), access(absolutePath, F_OK) == 0 {
      if access(absolutePath, X_OK) != 0 {
        return "it is not executable; fix: chmod +x \(program)"
      }
      if let interpreter = Self.interpreter(of: absolutePath), access(interpreter, F_OK) != 0 {
        return "its interpreter \(interpreter.debugDescription) is missing"
      }
    }
    guard let error = error as? SubprocessError else { return "\(error)" }
    return error.code == .executableNotFound ? "no such program" : "\(error)"
  }

  /// The program that a script's first line names; nil where the file is no script.
  private static func interpreter(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    let line = bytes[..<count].prefix { $0 != 0x0A }
    guard line.starts(with: Array("#!".utf8)) else { return nil }
    return line.dropFirst(2).split { $0 == 0x20 || $0 == 0x09 }.first
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The conversation with a running program: its input is fed, its output and errors are drained, its
/// time is watched.
private final class ProgramTalk: Sendable {
  let input: Pipe
  let output: Pipe
  let errors: Pipe
  /// What a cancellation writes to, so that whoever waits wakes up.
  private let bell: Pipe
  private let text: [UInt8]
  private let timeout: Duration
  private let maximumBytes: Int
  private let state = Locked(State())

  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var firstByte: Duration?
    var total = Duration.zero
    var ended: ProgramCommand.End?
    /// Whether the end of the input was told, and its descriptor closed by that.
    var isFed = false
  }

  init(_ text: [UInt8], timeout: Duration, maximumBytes: Int) throws(ProgramCommand.Failure) {
    self.text = text
    self.timeout = timeout
    self.maximumBytes = maximumBytes
    var wires: [Pipe] = []
    for _ in 0..<4 {
      guard let wire = Pipe() else {
        let reason = String(cString: strerror(errno)).lowercased()
        for wire in wires { wire.close() }
        throw ProgramCommand.Failure(reason: reason)
      }
      wires.append(wire)
    }
    (input, output, errors, bell) = (wires[0], wires[1], wires[2], wires[3])
  }

  deinit {
    // The program's ends belong to Subprocess, which closes them.
    let isFed = state.withLock(\.isFed)
    let own = [output.reading, errors.reading, bell.reading, bell.writing]
    for descriptor in isFed ? own : own + [input.writing] { FileDescriptor.close(descriptor) }
  }

  func cancel() { _ = [1].withUnsafeBytes { FileDescriptor.write($0, to: bell.writing) } }

  /// Talks until the program has ended, or ends it.
  func talk(to process: pid_t) async {
    await withCheckedContinuation { continuation in
      // A queue of its own: many programs may run at once, and each holds a thread.
      DispatchQueue(label: "sluice.program").async { [self] in
        converse(process)
        continuation.resume()
      }
    }
  }

  private func converse(_ process: pid_t) {
    var state = State()
    var rest = text[...]
    // What starting it took is this machine's own, however busy it is.
    let start = ContinuousClock.now
    for descriptor in [input.writing, output.reading, errors.reading] {
      FileDescriptor.setNonBlocking(descriptor)
    }
    let mask = PipeSignal.block(on: input.writing)
    defer { mask.restore() }
    var isOpen = (input: true, output: true, errors: true)
    /// How long to wait before looking whether the program has ended, in milliseconds: where all is
    /// closed only looking tells.
    var pause = 1
    while true {
      let left = timeout - (ContinuousClock.now - start)
      if left <= .zero {
        state.ended = .timedOut
        break
      }
      if rest.isEmpty { isOpen.input = false }
      if !isOpen.input, !state.isFed {
        // So that the program sees the end.
        FileDescriptor.close(input.writing)
        state.isFed = true
      }
      let isTalking = isOpen.output || isOpen.errors
      pause = isTalking ? 1 : min(pause * 2, 50)
      var polled = [
        pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen.input ? input.writing : -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: isOpen.output ? output.reading : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen.errors ? errors.reading : -1, events: Int16(POLLIN), revents: 0),
      ]
      let wait = min(isTalking ? 50 : Double(pause), left.milliseconds.rounded(.up))
      _ = poll(&polled, nfds_t(polled.count), CInt(max(1, wait)))
      if polled[0].revents != 0 {
        state.ended = .cancelled
        break
      }
      if polled[1].revents != 0 { isOpen.input = feed(&rest) }
      if polled[2].revents != 0 {
        isOpen.output = drain(output.reading, into: &state.output, limit: maximumBytes + 1)
        if !state.output.isEmpty {
          state.firstByte = state.firstByte ?? ContinuousClock.now - start
        }
      }
      if polled[3].revents != 0 { isOpen.errors = drainErrors(&state) }
      if state.output.count > maximumBytes {
        state.ended = .tooLarge
        break
      }
      if hasEnded(process) {
        // What it started may hold its output open for long; what it wrote itself is there.
        if isOpen.output { _ = drain(output.reading, into: &state.output, limit: maximumBytes + 1) }
        if isOpen.errors { _ = drainErrors(&state) }
        if state.output.count > maximumBytes { state.ended = .tooLarge }
        break
      }
    }
    state.total = ContinuousClock.now - start
    // Nobody has asked for its end yet, so that the number is still its own.
    if state.ended != nil { kill(-process, SIGKILL) }
    self.state.withLock { $0 = state }
  }

  /// Writes what can be written; false once nobody reads any more.
  private func feed(_ rest: inout ArraySlice<UInt8>) -> Bool {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input.writing, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads what can be read; false at the end.
  private func drain(_ descriptor: CInt, into bytes: inout [UInt8], limit: Int) -> Bool {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = part.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else { return false }
      bytes += part[..<count]
    }
    return true
  }

  /// Reads errors, of which the last ones are kept.
  private func drainErrors(_ state: inout State) -> Bool {
    let kept = 1 << 14
    while true {
      let before = state.errors.count
      let isOpen = drain(errors.reading, into: &state.errors, limit: 1 << 20)
      if state.errors.count > kept { state.errors.removeFirst(state.errors.count - kept) }
      if !isOpen { return false }
      if state.errors.count == before || state.errors.count < kept { return true }
    }
  }

  /// Whether a program has ended, which is left to be found by whoever started it.
  private func hasEnded(_ process: pid_t) -> Bool {
    var info = siginfo_t()
    let failure = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
    return failure != 0 || info.si_signo != 0
  }

  /// What came of it.
  func outcome(_ status: TerminationStatus) -> ProgramCommand.Outcome {
    let state = state.withLock { $0 }
    let end: ProgramCommand.End =
      switch status {
      case .exited(let code): .exited(code)
      case .signaled(let signal): .signaled(signal)
      }
    return ProgramCommand.Outcome(
      end: state.ended ?? end,
      output: state.output,
      lastWords: String(decoding: state.errors, as: UTF8.self).split(whereSeparator: \.isNewline)
        .last { !$0.allSatisfy(\.isWhitespace) }.map(String.init),
      firstByte: state.firstByte,
      total: state.total
    )
  }
}

/// SIGPIPE, which writing to a program that has ended raises and which would end this one.
private struct PipeSignal {
  #if canImport(Darwin)
  static func block(on descriptor: CInt) -> PipeSignal {
    _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    return PipeSignal()
  }

  func restore() {}
  #else
  private let old: sigset_t

  /// Keeps it from the calling thread.
  static func block(on descriptor: CInt) -> PipeSignal {
    var (old, pipe) = (only, only)
    pthread_sigmask(SIG_BLOCK, &pipe, &old)
    return PipeSignal(old: old)
  }

  /// Lets the thread have what it had before, but for what was raised meanwhile.
  func restore() {
    var (old, pipe, now) = (old, Self.only, timespec())
    _ = sigtimedwait(&pipe, nil, &now)
    pthread_sigmask(SIG_SETMASK, &old, nil)
  }

  private static var only: sigset_t {
    // Its initializer counts as curl's, whose headers bring the type in once more.
    let set = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { set.deallocate() }
    sigemptyset(set)
    sigaddset(set, SIGPIPE)
    return set.pointee
  }
  #endif
}
