package import SluiceSupport

/// The limits of a live run.
package struct Budget: Hashable, Sendable {
  /// The maximum cost in US dollars.
  package var cost: Double?
  /// The maximum number of requests, including retries.
  package var requests: Int?
  /// The maximum number of tokens, of requests and answers together.
  package var tokens: Int?
  /// The maximum time since the first request.
  package var time: Duration?

  /// Creates a budget.
  ///
  /// A value that is nil means no limit.
  ///
  /// - Parameters:
  ///   - cost: The maximum cost in US dollars.
  ///   - requests: The maximum number of requests, including retries.
  ///   - tokens: The maximum number of tokens, of requests and answers together.
  ///   - time: The maximum time since the first request.
  package init(
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

/// The counter of a run's requests, tokens and cost.
///
/// It also enforces the budget.
package final class Meter: Sendable {
  /// The requests, tokens and cost so far.
  package struct Count: Hashable, Sendable {
    /// The number of requests that were sent.
    package var requests = 0
    /// The number of requests that had no answer.
    package var failures = 0
    /// The number of answers that came after a fallback from streaming.
    package var fallbacks = 0
    /// The number of tokens that servers reported.
    package var tokens = 0
    /// The cost in US dollars of all answers whose price is known.
    package var cost = 0.0
    /// The number of answers whose price is unknown.
    package var unpriced = 0

    package init() {}
  }

  private struct State {
    var count = Count()
    var start: Duration?
    /// The cost of the most expensive answer so far.
    var dearest: Double?
    /// The number of answers that could not be parsed.
    ///
    /// Each of them probably cost as much as an answer that could be parsed.
    var unread = 0
    /// The reason why a cost is unknown, for the first answer without a known cost.
    var lack: String?
  }

  /// The number of unparsable answers after which no more requests are sent.
  ///
  /// This limit applies only while no cost is known.
  private static let patience = 5
  /// The beginning of the message for a budget that cannot be enforced.
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

  /// Records a request before it is sent.
  ///
  /// - Throws: ``BackendError`` if the budget does not allow the request.
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
        return Self.unknownCost + "\(why), so the budget of $\(JSONWriter.number(cost)) cannot be "
          + "enforced"
      }
    }
    if let time = budget.time, clock.now() - start >= time {
      return "the budget of \(JSONWriter.number(time.milliseconds / 1_000)) s is used up"
    }
    return nil
  }

  /// Records an answer.
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

  /// Records a request that had no answer.
  func noteFailure(_ error: BackendError) {
    state.withLock { state in
      state.count.failures += 1
      if error.kind == .brokenAnswer { state.unread += 1 }
    }
  }

  /// The time that the budget still allows; nil if there is no time limit.
  var timeLeft: Duration? {
    budget.time.map { time in
      state.withLock { state in max(.zero, time - (clock.now() - (state.start ?? clock.now()))) }
    }
  }

  /// Records an answer that came after a fallback from streaming.
  func noteFallback() { state.withLock { $0.count.fallbacks += 1 } }
}

/// A backend that sends requests within a budget, and counts them.
package struct MeteredBackend: Backend {
  private let base: any Backend
  private let meter: Meter

  package init(_ base: any Backend, _ meter: Meter) {
    self.base = base
    self.meter = meter
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    // A request that is not sent does not count.
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
