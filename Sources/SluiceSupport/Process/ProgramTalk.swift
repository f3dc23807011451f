import SluiceSystem

/// The communication with a program that is started for one request.
///
/// Until the program ends, this type writes its input, reads its output and errors, and enforces
/// the time limit.
final class ProgramTalk: Sendable {
  let pipes: ProgramPipes
  private let text: [UInt8]
  private let timeout: Duration
  private let maximumBytes: Int
  private let state = Locked(State())

  private struct State {
    var output: [UInt8] = []
    var errors = ErrorTail()
    var firstByte: Duration?
    var total = Duration.zero
    var ended: ProgramCommand.End?
  }

  init(_ text: [UInt8], timeout: Duration, maximumBytes: Int) throws(ProgramCommand.Failure) {
    self.text = text
    self.timeout = timeout
    self.maximumBytes = maximumBytes
    pipes = try ProgramPipes()
  }

  /// Makes the program end.
  func cancel() { pipes.ring() }

  /// Communicates with the program until it ends, and kills it if it exceeds a limit.
  func converse(_ process: pid_t) {
    var state = State()
    var rest = text[...]
    // The time to start a program depends on the load of this machine, so it does not count.
    let start = ContinuousClock.now
    var isOpen = ProgramPipes.Ready(input: true, output: true, errors: true)
    /// The maximum time in milliseconds until the code checks again that the program still runs.
    ///
    /// After all pipes are closed, nothing else signals the end.
    var pause = 1.0
    while true {
      let left = timeout - (ContinuousClock.now - start)
      if left <= .zero {
        state.ended = .timedOut
        break
      }
      if rest.isEmpty { isOpen.input = false }
      // The program can only see the end of its input if the pipe is closed.
      if !isOpen.input { pipes.closeInput() }
      let isTalking = isOpen.output || isOpen.errors
      pause = isTalking ? 1 : min(pause * 2, 50)
      let wait = min(isTalking ? 50 : pause, left.milliseconds.rounded(.up))
      let ready = pipes.wait(for: isOpen, milliseconds: wait)
      if ready.bell {
        state.ended = .cancelled
        break
      }
      if ready.input { isOpen.input = pipes.feed(&rest) }
      if ready.output {
        isOpen.output = pipes.drainOutput(into: &state.output, limit: maximumBytes + 1)
        if !state.output.isEmpty {
          state.firstByte = state.firstByte ?? ContinuousClock.now - start
        }
      }
      if ready.errors { isOpen.errors = pipes.drainErrors(into: &state.errors) }
      if state.output.count > maximumBytes {
        state.ended = .tooLarge
        break
      }
      if ProgramCommand.hasEnded(process) {
        // Children of the program may keep the output open for a long time, but the program's own
        // output is complete.
        if isOpen.output {
          _ = pipes.drainOutput(into: &state.output, limit: maximumBytes + 1)
        }
        if isOpen.errors { _ = pipes.drainErrors(into: &state.errors) }
        if state.output.count > maximumBytes { state.ended = .tooLarge }
        break
      }
    }
    state.total = ContinuousClock.now - start
    // The process was not reaped yet, so its number cannot belong to another process.
    if state.ended != nil { kill(-process, SIGKILL) }
    self.state.withLock { $0 = state }
  }

  /// Returns the outcome once the program has ended.
  func outcome(_ end: ProgramCommand.End) -> ProgramCommand.Outcome {
    let state = state.withLock { $0 }
    return ProgramCommand.Outcome(
      end: state.ended ?? end,
      output: state.output,
      lastWords: state.errors.lastLine,
      firstByte: state.firstByte,
      total: state.total
    )
  }
}
