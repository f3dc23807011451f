import SampleProjects
@testable import SluiceCore
import Testing
import TestSupport

@Suite("Meter")
struct MeterTests {
  private static let prices = PriceList(prices: ["sorter-1": .init(input: 0.01, output: 0.02)])

  /// Returns the results of consecutive requests.
  private func send(
    _ count: Int,
    _ budget: Budget,
    prices: PriceList = Self.prices,
    usage: TokenUsage? = TokenUsage(input: 10, output: 5),
    fails: Bool = false
  ) async -> (messages: [String?], count: Meter.Count) {
    let time = TestClock()
    let meter = Meter(budget, prices: prices, clock: time.clock)
    let base = ClosureBackend { request, _ throws(BackendError) in
      time.advance(by: .milliseconds(500))
      if fails { throw BackendError(.serverError, "no") }
      return .answered(request, usage: usage)
    }
    let backend = MeteredBackend(base, meter)
    var messages: [String?] = []
    for _ in 0..<count {
      do throws(BackendError) {
        _ = try await backend.send(.fixture())
        messages.append(nil)
      } catch {
        messages.append("\(error.kind.rawValue): \(error.message)")
      }
    }
    return (messages, meter.count)
  }

  @Test("An unreadable answer is assumed to cost as much as the most expensive answer")
  func unread() async {
    let time = TestClock()
    let meter = Meter(Budget(cost: 0.5), prices: Self.prices, clock: time.clock)
    let base = ClosureBackend { request, number throws(BackendError) in
      if number > 0 { throw BackendError(.brokenAnswer, "no 'text'") }
      return .answered(request, usage: TokenUsage(input: 10, output: 5))
    }
    let backend = MeteredBackend(base, meter)
    var kinds: [BackendError.Kind?] = []
    for _ in 0..<4 {
      do throws(BackendError) {
        _ = try await backend.send(.fixture())
        kinds.append(nil)
      } catch {
        kinds.append(error.kind)
      }
    }
    #expect(kinds == [nil, .brokenAnswer, .brokenAnswer, .budgetSpent])
  }

  @Test("If the cost of answers is unknown, only a few unreadable answers are requested")
  func onlyUnread() async throws {
    let meter = Meter(Budget(cost: 0.5), prices: Self.prices, clock: TestClock().clock)
    let base = ClosureBackend { _, _ throws(BackendError) in
      throw BackendError(.brokenAnswer, "no 'text'")
    }
    let backend = MeteredBackend(base, meter)
    for _ in 0..<5 {
      await #expect(throws: BackendError(.brokenAnswer, "no 'text'")) {
        try await backend.send(.fixture())
      }
    }
    let error = try await #require(throws: BackendError.self) {
      _ = try await backend.send(.fixture())
    }
    #expect(error.kind == .budgetSpent)
    #expect(base.requests.count == 5)
  }

  @Test("Token counts of any size are added without overflow")
  func hugeCounts() async {
    let (messages, count) = await send(
      3,
      Budget(),
      usage: TokenUsage(input: .max / 2, output: .max / 2)
    )
    #expect(messages == [nil, nil, nil])
    #expect(count.tokens == .max)
  }

  @Test("Requests, failures, tokens and cost are counted")
  func counts() async {
    let (messages, count) = await send(3, Budget())
    #expect(messages == [nil, nil, nil])
    var expected = Meter.Count()
    expected.requests = 3
    expected.tokens = 45
    expected.cost = 0.2 + 0.2 + 0.2
    #expect(count == expected)
    let failed = await send(2, Budget(), fails: true).count
    #expect(failed.requests == 2)
    #expect(failed.failures == 2)
    #expect(failed.tokens == 0)
    #expect(failed.unpriced == 0)
  }

  @Test(
    "After the budget is used up, nothing is sent, and the error names the limit",
    arguments: [
      (Budget(requests: 2), "the budget of 2 requests is used up"),
      (Budget(tokens: 30), "the budget of 30 tokens is used up"),
      (Budget(tokens: 16), "the budget of 16 tokens is used up"),
      (Budget(cost: 0.4), "the budget of $0.4 is used up"),
      (Budget(time: .seconds(1)), "the budget of 1 s is used up"),
    ]
  )
  func spent(budget: Budget, reason: String) async {
    let (messages, count) = await send(4, budget)
    #expect(
      messages == [nil, nil]
        + Array(repeating: "budget-spent: not sent, because \(reason)", count: 2)
    )
    #expect(count.requests == 2)
  }

  @Test("A cost budget stops the run if the cost of an answer is unknown")
  func unpriced() async {
    let (messages, count) = await send(2, Budget(cost: 1), usage: nil)
    #expect(
      messages == [
        nil,
        "budget-spent: not sent, because the cost of an answer is unknown "
          + "(the server sent no usage), so the budget of $1 cannot be enforced",
      ]
    )
    #expect(count.unpriced == 1)
    let free = await send(2, Budget(), usage: nil)
    #expect(free.messages == [nil, nil])
  }

  @Test("Failed requests count as requests")
  func failures() async {
    let (messages, _) = await send(3, Budget(requests: 2), fails: true)
    #expect(messages.compactMap { $0?.hasPrefix("budget-spent") } == [false, false, true])
  }
}
