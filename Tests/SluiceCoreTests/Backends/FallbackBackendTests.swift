import SampleProjects
@testable import SluiceCore
import Testing
import TestSupport

@Suite("Fallback backend")
struct FallbackBackendTests {
  private static let streamed = ModelRequest.fixture(
    parameters: ["temperature": 0, "stream": true, "stream_options": ["include_usage": true]]
  )

  private func backend(
    _ base: any Backend,
    _ time: TestClock = TestClock()
  ) -> FallbackBackend {
    FallbackBackend(
      base,
      clock: time.clock,
      isStreamed: ModelAPI.isStreamed,
      unstreamed: ModelAPI.unstreamed
    )
  }

  /// A backend whose streams fail after a time, and whose other answers succeed.
  private func failing(_ error: BackendError, _ time: TestClock = TestClock()) -> ClosureBackend {
    ClosureBackend { request, _ throws(BackendError) in
      if ModelAPI.isStreamed(request) {
        time.advance(by: .milliseconds(30_000))
        throw error
      }
      return .answered(request)
    }
  }

  @Test("If a stream fails, the complete answer is requested, and the result records the fallback")
  func fallsBack() async throws {
    let time = TestClock()
    let base = failing(BackendError(.timedOut, "no"), time)
    let exchange = try await backend(base, time).send(Self.streamed)
    #expect(base.requests == [Self.streamed, .fixture()])
    // Its recording answers the original request.
    #expect(exchange.request == Self.streamed)
    let fallback = StreamFallback(reason: .timedOut, milliseconds: 30_000)
    #expect(exchange.response.fallback == fallback)
    #expect(exchange.answer?.fallback == fallback)
    #expect(exchange.answer?.timings.user == 30_100)
    #expect(exchange.answer?.timings.total == 100)
    #expect(exchange.response.timings.user == nil)
    #expect(exchange.response.waitedFor.user == 30_100)
  }

  @Test(
    "An error in the stream causes a fallback; an error in the request does not",
    arguments: [
      (BackendError(.timedOut, "no"), true), (BackendError(.brokenAnswer, "no"), true),
      (BackendError(.noConnection, "no"), true), (BackendError(.serverError, "no"), true),
      (BackendError(.rateLimited, "no"), true), (BackendError(.invalidRequest, "no"), true),
      // An error with a status occurred before the stream.
      (BackendError(.serverError, "no", status: 500), false),
      (BackendError(.rateLimited, "no", status: 429), false),
      (BackendError(.invalidRequest, "no", status: 400), false),
      (BackendError(.badCredentials, "no"), false), (BackendError(.contentFilter, "no"), false),
      (BackendError(.cancelled, "no"), false), (BackendError(.budgetSpent, "no"), false),
      (BackendError(.tls, "no"), false), (BackendError(.quotaSpent, "no"), false),
    ]
  )
  func kinds(error: BackendError, fallsBack: Bool) async {
    let base = failing(error)
    let exchange = try? await backend(base).send(Self.streamed)
    #expect((exchange != nil) == fallsBack)
    #expect(base.requests.count == (fallsBack ? 2 : 1))
  }

  @Test("A request without streaming has no fallback")
  func whole() async {
    let base = ClosureBackend { _, _ throws(BackendError) in throw BackendError(.timedOut, "no") }
    await #expect(throws: BackendError(.timedOut, "no")) {
      try await backend(base).send(.fixture())
    }
    #expect(base.requests.count == 1)
  }

  @Test("A successful stream records no fallback")
  func streams() async throws {
    let base = ClosureBackend { request, _ throws(BackendError) in .answered(request) }
    let exchange = try await backend(base).send(Self.streamed)
    #expect(exchange.response.fallback == nil)
    #expect(exchange.answer?.timings.user == nil)
    #expect(base.requests.count == 1)
  }

  @Test("If the second request also fails, its error is reported")
  func bothFail() async {
    let base = ClosureBackend { _, number throws(BackendError) in
      throw BackendError(number == 0 ? .timedOut : .serverError, "no \(number)", status: nil)
    }
    await #expect(throws: BackendError(.serverError, "no 1")) {
      try await backend(base).send(Self.streamed)
    }
  }
}
