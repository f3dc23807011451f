internal import Sluice

extension Project {
  /// Has a suite answered, on recordings or live, with a line that counts, and prints what is wrong
  /// with its recordings.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - backends: The backends to ask; nil for the recordings.
  ///   - concurrency: How many threads may work on recorded answers at once.
  ///   - keepsLog: Whether a run log is written.
  ///   - isScratch: Whether answers that are kept apart from what is committed count, too.
  /// - Returns: What it came to.
  /// - Throws: ``ExitCode/interrupted`` after Ctrl-C, or why the run log could not be written.
  func answer(
    _ suite: ResolvedSuite,
    live backends: [String: any Backend]?,
    concurrency: Int,
    keepsLog: Bool = true,
    isScratch: Bool = false
  ) async throws -> SuiteResult {
    let evaluation = Evaluation(
      suite,
      surroundings: surroundings,
      keepsLog: keepsLog,
      layers: RecordingSession.layers(isScratch: isScratch)
    )
    let progress = ProgressLine("\(suite.plan.name): trial")
    let onEvent: @Sendable (RunEvent) -> Void = { event in
      switch event {
      case .finished(_, let done, let total), .advanced(let done, let total):
        progress.update(done, of: total)
      }
    }
    let outcome: Evaluation.Outcome
    if let backends {
      let (live, wasInterrupted) = await Interruption.guarding {
        await evaluation.live(backends, onEvent: onEvent)
      }
      if wasInterrupted {
        progress.finish()
        Console.error("sluice: interrupted; the answers so far are in reports/runs/\n")
        throw Sluice.ExitCode.interrupted
      }
      outcome = live
    } else {
      outcome = evaluation.replay(concurrency: concurrency, onEvent: onEvent)
    }
    progress.finish()
    printDiagnostics(outcome.diagnostics)
    if let error = outcome.fileError { throw error }
    return outcome.result
  }
}
