import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Backend queues")
struct BackendQueuesTests {
  /// A counter of concurrent operations, which lets the operations wait for each other.
  private final class Gauge: Sendable {
    private let state = Locked((now: [String: Int](), most: [String: Int]()))

    var most: [String: Int] { state.withLock { $0.most } }

    func enter(_ name: String) {
      state.withLock { state in
        state.now[name, default: 0] += 1
        state.most[name] = max(state.most[name] ?? 0, state.now[name] ?? 0)
      }
    }

    func leave(_ name: String) { state.withLock { $0.now[name, default: 0] -= 1 } }
  }

  private func plan() throws -> SuitePlan {
    let project = RecordingProject()
    try project.edit(
      "sluice.yaml",
      replacing: "backends:\n",
      with: """
        backends:
          wide: {type: openai, model: m, max-in-flight: 5}
          narrow: {type: openai, model: m, max-in-flight: 2}

        """
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backends: [wide, narrow]"
    )
    return try project.plan()
  }

  @Test("Each backend gets at most its allowed number of concurrent requests")
  func limits() async throws {
    let names = (0..<40).map { $0 % 2 == 0 ? "wide" : "narrow" }
    let gauge = Gauge()
    let results = await BackendQueues(try plan(), backends: names).map { index in
      gauge.enter(names[index])
      for _ in 0..<20 { await Task.yield() }
      gauge.leave(names[index])
      return index
    }
    #expect(results == Array(0..<40))
    #expect(gauge.most["wide"].map { (1...5).contains($0) } == true)
    #expect(gauge.most["narrow"].map { (1...2).contains($0) } == true)
  }

  @Test("Without requests, there are no results")
  func none() async throws {
    #expect(await BackendQueues(try plan(), backends: []).map { $0 } == [])
  }

  @Test("A backend that the plan does not contain gets one request at a time")
  func unknown() async throws {
    let gauge = Gauge()
    _ = await BackendQueues(try plan(), backends: ["x", "x", "x"]).map { _ in
      gauge.enter("x")
      for _ in 0..<20 { await Task.yield() }
      gauge.leave("x")
    }
    #expect(gauge.most == ["x": 1])
  }
}
