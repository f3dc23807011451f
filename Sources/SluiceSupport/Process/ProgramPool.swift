/// The processes of a program that answers one request after another.
///
/// There is one process for each concurrent request. A process that failed is restarted.
package final class ProgramPool: Sendable {
  /// The maximum number of consecutive starts without an answer.
  package static let patience = 3

  private let command: ProgramCommand
  private let programs: RunningPrograms
  private let state = Locked(State())

  private struct State {
    /// The processes that wait for a request.
    var idle: [RunningProgram] = []
    /// The number of starts since the program last answered.
    var fruitless = 0
    /// The outcome of the last start without an answer.
    var last: Result<ProgramCommand.Outcome, ProgramCommand.Failure>?
  }

  /// Creates a pool, without starting a process yet.
  ///
  /// - Parameters:
  ///   - command: The command that starts the program.
  ///   - programs: The programs of the run, which end when the run ends.
  package init(_ command: ProgramCommand, in programs: RunningPrograms) {
    self.command = command
    self.programs = programs
  }

  /// Sends a line to an idle or new process, and waits for the line with the answer.
  ///
  /// - Parameters:
  ///   - line: The request with its line break.
  ///   - timeout: The time limit for the answer.
  ///   - maximumBytes: The maximum size of an answer.
  /// - Returns: The answer, or the way in which the process ended without an answer.
  /// - Throws: ``ProgramCommand/Failure`` if the program could not be started.
  package func ask(_ line: [UInt8], timeout: Duration, maximumBytes: Int)
    async throws(ProgramCommand.Failure) -> ProgramCommand.Outcome
  {
    while !Task.isCancelled {
      let waiting = state.withLock { $0.idle.popLast() }
      if waiting == nil, let outcome = try givenUp() { return outcome }
      do throws(ProgramCommand.Failure) {
        let program = if let waiting { waiting } else { try programs.start(command) }
        // A process that has ended in the meantime did not receive the request.
        guard
          let outcome = try await program.ask(line, timeout: timeout, maximumBytes: maximumBytes)
        else { continue }
        settle(program, outcome)
        return outcome
      } catch {
        noteFruitless(.failure(error))
        throw error
      }
    }
    return ProgramCommand.Outcome(end: .cancelled)
  }

  private func settle(_ program: RunningProgram, _ outcome: ProgramCommand.Outcome) {
    switch outcome.end {
    case .answered:
      state.withLock { state in
        state.fruitless = 0
        state.idle.append(program)
      }
    case .cancelled: program.end()
    default: if !program.hasAnswered { noteFruitless(.success(outcome)) }
    }
  }

  private func noteFruitless(_ result: Result<ProgramCommand.Outcome, ProgramCommand.Failure>) {
    state.withLock { state in
      state.fruitless += 1
      state.last = result
    }
  }

  /// Returns the outcome of every further request if the program is not restarted anymore; nil if
  /// it can still be restarted.
  private func givenUp() throws(ProgramCommand.Failure) -> ProgramCommand.Outcome? {
    let (starts, last) = state.withLock { ($0.fruitless, $0.last) }
    guard starts >= Self.patience, let last else { return nil }
    let outcome = try last.get()
    return ProgramCommand.Outcome(
      end: .givenUp(starts: starts, last: outcome.end),
      lastWords: outcome.lastWords
    )
  }
}
