package import SluiceSupport

/// The host that runs the programs of scorers.
///
/// Each program has the concurrency limit of its scorer.
package struct ProgramHost: Sendable {
  private let entries: [ScoringProgram: Entry]
  /// The maximum size in bytes of the output that a program writes for one answer.
  static let maximumBytes = 1 << 20

  private struct Entry: Sendable {
    let limit: ConcurrencyLimit
    /// The client of the program, or the reason why the program cannot be used.
    let client: Result<ProgramClient, BackendError>
    /// The redaction of the replies, which scores and reports repeat.
    let redaction: Redaction
  }

  /// Creates a host for the programs of a suite.
  ///
  /// - Parameters:
  ///   - plan: The suite.
  ///   - surroundings: The environment of the programs.
  ///   - programs: The programs that keep running until the run ends.
  package init(_ plan: SuitePlan, surroundings: Surroundings, programs: RunningPrograms) {
    let all = Set(plan.scorers.compactMap { $0.scorer as? ProgramScorer }.map(\.program))
    entries = Dictionary(
      uniqueKeysWithValues: all.map { program in
        let client = Result { () throws(BackendError) in
          try ProgramClient(
            program.endpoint,
            of: "the scorer",
            folder: program.folder,
            limits: ProgramClient.Limits(timeout: program.timeout, bytes: Self.maximumBytes),
            surroundings: surroundings,
            programs: programs
          )
        }
        let limit = ConcurrencyLimit(places: program.maximumInFlight)
        let redaction = Redaction(
          known: program.endpoint.secrets(in: surroundings.environment),
          issued: surroundings.issued
        )
        return (program, Entry(limit: limit, client: client, redaction: redaction))
      }
    )
  }

  /// Returns the reply of a program to a question.
  func reply(to question: ProgramQuestion) async -> Reply {
    guard let entry = entries[question.program] else {
      return .missing(MissingReply(reason: "the program is not a scorer of the suite"))
    }
    await entry.limit.enter()
    let reply = await ask(entry, question.input)
    await entry.limit.leave()
    return reply
  }

  private func ask(_ entry: Entry, _ input: [UInt8]) async -> Reply {
    do throws(BackendError) {
      if Task.isCancelled { throw BackendError(.cancelled, "the run was cancelled") }
      let output = try await entry.client.get().ask(input).output
      return .output(entry.redaction.redactedJudged(output) ?? output)
    } catch {
      return .missing(MissingReply(reason: error.message, isCancelled: error.kind == .cancelled))
    }
  }
}

/// A limit on concurrent operations, which start in the order in which they were requested.
private actor ConcurrencyLimit {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(places: Int) { free = places }

  func enter() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// The replies of programs to the questions of scorers, collected before the trials are scored.
package struct ProgramReplies: Sendable {
  private var replies: [Digest: Reply] = [:]

  package init() {}

  subscript(_ question: ProgramQuestion) -> Reply? {
    get { replies[question.digest] }
    set { replies[question.digest] = newValue }
  }
}
