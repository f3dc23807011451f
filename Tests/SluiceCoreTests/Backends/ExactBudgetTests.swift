@testable import SluiceCore
import SluiceSupport
import Testing
import TestSupport

@Suite("Budget: kept connections")
struct ExactBudgetTests {
  private let client = CurlHTTPClient()

  @Test("A request budget is exact even if kept connections close without an answer")
  func exactBudget() async throws {
    let received = Locked(0)
    let server = try LoopbackServer { _ in
      let count = received.withLock { count in
        count += 1
        return count
      }
      let body = #"{"choices":[{"message":{"content":"OK"},"finish_reason":"stop"}]}"#
      return count % 2 == 1 ? .response("200 OK", body: Array(body.utf8)) : .bytesThenClose([])
    }
    let definition = BackendDefinition(
      name: "server",
      kind: .model(
        ModelEndpoint(server: ServerAccess(url: "\(server.origin)/v1"), model: "m")
      )
    )
    let meter = Meter(Budget(requests: 100))
    let backend = try definition.connect(
      client,
      surroundings: Surroundings(files: InMemoryFileSystem()),
      meter: meter
    )
    let request = try definition.request(for: BackendCheck.prompt)
    let answers = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<150 {
        group.addTask { (try? await backend.send(request)) == nil ? 0 : 1 }
      }
      return await group.reduce(0, +)
    }
    #expect(received.withLock { $0 } == 100)
    #expect(meter.count.requests == 100)
    #expect(answers > 0)
  }
}
