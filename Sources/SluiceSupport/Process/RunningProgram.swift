import SluiceSystem

/// A process that keeps running and answers one request at a time: each line of input with a line
/// of output.
///
/// A dedicated thread always reads the output and errors of the process, so that the process never
/// blocks on them. A process that violates the protocol is ended, because one extra line would
/// shift all later answers.
final class RunningProgram: Sendable {
  private let command: ProgramCommand
  private let pipes: ProgramPipes
  private let grace: Duration
  private let state = Locked(State())

  /// A request, with the continuation for its outcome.
  private struct Exchange: Sendable {
    var number: Int
    var line: [UInt8]
    var timeout: Duration
    var maximumBytes: Int
    var continuation: CheckedContinuation<Reply, Never>
  }

  /// The outcome of a request, or nil if the request was not sent.
  ///
  /// A failure is the reason why the process could not be started.
  private typealias Reply = Result<ProgramCommand.Outcome?, ProgramCommand.Failure>

  private struct State {
    /// The pending or current request.
    var exchange: Exchange?
    /// True after the current request was sent to the process.
    ///
    /// After that, the request must not be sent to another process.
    var isTaken = false
    /// The id of the process; nil before the process is started and after it is reaped.
    var process: pid_t?
    var lastNumber = 0
    /// The highest number among the cancelled requests.
    var cancelled = 0
    var hasAnswered = false
    var isEnding = false
    /// The reply to all further requests once the process has ended.
    var lastReply: Reply?
    var talk = Talk()
  }

  /// The part of the state that only the thread of ``run()`` uses until the process has ended.
  private struct Talk {
    var output: [UInt8] = []
    /// The length of the output already searched for a line break.
    var searched = 0
    var errors = ErrorTail()
    var isOpen = ProgramPipes.Ready(input: false, output: true, errors: true)
    var firstByte: Duration?
    var total = Duration.zero
    var ended: ProgramCommand.End?
  }

  /// Creates a program for ``run()`` to start.
  ///
  /// - Parameters:
  ///   - command: The command that starts the process.
  ///   - grace: The maximum wait for the end of the process: once after its input is closed, and
  ///     once more after SIGTERM.
  /// - Throws: ``ProgramCommand/Failure`` if the system has no pipes left.
  init(_ command: ProgramCommand, grace: Duration) throws(ProgramCommand.Failure) {
    self.command = command
    self.grace = grace
    pipes = try ProgramPipes()
  }

  var hasAnswered: Bool { state.withLock(\.hasAnswered) }

  // MARK: Requests

  /// Sends a request to the process, one at a time.
  ///
  /// - Parameters:
  ///   - line: The request with its line break.
  ///   - timeout: The time limit for the answer, measured from when the process can read the
  ///     request.
  ///   - maximumBytes: The maximum size of an answer.
  /// - Returns: The outcome; nil if the process had ended before the request was sent.
  /// - Throws: ``ProgramCommand/Failure`` if the process could not be started.
  func ask(_ line: [UInt8], timeout: Duration, maximumBytes: Int)
    async throws(ProgramCommand.Failure) -> ProgramCommand.Outcome?
  {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Reply? = state.withLock { state in
          if state.cancelled >= number { return .success(ProgramCommand.Outcome(end: .cancelled)) }
          if let lastReply = state.lastReply { return lastReply }
          state.exchange = Exchange(
            number: number,
            line: line,
            timeout: timeout,
            maximumBytes: maximumBytes,
            continuation: continuation
          )
          // The first request always counts as sent, because its outcome also shows whether the
          // process started.
          state.isTaken = !state.hasAnswered
          return nil
        }
        if let known { continuation.resume(returning: known) } else { pipes.ring() }
      }
    } onCancel: {
      state.withLock { $0.cancelled = max($0.cancelled, number) }
      pipes.ring()
    }
    return try result.get()
  }

  /// Ends the process gracefully.
  ///
  /// Closes the input of the process, sends SIGTERM after a grace period, and SIGKILL after a
  /// second grace period.
  func end() {
    state.withLock { $0.isEnding = true }
    pipes.ring()
  }

  /// Kills the process and its children without waiting.
  func kill() {
    state.withLock { state in
      if let process = state.process { SluiceSystem.kill(-process, SIGKILL) }
    }
  }

  // MARK: The process

  /// Runs the process until it ends.
  func run() async {
    let result = await command.start(pipes) { self.converse($0) }
    let (exchange, reply) = state.withLock { state in
      let exchange = state.exchange
      state.exchange = nil
      return (exchange, Self.reply(result, &state))
    }
    exchange?.continuation.resume(returning: reply)
  }

  /// Returns the reply to the request that was current when the process ended.
  ///
  /// Also stores the reply to all later requests.
  private static func reply(
    _ result: Result<ProgramCommand.End, ProgramCommand.Failure>,
    _ state: inout State
  ) -> Reply {
    let reply: Reply = result.map { end in
      ProgramCommand.Outcome(
        end: state.talk.ended ?? (end == .exited(0) ? .left : end),
        lastWords: state.talk.errors.lastLine,
        firstByte: state.talk.firstByte,
        total: state.talk.total
      )
    }
    // A process may end between requests. But an extra line is a fault, because it may have been an
    // answer.
    let isFault = !state.hasAnswered || state.talk.ended == .extraLine
    state.lastReply = isFault ? reply : .success(nil)
    return state.isTaken ? reply : state.lastReply ?? reply
  }

  /// Communicates with the process until it ends, fails to answer, or is no longer needed.
  private func converse(_ process: pid_t) {
    var talk = Talk()
    state.withLock { $0.process = process }
    while talk.ended == nil {
      let (exchange, isEnding) = state.withLock { ($0.exchange, $0.isEnding) }
      if let exchange {
        guard begin(exchange, process, &talk) else { break }
        guard answer(exchange, process, &talk) else { break }
      } else if isEnding {
        shutDown(process, &talk)
        break
      } else if !rest(&talk) {
        break
      }
    }
    // The process was not reaped yet, so its number cannot belong to another process.
    kill()
    state.withLock { state in
      state.process = nil
      state.talk = talk
    }
  }

  /// Waits for a request; returns false if the process is no longer usable.
  private func rest(_ talk: inout Talk) -> Bool {
    guard talk.isOpen.output else { return false }
    // The first request is about to arrive, and its answer shows whether the process works.
    let wanted = hasAnswered ? talk.isOpen : ProgramPipes.Ready()
    let ready = pipes.wait(for: wanted, milliseconds: nil)
    if ready.errors { talk.isOpen.errors = pipes.drainErrors(into: &talk.errors) }
    return ready.output ? readsNothing(&talk) : true
  }

  /// Returns true if the output is still open, and the process wrote nothing before it got a
  /// request.
  private func readsNothing(_ talk: inout Talk) -> Bool {
    talk.isOpen.output = pipes.drainOutput(into: &talk.output, limit: 1 << 16)
    if talk.output.contains(where: { !$0.isBlank }) { talk.ended = .extraLine }
    talk.output = []
    return talk.isOpen.output && talk.ended == nil
  }

  /// Marks a request as sent.
  ///
  /// Returns false if the process has already ended or violated the protocol.
  private func begin(_ exchange: Exchange, _ process: pid_t, _ talk: inout Talk) -> Bool {
    if state.withLock(\.isTaken) { return true }
    if !readsNothing(&talk) || ProgramCommand.hasEnded(process) { return false }
    state.withLock { $0.isTaken = true }
    return true
  }

  /// Sends a request and waits for the answer.
  ///
  /// Returns false if there was no answer.
  private func answer(_ exchange: Exchange, _ process: pid_t, _ talk: inout Talk) -> Bool {
    let start = ContinuousClock.now
    var rest = exchange.line[...]
    var line: [UInt8]?
    talk.firstByte = nil
    defer { talk.total = ContinuousClock.now - start }
    while true {
      if state.withLock({ $0.cancelled >= exchange.number || $0.isEnding }) {
        talk.ended = .cancelled
        return false
      }
      let left = exchange.timeout - (ContinuousClock.now - start)
      if left <= .zero {
        talk.ended = hasAnswered ? .timedOut : .neverAnswered
        return false
      }
      var wanted = talk.isOpen
      wanted.input = !rest.isEmpty
      // Children may keep the output open after the process has ended, so the code polls for its
      // end.
      let ready = pipes.wait(for: wanted, milliseconds: min(50, left.milliseconds.rounded(.up)))
      if ready.input, !pipes.feed(&rest) { rest = [] }
      if ready.errors { talk.isOpen.errors = pipes.drainErrors(into: &talk.errors) }
      let limit = exchange.maximumBytes + 1
      if ready.output { talk.isOpen.output = pipes.drainOutput(into: &talk.output, limit: limit) }
      let hasEnded = ProgramCommand.hasEnded(process)
      if hasEnded {
        if talk.isOpen.output { _ = pipes.drainOutput(into: &talk.output, limit: limit) }
        if talk.isOpen.errors { _ = pipes.drainErrors(into: &talk.errors) }
      }
      if !talk.output.isEmpty {
        talk.firstByte = talk.firstByte ?? ContinuousClock.now - start
        line = Self.takeLine(&talk)
      }
      if (line?.count ?? talk.output.count) > exchange.maximumBytes {
        talk.ended = .tooLarge
        return false
      }
      if let line {
        let isStray = !rest.isEmpty || talk.output.contains { !$0.isBlank }
        return finish(exchange, line, isStray: isStray, ContinuousClock.now - start, &talk)
      }
      if hasEnded { return false }
    }
  }

  /// Removes and returns the first complete, nonblank line of the output; nil if there is none.
  private static func takeLine(_ talk: inout Talk) -> [UInt8]? {
    while let end = talk.output[talk.searched...].firstIndex(of: 0x0A) {
      let line = Array(talk.output[..<end])
      talk.output.removeFirst(end + 1)
      talk.searched = 0
      if line.contains(where: { !$0.isBlank }) { return line }
    }
    talk.searched = talk.output.count
    return nil
  }

  /// Delivers an answer.
  ///
  /// Returns false if the line is not an answer.
  private func finish(
    _ exchange: Exchange,
    _ line: [UInt8],
    isStray: Bool,
    _ total: Duration,
    _ talk: inout Talk
  ) -> Bool {
    if isStray {
      talk.ended = .extraLine
      return false
    }
    let isObject = (try? JSONReader.value(line))?.object != nil
    let outcome = ProgramCommand.Outcome(
      end: isObject ? .answered : .unreadable,
      output: line,
      lastWords: talk.errors.lastLine,
      firstByte: talk.firstByte,
      total: total
    )
    talk.output = []
    talk.errors = ErrorTail()
    if !isObject { talk.ended = .unreadable }
    state.withLock { state in
      state.exchange = nil
      state.isTaken = false
      if isObject { state.hasAnswered = true }
    }
    exchange.continuation.resume(returning: .success(outcome))
    return isObject
  }

  /// Waits for the process to end on its own.
  ///
  /// Sends SIGTERM after the grace period.
  private func shutDown(_ process: pid_t, _ talk: inout Talk) {
    pipes.closeInput()
    for isLast in [false, true] {
      let start = ContinuousClock.now
      var pause = 1.0
      while !ProgramCommand.hasEnded(process) {
        let left = grace - (ContinuousClock.now - start)
        if left <= .zero { break }
        let ready = pipes.wait(for: talk.isOpen, milliseconds: min(pause, left.milliseconds))
        pause = min(pause * 2, 50)
        if ready.errors { talk.isOpen.errors = pipes.drainErrors(into: &talk.errors) }
        if ready.output {
          talk.isOpen.output = pipes.drainOutput(into: &talk.output, limit: 1 << 16)
          talk.output = []
        }
      }
      if ProgramCommand.hasEnded(process) { return }
      if !isLast { SluiceSystem.kill(-process, SIGTERM) }
    }
  }
}

extension UInt8 {
  /// True for a space, a tab and line breaks.
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
