package import SluiceSupport

/// What a live run may use up.
public struct Budget: Hashable, Sendable {
  /// The cost in US dollars.
  public var cost: Double?
  /// The number of requests, those that are sent again included.
  public var requests: Int?
  /// The tokens of requests and answers together.
  public var tokens: Int?
  /// The time from the first request on.
  public var time: Duration?

  /// Creates a budget; what is nil has no limit.
  ///
  /// - Parameters:
  ///   - cost: The cost in US dollars.
  ///   - requests: The number of requests.
  ///   - tokens: The tokens of requests and answers together.
  ///   - time: The time from the first request on.
  public init(
    cost: Double? = nil,
    requests: Int? = nil,
    tokens: Int? = nil,
    time: Duration? = nil
  ) {
    self.cost = cost
    self.requests = requests
    self.tokens = tokens
    self.time = time
  }
}

/// Counts what live backends use up, and says when a budget is.
package final class Meter: Sendable {
  /// What was used up so far.
  package struct Count: Hashable, Sendable {
    /// The requests that were sent.
    package var requests = 0
    /// Those of them that brought no answer.
    package var failures = 0
    /// The answers that had to be asked for again without streaming.
    package var fallbacks = 0
    /// The tokens that servers counted.
    package var tokens = 0
    /// The cost of all answers whose price is known, in US dollars.
    package var cost = 0.0
    /// The answers whose price is not known.
    package var unpriced = 0

    package init() {}
  }

  private struct State {
    var count = Count()
    var start: Duration?
    /// The cost of the dearest answer so far.
    var dearest: Double?
    /// The answers that came and could not be read: they were paid for as others are.
    var unread = 0
    /// What the first answer of unknown cost lacks.
    var lack: String?
  }

  /// How many answers that cannot be read are asked for before one shows what it costs.
  private static let patience = 5
  /// What is said where a budget cannot be kept, because no price is known.
  package static let unknownCost = "the cost of an answer is unknown"

  private let budget: Budget
  private let prices: PriceList
  private let clock: Clock
  private let state = Locked(State())

  package init(_ budget: Budget = Budget(), prices: PriceList = PriceList(), clock: Clock = .real) {
    self.budget = budget
    self.prices = prices
    self.clock = clock
  }

  package var count: Count { state.withLock(\.count) }

  /// Notes a request that is about to be sent.
  ///
  /// - Throws: ``BackendError`` where the budget does not allow it.
  func begin() throws(BackendError) {
    let reason: String? = state.withLock { state in
      let start = state.start ?? clock.now()
      state.start = start
      if let reason = spent(state, since: start) { return reason }
      state.count.requests += 1
      return nil
    }
    if let reason { throw BackendError(.budgetSpent, "not sent, because \(reason)") }
  }

  private func spent(_ state: State, since start: Duration) -> String? {
    let count = state.count
    if let requests = budget.requests, count.requests >= requests {
      return "the budget of \(requests) request\(requests == 1 ? "" : "s") is used up"
    }
    if let tokens = budget.tokens, count.tokens >= tokens {
      return "the budget of \(tokens) token\(tokens == 1 ? "" : "s") is used up"
    }
    if let cost = budget.cost {
      let presumed = Double(state.unread) * (state.dearest ?? 0)
      if count.cost + presumed >= cost {
        return "the budget of $\(JSONWriter.number(cost)) is used up"
      }
      if count.unpriced > 0 || state.dearest == nil && state.unread >= Self.patience {
        let why = state.lack.map { " (\($0))" } ?? ""
        return Self.unknownCost + "\(why), so that the budget of "
          + "$\(JSONWriter.number(cost)) cannot be kept"
      }
    }
    if let time = budget.time, clock.now() - start >= time {
      return "the budget of \(JSONWriter.number(time.milliseconds / 1_000)) s is used up"
    }
    return nil
  }

  /// Notes what came in answer to a request.
  func note(_ exchange: Exchange) {
    guard let answer = exchange.answer ?? (try? ResponseReader.response(in: exchange)) else {
      return state.withLock { $0.count.failures += 1 }
    }
    let pricing = prices.pricing(of: answer, asking: exchange.request.model)
    state.withLock { state in
      let tokens = state.count.tokens.addingReportingOverflow(answer.usage?.total ?? 0)
      state.count.tokens = tokens.overflow ? .max : tokens.partialValue
      guard let cost = pricing.cost ?? answer.reportedCost else {
        state.count.unpriced += 1
        state.lack = state.lack ?? pricing.lack?.reason
        return
      }
      state.count.cost += cost
      state.dearest = max(state.dearest ?? 0, cost)
    }
  }

  /// Notes a request that brought no answer.
  func noteFailure(_ error: BackendError) {
    state.withLock { state in
      state.count.failures += 1
      if error.kind == .brokenAnswer { state.unread += 1 }
    }
  }

  /// How much of the time is left; nil where there is no end of it.
  var timeLeft: Duration? {
    budget.time.map { time in
      state.withLock { state in max(.zero, time - (clock.now() - (state.start ?? clock.now()))) }
    }
  }

  /// Notes an answer that had to be asked for again without streaming.
  func noteFallback() { state.withLock { $0.count.fallbacks += 1 } }
}

/// Sends what the budget allows, and counts it.
package struct MeteredBackend: Backend {
  private let base: any Backend
  private let meter: Meter

  package init(_ base: any Backend, _ meter: Meter) {
    self.base = base
    self.meter = meter
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    // What is not sent is not counted.
    if Task.isCancelled { throw BackendError(.cancelled, "the request was cancelled") }
    try meter.begin()
    do throws(BackendError) {
      let exchange = try await base.send(request)
      meter.note(exchange)
      return exchange
    } catch {
      meter.noteFailure(error)
      throw error
    }
  }
}
