/// The programs that keep running between requests.
///
/// All programs end when the work that uses them ends.
package final class RunningPrograms: Sendable {
  private let grace: Duration
  private let state = Locked(State())

  private struct State {
    var entries: [ObjectIdentifier: (program: RunningProgram, task: Task<Void, Never>)] = [:]
    var isOver = false
  }

  private init(grace: Duration) { self.grace = grace }

  /// Runs work, and then ends all programs that the work started, even if it throws.
  ///
  /// - Parameters:
  ///   - grace: The maximum wait for the end of a program: once after its input is closed, and once
  ///     more between SIGTERM and SIGKILL.
  ///   - isolation: The caller's actor.
  ///   - work: The work.
  /// - Returns: The result of the work, once all programs have ended.
  /// - Throws: The error of the work.
  package static func during<Result, Failure: Error>(
    grace: Duration = .seconds(2),
    isolation: isolated (any Actor)? = #isolation,
    _ work: (RunningPrograms) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let programs = RunningPrograms(grace: grace)
    do throws(Failure) {
      let result = try await work(programs)
      await programs.end()
      return result
    } catch {
      await programs.end()
      throw error
    }
  }

  /// Starts a program.
  func start(_ command: ProgramCommand) throws(ProgramCommand.Failure) -> RunningProgram {
    let program = try RunningProgram(command, grace: grace)
    let isOver = state.withLock { state in
      if state.isOver { return true }
      let task = Task {
        await program.run()
        self.forget(program)
      }
      state.entries[ObjectIdentifier(program)] = (program, task)
      return false
    }
    if isOver { throw ProgramCommand.Failure(reason: "the run has ended") }
    return program
  }

  /// Kills all programs without waiting, for a process that is about to exit.
  package func kill() {
    let programs = state.withLock { $0.entries.values.map(\.program) }
    for program in programs { program.kill() }
  }

  private func forget(_ program: RunningProgram) {
    state.withLock { $0.entries[ObjectIdentifier(program)] = nil }
  }

  /// Ends all programs and waits until they have ended.
  private func end() async {
    let entries = state.withLock { state in
      state.isOver = true
      return Array(state.entries.values)
    }
    for (program, _) in entries { program.end() }
    for (_, task) in entries { await task.value }
  }
}
