import SluiceSystem

/// A process that keeps running and answers each line with a line, one request at a time.
///
/// A thread of its own talks with it all the while, so that it never waits for somebody to read its
/// errors. A process that breaks a rule is ended: a line too many would shift all later answers.
final class RunningProgram: Sendable {
  private let command: ProgramCommand
  private let pipes: ProgramPipes
  private let grace: Duration
  private let state = Locked(State())

  /// A request, with what is told of its outcome.
  private struct Exchange: Sendable {
    var number: Int
    var line: [UInt8]
    var timeout: Duration
    var maximumBytes: Int
    var continuation: CheckedContinuation<Reply, Never>
  }

  /// The outcome of a request, nil where it was not asked; or why the process could not be started.
  private typealias Reply = Result<ProgramCommand.Outcome?, ProgramCommand.Failure>

  private struct State {
    /// The request that waits or is in hand.
    var exchange: Exchange?
    /// True once the request in hand is the process's own: no other one may be asked in its place.
    var isTaken = false
    /// The process, as long as its number is its own.
    var process: pid_t?
    var lastNumber = 0
    /// Requests up to this number are cancelled.
    var cancelled = 0
    var hasAnswered = false
    var isEnding = false
    /// The reply to every further request once the process has ended.
    var lastReply: Reply?
    var talk = Talk()
  }

  /// The part that belongs to the thread until the process is over.
  private struct Talk {
    var output: [UInt8] = []
    /// The length of the output that is known to have no line break.
    var searched = 0
    var errors = ErrorTail()
    var isOpen = ProgramPipes.Ready(input: false, output: true, errors: true)
    var firstByte: Duration?
    var total = Duration.zero
    var ended: ProgramCommand.End?
  }

  /// Creates a program that ``run()`` starts.
  ///
  /// - Parameters:
  ///   - command: The command that starts it.
  ///   - grace: The time that it has to end by itself, and again after SIGTERM.
  /// - Throws: ``ProgramCommand/Failure`` where the system has no pipes left.
  init(_ command: ProgramCommand, grace: Duration) throws(ProgramCommand.Failure) {
    self.command = command
    self.grace = grace
    pipes = try ProgramPipes()
  }

  var hasAnswered: Bool { state.withLock(\.hasAnswered) }

  // MARK: Requests

  /// Hands a request to the process, one at a time.
  ///
  /// - Parameters:
  ///   - line: The request with its line break.
  ///   - timeout: The time for the answer, from when the process can read the request.
  ///   - maximumBytes: The longest answer that is taken.
  /// - Returns: The outcome; nil where the process had ended before it was asked.
  /// - Throws: ``ProgramCommand/Failure`` when the process could not be started.
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
          // A process that has never answered gets it whatever it did: its start is what counts.
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

  /// Has the process end in order: its input is closed; after the grace it gets SIGTERM, then SIGKILL.
  func end() {
    state.withLock { $0.isEnding = true }
    pipes.ring()
  }

  /// Kills the process with all that it started, and waits for nothing.
  func kill() {
    state.withLock { state in
      if let process = state.process { SluiceSystem.kill(-process, SIGKILL) }
    }
  }

  // MARK: The process

  /// Runs the process until it has ended.
  func run() async {
    let result = await command.start(pipes) { self.converse($0) }
    let (exchange, reply) = state.withLock { state in
      let exchange = state.exchange
      state.exchange = nil
      return (exchange, Self.reply(result, &state))
    }
    exchange?.continuation.resume(returning: reply)
  }

  /// The reply to the request that was in hand when the process ended; notes that to later ones.
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
    // A process may end between requests, but what it wrote there may have been an answer.
    let isFault = !state.hasAnswered || state.talk.ended == .extraLine
    state.lastReply = isFault ? reply : .success(nil)
    return state.isTaken ? reply : state.lastReply ?? reply
  }

  /// Talks with the process until it has ended or is ended.
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
    // Nobody has asked for its end yet, so that the number is still its own.
    kill()
    state.withLock { state in
      state.process = nil
      state.talk = talk
    }
  }

  /// Waits for a request; false where the process is of no use any more.
  private func rest(_ talk: inout Talk) -> Bool {
    guard talk.isOpen.output else { return false }
    // The first request is under way: the process is judged by how it answers that.
    let wanted = hasAnswered ? talk.isOpen : ProgramPipes.Ready()
    let ready = pipes.wait(for: wanted, milliseconds: nil)
    if ready.errors { talk.isOpen.errors = pipes.drainErrors(into: &talk.errors) }
    return ready.output ? readsNothing(&talk) : true
  }

  /// Returns true when the process has written nothing that it was not asked for, and still may.
  private func readsNothing(_ talk: inout Talk) -> Bool {
    talk.isOpen.output = pipes.drainOutput(into: &talk.output, limit: 1 << 16)
    if talk.output.contains(where: { !$0.isBlank }) { talk.ended = .extraLine }
    talk.output = []
    return talk.isOpen.output && talk.ended == nil
  }

  /// Makes a request the process's own; false where the process has ended or has broken a rule before.
  private func begin(_ exchange: Exchange, _ process: pid_t, _ talk: inout Talk) -> Bool {
    if state.withLock(\.isTaken) { return true }
    if !readsNothing(&talk) || ProgramCommand.hasEnded(process) { return false }
    state.withLock { $0.isTaken = true }
    return true
  }

  /// Sends a request and waits for its answer; false where none came.
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
      // Its children may hold its output open after its end, so its end is looked for.
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

  /// Takes the first line that is not blank out of the output; nil where none is whole.
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

  /// Hands an answer on; false where it is none.
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

  /// Waits until the process has ended by itself, at most for the grace, and asks it with SIGTERM then.
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
  /// True for a space, a tab and the characters of line breaks.
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
