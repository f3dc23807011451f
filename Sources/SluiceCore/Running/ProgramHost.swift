package import SluiceSupport

/// Runs the programs that scorers ask, as many of each at once as its scorer allows.
package struct ProgramHost: Sendable {
  private let surroundings: Surroundings
  private let gates: [ScoringProgram: ConcurrencyLimit]
  /// How much a program may write about an answer.
  static let maximumBytes = 1 << 20

  package init(_ plan: SuitePlan, surroundings: Surroundings) {
    self.surroundings = surroundings
    let programs = Set(plan.scorers.compactMap { $0.scorer as? ProgramScorer }.map(\.program))
    gates = Dictionary(
      uniqueKeysWithValues: programs.map { ($0, ConcurrencyLimit(places: $0.maximumInFlight)) }
    )
  }

  /// What a program says to a question.
  func reply(to question: ProgramQuestion) async -> Reply {
    guard let gate = gates[question.program] else {
      return .silence(MissingReply(reason: "the program is no scorer of the suite"))
    }
    await gate.enter()
    let reply = await run(question)
    await gate.leave()
    return reply
  }

  private func run(_ question: ProgramQuestion) async -> Reply {
    let endpoint = question.program.endpoint
    func silence(_ error: BackendError) -> Reply {
      .silence(MissingReply(reason: error.message, isCancelled: error.kind == .cancelled))
    }
    if Task.isCancelled { return silence(BackendError(.cancelled, "the run was cancelled")) }
    do throws(BackendError) {
      let command = try endpoint.started(
        by: "the scorer",
        in: surroundings,
        folder: question.program.folder
      )
      let end: ProgramCommand.Outcome
      do throws(ProgramCommand.Failure) {
        end = try await command.run(
          question.input,
          timeout: question.program.timeout,
          maximumBytes: Self.maximumBytes
        )
      } catch {
        let message = "\(endpoint.place) could not be started: \(error.reason)"
        throw BackendError(.programFailed, message)
      }
      let secrets = endpoint.secrets(in: surroundings.environment)
      if let error = end.error(of: endpoint.place, secrets, maximumBytes: Self.maximumBytes) {
        throw error
      }
      return .output(end.output)
    } catch {
      return silence(error)
    }
  }
}

/// Lets so many in at once, in the order in which they came.
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

/// What programs said to the questions of scorers, before trials are judged.
package struct ProgramReplies: Sendable {
  private var replies: [Digest: Reply] = [:]

  package init() {}

  subscript(_ question: ProgramQuestion) -> Reply? {
    get { replies[question.digest] }
    set { replies[question.digest] = newValue }
  }
}
